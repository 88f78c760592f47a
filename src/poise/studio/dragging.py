"""Dragging: a goal that moves, and a figure that follows while it does.

A drag works on a copy of the scene and on one packed problem of its own, of which only the target
changes from event to event; the document gets the result when it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import Vec3, vector
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Transform
from poise.figure.transform import rotation_matrix
from poise.kernel.blocks import POINT
from poise.scene import Scene, Solution
from poise.solvers import following, solver
from poise.solvers.outcome import Outcome
from poise.studio.document import Document
from poise.studio.limbs import chain_of, limb_chain
from poise.studio.symmetry import Mirror, image_on, other_side
from poise.tasks.task import Block, Context, Task, rides, settle

Values = NDArray[np.float64]

DRAG = "· drag"
"""The name of the temporary task; reports leave it out."""

_LEAD = 0.08
"""How far (m) the goal of a solve may run ahead of the point that follows."""
_BUDGET = 0.002
"""So long (s) one event may go on solving before its posture is sent."""
_ITERATIONS = 60
"""Of one solve at most: the next goes on from there."""
_FINE = 1e-7
"""To this (m) tasks are met while dragging: what a coarser solve leaves open would be seen as
jitter from one event to the next."""
_CALM = 0.015
"""So far (rad or m) a coordinate goes at once, even where its goal stands still …"""
_BRISK = 5.0
"""… and so much more for each metre, or radian, that the goal has moved."""
_STILL = 1e-7
"""A posture that moves by less than this (rad or m) has come to rest."""


@dataclass(frozen=True)
class Motion:
    """What a drag event says: where to, how turned (w x y z), and which event it was."""

    point: Vec3 | None = None
    rotation: tuple[float, float, float, float] | None = None
    sequence: int = 0

    def place(self, now: Transform) -> Transform:
        """The place that is meant, as far as it is said; else as now."""
        position = now.position if self.point is None else np.array(self.point)
        rotation = now.rotation if self.rotation is None else turned(self.rotation)
        return Transform(rotation, position)


def turned(quaternion: Sequence[float]) -> Values:
    """The rotation matrix of a quaternion w x y z of any length but zero."""
    w, *xyz = quaternion
    sine = float(np.linalg.norm(xyz))
    if max(sine, abs(w)) < 1e-9:
        raise PoiseError("a rotation must not be all zero")
    angle = 2.0 * float(np.arctan2(sine, w))
    return rotation_matrix(np.array(xyz) * (angle / sine if sine > 1e-12 else 0.0))


@dataclass(frozen=True)
class Grabbed(Task):
    """A point of a segment (m, in its frame) against a point of the world: e = x − g, three rows.

    Unlike `Position` it needs no site: any point of the surface can be taken hold of.
    """

    has_target: ClassVar[bool] = True
    segment: str
    point: Vec3
    target: Any

    def check(self, context: Context) -> None:
        """The segment must be there."""
        if self.segment not in context.figure.segments:
            raise unknown_name("segment", self.segment, context.figure.segments)

    def checked_target(self, target: Any) -> Any:
        """A point."""
        return vector(target, "where the point is dragged")

    def with_target(self, target: Any) -> Self:
        """The same with another target."""
        return self.at(self.checked_target(target))

    def at(self, target: Vec3) -> Self:
        """The same with a target that is a point for sure."""
        other = copy(self)
        settle(other, "target", target)
        return other

    def goals(self) -> tuple[ArrayLike, ...]:
        """The point."""
        return (self.target,)

    def blocks(self, context: Context) -> list[Block]:
        """One block."""
        node, place = context.figure.packed.segments[self.segment]
        numbers = [place.apply(self.point), self.target, np.eye(3).ravel(), np.zeros(3)]
        return [Block(POINT, 3, np.concatenate(numbers), node, target=3)]


class Drag(Protocol):
    """Something that is dragged."""

    title: str
    """What the undo step is called."""
    q: Values
    """All coordinates as they are now."""
    sequence: int
    """The last event that was heeded."""
    recruited: list[str]
    """The joints and groups that may move."""
    trace: list[Vec3]
    """Where the dragged point has been."""
    has_moved: bool
    """Whether there was any event with a goal: without one it was a mere click."""
    only_posture: bool
    """Whether nothing but the posture changes."""

    def aim(self, motion: Motion) -> None:
        """Take a new goal."""
        ...

    def step(self) -> bool:
        """Solve for it; True when nothing moves any more."""
        ...

    def solution(self) -> Solution:
        """How all tasks stand."""
        ...

    def scene(self) -> Scene:
        """The scene as it would be if the drag ended now, but for the posture."""
        ...

    def recruit(self, count: int | None) -> None:
        """Let so many joints up the chain move."""
        ...

    def finish(self, document: Document) -> None:
        """Let the document have what came of it."""
        ...


class _Following:
    """A scene's problem, solved again and again as a target moves, each time from the last."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.q = scene.q
        self._moving: Values | None = None
        self._pack()

    def _pack(self) -> None:
        """Pack the scene as it is now; what may move stays as it was chosen."""
        self.scene.q = self.q
        self._ensemble, self._problem, self.q, self._notes = self.scene.prepared()
        self._step = np.zeros_like(self.q)
        self._outcome: Outcome | None = None
        self.rows = {wish.name: i for i, wish in enumerate(self._problem.wishes)}
        if self._moving is not None:
            self.let_move(self._moving)

    def let_move(self, moving: Values | None) -> None:
        """Choose the coordinates (n,) that may move, by 1 and 0; None for all."""
        if moving is None and self._moving is None:
            return
        self._moving = moving
        problem = self.scene.prepared()[1]
        problem.blocks.values[:] = self._problem.blocks.values
        metric = problem.metric if moving is None else problem.metric * moving
        self._problem = replace(problem, metric=metric)
        self._outcome = None

    def aim(self, name: str, task: Task) -> None:
        """Give a task another target, which must not change what supports the figure."""
        self._problem.aim(self.rows[name], task.goals())
        wishes = list(self._problem.wishes)
        wishes[self.rows[name]] = replace(wishes[self.rows[name]], task=task)
        self._problem.wishes = wishes

    def pack_again(self) -> None:
        """Take over what has changed in the scene."""
        self._pack()

    def solve(self, most: float, *, about: Sequence[str]) -> float:
        """Solve from the last posture; how far the coordinate that moved most has moved.

        Near the end of a reach a little of the goal's way may be worth a great turn of the body. A
        motion greater than `most` is gone in part: to a posture on the way there, in which all
        other tasks are met as they were. The next solve goes on from it.

        Args:
            most: how far a coordinate may go (rad or m).
            about: the tasks whose goals are dragged.
        """
        before = self.q
        self._solve()
        way = self.q - before
        size = float(np.abs(way).max(initial=0.0))
        if size <= most:
            return size
        self.q = self._figure.clamp(before + way * (most / size)).q
        # What is dragged is to stay where that brings it, while the others are mended.
        goals = self._problem.wishes
        for name in about:
            if name in self.rows:
                task = goals[self.rows[name]].task
                self.aim(name, self._here(task))
        self._solve()
        for name in about:
            if name in self.rows:
                self.aim(name, goals[self.rows[name]].task)
        return float(np.abs(self.q - before).max(initial=0.0))

    def _solve(self) -> None:
        options = self.scene.options
        warm = self._outcome is not None
        solve = following(options.method, self._step) if warm else solver(options.method)
        outcome = solve(
            self._problem,
            self.q,
            tolerance=min(_FINE, options.tolerance),
            max_iterations=min(_ITERATIONS, options.max_iterations),
            max_seconds=None,
        )
        self._step = outcome.q - self.q
        self.q, self._outcome = outcome.q.copy(), outcome

    @property
    def _figure(self) -> Figure:
        return self._problem.figure

    def _here(self, task: Task) -> Task:
        """A task with its goal where the posture is."""
        posture = self._figure.posture(self.q)
        places = self._figure.place(posture)
        if isinstance(task, Grabbed):
            return task.with_target(places.segment(task.segment).apply(task.point))
        context = Context(
            self._figure, posture, places, self._problem.supports, self._ensemble.parts
        )
        return task.with_target(None).resolved(context)

    def solution(self) -> Solution:
        """How all tasks stand after the last solve."""
        tolerance = self.scene.options.tolerance
        if self._outcome is None:
            self.scene.q = self.q
            return self.scene.assess()
        outcome = replace(self._outcome, q=self.q.copy())
        return Solution(self._ensemble, self._problem.twin(), outcome, tolerance, self._notes)


class PointDrag:
    """A point of the body in someone's hand: the temporary task of the lowest priority.

    The goal of a solve runs ahead of the point by a little only. Where the hand cannot reach, that
    changes nothing of where it comes to rest (the pull has the same direction), but the body turns
    towards a goal far away as calmly as towards a near one.
    """

    only_posture = True

    def __init__(
        self,
        document: Document,
        segment: str,
        point: Vec3,
        *,
        mode: str = "body",
        recruit: int | None = None,
    ) -> None:
        """Take hold of a point (m, in the segment's frame)."""
        whole = document.whole
        if segment not in whole.segments:
            raise unknown_name("segment", segment, whole.segments)
        self.title = f"drag {segment}"
        self._whole = whole
        self._chain = chain_of(whole, segment)
        if not self._chain:
            raise PoiseError(f"{segment!r} does not move: no joint carries it")
        self._usual = {"joint": 1, "limb": len(limb_chain(whole, segment)), "body": None}[mode]
        places = document.scene.places
        start = places.segment(segment).apply(point)
        scene = document.scene.copy()
        last = max((each.priority or 0 for each in scene.handles.values()), default=0) + 1
        self._tasks: dict[str, Grabbed] = {}
        self._mirror: Mirror | None = None
        given = [(DRAG, segment, start)]
        partner = other_side(segment)
        if document.symmetric and partner != segment and partner in whole.segments:
            self._mirror = Mirror.of(document, segment)
            given.append((f"{DRAG}, other side", partner, self._mirror.point(start)))
        for name, each, goal in given:
            own = point if name == DRAG else image_on(document, segment, point)
            task = Grabbed(each, vector(own, "the point"), vector(goal, "the goal"))
            scene.add(task, priority=last, name=name)
            self._tasks[name] = task
        self._work = _Following(scene)
        self._goals = {name: np.array(task.target) for name, task in self._tasks.items()}
        self._moved = 0.0
        self.sequence, self.has_moved = 0, False
        self.recruited: list[str] = []
        self.trace: list[Vec3] = [vector(start, "the point")]
        self.recruit(recruit)

    @property
    def q(self) -> Values:
        """All coordinates as they are now."""
        return self._work.q

    def recruit(self, count: int | None) -> None:
        """Let so many joints up the chain move; None for what the mode says."""
        chosen = self._usual if count is None else count
        whole = self._whole
        if chosen is None or chosen > len(self._chain):
            self.recruited = list(self._chain)
            self._work.let_move(None)
            return
        self.recruited = self._chain[:chosen]
        moving = np.zeros(whole.n)
        for name in self.recruited:
            moving[whole.span(name)] = 1.0
            if self._mirror is not None:
                moving[whole.span(other_side(name))] = 1.0
        self._work.let_move(moving)

    def aim(self, motion: Motion) -> None:
        """Take a new goal."""
        self.sequence, self.has_moved = motion.sequence, True
        if motion.point is None:
            return
        goal = np.array(motion.point)
        self._moved += float(np.linalg.norm(goal - self._goals[DRAG]))
        self._goals[DRAG] = goal
        for name in self._tasks:
            if name != DRAG and self._mirror is not None:
                self._goals[name] = self._mirror.point(goal)

    def step(self) -> bool:
        """Solve until the point has come as near as it can, or the time of one event is over."""
        begun, left = perf_counter(), _CALM + _BRISK * self._moved
        self._moved = 0.0
        while True:
            self._lead()
            moved = self._work.solve(left, about=list(self._tasks))
            settled, left = moved < _STILL, left - moved
            if settled or left <= _STILL or perf_counter() - begun > _BUDGET:
                break
        x, y, z = self._point(DRAG).tolist()
        self.trace.append((x, y, z))
        return settled

    def _lead(self) -> None:
        """Set the goals of the next solve, a little ahead of where the points are."""
        for name, task in self._tasks.items():
            at = self._point(name)
            away = self._goals[name] - at
            share = min(1.0, _LEAD / max(float(np.linalg.norm(away)), 1e-12))
            x, y, z = (at + share * away).tolist()
            self._work.aim(name, task.at((x, y, z)))

    def _point(self, name: str) -> Values:
        """Where a point is that is dragged."""
        task = self._tasks[name]
        return self._whole.place(self._work.q).segment(task.segment).apply(task.point)

    def solution(self) -> Solution:
        """How all tasks stand; the drag's own are among them."""
        return self._work.solution()

    def scene(self) -> Scene:
        """The scene with the drag's tasks in it."""
        return self._work.scene

    def finish(self, document: Document) -> None:
        """The posture stays."""
        document.scene.q = self.q


class GoalDrag:
    """The goal of a task, moved or turned by its gizmo."""

    only_posture = False

    def __init__(self, document: Document, task: str) -> None:
        """Take hold of a task's goal, which must not ride on a site."""
        handles = document.scene.handles
        if task not in handles:
            raise unknown_name("task", task, handles)
        wanted = handles[task].wanted
        if not isinstance(wanted, Task) or not wanted.has_target:
            raise PoiseError(f"{task!r} is a {type(wanted).__name__}, which has no goal to move")
        if rides(getattr(wanted, "target", None)):
            raise PoiseError(f"the goal of {task!r} rides on a site; move that instead")
        self.title = f"move the goal of {task}"
        self._name, self._task, self._work = task, wanted, _Following(document.scene.copy())
        self._new: Task = wanted
        self._moved = 0.0
        self.sequence, self.has_moved = 0, False
        self.recruited: list[str] = []
        self.trace: list[Vec3] = []

    @property
    def q(self) -> Values:
        """All coordinates as they are now."""
        return self._work.q

    def recruit(self, count: int | None) -> None:
        """A task says itself what it may move."""

    def aim(self, motion: Motion) -> None:
        """Take a new goal."""
        self.sequence, self.has_moved = motion.sequence, True
        before = self._new
        self._new = before.with_target(_target(before, motion))
        self._moved += _distance(before, self._new)
        self._work.scene.handles[self._name].target = getattr(self._new, "target", None)
        if self._name not in self._work.rows:
            return  # switched off: only the goal moves
        if self._new.held() != self._task.held():
            self._task = self._new
            self._work.pack_again()
        else:
            self._work.aim(self._name, self._new)

    def step(self) -> bool:
        """Solve."""
        most, self._moved = _CALM + _BRISK * self._moved, 0.0
        return self._work.solve(most, about=[self._name]) < _STILL

    def solution(self) -> Solution:
        """How all tasks stand."""
        return self._work.solution()

    def scene(self) -> Scene:
        """The scene with the goal where it is now."""
        return self._work.scene

    def finish(self, document: Document) -> None:
        """Goal and posture stay."""
        document.scene.handles[self._name].target = getattr(self._new, "target", None)
        document.scene.q = self.q


def _target(task: Task, motion: Motion) -> Any:
    """The target that a motion means for a task: a point, a rotation, or both."""
    now = getattr(task, "target", None)
    if isinstance(now, Transform):
        return motion.place(now)
    if np.shape(now) == (3, 3):
        return now if motion.rotation is None else turned(motion.rotation)
    if np.shape(now) == (3,):
        return now if motion.point is None else motion.point
    raise PoiseError(f"a {type(task).__name__} has no goal that could be moved")


def _distance(before: Task, after: Task) -> float:
    """How far a goal has moved: the sum of its numbers' changes (m, of matrices about rad)."""
    pairs = zip(before.goals(), after.goals(), strict=True)
    return float(sum(np.abs(np.subtract(b, a)).sum() for a, b in pairs))


class ThingDrag:
    """A prop, moved or turned; what is about it follows."""

    only_posture = False

    def __init__(self, document: Document, prop: str) -> None:
        """Take hold of a prop; one that is held moves within the hand."""
        scene = document.scene.copy()
        if prop not in scene.props:
            raise unknown_name("prop", prop, scene.props)
        self.title = f"move {prop}"
        self._prop, self._work = prop, _Following(scene)
        self.sequence, self.has_moved = 0, False
        self.recruited: list[str] = []
        self.trace: list[Vec3] = []

    @property
    def q(self) -> Values:
        """All coordinates as they are now."""
        return self._work.q

    def recruit(self, count: int | None) -> None:
        """A prop has no joints."""

    def aim(self, motion: Motion) -> None:
        """Put the prop elsewhere."""
        self.sequence, self.has_moved = motion.sequence, True
        scene = self._work.scene
        scene.q = self.q
        thing, places = scene.props[self._prop], scene.places
        place = motion.place(places[self._prop])
        if thing.figure is None or thing.site is None:
            scene.place(self._prop, place)
        else:
            site = f"{thing.figure}/{thing.site}" if scene.has_several else thing.site
            scene.hold(self._prop, site, at=places[site].inverse() @ place)
        self._work.pack_again()

    def step(self) -> bool:
        """Solve."""
        return self._work.solve(np.inf, about=[]) < _STILL

    def solution(self) -> Solution:
        """How all tasks stand."""
        return self._work.solution()

    def scene(self) -> Scene:
        """The scene with the prop where it is now."""
        return self._work.scene

    def finish(self, document: Document) -> None:
        """Prop and posture stay."""
        document.scene = self._work.scene.copy()
        document.scene.q = self.q


class ForceDrag:
    """An applied force whose arrow is dragged by its head: its vector in newtons."""

    only_posture = False

    def __init__(self, document: Document, force: str) -> None:
        """Take hold of an applied force."""
        scene = document.scene.copy()
        if force not in scene.forces.applied:
            raise unknown_name("applied force", force, scene.forces.applied)
        self.title = f"change the force {force}"
        self._name, self._work = force, _Following(scene)
        self.sequence, self.has_moved = 0, False
        self.recruited: list[str] = []
        self.trace: list[Vec3] = []

    @property
    def q(self) -> Values:
        """All coordinates as they are now."""
        return self._work.q

    def recruit(self, count: int | None) -> None:
        """A force has no joints."""

    def aim(self, motion: Motion) -> None:
        """Take another vector (N), given as the event's point."""
        self.sequence, self.has_moved = motion.sequence, True
        if motion.point is None:
            return
        forces = self._work.scene.forces
        load = forces.applied[self._name]
        forces.apply(
            load.site, force=motion.point, torque=load.torque, point=load.point, name=self._name
        )
        self._work.pack_again()

    def step(self) -> bool:
        """Solve."""
        return self._work.solve(np.inf, about=[]) < _STILL

    def solution(self) -> Solution:
        """How all tasks stand."""
        return self._work.solution()

    def scene(self) -> Scene:
        """The scene with the force as it is now."""
        return self._work.scene

    def finish(self, document: Document) -> None:
        """Force and posture stay."""
        document.scene = self._work.scene.copy()
        document.scene.q = self.q
