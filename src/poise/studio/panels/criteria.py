"""The list of criteria: what is made small with the freedom that tasks leave."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from poise.studio.markup import with_props
from poise.studio.panels.adding import AddDialog
from poise.studio.panels.desk import Desk
from poise.studio.panels.editor import kind_of
from poise.studio.panels.forms import Form
from poise.studio.panels.widgets import WeightField, icon_button, text_button, words_of


class CriteriaPanel:
    """All criteria of the scene, each with its weight."""

    def __init__(self, desk: Desk, adding: AddDialog) -> None:
        """Build the list, and keep it as the scene is."""
        self._desk = desk
        self._shown: tuple[Any, ...] | None = None
        self._weights: dict[str, WeightField] = {}
        self._forms: dict[str, Form] = {}
        with ui.row().classes("heading").style("padding:8px 10px 2px 14px"):
            ui.label("after all tasks, with what freedom is left").classes("faint grow ellipsis")
            text_button("Add criterion", lambda: adding.open("criterion"), "add", "add-criterion")
        self._list = ui.column().classes("full-width").style("gap:0")
        desk.on(("tasks", "figure", "history"), self._build)

    def _build(self) -> None:
        session = self._desk.session
        handles = [each for each in session.scene.handles.values() if each.priority is None]
        shown = tuple((each.name, each.enabled, kind_of(each.wanted)) for each in handles)
        if shown != self._shown:
            self._shown = shown
            self._weights, self._forms = {}, {}
            self._list.clear()
            with self._list:
                for handle in handles:
                    self._criterion(handle.name)
                if not handles:
                    ui.label(
                        "No criteria. Add “rest” and the figure keeps near its rest posture as far "
                        "as tasks allow."
                    ).classes("empty")
        for handle in handles:
            self._weights[handle.name].show(handle.weight)
            self._forms[handle.name].show(session.parameters(handle.name))

    def _criterion(self, name: str) -> None:
        desk = self._desk
        handle = desk.session.scene.handles[name]
        kind = kind_of(handle.wanted)
        with ui.column().classes("section").mark(f"criterion-{name}"):
            with ui.row().classes("heading"):
                with ui.element("div").classes("grow"):
                    ui.label(words_of(name)).classes("ellipsis")
                    if name != kind:
                        ui.label(words_of(kind)).classes("faint")
                switch = ui.switch(
                    value=handle.enabled,
                    on_change=lambda event: desk.do(
                        "edit_task", name=name, enabled=bool(event.value)
                    ),
                )
                with_props(switch.props("dense size=xs"), aria_label=f"use {name}")
                switch.mark(f"use-{name}")
                icon_button(
                    "delete_outline",
                    f"remove {name}",
                    lambda: desk.do("remove_task", name=name),
                    f"remove-{name}",
                )
            ui.label(desk.session.task_types[kind].about).classes("faint")
            self._weights[name] = WeightField(
                handle.weight,
                lambda value: desk.do("edit_task", name=name, weight=value),
                f"weight-{name}",
            )
            self._forms[name] = Form(
                desk, kind, desk.session.parameters(name), lambda: self._changed(name)
            )

    def _changed(self, name: str) -> None:
        changes = self._forms[name].changes()
        if changes:
            self._desk.do("edit_task", name=name, parameters=changes)
