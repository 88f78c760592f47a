"""NiceGUI's socket, on which anybody on the machine may say anything.

Its messages are mappings with some keys. One that is not would end as a traceback in the log for
each that somebody sends: it is left alone instead, with a line.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from nicegui import core

_log = logging.getLogger(__name__)

_KEYS: dict[str, tuple[str, ...]] = {
    "handshake": ("client_id", "tab_id", "document_id"),
    "event": ("client_id", "id", "listener_id", "args"),
    "javascript_response": ("client_id", "request_id"),
    "ack": ("client_id", "next_message_id"),
    "log": ("client_id", "level", "message"),
}
"""What messages of each kind must have, besides what they may."""


def guard() -> None:
    """Let NiceGUI hear only messages that have what it takes for granted."""
    handlers: dict[str, Callable[..., Any]] = core.sio.handlers["/"]
    for name, keys in _KEYS.items():
        if not hasattr(handlers[name], "__wrapped__"):
            handlers[name] = _guarded(name, handlers[name], keys)


def _guarded(name: str, handler: Callable[..., Any], keys: tuple[str, ...]) -> Callable[..., Any]:
    @wraps(handler)
    async def guarded(sid: str, *said: Any) -> Any:
        message = said[0] if len(said) == 1 else None
        if not isinstance(message, dict) or not all(key in message for key in keys):
            _log.warning("a message %r that makes no sense was left alone", name)
            return False
        try:
            answer = handler(sid, message)
            return await answer if inspect.isawaitable(answer) else answer
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            # The keys are there; what they hold is of some other kind.
            _log.warning("a message %r that makes no sense was left alone: %r", name, error)
            return False

    return guarded
