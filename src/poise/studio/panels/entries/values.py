"""Numbers, switches, words, and what is written as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from poise.documents import parse, yaml_text
from poise.errors import PoiseError
from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.entries.entry import Changed, Plain, numbers_of
from poise.studio.panels.widgets import FIELD, AxesField, NumberField, VectorField, choice

if TYPE_CHECKING:
    from poise.studio.task_types import Field


class NumberEntry(Plain):
    """A number."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a number."""
        super().__init__(desk, field, value, changed)
        usual = field.default if isinstance(field.default, (int, float)) else None
        self.kept = value
        self._number = NumberField(
            usual if value is None else value,
            self.take,
            unit=field.unit or "",
            digits=5,
            marker=self.marker,
            width="124px",
            name=field.name,
        )

    def show(self, value: Any) -> None:
        """Show another number."""
        self.kept = value
        if value is not None:
            self._number.show(value)


class SwitchEntry(Plain):
    """Yes or no."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a switch."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        self._switch = ui.switch(
            value=bool(field.default if value is None else value),
            on_change=lambda event: self.take(bool(event.value)),
        ).props("dense")
        with_props(self._switch, aria_label=field.name).mark(self.marker)

    def show(self, value: Any) -> None:
        """Show another answer."""
        self.kept = value
        if value is not None:
            self._switch.set_value(bool(value))


class ChoiceEntry(Plain):
    """One of some words."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a word."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        options: dict[Any, str] = {each: str(each) for each in field.choices or ()}
        if field.default is None:
            options = {None: "none", **options}
        shown = field.default if value is None else value
        self._select = choice(options, shown, self.take, marker=self.marker, name=field.name)

    def show(self, value: Any) -> None:
        """Show another word."""
        if value is not None and value != self._select.value:
            self._select.set_value(value)


class AxesEntry(Plain):
    """Which axes count."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show the axes."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        self._axes = AxesField(value or field.default or "xyz", self.take, self.marker)

    def show(self, value: Any) -> None:
        """Show other axes."""
        self.kept = value
        self._axes.show(value or self.field.default or "xyz")


class EllipsoidEntry(Plain):
    """Centre and radii of an ellipsoid (m)."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show an ellipsoid."""
        super().__init__(desk, field, value, changed)
        self.kept = {"center": [0.0, 0.0, 1.0], "radii": [0.15, 0.2, 0.25], **(value or {})}
        ui.label("centre").classes("faint")
        self._center = VectorField(
            self.kept["center"],
            lambda new: self._part("center", new),
            marker=f"{self.marker}-center",
        )
        ui.label("radii").classes("faint")
        self._radii = VectorField(
            self.kept["radii"], lambda new: self._part("radii", new), marker=f"{self.marker}-radii"
        )

    def show(self, value: Any) -> None:
        """Show another one."""
        if isinstance(value, Mapping):
            self.kept = dict(value)
            self._center.show(numbers_of(value.get("center")))
            self._radii.show(numbers_of(value.get("radii")))

    def _part(self, name: str, value: list[float]) -> None:
        self.take({**self.kept, name: value})


class TextEntry(Plain):
    """Anything else, as it would be written in a scene file."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show the text."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        self._area = text_area(desk, value, self.take, self.marker)

    def show(self, value: Any) -> None:
        """Show another text."""
        if value != self.kept:
            self.kept = value
            self._area.set_value(_written(value))


def _written(value: Any) -> str:
    """A value as a scene file has it."""
    return "" if value is None else yaml_text(value)


def text_area(desk: Desk, value: Any, take: Callable[[Any], Any], marker: str) -> ui.textarea:
    """Text in the language of scene files; what cannot be read is said, and not taken."""

    def read() -> None:
        text = area.value or ""
        try:
            take(parse(text, "this field").data if text.strip() else None)
        except PoiseError as error:
            desk.complain(error)

    area = ui.textarea(value=_written(value)).props(FIELD).props("autogrow")
    return area.classes("tall full-width").on("change", read).mark(marker)
