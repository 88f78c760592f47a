"""The list of tasks: sorted and indented by priority, reordered by dragging or by keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from nicegui import ui
from nicegui.events import SortableEventArguments

from poise.scene.handle import Handle
from poise.studio.markup import focus, scroll_to, with_class, with_props
from poise.studio.panels.adding import AddDialog
from poise.studio.panels.desk import Desk
from poise.studio.panels.editor import TaskEditor, kind_of
from poise.studio.panels.names import listed_joints
from poise.studio.panels.widgets import text_button, tipped, words_of
from poise.studio.reports import TaskReport
from poise.tasks.task import Error

_INDENT = 14
"""Pixels by which each priority stands to the right of the one before; the first five only."""


class TasksPanel:
    """All tasks of the scene."""

    def __init__(self, desk: Desk, adding: AddDialog) -> None:
        """Build the list, and keep it as the scene is."""
        self._desk = desk
        self._shown: tuple[Any, ...] = ()
        self._rows: dict[str, _Row] = {}
        self._editor: TaskEditor | None = None
        with ui.row().classes("heading").style("padding:8px 10px 2px 14px"):
            self._summary = ui.label().classes("faint grow ellipsis")
            text_button("Add task", lambda: adding.open("task"), "add", "add-task")
        self._list = ui.column().classes("task-list").mark("task-list")
        self._list.make_sortable({"draggable": ".task"}, handle=".grip", on_end=self._dropped)
        desk.on(("tasks", "figure", "history", "selection"), self._build)
        desk.on(("posture", "tasks"), self._refresh, "Tasks")

    # building ----------------------------------------------------------------------------

    def _build(self) -> None:
        """Make the rows anew where something other than numbers has changed."""
        handles = self._tasks()
        chosen = self._chosen()
        shown = (
            chosen,
            *((each.name, each.priority, each.enabled, kind_of(each.wanted)) for each in handles),
        )
        if shown == self._shown:
            for handle in handles:
                self._rows[handle.name].describe(handle)
            if self._editor is not None:
                self._editor.refresh()
            return
        self._shown = shown
        self._rows.clear()
        self._editor = None
        self._list.clear()
        ranks = sorted({handle.priority or 1 for handle in handles})
        with self._list:
            if not handles:
                ui.label(
                    "Nothing is wanted of the figure yet. Drag it, pin it with P, or add a task."
                ).classes("empty")
            for level, rank in enumerate(ranks):
                self._heading(f"priority {rank}", rank)
                for handle in handles:
                    if handle.priority == rank:
                        self._row(handle, level, handle.name == chosen)
            if handles:
                self._heading("drop here for a priority of its own", ranks[-1] + 1, is_new=True)
        self._refresh()

    def _heading(self, text: str, rank: int, *, is_new: bool = False) -> None:
        with ui.element("div").classes("priority new" if is_new else "priority") as heading:
            ui.label(text).classes("rank")
            ui.element("div").classes("rule")
        heading.rank = rank  # type: ignore[attr-defined]

    def _row(self, handle: Handle, level: int, is_chosen: bool) -> None:
        row = _Row(self, self._desk, handle, level)
        self._rows[handle.name] = row
        if is_chosen:
            row.box.classes("chosen")
            with row.box:
                self._editor = TaskEditor(self._desk, handle.name)
            scroll_to(row.box, 50, smoothly=True)

    def _refresh(self) -> None:
        """Show the errors of now."""
        reports = {report.name: report for report in self._desk.session.reports}
        states = [report.state for report in reports.values() if report.name in self._rows]
        met, on = states.count("met"), len([each for each in states if each != "off"])
        self._summary.set_text(f"{met} of {on} met" if on else "")
        solution = self._desk.session.solution
        errors = {each.name: each.errors for each in solution.tasks} if solution else {}
        for name, row in self._rows.items():
            if name in reports:
                row.show(reports[name], errors.get(name, ()))

    def _tasks(self) -> list[Handle]:
        handles = self._desk.session.scene.handles.values()
        return [handle for handle in handles if handle.priority is not None]

    def _chosen(self) -> str | None:
        selection = self._desk.selection
        return selection.name if selection.kind == "task" else None

    # changing ----------------------------------------------------------------------------

    def choose(self, name: str) -> None:
        """Open a task's editor, or close it."""
        if self._chosen() == name:
            self._desk.do("select", kind=None, name=None)
        else:
            self._desk.do("select", kind="task", name=name)

    def _dropped(self, event: SortableEventArguments) -> None:
        name = next((n for n, row in self._rows.items() if row.box.id == event.item.id), None)
        if name is None:
            return
        order = self._list.default_slot.children
        index = order.index(event.item)
        headings = [each for each in order[:index] if hasattr(each, "rank")]
        rank = headings[-1].rank if headings else 1  # type: ignore[attr-defined]
        after = [each for each in order[index + 1 :] if not hasattr(each, "rank")]
        before = next((n for n, row in self._rows.items() if after and row.box is after[0]), None)
        self._shown = ()
        if not self._desk.do("order_task", name=name, before=before, priority=rank):
            self._build()

    def step(self, name: str, by: int) -> None:
        """Move a task one place up (−1) or down (+1), to the next priority where that is next."""
        handles = sorted(self._tasks(), key=lambda each: each.priority or 1)
        names = [each.name for each in handles]
        at = names.index(name)
        rank = handles[at].priority or 1
        near = handles[at + by] if 0 <= at + by < len(handles) else None
        if near is None or near.priority != rank:
            rank = max(1, rank + by)
            mates = [each.name for each in handles if each.priority == rank]
            before = next((each for each in mates), None) if by > 0 else self._first_after(rank)
        else:
            before = near.name if by < 0 else names[at + 2] if at + 2 < len(names) else None
        if self._desk.do("order_task", name=name, before=before, priority=rank):
            self._build()
            self._rows[name].focus_grip()

    def _first_after(self, rank: int) -> str | None:
        later = [each for each in self._tasks() if (each.priority or 1) > rank]
        return min(later, key=lambda each: each.priority or 1).name if later else None


class _Row:
    """One task: its state, its name, its error, and a switch."""

    def __init__(self, panel: TasksPanel, desk: Desk, handle: Handle, level: int) -> None:
        name = handle.name
        with ui.element("div").classes("task" if handle.enabled else "task disabled") as self.box:
            self.box.mark(f"task-{name}")
            row = ui.element("div").classes("task-row").props("tabindex=0 role=button")
            row.style(f"padding-left:{4 + _INDENT * min(level, 4):d}px")
            with_props(row, aria_label=name).mark(f"row-{name}")
            row.on("click", lambda: panel.choose(name)).on(
                "keydown.enter.self", lambda: panel.choose(name)
            )
            with row:
                self._grip = grip = ui.icon("drag_indicator", size="18px").classes("grip")
                grip.props("tabindex=0 role=button")
                with_props(grip, aria_label=f"move {name}: arrow up, arrow down")
                tipped(grip.mark(f"grip-{name}"), "drag, or press ↑ ↓, to change its priority")
                grip.on("click.stop", js_handler="() => {}")
                grip.on("keydown.up.prevent", lambda: panel.step(name, -1))
                grip.on("keydown.down.prevent", lambda: panel.step(name, 1))
                self._lamp = ui.element("div").classes("state")
                with ui.element("div").classes("grow"):
                    ui.label(name).classes("name ellipsis")
                    self._about = ui.label(_about(handle)).classes("kind ellipsis")
                self._error = ui.label().classes("error number").mark(f"error-{name}")
                switch = ui.switch(
                    value=handle.enabled,
                    on_change=lambda event: desk.do(
                        "edit_task", name=name, enabled=bool(event.value)
                    ),
                ).props('dense size=xs title="on or off"')
                with_props(switch, aria_label=f"use {name}").mark(f"use-{name}")
                switch.on("click.stop", js_handler="() => {}")

    def focus_grip(self) -> None:
        """Let the next key be the grip's, when the page has made it."""
        focus(self._grip, 50)

    def describe(self, handle: Handle) -> None:
        """Say what the task is about now."""
        self._about.set_text(_about(handle))

    def show(self, report: TaskReport, errors: Sequence[Error]) -> None:
        """Show how the task stands."""
        with_class(self._lamp, "met partly failed off", report.state)
        with_class(self._error, "met partly failed off", report.state)
        self._error.set_text("off" if report.state == "off" else ", ".join(map(_size, errors)))


def _size(error: Error) -> str:
    """An error as it can be read while it changes: no more digits than count."""
    if error.unit not in ("m", "rad"):
        return f"{error.value:.1f} {error.unit}"
    value = 1e3 * error.value if error.unit == "m" else math.degrees(error.value)
    unit = " mm" if error.unit == "m" else "°"
    return f"{value:.0f}{unit}" if value >= 99.95 else f"{value:.1f}{unit}"


def _about(handle: Handle) -> str:
    """The kind of a task, and what it is about."""
    wanted: Any = handle.wanted
    told = [words_of(kind_of(wanted))]
    axes = getattr(wanted, "axes", None)
    if isinstance(axes, str) and axes != "xyz":
        told[0] += f" {axes}"
    told += [each for each in wanted.sites()[:2] if each != handle.name]
    if handle.weight != 1:
        told.append(f"weight {handle.weight:.3g}")
    if handle.joints is not None:
        told.append(listed_joints(handle.joints))
    return " · ".join(told)
