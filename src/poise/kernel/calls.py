"""Calls of functions in a library of compiled kernels, from Python.

A function of the library takes an array as its address and shape, a named tuple of arrays as the
address of its table (`kernel.layouts`), and numbers as they are. Threads run on while it works.
"""

from __future__ import annotations

import ctypes
import inspect
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from poise.errors import PoiseError
from poise.kernel.layouts import ARRAYS, ArrayKind, Table, check

_SCALARS: dict[Any, Any] = {float: ctypes.c_double, int: ctypes.c_int64, bool: ctypes.c_bool}
_NONE = -2
"""numba's status of a function that returns None."""
_TABLES = 64
"""How many named tuples are remembered with their tables."""


class _Raised(ctypes.Structure):
    """What numba's code leaves behind when it raises: the exception, pickled."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_int32))


_known: OrderedDict[int, Table] = OrderedDict()
_lock = threading.Lock()


def tabled(record: Any) -> Table:
    """The table of a named tuple, remembered for the last few; a table stays what it is."""
    if type(record) is Table:
        return record
    found = _known.get(id(record))
    if found is None or found.record is not record:
        found = Table(record)
        with _lock:
            _known[id(record)] = found
            while len(_known) > _TABLES:
                _known.popitem(last=False)
    return found


def caller(library: ctypes.CDLL, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A Python function that calls a C function of a library.

    Args:
        library: the library, loaded.
        name: of the C function.
        function: the kernel that it was compiled from, whose annotations say what it takes.
    """
    hints = get_type_hints(function, include_extras=True)
    kinds = [hints[each] for each in inspect.signature(function).parameters]
    returned = hints["return"]
    native = getattr(library, name)
    native.restype = ctypes.c_int32
    types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
    for kind in kinds:
        if kind in ARRAYS:
            types += [ctypes.c_void_p] + [ctypes.c_int64] * ARRAYS[kind].dimensions
        else:
            types.append(_SCALARS.get(kind, ctypes.c_void_p))
    native.argtypes = types
    arrays = [ARRAYS.get(kind) for kind in kinds]
    scalars = [kind in _SCALARS for kind in kinds]
    make, value_of = _returned(returned)

    def call(*arguments: Any) -> Any:
        given: list[Any] = []
        keep: list[Any] = []
        for argument, array, is_scalar in zip(arguments, arrays, scalars, strict=True):
            if array is not None:
                _give_array(argument, array, name, given, keep)
            elif is_scalar:
                given.append(argument)
            else:
                table = tabled(argument)
                keep.append(table)  # another thread may make it forgotten
                given.append(table.address)
        result, raised = make(), ctypes.c_void_p()
        status = native(ctypes.addressof(result), ctypes.addressof(raised), *given)
        if status not in (0, _NONE):
            raise _exception(raised)
        return value_of(result)

    return call


def _give_array(
    argument: Any, kind: ArrayKind, name: str, given: list[Any], keep: list[Any]
) -> None:
    if not argument.flags.carray:
        argument = np.ascontiguousarray(argument)  # only what is read comes so
        keep.append(argument)
    check(argument, kind, name)
    given.append(argument.ctypes.data)
    given += argument.shape


def _exception(raised: ctypes.c_void_p) -> BaseException:
    found = _Raised.from_address(raised.value or 0)
    kind, arguments, _ = pickle.loads(ctypes.string_at(found.data, found.size))
    return kind(*(arguments or ()))


def _returned(annotation: Any) -> tuple[Any, Callable[[Any], Any]]:
    """What a result is written into, and how its value is got from there."""
    if annotation is type(None):
        return ctypes.c_void_p, lambda _: None
    if annotation in _SCALARS:
        return _SCALARS[annotation], lambda found: found.value
    if get_origin(annotation) is not tuple:
        raise PoiseError(f"an entry returns numbers, a tuple of them or None, not {annotation!r}")
    fields = [(f"part_{i}", _SCALARS[kind]) for i, kind in enumerate(get_args(annotation))]
    made = type("Returned", (ctypes.Structure,), {"_fields_": fields})
    return made, lambda found: tuple(getattr(found, name) for name, _ in fields)
