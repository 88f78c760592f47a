"""The lamp: green where all tasks are met, orange where the first priority is, red otherwise."""

from __future__ import annotations

from nicegui import ui

from poise.studio.markup import with_class
from poise.studio.panels.desk import Desk


def lamp(desk: Desk) -> None:
    """Build the lamp with its sentence."""
    with ui.element("div").classes("lamp").props("role=status").mark("lamp") as box:
        ui.element("div").classes("bulb")
        sentence = ui.label().classes("sentence").mark("lamp-sentence")
        tip = ui.tooltip().props("delay=500")

    def refresh() -> None:
        state = desk.session.lamp
        with_class(box, "green orange red", state.color)
        sentence.set_text(state.sentence)
        tip.set_text(state.sentence)

    desk.on(("posture", "tasks", "figure", "history"), refresh)
