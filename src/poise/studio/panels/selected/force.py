"""The sheets of a force: one that is applied, and one of a support."""

from __future__ import annotations

import numpy as np
from nicegui import ui

from poise.studio.panels.bearing import LoadFields, SupportFields
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import section, text_button, words_of


class ForceSheet:
    """A force or a support, by its name, with a button that removes it."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        forces = desk.session.scene.forces
        is_load = name in forces.applied
        with section(words_of(name), chip="force" if is_load else "support"):
            self._about = ui.label().classes("quiet")
            if is_load:
                self._load = LoadFields(desk, name, forces.applied[name], "selected-")
            else:
                with ui.row().classes("line"):
                    self._support = SupportFields(desk, name, forces.supports[name], "selected-")
            text_button("Remove", self._remove, "delete_outline", "force-remove")
        self.refresh()

    def refresh(self) -> None:
        """Show the values of now."""
        forces = self._desk.session.scene.forces
        load, support = forces.applied.get(self._name), forces.supports.get(self._name)
        if load is not None:
            self._load.show(load)
            self._about.set_text(f"{np.linalg.norm(load.force):.1f} N on {load.site}")
        elif support is not None:
            self._support.show(support)
            self._about.set_text("its share of what is borne; all shares of a figure add up to 1")

    def _remove(self) -> None:
        self._desk.do("remove_force", name=self._name)
