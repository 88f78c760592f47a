"""Joints of a chosen kind that stand, at rest, as a file has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.figure import Joint, Transform
from poise.figure.kinds import JointKind
from poise.formats.placing import parted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Articulation:
    """How a segment may turn on the one that carries it.

    Attributes:
        kind: the kind of joint.
        axes: (3, 3), the joint's axes in our world, at rest.
        rest: the joint's coordinates at rest. What they do not say of how the segment stands at
            rest is taken for its shape.
        clinical: names of clinical angles, as `Joint` has them.
    """

    kind: JointKind
    axes: Floats
    rest: Floats
    clinical: Mapping[str, str] = field(default_factory=dict[str, str])

    def joint(
        self, name: str, parent: str, child: str, carrier: Transform, place: Transform
    ) -> Joint:
        """A joint that puts its child where the file has it, with its coordinates at rest.

        Args:
            name: of the joint.
            parent: the segment that carries it.
            child: the segment that it moves.
            carrier: where the parent is at rest.
            place: where the child is at rest.
        """
        motion = self.kind.motion(self.rest).rotation
        at = (carrier.inverse() @ place).position
        position, rotation = parted(Transform(carrier.rotation.T @ self.axes, at))
        after = Transform.turn(motion.T @ self.axes.T @ place.rotation)
        return Joint(
            name,
            self.kind,
            parent,
            child,
            position,
            rotation,
            child_rotation=parted(after)[1],
            clinical=self.clinical,
        )
