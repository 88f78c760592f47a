"""A URDF file from a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.checking import MOST_END, Vec3
from poise.documents import write as write_text
from poise.errors import PoiseError
from poise.figure import Figure
from poise.figure.kinds import EVERYTHING
from poise.figure.parts import WORLD, Segment
from poise.figure.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Hull,
    Shape,
    Sphere,
    TaperedCapsule,
)
from poise.figure.transform import IDENTITY, Transform, rotation_matrix, rotation_to
from poise.formats.hostile import Names, xml_text
from poise.formats.laws import Laws
from poise.formats.leaving import (
    BALL_LIMITS,
    BALLS,
    COLORS,
    COUPLINGS,
    GROUPS,
    KINDS,
    LIMITS,
    MASSES,
    SHAPES,
    SWINGS,
    TWISTS,
    left_out,
    several_axes,
)
from poise.formats.moves import Crossing, Move, taken_apart
from poise.formats.placing import color_parts, is_still, is_turn, number_text, numbers_text, shared
from poise.formats.reading import Reading

_HOLDS = (
    *(KINDS, LIMITS, SHAPES, COLORS, MASSES),
    *(COUPLINGS, GROUPS),  # those that it does not are told one by one
)
_INSTEAD = {
    SWINGS: "three hinges each",
    BALLS: "three hinges each",
    BALL_LIMITS: "boxes of hinges round them, which allow more",
    TWISTS: "intervals at their widest",
}
_TYPES = {"hinge": "revolute", "slide": "prismatic", "free": "floating"}
_BY_VOLUME = (np.pi / 6) ** (1 / 3)  # edge of the box of an ellipsoid's volume, by its diameter


def write(reading: Reading, path: str | Path, *, hinges: bool = False) -> tuple[str, ...]:
    """Write a figure's segments, joints, masses and shapes as URDF.

    Every placement can be taken by the robot too. Joints of several axes get links between that
    hold nothing. What URDF has no word for is left out and told: sites, postures, couplings of
    more than two joints. Ellipsoids become boxes and tapered capsules cylinders.

    Args:
        reading: what to write; of it, the figure.
        path: of the file.
        hinges: whether balls become three hinges and swings three of which one follows another.
            Without it a figure with either is refused: URDF has neither.

    Returns:
        What was left out or changed, one sentence each.
    """
    writer = _Writer(reading.figure, hinges)
    write_text(path, writer.text())
    instead = {**several_axes(reading.figure), **_INSTEAD}
    return (*writer.notes, *left_out(reading, "a URDF file", _HOLDS, instead))


class _Writer:
    """Collects the lines of a file."""

    def __init__(self, figure: Figure, hinges: bool) -> None:
        crossed = taken_apart(figure, hinges=True)
        _refuse_balls(crossed, hinges)
        self.figure = figure
        self.crossed = crossed
        self.links = Names(WORLD)
        self.lines: list[str] = []
        self.notes: list[str] = []
        for segment in figure.segments:
            self.links.fresh(segment)
        moves = [move for crossing in crossed for move in crossing.moves]
        self.names = Names(*figure.joints, *(move.name for move in moves))
        self._bind(moves)

    def text(self) -> str:
        figure = self.figure
        self._add("robot", {"name": figure.name}, closed=False, depth=0)
        grounded = [crossing for crossing in self.crossed if crossing.parent == WORLD]
        still = len(grounded) == 1 and grounded[0].joint.kind.is_fixed
        if still and is_still(grounded[0].start @ grounded[0].end):
            self.crossed = [crossing for crossing in self.crossed if crossing.parent != WORLD]
        else:
            self._add("link", {"name": WORLD})
        for segment in figure.segments.values():
            self._segment(segment)
        for crossing in self.crossed:
            self._crossing(crossing)
        return "\n".join(['<?xml version="1.0"?>', *self.lines, "</robot>", ""])

    def _add(
        self, tag: str, attributes: dict[str, str], *, closed: bool = True, depth: int = 1
    ) -> None:
        self.lines.append("  " * depth + xml_text(tag, attributes, closed=closed))

    # laws ----------------------------------------------------------------------------------

    def _bind(self, moves: list[Move]) -> None:
        """Find which joint mimics which, and limits that laws give."""
        by_coordinate = {move.coordinate: move.name for move in moves if move.coordinate}
        laws = Laws(self.figure, by_coordinate)
        self.notes += laws.notes
        self.limits = {by_coordinate[each]: ends for each, ends in laws.limits.items()}
        self.mimics: dict[str, tuple[str, float, float]] = {
            move.name: (move.follows, 1.0, 0.0) for move in moves if move.follows
        }
        for coupling in laws.couplings:
            terms = [(by_coordinate[each], factor) for each, factor in coupling.terms.items()]
            free = [k for k, (name, _) in enumerate(terms) if name not in self.mimics]
            if len(terms) != 2 or coupling.lower != coupling.upper or not free:
                self.notes.append(f"coupling {coupling.name!r} left out: no joint can mimic it")
                continue
            name, factor = terms.pop(free[0])
            ((other, by),) = terms
            if self._leads(name, other):
                self.notes.append(f"coupling {coupling.name!r} left out: mimicking goes in a ring")
                continue
            self.mimics[name] = (other, -by / factor, coupling.lower / factor)

    def _leads(self, name: str, other: str) -> bool:
        """Whether a joint leads another, by however many between."""
        while other in self.mimics and other != name:
            other = self.mimics[other][0]
        return other == name

    # joints --------------------------------------------------------------------------------

    def _crossing(self, crossing: Crossing) -> None:
        """A joint for each move; the last one's frame is the child's."""
        start, end, moves = crossing.start, crossing.end, crossing.moves
        if not moves:
            self._fixed(crossing.joint.name, crossing.parent, crossing.child, start @ end)
            return
        if is_turn(end) and moves[-1].kind != "free":
            # Turning first and moving about turned axes is the same.
            moves, start, end = crossing.turned(end.rotation).moves, start @ end, IDENTITY
        parent = crossing.parent
        for i, move in enumerate(moves):
            last = i == len(moves) - 1
            if last and is_still(end):
                child = crossing.child
            else:
                child = self.links.fresh(f"{crossing.child}_{move.name}")
                self._add("link", {"name": child})
            self._joint(move, parent, child, start)
            parent, start = child, IDENTITY
        if not is_still(end):
            name = self.names.fresh(f"{crossing.joint.name}_end")
            self._fixed(name, parent, crossing.child, end)

    def _fixed(self, name: str, parent: str, child: str, place: Transform) -> None:
        self._open_joint(name, "fixed", parent, child, place)
        self.lines.append("  </joint>")

    def _open_joint(self, name: str, kind: str, parent: str, child: str, place: Transform) -> None:
        self._add("joint", {"name": name, "type": kind}, closed=False)
        self._add("origin", _origin(place), depth=2)
        self._add("parent", {"link": parent}, depth=2)
        self._add("child", {"link": child}, depth=2)

    def _joint(self, move: Move, parent: str, child: str, place: Transform) -> None:
        kind = _TYPES[move.kind]
        low, high = shared(move.limits, self.limits.get(move.name, EVERYTHING))
        if kind == "revolute" and (low, high) == EVERYTHING:
            kind = "continuous"
        self._open_joint(move.name, kind, parent, child, place)
        if kind != "floating":
            self._add("axis", {"xyz": numbers_text(move.axis)}, depth=2)
        if kind in ("revolute", "prismatic"):
            # URDF wants both ends.
            low, high = np.clip([low, high], -MOST_END, MOST_END).tolist()
            ends = {"lower": number_text(low), "upper": number_text(high)}
            self._add("limit", {**ends, "effort": "1000", "velocity": "1000"}, depth=2)
        if move.name in self.mimics:
            other, factor, offset = self.mimics[move.name]
            numbers = {"multiplier": number_text(factor), "offset": number_text(offset)}
            self._add("mimic", {"joint": other, **numbers}, depth=2)
        self.lines.append("  </joint>")

    # links ---------------------------------------------------------------------------------

    def _segment(self, segment: Segment) -> None:
        mass, center, inertia = segment.mass_properties()
        self._add("link", {"name": segment.name}, closed=False)
        if mass > 0:
            self._add("inertial", {}, closed=False, depth=2)
            self._add("origin", {"xyz": numbers_text(center), "rpy": "0 0 0"}, depth=3)
            self._add("mass", {"value": number_text(mass)}, depth=3)
            indices = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2)}
            indices |= {"iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
            tensor = {name: number_text(float(inertia[at])) for name, at in indices.items()}
            self._add("inertia", tensor, depth=3)
            self.lines.append("    </inertial>")
        solids = [solid for shape in segment.shapes for solid in self._solids(shape)]
        for role in ("visual", "collision"):
            for tag, sizes, place in solids:
                self._add(role, {}, closed=False, depth=2)
                self._add("origin", _origin(place), depth=3)
                self._add("geometry", {}, closed=False, depth=3)
                self._add(tag, sizes, depth=4)
                self.lines.append("      </geometry>")
                if role == "visual" and segment.color:
                    rgba = numbers_text([*color_parts(segment.color), 1.0])
                    self._add("material", {"name": segment.color}, closed=False, depth=3)
                    self._add("color", {"rgba": rgba}, depth=4)
                    self.lines.append("      </material>")
                self.lines.append(f"    </{role}>")
        self.lines.append("  </link>")

    def _solids(self, shape: Shape) -> list[tuple[str, dict[str, str], Transform]]:
        """A shape as URDF's boxes, cylinders and spheres: tag, sizes, place."""
        if isinstance(shape, Sphere):
            return [_ball(shape.center, shape.radius)]
        if isinstance(shape, Hull):
            self._say("hulls are written as boxes of the same volume")
            shape = shape.box()
        if isinstance(shape, (Box, Ellipsoid)):
            size = np.array(shape.size if isinstance(shape, Box) else shape.radii)
            if isinstance(shape, Ellipsoid):
                self._say("ellipsoids are written as boxes of the same volume")
                size = size * 2 * _BY_VOLUME
            place = Transform.make(shape.center, shape.rotation)
            return [("box", {"size": numbers_text(size)}, place)]
        span = np.subtract(shape.end, shape.start)
        length = float(np.linalg.norm(span))
        middle = 0.5 * np.add(shape.start, shape.end)
        tapers = isinstance(shape, TaperedCapsule)
        first, last = (
            (shape.start_radius, shape.end_radius) if tapers else (shape.radius, shape.radius)
        )
        sizes = {"radius": number_text(0.5 * (first + last)), "length": number_text(length)}
        rod = ("cylinder", sizes, Transform(rotation_to(span / length), middle))
        if isinstance(shape, Cylinder):
            return [rod]
        assert isinstance(shape, (Capsule, TaperedCapsule))
        self._say("capsules are written as a cylinder and two spheres each")
        return [rod, _ball(shape.start, first), _ball(shape.end, last)]

    def _say(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _refuse_balls(crossed: list[Crossing], hinges: bool) -> None:
    wrong = [crossing.joint for crossing in crossed if crossing.joint.kind.spherical is not None]
    if wrong and not hinges:
        joint = wrong[0]
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise PoiseError(
            f"URDF has no {joint.kind.kind} joints, such as {joint.name!r}{more}; with hinges=True "
            "balls and swings are written as hinges"
        )


def _ball(center: Vec3, radius: float) -> tuple[str, dict[str, str], Transform]:
    return ("sphere", {"radius": number_text(radius)}, Transform.make(center))


def _origin(place: Transform) -> dict[str, str]:
    """Attributes of an <origin>; the rotation as roll, pitch, yaw about fixed axes."""
    r = place.rotation
    across = float(np.hypot(r[0, 0], r[1, 0]))
    pitch = float(np.arctan2(-r[2, 0], across))
    yaw = float(np.arctan2(r[1, 0], r[0, 0])) if across > 1e-9 else 0.0
    # What yaw and pitch leave over, so that roll is right also where these two are not sharp.
    rest = (rotation_matrix([0, 0, yaw]) @ rotation_matrix([0, pitch, 0])).T @ r
    roll = float(np.arctan2(rest[2, 1], rest[1, 1]))
    return {"xyz": numbers_text(place.position), "rpy": numbers_text([roll, pitch, yaw])}
