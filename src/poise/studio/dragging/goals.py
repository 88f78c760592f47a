"""Dragging the goals of tasks, and what pins hold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from poise.checking import Vec3
from poise.errors import PoiseError, unknown_name
from poise.figure import Transform
from poise.studio.document import Document
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.following import BRISK, CALM, STILL
from poise.studio.dragging.motion import Motion, turned
from poise.studio.sides import other_side
from poise.studio.standing import holding, is_partial
from poise.studio.symmetry import Mirror
from poise.tasks import Orientation
from poise.tasks.task import Task, rides


class TargetsDrag(Drag):
    """Targets of tasks that are moved together; the figure follows them."""

    def __init__(self, title: str, document: Document, tasks: Sequence[str]) -> None:
        """Take hold of the targets of some tasks."""
        super().__init__(title, document.scene.copy(), document.chosen)
        self._tasks: dict[str, Any] = {name: self.scene.handles[name].wanted for name in tasks}

    def _aim(self, motion: Motion) -> None:
        packs, farthest = False, 0.0
        for name, before in self._tasks.items():
            after = self._tasks[name] = before.with_target(self._target(name, motion))
            farthest = max(farthest, _distance(before, after))
            handle = self.scene.handles[name]
            handle.target = after.target
            if not handle.enabled:
                continue  # only the goal moves
            if after.held() != before.held():
                packs = True
            else:
                self._work.aim(name, after)
        self._moved += farthest
        if packs:
            self._work.pack()

    @abstractmethod
    def _target(self, name: str, motion: Motion) -> Any:
        """The target that a motion means for a task."""

    def _step(self) -> bool:
        """Solve; a goal beyond reach is followed as calmly as a dragged point."""
        most, self._moved = CALM + BRISK * self._moved, 0.0
        return self._work.solve(most, about=list(self._tasks)) < STILL


class GoalDrag(TargetsDrag):
    """The goal of a task, moved or turned by its gizmo."""

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
        super().__init__(f"move the goal of {task}", document, [task])

    def _target(self, name: str, motion: Motion) -> Any:
        return _target(self._tasks[name], motion)


class PinDrag(TargetsDrag):
    """A part of the body that pins or goals hold, moved with them.

    A goal that is out of reach comes to where its site is first, so that the part follows at once.
    Rotations stay.
    """

    def __init__(self, document: Document, segment: str, point: Vec3, tasks: Sequence[str]) -> None:
        """Take hold of a point (m, in the segment's frame), and of the tasks that hold it there."""
        several = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
        self._mirror, others = None, list[str]()
        partner = other_side(segment)
        if document.symmetric and partner != segment:
            self._mirror = Mirror.of(document, segment)
            others = held_by(document, partner)
        super().__init__(f"move {tasks[0]}{several}", document, [*tasks, *others])
        self._others = frozenset(others)
        places = document.scene.places
        self._start = places.segment(segment).apply(point)
        self._from = {name: places[task.site].position for name, task in self._tasks.items()}
        self.moves = list(tasks)

    def _target(self, name: str, motion: Motion) -> Any:
        to = self._start if motion.point is None else np.array(motion.point)
        way = to - self._start
        if name in self._others and self._mirror is not None:
            way = self._mirror.point(to) - self._mirror.point(self._start)
        target, point = self._tasks[name].target, self._from[name] + way
        return Transform(target.rotation, point) if isinstance(target, Transform) else point


def held_by(document: Document, segment: str) -> list[str]:
    """The pins and goals, by name, without which a part of the body would follow the hand."""
    whole = document.whole
    if segment not in whole.segments or segment in document.scene.props:
        return []
    return [
        handle.name
        for handle in holding(document, document.figure_of(segment)[0])
        if handle.enabled
        and not isinstance(handle.wanted, Orientation)
        and not is_partial(handle.wanted)
        and whole.segment_of(getattr(handle.wanted, "site", "")) == segment
    ]


def _target(task: Task, motion: Motion) -> Any:
    """The target that a motion means for a task: a point, a rotation, or both."""
    now: Any = getattr(task, "target", None)
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
