"""The dialog of ready figures: who they are, and what can be said of their size."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Mapping
from typing import Any

from nicegui import ui

from poise.errors import PoiseError
from poise.models.catalogue import catalogue
from poise.models.human import USUAL_STATURE
from poise.scene.origins import ready_figures
from poise.studio.markup import with_props
from poise.studio.menus.thumbnails import thumbnail
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import NumberField, choice, icon_button, line, words_of
from poise.studio.saying import said

_CHOICES = {"root": ("free", "fixed"), "side": ("left", "right"), "joint": ("hinge", "ball")}
"""Of arguments that are words, where the function's annotation does not tell."""
_UNITS = {"stature": "m", "length": "m", "height": "m", "mass": "kg", "limit": "rad"}
_RANGES = {"stature": (1.2, 2.2, 0.01), "mass": (25.0, 250.0, 0.5)}
"""What has a slider: least, most, step; they are the human's."""
_NEEDED = {"n": 20}


class ReadyDialog:
    """Names at the left, size and sort at the right."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        self._name = "human"
        self._arguments: dict[str, Any] = {}
        self._numbers: dict[str, tuple[NumberField, ui.slider | None]] = {}
        self._about = {
            each.name: each.description for each in catalogue() if each.name in ready_figures()
        }
        with (
            ui.dialog() as self._dialog,
            ui.card().classes("card").style("width:700px;height:540px"),
        ):
            with ui.row().classes("card-title"):
                ui.label("Ready figures").classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            with ui.row().classes("full-width no-wrap grow").style("gap:0;min-height:0"):
                self._names = ui.column().classes("kinds")
                self._body = ui.column().classes("card-body grow").style("height:100%")
            with ui.row().classes("card-foot"):
                ui.label("Tasks whose sites the new figure has are kept.").classes("quiet grow")
                ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
                ui.button("Use it", on_click=self._use).props("unelevated no-caps").mark(
                    "ready-use"
                )

    def open(self) -> None:
        """Show all figures."""
        self._choose(self._name, self._arguments)
        self._dialog.open()

    def open_present(self) -> None:
        """Show the present figure, where it is a ready one."""
        figure = next(iter(self._desk.session.scene.given.values()))
        if figure.recipe is not None and figure.recipe.function in self._about:
            self._name, self._arguments = figure.recipe.function, dict(figure.recipe.arguments)
        self.open()

    def _choose(self, name: str, arguments: Mapping[str, Any] | None = None) -> None:
        self._name, self._arguments = name, dict(arguments or {})
        self._names.clear()
        with self._names:
            for each in self._about:
                item = ui.item(on_click=lambda _, each=each: self._choose(each)).mark(
                    f"ready-{each}"
                )
                item.classes("chosen" if each == name else "")
                with item, ui.item_section():
                    ui.item_label(words_of(each))
        self._body.clear()
        self._numbers = {}
        function = ready_figures()[name]
        with self._body:
            with ui.row().classes("full-width no-wrap items-start").style("gap:16px"):
                with ui.column().classes("grow").style("gap:4px"):
                    ui.label(words_of(name)).classes("text-subtitle1")
                    ui.label(self._about[name]).classes("quiet")
                self._picture = ui.element("div").classes("pose")
            hints = typing.get_type_hints(function)
            for argument, parameter in inspect.signature(function).parameters.items():
                self._argument(argument, parameter, hints.get(argument))
            self._draw()

    def _argument(self, name: str, parameter: inspect.Parameter, hint: Any) -> None:
        default = _NEEDED.get(name) if parameter.default is parameter.empty else parameter.default
        value = self._arguments.get(name, default)
        words = (
            typing.get_args(hint)
            if typing.get_origin(hint) is typing.Literal
            else _CHOICES.get(name)
        )
        with line(words_of(name)):
            if words:
                choice(
                    {each: each for each in words},
                    value,
                    lambda new: self._set(name, new),
                    marker=f"ready-{name}",
                    name=name,
                )
            elif isinstance(default, bool):
                switch = ui.switch(
                    value=bool(value), on_change=lambda event: self._set(name, bool(event.value))
                )
                with_props(switch.props("dense"), aria_label=name).mark(f"ready-{name}")
            else:
                self._number(name, value, hint)

    def _number(self, name: str, value: float | None, hint: Any) -> None:
        whole = hint is int
        slider = None
        if name in _RANGES:
            low, high, step = _RANGES[name]
            slider = ui.slider(min=low, max=high, step=step, value=value or low)
            with_props(slider.props("dense"), aria_label=name).style("width:190px")
            slider.mark(f"ready-{name}-slider").on("change", lambda: self._set(name, slider.value))
        field = NumberField(
            value,
            lambda new: self._set(name, round(new) if whole else new),
            unit=_UNITS.get(name, ""),
            digits=3,
            width="110px",
            marker=f"ready-{name}",
            name=name,
        )
        self._numbers[name] = (field, slider)

    def _set(self, name: str, value: Any) -> None:
        self._arguments[name] = value
        self._draw()

    def _draw(self) -> None:
        """Draw the figure as it would be; what is wrong with its size is said instead."""
        self._picture.clear()
        with self._picture:
            try:
                figure = ready_figures()[self._name](**{**self._start(), **self._arguments})
            except PoiseError as error:
                ui.label(said(error)).classes("failed small").style("max-width:200px")
                return
            ui.html(thumbnail(figure.rest()), sanitize=True)
            ui.label(f"{figure.n} coordinates").classes("faint")
        # What was left open is shown as it comes out.
        sex = self._arguments.get("sex", "male")
        found = {"mass": figure.mass, "stature": USUAL_STATURE[sex], **self._arguments}
        for name, (field, slider) in self._numbers.items():
            if name in _RANGES:
                field.show(found[name])
            if slider is not None:
                slider.set_value(found[name])

    def _start(self) -> dict[str, Any]:
        known = inspect.signature(ready_figures()[self._name]).parameters
        return {name: value for name, value in _NEEDED.items() if name in known}

    def _use(self) -> None:
        given = {**self._start(), **self._arguments}
        if self._desk.do("choose_figure", recipe=self._name, parameters=given):
            self._dialog.close()
