"""One packed problem, solved again and again as a target moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.scene import Options, Scene, Solution
from poise.scene.solving import Prepared, prepare
from poise.solvers import DEFAULT, Solver, following, solver
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem
from poise.studio.anchoring import anchored
from poise.studio.dragging.compromise import Compromise
from poise.studio.dragging.grabbed import Grabbed
from poise.studio.dragging.parts import Parts
from poise.tasks.task import Context, Task

Values = NDArray[np.float64]

CALM = 0.024
"""So far (rad) the body goes at once, even where its goal stands still …"""
BRISK = 5.0
"""… and so much more for each metre, or radian, that the goal has moved."""
METRES = 0.5
"""So far (m) a part of the body goes where a joint would turn by one radian. For a centimetre of
the goal no part then goes farther than 4.4 cm, with `_MORE`."""
STILL = 1e-7
"""A posture that moves by less than this (rad or m) has come to rest."""

_SHORTENINGS, _MORE = 8, 0.2
"""So often a motion that is too long is shortened; it may be longer by this share all the same."""
_ITERATIONS, _FEW = 60, 20
"""Of one solve at most, and where only the way counts: the next goes on from there."""
_STRAIGHT, _BEND = 0.3, 0.5
"""A joint that is as near to its stop as this (rad) is bent by so much (rad) before another way is
looked for: about what a leg needs to become shorter by a centimetre."""
_LIKED = 0.9
"""What criteria have left of a posture elsewhere must be at most this share for it to be taken."""
_GREAT = 1.0
"""A goal that is met by a greater turn of the body (rad) may not be worth it …"""
_WORTH = 0.03
"""… unless the body goes from where it was by about as much as to leave the goal by this (m) more
is worth."""
_ADVANCE = 0.9
"""A motion that is gone in part must come nearer to its end by this share of what it may go."""
_FINE = 1e-7
"""To this (m) tasks are met while dragging: what a coarser solve leaves open would be seen as
jitter from one event to the next."""


class Following:
    """A scene's problem, solved again and again as a target moves, each time from the last."""

    def __init__(self, scene: Scene, anchor: Values | None = None, *, stays: bool = True) -> None:
        """Begin in a scene's posture; the scene is changed as the drag goes on: give a copy.

        Args:
            scene: what is wanted.
            anchor: (n,) the posture near which the body stays, as far as tasks let it; None for
                that in which it begins.
            stays: whether it does; else each solve goes the shortest way.
        """
        self.scene, self._stays = scene, stays
        self.q = scene.q
        self.anchor = self.q.copy() if anchor is None else anchor
        self._moving: Values | None = None
        self.pack()

    def pack(self) -> None:
        """Take over what has changed in the scene; what may move stays as it was chosen."""
        self.scene.q = self.q
        if self.anchor.size != self.q.size:
            self.anchor = self.q.copy()
        self._prepared = self._anchored()
        self.q = self._prepared.start
        # Whatever the method of the scene. Made once: to look one up takes as long as to solve.
        self._anew, self._next = solver(DEFAULT), following(DEFAULT, calm=True)
        told = self.scene.options
        self._fully = replace(
            told,
            tolerance=min(_FINE, told.tolerance),
            max_iterations=min(_ITERATIONS, told.max_iterations),
            max_seconds=None,
            restarts=0,
        )
        self._in_part = replace(self._fully, max_iterations=min(_FEW, told.max_iterations))
        self._outcome: Outcome | None = None
        self._firm: Problem | None = None
        self._bare: Problem | None = None
        self._between: Compromise | None = None
        self._has_compromised, self._is_within = False, False
        self._parts = Parts(self._figure)
        self.rows = {wish.name: i for i, wish in enumerate(self.problem.wishes)}
        if self._moving is not None:
            self.let_move(self._moving)

    def let_move(self, moving: Values | None) -> None:
        """Choose how readily coordinates (n,) move, from 0 (not at all) to 1; None for all of 1."""
        if moving is None and self._moving is None:
            return
        self._moving = moving
        fresh = self._anchored()
        fresh.problem.blocks.values[:] = self.problem.blocks.values
        problem = fresh.problem if moving is None else fresh.moving(moving).problem
        self._prepared = self._prepared._replace(problem=problem)
        self._outcome, self._between = None, None

    def aim(self, name: str, task: Task) -> None:
        """Give a task another target, which must not change what supports the figure."""
        self.problem.retarget(self.rows[name], task)

    def _anchored(self) -> Prepared:
        """The scene with the criterion that keeps the body near the anchor."""
        if not self._stays:
            return prepare(self.scene)
        return prepare(anchored(self.scene, self.anchor, self._strength()))

    def _strength(self) -> Values:
        """How strongly coordinates (n,) are kept near the anchor, where no prior says it."""
        strength = np.ones(self.anchor.size)
        if self._moving is not None:
            ready = self._moving > 0.0
            least = self._moving[ready].min(initial=1.0)
            strength[ready] = (least / self._moving[ready]) ** 2
        return strength

    def solve(self, most: float, *, about: Sequence[str]) -> float:
        """Solve from the last posture; how far the body has moved, see `_size`.

        Near the end of a reach a little of the goal's way may be worth a great turn of the body. A
        motion greater than `most` is gone in part: to a posture on the way there, in which all
        other tasks are met as they were. The next solve goes on from it.

        Args:
            most: how far the body may go (rad, `METRES` for each).
            about: the tasks whose goals are dragged.
        """
        before = self.q
        # After a compromise the goal is likely out of reach still: not much is spent on it.
        self._solve(self._next, self._in_part if self._has_compromised else self._fully)
        goals = self.problem.wishes
        dragged = [name for name in about if name in self.rows]
        self._has_compromised = self._compromise(before, dragged)
        if not self._has_compromised:
            self._look_elsewhere(before)
        wanted = self.q
        for _ in range(_SHORTENINGS):
            size = self._size(before, self.q)
            if size <= (1.0 + _MORE) * most:
                break
            self.q = self._figure.clamp(before + (self.q - before) * (most / size)).q
            # What is dragged is to stay where that brings it, while the others are mended by the
            # least motion: criteria would lead on to where they led before.
            for name in dragged:
                self.aim(name, self._here(goals[self.rows[name]].task))
            self._solve(self._anew, self._fully, self._without_criteria())
            self._outcome = None
        for name in dragged:
            self.aim(name, goals[self.rows[name]].task)
        left = self._size(self.q, wanted)
        if not self._has_compromised:
            self._is_within = False
        elif left > STILL:
            # To go now the one way and now the other would be seen as jitter.
            advance = self._size(before, wanted) - left
            self._is_within = self._is_within or advance < _ADVANCE * most
            if self._is_within:
                self._go_within(before, most)
        return self._size(before, self.q)

    def _compromise(self, before: Values, dragged: Sequence[str]) -> bool:
        """Leave a goal that is not met, or by a great turn of the body only; whether that is done.

        What comes in place of the last solve is as near to the goal as is worth its while.
        """
        outcome, far = self._outcome, self.q
        if outcome is None or not self._stays:
            return False
        is_met = outcome.status == "solved"
        if not is_met:
            sizes = self.problem.sizes(outcome.residual)
            is_met = bool(self.problem.met(sizes, self.scene.options.tolerance).all())
        if is_met and self._size(before, far) <= _GREAT:
            return False
        tasks = {name: self.problem.wishes[self.rows[name]].task for name in dragged}
        grabbed = {name: task for name, task in tasks.items() if isinstance(task, Grabbed)}
        if not grabbed or len(grabbed) < len(tasks):
            return False
        if self._between is None:
            scene = anchored(self.scene, self.anchor, self._strength())
            self._between = Compromise(scene, grabbed, self._moving)
        between = self._between
        between.aim(grabbed)
        self.q = before
        cost = between.cost(self._solve(self._anew, self._fully, between.problem))
        self._outcome = None
        if is_met and between.cost_at(far, _FINE) <= cost + 0.5 * _WORTH**2:
            self.q, self._outcome = far, outcome
            return False
        return True

    def _go_within(self, before: Values, most: float) -> None:
        """Go from a posture (n,) towards a compromise as far as may be, each coordinate for itself.

        So the body comes on where the straight way leads off what pins and balance allow, and to
        mend that leads back.
        """
        if self._between is None:
            return
        width = most
        for _ in range(_SHORTENINGS):
            self.q = before
            self._solve(self._within(width), self._fully, self._between.problem)
            size = self._size(before, self.q)
            if size <= (1.0 + _MORE) * most:
                break
            width *= most / size
        self._outcome = None

    def _within(self, width: float) -> Solver:
        """Solves where no coordinate goes farther (rad or m) from the start."""

        def solve(problem: Problem, start: Values, **ending: Unpack[Ending]) -> Outcome:
            options = {"window": (start - width, start + width)}
            return self._anew.run(problem, start, ending, options)

        return solve

    def _look_elsewhere(self, before: Values) -> None:
        """Where joints are straight that may move most, look whether they had better be bent.

        A straight leg does not become shorter by small steps: the pelvis would be raised for a foot
        that is lifted. So a solve from a bent one takes the place of the last, if it meets as much
        and the criteria like it better.
        """
        metric, (low, high) = self.problem.metric, self._figure.bounds.box
        inward = np.where(before - low < _STRAIGHT, _BEND, 0.0)
        inward -= np.where(high - before < _STRAIGHT, _BEND, 0.0)
        inward[metric < metric.max(initial=0.0)] = 0.0
        if not inward.any():
            return
        calm, outcome = self.q, self._outcome
        self.q = self._figure.clamp(before + inward).q
        self._solve(self._anew, self._fully)
        if not self._is_better(outcome):
            self.q, self._outcome = calm, outcome

    def _is_better(self, other: Outcome | None) -> bool:
        """Whether the last solve has met what another has, and criteria like it better."""
        if other is None or self._outcome is None:
            return False
        tolerance, problem = self.scene.options.tolerance, self.problem
        own, others = (problem.levels(each.residual) for each in (self._outcome, other))
        tasks = len(problem.level_priorities)
        gains = np.maximum(others[:tasks], tolerance) - np.maximum(own[:tasks], tolerance)
        apart = np.flatnonzero(np.abs(gains) > tolerance)
        if apart.size:
            return bool(gains[apart[0]] > 0.0)
        return bool(own[tasks:].sum() < _LIKED * others[tasks:].sum())

    def _size(self, before: Values, after: Values) -> float:
        """How far the body has moved between two postures (rad).

        The coordinate that has moved most (rad or m), or the part, `METRES` for one radian.
        """
        turned = float(np.abs(after - before).max(initial=0.0))
        return max(turned, self._parts.farthest(before, after) / METRES)

    def ease(self, most: float) -> float:
        """Solve after something else than a goal has moved; how far the body has moved.

        What the last solve knew does not hold for a posture that was set, and would lead astray.
        A motion greater than `most` (rad) is gone in part, to a posture in which the tasks of
        the first priority are met as well as they can be: the feet stay, while the rest takes some
        steps more to come to where it would be at once.
        """
        before = self.q
        self._solve(self._anew, self._in_part)
        size = self._size(before, self.q)
        if size > (1.0 + _MORE) * most and len(self.problem.priorities) > 1:
            self.q = self._figure.clamp(before + (self.q - before) * (most / size)).q
            self._solve(self._anew, self._in_part, self._first_priority())
            self._outcome = None
        return self._size(before, self.q)

    def _first_priority(self) -> Problem:
        """The problem of the most important tasks alone, with what may move now."""
        if self._firm is None:
            first = self.problem.priorities[0]
            self._firm = self._tasks(lambda priority: priority == first)
        return replace(self._firm, metric=self.problem.metric)

    def _without_criteria(self) -> Problem:
        """The problem of all tasks with their goals as they are now, and what may move now."""
        if self._bare is None:
            self._bare = self._tasks(lambda priority: priority is not None)
        values = self._bare.blocks.values
        values[:] = self.problem.blocks.values[: values.size]
        self._bare.metric[:] = self.problem.metric
        return self._bare

    def _tasks(self, chosen: Callable[[int | None], bool]) -> Problem:
        """The problem of some tasks, by their priority, and of no criteria."""
        scene = self.scene.copy()
        if scene.natural:
            scene.natural = False
        for handle in scene.handles.values():
            if not chosen(handle.priority):
                handle.enabled = False
        return prepare(scene).problem

    def _solve(self, solve: Solver, options: Options, problem: Problem | None = None) -> Outcome:
        prepared = self._prepared if problem is None else self._prepared._replace(problem=problem)
        prepared.problem.scratch["is_calm"] = True  # nothing is looked for elsewhere
        outcome = prepared.solve(solve, options, start=self.q)
        self.q, self._outcome = outcome.q.copy(), outcome
        return outcome

    @property
    def problem(self) -> Problem:
        """What is solved, with the goals as they are now."""
        return self._prepared.problem

    @property
    def _figure(self) -> Figure:
        return self.problem.figure

    def _here(self, task: Task) -> Task:
        """A task with its goal where the posture is."""
        posture = self._figure.posture(self.q)
        places = self._figure.place(posture)
        if isinstance(task, Grabbed):
            return task.with_target(places.segment(task.segment).apply(task.point))
        parts = self._prepared.ensemble.parts
        context = Context(self._figure, posture, places, self.problem.supports, parts=parts)
        return task.with_target(None).resolved(context)

    def solution(self) -> Solution:
        """How all tasks stand after the last solve."""
        tolerance = self.scene.options.tolerance
        if self._outcome is None:
            self.scene.q = self.q
            return self.scene.assess()
        outcome = self._outcome._replace(q=self.q.copy())
        return self._prepared.report(outcome, tolerance)
