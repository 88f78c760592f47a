"""The header: menus, undo and redo, the lamp, and help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.lamp import lamp
from poise.studio.panels.widgets import icon_button


def header(
    desk: Desk,
    menus: dict[str, Callable[[], Any]],
    help_: Callable[[], Any],
    panels: Callable[[], Any],
) -> None:
    """Build the header.

    Args:
        desk: of the tab.
        menus: by their titles, what fills them.
        help_: what "?" does.
        panels: what shows and hides the panels.
    """
    with ui.header(elevated=False).classes("studio-header no-wrap items-center"):
        ui.html("poise<span>.</span>", sanitize=False).classes("studio-brand")
        for title, fill in menus.items():
            with (
                ui.button(title, color=None)
                .props("flat dense no-caps")
                .classes("studio-menu")
                .mark(f"menu-{title}"),
                ui.menu().props("transition-duration=80"),
            ):
                fill()
        ui.separator().props("vertical")
        _history(desk)
        ui.space()
        lamp(desk)
        ui.space()
        icon_button("help_outline", "keys and gestures (?)", help_, "help")
        icon_button("view_sidebar", "show or hide the panels (T)", panels, "toggle-panels")


def _history(desk: Desk) -> None:
    undo = ui.button(icon="undo", color=None, on_click=lambda: desk.do("undo")).props(
        "flat dense round"
    )
    undo.mark("undo")
    with undo:
        undo_tip = ui.tooltip().props("delay=500")
    redo = ui.button(icon="redo", color=None, on_click=lambda: desk.do("redo")).props(
        "flat dense round"
    )
    redo.mark("redo")
    with redo:
        redo_tip = ui.tooltip().props("delay=500")

    def refresh() -> None:
        history = desk.session.history
        undo.set_enabled(history.can_undo)
        redo.set_enabled(history.can_redo)
        back = f"undo: {history.undoes} (Ctrl+Z)" if history.can_undo else "nothing to undo"
        again = f"redo: {history.redoes} (Ctrl+Shift+Z)" if history.can_redo else "nothing to redo"
        undo_tip.set_text(back)
        redo_tip.set_text(again)
        with_props(undo, aria_label=back)
        with_props(redo, aria_label=again)

    desk.on(("history",), refresh)
