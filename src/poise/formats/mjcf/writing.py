"""An MJCF file from a figure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.checking import MOST_END
from poise.documents import write as write_text
from poise.errors import PoiseError
from poise.figure import Figure, Placements
from poise.figure.kinds import EVERYTHING, Interval, JointKind
from poise.figure.parts import WORLD, Segment
from poise.figure.shapes import Box, Cylinder, Ellipsoid, Hull, Shape, Sphere, TaperedCapsule
from poise.figure.transform import IDENTITY, Transform, quaternion
from poise.formats.hostile import xml_text
from poise.formats.laws import Laws
from poise.formats.leaving import (
    BALL_LIMITS,
    BALLS,
    COLORS,
    COUPLINGS,
    GROUPS,
    KINDS,
    LIMITS,
    LOOPS,
    MASSES,
    NAMED_POSTURES,
    SHAPES,
    SHOWN_POSTURE,
    SITES,
    SWINGS,
    TWISTS,
    is_limited,
    left_out,
    several_axes,
)
from poise.formats.mjcf.prepass import LEAST_MASS
from poise.formats.moves import Crossing, Move, taken_apart
from poise.formats.placing import color_parts, number_text, numbers_text, shared
from poise.formats.reading import SHOWN, Reading
from poise.formats.within import within
from poise.tasks import Loop

Values = NDArray[np.float64]

DEEPEST = 490
"""How deep bodies may nest; MuJoCo's XML parser takes 500 elements."""

_HOLDS = (
    *(NAMED_POSTURES, SHOWN_POSTURE, KINDS, BALLS, LIMITS, BALL_LIMITS, SHAPES, COLORS, MASSES),
    *(SITES, COUPLINGS, GROUPS, LOOPS),  # those that it does not are told one by one
)

MOST_MOVES = 6
"""Hinges and slides that MuJoCo takes between a body and its parent."""


def write(reading: Reading, path: str | Path, *, hinges: bool = False) -> tuple[str, ...]:
    """Write a figure as MJCF: bodies, joints, masses, shapes, sites, laws, loops and postures.

    Every segment is a body in the same place. Balls are balls with the cone that their limits fit
    into. Swings, which MuJoCo lacks, are three hinges of which an equality makes the last follow
    the first. Equal couplings are equalities, others limits of fixed tendons. Tapered capsules
    become plain ones. Named postures are key frames.

    Args:
        reading: what to write: the figure, its loops and postures.
        path: of the file.
        hinges: whether balls become three hinges too.

    Returns:
        What was left out or changed, one sentence each.
    """
    writer = _Writer(reading, hinges)
    write_text(path, writer.text())
    return tuple(writer.notes)


def _refuse_many(crossing: Crossing) -> None:
    joint, count = crossing.joint, len(crossing.moves)
    if count > MOST_MOVES:
        raise PoiseError(
            f"MuJoCo lets a body move in {MOST_MOVES} ways at the most, and joint {joint.name!r}, "
            f"which is {joint.kind.kind}, would be {count} hinges and slides"
        )


class _Writer:
    """Collects the lines of a file."""

    def __init__(self, reading: Reading, hinges: bool) -> None:
        self.reading = reading
        self.figure: Figure = reading.figure
        self.hinges = hinges
        self.notes: list[str] = []
        self.lines: list[str] = []
        self.order: list[Crossing] = []
        """The joints in the order in which MuJoCo counts them."""
        crossed = taken_apart(self.figure, hinges=hinges, slides=True)
        self.children: dict[str, list[Crossing]] = {}
        for crossing in crossed:
            _refuse_many(crossing)
            self.children.setdefault(crossing.parent, []).append(crossing)
        moves = [move for crossing in crossed for move in crossing.moves]
        self.by_coordinate = {move.coordinate: move.name for move in moves if move.coordinate}
        self.laws = Laws(self.figure, self.by_coordinate)
        self.notes += self.laws.notes
        self.limits = {self.by_coordinate[each]: ends for each, ends in self.laws.limits.items()}
        self.follows = [(move.name, move.follows) for move in moves if move.follows]

    def text(self) -> str:
        masses = [segment.mass_properties() for segment in self.figure.segments.values()]
        light = any(mass <= 0 or np.linalg.eigvalsh(i)[0] < 1e-14 for mass, _, i in masses)
        bounds = {"boundmass": LEAST_MASS, "boundinertia": LEAST_MASS} if light else {}
        self._add("mujoco", {"model": self.figure.name}, closed=False, depth=0)
        self._add("compiler", {"angle": "radian", "autolimits": "true", **bounds})
        self._add("default", {}, closed=False)
        self._add("geom", {"mass": "0"}, depth=2)  # what has mass says so itself
        # No friction of ours, but parallel hinges of light bodies need it to be simulated at all.
        self._add("joint", {"armature": "0.001"}, depth=2)
        self.lines.append("  </default>")
        self._add("worldbody", {}, closed=False)
        self._bodies()
        self.lines.append("  </worldbody>")
        self._tendons_and_equalities()
        self._keys()
        self._tell()
        return "\n".join([*self.lines, "</mujoco>", ""])

    def _add(
        self, tag: str, attributes: Mapping[str, str], *, closed: bool = True, depth: int = 1
    ) -> None:
        self.lines.append("  " * depth + xml_text(tag, attributes, closed=closed))

    # bodies --------------------------------------------------------------------------------

    def _bodies(self) -> None:
        """The bodies as they nest, without recursion: chains may be long."""
        stack: list[tuple[Crossing | None, int]] = [
            (crossing, 2) for crossing in reversed(self.children.get(WORLD, []))
        ]
        while stack:
            crossing, depth = stack.pop()
            if crossing is None:
                self.lines.append("  " * depth + "</body>")
                continue
            if depth > DEEPEST:
                raise PoiseError(
                    f"{self.figure.name!r} cannot be written as MJCF: MuJoCo reads chains of "
                    f"{DEEPEST} bodies at most"
                )
            self.order.append(crossing)
            self._body(crossing, depth)
            stack.append((None, depth))
            stack += [(each, depth + 1) for each in reversed(self.children.get(crossing.child, []))]

    def _body(self, crossing: Crossing, depth: int) -> None:
        segment = self.figure.segments[crossing.child]
        place = crossing.start @ crossing.end
        self._add("body", {"name": segment.name, **_place(place)}, closed=False, depth=depth)
        self._inertial(segment, depth + 1)
        # Joints are told in the body's own frame, where all of them turn about one point.
        pivot = crossing.end.inverse().position
        for move in crossing.turned(crossing.end.rotation).moves:
            self._move(move, pivot, depth + 1)
        color = {"rgba": numbers_text([*color_parts(segment.color), 1])} if segment.color else {}
        for shape in segment.shapes:
            self._add("geom", {**self._shape(shape), **color}, depth=depth + 1)
        for site in self.figure.sites.values():
            if site.segment == segment.name:
                self._add("site", {"name": site.name, **_place(site.place)}, depth=depth + 1)

    def _move(self, move: Move, pivot: Values, depth: int) -> None:
        if move.kind == "free":
            self._add("freejoint", {"name": move.name}, depth=depth)
            return
        limits = shared(move.limits, self.limits.get(move.name, EVERYTHING))
        axis = {} if move.kind == "ball" else {"axis": numbers_text(move.axis)}
        attributes = {
            "name": move.name,
            "type": move.kind,
            "pos": numbers_text(pivot),
            **axis,
            **_range(limits),
        }
        self._add("joint", attributes, depth=depth)

    def _inertial(self, segment: Segment, depth: int) -> None:
        mass, center, inertia = segment.mass_properties()
        if mass <= 0:
            return
        moments, axes = np.linalg.eigh(inertia)
        axes = axes if np.linalg.det(axes) > 0 else -axes
        moments = np.maximum(moments, 0.0)
        # Rounding may leave the greatest a little above the sum of the others, as no body has it.
        moments[0] = max(moments[0], (moments[2] - moments[1]) * (1 + 1e-12))
        attributes = {
            **_place(Transform(axes, center)),
            "mass": number_text(mass),
            "diaginertia": numbers_text(np.maximum(moments, float(LEAST_MASS))),
        }
        self._add("inertial", attributes, depth=depth)

    def _shape(self, shape: Shape) -> dict[str, str]:
        if isinstance(shape, Sphere):
            center = numbers_text(shape.center)
            return {"type": "sphere", "size": number_text(shape.radius), "pos": center}
        if isinstance(shape, Hull):
            self._say("hulls are written as boxes of the same volume")
            shape = shape.box()
        if isinstance(shape, (Box, Ellipsoid)):
            sizes = np.array(shape.size) / 2 if isinstance(shape, Box) else np.array(shape.radii)
            place = _place(Transform.make(shape.center, shape.rotation))
            return {"type": shape.kind, "size": numbers_text(sizes), **place}
        if isinstance(shape, TaperedCapsule):
            self._say("tapered capsules are written as plain ones with the mean radius")
            radius = 0.5 * (shape.start_radius + shape.end_radius)
        else:
            radius = shape.radius
        kind = "cylinder" if isinstance(shape, Cylinder) else "capsule"
        ends = numbers_text([*shape.start, *shape.end])
        return {"type": kind, "size": number_text(radius), "fromto": ends}

    # laws and loops ------------------------------------------------------------------------

    def _tendons_and_equalities(self) -> None:
        tendons: list[str] = []
        equalities: list[str] = []
        for name, leader in self.follows:
            equalities.append(_equality(name, leader, 0.0, 1.0))
        for coupling in self.laws.couplings:
            terms = [(self.by_coordinate[each], factor) for each, factor in coupling.terms.items()]
            equal = coupling.lower == coupling.upper
            if equal and len(terms) == 2:
                (one, factor), (other, by) = terms
                law = _equality(one, other, coupling.lower / factor, -by / factor, coupling.name)
                equalities.append(law)
                continue
            limits = {} if equal else _range((coupling.lower, coupling.upper))
            tendons.append(xml_text("fixed", {"name": coupling.name, **limits}, closed=False))
            tendons += [
                "  " + xml_text("joint", {"joint": joint, "coef": number_text(factor)})
                for joint, factor in terms
            ]
            tendons.append("</fixed>")
            if equal:
                value = numbers_text([coupling.lower, 0, 0, 0, 0])
                law = {"name": coupling.name, "tendon1": coupling.name, "polycoef": value}
                equalities.append(xml_text("tendon", law))
        equalities += self._loops()
        for tag, lines in (("tendon", tendons), ("equality", equalities)):
            if lines:
                self._add(tag, {}, closed=False)
                self.lines += [f"    {line}" for line in lines]
                self.lines.append(f"  </{tag}>")

    def _loops(self) -> list[str]:
        lines: list[str] = []
        tags = {"position": "connect", "both": "weld"}
        for task in self.reading.loops:
            sites = {"site1": task.site, "site2": task.other} if isinstance(task, Loop) else {}
            if (
                not isinstance(task, Loop)
                or task.match not in tags
                or not set(sites.values()) <= set(self.figure.sites)
            ):
                self.notes.append(f"left out, as MJCF cannot say it: {task}")
                continue
            lines.append(xml_text(tags[task.match], sites))
        return lines

    # postures ------------------------------------------------------------------------------

    def _keys(self) -> None:
        named = {name: self.figure.posture(q) for name, q in self.figure.postures.items()}
        named.update(self.reading.postures)
        if self.reading.posture is not None:
            named.setdefault("rest", self.reading.posture)
            if SHOWN in named and not np.array_equal(named[SHOWN].q, self.reading.posture.q):
                self.notes.append(f"the posture named {SHOWN!r} gives way to the one that is shown")
            named[SHOWN] = self.reading.posture
        elif "rest" not in named:
            # MuJoCo starts with all coordinates zero, which limits may forbid.
            zero = np.zeros(self.figure.n)
            start = within(self.figure, zero)
            if start is not None and start is not zero:
                named["rest"] = named[SHOWN] = self.figure.posture(start)
        if not named or not self.figure.n:
            return
        self._add("keyframe", {}, closed=False)
        for name, posture in named.items():
            qpos = self._qpos(self.figure.place(posture), dict(self.figure.members(posture)))
            self._add("key", {"name": name, "qpos": numbers_text(qpos)}, depth=2)
        self.lines.append("  </keyframe>")

    def _qpos(self, where: Placements, members: dict[str, float]) -> list[float]:
        """MuJoCo's coordinates of a posture, in its order."""
        qpos: list[float] = []
        for crossing in self.order:
            values = crossing.values(members)
            if values or not crossing.moves:
                qpos += values
                continue
            parent = IDENTITY if crossing.parent == WORLD else where.segment(crossing.parent)
            child = where.segment(crossing.child)
            turn = child.rotation
            if crossing.moves[0].kind == "free":
                qpos += child.position.tolist()
            else:
                start = crossing.start @ crossing.end
                turn = (parent @ start).rotation.T @ child.rotation
                if crossing.moves[0].kind == "slide":
                    moved = (parent @ crossing.start).inverse() @ child @ crossing.end.inverse()
                    qpos += moved.position.tolist()
            qpos += quaternion(turn).tolist()
        return qpos

    # notes ---------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Say what the file does not hold, or holds as something else."""
        kinds = [joint.kind for joint in self.figure.joints.values()]
        instead = {
            **several_axes(self.figure),
            SWINGS: "three hinges each",
            TWISTS: "intervals at their widest",
        }
        if any(map(is_limited if self.hinges else _is_curved, kinds)):
            instead[BALL_LIMITS] = "boxes of hinges or cones round them, which allow more"
        if self.hinges:
            instead[BALLS] = "three hinges each"
        self.notes += left_out(self.reading, "an MJCF file", _HOLDS, instead)

    def _say(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _is_curved(kind: JointKind) -> bool:
    """Whether it has limits that are more than a cone about its zero."""
    return is_limited(kind) and any(step.node in ("swing", "ball") for step in kind.steps)


def _place(place: Transform) -> dict[str, str]:
    return {"pos": numbers_text(place.position), "quat": numbers_text(quaternion(place.rotation))}


def _range(limits: Interval) -> dict[str, str]:
    """A range, which MuJoCo wants with both ends and the first below the second."""
    if limits == EVERYTHING:
        return {}
    low, high = np.clip(limits, -MOST_END, MOST_END).tolist()
    if low >= high:
        high = float(np.nextafter(low, np.inf))
    return {"range": numbers_text([low, high])}


def _equality(one: str, other: str, constant: float, factor: float, name: str = "") -> str:
    """one = constant + factor · other, both zero where MuJoCo starts."""
    named = {"name": name} if name else {}
    law = numbers_text([constant, factor, 0, 0, 0])
    return xml_text("joint", {**named, "joint1": one, "joint2": other, "polycoef": law})
