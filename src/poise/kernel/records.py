"""Records of numbers that change while a kernel runs: the state of an algorithm, by name.

A named tuple of arrays (`kernel.layouts`) never changes; what its arrays hold does. Single numbers
that change stand in a `Numbers` record, in one block of words of eight bytes. Compiled code gets
the address of the block: reading a field is a load, setting it a store.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, ClassVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from poise.errors import ClosedError, PoiseError, unknown_name

NUMBERS = (float, int, bool)
"""What a field may be."""

_TAKEN: dict[type, tuple[type, ...]] = {
    float: (float, int, np.floating, np.integer),
    int: (int, np.integer, np.bool_),
    bool: (bool, np.bool_),
}
"""What each may be set to, by Python: compiled code converts, and would cut a fraction off."""


class _Word:
    """A field of a record: one word, a float64, or an int64 that may also be a truth value."""

    def __init__(self, at: int, kind: type, name: str) -> None:
        self._at, self._kind, self._name = at, kind, name
        self._taken = _TAKEN[kind]

    def __get__(self, record: Numbers | None, owner: type) -> Any:
        if record is None:
            return self
        if self._kind is float:  # numpy's, which divides by zero as compiled code does
            return record.words[self._at]
        return self._kind(record.integers[self._at])

    def __set__(self, record: Numbers, value: Any) -> None:
        if not isinstance(value, self._taken):
            raise PoiseError(
                f"{type(record).__name__}.{self._name} is a number of the type "
                f"{self._kind.__name__}, not {value!r}"
            )
        if self._kind is float:
            record.words[self._at] = value
        else:
            record.integers[self._at] = value


class Numbers:
    """A record of numbers: a subclass lists its fields, each float, int or bool.

    ```python
    class Counts(Numbers):
        iterations: int
        longest: float = 0.5
    ```

    A field begins with what it is set to in the class, or with 0. A record is closed: only its
    fields can be set, each to a number of its type. A record that derives from another has the
    fields of both, those of the other first.

    Attributes:
        words: the block, as floats.
        integers: the same block, as integers.
    """

    __slots__ = ("integers", "words")
    words: NDArray[np.float64]
    integers: NDArray[np.int64]

    def __init_subclass__(cls) -> None:
        """Note the defaults, and let every field be a word of the block."""
        named = inspect.get_annotations(cls)
        own = {name: vars(cls)[name] for name in named if name in vars(cls)}
        cls._defaults = {**cls._defaults, **own}
        for at, (name, kind) in enumerate(fields(cls).items()):
            setattr(cls, name, _Word(at, kind, name))

    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        """Make a record with the defaults."""
        self.words = np.zeros(len(fields(type(self))))
        self.integers = self.words.view(np.int64)
        for name, value in self._defaults.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field; there are no others."""
        if name not in fields(type(self)) and name not in Numbers.__slots__:
            kind = f"field of {type(self).__name__}"
            raise ClosedError(str(unknown_name(kind, name, fields(type(self)))))
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        """All fields with their values."""
        told = ", ".join(f"{name}={getattr(self, name)}" for name in fields(type(self)))
        return f"{type(self).__name__}({told})"


@cache
def fields(record: type[Numbers]) -> dict[str, type]:
    """The fields of a record by name, in the order of their words."""
    found = get_type_hints(record)
    above = reversed(record.__mro__[: record.__mro__.index(Numbers)])
    named = {name: found[name] for each in above for name in inspect.get_annotations(each)}
    for name, kind in named.items():
        if kind not in NUMBERS:
            raise PoiseError(f"{record.__name__}.{name} must be a float, an int or a bool")
    return named
