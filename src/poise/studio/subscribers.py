"""Those who are told what has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from poise.studio.commands import Event

Callback = Callable[[Event], object]


class Subscribers:
    """All who want to hear of changes."""

    def __init__(self) -> None:
        """Begin with none, and without an event loop."""
        self._callbacks: dict[object, Callback] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        """On which they are told; without one, by the thread on which something happens: they must
        then not ask the session anything."""

    def add(self, callback: Callback) -> Callable[[], None]:
        """Tell someone from now on; returns how to stop it."""
        key = object()
        self._callbacks[key] = callback

        def stop() -> None:
            self._callbacks.pop(key, None)

        return stop

    def tell(self, *events: Event) -> None:
        """Tell all, of each event once."""
        for event in dict.fromkeys(events):
            for callback in list(self._callbacks.values()):
                if self.loop is None:
                    callback(event)
                else:
                    with suppress(RuntimeError):  # the loop has ended, and so have the pages
                        self.loop.call_soon_threadsafe(callback, event)
