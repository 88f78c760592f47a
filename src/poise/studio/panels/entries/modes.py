"""Values of several sorts, of which one is chosen first."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from poise.scene.files.postures import in_file_units
from poise.studio.panels.desk import Desk
from poise.studio.panels.entries.entry import Changed, Entry, numbers_of
from poise.studio.panels.entries.values import text_area
from poise.studio.panels.names import places
from poise.studio.panels.widgets import VectorField, choice

if TYPE_CHECKING:
    from poise.studio.task_types import Field

_AXES = {
    sign + axis: [size if each == axis else 0.0 for each in "xyz"]
    for sign, size in (("", 1.0), ("-", -1.0))
    for axis in "xyz"
}
"""Directions that have a name."""


class Modes(Entry):
    """A value that is of one of several sorts, chosen first: left open, numbers, a site."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show the choice, and the fields of the sort that the value is of."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        self.mode = self.mode_of(value)
        self._fields: Any = None
        self._select = choice(
            self.sorts(),
            self.mode,
            self._turn,
            marker=f"{self.marker}-mode",
            width="100%",
            name=f"{field.name}: sort",
        )
        self._body = ui.column().classes("full-width").style("gap:4px")
        self._build()

    def value(self) -> Any:
        """What was put in."""
        return self.kept

    def show(self, value: Any) -> None:
        """Show another value."""
        if value == self.kept:
            return
        self.kept = value
        mode = self.mode_of(value)
        if mode != self.mode or self._fields is None:
            self.mode = mode
            self._select.set_value(mode)
            self._build()
        else:
            self.refresh(value)

    @abstractmethod
    def sorts(self) -> dict[str, str]:
        """What it can be: the sorts, and what they are called."""

    @abstractmethod
    def mode_of(self, value: Any) -> str:
        """Of which sort a value is."""

    @abstractmethod
    def start(self, mode: str) -> Any:
        """The first value of a sort."""

    @abstractmethod
    def fill(self, mode: str) -> Any:
        """Make the fields of a sort, and give them back."""

    def refresh(self, value: Any) -> None:
        """Show another value of the same sort."""
        self._build()

    def take(self, value: Any) -> None:
        """Keep what the user put in."""
        self.kept = value
        self.changed()

    def _turn(self, mode: str) -> None:
        if mode != self.mode:
            self.mode = mode
            self.kept = self.start(mode)
            self._build()
            self.changed()

    def _build(self) -> None:
        self._body.clear()
        with self._body:
            self._fields = self.fill(self.mode)

    def site_field(self) -> Any:
        """A list of what a target can ride on."""
        options = places(self.desk.session)
        value = self.kept if isinstance(self.kept, str) else None
        if value is not None and value not in options:
            options[value] = value
        return choice(
            options,
            value,
            self.take,
            marker=f"{self.marker}-site",
            searchable=True,
            width="100%",
            name=f"{self.field.name}: site",
        )


class DirectionEntry(Modes):
    """A direction: an axis, or a vector."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {**{axis: axis for axis in _AXES}, "other": "another direction"}

    def mode_of(self, value: Any) -> str:
        """An axis by its name, or numbers."""
        shown = self._shown(value)
        return shown if isinstance(shown, str) else "other"

    def start(self, mode: str) -> Any:
        """The axis, or numbers to begin with."""
        return [1.0, 0.0, 0.0] if mode == "other" else mode

    def value(self) -> Any:
        """An axis that nobody has chosen is still one, where it is needed."""
        return self.mode if self.kept is None and self.field.needed else self.kept

    def fill(self, mode: str) -> Any:
        """Three numbers, unless it is an axis."""
        if mode == "other":
            shown = numbers_of(self._shown(self.kept))
            return VectorField(shown, self.take, unit="", marker=self.marker)
        return None

    def _shown(self, value: Any) -> Any:
        """The direction that counts: an axis by its name, else numbers; as usual if left open."""
        direction = self.field.default if value is None else value
        return next((axis for axis in _AXES if direction in (axis, _AXES[axis])), direction or "x")


class PostureEntry(Modes):
    """A posture of the figure by its name, or the present one."""

    def sorts(self) -> dict[str, str]:
        """The figures' own postures, and what is not named."""
        names = {
            name: name
            for figure in self.desk.session.scene.given.values()
            for name in figure.postures
        }
        kept = {"kept": "as it was"} if isinstance(self.kept, Mapping) else {}
        return {"": "the rest posture", **names, "now": "as it is now", **kept}

    def mode_of(self, value: Any) -> str:
        """Open, a name, or values."""
        return "kept" if isinstance(value, Mapping) else value or ""

    def start(self, mode: str) -> Any:
        """The posture's name, or the values of now."""
        if mode != "now":
            return mode or None
        scene = self.desk.session.scene
        return {
            f"{name}/{coordinate}" if scene.has_several else coordinate: value
            for name, posture in list(scene.postures.items())[:1]
            for coordinate, value in in_file_units(posture).items()
        }

    def fill(self, mode: str) -> Any:
        """Nothing more to fill in."""
        return None


class BoxEntry(Modes):
    """A box, or other convex regions as text."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"box": "a box", "text": "as text"}

    def mode_of(self, value: Any) -> str:
        """A box where the value is one."""
        is_box = value is None or (isinstance(value, Mapping) and "box" in value)
        return "box" if is_box else "text"

    def start(self, mode: str) -> Any:
        """A box of half a metre."""
        return {"box": {"center": [0.0, 0.0, 1.0], "size": [0.5, 0.5, 0.5]}}

    def value(self) -> Any:
        """The box, or what the text says."""
        return self.start("box") if self.kept is None else self.kept

    def fill(self, mode: str) -> Any:
        """Centre and edges, or text."""
        if mode == "text":
            return text_area(self.desk, self.value(), self.take, self.marker)
        box = self.value()["box"]
        ui.label("centre").classes("faint")
        first = VectorField(
            box["center"], lambda value: self._part("center", value), marker=f"{self.marker}-center"
        )
        ui.label("size").classes("faint")
        second = VectorField(
            box["size"], lambda value: self._part("size", value), marker=f"{self.marker}-size"
        )
        return first, second

    def _part(self, name: str, value: list[float]) -> None:
        self.take({"box": {**self.value()["box"], name: value}})
