"""The websocket between a page and the session: commands in, the latest of everything out."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, Literal

import numpy as np
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from poise.errors import PoiseError
from poise.studio.commands import Move, Open, parsed
from poise.studio.frames import DRAGGING
from poise.studio.history import NoStepError
from poise.studio.saying import said
from poise.studio.session import Session

_log = logging.getLogger(__name__)

PATH = "/poise/stream"
LARGEST = 200_000
"""So many characters a message may have; a posture of two thousand coordinates is the largest."""

_ORDER = ("present", "stage", "settings", "selection", "overlays", "frame", "heard")
_WORDS = 20  # that wait to be sent; a page that does not listen misses the rest
_KEPT = 256  # drag events whose arrival is remembered until their posture is sent


class Outbox:
    """What a page has not been sent yet: of each kind the latest only, words in order."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake the sender on an event loop."""
        self._loop = loop
        self._latest: dict[str, Any] = {}
        self._words: list[Any] = []
        self._there = asyncio.Event()

    def put(self, kind: str, content: Any) -> None:
        """Take something, from any thread."""
        with suppress(RuntimeError):  # the loop has ended, and so has the page
            self._loop.call_soon_threadsafe(self._put, kind, content)

    def _put(self, kind: str, content: Any) -> None:
        if kind in ("error", "notice"):
            self._words = [*self._words, content][-_WORDS:]
        else:
            self._latest[kind] = content
        self._there.set()

    async def take(self) -> list[Any]:
        """Wait for something, and take all there is: words first, what was heard last."""
        await self._there.wait()
        self._there.clear()
        latest, self._latest = self._latest, {}
        words, self._words = self._words, []
        return words + [latest[kind] for kind in _ORDER if kind in latest]


def register(app: FastAPI, session: Callable[[], Session]) -> None:
    """Serve the stream of a session."""

    @app.websocket(PATH)
    async def stream(socket: WebSocket, tab: str = "") -> None:  # pyright: ignore[reportUnusedFunction]
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", tab):
            await socket.close(1008, "a tab must have a name of letters and digits")
            return
        await socket.accept()
        await _Connection(socket, session(), tab).run()


class _Connection:
    """One page."""

    def __init__(self, socket: WebSocket, session: Session, tab: str) -> None:
        self._socket, self._session, self._tab = socket, session, tab
        self._outbox = Outbox(asyncio.get_running_loop())
        self._arrived: dict[int, float] = {}
        self._heard = 0

    async def run(self) -> None:
        depart = await asyncio.to_thread(self._session.join, self._tab, self._outbox.put)
        sender = asyncio.create_task(self._send())
        try:
            while True:
                await self._hear(await self._socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # gone, or it sent bytes, which no page of ours does
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender
            await asyncio.to_thread(depart)

    async def _hear(self, text: str) -> None:
        """Do what a message says; all but moves, which frames answer, are said to be heard."""
        self._heard += 1
        if not await self._dealt_with(text):
            return
        self._outbox.put("heard", {"type": "heard", "count": self._heard})

    async def _dealt_with(self, text: str) -> bool:
        """Do what a message says; False where it needs no answer."""
        try:
            command = parsed(_message(text))
            if isinstance(command, Open):
                raise PoiseError("a scene file is opened by an upload, which is read within bounds")
            if isinstance(command, Move):
                self._arrived[command.sequence] = perf_counter()
                while len(self._arrived) > _KEPT:
                    del self._arrived[next(iter(self._arrived))]
                self._session.apply(command, self._tab)  # does not wait
                return False
            await asyncio.to_thread(self._session.apply, command, self._tab)
        except NoStepError as error:
            self._say("notice", said(error))
        except PoiseError as error:
            self._say("error", said(error))
        except Exception:
            _log.exception("a message of %d characters", len(text))
            self._say("error", "this message could not be dealt with; the log has more")
        return True

    def _say(self, kind: Literal["error", "notice"], message: str) -> None:
        self._outbox.put(kind, {"type": kind, "message": message})

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                for content in await self._outbox.take():
                    if isinstance(content, bytes):
                        await self._socket.send_bytes(content)
                        self._measure(content)
                    else:
                        await self._socket.send_text(_written(content))

    def _measure(self, frame: bytes) -> None:
        """Note how long the drag event took that a frame answers."""
        _, sequence, _, flags = np.frombuffer(frame, "<f4", 4)
        arrived = self._arrived.pop(int(sequence), None)
        if arrived is not None and int(flags) & DRAGGING:
            self._session.latency.add(perf_counter() - arrived)


def _written(content: Any) -> str:
    """A message as text; what cannot be written must not silence all that comes after it."""
    try:
        return json.dumps(content, allow_nan=False)
    except (TypeError, ValueError):
        _log.exception("a message cannot be written: %s", content.get("type"))
        return json.dumps({"type": "error", "message": "the studio could not show what there is"})


def _message(text: str) -> Any:
    if len(text) > LARGEST:
        raise PoiseError(f"a message may have {LARGEST} characters, not {len(text)}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise PoiseError("a message must be JSON") from None
