"""The figure menu: ready figures and their sizes, figures from files, the root, the editor."""

from __future__ import annotations

from nicegui import ui

from poise.studio.menus.figure_editor import FigureEditor
from poise.studio.menus.items import entry
from poise.studio.menus.ready import ReadyDialog
from poise.studio.menus.uploading import UploadDialog
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import choice, icon_button
from poise.studio.uploads import LARGEST, SUFFIXES


class FigureMenu:
    """Who is posed."""

    def __init__(self, desk: Desk) -> None:
        """Build the dialogs, where the page is being built."""
        self._desk = desk
        self._ready = ReadyDialog(desk)
        self._editor = FigureEditor(desk)
        self._upload = UploadDialog(desk, "A figure from a file", SUFFIXES, self._take, LARGEST)
        with ui.dialog() as self._root, ui.card().classes("card").style("width:420px"):
            with ui.row().classes("card-title"):
                ui.label("Where the figure is rooted").classes("title")
                ui.space()
                icon_button("close", "close", self._root.close)
            self._segments = ui.column().classes("card-body")

    def fill(self) -> None:
        """Make the entries."""
        entry("Ready figures …", "accessibility_new", self._ready.open, marker="figure-ready")
        entry("Stature and sex …", "straighten", self._ready.open_present, marker="figure-size")
        entry("From a file …", "upload_file", self._upload.open, marker="figure-upload")
        ui.separator()
        entry("Root …", "anchor", self._choose_root, marker="figure-root")
        entry("Edit the figure …", "polyline", self._editor.open, marker="figure-edit")

    async def _take(self, name: str, content: bytes) -> None:
        await self._desk.session.upload(name, content, self._desk.tab)

    def _choose_root(self) -> None:
        scene = self._desk.session.scene
        self._segments.clear()
        with self._segments:
            ui.label(
                "The segment that all others hang on. Joints keep their values, nothing moves."
            ).classes("quiet")
            for name, figure in scene.given.items():
                first = f"{name}/" if scene.has_several else ""
                root = next(j.child for j in figure.joints.values() if j.parent == "world")
                choice(
                    {f"{first}{each}": each for each in figure.segments},
                    f"{first}{root}",
                    lambda segment: self._desk.do("root_at", name=segment),
                    marker="root-segment",
                    searchable=True,
                    width="100%",
                    name=f"root of {name}",
                )
        self._root.open()
