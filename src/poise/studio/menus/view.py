"""The view menu: what is shown, and how."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from poise.studio.component import Side
from poise.studio.menus.items import check, entry, submenu
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import choice
from poise.studio.theme import IS_DARK

_SIDES: dict[Side, str] = {"front": "4", "back": "5", "left": "6", "right": "7", "top": "8"}
"""By side, the key that the view hears."""
_SHOWN = {
    "balance": "Centre of mass and support",
    "goals": "Goals",
    "pins": "Pins",
    "limits": "Limits of the selected joint",
    "forces": "Forces",
    "cones": "Friction cones",
    "torques": "Torques",
    "trace": "Trace of the dragged point",
    "sites": "Sites",
    "labels": "Labels",
    "grid": "Floor grid",
    "insets": "Side and top views",
}


class ViewMenu:
    """Switches of this tab; they are not undone."""

    def __init__(self, desk: Desk, dark: ui.dark_mode) -> None:
        """Remember where to say it."""
        self._desk, self._dark = desk, dark
        self._switches: dict[str, ui.switch] = {}
        self._choices: dict[str, ui.select] = {}

    def fill(self) -> None:
        """Make the entries."""
        settings = self._desk.settings
        entry("Show the whole figure", "center_focus_strong", self._frame, "F", marker="view-frame")
        with submenu("Look from", "videocam", "view-sides"):
            for side, key in _SIDES.items():
                entry(f"the {side}", "", self._face(side), key, marker=f"view-{side}")
        ui.separator()
        # Two beside each other: a menu of all in one column is higher than a small screen.
        with ui.element("div").classes("columns"):
            for name, text in _SHOWN.items():
                self._switches[name] = check(
                    text,
                    bool(getattr(settings, name)),
                    lambda on, name=name: self._set(name, on),
                    f"show-{name}",
                )
        ui.separator()
        self._choice("style", "Body", {"solid": "solid", "stick": "stick figure"})
        quality = {"auto": "automatic", "high": "high", "low": "low", "off": "nothing drawn"}
        self._choice("quality", "Quality", quality)
        self._choice("theme", "Theme", {"dark": "dark", "light": "light", "auto": "as the system"})
        self._desk.on(("settings",), self._refresh)

    def _choice(self, name: str, text: str, options: dict[str, str]) -> None:
        value = getattr(self._desk.settings, name)
        with ui.item().classes("no-wrap full-width"):
            with ui.item_section():
                ui.label(text)
            with ui.item_section().props("side"):
                self._choices[name] = choice(
                    options,
                    value,
                    lambda new: self._set(name, new),
                    marker=f"view-{name}",
                    width="124px",
                    name=text,
                )

    def _set(self, name: str, value: object) -> None:
        if getattr(self._desk.settings, name) != value:
            self._desk.do("settings", **{name: value})

    def _refresh(self) -> None:
        settings = self._desk.settings
        for name, switch in self._switches.items():
            switch.set_value(bool(getattr(settings, name)))
        for name, field in self._choices.items():
            field.set_value(getattr(settings, name))
        self._dark.set_value(IS_DARK[settings.theme])

    def _face(self, side: Side) -> Callable[[], None]:
        def face() -> None:
            if self._desk.view is not None:
                self._desk.view.face(side)

        return face

    def _frame(self) -> None:
        if self._desk.view is not None:
            self._desk.view.frame()
