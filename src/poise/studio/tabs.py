"""The tabs that look at a session: what each shows and has selected, and how it is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from poise.errors import PoiseError
from poise.studio.commands import Select, Selection, Settings, Shown
from poise.studio.document import Document

Sender = Callable[[str, Any], object]
"""Takes what a tab is to be sent: "frame" with bytes, or a message's type with a mapping."""


@dataclass
class Tab:
    """A tab that looks."""

    send: Sender
    shown: Shown
    selection: Selection


class Tabs:
    """All tabs by name. A new one begins with what was last chosen in any."""

    def __init__(self, shown: Shown) -> None:
        """Begin with none, and with what was last chosen to be shown."""
        self._tabs: dict[str, Tab] = {}
        self.shown = shown
        """What was last chosen to be shown."""
        self._selected = Selection()

    def __iter__(self) -> Iterator[Tab]:
        """All of them, as they are at this moment."""
        return iter(list(self._tabs.values()))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._tabs)

    def join(self, name: str, send: Sender) -> Tab:
        """Let a tab look; one of that name has come back."""
        old = self._tabs.get(name)
        shown, selected = (old.shown, old.selection) if old else (self.shown, self._selected)
        self._tabs[name] = Tab(send, shown, selected)
        return self._tabs[name]

    def leave(self, name: str, tab: Tab | None = None) -> bool:
        """A tab has gone; False where it was gone already, or another came in its place."""
        if name not in self._tabs or (tab is not None and self._tabs[name] is not tab):
            return False
        del self._tabs[name]
        return True

    def send(self, kind: str, content: Any) -> None:
        """Send something to all."""
        for tab in self:
            tab.send(kind, content)

    def show(self, command: Settings, name: str | None) -> None:
        """Change what a tab shows; without a name, all of them."""
        changes = command.changes()
        self.shown = self.shown.model_copy(update=changes)
        for tab in self._addressed(name):
            tab.shown = tab.shown.model_copy(update=changes)
            tab.send("settings", settings_message(tab))

    def select(self, command: Select, name: str | None, document: Document) -> None:
        """Select something in a tab; without a name, in all of them."""
        chosen = Selection(kind=command.kind, name=command.name if command.kind else None)
        if chosen.kind is not None:
            if chosen.name is None:
                raise PoiseError("to select something needs its name")
            if not is_there(document, chosen):
                raise PoiseError(f"there is no {chosen.kind} named {chosen.name!r}")
        self._selected = chosen
        for tab in self._addressed(name):
            tab.selection = chosen
            tab.send("selection", selection_message(tab))

    def settings(self, name: str | None) -> Shown:
        """What a tab shows."""
        return self._tabs[name].shown if name in self._tabs else self.shown

    def selection(self, name: str | None) -> Selection:
        """What a tab has selected."""
        return self._tabs[name].selection if name in self._tabs else self._selected

    def check(self, document: Document) -> None:
        """Forget what is selected and no longer there; what has another name is the same."""
        self._selected = _found(document, self._selected)
        for tab in self:
            found = _found(document, tab.selection)
            if found != tab.selection:
                tab.selection = found
                tab.send("selection", selection_message(tab))

    def _addressed(self, name: str | None) -> list[Tab]:
        if name is None:
            return list(self._tabs.values())
        return [self._tabs[name]] if name in self._tabs else []


def settings_message(tab: Tab) -> dict[str, Any]:
    """What a tab shows, as it is sent."""
    return {"type": "settings", **tab.shown.model_dump()}


def selection_message(tab: Tab) -> dict[str, Any]:
    """What a tab has selected, as it is sent."""
    return {"type": "selection", **tab.selection.model_dump()}


def _found(document: Document, selection: Selection) -> Selection:
    """What is selected, by its name of now; nothing where it is gone."""
    if selection.kind is not None and selection.name is not None:
        name = document.renamed.get((selection.kind, selection.name), selection.name)
        selection = Selection(kind=selection.kind, name=name)
    return selection if is_there(document, selection) else Selection()


def is_there(document: Document, selection: Selection) -> bool:
    """Whether what is selected is in the document; nothing always is."""
    scene, whole = document.scene, document.whole
    known: dict[str, tuple[Any, ...]] = {
        "joint": (whole.groups, whole.joints),
        "site": (whole.sites,),
        "segment": (whole.segments,),
        "task": (scene.handles,),
        "force": (scene.forces.supports, scene.forces.applied),
        "prop": (scene.props,),
    }
    if selection.kind is None:
        return True
    return any(selection.name in names for names in known[selection.kind])
