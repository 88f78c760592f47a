"""Postures: a value for every coordinate of a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.calls import public
from poise.checking import Interval, array, number
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure.clinical import (
    angles_of,
    believable,
    is_clinical,
    member_values,
    parameters_for,
    values_for,
)
from poise.figure.frames import shape_of
from poise.figure.naming import driver, movable, part_of
from poise.figure.parts import WORLD, Group, Joint
from poise.figure.transform import Transform
from poise.units import TURN, refuse_degrees, warn_of_angle

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Values = NDArray[np.float64]
_Posture = TypeVar("_Posture", bound="Posture")

_TOLD = 6  # values in a repr; more hide the ones that matter

_MOST = 1e9  # rad or m: no coordinate comes near, and squares of placements are still numbers

# The reflection of the world in its x-z plane: left becomes right.
_MIRROR = np.diag([1.0, -1.0, 1.0])


@closed
@public
class Posture:
    """Values for all coordinates of a figure: `q` (n,), radians and metres.

    Values go by the names of coordinates, joints or groups: `posture["left_knee"] = 0.5`. A posture
    is equal to another that has the same coordinates with the same values, to the last bit.
    """

    figure: Final[Figure]

    _instead: ClassVar[Mapping[str, str]] = {
        "figure": "figure.posture(q) makes a posture of another figure"
    }

    def __init__(self, figure: Figure, q: ArrayLike) -> None:
        """Keep a copy of q."""
        self.figure = figure
        self._q = checked(figure, q)

    @property
    def q(self) -> Values:
        """The values (n,), to be read and written in place; a new array is checked and copied."""
        return self._q

    @q.setter
    def q(self, q: ArrayLike) -> None:
        self._q = checked(self.figure, q)

    def __repr__(self) -> str:
        """The figure's name, the size, and the first values that are not zero."""
        values = zip(self.figure.coordinates, self.q.tolist(), strict=True)
        moved = [f"{name} {value:.4g}" for name, value in values if value]
        told = ", ".join(moved[:_TOLD]) or "all zero"
        more = f", … {len(moved) - _TOLD} more" if len(moved) > _TOLD else ""
        return f"<Posture of {self.figure.name!r}, {self.q.size} coordinates: {told}{more}>"

    def copy(self) -> Posture:
        """Another posture with the same values."""
        return Posture(self.figure, self.q)

    __copy__ = copy

    def with_q(self, q: ArrayLike) -> Posture:
        """A posture of the same figure with other values."""
        return Posture(self.figure, q)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same coordinates with the same values."""
        if not isinstance(other, Posture):
            return NotImplemented
        same = self.figure is other.figure or self.figure.coordinates == other.figure.coordinates
        return same and np.array_equal(self.q, other.q)

    __hash__ = None  # type: ignore[assignment]  # its values change

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The values (n,), for numpy."""
        return np.array(self.q, dtype=dtype, copy=copy)

    def __iter__(self) -> Iterator[str]:
        """Names of the coordinates."""
        return iter(self.figure.coordinates)

    def __len__(self) -> int:
        """The number of coordinates."""
        return self.figure.n

    def __contains__(self, name: object) -> bool:
        """Whether a coordinate, joint or group of that name has a value; asking does not raise."""
        return name in self.figure.coordinates or name in movable(self.figure)

    def keys(self) -> list[str]:
        """Names of the coordinates; `dict(posture)` has all values by name."""
        return list(self.figure.coordinates)

    def __getitem__(self, name: str) -> float | Values:
        """The value of a coordinate, or of a joint or group that has just one; else an array."""
        values = self.q[self.figure.span(name, f"read {{group}}, or posture.angles({name!r})")]
        return float(values[0]) if values.size == 1 else values.copy()

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        """Set a coordinate, or all coordinates of a joint or group."""
        figure = self.figure
        span = figure.span(name, f"set {{group}}, or posture.set_angles({name!r}, …)")
        width = span.stop - span.start
        if not width:
            raise PoiseError(f"joint {name!r} does not move: it has no values to set")
        values = [value] if shape_of(value) == () and width == 1 else value
        given = array(values, f"the value of {name!r}", (width,))
        part = part_of(figure, name)
        allowed = dict(zip(part.coordinates, believable(part, figure.joints), strict=True))
        for each, one in zip(figure.coordinates[span], given.tolist(), strict=True):
            refuse_degrees(one, each, allowed[each])
            warn_of_angle(one, each, allowed[each])
        self.q[span] = given

    # clinical angles -------------------------------------------------------------------

    def angles(self, name: str) -> dict[str, float]:
        """Clinical angles of a joint by name, in radians: flexion, abduction and so on.

        Groups give their parameters, and joints without clinical names their coordinates. A joint
        that a group drives can be asked as well.
        """
        part = _part(self.figure, name)
        if isinstance(part, Group):
            values = self.q[self.figure.span(name)]
            return dict(zip(part.parameters, values.tolist(), strict=True))
        group = driver(self.figure, name)
        if group is None:
            return angles_of(part, self.q[self.figure.span(name)])
        return angles_of(part, member_values(group, part, self.q[self.figure.span(group.name)]))

    def set_angles(self, name: str, **angles: float) -> None:
        """Set clinical angles of a joint (radians); those not given stay as they are.

        A joint that a group drives is brought there by the group, and the group's other joints
        move along; it is an error when the group cannot do it within a degree. An angle beyond a
        full turn is refused, and one beyond half a turn, which no joint does, is warned of: it will
        be in degrees.
        """
        part = _part(self.figure, name)
        given, allowed = _checked_angles(self, part, angles), _believable(self, part)
        for angle, value in given.items():
            limits = None if isinstance(part, Joint) and is_clinical(part) else allowed[angle]
            warn_of_angle(value, f"{angle} of {name!r}", limits)
        _put(self, part, given)

    # whole postures ----------------------------------------------------------------------

    def mirrored(self) -> Posture:
        """The posture seen in a mirror: left and right change places.

        The mirror is the plane y = 0. A joint whose name begins with left_ takes the motion of
        its partner that begins with right_; others mirror themselves. A figure held to the ground
        by a fixed segment to one side (re-rooted at a foot) cannot leave it: there the result is
        the mirrored posture in the place where that segment stands.
        """
        figure, result = self.figure, self.copy()
        members, where = figure.members(self), figure.place(self)
        mirrored: dict[str, float] = {}
        for name, joint in figure.joints.items():
            partner = figure.joints.get(_other_side(name), joint)
            if partner.kind.kind != joint.kind.kind:
                raise PoiseError(
                    f"{name!r} ({joint.kind.kind}) and {partner.name!r} ({partner.kind.kind}) "
                    "do not mirror each other"
                )
            values = np.array([members[each] for each in joint.coordinates])
            motion = joint.before @ joint.kind.motion(values) @ joint.after
            other = _other_side(joint.child)
            if joint.parent == WORLD and other in figure.segments:
                # A root to one side goes where the image of its partner is.
                motion = where.segment(other)
            image = Transform(_MIRROR @ motion.rotation @ _MIRROR, _MIRROR @ motion.position)
            local = partner.before.inverse() @ image @ partner.after.inverse()
            mirrored.update(zip(partner.coordinates, partner.kind.values(local), strict=True))
        result._take(mirrored)
        return result

    def blend(self, other: Posture, share: float) -> Posture:
        """A posture between this one (share 0) and another (share 1) of the same figure.

        Balls and free roots turn by the shortest way, other coordinates go straight. Between two
        valid postures of a joint with concave limits the result may be invalid; `clamp` it then.
        """
        figure, share = self.figure, number(share, "the share of a blend", least=-_MOST, most=_MOST)
        goal = figure.q_of(other)
        q = self.q + share * (goal - self.q)
        driven = {member.split(".")[0] for g in figure.groups.values() for member in g.terms}
        for name, joint in figure.joints.items():
            if name in driven or not joint.kind.turns_freely:
                continue
            span = figure.span(name)
            ends = self.q[None, span], goal[None, span]
            q[span] = joint.kind.between(*ends, np.array([[share]]))[0]
        return self.with_q(q)

    def _take(self, members: Mapping[str, float]) -> None:
        """Set coordinates from those of all joints; groups fit theirs by least squares."""
        figure = self.figure
        for coordinate, value in members.items():
            if coordinate in figure.coordinates:
                self.q[figure.index(coordinate)] = value
        before = self.q.copy()
        for name, group in figure.groups.items():
            wanted = np.array([members[each] for each in group.terms])
            other = figure.groups.get(_other_side(name), group)
            like = other if other.parameters.keys() == group.parameters.keys() else group
            self.q[figure.span(name)] = group.fit(wanted, before[figure.span(like.name)])


def keeping(q: Values, figure: Figure, kind: type[_Posture]) -> _Posture:
    """A posture that keeps an array (n,), not a copy of it; its values are known to be right."""
    posture = object.__new__(kind)
    state = posture.__dict__
    state["figure"], state["_q"] = figure, q
    return posture


def put_angles(posture: Posture, name: str, angles: Mapping[str, float]) -> None:
    """As `Posture.set_angles`, without its warning: for angles that were read or computed."""
    part = _part(posture.figure, name)
    _put(posture, part, _checked_angles(posture, part, angles))


def _part(figure: Figure, name: str) -> Group | Joint:
    if name not in figure.groups and name not in figure.joints:
        raise unknown_name("joint or group", name, [*figure.groups, *figure.joints])
    return figure.groups.get(name) or figure.joints[name]


def _believable(posture: Posture, part: Group | Joint) -> dict[str, Interval]:
    names = list(posture.angles(part.name))
    if isinstance(part, Joint) and is_clinical(part):
        return dict.fromkeys(names, (-TURN, TURN))
    return dict(zip(names, believable(part, posture.figure.joints), strict=True))


def _checked_angles(
    posture: Posture, part: Group | Joint, angles: Mapping[str, float]
) -> dict[str, float]:
    allowed, given = _believable(posture, part), dict[str, float]()
    for angle, value in angles.items():
        if angle not in allowed:
            raise unknown_name("angle", angle, allowed, f"joint {part.name!r}")
        given[angle] = number(value, f"{angle} of {part.name!r}")
        refuse_degrees(given[angle], f"{angle} of {part.name!r}", allowed[angle])
    return given


def _put(posture: Posture, part: Group | Joint, angles: Mapping[str, float]) -> None:
    group = driver(posture.figure, part.name)
    span = posture.figure.span(group.name if group else part.name)
    if isinstance(part, Group):
        posture.q[span] = list({**posture.angles(part.name), **angles}.values())
    elif group is None:
        posture.q[span] = values_for(part, posture.q[span], angles)
    else:
        posture.q[span] = parameters_for(group, part, posture.q[span], angles)


def _other_side(name: str) -> str:
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def checked(figure: Figure, q: Any) -> Values:
    """A copy of q: a finite value for each coordinate, or an error that names the wrong one."""
    try:
        values = np.array(q, dtype=np.float64)
    except (TypeError, ValueError):
        return array(q, _called(figure), (figure.n,))
    if values.shape != (figure.n,):
        return array(values, _called(figure), (figure.n,))
    wrong = np.flatnonzero(~(np.abs(values) <= _MOST)).tolist()  # NaN is not, either
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        must = "be finite" if not np.isfinite(values[wrong]).all() else f"lie within ±{_MOST:g}"
        told = f"{figure.coordinates[wrong[0]]} is {values[wrong[0]]}{more}"
        raise PoiseError(f"{_called(figure)} must {must}: {told}")
    return values


def _called(figure: Figure) -> str:
    return f"a posture of {figure.name!r}"
