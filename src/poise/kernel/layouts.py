"""How arguments cross from Python into compiled code: kinds of arrays, and tables of tuples.

Problems and workspaces are named tuples of arrays, nested. A tuple crosses as one pointer to its
*table*: for every array its address, then its shape. Whoever holds a table keeps the tuple alive.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2


class ArrayKind(NamedTuple):
    """An array in C order: what it holds ("float64" or "int64"), and its number of dimensions."""

    dtype: str
    dimensions: int


ARRAYS: dict[Any, ArrayKind] = {
    Floats: ArrayKind("float64", 1),
    Floats2: ArrayKind("float64", 2),
    Floats3: ArrayKind("float64", 3),
    Ints: ArrayKind("int64", 1),
    Ints2: ArrayKind("int64", 2),
}
"""The kinds by the annotations that stand for them."""


class Field(NamedTuple):
    """A field of a named tuple: where it begins in the table, and what it is."""

    at: int
    kind: ArrayKind | type


def is_record(annotation: Any) -> bool:
    """Whether an annotation is a named tuple of arrays."""
    return isinstance(annotation, type) and issubclass(annotation, tuple)


@cache
def layout(record: type) -> tuple[dict[str, Field], int]:
    """The fields of a named tuple by name, and the length of its table."""
    fields: dict[str, Field] = {}
    at = 0
    for name, hint in get_type_hints(record, include_extras=True).items():
        if hint in ARRAYS:
            fields[name] = Field(at, ARRAYS[hint])
            at += 1 + ARRAYS[hint].dimensions
        elif is_record(hint):
            fields[name] = Field(at, hint)
            at += layout(hint)[1]
        else:
            raise TypeError(f"{record.__name__}.{name} is neither an array nor a tuple of arrays")
    return fields, at


class Table:
    """A named tuple of arrays with the numbers by which compiled code finds it."""

    __slots__ = ("address", "numbers", "record")

    def __init__(self, record: tuple[Any, ...]) -> None:
        """Write down where the arrays of a tuple are; they must not be replaced afterwards."""
        self.record = record
        self.numbers = table(record)
        self.address = self.numbers.ctypes.data


def table(record: tuple[Any, ...]) -> NDArray[np.int64]:
    """Address and shape of every array of a nested named tuple."""
    numbers: list[int] = []
    for array, kind in zip(_flat(record), _flat_kinds(type(record)), strict=True):
        check(array, kind, type(record).__name__)
        numbers.append(array.ctypes.data)
        numbers += array.shape
    return np.array(numbers, np.int64)


def check(array: Any, kind: ArrayKind, where: str) -> None:
    """Raise where an array is not what compiled code takes it for."""
    if array.dtype != kind.dtype or array.ndim != kind.dimensions or not array.flags.carray:
        raise PoiseError(
            f"{where} wants {kind.dtype} in {kind.dimensions} dimensions and C order, "
            f"not {array.dtype} in {array.ndim}"
        )


def _flat(record: Any) -> Iterator[NDArray[Any]]:
    for part in record:
        if isinstance(part, tuple):
            yield from _flat(part)
        else:
            yield part


@cache
def _flat_kinds(record: type) -> tuple[ArrayKind, ...]:
    kinds: list[ArrayKind] = []
    for field in layout(record)[0].values():
        kinds += _flat_kinds(field.kind) if isinstance(field.kind, type) else (field.kind,)
    return tuple(kinds)
