"""The fields of a form, one class for each form of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from nicegui import ui

from poise.documents import parse, yaml_text
from poise.errors import PoiseError
from poise.figure.transform import rotation_vector
from poise.scene.files.postures import in_file_units
from poise.scene.files.values import read_rotation
from poise.studio.panels.desk import Desk
from poise.studio.panels.names import figures, joints_by_limb, places
from poise.studio.panels.widgets import (
    FIELD,
    AxesField,
    NumberField,
    VectorField,
    choice,
    icon_button,
)

if TYPE_CHECKING:
    from poise.studio.task_types import Field

Changed = Callable[[], Any]
_AXES = ("x", "y", "z", "-x", "-y", "-z")
_ZERO = [0.0, 0.0, 0.0]


class Entry:
    """One field of a form; those who derive from it show a value, too."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Keep what all have."""
        self.kept: Any = value
        self.desk, self.field, self.changed = desk, field, changed
        self.marker = f"field-{field.name}"
        self.site: Callable[[], Any] = lambda: None
        """What the task is about, where its form knows it."""

    def value(self) -> Any:
        """What a scene file would say; None where it is left open."""
        raise NotImplementedError

    def show(self, value: Any) -> None:
        """Show another value."""


class _Plain(Entry):
    """An entry that keeps its value and is told of new ones."""

    def value(self) -> Any:
        """What was put in."""
        return self.kept

    def take(self, value: Any) -> None:
        """Keep what the user put in."""
        self.kept = value
        self.changed()


class SiteEntry(_Plain):
    """The name of a site, segment or joint: from a list, or by a click in the view."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a name."""
        super().__init__(desk, field, value, changed)
        options = places(desk.session)
        if not field.needed:
            options = {None: "–", **options}
        elif value is None:
            value = _first(desk, field.name)
        self.kept = value
        if value is not None and value not in options:
            options[value] = str(value)
        self._select = choice(
            options,
            value,
            self.take,
            marker=self.marker,
            searchable=True,
            width="168px",
            name=field.name,
        )
        self.point: dict[str, Any] = {}
        """A point on a surface instead of a site: `segment`, and `point` in its axes (m)."""
        if desk.view is not None:
            icon_button("ads_click", "click a site in the view", self._pick, f"pick-{field.name}")

    def show(self, value: Any) -> None:
        """Show another name."""
        if value != self.kept:
            self.kept = value
            self._select.set_value(value)

    def offer_points(self) -> None:
        """Let a point on the body's surface be clicked, too."""
        icon_button("touch_app", "click a point on the body", self._pick_point, "pick-point")
        self._told = ui.label().classes("faint")

    def take(self, value: Any) -> None:
        """Keep a name; a point is then forgotten."""
        if value is not None and self.point:
            self.point = {}
            self._told.set_text("")
        super().take(value)

    def _pick(self) -> None:
        self.desk.pick(f"Click the {self.field.name}", "site", self._picked)

    def _pick_point(self) -> None:
        self.desk.pick("Click a point on the body", "point", self._picked)

    def _picked(self, found: Mapping[str, Any]) -> None:
        if found.get("site"):
            self._select.set_value(found["site"])
        elif found.get("segment") and hasattr(self, "_told"):
            self._select.set_value(None)
            self.kept = None
            self.point = {"segment": found["segment"], "point": list(found["point"])}
            self._told.set_text(f"a point of {found['segment']}")
        elif found.get("segment") or found.get("prop"):
            self._select.set_value(found.get("segment") or found.get("prop"))


class NamesEntry(_Plain):
    """Several names of sites or joints."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show names."""
        super().__init__(desk, field, value, changed)
        self.kept = self._list(value)
        names = list(places(desk.session))
        if field.form == "joints":
            names = [each for limb in joints_by_limb(desk.session).values() for each in limb]
        names += [each for each in self.kept or () if each not in names]
        self._select = (
            ui.select(
                names,
                value=self.kept or [],
                multiple=True,
                with_input=True,
                on_change=lambda event: self.take(list(event.value) or None),
            )
            .props(f'{FIELD} use-chips options-dense clearable aria-label="{field.name}"')
            .classes("tall full-width")
            .mark(self.marker)
        )

    def show(self, value: Any) -> None:
        """Show other names."""
        if self._list(value) != self.kept:
            self.kept = self._list(value)
            self._select.set_value(self.kept or [])

    @staticmethod
    def _list(value: Any) -> list[str] | None:
        if not value:
            return None
        return [value] if isinstance(value, str) else list(value)


class FigureEntry(_Plain):
    """One of several figures, or all."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a figure."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        options: dict[Any, str] = {None: "all", **{name: name for name in figures(desk.session)}}
        self._select = choice(options, value, self.take, marker=self.marker, name=field.name)

    def show(self, value: Any) -> None:
        """Show another figure."""
        self._select.set_value(value)


class NumberEntry(_Plain):
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


class SwitchEntry(_Plain):
    """Yes or no."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show a switch."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        self._switch = ui.switch(
            value=bool(field.default if value is None else value),
            on_change=lambda event: self.take(bool(event.value)),
        ).props(f'dense aria-label="{field.name}"')
        self._switch.mark(self.marker)

    def show(self, value: Any) -> None:
        """Show another answer."""
        self.kept = value
        if value is not None:
            self._switch.set_value(bool(value))


class ChoiceEntry(_Plain):
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


class AxesEntry(_Plain):
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


class _Modes(Entry):
    """A value that is of one of several sorts, chosen first: left open, numbers, a site."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
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

    def sorts(self) -> dict[str, str]:
        """What it can be: the sorts, and what they are called."""
        raise NotImplementedError

    def mode_of(self, value: Any) -> str:
        """Of which sort a value is."""
        raise NotImplementedError

    def start(self, mode: str) -> Any:
        """The first value of a sort."""
        raise NotImplementedError

    def fill(self, mode: str) -> Any:
        """Make the fields of a sort, and give them back."""
        raise NotImplementedError

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


class _Target(_Modes):
    """A value that is open, numbers, or the name of a site."""

    def mode_of(self, value: Any) -> str:
        """Open, numbers, or a name."""
        return "here" if value is None else "on" if isinstance(value, str) else "at"

    def start(self, mode: str) -> Any:
        """The first value of a sort: numbers begin where the task's site is now."""
        if mode == "here":
            return None
        if mode == "on":
            own = self.site()
            return next((name for name in places(self.desk.session) if name != own), None)
        position, rotation = list(_ZERO), list(_ZERO)
        site: str | None = self.site()
        if site is not None and site in places(self.desk.session):
            place = self.desk.context.places[site]
            position = [round(each, 4) for each in place.position.tolist()]
            turn = np.rad2deg(rotation_vector(place.rotation)).tolist()
            rotation = [round(each, 3) for each in turn]
        return self.numbers(position, rotation)

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """The value of a place (m, degrees)."""
        raise NotImplementedError


class PointEntry(_Target):
    """A point in the world (m), the place where the site is now, or another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "where it is now", "at": "a point", "on": "on another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return position

    def fill(self, mode: str) -> Any:
        """Three numbers, or a name."""
        if mode == "at":
            return VectorField(_numbers(self.kept), self.take, marker=self.marker, step=0.01)
        return self.site_field() if mode == "on" else None

    def refresh(self, value: Any) -> None:
        """Show another point without making the fields anew."""
        if self.mode == "at":
            self._fields.show(_numbers(value))
        else:
            super().refresh(value)


class RotationEntry(_Target):
    """A rotation vector in degrees, the present rotation, or that of another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "as it is now", "at": "a rotation", "on": "that of another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return {"rotation": rotation}

    def fill(self, mode: str) -> Any:
        """Three angles, or a name."""
        if mode == "at":
            return VectorField(
                _turn(self.kept),
                lambda value: self.take({"rotation": value}),
                unit="°",
                digits=2,
                step=5,
                marker=self.marker,
            )
        return self.site_field() if mode == "on" else None


class PlaceEntry(_Target):
    """A point and a rotation, the present place, or another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "where it is now", "at": "a place", "on": "on another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return {"position": position, "rotation": rotation}

    def fill(self, mode: str) -> Any:
        """Six numbers, or a name."""
        if mode == "on":
            return self.site_field()
        if mode == "here":
            return None
        position = VectorField(
            _numbers(_position(self.kept)),
            lambda value: self.take({**self._turned(), "position": value}),
            step=0.01,
            marker=self.marker,
        )
        rotation = VectorField(
            _turn(self.kept),
            lambda value: self.take({"position": _position(self.kept), "rotation": value}),
            unit="°",
            digits=2,
            step=5,
            marker=f"{self.marker}-rotation",
        )
        return position, rotation

    def refresh(self, value: Any) -> None:
        """Show another place without making the fields anew."""
        if self.mode == "at":
            self._fields[0].show(_numbers(_position(value)))
            self._fields[1].show(_turn(value))
        else:
            super().refresh(value)

    def _turned(self) -> dict[str, Any]:
        """The present turn, as it is written: a matrix stays one."""
        if isinstance(self.kept, Mapping):
            return {key: value for key, value in self.kept.items() if key != "position"}
        return {}


class DirectionEntry(_Modes):
    """A direction: an axis, or a vector."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {**{axis: axis for axis in _AXES}, "other": "another direction"}

    def mode_of(self, value: Any) -> str:
        """An axis by its name, or numbers."""
        shown = self.field.default if value is None else value
        return shown if isinstance(shown, str) and shown in _AXES else "other" if shown else "x"

    def start(self, mode: str) -> Any:
        """The axis, or numbers to begin with."""
        return [1.0, 0.0, 0.0] if mode == "other" else mode

    def value(self) -> Any:
        """An axis that nobody has chosen is still one, where it is needed."""
        return self.mode if self.kept is None and self.field.needed else self.kept

    def fill(self, mode: str) -> Any:
        """Three numbers, unless it is an axis."""
        if mode == "other":
            return VectorField(_numbers(self.kept), self.take, unit="", marker=self.marker)
        return None


class PostureEntry(_Modes):
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


class BoxEntry(_Modes):
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
            return _text_area(self.desk, self.value(), self.take, self.marker)
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


class EllipsoidEntry(_Plain):
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
            self._center.show(_numbers(value.get("center")))
            self._radii.show(_numbers(value.get("radii")))

    def _part(self, name: str, value: list[float]) -> None:
        self.take({**self.kept, name: value})


class TextEntry(_Plain):
    """Anything else, as it would be written in a scene file."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show the text."""
        super().__init__(desk, field, value, changed)
        self.kept = value
        _text_area(desk, value, self.take, self.marker)


def _first(desk: Desk, field: str) -> str | None:
    """A site to begin with: the one that is selected; for a second site another one."""
    chosen = desk.selection
    names = [name for name in places(desk.session) if name is not None]
    if chosen.kind in ("site", "segment") and chosen.name in names:
        names = [chosen.name, *(name for name in names if name != chosen.name)]
    return next(iter(names[1:] if field == "other" else names), None)


def _text_area(desk: Desk, value: Any, take: Callable[[Any], Any], marker: str) -> ui.textarea:
    """Text in the language of scene files; what cannot be read is said, and not taken."""

    def read() -> None:
        text = area.value or ""
        try:
            take(parse(text, "this field").data if text.strip() else None)
        except PoiseError as error:
            desk.complain(error)

    text = "" if value is None else yaml_text(value)
    area = ui.textarea(value=text).props(f"{FIELD} autogrow")
    return area.classes("tall full-width").on("change", read).mark(marker)


def _numbers(value: Any) -> list[float]:
    if isinstance(value, (list, tuple)) and len(value) == 3:
        return [float(each) for each in value]
    return list(_ZERO)


def _position(value: Any) -> Any:
    return value.get("position", list(_ZERO)) if isinstance(value, Mapping) else value


def _turn(value: Any) -> list[float]:
    """A rotation vector in degrees, of whatever a file has for it."""
    if not isinstance(value, Mapping):
        return list(_ZERO)
    for key in ("rotation", "quaternion", "matrix"):
        if key in value:
            return np.rad2deg(rotation_vector(read_rotation(key, value[key]))).tolist()
    return list(_ZERO)
