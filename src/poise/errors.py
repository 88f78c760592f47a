"""The one family of errors, and of warnings, for what a caller or a file got wrong."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_LISTED = 12  # a longer list hides the name one looks for
_SUGGESTED = 4  # of more names that fit equally none is suggested


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


class WriteError(PoiseError):
    """A file or a stream could not be written; the message says which and why."""


class PoiseWarning(UserWarning):
    """Something was guessed or left out, or is hardly meant; the message says what."""


def _remade(kind: type[PoiseError], words: tuple[Any, ...], more: dict[str, Any]) -> PoiseError:
    error = kind.__new__(kind, *words)
    vars(error).update(more)
    return error


_place: ContextVar[Callable[[], str] | None] = ContextVar("place", default=None)


@contextmanager
def warning_of(place: Callable[[], str]) -> Generator[None]:
    """Let what is warned of inside begin with a place in a file, as errors do.

    Args:
        place: gives it, such as "scene.yaml, line 4: scene.tasks[0]", when it is needed.
    """
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def placed(message: str) -> str:
    """The message of a warning, with the place in a file where it is known."""
    place = _place.get()
    return f"{place()}: {message}" if place else message


@contextmanager
def enough_memory(doing: str) -> Generator[None]:
    """Turn a lack of memory into a `PoiseError` that says what was being done, and the size."""
    try:
        yield
    except MemoryError as error:
        raise PoiseError(f"there is not enough memory for {doing}: {error}") from None


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
        The error, to be raised by the caller: it names the nearest valid name, or the few that
        have the given one as a word of theirs, and lists the valid ones. Of a long list only the
        twelve most alike are listed.
    """
    names = list(allowed)
    text = str(name)
    meant, near = _alike(text, names)
    parts = [f"there is no {kind} {text!r}"]
    if meant:
        parts.append(f"; did you mean {' or '.join(map(repr, meant))}?")
    elif names:
        parts.append(".")
    if not names:
        parts.append(", nor any other")
    elif len(names) <= _LISTED:
        parts.append(f" There are: {', '.join(names)}")
    else:
        alike = list(dict.fromkeys([*near, *names]))[:_LISTED]
        parts.append(f" There are {len(names)}, among them: {', '.join(alike)}")
    message = "".join(parts)
    return PoiseError(f"{where}: {message}" if where else message)


def _alike(text: str, names: list[str]) -> tuple[list[str], list[str]]:
    """Which of some names are meant by another, and which are alike, the most alike first.

    First come names that have all words of the text, as "left_hand" has "hand"; then those that
    are written alike, and where none is, those that have a word which begins so, or is alike.
    """
    words = {name: _words(name) for name in names}
    whole = [name for name in names if _words(text) and set(_words(text)) <= set(words[name])]
    whole.sort(key=lambda name: len(words[name]))
    fewest = [name for name in whole if len(words[name]) == len(words[whole[0]])]
    close = _close(text, names)
    near = list(dict.fromkeys([*whole, *close]))
    if len(fewest) <= _SUGGESTED and fewest:
        return fewest, near
    if close and not whole:
        return close[:1], near
    if whole:
        return [], near
    everyone = [word for each in words.values() for word in each]
    begun = [word for word in everyone if len(text) >= 3 and word.startswith(text.casefold())]
    for word in begun or _close(text, everyone):
        having = [name for name in names if word in words[name]]
        return (having if len(having) <= _SUGGESTED else []), having
    return [], near


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


def _close(text: str, names: Iterable[str]) -> list[str]:
    """The names that are written like a text, capitals aside, the most alike first."""
    by_folded = {name.casefold(): name for name in reversed(list(names))}
    found = difflib.get_close_matches(text.casefold(), by_folded, n=_LISTED, cutoff=0.6)
    return [by_folded[each] for each in found]
