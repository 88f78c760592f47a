"""Standard output and standard error, of which any may be narrow, full, or closed at the other end.

Characters that the encoding of a stream does not have are written as others that mean the same.
What cannot be written raises `WriteError`, which neither rich nor typer knows: they end with status
1 where a pipe breaks, which means here that tasks are not met.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
import unicodedata
from typing import Any, TextIO, cast

from poise.errors import WriteError

_SUBSTITUTES = "poise.substitutes"
"""The name of the handler of characters that cannot be encoded."""

_MEANING = {
    "→": "->",
    "←": "<-",
    "·": ".",
    "°": " deg",
    "−": "-",
    "–": "-",
    "—": "-",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "±": "+-",
    "…": "...",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "•": "*",
    "µ": "u",
    "│": "|",
    "─": "-",
    "━": "-",
    "╸": "-",
    "╺": "-",
}


class UnreadError(WriteError):
    """Nobody reads any more, as with `poise figures | head -1`: nothing to complain about."""


class _Stream:
    """A text stream whose troubles are `WriteError`."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def write(self, text: str) -> int:
        """Write, or raise `WriteError`."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise self._trouble(error) from None

    def flush(self) -> None:
        """Write what waits, or raise `WriteError`."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._trouble(error) from None

    def _trouble(self, error: OSError) -> WriteError:
        """The error; what still waits goes nowhere, so that Python can end."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)
        if error.errno == errno.EPIPE:
            return UnreadError(f"nobody reads {self._name} any more")
        return WriteError(f"cannot write to {self._name}: {error.strerror or error}")

    def __getattr__(self, name: str) -> Any:
        """All else is the stream's."""
        return getattr(self._stream, name)


def prepare() -> None:
    """Make standard output and error fit for any text, and their troubles `WriteError`."""
    codecs.register_error(_SUBSTITUTES, _substitute)
    for attribute, name in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, attribute)
        if isinstance(stream, io.TextIOWrapper):  # else it is closed, or somebody's own
            stream.reconfigure(errors=_SUBSTITUTES)
            setattr(sys, attribute, cast(TextIO, _Stream(stream, name)))


def flush() -> None:
    """Write what waits, or raise `WriteError`."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # pyright: ignore[reportUnnecessaryComparison]
            stream.flush()


def print_json(data: Any) -> None:
    """Print data as JSON, with escapes where the stream does not have the characters."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, ensure_ascii=True, indent=2)
    print(text)


def _substitute(error: UnicodeError) -> tuple[str, int]:
    """What to write for characters that cannot be encoded."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_MEANING.get(each) or _plain(each) for each in text), error.end


def _plain(character: str) -> str:
    """A letter without its accents, else a question mark."""
    parts = unicodedata.normalize("NFKD", character)
    return parts.encode("ascii", "ignore").decode("ascii") or "?"
