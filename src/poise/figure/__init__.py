"""What is posed: figures with their segments, joints, limits, masses and sites."""

from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Elbow, Fixed, Free, Hinge, Slider, Swing
from poise.figure.limits import (
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    Twist,
    TwistTable,
)
from poise.figure.parts import WORLD, Coupling, Group, Joint, Monomial, Segment, Site
from poise.figure.placements import Placements
from poise.figure.posture import Posture
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere, TaperedCapsule
from poise.figure.stiffness import Stiffness
from poise.figure.transform import Transform

__all__ = [
    "WORLD",
    "Angle",
    "Ball",
    "Box",
    "Builder",
    "Capsule",
    "Coupling",
    "Cylinder",
    "Elbow",
    "Ellipsoid",
    "Figure",
    "Fixed",
    "Free",
    "Group",
    "Hinge",
    "Hull",
    "Joint",
    "Monomial",
    "Placements",
    "PlanarPolygon",
    "Posture",
    "Segment",
    "Site",
    "Slider",
    "Sphere",
    "SphericalEllipse",
    "SphericalPolygon",
    "Stiffness",
    "Swing",
    "TaperedCapsule",
    "Transform",
    "Twist",
    "TwistTable",
]
