"""Postures of people from which a search may begin, where the posture of now leads nowhere.

They are ready poses (`poses`), or halfway to one from rest. Nothing is brought to the floor
exactly: whoever searches does that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform, rotation_matrix
from poise.models.poses import in_the_air, is_person

Values = NDArray[np.float64]

_POSES: dict[str, tuple[str, float]] = {
    "knees bent": ("squatting", 0.5),
    "squatting": ("squatting", 1.0),
    "sitting": ("sitting", 1.0),
    "kneeling": ("kneeling", 1.0),
    "a stride": ("walking", 1.0),
    "an arm up": ("reaching up", 1.0),
}
"""By name, a ready pose and how far it is gone to from rest. The least unusual first: the first
start from which all is met is kept. Each meets some goals that the others before it miss."""

_LOW = ("ankle", "toes", "knee")
"""The joints of which one is near the floor."""
_LYING = 0.1
"""A pelvis whose forward axis is level by less than this (the cosine) has no heading."""


def start_names(figure: Figure) -> list[str]:
    """The names of a person's starts, the least unusual first; a figure that is none has none."""
    return list(_POSES) if is_person(figure) else []


def person_start(figure: Figure, name: str) -> Posture:
    """A posture of a person for a search to begin from, facing +x: see `on_the_spot`."""
    pose, share = _POSES[name]
    posture = in_the_air(figure, pose)
    return posture if share == 1.0 else figure.clamp(figure.rest().blend(posture, share))


def on_the_spot(start: Posture, now: Posture) -> Values:
    """The coordinates (n,) of a person's start, moved to where the person is now.

    The middle between the ankles and the heading stay, and so does the height of the lowest of the
    feet and knees. Of a person who lies down the heading is 0. A root that is not free stays as it
    is now.
    """
    figure, q = now.figure, start.q.copy()
    root = figure.joints["root"]
    span = figure.span("root") if root.coordinates else slice(0, 0)
    if not root.kind.is_free:
        q[span] = now.q[span]
        return q
    forward = Free().motion(now.q[span]).rotation[:, 0]
    level = float(np.hypot(forward[0], forward[1]))
    heading = float(np.arctan2(forward[1], forward[0])) if level > _LYING else 0.0
    turn = Transform.turn(rotation_matrix([0.0, 0.0, heading]))
    turned = turn @ Free().motion(q[span])
    q[span] = Free().values(turned)
    way = _foothold(now) - _foothold(start.with_q(q))
    q[span] = Free().values(Transform(turned.rotation, turned.position + way))
    return q


def _foothold(posture: Posture) -> Values:
    """The middle between the ankles, on the height (m) of the lowest joint of the legs."""
    places = posture.figure.place(posture)
    at = {
        part: [places.joint(f"{side}_{part}").position for side in ("left", "right")]
        for part in _LOW
    }
    middle = np.mean(at["ankle"], axis=0)
    lowest = min(float(point[2]) for points in at.values() for point in points)
    return np.array([middle[0], middle[1], lowest])
