"""The figure editor: another figure from one that is there, part by part.

A figure does not change; each operation gives a new one, with all else as it was. Lengths are
metres in the segments' own frames, angles radians.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3, direction, length, name, vector
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Transform
from poise.figure.kinds import (
    EVERYTHING,
    KINDS,
    Ball,
    Elbow,
    Fixed,
    Free,
    Hinge,
    Interval,
    Kind,
    Slider,
    Swing,
)
from poise.figure.limits import SphericalEllipse, Twist
from poise.figure.naming import driver
from poise.figure.parts import WORLD, Coupling, Group, Joint, Segment, Site
from poise.figure.shapes import Box, Capsule, Ellipsoid, Shape, Sphere
from poise.figure.transform import rotation_matrix
from poise.studio.limbs import carriers_of

Values = NDArray[np.float64]

_THICK = 0.12
"""How thick a new segment is, as a share of its length."""


@dataclass(frozen=True)
class _Parts:
    """What a figure is made of, to be changed."""

    name: str
    description: str
    segments: tuple[Segment, ...]
    joints: tuple[Joint, ...]
    sites: tuple[Site, ...]
    couplings: tuple[Coupling, ...]
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, figure: Figure) -> _Parts:
        return cls(
            figure.name,
            figure.description,
            tuple(figure.segments.values()),
            tuple(figure.joints.values()),
            tuple(figure.sites.values()),
            tuple(figure.couplings.values()),
            tuple(figure.groups.values()),
        )

    def built(self, old: Figure, moved: Mapping[str, Mapping[str, float]] | None = None) -> Figure:
        """The figure, with the old one's postures, stiffness and locks as far as they fit.

        Args:
            old: the figure before.
            moved: of postures, values for coordinates that the old figure had not.
        """
        figure = Figure(
            self.name,
            self.segments,
            self.joints,
            sites=self.sites,
            couplings=self.couplings,
            groups=self.groups,
            description=self.description,
        )
        for each, q in old.postures.items():
            values = dict(zip(old.coordinates, q.tolist(), strict=True))
            values |= (moved or {}).get(each, {})
            new = np.array([values.get(coordinate, 0.0) for coordinate in figure.coordinates])
            figure.postures[each] = figure.clamp(new).q
        stiffness = dict(zip(old.coordinates, old.stiffness.values.tolist(), strict=True))
        for i, coordinate in enumerate(figure.coordinates):
            figure.stiffness.values[i] = stiffness.get(coordinate, 0.0)
        known = {*figure.joints, *figure.groups, *figure.coordinates}
        figure.lock([each for each in old.locked_names if each in known])
        return figure


# lengths -------------------------------------------------------------------------------------


def with_length(figure: Figure, segment: str, metres: float) -> Figure:
    """Stretch a segment: its shapes, sites and the joints on it move along.

    Its length is that from its origin to the farthest joint on it, or site, or end of a shape;
    what lies across that direction stays as it is, and so does the mass.
    """
    _checked_segment(figure, segment)
    metres = length(metres, f"the length of {segment!r}")
    tip = tip_of(figure, segment)
    now = float(np.linalg.norm(tip))
    if now < 1e-6:
        raise PoiseError(f"{segment!r} has no length: nothing on it is away from its origin")
    stretch = _Stretch(tip / now, metres / now)
    parts = _Parts.of(figure)
    return replace(
        parts,
        segments=tuple(
            stretch.segment(each) if each.name == segment else each for each in parts.segments
        ),
        joints=tuple(
            replace(each, position=stretch.point(each.position)) if each.parent == segment else each
            for each in parts.joints
        ),
        sites=tuple(
            replace(each, position=stretch.point(each.position))
            if each.segment == segment
            else each
            for each in parts.sites
        ),
    ).built(figure)


def length_of(figure: Figure, segment: str) -> float:
    """The length of a segment (m): from its origin to its tip."""
    return float(np.linalg.norm(tip_of(figure, segment)))


def tip_of(figure: Figure, segment: str) -> Values:
    """The end of a segment, in its frame: the farthest joint on it, or site, or end of a shape."""
    ends = [np.array(each.position) for each in figure.joints.values() if each.parent == segment]
    if not any(np.linalg.norm(end) > 1e-6 for end in ends):
        ends = [
            np.array(each.position) for each in figure.sites.values() if each.segment == segment
        ]
    if not any(np.linalg.norm(end) > 1e-6 for end in ends):
        ends = [end for shape in figure.segments[segment].shapes for end in _ends(shape)]
    return max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.zeros(3))


def _ends(shape: Shape) -> list[Values]:
    if isinstance(shape, (Sphere, Ellipsoid, Box)):
        return [2.0 * np.array(shape.center)]  # as far beyond the centre as it is from the origin
    return [np.array(shape.start), np.array(shape.end)]


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Space drawn out along one direction from the origin."""

    along: Values
    factor: float

    def point(self, point: Sequence[float]) -> Vec3:
        at = np.array(point, np.float64)
        return vector(at + (self.factor - 1.0) * float(at @ self.along) * self.along, "a point")

    def segment(self, segment: Segment) -> Segment:
        center = None if segment.center is None else self.point(segment.center)
        shapes = tuple(self._shape(each) for each in segment.shapes)
        mass, _, _ = segment.mass_properties()
        # An inertia that was given belongs to the old length; that of the shapes is even.
        inertia = None if shapes else segment.inertia
        return replace(
            segment, mass=mass, density=None, center=center, inertia=inertia, shapes=shapes
        )

    def _shape(self, shape: Shape) -> Shape:
        if isinstance(shape, Sphere):
            return replace(shape, center=self.point(shape.center))
        if isinstance(shape, Ellipsoid):
            radii = self._sizes(shape.radii, shape.rotation)
            return replace(shape, center=self.point(shape.center), radii=radii)
        if isinstance(shape, Box):
            size = self._sizes(shape.size, shape.rotation)
            return replace(shape, center=self.point(shape.center), size=size)
        return replace(shape, start=self.point(shape.start), end=self.point(shape.end))

    def _sizes(self, sizes: Vec3, rotation: Vec3) -> Vec3:
        """Extents along a shape's own axes, each as much longer as it lies in the direction."""
        axes = rotation_matrix(rotation)
        share = (self.along @ axes) ** 2
        return vector(np.array(sizes) * (1.0 + (self.factor - 1.0) * share), "sizes")


# joints --------------------------------------------------------------------------------------


def with_kind(figure: Figure, joint: str, kind: str, axis: str | Vec3 | None = None) -> Figure:
    """Give a joint another kind, without limits; where it is now it stays as far as it can."""
    old = _checked_joint(figure, joint)
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS)
    if kind == "free" and old.parent != WORLD:
        raise PoiseError(f"only a root can be free, and {joint!r} joins two segments")
    about = None if axis is None else direction(axis, f"the axis of {joint!r}")
    return _with_joint(figure, joint, _made(kind, about, old.kind))


def _made(kind: str, axis: Vec3 | None, old: Kind) -> Kind:
    """A kind by its name, about an axis: that of the old one where it has one."""
    if kind == "fixed":
        return Fixed()
    if kind == "free":
        return Free()
    along = {"axis": axis} if axis is not None else {}
    if kind in ("ball", "swing"):
        if axis is None and isinstance(old, (Ball, Swing)):
            along = {"axis": old.axis, "zero": old.zero}
        return (Ball if kind == "ball" else Swing)(**along)  # type: ignore[arg-type]
    if kind == "elbow":
        return Elbow(flexion_axis=axis or _axis(old, (0.0, 1.0, 0.0)))
    usual = (0.0, 1.0, 0.0) if kind == "hinge" else (0.0, 0.0, 1.0)
    return (Hinge if kind == "hinge" else Slider)(axis=axis or _axis(old, usual))


def _axis(old: Kind, usual: Vec3) -> Any:
    if isinstance(old, (Hinge, Slider)):
        return old.axis
    return old.flexion_axis if isinstance(old, Elbow) else usual


def with_limits(figure: Figure, joint: str, limits: Mapping[str, Any]) -> Figure:
    """Give a joint other limits; what is not given stays.

    Args:
        figure: whose joint it is.
        joint: its name.
        limits: intervals by coordinate, as (lower, upper), None for no end; of a ball or swing
            also "swing", the radii (rx, ry) of an ellipse round its zero or None for none, and of
            a ball "twist", an interval or None.
    """
    kind = _checked_joint(figure, joint).kind
    known = {*(kind.coordinates or ())}
    known |= {"swing", "twist"} if isinstance(kind, Ball) else set[str]()
    known |= {"swing"} if isinstance(kind, Swing) else set[str]()
    for each in limits:
        if each not in known:
            raise unknown_name("coordinate", each, known, f"joint {joint!r}")
    return _with_joint(figure, joint, _limited(kind, limits))


def _limited(kind: Kind, limits: Mapping[str, Any]) -> Kind:
    intervals = {key: _interval(value) for key, value in limits.items() if key != "swing"}
    if isinstance(kind, (Hinge, Slider)):
        return replace(kind, limits=intervals.get(kind.coordinate, kind.limits))
    if isinstance(kind, Elbow):
        flexion, twist = kind.coordinates
        return replace(
            kind,
            flexion_limits=intervals.get(flexion, kind.flexion_limits),
            twist_limits=intervals.get(twist, kind.twist_limits),
        )
    if not isinstance(kind, (Ball, Swing)):
        raise PoiseError(f"a {kind.kind} joint has no limits to set")
    changes: dict[str, Any] = {}
    names = list(kind.coordinates or ())
    swinging = not isinstance(kind, Ball) or kind.chart == "swing_twist"
    if swinging:
        for field, coordinate in zip(("swing_x", "swing_y"), names, strict=False):
            if coordinate in intervals:
                changes[field] = intervals[coordinate]
        if isinstance(kind, Ball) and names[-1] in intervals:
            changes["twist"] = _twist(intervals[names[-1]])
    elif any(name in intervals for name in names):
        raise PoiseError("a ball without limits takes those of swing and twist, not of rx, ry, rz")
    if "swing" in limits:
        radii = limits["swing"]
        changes["swing"] = () if radii is None else (SphericalEllipse(*radii),)
    if "twist" in intervals and "twist" not in names:
        changes["twist"] = _twist(intervals["twist"])
    if isinstance(kind, Ball) and not swinging and changes:
        changes |= {"chart": None, "coordinates": None}  # limits need the other chart
    return replace(kind, **changes)


def _interval(value: Any) -> Interval:
    if value is None:
        return EVERYTHING
    low, high = value
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _twist(ends: Interval) -> Twist | None:
    return None if ends == EVERYTHING else Twist(*ends)


def _with_joint(figure: Figure, name: str, kind: Kind) -> Figure:
    """The figure with another kind for a joint; named postures are kept as far as they can be."""
    old = figure.joints[name]
    clinical = old.clinical if isinstance(kind, (Ball, Swing)) else {}
    if isinstance(kind, Swing):
        clinical = {angle: axis for angle, axis in clinical.items() if axis[-1] != "z"}
    new = replace(old, kind=kind, clinical=clinical)
    parts = _Parts.of(figure)
    known = {*figure.coordinates} - {*old.coordinates} | {*new.coordinates}
    moved: dict[str, dict[str, float]] = {}
    for each, q in figure.postures.items():
        motion = old.kind.motion(q[figure.span(name)])
        values = kind.values(Transform(motion.rotation, motion.position))
        moved[each] = dict(zip(new.coordinates, values.tolist(), strict=True))
    return replace(
        parts,
        joints=tuple(new if each.name == name else each for each in parts.joints),
        couplings=tuple(c for c in parts.couplings if known.issuperset(c.terms)),
    ).built(figure, moved)


# topology ------------------------------------------------------------------------------------


def with_segment(
    figure: Figure,
    parent: str,
    new: str,
    *,
    metres: float = 0.2,
    kind: str = "ball",
    towards: Sequence[float] | None = None,
    position: Sequence[float] | None = None,
) -> Figure:
    """Add a segment at the tip of another, or at a place on it, with a site `…_tip` at its end.

    Args:
        figure: what it is added to.
        parent: the segment that carries it.
        new: its name, and that of its joint.
        metres: its length.
        kind: of its joint.
        towards: its direction, in the parent's frame; without one, as the parent goes on.
        position: of the joint, in the parent's frame; without one, the parent's tip.
    """
    _checked_segment(figure, parent)
    _check_free(figure, name(new, "segment"))
    size = length(metres, f"the length of {new!r}")
    if kind not in KINDS or kind == "free":
        raise unknown_name("kind", kind, [each for each in KINDS if each != "free"])
    tip = tip_of(figure, parent)
    at = tip if position is None else np.array(vector(position, f"the place of {new!r}"))
    onward = tip if np.linalg.norm(tip) > 1e-6 else np.array([0.0, 0.0, 1.0])
    along = np.array(direction(onward if towards is None else towards, f"the direction of {new!r}"))
    end = vector(size * along, "the end")
    color = figure.segments[parent].color
    shape = Capsule((0.0, 0.0, 0.0), end, 0.5 * _THICK * size)
    made = _made(kind, vector(along, "the axis") if kind in ("ball", "swing") else None, Fixed())
    parts = _Parts.of(figure)
    return replace(
        parts,
        segments=(*parts.segments, Segment(new, shapes=(shape,), density=1000.0, color=color)),
        joints=(*parts.joints, Joint(new, made, parent, new, vector(at, "the place"))),
        sites=(*parts.sites, Site(f"{new}_tip", new, end)),
    ).built(figure)


def without_segment(figure: Figure, segment: str) -> Figure:
    """Remove a segment, and all that hangs on it; laws that speak of it go with it."""
    _checked_segment(figure, segment)
    carriers = carriers_of(figure)
    parents = {each: carrier for each, (carrier, _) in carriers.items()}
    if parents[segment] == WORLD:
        raise PoiseError(f"{segment!r} is the root: a figure cannot be without it")
    gone = {segment}
    while more := {child for child, parent in parents.items() if parent in gone} - gone:
        gone |= more
    parts = _Parts.of(figure)
    cut = {joint.name for each, (_, joint) in carriers.items() if each in gone}
    joints = tuple(each for each in parts.joints if each.name not in cut)
    left = {each.name for each in joints}
    groups: list[Group] = []
    for group in parts.groups:
        members = {term.partition(".")[0] for term in group.terms}
        if not members & left:
            continue
        if not members <= left:
            away = ", ".join(sorted(members - left))
            raise PoiseError(
                f"{segment!r} cannot be removed: the group {group.name!r} drives {away} together "
                "with joints that stay"
            )
        groups.append(group)
    known = {c for each in joints for c in each.coordinates}
    known |= {c for group in groups for c in group.coordinates}
    return replace(
        parts,
        segments=tuple(each for each in parts.segments if each.name not in gone),
        joints=joints,
        sites=tuple(each for each in parts.sites if each.segment not in gone),
        couplings=tuple(c for c in parts.couplings if known.issuperset(c.terms)),
        groups=tuple(groups),
    ).built(figure)


def with_name(figure: Figure, segment: str, new: str) -> Figure:
    """Call a segment something else; joints and sites keep their names."""
    _checked_segment(figure, segment)
    if new == segment:
        return figure
    if name(new, "segment") in figure.segments or new == WORLD:
        raise PoiseError(f"there is a segment named {new!r} already")
    parts = _Parts.of(figure)

    def called(each: str) -> str:
        return new if each == segment else each

    return replace(
        parts,
        segments=tuple(replace(each, name=called(each.name)) for each in parts.segments),
        joints=tuple(
            replace(each, parent=called(each.parent), child=called(each.child))
            for each in parts.joints
        ),
        sites=tuple(replace(each, segment=called(each.segment)) for each in parts.sites),
    ).built(figure)


def _checked_segment(figure: Figure, segment: str) -> None:
    if segment not in figure.segments:
        raise unknown_name("segment", segment, figure.segments)


def _checked_joint(figure: Figure, joint: str) -> Joint:
    if joint not in figure.joints:
        raise unknown_name("joint", joint, figure.joints)
    group = driver(figure, joint)
    if group is not None:
        raise PoiseError(
            f"{joint!r} is driven by the group {group.name!r} together with others, so its kind "
            "and limits cannot be changed by themselves"
        )
    return figure.joints[joint]


def _check_free(figure: Figure, new: str) -> None:
    taken = {*figure.segments, *figure.joints, *figure.groups, WORLD}
    if new in taken or f"{new}_tip" in figure.sites:
        raise PoiseError(f"the name {new!r} is taken: there is a part of the figure named so")
