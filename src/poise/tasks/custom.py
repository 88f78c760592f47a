"""Tasks that users write in plain Python.

The kernel calls a function by its address (see `kernel.residuals.custom`). That function is made
here, by ctypes, when a task packs itself: it finds the posture, asks the user's functions, checks
what they gave, and writes it where the kernel wants it. Whatever they raise is kept, and ends the
solve.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from poise import kernel
from poise.checking import array
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure, Placements, Posture
from poise.kernel.failures import remember
from poise.kernel.residuals import choice
from poise.kernel.residuals.blocks import KIND, OTHER, START, Blocks
from poise.kernel.residuals.kinds import CHOICE, CUSTOM
from poise.tasks.task import Block, Context, TurningTask, Values, settle

Function = Callable[[Posture, Placements], ArrayLike]

_MOST = 1e12  # squares and sums of what a task gives are still numbers
_STEP = 1e-5  # of central differences: what they leave out and what rounding adds are then alike
_FORWARD_STEP = 3e-8  # of forward differences, likewise
_MANY = 30  # coordinates from which on differences are worth a word
_Numbers = ctypes.POINTER(ctypes.c_double)
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int64, _Numbers, _Numbers, _Numbers, _Numbers, _Numbers, ctypes.c_int64
)


@closed
@dataclass(frozen=True)
class Custom(TurningTask):
    """A task of one's own, written in Python.

    ```python
    def level(posture, places):
        return [places["left_hand"].position[2] - places["right_hand"].position[2]]

    scene.add(tasks.Custom(level, 1), priority=3)
    ```

    Args:
        residual: from a posture and where everything is in it (as `figure.place` gives) to `rows`
            numbers that should be zero, or, for an inequality, not negative. It must be smooth,
            the same for the same posture, and must not change the posture.
        rows: how many numbers.
        jacobian: the derivative, likewise to (rows, n); without one it is found by differences.
        differences: "central", which asks for the residual 2 n times for each derivative and is
            exact to 1e-10 or so, or "forward", n times, to 1e-7.
        unit: "m", or "rad" for angles, which `metres_per_radian` turns into lengths.
        inequality: whether the numbers need only not be negative.

    In a scene of several figures the posture is that of all together, and names are `figure/name`.
    An exception in these functions ends the solve with a `PoiseError` that has it as its cause.
    Such a task is some hundred times slower than others, and in `solve_many` only one at a time is
    computed. It cannot be saved in a scene file.
    """

    has_target: ClassVar[bool] = False

    residual: Function
    rows: int
    jacobian: Function | None = field(default=None, kw_only=True)
    unit: Literal["m", "rad"] = field(default="m", kw_only=True)
    inequality: bool = field(default=False, kw_only=True)
    differences: Literal["central", "forward"] = field(default="central", kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        if not callable(self.residual):
            raise PoiseError(f"the residual of a Custom must be a function, not {self.residual!r}")
        if self.jacobian is not None and not callable(self.jacobian):
            raise PoiseError(f"the jacobian of a Custom must be a function, not {self.jacobian!r}")
        whole = isinstance(self.rows, (int, np.integer)) and not isinstance(self.rows, bool)
        if not whole or self.rows < 1:
            raise PoiseError(
                f"the rows of a Custom must be an integer from 1 on, not {self.rows!r}"
            )
        settle(self, "rows", int(self.rows))
        if self.unit not in ("m", "rad"):
            raise PoiseError(f"the unit of a Custom must be 'm' or 'rad', not {self.unit!r}")
        if not isinstance(self.inequality, (bool, np.bool_)):
            raise PoiseError(
                f"inequality of a Custom must be True or False, not {self.inequality!r}"
            )
        if self.differences not in ("central", "forward"):
            raise PoiseError(
                f"differences of a Custom must be 'central' or 'forward', not {self.differences!r}"
            )

    def __getstate__(self) -> dict[str, Any]:
        """All of it, where its functions can be found again by their names."""
        for function in (self.residual, self.jacobian):
            if not _has_home(function):
                raise PoiseError(
                    f"the custom task {_name(self.residual)!r} cannot be pickled: "
                    f"{getattr(function, '__qualname__', function)} is a lambda, or defined inside "
                    "another function, and another process could not find it by its name; define "
                    "it at the top of a module"
                )
        return dict(vars(self))

    def __copy__(self) -> Self:
        """Itself: it cannot change."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: it cannot change."""
        return self

    def cost(self, figure: Figure) -> Sequence[str]:
        """That differences of many coordinates take long, and what takes less."""
        if self.jacobian is not None or figure.n < _MANY:
            return ()
        is_central = self.differences == "central"
        less = f"; differences='forward' asks {figure.n} times" if is_central else ""
        return (
            f"the custom task {_name(self.residual)!r} has no jacobian, so each derivative asks "
            f"for it {2 * figure.n if is_central else figure.n} times{less}",
        )

    def check(self, context: Context) -> None:
        """Both functions must give what they should in the present posture."""
        try:
            _evaluated(self, context.posture, context.places)
            _differentiated(self, context.posture, context.places)
        except PoiseError:
            raise
        except Exception as error:
            raise PoiseError(_failed(self, error)) from error

    def blocks(self, context: Context) -> list[Block]:
        """One block with the address of a function."""
        callback = Callback(self, context.figure, context.posture.q)
        return [
            Block(
                CUSTOM,
                self.rows,
                np.zeros(0),
                other=callback.address,
                unit=self.unit,
                inequality=bool(self.inequality),
                keep=callback,
            )
        ]


class Callback:
    """The function that the kernel calls for a task, by its address.

    Addresses are a process's own: where it is unpickled or copied it is made anew, and `before` is
    the address that it had.
    """

    def __init__(self, task: Custom, figure: Figure, start: Values, before: int = 0) -> None:
        """Make it; what the task leaves alone is as in the start (n,)."""
        self._parts = task, figure, start
        self._function = _Callback(_called(task, figure, start))
        address = ctypes.cast(self._function, ctypes.c_void_p).value
        assert address is not None
        self.address, self.before = address, before

    def __reduce__(self) -> tuple[Any, ...]:
        """What it is made of."""
        return type(self), (*self._parts, self.address)


def reconnect(blocks: Blocks, kept: Iterable[Any]) -> None:
    """Write the addresses of callbacks that were made anew over those that they had."""
    flat = [each for some in kept for each in (some if isinstance(some, list) else [some])]
    addresses = {each.before: each.address for each in flat if isinstance(each, Callback)}
    for row in blocks.block[:-1]:
        if row[KIND] == CUSTOM:
            row[OTHER] = addresses[int(row[OTHER])]
        elif row[KIND] == CHOICE:
            values = blocks.values[row[START] :]
            for at in choice.starts(values, int(row[OTHER])):
                if values[at + choice.KIND] == CUSTOM:
                    address = int(values[at + choice.OTHER])
                    values[at + choice.OTHER] = addresses[address]


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", function))


def _has_home(function: Any) -> bool:
    """Whether pickle finds a function by its name; what is no plain function pickles itself."""
    if not inspect.isfunction(function) or "cloudpickle" in sys.modules:
        return True  # cloudpickle, which joblib and Dask use, writes functions out
    found: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is function


def _failed(task: Custom, error: BaseException) -> str:
    return f"the custom task {_name(task.residual)!r} failed: {type(error).__name__}: {error}"


def _evaluated(task: Custom, posture: Posture, places: Placements) -> Values:
    what = f"what the custom task {_name(task.residual)!r} gives"
    return array(task.residual(posture, places), what, (task.rows,), most=_MOST)


def _differentiated(task: Custom, posture: Posture, places: Placements) -> Values:
    figure = posture.figure
    if task.jacobian is not None:
        what = f"the jacobian of the custom task {_name(task.residual)!r}"
        return array(task.jacobian(posture, places), what, (task.rows, figure.n), most=_MOST)

    def moved(i: int, step: float) -> Values:
        q = posture.q.copy()
        q[i] += step
        return _evaluated(task, figure.posture(q), figure.place(q))

    result = np.zeros((task.rows, figure.n))
    here = _evaluated(task, posture, places) if task.differences == "forward" else None
    for i in range(figure.n):
        if here is None:
            result[:, i] = (moved(i, _STEP) - moved(i, -_STEP)) / (2 * _STEP)
        else:
            result[:, i] = (moved(i, _FORWARD_STEP) - here) / _FORWARD_STEP
    return result


def _called(task: Custom, figure: Figure, start: Values) -> Callable[..., int]:
    """The function for the kernel, which returns 0, or 1 where it failed."""
    tree = figure.packed.tree
    nodes, moving = tree.parent.size, kernel.body.tree.state(tree).coordinate.size

    def call(
        coordinate: Any, rotation: Any, position: Any, residual: Any, matrix: Any, wanted: int
    ) -> int:
        try:
            q = start.copy()  # a parameter that drives nothing stays as it is
            q[:moving] = _array(coordinate, moving)
            posture = figure.posture(q)
            where = _array(rotation, nodes, 9).copy(), _array(position, nodes, 3).copy()
            places = Placements(figure, *where)
            _array(residual, task.rows)[:] = _evaluated(task, posture, places)
            if wanted:
                _array(matrix, task.rows, figure.n)[:] = _differentiated(task, posture, places)
        except PoiseError as error:
            remember(str(error), error)
        except BaseException as error:  # Ctrl-C, too: here it would be lost
            remember(_failed(task, error), error)
        else:
            return 0
        return 1

    return call


def _array(pointer: Any, *shape: int) -> Values:
    if 0 in shape:
        return np.zeros(shape)
    return np.ctypeslib.as_array(pointer, shape)
