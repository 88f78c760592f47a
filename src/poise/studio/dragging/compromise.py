"""Where a dragged point cannot be, or not without contortions: how near it had better come.

A task comes strictly before all criteria: for the last millimetres of a goal out of reach a body
would lean forward by 70° and turn one knee against the other. Here the goal is a criterion among
the others instead, all tasks of the scene before them, and what a millimetre is worth is weighed
against how far the body goes from where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.kernel.residuals import position
from poise.kernel.residuals.blocks import KIND, START
from poise.kernel.residuals.kinds import POSITION
from poise.scene import Scene
from poise.scene.solving import prepare
from poise.solvers.lex import measured
from poise.solvers.outcome import Outcome
from poise.solvers.problem import Problem
from poise.studio.dragging.grabbed import Grabbed
from poise.tasks.task import Block, Context, Criterion

Values = NDArray[np.float64]

DRAWN = 300.0
"""The weight of a goal (m²) against that of the weightiest criterion of the scene (rad²): 6 cm
count as much as one radian of one joint. With 100 a pelvis stays 2 cm behind what it reaches with
ease; with 3000 it leaves the squat for a forward bend with one knee before the other."""


@dataclass(frozen=True, eq=False)
class Drawn(Criterion):
    """Points of the body near points of the world: ½ |x − g|² for each.

    Attributes:
        tasks: the points that are dragged, and where to.
    """

    tasks: tuple[Grabbed, ...]

    def springs(self, context: Context) -> tuple[Values, Values]:
        """None."""
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def blocks(self, context: Context) -> list[Block]:
        """One for each point."""
        return [block for task in self.tasks for block in task.blocks(context)]


class Compromise:
    """A scene's problem in which goals of a drag are criteria; costs are in m².

    Attributes:
        problem: with the goals as they are now.
    """

    def __init__(self, scene: Scene, tasks: Mapping[str, Grabbed], moving: Values | None) -> None:
        """Begin.

        Args:
            scene: with the tasks of the drag, and all criteria; it is not changed.
            tasks: those of the drag, by name.
            moving: (n,) how readily coordinates move; None for all alike.
        """
        work = scene.copy()
        for name in tasks:
            work.handles[name].remove()
        weights = [each.weight for each in work.handles.values() if each.priority is None]
        work.add(Drawn(tuple(tasks.values())), weight=DRAWN * max(weights, default=1.0))
        prepared = prepare(work)
        if moving is not None:
            prepared = prepared.moving(moving)
        self.problem: Problem = prepared.problem
        spans, table = self.problem.spans, self.problem.blocks.block
        after = spans[-1].stop if spans else 0
        found = [i for i in range(after, len(self.problem.units)) if table[i, KIND] == POSITION]
        self._goals = {
            name: int(table[i, START]) + position.GOAL for name, i in zip(tasks, found, strict=True)
        }

    def aim(self, tasks: Mapping[str, Grabbed]) -> None:
        """Give points other goals."""
        for name, task in tasks.items():
            start = self._goals[name]
            self.problem.blocks.values[start : start + 3] = task.target

    def cost(self, outcome: Outcome) -> float:
        """What is left of goals and criteria after a solve: half the sum of squares."""
        after = len(self.problem.level_priorities)
        return 0.5 * float((self.problem.levels(outcome.residual)[after:] ** 2).sum())

    def cost_at(self, q: Values, tolerance: float) -> float:
        """The same of another posture (n,)."""
        return self.cost(measured(self.problem, q, tolerance=tolerance))
