"""The session: one document, any number of tabs, and one way to change anything."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from poise.errors import PoiseError
from poise.formats.reading import Reading
from poise.scene import Scene
from poise.studio import poses
from poise.studio.commands import (
    Cancel,
    Change,
    Command,
    CopyPosture,
    Grab,
    Move,
    Open,
    PastePosture,
    Redo,
    Release,
    Select,
    Selection,
    Settings,
    Shown,
    Undo,
    UseFigure,
    parsed,
)
from poise.studio.engine import Latency
from poise.studio.grabbing import Grabbing
from poise.studio.subscribers import Callback
from poise.studio.tabs import Sender
from poise.studio.uploads import read_upload, suffix_of

_log = logging.getLogger(__name__)

PATIENCE = 0.5
"""So long (s) a command waits for its posture before it goes on without."""


class Session(Grabbing):
    """A document in the hands of people.

    `apply` is the one way to change it. What is asked here may be asked from any thread.
    """

    def __init__(self, scene: Scene | None = None, *, keep: Path | None = None) -> None:
        """Begin with a scene, or where the last session left off, or with a standing human.

        Args:
            scene: what to begin with; it is copied.
            keep: the folder in which the document and its history are kept, which no other
                session may use meanwhile; None keeps nothing.
        """
        self.latency = Latency()
        """From drag events to postures, where a stream measures them."""
        self._uploading = asyncio.Lock()
        self._clipboard: Mapping[str, float] | None = None
        super().__init__(scene, keep)

    # changing ------------------------------------------------------------------------------

    def apply(
        self,
        command: Command | dict[str, Any],
        tab: str | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """Do what a person asks for; a `PoiseError` says why it cannot be done, and nothing is.

        Args:
            command: what is to be done.
            tab: who asks for it; None for nobody who looks.
            patience: so long (s) the posture that it leads to is waited for.
        """
        given = parsed(command)
        if isinstance(given, Move):
            self._move(given, tab)
            return
        try:
            with self._lock:
                self._act(given, tab)
        except PoiseError:
            raise
        except Exception as error:
            # What was asked for made no sense in a way that nobody thought of.
            _log.exception("the command %r", given.do)
            raise PoiseError(f"{given.do}: {type(error).__name__}: {error}") from error
        self._engine.wait(patience)

    def _act(self, command: Command, tab: str | None) -> None:
        if isinstance(command, PastePosture) and command.values is None:
            command = command.model_copy(update={"values": self._clipboard})
        if isinstance(command, (Change, Undo, Redo)):
            self._make_way(command)  # what someone drags meanwhile stays where it is
        match command:
            case Grab():
                self._grab(command, tab)
            case Release() | Cancel() if tab in self._let_down:
                self._let_down.discard(tab)
            case Release():
                self._check_owner(tab)
                self._release()
            case Cancel():
                self._check_owner(tab)
                self._cancel()
            case Undo():
                self._travel("undid", self.history.undo)
            case Redo():
                self._travel("redid", self.history.redo)
            case Select():
                self._tabs.select(command, tab, self._document)
                self._engine.refresh()
                self._subscribers.tell("selection")
            case Settings():
                self._tabs.show(command, tab)
                self._engine.refresh()
                self._keep()
                self._subscribers.tell("settings")
            case CopyPosture():
                self._clipboard = poses.kept(self._document)
            case Change():
                self._change(command)
            case _:
                raise PoiseError(f"the command {command.do!r} cannot be done here")

    # tabs ------------------------------------------------------------------------------------

    def join(self, tab: str, send: Sender) -> Callable[[], None]:
        """Let a tab look: `send` gets all that it must draw, from any thread, the stage first.

        Returns:
            What to call when it has gone. What it was dragging then stays where it is.
        """
        with self._lock:
            joined = self._tabs.join(tab, send)
            self._tabs.check(self._document)
            self._screen.greet(joined)
            if self._keeper is not None and self._keeper.trouble:
                joined.send("error", {"type": "error", "message": self._keeper.trouble})
        self._engine.refresh()

        def depart() -> None:
            with self._lock:
                self._let_down.discard(tab)
                if self._tabs.leave(tab, joined) and self._dragging_tab == tab:
                    try:
                        self._release()
                    except Exception:
                        _log.exception("what %s was dragging is as before", tab)

        return depart

    def settings(self, tab: str | None = None) -> Shown:
        """What a tab shows; a new one shows what was last chosen."""
        return self._tabs.settings(tab)

    def selection(self, tab: str | None = None) -> Selection:
        """What a tab has selected."""
        return self._tabs.selection(tab)

    # uploads ---------------------------------------------------------------------------------

    async def upload(self, name: str, content: bytes, tab: str | None = None) -> None:
        """Take a figure or a scene from a file that a person has brought.

        Cancelled while the file is read, it ends the reader, and nothing has changed.
        """
        async with self._uploading:  # one at a time: each may take much memory
            read = await _read(name, content)
        if isinstance(read, str):
            command = Open(text=read)
            await asyncio.to_thread(lambda: command.scene)  # read before anyone has to wait for it
            await asyncio.to_thread(self.apply, command, tab)
            return
        kept, trouble = "", ""
        if read.skin is not None and self._keeper is not None:
            try:
                kept = await asyncio.to_thread(self._keeper.store, content, suffix_of(name))
            except PoiseError as error:
                trouble = f"the skin is not kept, and gone after a restart: {error}"
        await asyncio.to_thread(self.apply, UseFigure(reading=read, kept=kept), tab)
        if trouble:
            self._fail(trouble)

    # being told --------------------------------------------------------------------------------

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Be told of changes, on the event loop where there is one; returns how to stop it."""
        return self._subscribers.add(callback)

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Tell subscribers on an event loop from now on."""
        self._subscribers.loop = loop


async def _read(name: str, content: bytes) -> Reading | str:
    """Read a file apart from everything else; who is cancelled waits until the reader has ended."""
    given_up = threading.Event()
    reading = asyncio.ensure_future(
        asyncio.to_thread(read_upload, name, content, given_up=given_up)
    )
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        given_up.set()
        with suppress(PoiseError):
            await reading
        raise
