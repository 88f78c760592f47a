"""What all drags have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.scene import Scene, Solution
from poise.solvers.problem import Problem
from poise.studio.document import Document
from poise.studio.dragging.following import BRISK, CALM, STILL, Following
from poise.studio.dragging.motion import Motion

Values = NDArray[np.float64]

_TRACE = 2000
"""So many points of a trace are kept, the latest."""


class Drag(ABC):
    """Something that is dragged, on a copy of the scene; the document gets the result at the end.

    Attributes:
        title: what the undo step is called.
        sequence: the last event that was heeded.
        has_moved: whether there was any event: without one it was a mere click.
        is_there: whether the figure had come to rest after the last step.
        recruited: the joints and groups that may move, where that can be chosen.
        moves: pins and goals, by name, that go along with what is dragged.
        trace: where the dragged point has been, where there is one.
    """

    only_posture: ClassVar[bool] = False
    """Whether nothing but the posture changes."""
    moves_props: ClassVar[bool] = False
    """Whether something else than figures moves."""
    goes_on: ClassVar[bool] = True
    """Whether tasks still want what is left of the way when it ends."""

    def __init__(
        self, title: str, scene: Scene, chosen: Values | None = None, *, stays: bool = True
    ) -> None:
        """Begin with a scene of the drag's own.

        The body stays near the posture that someone chose (n,), or near that in which it is, if it
        `stays` at all.
        """
        self.title = title
        self._work = Following(scene, chosen, stays=stays)
        self.sequence = 0
        self.has_moved = False
        self.is_there = True
        self._moved = 0.0
        self.recruited: list[str] = []
        self.moves: list[str] = []
        self.trace: deque[Vec3] = deque(maxlen=_TRACE)

    @property
    def q(self) -> Values:
        """All coordinates as they are now."""
        return self._work.q

    @property
    def scene(self) -> Scene:
        """The scene as it would be if the drag ended now, but for the posture."""
        return self._work.scene

    @property
    def problem(self) -> Problem:
        """What is solved at each event, as it is now."""
        return self._work.problem

    def solution(self) -> Solution:
        """How all tasks stand; a drag's own may be among them."""
        return self._work.solution()

    def recruit(self, count: int | None) -> None:  # noqa: B027, only a dragged point has a chain
        """Let so many joints up the chain move; what has no chain is not changed by that."""

    def aim(self, motion: Motion) -> None:
        """Take a new goal."""
        self.sequence, self.has_moved = motion.sequence, True
        self._aim(motion)

    @abstractmethod
    def _aim(self, motion: Motion) -> None:
        """Take a new goal, for what is dragged."""

    def step(self) -> bool:
        """Solve for it; True when nothing moves any more."""
        self.is_there = self._step()
        return self.is_there

    def _step(self) -> bool:
        """Solve; where tasks cannot be met any more the body gives way calmly."""
        most, self._moved = CALM + BRISK * self._moved, 0.0
        return self._work.ease(most) < STILL

    def held(self) -> tuple[str, ...]:
        """Coordinates that must stay while what is left of the way is gone."""
        return ()

    def finish(self, document: Document) -> None:
        """Let the document have what came of it."""
        document.scene = self.scene.copy()
        document.scene.q = self.q
        document.chosen = self._work.anchor.copy()
