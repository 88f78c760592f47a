"""The page: header, view, panels, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ElementFilter, ui

from poise.studio.component import View
from poise.studio.menus.figure import FigureMenu
from poise.studio.menus.file import FileMenu
from poise.studio.menus.header import header
from poise.studio.menus.help import HelpDialog, first_hint
from poise.studio.menus.insert import InsertMenu
from poise.studio.menus.keys import listen
from poise.studio.menus.posture import PostureMenu
from poise.studio.menus.toolbar import Toolbar
from poise.studio.menus.view import ViewMenu
from poise.studio.panels.adding import AddDialog
from poise.studio.panels.criteria import CriteriaPanel
from poise.studio.panels.desk import Desk
from poise.studio.panels.forces import ForcesPanel
from poise.studio.panels.selected import SelectedPanel
from poise.studio.panels.tasks import TasksPanel
from poise.studio.theme import dress

if TYPE_CHECKING:
    from poise.studio.session import Session

_WIDTH = 356
"""Of the panels, in pixels."""


def build(session: Session, tab: str) -> Desk:
    """Build the page of one tab; what it shows is the session's, and a reload loses nothing."""
    dark = dress(session.settings(tab).theme)
    desk = Desk(session, tab)
    with ui.element("div").classes("studio-view") as desk.stage:
        desk.view = View(tab=tab)
        toolbar = Toolbar(desk)
        first_hint()
    adding = AddDialog(desk)
    drawer = _panels(desk, adding)
    help_ = HelpDialog()
    file, posture = FileMenu(desk), PostureMenu(desk)
    menus = {
        "File": file.fill,
        "Insert": InsertMenu(desk, adding).fill,
        "Figure": FigureMenu(desk).fill,
        "Posture": posture.fill,
        "View": ViewMenu(desk, dark).fill,
    }
    header(desk, menus, help_.open, drawer.toggle)
    listen(
        {
            "ctrl+z": lambda: desk.do("undo"),
            "ctrl+shift+z": lambda: desk.do("redo"),
            "ctrl+y": lambda: desk.do("redo"),
            "ctrl+c": lambda: desk.do("copy_posture") and desk.say("posture copied"),
            "ctrl+v": lambda: desk.do("paste_posture"),
            "ctrl+s": file.save,
            "ctrl+o": file.open,
            "a": lambda: adding.open("task"),
            "b": toolbar.keep_balance,
            "m": lambda: desk.do("mirror"),
            "r": lambda: desk.do("rest"),
            "t": drawer.toggle,
            "Delete": lambda: _remove_selected(desk),
            "?": help_.open,
            "Escape": _close_beside,
        }
    )
    return desk


def _panels(desk: Desk, adding: AddDialog) -> ui.right_drawer:
    drawer = ui.right_drawer(value=True, fixed=True).classes("studio-drawer q-pa-none")
    drawer.props(f"width={_WIDTH:d} behavior=desktop")
    with drawer:
        with (
            ui.tabs().props("dense no-caps align=justify").classes("studio-tabs full-width") as tabs
        ):
            names = [
                ui.tab(name).mark(f"tab-{name}")
                for name in ("Tasks", "Criteria", "Forces", "Selected")
            ]
        with ui.tab_panels(tabs, value=names[0], animated=False, keep_alive=True).classes(
            "studio-panels full-width"
        ):
            with ui.tab_panel(names[0]):
                TasksPanel(desk, adding)
            with ui.tab_panel(names[1]):
                CriteriaPanel(desk, adding)
            with ui.tab_panel(names[2]):
                ForcesPanel(desk)
            with ui.tab_panel(names[3]):
                SelectedPanel(desk)
    desk.bring("Tasks")
    tabs.on_value_change(lambda event: desk.bring(str(event.value)))
    _follow(desk, tabs, names)
    return drawer


def _follow(desk: Desk, tabs: ui.tabs, names: list[ui.tab]) -> None:
    """Bring the panel of what is selected in the view to the front."""
    before = desk.selection

    def follow() -> None:
        nonlocal before
        now = desk.selection
        if now != before and now.kind is not None:
            wanted = names[0] if now.kind == "task" else names[3]
            if not (now.kind == "force" and tabs.value == "Forces"):
                tabs.set_value(wanted)
        before = now

    desk.on(("selection",), follow)


def _close_beside() -> None:
    """Close what stands beside the view; browsers close by themselves what lies over it."""
    for dialog in ElementFilter(kind=ui.dialog):
        if "seamless" in dialog.props and dialog.value:
            dialog.close()


def _remove_selected(desk: Desk) -> None:
    """Remove the task, force or prop that is selected; nothing else can be."""
    selection = desk.selection
    if selection.kind == "task":
        desk.do("remove_task", name=selection.name)
    elif selection.kind == "force":
        desk.do("remove_force", name=selection.name)
    elif selection.kind == "prop":
        desk.do("remove_prop", prop=selection.name)
