"""Lines of text files, one at a time, with bounds."""

from __future__ import annotations

from collections.abc import Iterator

from poise.errors import PoiseError

MOST_LINES = 10_000_000
"""Lines of the longest file that is read."""
LONGEST_LINE = 4_000_000
"""Characters of the longest line that is read."""


def unified(text: str) -> str:
    """Text with one sort of line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def numbered(text: str, name: str, first: int = 1) -> Iterator[tuple[int, str]]:
    r"""The lines of a text with their numbers; \n ends a line.

    They are cut off one after the other: a list of all lines of a file of line ends would be ten
    times as large as the file.

    Args:
        text: what is in the file, or in the rest of it.
        name: what messages call the file.
        first: the number of the first line.
    """
    start, line = 0, first
    while start <= len(text):
        if line > MOST_LINES:
            raise PoiseError(f"{name}: there are more than {MOST_LINES:,} lines")
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end - start > LONGEST_LINE:
            raise PoiseError(f"{name}, line {line}: more than {LONGEST_LINE:,} characters")
        yield line, text[start:end]
        start, line = end + 1, line + 1
