"""The fields that say what a prop is: name, sizes and mass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from poise.studio.markup import with_props
from poise.studio.panels.widgets import ALONG, FIELD, NumberField, line


class PropFields:
    """Name, sizes (m) and mass (kg), one below the other."""

    def __init__(
        self,
        name: str,
        sizes: Mapping[str, float],
        mass: float,
        *,
        resize: Callable[[str, float], Any],
        weigh: Callable[[float], Any],
        tip: str = "",
    ) -> None:
        """Build them where the page is being built.

        Args:
            name: of the prop.
            sizes: by what they are called; none where the prop cannot be resized.
            mass: of the prop.
            resize: called with what a size is called, and another value.
            weigh: called with another mass.
            tip: what is said of the name.
        """
        with line("name", tip):
            self.name = with_props(ui.input(value=name).props(FIELD), aria_label="name")
            self.name.classes("field").style("width:168px").mark("prop-name")
        self._sizes: dict[str, NumberField] = {}
        for each, size in sizes.items():
            with line(ALONG.get(each, each)):
                self._sizes[each] = NumberField(
                    size,
                    lambda value, each=each: resize(each, value),
                    unit="m",
                    step=0.01,
                    least=0.001,
                    marker=f"prop-size-{each}",
                    name=each,
                )
        with line("mass"):
            self._mass = NumberField(
                mass, weigh, unit="kg", step=0.5, least=0, marker="prop-mass", name="mass"
            )

    def show(self, sizes: Mapping[str, float], mass: float) -> None:
        """Show other sizes and another mass."""
        for each, size in sizes.items():
            self._sizes[each].show(size)
        self._mass.show(mass)
