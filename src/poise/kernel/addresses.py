"""Tuples of arrays, and how a whole tuple crosses into compiled code at once.

Problems and workspaces are named tuples of arrays, nested. Given as they are, numba would unpack
every array at every call from Python, some 0.3 µs each, and count references to it wherever
compiled code makes a slice. So a tuple's addresses are written down once, and compiled code makes
the arrays from them, without an owner to count. Whoever has the addresses keeps the tuple alive.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, get_type_hints

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2

_KINDS: dict[Any, types.Array] = {
    Floats: types.Array(types.float64, 1, "C"),
    Floats2: types.Array(types.float64, 2, "C"),
    Floats3: types.Array(types.float64, 3, "C"),
    Ints: types.Array(types.int64, 1, "C"),
    Ints2: types.Array(types.int64, 2, "C"),
}


def addresses(arrays: tuple[Any, ...]) -> NDArray[np.int64]:
    """Address and shape of every array of a nested tuple, for what `made_of` makes."""
    numbers: list[int] = []
    for array, (kind, dtype) in zip(_flat(arrays), _flat_kinds(type(arrays)), strict=True):
        # As `numba.typeof` would say, which takes long.
        if (array.dtype, array.ndim) != (dtype, kind.ndim) or not array.flags.carray:
            raise PoiseError(f"a kernel wants {kind}, but got {numba.typeof(array)}")
        numbers += [array.ctypes.data, *array.shape]
    return np.array(numbers, np.int64)


def made_of(cls: type[tuple[Any, ...]]) -> Any:
    """A function for compiled code: makes a tuple of this class from its `addresses`."""
    kind = _kind_of(cls)

    @intrinsic
    def make(_: Any, numbers: Any) -> Any:
        if numbers != types.Array(types.int64, 1, "C"):
            return None  # which numba reports as a call that does not fit

        def codegen(context: Any, builder: Any, _: Any, given: Any) -> Any:
            table = arrayobj.make_array(numbers)(context, builder, given[0])
            made, _ = _made(context, builder, kind, table.data, 0)
            return made

        return kind(numbers), codegen

    return make


def _flat(arrays: Any) -> Iterator[NDArray[Any]]:
    for part in arrays:
        if isinstance(part, tuple):
            yield from _flat(part)
        else:
            yield part


@cache
def _flat_kinds(cls: Any) -> list[tuple[types.Array, np.dtype[Any]]]:
    return [(kind, as_dtype(kind.dtype)) for kind in _arrays_of(_kind_of(cls))]


def _arrays_of(kind: types.NamedTuple) -> Iterator[types.Array]:
    for part in kind.types:
        if isinstance(part, types.NamedTuple):
            yield from _arrays_of(part)
        else:
            yield part


def _kind_of(cls: Any) -> types.NamedTuple:
    """numba's type of a named tuple of arrays, from its annotations."""
    hints = get_type_hints(cls, include_extras=True)
    parts = [_KINDS[hint] if hint in _KINDS else _kind_of(hint) for hint in hints.values()]
    return types.NamedTuple(parts, cls)


def _made(context: Any, builder: Any, kind: Any, numbers: Any, at: int) -> tuple[Any, int]:
    """Code that makes a tuple or an array from the numbers from `at` on; where the next begin."""
    if isinstance(kind, types.NamedTuple):
        parts: list[Any] = []
        for part in kind.types:
            made, at = _made(context, builder, part, numbers, at)
            parts.append(made)
        return context.make_tuple(builder, kind, parts), at
    array = arrayobj.make_array(kind)(context, builder)
    word = context.get_value_type(types.intp)

    def number(k: int) -> Any:
        return builder.load(cgutils.gep_inbounds(builder, numbers, k))

    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape = [number(at + 1 + d) for d in range(kind.ndim)]
    strides = [ir.Constant(word, size)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    arrayobj.populate_array(
        array,
        data=builder.inttoptr(number(at), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=ir.Constant(word, size),
        meminfo=None,
    )
    return array._getvalue(), at + 1 + kind.ndim
