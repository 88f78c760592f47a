"""Dragging the goals of tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.errors import PoiseError, unknown_name
from poise.figure import Transform
from poise.studio.document import Document
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.following import BRISK, CALM, STILL
from poise.studio.dragging.motion import Motion, turned
from poise.tasks.task import Task, rides


class GoalDrag(Drag):
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
        super().__init__(f"move the goal of {task}", document.scene.copy())
        self._name, self._task = task, wanted

    def _aim(self, motion: Motion) -> None:
        before, handle = self._task, self.scene.handles[self._name]
        self._task = before.with_target(_target(before, motion))
        self._moved += _distance(before, self._task)
        handle.target = getattr(self._task, "target", None)
        if not handle.enabled:
            return  # only the goal moves
        if self._task.held() != before.held():
            self._work.pack()
        else:
            self._work.aim(self._name, self._task)

    def _step(self) -> bool:
        """Solve; a goal beyond reach is followed as calmly as a dragged point."""
        most, self._moved = CALM + BRISK * self._moved, 0.0
        return self._work.solve(most, about=[self._name]) < STILL


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
