"""The editor of one task: priority, weight, type, fields, joints, and what is in its way."""

from __future__ import annotations

from typing import Any

from nicegui import run, ui

from poise.errors import PoiseError
from poise.scene import Handle
from poise.studio.markup import scroll_to
from poise.studio.panels.desk import Desk
from poise.studio.panels.forms import Form
from poise.studio.panels.joints import JointsDialog
from poise.studio.panels.names import listed_joints
from poise.studio.panels.widgets import (
    FIELD,
    NumberField,
    WeightField,
    choice,
    icon_button,
    line,
    text_button,
    tipped,
    words_of,
)
from poise.studio.saying import said
from poise.tasks.task import words

_MOST = 4
"""Of what is in a task's way, until all is asked for."""


def kind_of(wanted: Any) -> str:
    """The type of a task or criterion, as scene files have it."""
    return words(type(wanted).__name__)


def _chosen(handle: Handle) -> str:
    return "all joints" if handle.joints is None else listed_joints(handle.joints)


class TaskEditor:
    """All that can be said of one task or criterion of the scene."""

    def __init__(self, desk: Desk, name: str) -> None:
        """Build it where the page is being built."""
        self._desk, self._name = desk, name
        self._found: list[str] = []
        with ui.column().classes("task-editor").mark(f"editor-{name}"):
            self._head()
            self._fields()
            self._foot()

    def refresh(self) -> None:
        """Show the values of now."""
        handle = self._desk.session.scene.handles.get(self._name)
        if handle is None:
            return
        self._weight.show(handle.weight)
        if self._priority is not None:
            self._priority.show(handle.priority)
            self._joints.set_text(_chosen(handle))
        self._form.show(self._desk.session.parameters(self._name))

    # parts -------------------------------------------------------------------------------

    def _head(self) -> None:
        desk, name = self._desk, self._name
        handle = desk.session.scene.handles[name]
        kind = kind_of(handle.wanted)
        types = desk.session.task_types
        alike = {
            each: words_of(each)
            for each, described in types.items()
            if kind in types and described.kind == types[kind].kind
        }
        with line("name"):
            field = ui.input(value=name).props(FIELD).props("aria-label=name").classes("field")
            field.style("width:168px").mark("task-name")
            field.on("change", lambda: self._rename(str(field.value or "")))
        with line("type", "what is wanted"):
            choice(
                alike or {kind: words_of(kind)},
                kind,
                self._retype,
                marker="task-type",
                searchable=True,
                width="168px",
                name="type",
            )
        self._priority = None
        if handle.priority is not None:
            with line("priority", "1 is the most important"):
                self._priority = NumberField(
                    handle.priority,
                    lambda value: desk.do("edit_task", name=name, priority=round(value)),
                    digits=0,
                    step=1,
                    least=1,
                    marker="task-priority",
                    width="74px",
                    name="priority",
                )
        with ui.column().classes("full-width").style("gap:0"):
            label = ui.label("weight").classes("what small quiet")
            tipped(label, "against others of the same priority")
            self._weight = WeightField(
                handle.weight,
                lambda value: desk.do("edit_task", name=name, weight=value),
                "task-weight",
            )

    def _fields(self) -> None:
        desk, name = self._desk, self._name
        kind = kind_of(desk.session.scene.handles[name].wanted)
        self._form = Form(desk, kind, desk.session.parameters(name), self._changed)

    def _foot(self) -> None:
        desk, name = self._desk, self._name
        handle = desk.session.scene.handles[name]
        with ui.row().classes("line"):
            if handle.priority is not None:
                self._joints = text_button(
                    _chosen(handle), self._choose_joints, "account_tree", "task-joints"
                )
                tipped(self._joints, "which joints it may move")
                text_button("What is in its way?", self._ask, "help_outline", "task-why")
            ui.space()
            icon_button("delete_outline", f"remove {name}", self._remove, "task-remove")
        with ui.column().classes("blocker").style("gap:2px") as self._answer:
            self._said = ui.label().style("white-space:pre-line").mark("task-blockers")
            self._more = text_button("", self._say_all, "expand_more", "task-blockers-more")
        self._answer.set_visibility(False)

    # changing ----------------------------------------------------------------------------

    def _changed(self) -> None:
        changes = self._form.changes()
        if changes and not self._desk.do("edit_task", name=self._name, parameters=changes):
            self.refresh()

    def _rename(self, new: str) -> None:
        if new and new != self._name:
            self._desk.do("edit_task", name=self._name, new_name=new)

    def _retype(self, kind: str) -> None:
        handle = self._desk.session.scene.handles[self._name]
        if kind == kind_of(handle.wanted):
            return
        self._desk.do("edit_task", name=self._name, type=kind)

    def _choose_joints(self) -> None:
        JointsDialog(self._desk, self._name).open()

    def _remove(self) -> None:
        self._desk.do("remove_task", name=self._name)

    async def _ask(self) -> None:
        self._answer.set_visibility(True)
        self._more.set_visibility(False)
        self._said.set_text("looking …")
        try:
            found = await run.io_bound(self._desk.session.blocked_by, self._name)
        except PoiseError as error:
            found = [said(error)]
        self._found = found or ["Nothing: it is met."]
        # One more takes no more room than the button that would show it.
        few = self._found if len(self._found) <= _MOST + 1 else self._found[:_MOST]
        self._said.set_text("\n".join(few))
        self._more.set_visibility(few is not self._found)
        self._more.set_text(f"{len(self._found) - len(few)} more")
        self._scroll()

    def _say_all(self) -> None:
        self._said.set_text("\n".join(self._found))
        self._more.set_visibility(False)
        self._scroll()

    def _scroll(self) -> None:
        scroll_to(self._answer, 80)  # the page must have grown before it can be scrolled
