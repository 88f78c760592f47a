"""What to do with the freedom that the tasks leave.

A criterion draws each coordinate by springs: towards a goal, and back into a zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poise.checking import Interval, interval, number
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure, Group, Joint, Posture
from poise.figure.limbs import joints_of_limb
from poise.figure.naming import has_joint
from poise.figure.posture import put_angles
from poise.tasks.task import Context, Criterion, Values, settle


@closed
@dataclass(frozen=True)
class Rest(Criterion):
    """Stay near a posture: Σ (q − rest)², over all coordinates but those of the root.

    Without a posture: the figure's rest posture. In a scene of several figures a posture is
    meant for the figure that it belongs to, and the others are left alone.
    """

    posture: Any = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.posture is not None and not isinstance(self.posture, Posture):
            raise PoiseError(f"Rest takes a Posture, not {self.posture!r}")

    def springs(self, context: Context) -> tuple[Values, Values]:
        """Towards the posture, alike for all coordinates but the root's."""
        figure = context.figure
        strength = (~figure.root_coordinates).astype(np.float64)
        if self.posture is None:
            return figure.rest().q, strength
        owners = [span for part, span in context.parts.values() if part is self.posture.figure]
        if not owners:
            return figure.q_of(self.posture).copy(), strength
        goal, meant = np.zeros(figure.n), np.zeros(figure.n)
        for span in owners:
            goal[span] = self.posture.q
            meant[span] = 1.0
        return goal, strength * meant


@closed
@dataclass(frozen=True)
class MidRange(Criterion):
    """Keep joints in the middle of their range: Σ (q − middle)².

    Over the `joints`, groups, limbs or coordinates that are named, or all but the root. The range
    of a coordinate is how far it goes by itself from the rest posture; coordinates that have no end
    on some side are left alone.
    """

    joints: Any = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "joints", _names(self.joints, "MidRange"))

    def springs(self, context: Context) -> tuple[Values, Values]:
        """Towards the middle."""
        lower, upper = _ranges(context.figure, self.joints)
        limited = np.isfinite(lower) & np.isfinite(upper)
        goal = np.zeros(limited.size)
        goal[limited] = 0.5 * (lower[limited] + upper[limited])
        return goal, limited.astype(np.float64)


@closed
@dataclass(frozen=True)
class Flexion(Criterion):
    """Draw joints towards their flexed stop: Σ (q − amount · stop)².

    The stop is the greatest value of the angle `flexion` of a joint or group, by itself from the
    rest posture; of a joint of one coordinate, and of a coordinate that is named, the upper end of
    it. Of a limb, those of its joints and groups that have a `flexion` are meant.
    At an `amount` of 0 joints are drawn straight, at 1 to the stop.
    Without `joints`: all that have a `flexion`.
    """

    joints: Any = None
    amount: float = 1.0

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "joints", _names(self.joints, "Flexion"))
        amount = number(self.amount, "the amount of Flexion", least=0, most=1)
        settle(self, "amount", amount)

    def springs(self, context: Context) -> tuple[Values, Values]:
        """Towards the stop, each joint by itself."""
        figure = context.figure
        goal, strength = np.zeros(figure.n), np.zeros(figure.n)
        names = self.joints
        if names is None:
            names = [name for name in _parts(figure) if "flexion" in _angles(figure, name)]
            if not names:
                raise PoiseError(f"no joint of {figure.name!r} has a flexion; name some joints")
        for name in _each_flexed(figure, names):
            span = figure.span(name)
            goal[span] = self._goal(figure, name)
            strength[span] = 1.0
            if "flexion" in _angles(figure, name):
                part = _part(figure, name)
                for i, each in zip(range(span.start, span.stop), part.coordinates, strict=True):
                    # Of an elbow or a spine only the flexion is meant, not what else it does.
                    own = each.rpartition(".")[2]
                    strength[i] = float(own == "flexion" or "flexion" in _clinical(part))
        return goal, strength

    def _goal(self, figure: Figure, name: str) -> Values:
        span = figure.span(name)
        if "flexion" in _angles(figure, name):
            stop = figure.range(name)["flexion"][1]
            self._check_stop(name, stop)
            moved = figure.rest()
            put_angles(moved, name, {"flexion": self.amount * stop})
            return moved.q[span]
        if span.stop - span.start != 1:
            angles = ", ".join(_angles(figure, name)) or "it does not move"
            raise PoiseError(f"{name!r} has no flexion; it has: {angles}")
        stop = float(figure.upper[span.start])
        self._check_stop(name, stop)
        return np.array([self.amount * stop])

    def _check_stop(self, name: str, stop: float) -> None:
        if not np.isfinite(stop):
            raise PoiseError(f"{name!r} has no stop that Flexion could draw it to")


@closed
@dataclass(frozen=True)
class Comfort(Criterion):
    """Keep joints out of strain, which grows with the square of the way beyond a comfort zone.

    In the zone there is none. Without more it is the middle `share` of a coordinate's range (how
    far it goes by itself from the rest posture), for the `joints`, groups, limbs or coordinates
    that are named, or all but the root; coordinates that have no end on some side are at ease
    everywhere. `zones` gives it for coordinates by name, as lower and upper ends in radians or
    metres.
    """

    joints: Any = None
    share: float = field(default=0.6, kw_only=True)
    zones: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        settle(self, "joints", _names(self.joints, "Comfort"))
        settle(self, "share", number(self.share, "the share of Comfort", least=0, most=1))
        if self.zones is None:
            return
        if not isinstance(self.zones, Mapping) or not self.zones:
            raise PoiseError(
                f"the zones of Comfort must be intervals by coordinate, not {self.zones!r}"
            )
        zones: dict[str, Interval] = {}
        for name, ends in self.zones.items():
            if not isinstance(name, str):
                raise PoiseError(f"the zones of Comfort go by names of coordinates, not {name!r}")
            zones[name] = interval(ends, f"the comfort zone of {name!r}")
        settle(self, "zones", zones)

    def springs(self, context: Context) -> tuple[Values, Values]:
        """None: nothing draws inside the zone."""
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def zone(self, context: Context) -> tuple[Values, Values, Values]:
        """The zones, alike in strength."""
        figure = context.figure
        lower, upper = np.full(figure.n, -np.inf), np.full(figure.n, np.inf)
        if self.joints is not None or self.zones is None:
            low, high = _ranges(figure, self.joints)
            limited = np.isfinite(low) & np.isfinite(high)
            middle = 0.5 * (low[limited] + high[limited])
            half = 0.5 * self.share * (high[limited] - low[limited])
            lower[limited], upper[limited] = middle - half, middle + half
        for name, (low, high) in (self.zones or {}).items():
            lower[figure.index(name)], upper[figure.index(name)] = low, high
        bounded = np.isfinite(lower) | np.isfinite(upper)
        return lower, upper, bounded.astype(np.float64)


def _names(joints: Any, what: str) -> tuple[str, ...] | None:
    """Names of joints, groups, limbs or coordinates; None for all."""
    if joints is None:
        return None
    try:
        names = (joints,) if isinstance(joints, str) else tuple(joints)
    except TypeError:
        names = ()
    if not names or not all(isinstance(each, str) for each in names):
        raise PoiseError(
            f"the joints of {what} must be names of joints, groups, limbs or coordinates, not "
            f"{joints!r}"
        )
    return names


def _ranges(figure: Figure, joints: tuple[str, ...] | None) -> tuple[Values, Values]:
    """How far each coordinate goes by itself; ±inf where there is no end, or it is not meant."""
    meant = ~figure.root_coordinates if joints is None else np.zeros(figure.n, bool)
    for name in joints or ():
        meant[figure.indices(name)] = True
    lower, upper = np.where(meant, figure.lower, -np.inf), np.where(meant, figure.upper, np.inf)
    for i in np.flatnonzero(meant & ~(np.isfinite(lower) & np.isfinite(upper))).tolist():
        name = figure.coordinates[i]
        lower[i], upper[i] = figure.range(name)[name.partition(".")[2]]
    return lower, upper


def _each_flexed(figure: Figure, names: Iterable[str]) -> Iterator[str]:
    """Joints, groups and coordinates as they are named; of limbs, what has a flexion."""
    for name in names:
        if has_joint(figure, name) or name not in figure.limbs:
            yield name
            continue
        own = joints_of_limb(figure, name)
        flexed = [
            each for each in own if "flexion" in _angles(figure, each) or each.endswith(".flexion")
        ]
        if not flexed:
            raise PoiseError(
                f"nothing of the limb {name!r} has a flexion; it has: {', '.join(own)}"
            )
        yield from flexed


def _parts(figure: Figure) -> list[str]:
    """The joints and groups that have coordinates of their own."""
    names = dict.fromkeys(each.rpartition(".")[0] for each in figure.coordinates)
    return list(names)


def _part(figure: Figure, name: str) -> Group | Joint:
    return figure.groups.get(name) or figure.joints[name]


def _clinical(part: Group | Joint) -> Mapping[str, Any]:
    return part.clinical if isinstance(part, Joint) else {}


def _angles(figure: Figure, name: str) -> list[str]:
    """The angles by which a joint or group goes; a coordinate has none but itself."""
    if name in figure.coordinates:
        return []
    part = _part(figure, name)
    return [*_clinical(part)] or [each.rpartition(".")[2] for each in part.coordinates]
