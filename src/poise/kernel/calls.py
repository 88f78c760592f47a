"""Calls of compiled kernels from Python.

A function of the library takes an array as its address and shape, a named tuple of arrays as the
address of its table (`kernel.layouts`), and numbers as they are. Threads run on while it works.
"""

from __future__ import annotations

import ctypes
import functools
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from operator import index
from typing import Any, get_args

from poise.errors import PoiseError
from poise.kernel.layouts import ARRAYS, Table, arrays_of, check, exported_name, signature
from poise.kernel.library import Library, loaded
from poise.kernel.records import Numbers

_SCALARS: dict[Any, Any] = {float: ctypes.c_double, int: ctypes.c_int64, bool: ctypes.c_bool}
_NONE = -2
"""The status of a function that returns None."""
_TABLES = 32
"""How many named tuples are remembered with their tables."""
_SMALL = 1 << 20
"""Bytes of a named tuple that may be remembered, and so kept alive."""


class Entry:
    """A kernel that Python calls. It is looked for in the library when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Stand in for a kernel function."""
        functools.update_wrapper(self, function)
        self._call: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        call = self._call
        if call is None:
            call = self._call = self.call().with_arrays()
        return call(*arguments)

    def call(self) -> Call:
        """How it is called, once its library is there."""
        function: Any = self.__wrapped__  # pyright: ignore[reportAttributeAccessIssue]
        return Call(function, loaded(function.__module__))


def prepared(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A kernel with its first arguments given once for all; the others are numbers.

    It takes some 2 µs less for each of the arguments, which must stay where they are, and serves
    one thread at a time.
    """
    if isinstance(kernel, Entry):
        return kernel.call().prepared(*arguments)
    return functools.partial(kernel, *arguments)


class Call:
    """How one function of a library is called."""

    def __init__(self, function: Callable[..., Any], library: Library) -> None:
        """Find a kernel function in a library."""
        taken, returned = signature(function)
        self._library = library  # kept loaded as long as it can be called
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._kinds = list(taken.values())
        types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        for kind in self._kinds:
            types += _crossing(kind)
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, *types)
        self._native = prototype(library.address(exported_name(function)))
        self._make, self._value_of = _returned(returned)

    def with_arrays(self) -> Callable[..., Any]:
        """A function that takes arguments as the Python function does."""
        kinds = [(kind, ARRAYS.get(kind), kind in _SCALARS) for kind in self._kinds]
        native, make, value_of, name = self._native, self._make, self._value_of, self._name

        def call(*arguments: Any) -> Any:
            if len(arguments) != len(kinds):
                raise self._miscounted(len(arguments))
            given: list[Any] = []
            keep: list[Any] = []
            for argument, (kind, array, is_scalar) in zip(arguments, kinds, strict=True):
                if is_scalar:
                    given.append(index(argument) if kind is int else argument)
                elif array is not None:
                    check(argument, array, name)
                    _check_writeable(argument, name)
                    given.append(argument.__array_interface__["data"][0])
                    given += argument.shape
                else:
                    _check_record(argument, kind, name)
                    table = tabled(argument)
                    keep.append(table)  # another thread may make it forgotten
                    given.append(table.address)
            result, raised = make(), ctypes.c_void_p()
            try:
                status = native(ctypes.addressof(result), ctypes.addressof(raised), *given)
            except ctypes.ArgumentError as error:
                raise TypeError(f"{name}: {error}") from None
            if status not in (0, _NONE):
                raise _exception(raised)
            return value_of(result)

        return call

    def prepared(self, *arguments: Any) -> Callable[..., Any]:
        """A function that takes what comes after these arguments, all numbers."""
        given: list[Any] = []
        keep: list[Any] = []
        if len(arguments) > len(self._kinds):
            raise self._miscounted(len(arguments))
        kinds = self._kinds[len(arguments) :]
        if any(kind not in _SCALARS for kind in kinds):
            raise TypeError(f"{self._name}: only numbers may be left for when it is called")
        for argument, kind in zip(arguments, self._kinds, strict=False):
            if kind in ARRAYS:
                check(argument, ARRAYS[kind], self._name)
                _check_writeable(argument, self._name)
                keep.append(argument)
                given += [argument.ctypes.data, *argument.shape]
            elif kind in _SCALARS:
                given.append(index(argument) if kind is int else argument)
            else:
                _check_record(argument, kind, self._name)
                keep.append(Table(argument))
                given.append(keep[-1].address)
        result, raised = self._make(), ctypes.c_void_p()
        first = (ctypes.addressof(result), ctypes.addressof(raised), *given)
        native, value_of = self._native, self._value_of

        def call(*numbers: Any, _keep: Any = (keep, result)) -> Any:
            if len(numbers) != len(kinds):
                raise self._miscounted(len(arguments) + len(numbers))
            try:
                status = native(*first, *numbers)
            except ctypes.ArgumentError:  # which numpy's integers are, too
                status = native(*first, *map(_number, numbers, kinds))
            if status not in (0, _NONE):
                raise _exception(raised)
            return value_of(result)

        return call

    def _miscounted(self, count: int) -> TypeError:
        return TypeError(f"{self._name} takes {len(self._kinds)} arguments, not {count}")


_known: OrderedDict[int, Table] = OrderedDict()
lock = threading.Lock()
"""Held while the tables that are remembered change."""


def tabled(record: Any) -> Table:
    """The table of a named tuple, remembered for the last few small ones."""
    found = _known.get(id(record))
    if found is None or found.record is not record:
        found = Table(record)
        if _bytes(record) <= _SMALL:
            with lock:
                _known[id(record)] = found
                while len(_known) > _TABLES:
                    _known.popitem(last=False)
    return found


def _number(given: Any, kind: Any) -> Any:
    """A number as ctypes takes it; TypeError for what is none."""
    return _SCALARS[kind](index(given) if kind is int else given)


def _check_writeable(array: Any, where: str) -> None:
    """Raise where compiled code might write into an array that is only to be read."""
    if not array.flags.writeable:
        raise PoiseError(f"{where} may write into its arrays, and one of them is read-only")


def _check_record(record: Any, kind: type, where: str) -> None:
    """Raise where a named tuple is not of the kind whose table compiled code reads."""
    if not isinstance(record, kind):
        raise PoiseError(f"{where} wants {kind.__name__}, not {type(record).__name__}")


def _bytes(record: Any) -> int:
    if isinstance(record, Numbers):
        return record.words.nbytes
    return sum(array.nbytes for array in arrays_of(record))


def _crossing(kind: Any) -> list[Any]:
    """ctypes' types of an argument."""
    if kind in ARRAYS:
        return [ctypes.c_void_p] + [ctypes.c_int64] * ARRAYS[kind].dimensions
    return [_SCALARS.get(kind, ctypes.c_void_p)]


class _Raised(ctypes.Structure):
    """What compiled code leaves behind when it raises: the exception, pickled."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_int32))


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
    fields = [(f"part_{i}", _SCALARS[kind]) for i, kind in enumerate(get_args(annotation))]
    made = type("Returned", (ctypes.Structure,), {"_fields_": fields})
    return made, lambda found: tuple(getattr(found, name) for name, _ in fields)
