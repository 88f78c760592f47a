"""poise, as other solvers are asked: a packed problem, and the public loop."""

from __future__ import annotations

import poise
from peers.asked import Goals, Problem, Values
from peers.loop import METRES_PER_RADIAN, TOLERANCE
from poise.figure import Transform
from poise.solvers import lex
from poise.solvers.problem import Wish, pack
from poise.tasks import Frame, Position, Task


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
        self._scene.posture = self._scene.solve(restarts=0).posture

    @property
    def q(self) -> Values:
        return self._scene.posture.q

    def place(self, frame: str) -> Transform:
        return self._scene.places[frame]


def _rank(problem: Problem, frame: str) -> int:
    return 2 if problem.first and frame not in problem.first else 1
