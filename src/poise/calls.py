"""Wrong calls of public classes, answered with the names that users know."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, Self, TypeVar

from poise.errors import unknown_name

_Class = TypeVar("_Class")


class _Signature:
    """What help and editors are to show of a class: the arguments of its `__init__`."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        return inspect.Signature(list(inspect.signature(owner.__init__).parameters.values())[1:])


class Called:
    """A base of classes that answer a wrong keyword with the nearest one there is."""

    __signature__ = _Signature()

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Check the keywords before the class takes them."""
        known = _keywords(cls)
        if known is not None:
            for name in given:
                if name not in known:
                    raise unknown_name("argument", name, known, cls.__name__)
        return super().__new__(cls)


@cache
def _keywords(cls: type) -> tuple[str, ...] | None:
    """What a class takes by keyword; None where it takes any."""
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(each.name for each in parameters if each.kind in by_keyword)


def known_as(name: str) -> Callable[[type[_Class]], type[_Class]]:
    """Let Python's own messages about a wrong call name the class that users know.

    For a base class: its functions are called through the class of that name, and
    "Scene.stand() missing 1 required positional argument" is what helps there.
    """

    def renamed(cls: type[_Class]) -> type[_Class]:
        for value in vars(cls).values():
            if inspect.isfunction(value):
                value.__qualname__ = f"{name}.{value.__name__}"
        return cls

    return renamed
