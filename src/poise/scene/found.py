"""What solutions hand out: postures that cannot be written, and reports by number or by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.closed import closed
from poise.errors import ClosedError, unknown_name
from poise.figure import Posture

if TYPE_CHECKING:
    from poise.scene.solution import Report


@closed
class FoundPosture(Posture):
    """The posture of a solution: it can be read, not written; `copy` gives one that can be both."""

    @property
    def q(self) -> NDArray[np.float64]:
        """The values (n,), to be read."""
        return read_only(self._q)

    @q.setter
    def q(self, q: ArrayLike) -> None:
        _refuse()

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        """Raise: what else a solution says would not change with it."""
        _refuse()

    def set_angles(self, name: str, **angles: float) -> None:
        """Raise, as setting does."""
        _refuse()


def _refuse() -> NoReturn:
    raise ClosedError(
        "the posture of a solution is read-only",
        code="; copy it: posture = solution.posture.copy()",
    )


def read_only(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same array, not to be written."""
    view = values.view()
    view.flags.writeable = False
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
