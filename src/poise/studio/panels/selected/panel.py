"""Which sheet is shown, and a list in which everything can be found by its name."""

from __future__ import annotations

from typing import Any, Protocol

from nicegui import ui

from poise.scene.solving import context_of
from poise.studio.panels.desk import Desk
from poise.studio.panels.editor import TaskEditor
from poise.studio.panels.names import joints_by_limb, places
from poise.studio.panels.selected.force import ForceSheet
from poise.studio.panels.selected.joint import JointSheet
from poise.studio.panels.selected.prop import PropSheet
from poise.studio.panels.selected.site import SiteSheet
from poise.studio.panels.widgets import choice


class Sheet(Protocol):
    """What shows one thing, and follows it."""

    def refresh(self) -> None:
        """Show the values of now."""
        ...


class SelectedPanel:
    """The sheet of what is selected in this tab."""

    def __init__(self, desk: Desk) -> None:
        """Build it, and follow the selection."""
        self._desk = desk
        self._shown: tuple[Any, ...] | None = None
        self._sheet: Sheet | None = None
        with ui.row().classes("section").style("padding:8px 14px"):
            self._finder = ui.row().classes("full-width")
        self._body = ui.column().classes("full-width").style("gap:0")
        desk.on(("selection", "tasks", "figure", "history"), self._build)
        desk.on(("posture",), self._refresh, "Selected")

    def _build(self) -> None:
        selection = self._desk.selection
        found = self._things()
        key = f"{selection.kind}:{selection.name}" if selection.kind else None
        shown = (key, tuple(found))
        if shown == self._shown:
            self._refresh()
            return
        self._shown = shown
        self._finder.clear()
        with self._finder:
            options = {key: key.partition(":")[2] if key else "", **found} if key else found
            choice(
                options,
                key,
                self._choose,
                marker="find",
                searchable=True,
                width="100%",
                name="find a joint, site, task, force or prop",
            ).props('clearable placeholder="find a joint, site, task, force or prop"')
        self._body.clear()
        with self._body:
            self._sheet = self._made(selection.kind, selection.name)

    def _made(self, kind: str | None, name: str | None) -> Sheet | None:
        desk, scene = self._desk, self._desk.session.scene
        whole = context_of(scene).figure
        if name is not None:
            if kind == "joint" and (name in whole.joints or name in whole.groups):
                return JointSheet(desk, name)
            if kind == "segment" and name in whole.segments:
                return SiteSheet(desk, name)
            if kind == "site" and name in places(desk.session):
                return SiteSheet(desk, name)
            if kind == "task" and name in scene.handles:
                return TaskEditor(desk, name)
            if kind == "prop" and name in scene.props:
                return PropSheet(desk, name)
            if kind == "force" and name in (*scene.forces.applied, *scene.forces.supports):
                return ForceSheet(desk, name)
        ui.label(
            "Click a part of the body, a site, a goal, an arrow or a prop, or find it by its name."
        ).classes("empty")
        return None

    def _refresh(self) -> None:
        if self._sheet is not None:
            self._sheet.refresh()

    def _things(self) -> dict[str, str]:
        scene = self._desk.session.scene
        found: dict[str, str] = {}
        for joints in joints_by_limb(self._desk.session).values():
            found |= {f"joint:{name}": f"{name} · joint" for name in joints}
        found |= {f"site:{name}": f"{name} · site" for name in context_of(scene).figure.sites}
        found |= {f"task:{name}": f"{name} · task" for name in scene.handles}
        found |= {f"force:{name}": f"{name} · support" for name in scene.forces.supports}
        found |= {f"force:{name}": f"{name} · force" for name in scene.forces.applied}
        found |= {f"prop:{name}": f"{name} · prop" for name in scene.props}
        return found

    def _choose(self, key: str | None) -> None:
        kind, _, name = (key or "").partition(":")
        self._desk.do("select", kind=kind or None, name=name or None)
