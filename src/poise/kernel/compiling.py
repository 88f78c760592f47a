"""How kernel functions are marked: what is compiled, and what Python calls.

The functions are compiled ahead of time, all together (`poise.building`). One that Python calls is
an *entry*: calling it calls the compiled one, in the library that `kernel.library` finds or has
built. Any other kernel stays the Python function that it is; compiled code calls the compiled one.
With POISE_INTERPRET=1 entries, too, stay Python: for debugging, coverage and teaching.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])


class Marks(NamedTuple):
    """How a kernel function is to be compiled."""

    is_entry: bool
    """Whether Python calls it; its parameters and result are annotated."""
    exact: bool
    """Whether the order of additions is kept."""
    allocates: bool
    """Whether it makes arrays."""


def marks_of(function: Any) -> Marks | None:
    """How a kernel function is marked; None for what is none."""
    return getattr(function, "__kernel__", None)


def is_interpreted() -> bool:
    """Whether kernels run as plain Python."""
    return os.environ.get("POISE_INTERPRET", "0") not in ("", "0")


@overload
def compiled(function: Function, /) -> Function: ...
@overload
def compiled(*, exact: bool = False, allocates: bool = False) -> Callable[[Function], Function]: ...
def compiled(function: Any = None, /, *, exact: bool = False, allocates: bool = False) -> Any:
    """Mark a kernel function that other kernels call: `@compiled` or `@compiled(exact=True)`.

    Arithmetic may be reassociated and contracted, NaN and infinity stay honest, and division by
    zero gives them (it does not raise).

    Args:
        function: the function, when the decorator is used bare.
        exact: keep the order of additions, where the rounding errors matter.
        allocates: the function makes arrays. Others don't count references to the ones that they
            are given and cut up, which saves a fifth of the time of what cuts up many.
    """
    marks = Marks(is_entry=False, exact=exact, allocates=allocates)
    return functools.partial(_mark, marks) if function is None else _mark(marks, function)


@overload
def entry(function: Function, /) -> Function: ...
@overload
def entry(*, exact: bool = False, allocates: bool = False) -> Callable[[Function], Function]: ...
def entry(function: Any = None, /, *, exact: bool = False, allocates: bool = False) -> Any:
    """Mark a kernel function that Python calls, too; the same as `compiled` otherwise.

    Its parameters are annotated: arrays in C order (`kernel.arrays`), named tuples of these, float,
    int or bool. It returns one of the last three, a tuple of them, or None.
    """
    marks = Marks(is_entry=True, exact=exact, allocates=allocates)
    return functools.partial(_mark, marks) if function is None else _mark(marks, function)


def _mark(marks: Marks, function: Any) -> Any:
    function.__kernel__ = marks
    if not marks.is_entry or is_interpreted():
        return function
    from poise.kernel.calls import Entry

    return Entry(function)
