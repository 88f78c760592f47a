"""Bringing what bears a body to the floor, by small changes of the posture.

Contacts are equations: a sole is level and at z = 0, the lowest point of a knee is at z = 0. They
are solved by Gauss–Newton; in the space that they leave, the centre of mass goes over what bears
the body, and the posture stays near the one that was meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Figure, Placements, Posture
from poise.figure.naming import driver
from poise.figure.shapes import Box, Ellipsoid, Hull, Shape, Sphere
from poise.figure.transform import rotation_matrix
from poise.models.proportions import VERTEBRAE

Floats = NDArray[np.float64]

_LEG = ("hip", "knee", "ankle")
_STEPS = 60
_LONGEST = 0.15  # rad or m that a coordinate changes in one step
_EXACT = 1e-5  # m that a contact may be off
_SEEN = 2e-3  # m that a contact may be off at the end
_NEAR = 0.03  # m between a point and the mirror image of another
_ROCKS = 0.01  # m by which the other side of a segment may be higher, and yet bears, too
_AT_STOP = 1e-6  # rad that a limit takes back of a step
_SETTLED = 1e-5  # rad or m of a last step
_BALANCE, _MEANT = 40.0, 1.0  # weights: of a metre off balance, of a radian off what was meant
_LEVER = 0.1  # m by which an angle of a sole counts


@dataclass(frozen=True)
class Landing:
    """What bears a body.

    Attributes:
        flat: sites of soles that stand on the floor whole.
        toes: feet that stand on their toes, which are flat.
        touch: parts whose lowest point is on the floor.
        over: shares of the parts between which the centre of mass is; none where it is free.
        moves: joints that may change besides the legs.
    """

    flat: Sequence[str] = ()
    toes: Sequence[str] = ()
    touch: Sequence[str] = ()
    over: Mapping[str, float] | None = None
    moves: Sequence[str] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Landing:
        """As a row of the table tells."""
        names = ("flat", "toes", "touch", "over", "moves")
        return cls(**{name: row[name] for name in names if name in row})


class _Contacts(NamedTuple):
    """What is to be on the floor."""

    off: Floats  # (k,) m
    slopes: Floats  # (k, n) how that changes with all coordinates
    names: list[str]  # (k,) of soles and parts


def landed(posture: Posture, landing: Landing, name: str) -> Posture:
    """The posture with all contacts on the floor, as near as can be to what was meant.

    Args:
        posture: what was meant.
        landing: what bears the body.
        name: of the pose, for messages.

    Raises:
        PoiseError: where a contact cannot be brought to the floor.
    """
    figure, meant = posture.figure, posture.q.copy()
    free = _free(figure, landing.moves)
    now = posture.copy()
    for _ in range(_STEPS):
        off, slopes, _ = _contacts(now, landing)
        step = np.zeros(figure.n)
        step[free] = _step(now, landing, off, slopes[:, free], meant, free)
        longest = float(np.abs(step).max())
        wanted = now.q + step * min(1.0, _LONGEST / max(longest, 1e-12))
        now = figure.clamp(now.with_q(wanted))
        # What has come to its stop stays there, and the others do its part.
        free = free[np.abs(now.q - wanted)[free] < _AT_STOP]
        if np.abs(off).max() < _EXACT and longest < _SETTLED:
            break
    _check(now, landing, name)
    return now


def lowest(figure: Figure, where: Placements, part: str) -> tuple[str, Floats]:
    """The lowest point of a part in the world, and the segment it is on.

    A part is a segment, a hand with its fingers, a foot with its toes, or "trunk", all vertebrae.
    """
    found = [
        (name, point)
        for name in _segments(figure, part)
        for shape in figure.segments[name].shapes
        for point in _bottoms(shape, where, name)
    ]
    return min(found, key=lambda each: float(each[1][2]))


def _segments(figure: Figure, part: str) -> Iterator[str]:
    side, _, rest = part.partition("_")
    if part == "trunk":
        yield from VERTEBRAE
        return
    yield part
    if rest == "hand":
        for joint in figure.joints.values():
            if joint.child.startswith(f"{side}_") and joint.name.endswith(
                ("_mcp", "_pip", "_dip", "_cmc", "_ip")
            ):
                yield joint.child
    if rest == "foot":
        yield f"{side}_toes"


def _bottoms(shape: Shape, where: Placements, segment: str) -> list[Floats]:
    """The lowest points of a shape's ends, in the world."""
    place = where.segment(segment)
    if isinstance(shape, Ellipsoid):
        axes = place.rotation @ rotation_matrix(shape.rotation) @ np.diag(shape.radii)
        down = axes @ axes[2] / max(float(np.linalg.norm(axes[2])), 1e-12)
        return [place.apply(shape.center) - down]
    if isinstance(shape, Box):
        axes = (
            place.rotation @ rotation_matrix(shape.rotation) @ np.diag(0.5 * np.array(shape.size))
        )
        return [place.apply(shape.center) - axes @ np.sign(axes[2])]
    if isinstance(shape, Hull):
        points = place.apply(np.array(shape.points))
        return [points[points[:, 2].argmin()] - [0.0, 0.0, shape.radius]]
    if isinstance(shape, Sphere):
        balls = [(shape.center, shape.radius)]
    else:
        radii = (
            getattr(shape, "start_radius", getattr(shape, "radius", 0.0)),
            getattr(shape, "end_radius", getattr(shape, "radius", 0.0)),
        )
        balls = [(shape.start, radii[0]), (shape.end, radii[1])]
    return [place.apply(center) - [0.0, 0.0, radius] for center, radius in balls]


def _free(figure: Figure, more: Sequence[str]) -> NDArray[np.int64]:
    """The coordinates that may change: the pelvis' height and tilt, the legs, and some more."""
    chosen = [figure.index(f"root.{each}") for each in ("z", "rx", "ry")]
    joints = [f"{side}_{part}" for side in ("left", "right") for part in _LEG]
    for name in [*joints, *more]:
        group = driver(figure, name)
        chosen += range(figure.n)[figure.span(group.name if group else name)]
    return np.array(sorted(set(chosen)))


def _contacts(posture: Posture, landing: Landing) -> _Contacts:
    """All contacts in a posture."""
    figure = posture.figure
    where = figure.place(posture)
    off: list[float] = []
    slopes: list[Floats] = []
    names = [name for name in landing.flat for _ in range(3)]
    names += [name for name in landing.toes for _ in range(2)]
    for name in landing.flat:
        off.append(float(where[name].position[2]))
        slopes.append(figure.jacobian(posture, name)[2])
        _level(posture, name, off, slopes)
    for name in landing.toes:
        _level(posture, name.replace("_foot", "_toe"), off, slopes)
    for part in (*landing.toes, *landing.touch):
        segment, point = lowest(figure, where, part)
        is_level = part in landing.toes  # so its other side needs no equation
        others = [] if is_level else _opposite(figure, where, segment, point)
        for each in (point, *others):
            local = where[segment].inverse().apply(each)
            off.append(float(each[2]))
            slopes.append(figure.jacobian(posture, segment, point=local)[2])
            names.append(part)
    return _Contacts(np.array(off), np.array(slopes), names)


def _opposite(figure: Figure, where: Placements, segment: str, point: Floats) -> list[Floats]:
    """The lowest points of the other side of a segment, if they are nearly as low.

    A body that lies on its seat lies on both halves of it; with only the lower one as a contact it
    would rock from one to the other for ever.
    """
    local = where[segment].inverse()
    mirrored = local.apply(point) * [1.0, -1.0, 1.0]
    if abs(mirrored[1]) < _NEAR:
        return []
    return [
        each
        for shape in figure.segments[segment].shapes
        for each in _bottoms(shape, where, segment)
        if np.linalg.norm(local.apply(each) - mirrored) < _NEAR and each[2] - point[2] < _ROCKS
    ]


def _check(posture: Posture, landing: Landing, name: str) -> None:
    """Raise where a contact is off by more than one sees."""
    off, _, parts = _contacts(posture, landing)
    worst = int(np.argmax(np.abs(off)))
    if abs(off[worst]) > _SEEN:
        raise PoiseError(
            f"the pose {name!r} cannot be brought to the floor with {posture.figure.name!r}: "
            f"{parts[worst]} is {1e3 * abs(off[worst]):.0f} mm off after {_STEPS} steps"
        )


def _level(posture: Posture, site: str, off: list[float], slopes: list[Floats]) -> None:
    """The z axis of a sole's site points straight down."""
    figure = posture.figure
    place, rows = figure.place(posture)[site], figure.jacobian(posture, site)
    down = place.rotation[:, 2]
    change = np.cross(rows[3:], down, axisa=0, axisb=0, axisc=0)
    for axis in (0, 1):
        off.append(_LEVER * float(down[axis]))
        slopes.append(_LEVER * change[axis])


def _step(
    posture: Posture,
    landing: Landing,
    off: Floats,
    slopes: Floats,
    meant: Floats,
    free: NDArray[np.int64],
) -> Floats:
    """The least change that mends contacts, and in the space that they leave, the rest."""
    exact = -np.linalg.pinv(slopes, rcond=1e-6) @ off
    _, sizes, rows = np.linalg.svd(slopes)
    left = rows[int((sizes > 1e-6 * sizes.max()).sum()) :].T
    wanted = [_MEANT * (meant - posture.q)[free]]
    matrix = [_MEANT * np.eye(len(free))]
    if landing.over:
        lack, change = _balance(posture, landing.over)
        wanted.append(_BALANCE * lack)
        matrix.append(_BALANCE * change[:, free])
    goal, whole = np.concatenate(wanted), np.concatenate(matrix)
    return exact + left @ np.linalg.lstsq(whole @ left, goal - whole @ exact, rcond=None)[0]


def _balance(posture: Posture, over: Mapping[str, float]) -> tuple[Floats, Floats]:
    """How far (m) the centre of mass has to go, level, and how that way changes."""
    figure = posture.figure
    where = figure.place(posture)
    middle = sum(share * where[name].position for name, share in over.items())
    moves = sum(share * figure.jacobian(posture, name)[:3] for name, share in over.items())
    lack = (middle - figure.center_of_mass(posture))[:2]
    return lack, (figure.center_of_mass_jacobian(posture) - moves)[:2]
