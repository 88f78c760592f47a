"""The dialog in which a picture of the view is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import choice, icon_button, line

_SCALES = {1: "as on the screen", 2: "twice as large", 4: "four times as large"}


class PictureDialog:
    """What is in the picture; what was chosen last is offered again."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        self._scale, self._ground, self._overlays = 2, True, True
        with ui.dialog() as self._dialog, ui.card().classes("card").style("width:400px"):
            with ui.row().classes("card-title"):
                ui.label("A picture of the view").classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            with ui.column().classes("card-body"):
                with line("size"):
                    choice(
                        _SCALES,
                        self._scale,
                        self._enlarge,
                        marker="picture-scale",
                        width="170px",
                        name="size",
                    )
                _switch("floor and sky", "without, it is transparent", self._lay, "picture-ground")
                _switch(
                    "goals, forces, labels",
                    "and pins, limits, balance",
                    self._annotate,
                    "picture-overlays",
                )
            with ui.row().classes("card-foot"):
                ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
                save = ui.button("Save", icon="image", on_click=self._save)
                save.props("unelevated no-caps").mark("picture-save")

    def open(self) -> None:
        """Show it."""
        self._dialog.open()

    def _enlarge(self, scale: int) -> None:
        self._scale = scale

    def _lay(self, on: bool) -> None:
        self._ground = on

    def _annotate(self, on: bool) -> None:
        self._overlays = on

    def _save(self) -> None:
        """Let the browser keep what the view shows; it makes the picture itself."""
        self._dialog.close()
        if self._desk.view is not None:
            self._desk.view.download(
                "poise.png", scale=self._scale, ground=self._ground, overlays=self._overlays
            )


def _switch(what: str, tip: str, change: Callable[[bool], Any], marker: str) -> None:
    """What is in the picture unless it is switched off."""
    with line(what, tip):
        ui.space()
        switch = ui.switch(value=True, on_change=lambda event: change(bool(event.value)))
        with_props(switch.props("dense size=sm"), aria_label=what).mark(marker)
