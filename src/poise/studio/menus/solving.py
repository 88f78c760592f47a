"""How the scene is solved: the method, and when it stops."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from poise.solvers import METHODS
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import NumberField, choice, icon_button, line


class SolvingDialog:
    """The options of the scene. Drags are solved by lex always: no other method is made for it."""

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
            with line("method", "those of the papers, beside ours: lex"):
                choice(
                    list(METHODS),
                    options.method,
                    lambda value: self._set("method", value),
                    marker="solve-method",
                    name="method",
                )
            with line("tolerance", "a task is met when its error is at most this"):
                NumberField(
                    1e3 * options.tolerance,
                    lambda value: self._set("tolerance", 1e-3 * value),
                    unit="mm",
                    digits=6,
                    least=1e-6,
                    marker="solve-tolerance",
                    name="tolerance",
                )
            with line("iterations", "when to give up"):
                NumberField(
                    options.max_iterations,
                    lambda value: self._set("max_iterations", round(value)),
                    digits=0,
                    step=10,
                    least=1,
                    marker="solve-iterations",
                    name="iterations",
                )
            with line("restarts", "other starts to try when tasks are not met"):
                NumberField(
                    options.restarts,
                    lambda value: self._set("restarts", round(value)),
                    digits=0,
                    step=1,
                    least=0,
                    marker="solve-restarts",
                    name="restarts",
                )
            with line("metres per radian", "how much length an angle weighs"):
                NumberField(
                    scene.metres_per_radian,
                    lambda value: self._set("metres_per_radian", value),
                    unit="m",
                    step=0.1,
                    least=1e-3,
                    marker="solve-scale",
                    name="metres per radian",
                )
        self._dialog.open()

    def _set(self, name: str, value: Any) -> None:
        if not self._desk.do("set_options", **{name: value}):
            self.open()
