"""The sheet of a site or a segment: where it is, how it is pinned, and what can be made of it."""

from __future__ import annotations

import numpy as np
from nicegui import ui

from poise.figure.transform import rotation_vector
from poise.scene.solving import context_of
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import VectorField, section, text_button, words_of

_PINS = {
    "free": ("lock_open", "free"),
    "position": ("place", "place"),
    "rotation": ("screen_rotation_alt", "rotation"),
    "both": ("push_pin", "both"),
}


class SiteSheet:
    """Position in metres and rotation in degrees; what is typed becomes a goal."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        whole = context_of(desk.session.scene).figure
        self._segment = whole.segment_of(name)
        with section(words_of(name), chip="site" if name in whole.sites else "segment"):
            ui.label("position in the world").classes("faint")
            self._position = VectorField((0, 0, 0), self._move, step=0.01, marker="site-position")
            ui.label("rotation vector").classes("faint")
            self._rotation = VectorField(
                (0, 0, 0), self._rotate, unit="°", digits=1, step=5, marker="site-rotation"
            )
            ui.label(
                "A number that is typed here becomes a goal: a task that brings it there."
            ).classes("faint")
        with section("pin"):
            with ui.button_group().props("flat").classes("full-width no-wrap"):
                for kind, (icon, text) in _PINS.items():
                    ui.button(text, icon=icon, on_click=lambda _, kind=kind: self._pin(kind)).props(
                        "flat dense no-caps size=12px"
                    ).classes("grow").mark(f"pin-{kind}")
            self._pinned = ui.label().classes("faint")
        with section("on this segment"):
            segment = whole.segments[self._segment]
            mass = segment.mass_properties()[0]
            ui.label(f"{words_of(self._segment)}, {mass:.2f} kg").classes("quiet")
            with ui.row().style("gap:4px 8px"):
                joint = next(
                    (j.name for j in whole.joints.values() if j.child == self._segment), None
                )
                if joint:
                    text_button(
                        words_of(joint),
                        lambda: desk.do("select", kind="joint", name=joint),
                        "rotate_right",
                    )
                if name in whole.sites and whole.sites[name].outline:
                    text_button(
                        "Stand on it", self._support, "vertical_align_bottom", "site-support"
                    )
                text_button("Push it", self._push, "arrow_right_alt", "site-push")
        self.refresh()

    def refresh(self) -> None:
        """Show where it is now."""
        place = self._desk.context.places[self._name]
        self._position.show(place.position.tolist())
        self._rotation.show(np.rad2deg(rotation_vector(place.rotation)).tolist())
        handle = self._desk.session.scene.handles.get(f"pin {self._name}")
        self._pinned.set_text(f"pinned by the task “{handle.name}”" if handle else "not pinned")

    def _goal(self) -> str:
        return f"goal {self._name}"

    def _move(self, point: list[float]) -> None:
        self._aim("position", point)

    def _rotate(self, degrees: list[float]) -> None:
        self._aim("orientation", {"rotation": degrees})

    def _aim(self, kind: str, target: object) -> None:
        """Give the goal of this kind another target, or add one."""
        desk, handles = self._desk, self._desk.session.scene.handles
        name = self._goal() if kind == "position" else f"{self._goal()} rotation"
        parameters = {"site": self._name, "target": target}
        if name in handles:
            desk.do("edit_task", name=name, parameters=parameters)
        else:
            ranks = [handle.priority or 0 for handle in handles.values()]
            desk.do(
                "add_task",
                type=kind,
                parameters=parameters,
                name=name,
                priority=max([0, *ranks]) + 1,
            )

    def _pin(self, kind: str) -> None:
        self._desk.do("pin", site=self._name, kind=kind)

    def _support(self) -> None:
        self._desk.do("add_support", site=self._name)

    def _push(self) -> None:
        self._desk.do("add_load", site=self._name, force=[50.0, 0.0, 0.0])
