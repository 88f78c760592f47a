"""The dialog in which a task or a criterion is added: every kind that the library has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from poise.studio.markup import scroll_to
from poise.studio.panels.desk import Desk
from poise.studio.panels.forms import Form
from poise.studio.panels.widgets import FIELD, NumberField, WeightField, line, words_of


class AddDialog:
    """Kinds at the left, the form of the chosen one at the right."""

    def __init__(self, desk: Desk) -> None:
        """Build it closed."""
        self._desk = desk
        self._base, self._kind = "task", "position"
        self._form: Form | None = None
        self._priority, self._weight = 1, 1.0
        with (
            ui.dialog() as self._dialog,
            ui.card().classes("card").style("width:720px;height:560px"),
        ):
            with ui.row().classes("card-title"):
                self._title = ui.label().classes("title")
                ui.space()
                self._search = ui.input(placeholder="search", on_change=self._list_kinds)
                self._search.props(FIELD).props("clearable aria-label=search").classes("field")
                self._search.mark("kinds-search")
                self._search.style("width:180px")
            with ui.row().classes("full-width no-wrap grow").style("gap:0;min-height:0"):
                self._kinds = ui.column().classes("kinds")
                self._body = ui.column().classes("card-body grow").style("height:100%")
            with ui.row().classes("card-foot"):
                ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
                ui.button("Add", on_click=self._add).props("unelevated no-caps").mark("add-confirm")

    def open(self, base: str, kind: str = "", values: Mapping[str, Any] | None = None) -> None:
        """Show the kinds of a base, "task" or "criterion", perhaps with one filled in."""
        self._base = base
        self._title.set_text(f"Add a {base}")
        self._search.set_value("")
        scene = self._desk.session.scene
        ranks = [handle.priority or 0 for handle in scene.handles.values()]
        self._priority, self._weight = max([0, *ranks]) + 1, 1.0
        first = next(
            name for name, each in self._desk.session.task_types.items() if each.kind == base
        )
        self._choose(kind or ("position" if base == "task" else first), values)
        self._desk.dialog = self._dialog
        self._dialog.open()

    def _list_kinds(self) -> None:
        wanted = str(self._search.value or "").lower()
        self._kinds.clear()
        with self._kinds:
            for name, each in self._desk.session.task_types.items():
                if (
                    each.kind != self._base
                    or wanted not in f"{words_of(name)} {each.about}".lower()
                ):
                    continue
                item = ui.item(on_click=lambda _, name=name: self._choose(name)).mark(
                    f"kind-{name}"
                )
                if name == self._kind:
                    item.classes("chosen")
                    scroll_to(item, 150)
                with item, ui.item_section():
                    ui.item_label(words_of(name))

    def _choose(self, kind: str, values: Mapping[str, Any] | None = None) -> None:
        self._kind = kind
        self._list_kinds()
        self._body.clear()
        with self._body:
            ui.label(words_of(kind)).classes("text-subtitle1")
            ui.label(self._desk.session.task_types[kind].about).classes("quiet")
            with line("name", "for reports; it may be left open"):
                self._name = ui.input().props(FIELD).props("aria-label=name").classes("field")
                self._name.style("width:168px").mark("new-name")
            if self._base == "task":
                with line("priority", "1 is the most important"):
                    NumberField(
                        self._priority,
                        self._rank,
                        digits=0,
                        step=1,
                        least=1,
                        width="74px",
                        marker="new-priority",
                        name="priority",
                    )
            with (
                line("weight", "against others of the same priority"),
                ui.row().style("width:220px"),
            ):
                WeightField(self._weight, self._weigh, "new-weight")
            self._form = Form(self._desk, kind, values, points=self._base == "task")

    def _rank(self, value: float) -> None:
        self._priority = round(value)

    def _weigh(self, value: float) -> None:
        self._weight = value

    def _add(self) -> None:
        fields: dict[str, Any] = {"type": self._kind, "weight": self._weight}
        if self._form is not None:
            fields |= {"parameters": self._form.values(), **self._form.point()}
        if self._name.value:
            fields["name"] = str(self._name.value)
        if self._base == "task":
            fields["priority"] = self._priority
        if self._desk.do(f"add_{self._base}", **fields):
            self._desk.dialog = None
            self._dialog.close()
