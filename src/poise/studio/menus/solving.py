"""How the scene is solved: the method, and when it stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nicegui import ui

from poise.scene.options import Restarts
from poise.solvers import DEFAULT, METHODS
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import NumberField, choice, icon_button, line


@dataclass(frozen=True)
class _Number:
    """An option that is a number: how it is shown, and what it is in Python."""

    name: str
    tip: str
    option: str
    least: float
    step: float | None = None
    digits: int = 0
    """After the point; without any it is a whole number."""
    unit: str = ""
    scale: float = 1.0
    """Of what is shown to what the option is."""
    is_scenes: bool = False
    """Whether it is the scene's own, and not one of its options."""

    def taken(self, value: float) -> float:
        return value / self.scale if self.digits else round(value)


_NUMBERS = (
    _Number(
        "tolerance",
        "a task is met when its error is at most this",
        "tolerance",
        least=1e-6,
        digits=6,
        unit="mm",
        scale=1e3,
    ),
    _Number("iterations", "when to give up", "max_iterations", least=1, step=10),
    _Number(
        "metres per radian",
        "how much length an angle weighs",
        "metres_per_radian",
        least=1e-3,
        step=0.1,
        digits=3,
        unit="m",
        is_scenes=True,
    ),
)


def _restarts(now: Restarts) -> dict[str, str]:
    """The numbers of other starts that are offered, and the one of now, as they are shown."""
    offered = {"auto": "auto: 8 short ones", "0": "none", "8": "8", "32": "32"}
    return offered | {str(now): offered.get(str(now), str(now))}


class SolvingDialog:
    """The options of the scene. Drags are solved by the default method always."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        with ui.dialog() as self._dialog, ui.card().classes("card").style("width:400px"):
            with ui.row().classes("card-title"):
                ui.label("How it is solved").classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            self._body = ui.column().classes("card-body")

    def open(self) -> None:
        """Show the options of now."""
        options, scene = self._desk.session.scene.options, self._desk.session.scene
        self._body.clear()
        with self._body:
            with line("method", "those of the papers, beside ours: " + DEFAULT):
                choice(
                    list(METHODS),
                    options.method,
                    self._choose,
                    marker="solve-method",
                    name="method",
                )
            self._about = ui.label(METHODS[options.method].description).classes("quiet")
            self._about.mark("solve-about")
            with line("restarts", "other starts to try when tasks are not met"):
                choice(
                    _restarts(options.restarts),
                    str(options.restarts),
                    lambda value: self._set("restarts", int(value) if value.isdecimal() else value),
                    marker="solve-restarts",
                    name="restarts",
                )
            for each in _NUMBERS:
                with line(each.name, each.tip):
                    value = getattr(scene if each.is_scenes else options, each.option)
                    NumberField(
                        each.scale * value,
                        lambda value, each=each: self._set(each.option, each.taken(value)),
                        unit=each.unit,
                        digits=each.digits,
                        step=each.step,
                        least=each.least,
                        marker=f"solve-{each.name.replace(' ', '-')}",
                        name=each.name,
                    )
        self._dialog.open()

    def _choose(self, method: str) -> None:
        self._set("method", method)
        self._about.text = METHODS[self._desk.session.scene.options.method].description

    def _set(self, name: str, value: Any) -> None:
        if not self._desk.do("set_options", **{name: value}):
            self.open()
