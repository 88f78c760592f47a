"""The one family of errors, and of warnings, for what a caller or a file got wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

_LISTED = 12  # a longer list hides the name one looks for


class PoiseError(Exception):
    """Something that was given cannot be used; the message says what, where and what can.

    Attributes:
        plain: the message without what to write in Python, for those who do not write any.
        remedy: one word for what would mend it, where others than Python offer that too.
    """

    def __init__(self, message: str = "", *, code: str = "", remedy: str = "") -> None:
        """Say what is wrong.

        Args:
            message: in words that also hold where nobody writes Python.
            code: how it goes on in Python: what to write instead.
            remedy: "support", "sole", "strength" or "name": what is to be given.
        """
        super().__init__(message + code)
        self.plain, self.remedy = message, remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Its words, whatever else its class is made of: so it comes back from another process."""
        return _remade, (type(self), self.args, dict(vars(self)))


class ClosedError(PoiseError, AttributeError):
    """An attribute that does not exist, or that cannot be set."""


class PoiseWarning(UserWarning):
    """Something was guessed or left out, or is hardly meant; the message says what."""


def _remade(kind: type[PoiseError], words: tuple[Any, ...], more: dict[str, Any]) -> PoiseError:
    error = kind.__new__(kind, *words)
    vars(error).update(more)
    return error


def unknown_name(
    kind: str, name: object, allowed: Iterable[str], where: str | None = None
) -> PoiseError:
    """Make the error for a name that does not exist.

    Args:
        kind: what the name should have named, such as "joint".
        name: what was given.
        allowed: the names that exist, in the order in which they are to be listed.
        where: where it was given, such as "arm.yaml, line 12"; None when that is plain.

    Returns:
        The error, to be raised by the caller: it names the nearest valid name, when one is
        near, and lists the valid ones. Of a long list only the twelve most alike are listed.
    """
    names = list(allowed)
    text = str(name)
    by_folded = {valid.casefold(): valid for valid in reversed(names)}
    near = [
        by_folded[match]
        for match in difflib.get_close_matches(text.casefold(), by_folded, n=_LISTED, cutoff=0.6)
    ]
    parts = [f"there is no {kind} {text!r}"]
    if near:
        parts.append(f"; did you mean {near[0]!r}?")
    elif names:
        parts.append(".")
    if not names:
        parts.append(", nor any other")
    elif len(names) <= _LISTED:
        parts.append(f" There are: {', '.join(names)}")
    else:
        alike = near + [valid for valid in names if valid not in near][: _LISTED - len(near)]
        parts.append(f" There are {len(names)}, among them: {', '.join(alike)}")
    message = "".join(parts)
    return PoiseError(f"{where}: {message}" if where else message)
