"""How arguments cross from Python into compiled code: kinds of arrays, and tables of tuples.

Problems and workspaces are named tuples of arrays and of records of numbers (`kernel.records`),
nested. A tuple crosses as one pointer to its *table*: for every array its address, then its shape;
for every record of numbers its address. Whoever holds a table keeps the tuple alive.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2
from poise.kernel.records import NUMBERS as SCALARS
from poise.kernel.records import Numbers
from poise.kernel.records import fields as numbers_of


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
    """Whether an annotation is a named tuple of arrays, or a record of numbers."""
    return isinstance(annotation, type) and issubclass(annotation, (tuple, Numbers))


def is_numbers(annotation: Any) -> bool:
    """Whether an annotation is a record of numbers."""
    return isinstance(annotation, type) and issubclass(annotation, Numbers)


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
            at += 1 if is_numbers(hint) else layout(hint)[1]
        else:
            raise TypeError(f"{record.__name__}.{name} is neither an array nor a record")
    return fields, at


class Signature(NamedTuple):
    """What an entry takes and returns: the annotations."""

    parameters: dict[str, Any]
    """By name: an array such as `Floats2`, a named tuple of arrays, float, int or bool."""
    returned: Any
    """float, int, bool, a tuple of them, or NoneType."""


def signature(function: Callable[..., Any]) -> Signature:
    """What an entry takes and returns; raises where an annotation is missing or not allowed."""
    where = f"{function.__module__}.{function.__qualname__}"
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)
    for name in [*names, "return"]:
        if name not in hints:
            what = "what it returns" if name == "return" else f"the parameter {name}"
            raise PoiseError(f"{where} is an entry, so {what} must be annotated")
    for name in names:
        hint = hints[name]
        if not (hint in ARRAYS or hint in SCALARS or is_record(hint)):
            raise PoiseError(
                f"{where}: {name} must be an array such as Floats2, a named tuple of arrays, "
                f"float, int or bool, not {hint!r}"
            )
    returned = hints["return"]
    parts = get_args(returned) if get_origin(returned) is tuple else (returned,)
    if returned is not type(None) and not (parts and all(each in SCALARS for each in parts)):
        raise PoiseError(f"{where} must return numbers, a tuple of them or None, not {returned!r}")
    return Signature({name: hints[name] for name in names}, returned)


def exported_name(function: Callable[..., Any]) -> str:
    """The name of an entry's C function in a library.

    It ends with a digest of all that crosses, down to the names and kinds of the fields of named
    tuples: a library of other sources does not have it, and is never called with the wrong
    arguments.
    """
    taken, returned = signature(function)
    said = [f"{name}: {described(kind)}" for name, kind in taken.items()] + [str(returned)]
    digest = hashlib.sha256("|".join(said).encode()).hexdigest()[:12]
    return f"{function.__module__}.{function.__qualname__}".replace(".", "_") + f"_{digest}"


@cache
def described(annotation: Any) -> str:
    """What crosses for an annotation, as text: of a named tuple all fields, down to the arrays."""
    if annotation in ARRAYS:
        return str(ARRAYS[annotation])
    if annotation in SCALARS:
        return annotation.__name__
    if is_numbers(annotation):
        fields = numbers_of(annotation).items()
    else:
        fields = get_type_hints(annotation, include_extras=True).items()
    return "(" + ", ".join(f"{name}: {described(kind)}" for name, kind in fields) + ")"


class Table:
    """A record with the numbers by which compiled code finds it.

    The table of a record of numbers is the record's own block.
    """

    __slots__ = ("address", "numbers", "record")

    def __init__(self, record: tuple[Any, ...] | Numbers) -> None:
        """Write down where the arrays of a tuple are; they must not be replaced afterwards."""
        self.record = record
        self.numbers = record.integers if isinstance(record, Numbers) else table(record)
        self.address = self.numbers.ctypes.data


def table(record: tuple[Any, ...]) -> NDArray[np.int64]:
    """Address and shape of every array of a nested named tuple, addresses of records of numbers."""
    numbers: list[int] = []
    for array, kind in zip(arrays_of(record), _flat_kinds(type(record)), strict=True):
        if kind is not None:
            check(array, kind, type(record).__name__)
        numbers.append(array.__array_interface__["data"][0])
        numbers += array.shape if kind is not None else ()
    return np.array(numbers, np.int64)


def check(array: Any, kind: ArrayKind, where: str) -> None:
    """Raise where an array is not what compiled code takes it for."""
    if not isinstance(array, np.ndarray):
        raise PoiseError(f"{where} wants an array, not {type(array).__name__} {array!r:.50}")
    flags = array.flags
    if (
        array.dtype != kind.dtype
        or array.ndim != kind.dimensions
        or not (flags.c_contiguous and flags.aligned)
    ):
        order = "" if flags.c_contiguous else " in another order"
        raise PoiseError(
            f"{where} wants {kind.dtype} in {kind.dimensions} dimensions and C order, "
            f"not {array.dtype} in {array.ndim}{order}"
        )


def arrays_of(record: Any) -> Iterator[NDArray[Any]]:
    """All arrays of a nested named tuple, in order; of records of numbers their blocks."""
    for part in record:
        if isinstance(part, tuple):
            yield from arrays_of(part)
        else:
            yield part.words if isinstance(part, Numbers) else part


@cache
def _flat_kinds(record: type) -> tuple[ArrayKind | None, ...]:
    """The kinds of all arrays of a nested named tuple, None for records of numbers."""
    kinds: list[ArrayKind | None] = []
    for field in layout(record)[0].values():
        if is_numbers(field.kind):
            kinds.append(None)
        elif isinstance(field.kind, type):
            kinds += _flat_kinds(field.kind)
        else:
            kinds.append(field.kind)
    return tuple(kinds)
