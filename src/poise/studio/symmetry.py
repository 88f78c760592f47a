"""The mirror through a figure's middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import PoiseError
from poise.figure import Figure, Free, Posture, Transform
from poise.figure.parts import WORLD, Joint
from poise.studio.document import Document
from poise.studio.sides import other_side

Values = NDArray[np.float64]

_ACROSS = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Mirror:
    """The upright plane through a figure's root, between left and right as the root faces."""

    frame: Transform
    """A frame in the plane: x ahead, y across, z up."""

    @classmethod
    def through(cls, posture: Posture) -> Mirror:
        """The mirror of a figure in a posture."""
        place = posture.figure.place(posture).segment(_root(posture.figure).child)
        # As the root faces now, against how it faces at rest, where figures face along x.
        rest = posture.figure.rest()
        still = rest.figure.place(rest).segment(_root(posture.figure).child)
        ahead = place.rotation @ still.rotation.T @ np.array([1.0, 0.0, 0.0])
        heading = float(np.arctan2(ahead[1], ahead[0])) if np.hypot(*ahead[:2]) > 1e-6 else 0.0
        turn = Transform.make((0.0, 0.0, 0.0), (0.0, 0.0, heading)).rotation
        across = still.position[1] * turn[:, 1]
        return cls(Transform(turn, np.array([*(place.position - across)[:2], 0.0])))

    @classmethod
    def of(cls, document: Document, name: str) -> Mirror:
        """The mirror of the figure that has a segment."""
        return cls.through(document.scene.postures[document.figure_of(name)[0]])

    def point(self, point: ArrayLike) -> Values:
        """The image of a point of the world."""
        return self.frame.apply(_ACROSS * self.frame.inverse().apply(point))

    def stood(self, posture: Posture) -> Posture:
        """A posture that faces along x from the origin, as it is in this mirror's frame."""
        root = _root(posture.figure)
        return _moved(posture, root, self.frame) if isinstance(root.kind, Free) else posture

    def flipped(self, posture: Posture) -> Posture:
        """The posture seen in this mirror: left and right change places where the figure stands."""
        root = _root(posture.figure)
        if not isinstance(root.kind, Free):
            return posture.mirrored()
        home = _moved(posture, root, self.frame.inverse())
        return _moved(home.mirrored(), root, self.frame)


def _root(figure: Figure) -> Joint:
    for joint in figure.joints.values():
        if joint.parent == WORLD:
            return joint
    raise PoiseError(f"the figure {figure.name!r} has no root")


def _moved(posture: Posture, root: Joint, by: Transform) -> Posture:
    """The posture of a figure with a free root, moved as a whole."""
    place = by @ posture.figure.place(posture).segment(root.child)
    motion = root.before.inverse() @ place @ root.after.inverse()
    result = posture.copy()
    result[root.name] = root.kind.values(motion)
    return result


def image_on(document: Document, segment: str, point: ArrayLike) -> Values:
    """The point of the other side's segment that is the image of a point of a segment.

    Both in the segments' own frames (m), as the figure's rest posture shows them.
    """
    figure, own = document.figure_of(segment)
    chosen = document.scene.figures[figure]
    places = chosen.place(chosen.rest())
    image = _ACROSS * places.segment(own).apply(point)
    return places.segment(other_side(own)).inverse().apply(image)
