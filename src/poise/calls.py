"""Wrong calls of public functions and classes, answered with the names that users know."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from typing import Any, Self, TypeVar

from poise.errors import PoiseError, unknown_name

_Class = TypeVar("_Class")
_Public = TypeVar("_Public", bound=Callable[..., Any])


class _Signature:
    """What help and editors are to show of a class: the arguments of its `__init__`."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        return inspect.Signature(list(inspect.signature(owner.__init__).parameters.values())[1:])


class Called:
    """A base of classes that answer a wrong keyword with the nearest one there is.

    Classes that users derive from these do so, too; for all others see `public`.
    """

    __signature__ = _Signature()

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Check the keywords before the class takes them."""
        _check_keywords(cls.__init__, given, cls.__name__, getattr(cls, "_instead", {}))
        return super().__new__(cls)


def public(called: _Public) -> _Public:
    """Let a function answer a wrong keyword with the nearest one there is.

    Of a class: all methods that have no underscore, and making one. A call that is right costs no
    check: keywords are looked at when Python has refused them.
    """
    result: Any = called
    if inspect.isclass(called):
        for name, value in list(vars(called).items()):
            if name[0] == "_" and name != "__init__":
                continue
            if inspect.isfunction(value):
                setattr(called, name, public(value))
            elif isinstance(value, (classmethod, staticmethod)):
                setattr(called, name, type(value)(public(value.__func__)))
        return result

    @wraps(called)
    def answering(*args: Any, **given: Any) -> Any:
        try:
            return called(*args, **given)
        except TypeError:
            _check_keywords(called, given, answering.__qualname__.removesuffix(".__init__"))
            raise

    result = answering
    return result


def _check_keywords(
    function: Callable[..., Any],
    given: Iterable[str],
    where: str,
    instead: Mapping[str, str] | None = None,
) -> None:
    known = _keywords(function)
    if known is not None:
        for name in given:
            if name not in known and instead and name in instead:
                raise PoiseError(f"{where}: there is no argument {name!r}; {instead[name]}")
            if name not in known:
                raise unknown_name("argument", name, known, where) from None


@cache
def _keywords(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """What a function takes by keyword; None where it takes any."""
    parameters = list(inspect.signature(function).parameters.values())
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    names = [each.name for each in parameters if each.kind in by_keyword]
    return tuple(name for name in names if name not in ("self", "cls"))


def known_as(name: str, module: str) -> Callable[[type[_Class]], type[_Class]]:
    """Let Python's own messages about a wrong call name the class that users know.

    For a base class: its functions are called through the class of that name, and
    "Scene.release() missing 1 required positional argument" is what helps there.

    Args:
        name: of the class that users know.
        module: where that class is, so that pickle finds its functions.
    """

    def renamed(cls: type[_Class]) -> type[_Class]:
        for value in vars(cls).values():
            if inspect.isfunction(value):
                for each in (value, getattr(value, "__wrapped__", value)):
                    each.__qualname__, each.__module__ = f"{name}.{value.__name__}", module
        return cls

    return renamed
