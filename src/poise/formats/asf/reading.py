"""An ASF file as a figure, and the coordinates of the motions that AMC files hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.errors import PoiseError
from poise.figure import WORLD, Ball, Builder, Elbow, Figure, Fixed, Free, Hinge, Twist
from poise.figure.kinds import JointKind
from poise.figure.limits import LARGEST_SWING
from poise.figure.transform import IDENTITY
from poise.formats.asf.parsing import ROOT, Bone, Parsed, parse
from poise.formats.bones import drawn_bones
from poise.formats.conventions import AUTO, Convention, Skeleton, settle
from poise.formats.hostile import Names, decode, read_bytes
from poise.formats.poses import unturned
from poise.formats.reading import Reading
from poise.formats.within import within

Values = NDArray[np.float64]

_STEPS = 9
"""Angles that are tried about each axis to see where three limits together let a ball go; odd, so
that the middle is one of them."""


@dataclass(frozen=True, eq=False)
class Acclaim:
    """A skeleton with what is needed to read its motions.

    Attributes:
        figure: the figure.
        parsed: the file's own words.
        called: what each bone is called in the figure.
        convention: the file's axes and unit.
        notes: about guesses.
    """

    figure: Figure
    parsed: Parsed
    called: dict[str, str]
    convention: Convention
    notes: tuple[str, ...]

    def coordinates(self, bone: Bone, angles: Values) -> Values:
        """Coordinates (k, width) of a bone's joint for its angles (k, dofs) in radians."""
        kind = self.figure.joints[self.called[bone.name]].kind
        if kind.spherical is None:
            return unturned(kind, angles[:, ::-1])  # ours have the outermost first
        order = "".join(each[1] for each in bone.dof)
        turns = Rotation.from_euler(order, angles).as_matrix()
        return kind.values_of(
            _turned(self.parsed, bone, self.convention, turns), np.zeros((len(turns), 3))
        )

    def root_coordinates(self, numbers: Values) -> Values:
        """Coordinates (k, 6) of the root for its numbers (k, c), angles in radians."""
        order = self.parsed.order
        slides, angles = (
            np.zeros((len(numbers), 3)),
            [i for i, c in enumerate(order) if c[0] == "r"],
        )
        for i, channel in enumerate(order):
            if channel[0] == "t":
                slides[:, "xyz".index(channel[1])] = numbers[:, i]
        axes = _axes(self.parsed, self.parsed.orientation, self.parsed.axis)
        turns = Rotation.identity(len(numbers))
        if angles:
            turns = Rotation.from_euler("".join(order[i][1] for i in angles), numbers[:, angles])
        vectors = (axes * turns * axes.inv()).as_rotvec()
        return np.hstack([self.convention.places(slides), self.convention.directions(vectors)])


def read(
    path: Path,
    *,
    up: str = AUTO,
    forward: str = AUTO,
    unit: str | float = AUTO,
    limits: bool = True,
    bones: bool = True,
) -> Reading:
    """Read an ASF file.

    A bone with three rotations becomes a ball, with two an elbow, with one a hinge, with none it is
    fixed. A ball gets the least limits of swing and twist that allow all that the three intervals
    of its angles allow; other limits are kept as they are. The rest posture is the file's own, with
    all angles zero; where limits exclude that, it is clamped, with a note. The end of a last bone
    is a site, `head_end`.

    Args:
        path: the file.
        up: the file's axis that points up: "x", "y", "z", or "auto" to guess.
        forward: the file's axis that points to where the figure looks, or "auto" to guess.
        unit: "m", "cm", "in" and so on, the metres in one unit, or "auto": what the file says
            (inches divided by its `length`) if that makes a person, else a guess.
        limits: whether to keep the limits; recorded motions may break them.
        bones: whether to draw bones as capsules, so that the figure can be seen.
    """
    acclaim = build(path, up=up, forward=forward, unit=unit, limits=limits, bones=bones)
    return Reading(acclaim.figure, notes=acclaim.notes)


def build(
    path: Path, *, up: str, forward: str, unit: str | float, limits: bool, bones: bool
) -> Acclaim:
    """Read a skeleton; arguments as for `read`."""
    name = str(path)
    parsed = parse(decode(read_bytes(path), name, fallback="latin-1"), name)
    try:
        return _built(Path(path), parsed, up, forward, unit, limits, bones)
    except PoiseError as error:
        raise PoiseError(f"{name}: {error}") from None


def _built(
    path: Path,
    parsed: Parsed,
    up: str,
    forward: str,
    unit: str | float,
    limits: bool,
    bones: bool,
) -> Acclaim:
    ends = {ROOT: np.zeros(3)} | {bone.name: _end(bone) for bone in parsed.bones}
    skeleton = _skeleton(parsed, ends)
    convention, notes = settle(skeleton, up, forward, unit)
    if unit == AUTO:
        stated = 0.0254 / parsed.length_unit
        if abs(np.log(stated / convention.unit)) < 0.3:  # no more than people differ in size
            convention, notes = settle(skeleton, up, forward, stated)
    names, sites = Names(WORLD), Names()
    called = {each: names.fresh(each) for each in ends}
    reach = {each: [convention.places(end)] for each, end in ends.items()}
    parents = {bone.parent for bone in parsed.bones}
    builder = Builder(path.stem or "figure", f"read from {path.name}")
    builder.segment(called[ROOT])
    builder.joint(
        called[ROOT], Free(), WORLD, called[ROOT], convention.places(np.array(parsed.position))
    )
    for bone in parsed.bones:
        here = called[bone.name]
        builder.segment(here, shapes=drawn_bones(reach[bone.name]) if bones else ())
        kind = _kind(parsed, bone, convention, limits)
        # Hinges and elbows turn about the bone's own axes; a ball needs none.
        axes = np.zeros(3)
        if len(bone.dof) in (1, 2):
            turn = _axes(parsed, bone.axis, bone.order)
            axes = convention.directions(turn.as_rotvec())
        at = convention.places(ends[bone.parent])
        builder.joint(
            here, kind, called[bone.parent], here, at, rotation=axes, child_rotation=-axes
        )
        if bone.name not in parents:
            builder.site(sites.fresh(f"{here}_end"), here, convention.places(ends[bone.name]))
    notes += names.notes("bones")
    figure = builder.build()
    notes += _name_rest(figure)
    return Acclaim(figure, parsed, called, convention, tuple(notes))


def _name_rest(figure: Figure) -> list[str]:
    """Make the file's zero posture the figure's rest; notes where limits exclude it."""
    zero = np.concatenate([joint.kind.values(IDENTITY) for joint in figure.joints.values()])
    rest = within(figure, zero)
    if rest is None:
        return ["limits exclude the file's zero posture, and none near it is within them"]
    figure.postures["rest"] = rest
    if rest is zero:
        return []
    broken = ", ".join(
        f"{name} {np.rad2deg(angle):.3g}°" for name, angle in figure.broken_limits(zero).items()
    )
    return [f"limits exclude the file's zero posture; the rest posture is clamped: {broken}"]


def _end(bone: Bone) -> Values:
    """Where a bone ends, from its own joint, in the file's axes and unit."""
    direction = np.array(bone.direction)
    size = float(np.linalg.norm(direction))
    return direction * (bone.length / size) if size > 1e-12 else np.zeros(3)


def _skeleton(parsed: Parsed, ends: dict[str, Values]) -> Skeleton:
    place = {ROOT: 0} | {bone.name: i for i, bone in enumerate(parsed.bones, 1)}
    return Skeleton(
        list(place),
        [-1, *(place[bone.parent] for bone in parsed.bones)],
        np.array([np.zeros(3), *(ends[bone.parent] for bone in parsed.bones)]),
        np.zeros((0, len(place), 3)),
    )


def _axes(parsed: Parsed, angles: tuple[float, float, float], order: str) -> Rotation:
    """The axes that three angles give, the first of the order innermost."""
    given = dict(zip("xyz", angles, strict=True))
    return Rotation.from_euler(order, [given[axis] for axis in order], parsed.degrees)


def _turned(parsed: Parsed, bone: Bone, convention: Convention, turns: Values) -> Values:
    """A bone's rotations (…, 3, 3) against its parent in our axes, for turns in its own."""
    axes = convention.axes @ _axes(parsed, bone.axis, bone.order).as_matrix()
    return axes @ turns @ axes.T


def _kind(parsed: Parsed, bone: Bone, convention: Convention, limited: bool) -> JointKind:
    """The kind of joint with the bone's freedoms, outermost first."""
    scale = np.pi / 180 if parsed.degrees else 1.0
    given = bone.limits or [(-np.inf, np.inf)] * len(bone.dof)
    if not limited:
        given = [(-np.inf, np.inf)] * len(bone.dof)
    intervals = [(low * scale, high * scale) for low, high in given]
    axes = [tuple(convention.axes[:, "xyz".index(each[1])].tolist()) for each in bone.dof]
    match len(bone.dof):
        case 0:
            return Fixed()
        case 1:
            return Hinge(axes[0], intervals[0], bone.dof[0])
        case 2:
            return Elbow(axes[1], axes[0], intervals[1], intervals[0], (bone.dof[1], bone.dof[0]))
        case _:
            return _ball(parsed, bone, convention, intervals)


def _ball(
    parsed: Parsed, bone: Bone, convention: Convention, intervals: list[tuple[float, float]]
) -> Ball:
    """A ball along the bone that goes wherever three angles within intervals can take it.

    The chart's zero is where all angles are in the middle. A swing stops at 150° as always.
    """
    end = _end(bone)
    length = float(np.linalg.norm(end))
    if not np.isfinite(intervals).all() or length < 1e-9:
        return Ball()
    axis = tuple((convention.axes @ end / length).tolist())
    inner, between, outer = (
        Rotation.from_euler(each[1], np.linspace([low], [high], _STEPS)).as_matrix()
        for each, (low, high) in zip(bone.dof, intervals, strict=True)
    )
    tried = outer[:, None, None] @ between[:, None] @ inner  # all with all
    turns = _turned(parsed, bone, convention, tried)
    zero = Rotation.from_matrix(turns[(_STEPS // 2,) * 3]).as_rotvec()
    free = Ball(axis, zero=tuple(zero.tolist()), chart="swing_twist")
    values = free.values_of(turns.reshape(-1, 3, 3), np.zeros((_STEPS**3, 3)))
    low, high = values.min(axis=0).tolist(), values.max(axis=0).tolist()
    stop = LARGEST_SWING
    swings = [(max(low[i], -stop), min(high[i], stop)) for i in range(2)]
    twist = Twist(low[2], high[2]) if high[2] - low[2] < np.deg2rad(340) else None
    return Ball(axis, free.zero, twist=twist, swing_x=swings[0], swing_y=swings[1])
