"""One pass over a list of goals, in this process or in a worker's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from lines import Worker

from peers.asked import Coordinates, Goals, Problem, Solver, Values
from peers.worker import Asked, RefusedError
from poise.figure import Transform


@dataclass(frozen=True)
class Pass:
    """The postures that a solver found for a list of goals, and its seconds for each."""

    q: Values
    seconds: Values


class Runner(Protocol):
    """A solver with one problem, wherever it runs."""

    def run(self, goals: Sequence[Goals], starts: Values | None = None) -> Pass:
        """Solve all once, each from the posture before or each from rest, as the problem says.

        Args:
            goals: one problem after the other.
            starts: (problems, n) postures to start from, in place of rest; only where the problem
                is not warm.
        """
        ...

    def places(self, q: Values) -> dict[str, Transform]:
        """Where the frames are by the solver's own forward kinematics."""
        ...


Maker = Callable[[Problem], Runner]
"""Gives a solver a problem; raises `RefusedError` if it can't do such."""


class Here:
    """A solver in this process."""

    def __init__(self, make: type[Solver], problem: Problem) -> None:
        self._solver = make(problem)
        self._problem = problem

    def run(self, goals: Sequence[Goals], starts: Values | None = None) -> Pass:
        starts = begun(self._problem, len(goals), starts)
        postures = np.empty_like(starts)
        seconds = np.empty(len(goals))
        for i, goal in enumerate(goals):
            if i == 0 or not self._problem.warm:
                self._solver.start(starts[i])
            before = time.perf_counter()
            self._solver.solve(goal)
            seconds[i] = time.perf_counter() - before
            postures[i] = self._solver.q
        return Pass(postures, seconds)

    def places(self, q: Values) -> dict[str, Transform]:
        self._solver.start(q)
        return {frame: self._solver.place(frame) for frame in self._problem.frames}


class There:
    """A solver in a worker process; `worker.py` says what crosses and how."""

    def __init__(self, worker: Worker, problem: Problem) -> None:
        """Hand the problem over.

        Args:
            worker: the process.
            problem: what is asked.

        Raises:
            RefusedError: if the solver can't do such a problem.
        """
        self._worker, self._problem = worker, problem
        handed = exported(problem)
        at = {name: 7 + i for i, name in enumerate(handed.joints)}
        self._coordinates = Coordinates(problem.figure, at, real_first=True)
        answer = worker.ask(do="take", problem=handed.document())
        if "refused" in answer:
            raise RefusedError(answer["refused"])

    def run(self, goals: Sequence[Goals], starts: Values | None = None) -> Pass:
        names = ("goals", "starts", "postures")
        paths = {name: str(self._problem.folder / f"{name}.npy") for name in names}
        np.save(paths["goals"], matrices(goals, self._problem.frames))
        begins = begun(self._problem, len(goals), starts)
        np.save(paths["starts"], np.array([self._coordinates.theirs(each) for each in begins]))
        answer = self._worker.ask(do="run", **paths)
        postures = [self._coordinates.ours(each) for each in np.load(paths["postures"])]
        return Pass(np.array(postures), np.array(answer["seconds"]))

    def places(self, q: Values) -> dict[str, Transform]:
        posture = self._coordinates.theirs(q)
        places = np.array(self._worker.ask(do="place", posture=posture.tolist())["places"])
        return {
            frame: Transform(place[:3, :3], place[:3, 3])
            for frame, place in zip(self._problem.frames, places, strict=True)
        }


def begun(problem: Problem, count: int, starts: Values | None) -> Values:
    """The postures (count, n) from which problems start; rest where none are given."""
    if starts is None:
        return np.tile(problem.figure.rest().q, (count, 1))
    if problem.warm:
        raise ValueError("a warm problem starts from the posture before, not from starts")
    if starts.shape != (count, problem.figure.n):
        raise ValueError(f"starts of shape {starts.shape} for {count} problems")
    return starts.copy()


def exported(problem: Problem) -> Asked:
    """A problem as those who have no poise can read it."""
    figure = problem.figure
    hinges = np.array(figure.coordinates)[~figure.root_coordinates]
    return Asked(
        folder=problem.folder,
        frames=list(problem.frames),
        first=list(problem.first),
        turns=problem.turns,
        warm=problem.warm,
        cap=problem.cap,
        joints=[str(name).partition(".")[0] for name in hinges],
    )


def matrices(goals: Sequence[Goals], frames: Sequence[str]) -> Values:
    """Goals as an array (problems, frames, 4, 4)."""
    result = np.tile(np.eye(4), (len(goals), len(frames), 1, 1))
    for i, goal in enumerate(goals):
        for j, frame in enumerate(frames):
            result[i, j, :3, :3] = goal[frame].rotation
            result[i, j, :3, 3] = goal[frame].position
    return result
