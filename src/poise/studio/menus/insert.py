"""The insert menu: tasks, criteria and props."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from poise.studio.menus.items import entry
from poise.studio.panels.adding import AddDialog
from poise.studio.panels.desk import Desk
from poise.studio.panels.prop_fields import PropFields
from poise.studio.panels.widgets import VectorField, icon_button

_KINDS = {
    "box": ("check_box_outline_blank", "Box", {"x": 0.3, "y": 0.2, "z": 0.2}),
    "sphere": ("circle", "Sphere", {"radius": 0.1}),
    "cylinder": ("database", "Cylinder", {"radius": 0.05, "height": 0.3}),
}
"""By kind: an icon, a word, and the sizes (m) to begin with."""


class InsertMenu:
    """What a scene is made of, besides its figures."""

    def __init__(self, desk: Desk, adding: AddDialog) -> None:
        """Build the dialog of props, where the page is being built."""
        self._desk, self._adding = desk, adding
        self._kind = "box"
        self._sizes: dict[str, float] = {}
        self._mass, self._position = 1.0, [0.5, 0.0, 1.0]
        with ui.dialog() as self._dialog, ui.card().classes("card").style("width:400px"):
            with ui.row().classes("card-title"):
                self._title = ui.label().classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            self._body = ui.column().classes("card-body")
            with ui.row().classes("card-foot"):
                ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
                ui.button("Add", on_click=self._add).props("unelevated no-caps").mark("prop-add")

    def fill(self) -> None:
        """Make the entries."""
        entry("Task …", "flag", lambda: self._adding.open("task"), "A", marker="insert-task")
        entry(
            "Criterion …", "tune", lambda: self._adding.open("criterion"), marker="insert-criterion"
        )
        ui.separator()
        for kind, (icon, word, _) in _KINDS.items():
            entry(f"{word} …", icon, lambda kind=kind: self._open(kind), marker=f"insert-{kind}")

    def _open(self, kind: str) -> None:
        _, word, sizes = _KINDS[kind]
        self._kind, self._sizes = kind, dict(sizes)
        self._title.set_text(f"A new {word.lower()}")
        self._body.clear()
        with self._body:
            self._fields = PropFields(
                "",
                sizes,
                self._mass,
                resize=lambda name, value: self._sizes.update({name: value}),
                weigh=self._weigh,
                tip="it may be left open",
            )
            ui.label("centre, in the world").classes("faint")
            VectorField(self._position, self._place, step=0.05, marker="new-prop")
        self._dialog.open()

    def _weigh(self, value: float) -> None:
        self._mass = value

    def _place(self, value: list[float]) -> None:
        self._position = value

    def _add(self) -> None:
        fields: dict[str, Any] = {"kind": self._kind, "size": list(self._sizes.values())}
        if self._fields.name.value:
            fields["name"] = str(self._fields.name.value)
        if self._desk.do("add_prop", mass=self._mass, position=self._position, **fields):
            self._dialog.close()
            newest = list(self._desk.session.scene.props)[-1]
            self._desk.do("select", kind="prop", name=newest)
