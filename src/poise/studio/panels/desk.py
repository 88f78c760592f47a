"""What the panels of one tab share: how they say something to the session, and hear of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from nicegui import ui

from poise.errors import PoiseError
from poise.scene.solving import context_of
from poise.studio.history import NoStepError
from poise.studio.saying import said

if TYPE_CHECKING:
    from poise.studio.commands import Selection, Shown
    from poise.studio.component import View
    from poise.studio.session import Session
    from poise.tasks.task import Context

_PAUSE = 0.1
"""Between two looks at what has changed (s): numbers that change faster cannot be read."""


@dataclass
class _Listener:
    """Who is called after which events, for which panel."""

    events: frozenset[str]
    listener: Callable[[], Any]
    panel: str
    is_stale: bool = False

    def call(self) -> None:
        self.is_stale = False
        self.listener()


class Desk:
    """One tab's side of a session.

    Attributes:
        session: the document that all tabs look at.
        tab: this tab's name in it.
        view: the 3D view; None until the page has made it.
        stage: what holds the view; None likewise.
        front: the name of the panel that is seen.
        dialog: the one that steps aside while something is picked in the view.
    """

    def __init__(self, session: Session, tab: str) -> None:
        """Listen to the session for as long as the page that is being built lives."""
        self.session = session
        self.tab = tab
        self.view: View | None = None
        self.stage: ui.element | None = None
        self.dialog: ui.dialog | None = None
        self._banner: ui.row | None = None
        self._taking: Callable[[Mapping[str, Any]], Any] | None = None
        self.front = ""
        self._listeners: list[_Listener] = []
        self._happened: set[str] = set()
        unsubscribe = session.subscribe(self._happened.add)
        ui.context.client.on_delete(unsubscribe)
        ui.timer(_PAUSE, self.tell)

    def do(self, command: str, **fields: Any) -> bool:
        """Apply a command; what is wrong with it is shown to the user, and nothing has changed."""
        try:
            # Its posture is told when it is there: nobody else at the server should wait for it.
            self.session.apply({"do": command, **fields}, self.tab, patience=0.0)
        except NoStepError as error:
            ui.notify(said(error), type="info", position="top", timeout=1_500)
            return False
        except PoiseError as error:
            self.complain(error)
            return False
        self.tell()
        return True

    def complain(self, error: PoiseError | str) -> None:
        """Show an error for as long as it takes to read it."""
        text = error if isinstance(error, str) else said(error)
        ui.notify(
            text,
            type="negative",
            position="top",
            timeout=min(20_000, 4_000 + 60 * len(text)),
            close_button="Close",
            multi_line=len(text) > 80,
        )

    def say(self, text: str) -> None:
        """Tell that something was done."""
        ui.notify(text, type="positive", position="top", timeout=2_500)

    def on(self, events: Iterable[str], listener: Callable[[], Any], panel: str = "") -> None:
        """Call a listener after one of the session's events, ten times a second at most.

        It is called now as well, so that a panel is filled in one way only. With a panel's name
        it is called only while that panel is in front, and when it comes there: what nobody sees
        need not be computed while somebody drags.
        """
        self._listeners.append(_Listener(frozenset(events), listener, panel))
        listener()

    def bring(self, panel: str) -> None:
        """Take a panel to be in front from now on."""
        self.front = panel
        for each in self._listeners:
            if each.panel == panel and each.is_stale:
                each.call()

    def tell(self) -> None:
        """Call those who listen to what has happened since."""
        happened = set(self._happened)
        self._happened.clear()
        for each in self._listeners:
            if each.events & happened:
                if each.panel in ("", self.front):
                    each.call()
                else:
                    each.is_stale = True

    def make_room(self, pixels: int) -> None:
        """Let the view begin so far from the left, so that a dialog there does not hide it."""
        if self.stage is not None:
            self.stage.style(f"left:{pixels:d}px")

    # asking ----------------------------------------------------------------------------------

    @property
    def selection(self) -> Selection:
        """What this tab has selected."""
        return self.session.selection(self.tab)

    @property
    def settings(self) -> Shown:
        """What this tab shows, and how."""
        return self.session.settings(self.tab)

    @property
    def context(self) -> Context:
        """The figures where they are now, in mid-drag too."""
        solution, scene = self.session.solution, self.session.scene
        if solution is not None:
            found = context_of(solution)
            # What was just put into the scene is not in a solution of before.
            if found.figure.segments.keys() == context_of(scene).figure.segments.keys():
                return found
        return context_of(scene)

    # picking in the view ---------------------------------------------------------------------

    def pick(
        self, prompt: str, what: Literal["site", "point"], take: Callable[[Mapping[str, Any]], Any]
    ) -> None:
        """Let the user click a "site" or a "point" in the view; a dialog steps aside meanwhile.

        Args:
            prompt: what to click, shown over the view.
            what: "site", or "point" for any point on a surface.
            take: called with what was found: `site`, or `segment` and `point` in its axes (m).
        """
        if self.view is None or self.stage is None:
            return
        self.stop_picking()
        self._taking = take
        if self.dialog is not None:
            self.dialog.close()
        with self.stage, ui.row().classes("picking over-view") as self._banner:
            ui.label(f"{prompt}, or press Esc")
            cancel = ui.button("Cancel", on_click=self.stop_picking, color=None)
            cancel.props("flat dense no-caps").mark("stop-picking")
        self.view.pick(what, self._picked)

    def _picked(self, found: Mapping[str, Any] | None) -> None:
        """Take what was clicked in the view; None where the user gave it up there."""
        take = self._taking
        self._end_picking()
        if take is not None and found is not None:
            take(found)

    def stop_picking(self) -> None:
        """Let clicks in the view mean what they usually do."""
        if self._taking is not None and self.view is not None:
            self.view.pick(None, self._picked)
        self._end_picking()

    def _end_picking(self) -> None:
        if self._banner is not None:
            self._banner.delete()
            self._banner = None
        if self._taking is not None and self.dialog is not None:
            self.dialog.open()
        self._taking = None
