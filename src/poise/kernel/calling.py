"""Python functions called from compiled code, by address.

A function pointer that ctypes makes takes the interpreter's lock by itself, so that it can be
called from threads that have released it. Its address is a number like others, and what is
compiled here can be kept between runs.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from poise.kernel.compiling import compiled
from poise.kernel.failures import CustomError

_WORD = ir.IntType(64)


def _called(context, address, coordinate, rotation, position, residual, matrix, wanted):
    """Call the function at an address with six numbers (addresses of arrays, a flag)."""
    word = types.int64
    signature = word(word, *(types.uintp,) * 5, word)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = ir.FunctionType(_WORD, [_WORD] * 6)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        return builder.call(pointer, arguments[1:])

    return signature, generate


_call: Any = intrinsic(_called)


@compiled
def custom_residual(address, state, e, A, wanted):
    """A residual by a function written in Python: see `tasks.custom`. Raises where it fails."""
    failed = _call(
        address,
        state.coordinate.ctypes.data,
        state.rotation.ctypes.data,
        state.position.ctypes.data,
        e.ctypes.data,
        A.ctypes.data,
        int(wanted),
    )
    if failed != 0:
        raise CustomError
