"""The sheets of a force: one that is applied, and one of a support."""

from __future__ import annotations

from typing import Any

import numpy as np
from nicegui import ui

from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import (
    NumberField,
    VectorField,
    line,
    section,
    text_button,
    words_of,
)


class LoadSheet:
    """A force in newtons and a torque in newton-metres that act on the figure."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        load = desk.session.scene.forces.applied[name]
        with section(words_of(name)) as heading:
            with heading:
                ui.label("force").classes("chip")
            self._size = ui.label().classes("quiet number")
            ui.label("force on the figure").classes("faint")
            self._force = VectorField(
                load.force,
                lambda value: self._edit(force=value),
                unit="N",
                digits=1,
                step=5,
                marker="load-force",
            )
            ui.label("torque on the figure").classes("faint")
            self._torque = VectorField(
                load.torque,
                lambda value: self._edit(torque=value),
                unit="N·m",
                digits=2,
                step=1,
                marker="load-torque",
            )
            text_button("Remove", self._remove, "delete_outline", "load-remove")
        self.refresh()

    def refresh(self) -> None:
        """Show the values of now."""
        load = self._desk.session.scene.forces.applied.get(self._name)
        if load is not None:
            self._force.show(load.force)
            self._torque.show(load.torque)
            self._size.set_text(f"{np.linalg.norm(load.force):.1f} N on {load.site}")

    def _edit(self, **what: Any) -> None:
        self._desk.do("edit_load", name=self._name, **what)

    def _remove(self) -> None:
        self._desk.do("remove_force", name=self._name)


class SupportSheet:
    """A support: its share of what is to be balanced, and its friction."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        support = desk.session.scene.forces.supports[name]
        with section(words_of(name)) as heading:
            with heading:
                ui.label("support").classes("chip")
            with line("ratio", "its share; all ratios of a figure add up to 1"):
                self._ratio = NumberField(
                    support.ratio,
                    lambda value: self._edit(ratio=value),
                    step=0.05,
                    marker="support-ratio",
                    name="ratio",
                )
            with line("friction", "the coefficient between it and the ground"):
                self._friction = NumberField(
                    support.friction,
                    lambda value: self._edit(friction=value),
                    step=0.05,
                    least=0.001,
                    marker="support-friction",
                    name="friction",
                )
            text_button("Remove", self._remove, "delete_outline", "support-remove")

    def refresh(self) -> None:
        """Show the values of now."""
        support = self._desk.session.scene.forces.supports.get(self._name)
        if support is not None:
            self._ratio.show(support.ratio)
            self._friction.show(support.friction)

    def _edit(self, **what: float) -> None:
        self._desk.do("edit_support", site=self._name, **what)

    def _remove(self) -> None:
        self._desk.do("remove_force", name=self._name)
