"""The dialog in which a file is given to the studio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.events import GenericEventArguments, UploadEventArguments

from poise.errors import PoiseError
from poise.studio.markup import with_props
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import icon_button
from poise.studio.saying import said

_WHY = """files => {
  const {failedPropValidation, file} = files[0];
  emit([failedPropValidation, file.name, file.size]);
}"""
"""What the browser knows of a file that it rejects: the rule, the name, the size in bytes."""

Take = Callable[[str, bytes], Awaitable[object]]


class UploadDialog:
    """One file of some kinds, of a bounded size; what is wrong with it is said in the dialog."""

    def __init__(
        self, desk: Desk, title: str, suffixes: tuple[str, ...], take: Take, most: int = 20_000_000
    ) -> None:
        """Build it closed.

        Args:
            desk: of the tab.
            title: what it is for.
            suffixes: how files may end.
            take: called with the file's name and what it holds; raises where it cannot be used.
            most: the largest file, in bytes.
        """
        self._desk, self._take, self._most, self._suffixes = desk, take, most, suffixes
        with ui.dialog() as self._dialog, ui.card().classes("card").style("width:460px"):
            with ui.row().classes("card-title"):
                ui.label(title).classes("title")
                ui.space()
                icon_button("close", "close", self._dialog.close)
            with ui.column().classes("card-body"):
                ui.label(
                    f"{' '.join(suffixes)}, of at most {most / 1e6:.0f} MB. "
                    "The file is read apart from everything else. Only one with a skin is kept, "
                    "for as long as its figure is."
                ).classes("quiet")
                self._upload = (
                    ui.upload(
                        auto_upload=True,
                        max_files=1,
                        max_file_size=most,
                        on_upload=self._uploaded,
                        label="Choose a file, or drop it here",
                    )
                    .props("flat bordered")
                    .classes("full-width")
                    .on("rejected", self._rejected, js_handler=_WHY)
                    .mark("upload")
                )
                with ui.row().classes("line") as self._busy:
                    ui.spinner(size="sm")
                    ui.label("reading …").classes("quiet")
                self._error = ui.label().classes("blocker failed").mark("upload-error")
        with_props(self._upload, accept=",".join(suffixes))
        self._busy.set_visibility(False)
        self._error.set_visibility(False)
        self._reading: asyncio.Task[None] | None = None
        self._dialog.on_value_change(lambda event: event.value or self._give_up())
        ui.context.client.on_delete(self._give_up)

    def open(self) -> None:
        """Show it. What was chosen before is gone since; to clear it now might clear what comes."""
        self._error.set_visibility(False)
        self._dialog.open()

    def _rejected(self, event: GenericEventArguments) -> None:
        """Say why the browser did not even send a file."""
        why, name, size = event.args
        if why == "accept":
            self._fail(f"{name} is of another kind: files end in {', '.join(self._suffixes)}.")
        elif why == "max-file-size":
            most = self._most / 1e6
            self._fail(f"{name} has {size / 1e6:.1f} MB; files of up to {most:.0f} MB are read.")
        else:
            self._fail("One file at a time, please.")

    async def _uploaded(self, event: UploadEventArguments) -> None:
        if not self._dialog.value:  # it was closed while the last bytes came
            return
        self._error.set_visibility(False)
        self._busy.set_visibility(True)
        reading = self._reading = asyncio.ensure_future(self._taken(event.file))
        try:
            await asyncio.wait([reading])
            if reading.cancelled():
                return
            reading.result()
        except PoiseError as error:
            self._fail(said(error))
        else:
            self._reading = None
            self._dialog.close()
            self._desk.tell()
            self._desk.say(f"opened {event.file.name}")
        finally:
            self._reading = None
            if not self._upload.is_deleted:
                self._busy.set_visibility(False)
                self._upload.reset()

    async def _taken(self, file: ui.upload.FileUpload) -> None:
        if file.size() > self._most:
            raise PoiseError(f"the file is larger than {self._most / 1e6:.0f} MB")
        await self._take(file.name, await file.read())

    def _give_up(self) -> None:
        """Nobody waits for what is being read: it is not taken."""
        if self._reading is not None:
            self._reading.cancel()

    def _fail(self, text: str) -> None:
        self._error.set_text(text)
        self._error.set_visibility(True)
