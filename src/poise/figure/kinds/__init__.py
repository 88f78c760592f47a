"""The kinds of joint: how the child segment may move against the parent.

A kind is one class that owns its behaviour; see `JointKind` for what it must say. To add one, write
its class and list it in `KINDS`.
"""

from poise.checking import Interval
from poise.figure.kinds.axial import Hinge, Slider
from poise.figure.kinds.elbow import Elbow
from poise.figure.kinds.fixed import Fixed
from poise.figure.kinds.free import Free
from poise.figure.kinds.kind import Chain, JointKind
from poise.figure.kinds.spherical import Ball, Spherical, Swing, spherical_of
from poise.figure.kinds.steps import EVERYTHING, Node, Step

__all__ = [
    "EVERYTHING",
    "KINDS",
    "Ball",
    "Chain",
    "Elbow",
    "Fixed",
    "Free",
    "Hinge",
    "Interval",
    "JointKind",
    "Node",
    "Slider",
    "Spherical",
    "Step",
    "Swing",
    "spherical_of",
]

KINDS: dict[str, type[JointKind]] = {
    kind.kind: kind for kind in (Fixed, Hinge, Slider, Elbow, Swing, Ball, Free)
}
"""The kinds by their names in files."""
