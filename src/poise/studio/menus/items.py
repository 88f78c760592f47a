"""Entries of menus."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from nicegui import ui

from poise.studio.markup import with_props


def entry(
    text: str, icon: str, press: Callable[..., Any], key: str = "", *, marker: str = ""
) -> ui.menu_item:
    """An entry with an icon, and the key that does the same."""
    with ui.menu_item(on_click=press).mark(marker) as item:
        with ui.item_section().props("avatar").style("min-width:28px"):
            ui.icon(icon, size="18px").classes("quiet")
        with ui.item_section():
            ui.label(text)
        if key:
            with ui.item_section().props("side"):
                ui.label(key).classes("key")
    return item


@contextmanager
def submenu(text: str, icon: str, marker: str) -> Generator[None]:
    """An entry that opens more of them beside it."""
    with ui.menu_item(auto_close=False).mark(marker):
        with ui.item_section().props("avatar").style("min-width:28px"):
            ui.icon(icon, size="18px").classes("quiet")
        with ui.item_section():
            ui.label(text)
        with ui.item_section().props("side"):
            ui.icon("chevron_right", size="18px")
        with ui.menu().props('anchor="top end" self="top start" auto-close'):
            yield


def check(text: str, value: bool, change: Callable[[bool], Any], marker: str) -> ui.switch:
    """An entry that is on or off; all of it can be clicked."""

    def turn() -> None:
        switch.value = not switch.value

    with ui.item(on_click=turn).classes("no-wrap full-width").mark(f"row-{marker}"):
        with ui.item_section():
            ui.label(text)
        with ui.item_section().props("side"):
            switch = ui.switch(value=value, on_change=lambda event: change(bool(event.value)))
            with_props(switch.props("dense size=sm"), aria_label=text).mark(marker)
            switch.on("click.stop", js_handler="() => {}")  # it turns by itself
    return switch
