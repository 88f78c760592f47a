"""Names of sites, joints and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.entries.entry import Changed, Plain
from poise.studio.panels.names import figures, joints_by_limb, named_limbs, places
from poise.studio.panels.widgets import FIELD, choice, icon_button

if TYPE_CHECKING:
    from poise.studio.task_types import Field


class SiteEntry(Plain):
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


class NamesEntry(Plain):
    """Several names of sites or joints."""

    def __init__(self, desk: Desk, field: Field, value: Any, changed: Changed) -> None:
        """Show names."""
        super().__init__(desk, field, value, changed)
        self.kept = self._list(value)
        names = list(places(desk.session))
        if field.form == "joints":
            names = list(named_limbs(desk.session))
            names += [each for limb in joints_by_limb(desk.session).values() for each in limb]
        names += [each for each in self.kept or () if each not in names]
        self._select = (
            ui.select(
                names,
                value=self.kept or [],
                multiple=True,
                with_input=True,
                on_change=lambda event: self.take(list(event.value) or None),
            )
            .props(FIELD)
            .props("use-chips options-dense clearable")
            .classes("tall full-width")
            .mark(self.marker)
        )
        with_props(self._select, aria_label=field.name)

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


class FigureEntry(Plain):
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


def _first(desk: Desk, field: str) -> str | None:
    """A site to begin with: the one that is selected; for a second site another one."""
    chosen = desk.selection
    names = [name for name in places(desk.session) if name is not None]
    if chosen.kind in ("site", "segment") and chosen.name in names:
        names = [chosen.name, *(name for name in names if name != chosen.name)]
    return next(iter(names[1:] if field == "other" else names), None)
