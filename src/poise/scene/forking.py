"""Forks: a child process has no other threads, but finds the locks that they held.

A thread of the parent that was solving leaves its scene locked in the child for ever, and what the
solve works with half written. One that was building or loading the kernels leaves them locked.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise.scene.wanting import Wanting

_scenes: weakref.WeakSet[Wanting] = weakref.WeakSet()


class _Held(threading.local):
    """The locks that the fork of one thread took; several threads may fork at once."""

    def __init__(self) -> None:
        self.locks: list[Any] = []


_held = _Held()


def begin_anew_in_child(scene: Wanting) -> None:
    """Let a scene begin anew in each process that is forked from this one."""
    _scenes.add(scene)


def _wait_for_loading() -> None:
    """Before a fork: let threads finish loading the kernels, and looking up their tables."""
    for module, name in (("poise.kernel.library", "loading"), ("poise.kernel.calls", "lock")):
        if module in sys.modules:
            lock = getattr(sys.modules[module], name)
            lock.acquire()
            _held.locks.append(lock)


def _go_on() -> None:
    while _held.locks:
        _held.locks.pop().release()


def _begin_anew() -> None:
    _go_on()
    for scene in list(_scenes):
        scene._begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_wait_for_loading, after_in_parent=_go_on, after_in_child=_begin_anew
    )
