"""What every kind of joint answers: its coordinates, limits and motion, and what they mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from poise.checking import Interval, Vec3, name
from poise.errors import PoiseError, unknown_name
from poise.figure.charts import exp
from poise.figure.kinds.steps import Node, Step, Unit, Values
from poise.figure.transform import IDENTITY, Matrix, Transform, rotation_matrix

if TYPE_CHECKING:
    from poise.figure.kinds.spherical import Spherical

Chain = list[Transform | Node]
"""A joint's motion for the kernel: fixed transforms and nodes in turn, transforms at both ends."""

Sort = Literal[
    "direction",
    "rotation",
    "angle_interval",
    "distance_interval",
    "angle",
    "name",
    "names",
    "swing_limits",
    "twist_limit",
    "chart",
]
"""What an entry of a figure file is, which says in which form and unit it is written."""


class JointKind(ABC):
    """How the child segment may move against the parent: the base of all kinds of joint.

    A kind is a frozen dataclass, all of whose fields have defaults; those that a figure file holds
    have the metadata of `entry`. It must tell its `steps` and the inverse of its motion, `values`;
    all else follows from these, and is overridden where a kind knows better. A figure file finds it
    by its name when it is in `poise.figure.kinds.KINDS`.

    Angles are radians, distances metres.
    """

    kind: ClassVar[str]
    """The name in files and messages."""
    file_keys: ClassVar[tuple[str, ...]] = ()
    """The order of its entries in figure files, where that is not the order of its fields."""

    @property
    @abstractmethod
    def steps(self) -> tuple[Step, ...]:
        """The elementary motions that it is made of, from the parent to the child."""

    @abstractmethod
    def values(self, motion: Transform) -> Values:
        """The coordinates whose motion is nearest to one; `motion` undone."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(each for step in self.steps for each in step.coordinates)

    @cached_property
    def spans(self) -> tuple[tuple[Step, slice], ...]:
        """The steps, and where each one's coordinates are among the joint's."""
        ends = list(accumulate((len(step.coordinates) for step in self.steps), initial=0))
        return tuple(zip(self.steps, map(slice, ends, ends[1:]), strict=True))

    @property
    def usual_coordinates(self) -> tuple[str, ...]:
        """The names that the coordinates have when none are given."""
        return type(self)().coordinates

    @property
    def box(self) -> tuple[Interval, ...]:
        """Limits of the coordinates one by one."""
        return tuple(each for step in self.steps for each in step.intervals)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The unit of each coordinate."""
        return tuple(unit for step in self.steps for unit in step.units)

    @property
    def zero_turn(self) -> Matrix | None:
        """How the child is turned against the joint's frame before all steps, if it is."""
        return None

    @property
    def spherical(self) -> Spherical | None:
        """The ball and socket in it: a segment that swings within a region, and may twist.

        That of its first step that is a chart; None where there is none, and of a free one.
        """
        return self._first_chart

    @cached_property
    def _first_chart(self) -> Spherical | None:
        from poise.figure.kinds.spherical import spherical_of

        charts = [step for step in self.steps if step.is_chart]
        return spherical_of(charts[0]) if charts and not self.is_free else None

    @property
    def is_spherical(self) -> bool:
        """Whether it is a ball and socket and no more, whose angles clinicians name."""
        return self.spherical is self

    @property
    def is_fixed(self) -> bool:
        """Whether nothing moves."""
        return not self.steps

    @property
    def is_free(self) -> bool:
        """Whether it goes anywhere and turns in any way, as a root that nothing holds."""
        return [step.node for step in self.steps] == ["translation", "rotation"]

    @property
    def turns_freely(self) -> bool:
        """Whether one of its steps turns about any axis; see `Step.turns_freely`."""
        return any(step.turns_freely for step, _ in self.spans)

    @property
    def main_axis(self) -> Vec3 | None:
        """The first axis that it turns about or moves along; None of charts and where none is."""
        first = self.steps[0] if self.steps else None
        return first.axis if first is not None and first.node in ("hinge", "slider") else None

    # motion --------------------------------------------------------------------------------

    def motion(self, values: Values) -> Transform:
        """The child's frame in the joint's frame."""
        return self.reached(values, len(self.spans))

    def reached(self, values: Values, count: int) -> Transform:
        """The frame in the joint's frame that the first steps reach, where the next one begins."""
        turn, place = self._moved(np.asarray(values, np.float64), rotation_matrix, count)
        return Transform(
            np.eye(3) if turn is None else turn, np.zeros(3) if place is None else place
        )

    def motions(self, values: Values) -> tuple[Values, Values]:
        """Rotations (k, 3, 3) and positions (k, 3) with coordinates (k, width)."""
        turns, places = self._moved(values, exp, len(self.spans))
        count = len(values)
        if turns is None or turns.ndim == 2:  # the same in all
            turns = np.tile(np.eye(3) if turns is None else turns, (count, 1, 1))
        return turns, np.zeros((count, 3)) if places is None else places

    def values_of(self, rotations: Values, positions: Values) -> Values:
        """Coordinates (k, width) of many motions, canonical in each; see `values`."""
        found = [
            self.values(Transform(turn, place))
            for turn, place in zip(rotations, positions, strict=True)
        ]
        return np.array(found).reshape(len(rotations), len(self.coordinates))

    def between(self, before: Values, after: Values, share: Values) -> Values:
        """Coordinates (k, width) a share (k, 1) of the way from those of one time to another's.

        Each step goes by itself; see `Step.between`.
        """
        result = before.copy()
        for step, span in self.spans:
            result[:, span] = step.between(before[:, span], after[:, span], share)
        return result

    def chain(self) -> Chain:
        """The steps as nodes, each between the transforms into and out of its frame."""
        chain: Chain = []
        last = self.zero_turn
        for step in self.steps:
            frame = step.frame
            chain.append(_turned(last, frame))
            chain.append(step.node)
            last = None if frame is None else frame.T
        chain.append(_turned(last, None))
        return chain

    def _moved(
        self, values: Values, rotation: Callable[[ArrayLike], Matrix], count: int
    ) -> tuple[Matrix | None, Values | None]:
        """The rotation and the position after the first steps; None where there is none."""
        turn, place = self.zero_turn, None
        for step, span in self.spans[:count]:
            own = values[..., span]
            shift = step.shift(own)
            if shift is None:
                frame = step.frame if step.is_chart else None
                turn = _product(_product(turn, frame), step.turn(own, rotation))
                turn = _product(turn, None if frame is None else frame.T)
            else:
                shift = shift if turn is None else (turn @ shift[..., None])[..., 0]
                place = shift if place is None else place + shift
        return turn, place

    # other ones of the kind ----------------------------------------------------------------

    @classmethod
    def about(cls, axis: Vec3 | None, old: JointKind) -> Self:
        """One without limits about an axis; without one, about that of the old kind if it has one.

        Args:
            axis: in the joint's frame.
            old: what the joint was until now.
        """
        return cls()

    @property
    def limit_names(self) -> tuple[str, ...]:
        """What `limited` takes; nothing, where a kind does not say how it is limited."""
        return ()

    def limited(self, limits: Mapping[str, Any]) -> Self:
        """The same with other limits; what is not given stays.

        Args:
            limits: by what `limit_names` lists, intervals of coordinates.
        """
        for each in limits:
            if not self.limit_names:
                raise PoiseError(f"a {self.kind} joint has no limits to set")
            if each not in self.limit_names:
                raise unknown_name(f"limit of a {self.kind}", each, self.limit_names)
        return self._limited(limits) if limits else self

    def _limited(self, limits: Mapping[str, Any]) -> Self:
        """As `limited`, with names that are among `limit_names`."""
        raise NotImplementedError(f"{type(self).__name__} has limit_names, and no _limited")


def entry(sort: Sort, about: str, *, wanted: str = "") -> dict[str, str]:
    """The metadata of a field that figure files hold, unless it has its default.

    Args:
        sort: what it is.
        about: what it says, for readers of a file.
        wanted: what a wrong one must be, if its sort does not say that.
    """
    return {"sort": sort, "about": about, "wanted": wanted}


DIRECTION = entry("direction", "x, y, z, -x, -y, -z or three numbers")
"""The metadata of an axis."""


def put(kind: JointKind, attribute: str, value: Any) -> None:
    """Settle a field while a kind is made."""
    object.__setattr__(kind, attribute, value)


def checked_names(kind: str, given: Any, count: int) -> tuple[str, ...]:
    """The names of a kind's coordinates, so many and all different."""
    names = tuple(given) if isinstance(given, (tuple, list)) else ()
    for each in names:
        name(each, f"coordinate of the kind {kind}")
    if not len(names) == len(set(names)) == count:
        raise PoiseError(f"the kind {kind} needs {count} different coordinate names, not {given!r}")
    return names


def _product(one: Matrix | None, other: Matrix | None) -> Matrix | None:
    if one is None or other is None:
        return other if one is None else one
    return one @ other


def _turned(one: Matrix | None, other: Matrix | None) -> Transform:
    turn = _product(one, other)
    return IDENTITY if turn is None else Transform.turn(turn)
