"""The mirror through a figure's middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import PoiseError
from poise.figure import Figure, Posture, Transform
from poise.figure.parts import WORLD, Joint
from poise.studio.document import Document
from poise.studio.sides import other_side

Values = NDArray[np.float64]

_ACROSS = np.array([1.0, -1.0, 1.0])
_LEVEL = 0.5
"""So much of the axis to the left must be level to say which way a figure faces; else the axis
ahead, which then is level, says it."""


@dataclass(frozen=True, eq=False)
class Mirror:
    """The upright plane through the middle of a figure's trunk, along the way that it faces.

    The trunk's middle is the root's segment, or where that is of one side (a figure rooted at a
    foot) the first that is of none.
    """

    frame: Transform
    """A frame in the plane: x ahead, y across, z up."""

    @classmethod
    def through(cls, posture: Posture) -> Mirror:
        """The mirror of a figure in a posture; its image has the same one."""
        figure, middle = posture.figure, _middle(posture.figure)
        place, still = (figure.place(each).segment(middle) for each in (posture, figure.rest()))
        # As it is turned now against how it is at rest, where figures face along x.
        turned = place.rotation @ still.rotation.T
        # Who lies on the back or the face has a left hand side all the same.
        ahead = np.array([turned[1, 1], -turned[0, 1]])
        if np.hypot(*ahead) < _LEVEL:
            ahead = turned[:2, 0]
        turn = Transform.make((0.0, 0.0, 0.0), (0.0, 0.0, np.arctan2(ahead[1], ahead[0]))).rotation
        across = still.position[1] * turn[:, 1]
        return cls(Transform(turn, np.array([*(place.position - across)[:2], 0.0])))

    @classmethod
    def of(cls, document: Document, name: str) -> Mirror:
        """The mirror of the figure that has a segment."""
        return cls.through(document.scene.postures[document.figure_of(name)[0]])

    def point(self, point: ArrayLike) -> Values:
        """The image of a point of the world."""
        return self.frame.apply(_ACROSS * self.frame.inverse().apply(point))

    def image(self, place: Transform, before: Transform, after: Transform) -> Transform:
        """The image of a place near a site, given where the site and then its partner are.

        What is at the site comes to be at its partner, whichever way that one's axes are turned.
        """
        off = before.rotation.T @ place.rotation
        turned = after.rotation @ (_ACROSS[:, None] * off * _ACROSS)
        away = self.frame.rotation.T @ (place.position - before.position)
        return Transform(turned, after.position + self.frame.rotation @ (_ACROSS * away))

    def stood(self, posture: Posture) -> Posture:
        """A posture that faces along x from the origin, as it is in this mirror's frame."""
        root = root_of(posture.figure)
        return _moved(posture, root, self.frame) if root.kind.is_free else posture

    def flipped(self, posture: Posture) -> Posture:
        """The posture seen in this mirror: left and right change places where the figure stands."""
        root = root_of(posture.figure)
        if not root.kind.is_free:
            return posture.mirrored()
        home = _moved(posture, root, self.frame.inverse())
        return _moved(home.mirrored(), root, self.frame)


def root_of(figure: Figure) -> Joint:
    """The joint between a figure and the world."""
    for joint in figure.joints.values():
        if joint.parent == WORLD:
            return joint
    raise PoiseError(f"the figure {figure.name!r} has no root")


def _middle(figure: Figure) -> str:
    """The segment in the middle between left and right that is nearest to the root."""
    root = root_of(figure).child
    sided = {
        name for name in figure.segments if other_side(name) in figure.segments.keys() - {name}
    }
    if root not in sided:
        return root
    return next((name for name in figure.segments if name not in sided), root)


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
