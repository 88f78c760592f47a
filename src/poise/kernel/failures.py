"""Errors that compiled code raises, and what a failed Python function leaves for them to say."""

from __future__ import annotations

import threading

from poise.errors import PoiseError


class _Last(threading.local):
    """The last failure of each thread: what to say, and what the function raised."""

    words: str = ""
    cause: BaseException | None = None


_last = _Last()


def remember(words: str, cause: BaseException | None) -> None:
    """Keep a failure for the error that ends this thread's solve."""
    _last.words, _last.cause = words, cause


class CustomError(PoiseError):
    """A custom task failed. Raised by compiled code, which cannot say more: it asks what was kept.

    An interrupt, such as Ctrl-C, is no failure: it goes on as what it is.
    """

    def __init__(self) -> None:
        """Take the words and the cause of this thread's last failure."""
        if _last.cause is not None and not isinstance(_last.cause, Exception):
            raise _last.cause
        super().__init__(_last.words)
        self.__cause__ = _last.cause


class UnknownBlockError(PoiseError):
    """A block is of a kind that is not known: a new one that nobody has taught to all kernels."""

    def __init__(self) -> None:
        """Say so; which kind it is compiled code cannot say."""
        super().__init__("a block is of no kind that poise.kernel.residuals.kinds lists")
