"""What to do with the freedom that the tasks leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.figure import Posture
from poise.tasks.task import Context, Criterion, Values


@dataclass(frozen=True)
class Rest(Criterion):
    """Stay near a posture: Σ (q − rest)², over all coordinates but those of the root.

    Without a posture: the figure's rest posture. In a scene of several figures a posture is
    meant for the figure that it belongs to, and the others are left alone.
    """

    posture: Any = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.posture is not None and not isinstance(self.posture, Posture):
            raise PoiseError(f"Rest takes a Posture, not {self.posture!r}")

    def pull(self, context: Context) -> tuple[Values, Values]:
        """Towards the posture, alike for all coordinates but the root's."""
        figure = context.figure
        strength = (~figure.root_coordinates).astype(np.float64)
        if self.posture is None:
            return figure.rest().q, strength
        owners = [span for part, span in context.parts.values() if part is self.posture.figure]
        if not owners:
            return figure.q_of(self.posture).copy(), strength
        goal, meant = np.zeros(figure.n), np.zeros(figure.n)
        for span in owners:
            goal[span] = self.posture.q
            meant[span] = 1.0
        return goal, strength * meant
