"""A residual by a function written in Python (see `tasks.custom`), called by its address.

A function pointer that ctypes makes takes the interpreter's lock by itself, so that it can be
called from threads that have released it.
"""

import ctypes

from poise.kernel.compiling import compiled
from poise.kernel.failures import CustomError

_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 5, ctypes.c_int64)


def call_at(address, coordinate, rotation, position, residual, matrix, wanted):
    """Call the function at an address with the addresses of five arrays, and a flag.

    In compiled code a call through a pointer stands in its place (`building.types`).
    """
    return _FUNCTION(int(address))(coordinate, rotation, position, residual, matrix, wanted)


@compiled
def residual(state, address, e, A, wanted):
    """Let the function write the rows, and their Jacobian if wanted; raises where it fails."""
    failed = call_at(
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
