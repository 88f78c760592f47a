"""The sheet of a prop: what it is, where it is, and who holds it."""

from __future__ import annotations

from typing import Any

import numpy as np
from nicegui import ui

from poise.figure.props import Prop
from poise.figure.transform import rotation_vector
from poise.studio.panels.desk import Desk
from poise.studio.panels.names import places
from poise.studio.panels.prop_fields import PropFields
from poise.studio.panels.widgets import VectorField, choice, line, section, text_button, words_of
from poise.studio.resizing import sizes_of


class PropSheet:
    """Name, sizes and mass; position in metres and rotation in degrees, in the world."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        thing = desk.session.scene.props[name]
        with section(words_of(name), chip="prop"):
            self._fields = PropFields(
                name,
                _sizes(thing.prop),
                thing.prop.mass,
                resize=self._resize,
                weigh=lambda value: self._edit(mass=value),
            )
            self._fields.name.on("change", lambda: self._rename(self._fields.name))
            ui.label("position in the world").classes("faint")
            self._position = VectorField((0, 0, 0), self._move, step=0.01, marker="prop-position")
            ui.label("rotation vector").classes("faint")
            self._rotation = VectorField(
                (0, 0, 0), self._turn, unit="°", digits=1, step=5, marker="prop-rotation"
            )
            with line("held by"):
                sites = {
                    site: text
                    for site, text in places(desk.session).items()
                    if site is not None and site.split("/")[0] not in desk.session.scene.props
                }
                choice(
                    {None: "nobody", **sites},
                    self._holder(),
                    self._hold,
                    marker="prop-holder",
                    searchable=True,
                    width="168px",
                    name="held by",
                )
            with line("by its", "a face lies flat on a palm or a sole") as self._grasp:
                choice(
                    {None: "place of now", **{site.name: site.name for site in thing.prop.sites}},
                    None,
                    self._take_by,
                    marker="prop-grasp",
                    searchable=True,
                    width="168px",
                    name="held by its",
                )
            text_button("Remove", self._remove, "delete_outline", "prop-remove")
        self.refresh()

    def refresh(self) -> None:
        """Show what it is and where, now."""
        if self._name in self._desk.session.scene.props:
            prop = self._desk.session.scene.props[self._name].prop
            self._fields.show(_sizes(prop), prop.mass)
            self._grasp.set_visibility(self._holder() is not None)
            place = self._desk.context.places[self._name]
            self._position.show(place.position.tolist())
            self._rotation.show(np.rad2deg(rotation_vector(place.rotation)).tolist())

    def _holder(self) -> str | None:
        """The site that holds it, as tasks name it."""
        scene = self._desk.session.scene
        thing = scene.props[self._name]
        if not thing.is_held:
            return None
        return f"{thing.figure}/{thing.site}" if scene.has_several else thing.site

    def _take_by(self, part: str | None) -> None:
        """Bring it to who holds it, so that one of its own sites lies there."""
        if part is not None:
            self._desk.do("hold_prop", prop=self._name, site=self._holder(), at=part)

    def _edit(self, **changes: Any) -> bool:
        """Change what the prop is; where that cannot be, the fields show what is."""
        done = self._desk.do("edit_prop", prop=self._name, **changes)
        if not done:
            self.refresh()
        return done

    def _rename(self, field: ui.input) -> None:
        new = str(field.value or "")
        if new == self._name or (new and self._edit(new_name=new)):
            return
        field.set_value(self._name)

    def _resize(self, name: str, value: float) -> None:
        sizes = _sizes(self._desk.session.scene.props[self._name].prop)
        self._edit(size=list({**sizes, name: value}.values()))

    def _move(self, point: list[float]) -> None:
        self._desk.do("place_prop", prop=self._name, position=point)

    def _turn(self, degrees: list[float]) -> None:
        self._desk.do("place_prop", prop=self._name, rotation=np.deg2rad(degrees).tolist())

    def _hold(self, site: str | None) -> None:
        if site is None:
            self._desk.do("release_prop", prop=self._name)
        else:
            self._desk.do("hold_prop", prop=self._name, site=site)

    def _remove(self) -> None:
        self._desk.do("remove_prop", prop=self._name)


def _sizes(prop: Prop) -> dict[str, float]:
    """What its sizes are called, and how large they are; empty where it has none to be changed."""
    found = sizes_of(prop)
    return found[1] if found else {}
