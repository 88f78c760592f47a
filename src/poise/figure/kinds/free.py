"""The joint that nothing holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from poise.closed import closed
from poise.figure.charts import log
from poise.figure.kinds.kind import JointKind
from poise.figure.kinds.steps import Step, Values
from poise.figure.transform import Transform, rotation_vector


@closed
@dataclass(frozen=True)
class Free(JointKind):
    """All six freedoms.

    Position in the joint's frame (m), then a rotation vector (rad).
    """

    kind: ClassVar[str] = "free"

    @property
    def steps(self) -> tuple[Step, ...]:
        """A translation and a rotation."""
        return (Step("translation", ("x", "y", "z")), Step("rotation", ("rx", "ry", "rz")))

    def values(self, motion: Transform) -> Values:
        """Position and canonical rotation vector."""
        return np.concatenate([motion.position, rotation_vector(motion.rotation)])

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """Positions and canonical rotation vectors of many motions."""
        return np.hstack([positions, log(rotations)])
