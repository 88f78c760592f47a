"""Forms for tasks and criteria, made from their fields: a new task of the library needs nothing.

Values are those of scene files: metres, degrees, names, lists and mappings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from poise.studio.panels import entries
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import choice, icon_button, line, text_button, tipped, words_of

if TYPE_CHECKING:
    from poise.studio.task_types import Field


class Form:
    """Fields of one kind of task, and what has been put into them."""

    def __init__(
        self,
        desk: Desk,
        kind: str,
        values: Mapping[str, Any] | None = None,
        changed: entries.Changed | None = None,
        *,
        points: bool = False,
    ) -> None:
        """Make the fields where the page is being built.

        Args:
            desk: of the tab.
            kind: the type of the task, as in scene files.
            values: what is known; fields without a value have their default.
            changed: called when the user has changed something.
            points: whether a click on a surface may stand for the site.
        """
        self._desk, self._changed = desk, changed or (lambda: None)
        self._given = dict(values or {})
        self._entries: dict[str, entries.Entry] = {}
        for field in desk.session.task_types[kind].fields:
            self._add(field, points and field.name == "site")

    def values(self) -> dict[str, Any]:
        """What the task takes; what is as usual is left out."""
        values = {name: entry.value() for name, entry in self._entries.items()}
        return {name: value for name, value in values.items() if value is not None}

    def changes(self) -> dict[str, Any]:
        """What is other than was shown; None for what is to be as usual again."""
        values = {name: entry.value() for name, entry in self._entries.items()}
        return {name: each for name, each in values.items() if each != self._given.get(name)}

    def point(self) -> dict[str, Any]:
        """The point on a surface that was clicked in place of a site; empty if none was."""
        site = self._entries.get("site")
        return site.point if isinstance(site, entries.SiteEntry) else {}

    def show(self, values: Mapping[str, Any]) -> None:
        """Show other values, such as those of a goal that is being dragged."""
        self._given = dict(values)
        for name, entry in self._entries.items():
            entry.show(values.get(name))

    def _add(self, field: Field, points: bool) -> None:
        make = _FORMS.get(field.form, entries.TextEntry)
        given = self._given.get(field.name)
        if make in _WIDE:
            with ui.column().classes("full-width").style("gap:4px"):
                tipped(ui.label(words_of(field.name)).classes("what small quiet"), _tip(field))
                self._entries[field.name] = make(self._desk, field, given, self._changed)
        else:
            with line(words_of(field.name), _tip(field)):
                entry = make(self._desk, field, given, self._changed)
                if points and isinstance(entry, entries.SiteEntry):
                    entry.offer_points()
                self._entries[field.name] = entry
        self._entries[field.name].site = self._site

    def _site(self) -> Any:
        return self._entries["site"].value() if "site" in self._entries else None


class MembersEntry(entries.Entry):
    """Several tasks, of which any will do."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: entries.Changed) -> None:
        """Show a form for each."""
        super().__init__(desk, field, value, changed)
        self._members: list[tuple[str, Form]] = []
        with ui.column().classes("full-width").style("gap:6px") as self._list:
            pass
        text_button("Add one more", lambda: self._more("position", {}), "add", "member-add")
        self.show(value or [{"position": {}}, {"position": {}}])

    def show(self, value: Any) -> None:
        """Show others."""
        self._list.clear()
        self._members = []
        for each in value or ():
            if isinstance(each, Mapping) and len(each) == 1:
                ((kind, given),) = each.items()
                self._more(str(kind), given if isinstance(given, Mapping) else {"site": given})

    def value(self) -> Any:
        """The members as in files."""
        return [{kind: form.values()} for kind, form in self._members]

    def _more(self, kind: str, given: Mapping[str, Any]) -> None:
        kinds = {
            name: words_of(name)
            for name, each in self.desk.session.task_types.items()
            if each.kind == "task" and name != "any"
        }
        with self._list, ui.column().classes("section full-width").style("padding:6px 0") as box:
            with ui.row().classes("line"):
                select = choice(kinds, kind, lambda new: self._become(box, new), width="170px")
                select.props('aria-label="kind of task"')
                ui.space()
                icon_button("close", "remove this one", lambda: self._drop(box))
            form = Form(self.desk, kind, given, self.changed)
        box.member = (kind, form)  # type: ignore[attr-defined]
        self._gather()

    def _become(self, box: ui.column, kind: str) -> None:
        self._drop(box)
        self._more(kind, {})
        self.changed()

    def _drop(self, box: ui.column) -> None:
        box.delete()
        self._gather()
        self.changed()

    def _gather(self) -> None:
        boxes = self._list.default_slot.children
        self._members = [box.member for box in boxes if hasattr(box, "member")]  # type: ignore[attr-defined]


def _tip(field: Field) -> str:
    unit = f" ({field.unit})" if field.unit else ""
    return f"{words_of(field.name)}{unit}{'' if field.needed else ', may be left open'}"


_FORMS: dict[str, type[entries.Entry]] = {
    "site": entries.SiteEntry,
    "frame": entries.SiteEntry,
    "sites": entries.NamesEntry,
    "joints": entries.NamesEntry,
    "figure": entries.FigureEntry,
    "point": entries.PointEntry,
    "rotation": entries.RotationEntry,
    "place": entries.PlaceEntry,
    "scalar": entries.NumberEntry,
    "direction": entries.DirectionEntry,
    "axes": entries.AxesEntry,
    "number": entries.NumberEntry,
    "switch": entries.SwitchEntry,
    "choice": entries.ChoiceEntry,
    "posture": entries.PostureEntry,
    "convex": entries.BoxEntry,
    "ellipsoid": entries.EllipsoidEntry,
    "tasks": MembersEntry,
}
"""By the form of a field; all others are written as text."""
_WIDE = (
    entries.PointEntry,
    entries.RotationEntry,
    entries.PlaceEntry,
    entries.DirectionEntry,
    entries.BoxEntry,
    entries.EllipsoidEntry,
    entries.NamesEntry,
    entries.PostureEntry,
    entries.TextEntry,
    MembersEntry,
)
