"""What is asked of every solver, and how one is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure, Transform
from poise.figure.kinds import Free
from poise.figure.transform import quaternion
from poise.formats.placing import from_quaternion

Values = NDArray[np.float64]
Goals = Mapping[str, Transform]


@dataclass(frozen=True)
class Problem:
    """What is asked of every solver: frames, which of them come first, and how long to try."""

    figure: Figure
    folder: Path
    """Where person.xml, person.urdf and floating.urdf are."""
    frames: Sequence[str]
    first: Sequence[str]
    """Frames that are ranked above the others; none where all are one level."""
    turns: bool
    """Whether the frames' rotations count."""
    warm: bool
    """Whether each list of goals starts from the posture before, or else from rest."""
    cap: int
    """Steps at most."""


class Solver(Protocol):
    """One solver with one problem."""

    def __init__(self, problem: Problem) -> None: ...

    def start(self, q: Values) -> None:
        """Take our coordinates as the posture from which the next solve starts."""
        ...

    def solve(self, goals: Goals) -> None:
        """Go from the posture that there is towards goals."""
        ...

    @property
    def q(self) -> Values:
        """The posture, in our coordinates."""
        ...

    def place(self, frame: str) -> Transform:
        """Where a frame is by the solver's own forward kinematics."""
        ...


class Coordinates:
    """Between our coordinates and a vector with x y z, a quaternion, and hinges somewhere."""

    def __init__(self, figure: Figure, at: Mapping[str, int], *, real_first: bool) -> None:
        """Find out where each coordinate stands.

        Args:
            figure: ours, of a free root and hinges.
            at: where the hinge of a joint stands in the other vector.
            real_first: whether quaternions are w x y z.
        """
        self._order = [3, 4, 5, 6] if real_first else [6, 3, 4, 5]
        self._root = figure.root_coordinates
        joints = [name.partition(".")[0] for name in np.array(figure.coordinates)[~self._root]]
        self._at = np.array([at[name] for name in joints])

    def theirs(self, q: Values) -> Values:
        result = np.zeros(7 + self._at.size)
        place = Free().motion(q[self._root])
        result[:3] = place.position
        result[self._order] = quaternion(place.rotation)
        result[self._at] = q[~self._root]
        return result

    def ours(self, values: Values) -> Values:
        q = np.zeros(self._root.size)
        place = Transform(from_quaternion(values[self._order]), np.array(values[:3]))
        q[self._root] = Free().values(place)
        q[~self._root] = values[self._at]
        return q
