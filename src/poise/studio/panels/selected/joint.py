"""The sheet of a joint or a group: its angles against their limits, lock and stiffness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from nicegui import ui

from poise.figure.clinical import unit_of
from poise.figure.naming import driver
from poise.figure.parts import Group
from poise.scene.solving import context_of
from poise.studio.markup import with_class, with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.names import named_limbs
from poise.studio.panels.widgets import (
    NumberField,
    RangeBar,
    line,
    section,
    text_button,
    words_of,
)


@dataclass(frozen=True)
class _Pulling:
    """An angle whose bar is pulled: the figure follows at once, and all of it is one step."""

    desk: Desk
    joint: str
    angle: str
    scale: float
    """Of what is shown to radians, or metres."""

    def begin(self) -> bool:
        """Take hold of it, unless someone else drags something."""
        return self.desk.do("grab", what="angle", joint=self.joint, angle=self.angle)

    def move(self, value: float) -> None:
        """Bring it there."""
        self.desk.do("move", value=value / self.scale)

    def end(self) -> None:
        """It stays."""
        self.desk.do("release")


class JointSheet:
    """Angles in degrees (sliders in metres), as clinicians name them where the joint has such."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        self._figure = context_of(desk.session.scene).figure
        self._part = self._figure.groups.get(name) or self._figure.joints[name]
        group = driver(self._figure, name)
        self._mover = group.name if group else name
        self._limb_locks: dict[str, ui.switch] = {}
        self._locked: tuple[str, ...] = ()
        self._fields: dict[str, tuple[NumberField, RangeBar | None, ui.label]] = {}
        kind = "group" if isinstance(self._part, Group) else self._part.kind.kind
        with section(words_of(name), chip=kind):
            if group:
                ui.label(f"moved by the group {group.name}").classes("faint")
            self._ranges = self._figure.range(name)
            for angle in self._angles():
                self._angle(angle)
            if not self._fields:
                ui.label("It does not move.").classes("quiet")
            else:
                with ui.row().classes("line"):
                    text_button("To rest", self._to_rest, "restart_alt", "joint-rest")
        if self._fields:
            self._freedom()
        self.refresh()

    def refresh(self) -> None:
        """Show the angles of now."""
        for angle, value in self._angles().items():
            field, bar, state = self._fields[angle]
            field.show(self._scale(angle) * value)
            if bar is not None:
                standing = bar.show(self._scale(angle) * value)
                state.set_text({"near": "near its stop", "stop": "at its stop"}.get(standing, ""))
                color = {"near": "partly", "stop": "failed"}.get(standing, "")
                with_class(state, "partly failed", color)
        self._show_freedom()

    # parts -------------------------------------------------------------------------------

    def _angle(self, angle: str) -> None:
        low, high = self._ranges.get(angle, (-np.inf, np.inf))
        unit, scale = self._unit(angle), self._scale(angle)
        limited = np.isfinite(low) and np.isfinite(high)
        with ui.column().classes("full-width").style("gap:5px;padding:2px 0 5px"):
            with line(words_of(angle)) as row:
                state = ui.label().classes("small")
                field = NumberField(
                    None,
                    lambda value: self._turn(angle, value),
                    unit="°" if unit == "rad" else "m",
                    digits=2 if unit == "rad" else 4,
                    step=1 if unit == "rad" else 0.01,
                    marker=f"angle-{angle}",
                    name=f"{angle} of {self._name}",
                )
                state.move(row, 1)
            bar = None
            if limited:
                bar = RangeBar(
                    scale * low,
                    scale * high,
                    _Pulling(desk=self._desk, joint=self._name, angle=angle, scale=scale),
                    f"{angle} of {self._name}, from stop to stop",
                    f"range-{angle}",
                )
                with ui.row().classes("full-width justify-between no-wrap"):
                    for end in (low, high):
                        digits = 0 if unit == "rad" else 3
                        text = f"{scale * end:.{digits}f}{'°' if unit == 'rad' else ' m'}"
                        ui.label(text).classes("faint number")
        self._fields[angle] = (field, bar, state)

    def _freedom(self) -> None:
        desk = self._desk
        with section("freedom"):
            with line("locked", "it stays where it is in every solve"):
                self._lock = (
                    ui.switch(
                        value=False,
                        on_change=lambda event: self._set_lock(bool(event.value)),
                    )
                    .props('dense aria-label="locked"')
                    .mark("joint-lock")
                )
            for limb in self._limbs():
                self._limb_lock(limb)
            with line("stiffness", "0 free, towards 1 reluctant to move"):
                self._slider = (
                    ui.slider(min=0, max=0.99, step=0.01, value=0)
                    .props('dense aria-label="stiffness"')
                    .style("width:96px")
                    .mark("joint-stiffness-slider")
                    .on("change", lambda: self._stiffen(self._slider.value or 0.0))
                )
                self._stiffness = NumberField(
                    0,
                    self._stiffen,
                    digits=2,
                    step=0.05,
                    least=0,
                    most=0.99,
                    width="68px",
                    marker="joint-stiffness",
                    name="stiffness",
                )
        self._desk = desk

    def _limb_lock(self, limb: str) -> None:
        """A switch that locks all of a limb that this belongs to."""
        with line(f"all of {words_of(limb)} locked", "the limb stays where it is in every solve"):
            switch = ui.switch(
                value=False, on_change=lambda event: self._set_lock(bool(event.value), limb)
            )
            with_props(switch.props("dense"), aria_label=f"{limb} locked")
            self._limb_locks[limb] = switch.mark(f"limb-lock-{limb}")

    def _show_freedom(self) -> None:
        if not self._fields:
            return
        figure, own = self._given()
        self._locked = figure.locked_names
        self._lock.set_value(own in self._locked)
        for limb, switch in self._limb_locks.items():
            switch.set_value(limb.rpartition("/")[2] in self._locked)
        stiffness = figure.stiffness[own]
        self._stiffness.show(stiffness)
        self._slider.set_value(stiffness)

    # values ------------------------------------------------------------------------------

    def _angles(self) -> dict[str, float]:
        if not isinstance(self._part, Group) and not self._part.coordinates:
            return {}
        return self._desk.context.posture.angles(self._name)

    def _limbs(self) -> list[str]:
        """The limbs of more than this joint that it belongs to, by names that mean them."""
        named = named_limbs(self._desk.session)
        return [limb for limb, own in named.items() if self._mover in own and len(own) > 1]

    def _unit(self, angle: str) -> str:
        return unit_of(self._part, angle, self._figure.joints)

    def _scale(self, angle: str) -> float:
        return 1.0 if self._unit(angle) == "m" else float(np.rad2deg(1.0))

    def _given(self):  # type: ignore[no-untyped-def]
        scene = self._desk.session.scene
        figure, slash, own = self._mover.partition("/")
        if scene.has_several and slash:
            return scene.given[figure], own
        return next(iter(scene.given.values())), self._mover

    # changing ----------------------------------------------------------------------------

    def _turn(self, angle: str, value: float) -> None:
        angles = {angle: value / self._scale(angle)}
        if not self._desk.do("set_angles", joint=self._name, angles=angles):
            self.refresh()

    def _to_rest(self) -> None:
        rest = self._figure.rest().angles(self._name)
        self._desk.do("set_angles", joint=self._name, angles=rest)

    def _set_lock(self, on: bool, limb: str | None = None) -> None:
        name = limb or self._mover
        if on != (name.rpartition("/")[2] in self._locked):
            self._desk.do("lock", joint=name, on=on)

    def _stiffen(self, value: float) -> None:
        self._desk.do("set_stiffness", joint=self._mover, value=round(float(value), 3))
