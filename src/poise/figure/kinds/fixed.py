"""The joint that does not move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from poise.closed import closed
from poise.figure.kinds.kind import JointKind
from poise.figure.kinds.steps import Step, Values
from poise.figure.transform import Transform


@closed
@dataclass(frozen=True)
class Fixed(JointKind):
    """No motion at all.

    The child is part of the parent.
    """

    kind: ClassVar[str] = "fixed"

    @property
    def steps(self) -> tuple[Step, ...]:
        """None."""
        return ()

    def values(self, motion: Transform) -> Values:
        """No coordinates."""
        return np.zeros(0)
