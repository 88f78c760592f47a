"""What is asked of every solver, how one is asked, and ours.

All but ours solve one linearised step at a time and leave the loop to the user. Theirs is
`repeated`, the same for all: step until every goal is met to 0.1 mm (angles count half a metre per
radian), until three steps in a row have lowered the error by less than a ten-thousandth, or until
the cap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import poise
from poise.figure import Figure, Transform
from poise.figure.kinds import Free
from poise.figure.transform import quaternion
from poise.formats.placing import from_quaternion
from poise.solvers import lex
from poise.solvers.problem import Wish, pack
from poise.tasks import Frame, Position, Task

Values = NDArray[np.float64]
Goals = Mapping[str, Transform]

TOLERANCE, METRES_PER_RADIAN = 1e-4, 0.5
SLOW, PATIENCE = 1e-4, 3


@dataclass(frozen=True)
class Problem:
    """What is asked of every solver: frames, which of them come first, and how long to try."""

    figure: Figure
    folder: Path
    """Where person.urdf and person.xml are."""
    frames: Sequence[str]
    first: Sequence[str]
    """Frames that are ranked above the others; none where all are one level."""
    turns: bool
    """Whether the frames' rotations count."""
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


def repeated(step: Callable[[], None], error: Callable[[], float], cap: int) -> None:
    """The loop of the peers."""
    before, idle = error(), 0
    for _ in range(cap):
        if before <= TOLERANCE or idle >= PATIENCE:
            return
        step()
        after = error()
        idle = idle + 1 if before - after < SLOW * before else 0
        before = after


# ours -----------------------------------------------------------------------------------------


def _task(problem: Problem, frame: str, goal: Transform) -> Task:
    return Frame(frame, goal) if problem.turns else Position(frame, goal.position)


class Kernel:
    """poise, a packed problem: what a program that follows a motion does."""

    def __init__(self, problem: Problem) -> None:
        rest = problem.figure.rest()
        places = problem.figure.place(rest)
        wishes = [
            Wish(frame, _task(problem, frame, places[frame]), _rank(problem, frame))
            for frame in problem.frames
        ]
        self._asked = problem
        self._problem = pack(problem.figure, rest, wishes)
        self._q, self._warm = rest.q, False

    def start(self, q: Values) -> None:
        self._q, self._warm = q, False

    def solve(self, goals: Goals) -> None:
        for i, wish in enumerate(self._problem.wishes):
            goal = goals[wish.name]
            parts = [goal.position, goal.rotation.ravel()] if self._asked.turns else [goal.position]
            self._problem.aim(i, parts)
        outcome = lex.solve(
            self._problem,
            self._q,
            tolerance=TOLERANCE,
            max_iterations=200,
            max_seconds=None,
            warm=self._warm,
        )
        self._q, self._warm = outcome.q, True

    @property
    def q(self) -> Values:
        return self._q

    def place(self, frame: str) -> Transform:
        return self._asked.figure.place(self._q)[frame]


class Scene:
    """poise, `Scene.solve`: what a user does."""

    def __init__(self, problem: Problem) -> None:
        self._asked = problem
        self._scene = poise.Scene(problem.figure, metres_per_radian=METRES_PER_RADIAN)
        places = self._scene.places
        self._handles = {
            frame: self._scene.add(
                _task(problem, frame, places[frame]), priority=_rank(problem, frame)
            )
            for frame in problem.frames
        }

    def start(self, q: Values) -> None:
        self._scene.posture = q

    def solve(self, goals: Goals) -> None:
        for frame, handle in self._handles.items():
            handle.target = goals[frame] if self._asked.turns else goals[frame].position
        self._scene.posture = self._scene.solve().posture

    @property
    def q(self) -> Values:
        return self._scene.posture.q

    def place(self, frame: str) -> Transform:
        return self._scene.places[frame]


def _rank(problem: Problem, frame: str) -> int:
    return 2 if problem.first and frame not in problem.first else 1


# others -----------------------------------------------------------------------------------------


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
