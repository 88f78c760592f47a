"""Postures to start from: the means of the prior's stances, on the floor."""

from __future__ import annotations

import numpy as np

from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform, rotation_matrix
from poise.models.landing import Landing, landed, lowest
from poise.models.prior import FigurePrior, Stance, Values

_FEET = ("left_foot", "right_foot")
_LEVELEST = 0.98
"""The most of the up direction's length that may lie level: more is no stance on feet."""
_LANDINGS = (
    Landing(flat=_FEET, over=dict.fromkeys(_FEET, 0.5)),
    Landing(toes=_FEET, over=dict.fromkeys(_FEET, 0.5)),
    Landing(touch=_FEET),
)
"""How feet come to the floor, the first that can be: on their soles, on their toes, somehow."""


def started(figure: Figure, prior: FigurePrior, stance: Stance) -> Posture:
    """The mean of a stance as a valid posture with both feet on the floor z = 0, facing +x.

    Legs and the pelvis' height and tilt change a little, to bring the feet to the floor and the
    body over them. Mirror images being as usual, every mean is symmetric: that of strides has the
    feet side by side. A figure whose root is fixed takes the angles, and stays where it is.
    """
    posture = figure.rest()
    q = posture.q.copy()
    q[prior.indices] = stance.mean[:-2]
    if not figure.joints["root"].kind.is_free:
        return figure.clamp(posture.with_q(q))
    turn = _upright(stance.mean[-2:])
    height = float(posture["root.z"])
    q[figure.span("root")] = Free().values(Transform(turn, np.array([0.0, 0.0, height])))
    meant = figure.clamp(posture.with_q(q))
    where = figure.place(meant)
    depth = min(float(lowest(figure, where, foot)[1][2]) for foot in _FEET)
    meant["root.z"] = float(meant["root.z"]) - depth
    return _landed(meant, stance.name)


def _landed(meant: Posture, name: str) -> Posture:
    """On the floor, in the first way that works; as it is, with one foot on it, if none does."""
    for landing in _LANDINGS:
        try:
            return landed(meant, landing, name)
        except PoiseError:
            continue
    return meant


def _upright(up: Values) -> Values:
    """The least rotation (3, 3) that brings a direction of the pelvis' frame, (x, y), to up."""
    level = float(np.hypot(*up))
    if level > _LEVELEST:
        up, level = up * (_LEVELEST / level), _LEVELEST
    if level < 1e-12:
        return np.eye(3)
    angle = np.arcsin(level)
    return rotation_matrix([angle * up[1] / level, -angle * up[0] / level, 0.0])
