"""How the studio's memory stays small."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""What glibc's mallopt calls them."""

_LARGE = 256 * 1024
"""Bytes: blocks as large as this are given back as soon as they are free, and so is as much at an
arena's end."""

_ARENAS = 2


def hold_little() -> bool:
    """Let this process hold little more memory than it uses; whether that could be said.

    glibc gives each thread an arena of its own, and what is freed in one serves no other; and it
    takes large blocks from the arenas, too, once some have been freed, where small ones on top of
    them keep them. A long session, whose threads take turns in making and dropping figures and
    problems, would hold ever more that nobody uses. To be called before there are threads.
    """
    mallopt = _function("mallopt")
    wanted = ((_ARENA_MAX, _ARENAS), (_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE))
    return mallopt is not None and all(mallopt(option, value) == 1 for option, value in wanted)


def give_back() -> None:
    """Give back what is free between what is used, page by page; some milliseconds."""
    malloc_trim = _function("malloc_trim")
    if malloc_trim is not None:
        malloc_trim(0)


def _function(name: str) -> Callable[..., int] | None:
    """A function of glibc; None where the C library is another."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError):
        return None
