"""What solutions hand out: postures that cannot be written, and reports by number or by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.closed import closed
from poise.errors import ClosedError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.posture import keeping

if TYPE_CHECKING:
    from poise.scene.solution import Report


@closed
class FoundPosture(Posture):
    """The posture of a solution: it can be read, not written; `copy` gives one that can be both."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As it was; arrays that are read from a pickle, or copied, can be written."""
        vars(self).update(state, _q=read_only(state["_q"]))

    @property
    def q(self) -> NDArray[np.float64]:
        """The values (n,), to be read."""
        return self._q

    @q.setter
    def q(self, q: ArrayLike) -> None:
        _refuse()

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        """Raise: what else a solution says would not change with it."""
        _refuse()

    def set_angles(self, name: str, **angles: float) -> None:
        """Raise, as setting does."""
        _refuse()


def found_posture(figure: Figure, q: NDArray[np.float64]) -> FoundPosture:
    """The posture with values (n,) that a solver found, and that nobody will write."""
    return keeping(read_only(q), figure, FoundPosture)


def _refuse() -> NoReturn:
    raise ClosedError(
        "the posture of a solution is read-only",
        code="; copy it: posture = solution.posture.copy()",
    )


def read_only(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same array, not to be written."""
    view = values.view()
    view.setflags(write=False)
    return view


class Reports(tuple["Report", ...]):
    """Reports of tasks, in order of priority: by number, or by the name of the task."""

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Report: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Report, ...]: ...
    def __getitem__(self, key: SupportsIndex | slice | str) -> Report | tuple[Report, ...]:
        """A report, or several; a name that no task has is an error that says the nearest."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for report in self:
            if report.name == key:
                return report
        raise unknown_name("task", key, [report.name for report in self], "the solution")

    def __contains__(self, key: object) -> bool:
        """Whether a report is there, or one of a task of that name."""
        if isinstance(key, str):
            return any(report.name == key for report in self)
        return super().__contains__(key)
