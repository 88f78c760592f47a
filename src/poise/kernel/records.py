"""Records of numbers that change while a kernel runs: the state of an algorithm, by name.

A named tuple of arrays (`kernel.layouts`) never changes; what its arrays hold does. Single numbers
that change stand in a `Numbers` record, in one block of words of eight bytes. Compiled code gets
the address of the block: reading a field is a load, setting it a store.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

NUMBERS = (float, int, bool)
"""What a field may be."""


class _Word:
    """A field of a record: one word, a float64, or an int64 that may also be a truth value."""

    def __init__(self, at: int, kind: type) -> None:
        self._at, self._kind = at, kind

    def __get__(self, record: Numbers | None, owner: type) -> Any:
        if record is None:
            return self
        if self._kind is float:  # numpy's, which divides by zero as compiled code does
            return record.words[self._at]
        return self._kind(record.integers[self._at])

    def __set__(self, record: Numbers, value: Any) -> None:
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

    A field begins with what it is set to in the class, or with 0.

    Attributes:
        words: the block, as floats.
        integers: the same block, as integers.
    """

    __slots__ = ("integers", "words")
    words: NDArray[np.float64]
    integers: NDArray[np.int64]

    def __init_subclass__(cls) -> None:
        """Note the defaults, and let every field be a word of the block."""
        cls._defaults = {name: vars(cls)[name] for name in cls.__annotations__ if name in vars(cls)}
        for at, (name, kind) in enumerate(fields(cls).items()):
            setattr(cls, name, _Word(at, kind))

    _defaults: dict[str, Any]

    def __init__(self) -> None:
        """Make a record with the defaults."""
        self.words = np.zeros(len(fields(type(self))))
        self.integers = self.words.view(np.int64)
        for name, value in self._defaults.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        """All fields with their values."""
        told = ", ".join(f"{name}={getattr(self, name)}" for name in fields(type(self)))
        return f"{type(self).__name__}({told})"


@cache
def fields(record: type[Numbers]) -> dict[str, type]:
    """The fields of a record by name, in the order of their words."""
    found = get_type_hints(record)
    named = {name: found[name] for name in vars(record).get("__annotations__", {})}
    for name, kind in named.items():
        if kind not in NUMBERS:
            raise PoiseError(f"{record.__name__}.{name} must be a float, an int or a bool")
    return named
