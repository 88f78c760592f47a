"""The bar over the view: what a drag moves, what a gizmo does, and switches of every day."""

from __future__ import annotations

from nicegui import ui

from poise.studio.markup import with_class, with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import tipped

_MODES = {
    "body": ("accessibility_new", "drags move the whole body (1)"),
    "limb": ("front_hand", "drags move a limb (2)"),
    "joint": ("rotate_right", "drags move a single joint (3)"),
}
_GIZMOS = {
    "move": ("open_with", "gizmos move (W)"),
    "rotate": ("360", "gizmos turn (E)"),
}


class Toolbar:
    """Buttons of which one is pressed, and switches."""

    def __init__(self, desk: Desk) -> None:
        """Build it over the view."""
        self._desk = desk
        self._buttons: dict[tuple[str, str], ui.button] = {}
        with ui.element("div").classes("studio-toolbar over-view").props("role=toolbar"):
            self._group("mode", _MODES)
            ui.separator().props("vertical")
            self._group("gizmo", _GIZMOS)
            ui.separator().props("vertical")
            self._balance = self._switch(
                "balance", "keep balance (B)", "keep-balance", self.keep_balance
            )
            self._symmetry = self._switch("flip", "live symmetry", "symmetry", self._mirror)
        desk.on(("settings", "tasks", "history", "figure"), self._refresh)

    def keep_balance(self) -> None:
        """Keep the figure in balance from now on, or no longer."""
        self._desk.do("keep_balance", on=not self._desk.session.keeps_balance)

    def _mirror(self) -> None:
        self._desk.do("symmetry", on=not self._desk.session.document.symmetric)

    def _group(self, setting: str, options: dict[str, tuple[str, str]]) -> None:
        for value, (icon, tip) in options.items():
            button = ui.button(
                icon=icon,
                on_click=lambda _, value=value: self._desk.do("settings", **{setting: value}),
            )
            with_props(button.props("flat dense"), aria_label=tip).mark(f"{setting}-{value}")
            tipped(button, tip)
            self._buttons[setting, value] = button

    def _switch(self, icon: str, tip: str, marker: str, press: object) -> ui.button:
        button = ui.button(icon=icon, on_click=press)  # type: ignore[arg-type]
        with_props(button.props("flat dense"), aria_label=tip).mark(marker)
        tipped(button, tip)
        return button

    def _refresh(self) -> None:
        settings = self._desk.settings
        for (setting, value), button in self._buttons.items():
            _press(button, getattr(settings, setting) == value)
        _press(self._balance, self._desk.session.keeps_balance)
        _press(self._symmetry, self._desk.session.document.symmetric)


def _press(button: ui.button, on: bool) -> None:
    with_props(button, color="primary" if on else "grey-6", aria_pressed="true" if on else "false")
    with_class(button, "pressed", "pressed" if on else "")
