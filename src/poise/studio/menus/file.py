"""The file menu: new, open, examples, save, export, and the scene as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import run, ui

from poise.errors import PoiseError
from poise.studio.menus.examples import examples
from poise.studio.menus.items import entry, submenu
from poise.studio.menus.picture import PictureDialog
from poise.studio.menus.uploading import UploadDialog
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import icon_button

_SCENES = (".yaml", ".yml")


class FileMenu:
    """What comes in and goes out."""

    def __init__(self, desk: Desk) -> None:
        """Build the menu with its dialogs, where the page is being built."""
        self._desk = desk
        self._picture = PictureDialog(desk)
        self._opening = UploadDialog(desk, "Open a scene", _SCENES, self._opened)
        with ui.dialog() as self._code, ui.card().classes("card").style("width:760px"):
            with ui.row().classes("card-title"):
                ui.label("This scene in Python").classes("title")
                ui.space()
                icon_button("close", "close", self._code.close)
            with ui.column().classes("card-body"):
                self._text = ui.label().classes("code").style("max-height:56vh").mark("python-code")
            with ui.row().classes("card-foot"):
                ui.label("Run it, and you have the same posture.").classes("quiet grow")
                ui.button("Copy", icon="content_copy", on_click=self._copy).props(
                    "unelevated no-caps"
                )

    def fill(self) -> None:
        """Make the entries."""
        entry("New", "note_add", lambda: self._desk.do("new"), marker="file-new")
        entry("Open a scene …", "folder_open", self.open, "Ctrl+O", marker="file-open")
        with submenu("Examples", "auto_stories", "file-examples"):
            for name, example in examples().items():
                entry(example.title, "", self._example(name), marker=f"example-{name}")
        ui.separator()
        entry("Save the scene", "save", self.save, "Ctrl+S", marker="file-save")
        with submenu("Export", "ios_share", "file-export"):
            entry("GLB, for 3D programs", "view_in_ar", self._export("glb"), marker="export-glb")
            entry(
                "BVH, for motion programs",
                "directions_run",
                self._export("bvh"),
                marker="export-bvh",
            )
            entry("PNG, a picture …", "image", self._picture.open, marker="export-png")
        entry("Copy as Python …", "code", self.python, marker="file-python")

    # what the entries do -------------------------------------------------------------------

    def open(self) -> None:
        """Ask for a scene file."""
        self._opening.open()

    def save(self) -> None:
        """Let the browser keep the scene as a file."""
        self._give(self._desk.session.scene_text().encode(), "scene.yaml")

    def python(self) -> None:
        """Show the scene as Python, to be copied."""
        try:
            self._text.set_text(self._desk.session.python())
        except PoiseError as error:
            self._desk.complain(error)
            return
        self._code.open()

    def _copy(self) -> None:
        ui.clipboard.write(self._text.text)
        self._desk.say("copied")

    async def _opened(self, name: str, content: bytes) -> None:
        await self._desk.session.upload(name, content, self._desk.tab)

    def _example(self, name: str) -> Callable[[], Any]:
        return lambda: self._desk.do("open", text=examples()[name].text)

    def _export(self, kind: str) -> Callable[[], Any]:
        async def export() -> None:
            try:
                content = await run.io_bound(self._desk.session.export, kind)
            except PoiseError as error:
                self._desk.complain(error)
                return
            if content is not None:  # it is None while the server ends
                self._give(content, f"poise.{kind}")

        return export

    def _give(self, content: bytes, name: str) -> None:
        ui.download.content(content, name)
