"""The sheet of a prop: where it is, and who holds it."""

from __future__ import annotations

import numpy as np
from nicegui import ui

from poise.figure.transform import rotation_vector
from poise.studio.panels.desk import Desk
from poise.studio.panels.names import places
from poise.studio.panels.widgets import VectorField, choice, line, section, text_button, words_of


class PropSheet:
    """Position in metres and rotation in degrees, in the world."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        thing = desk.session.scene.props[name]
        with section(words_of(name), chip="prop"):
            ui.label(f"{thing.prop.mass:.2f} kg").classes("quiet number")
            ui.label("position in the world").classes("faint")
            self._position = VectorField((0, 0, 0), self._move, step=0.01, marker="prop-position")
            ui.label("rotation vector").classes("faint")
            self._rotation = VectorField(
                (0, 0, 0), self._turn, unit="°", digits=1, step=5, marker="prop-rotation"
            )
            with line("held by"):
                held = None
                if thing.is_held:
                    several = desk.session.scene.has_several
                    held = f"{thing.figure}/{thing.site}" if several else thing.site
                sites = {
                    site: text
                    for site, text in places(desk.session).items()
                    if site is not None and site.split("/")[0] not in desk.session.scene.props
                }
                choice(
                    {None: "nobody", **sites},
                    held,
                    self._hold,
                    marker="prop-holder",
                    searchable=True,
                    width="168px",
                    name="held by",
                )
            text_button("Remove", self._remove, "delete_outline", "prop-remove")
        self.refresh()

    def refresh(self) -> None:
        """Show where it is now."""
        if self._name in self._desk.session.scene.props:
            place = self._desk.context.places[self._name]
            self._position.show(place.position.tolist())
            self._rotation.show(np.rad2deg(rotation_vector(place.rotation)).tolist())

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
