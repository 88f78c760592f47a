"""How the studio's memory stays small."""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's mallopt."""

_ARENAS = 2


def share_arenas() -> bool:
    """Let all threads of this process allocate from a few places; whether that could be said.

    glibc gives each thread an arena of its own, and what is freed in one serves no other. A long
    session, whose threads take turns in making and dropping figures and problems, would hold ever
    more that nobody uses. To be called before there are threads.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS) == 1
    except (OSError, AttributeError):  # a C library of another kind
        return False
