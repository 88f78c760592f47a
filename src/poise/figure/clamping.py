"""A figure's limits for the kernels, and the two questions that need no solver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.errors import PoiseError
from poise.figure.kinds.steps import NODES, Step
from poise.kernel.limits.arrays import JointLimits, Packed, pack_limits

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.kernel.limits.bounds import Bounds

Values = NDArray[np.float64]


def violation(figure: Figure, q: Values) -> float:
    """How far the worst limit or coupling is broken."""
    tree = figure.packed.tree
    return float(
        kernel.limits.bounds.violation(tree, figure.bounds, q, kernel.body.tree.state(tree))
    )


def clamp(figure: Figure, q: Values) -> Values:
    """The nearest valid coordinates; see `Figure.clamp`."""
    result, tree, bounds = q.copy(), figure.packed.tree, figure.bounds
    if violation(figure, q) <= kernel.limits.bounds.TOLERANCE:  # a small entry, quickly compiled
        return result
    rows = kernel.limits.bounds.make_rows(bounds, figure.n)
    home = figure.postures.get("rest", np.zeros(figure.n))
    left = kernel.limits.bounds.clamp(
        tree, bounds, result, home, kernel.body.tree.state(tree), rows
    )
    if left > 1e-9:
        raise PoiseError(
            f"no posture of {figure.name!r} near this one is within all limits and couplings; the "
            f"best found still breaks one by {left:.3g}"
        )
    return result


def pack_bounds(figure: Figure) -> Bounds:
    """All limits and couplings of a figure as flat arrays."""
    tree, joints = figure.packed.tree, list(figure.joints.values())
    box = np.array([each for joint in joints for each in joint.kind.box]).reshape(-1, 2)
    curved = [each for each in _charts(figure) if _is_limited(each)]
    limits = pack_limits(
        [JointLimits(each.first, NODES[each.step.node], each.limits) for each in curved]
    )
    couplings = list(figure.couplings.values())
    terms = [(figure.index(c), factor) for k in couplings for c, factor in k.terms.items()]
    boxed = [i for i in _boxed_members(figure, box) if tree.source[i] < 0]
    table = np.zeros((len(curved), 6), np.int64)
    last = 0
    for row, each in zip(table, curved, strict=True):
        first, last = last, last + len(each.limits)
        width, node = len(each.coordinates), NODES[each.step.node]
        row[:] = (each.first, width, node, first, last, each.grouped)
    return kernel.limits.bounds.Bounds(
        box=np.array([figure.lower, figure.upper]),
        plain=np.array(_plain(figure, curved), np.int64),
        member_box=np.ascontiguousarray(box.T),
        boxed_member=np.array(boxed, np.int64),
        joint=table,
        limits=limits,
        coupling=np.cumsum([0, *(len(k.terms) for k in couplings)], dtype=np.int64),
        coupling_coordinate=np.array([c for c, _ in terms], np.int64),
        coupling_factor=np.array([factor for _, factor in terms], np.float64),
        coupling_box=np.array([[k.lower for k in couplings], [k.upper for k in couplings]]),
        tied=np.array(_tied(figure, curved, boxed), np.int64),
    )


class _Chart(NamedTuple):
    """A step of a joint whose coordinates belong together, so that limits may be no boxes."""

    step: Step
    first: int
    """Where its members begin."""
    coordinates: list[str]
    grouped: bool
    """Whether a group drives the joint."""
    limits: list[Packed]


def _charts(figure: Figure) -> Iterator[_Chart]:
    driven = {member.split(".")[0] for g in figure.groups.values() for member in g.terms}
    for joint in figure.joints.values():
        first = figure.packed.first_member[joint.name]
        for step, span in joint.kind.spans:
            if step.is_chart:
                names = [f"{joint.name}.{each}" for each in step.coordinates]
                packed = [limit.pack() for limit in step.limits]
                yield _Chart(step, first + span.start, names, joint.name in driven, packed)


def _is_limited(chart: _Chart) -> bool:
    """Whether it has a limit; boxes in a group are those of members."""
    boxed = bool(np.isfinite(chart.step.intervals).any()) and not chart.grouped
    return bool(chart.limits) or boxed


def _plain(figure: Figure, curved: list[_Chart]) -> list[int]:
    """Coordinates that are clamped to their boxes one by one."""
    taken = {c for chart in curved if not chart.grouped for c in chart.coordinates}
    return [i for i, c in enumerate(figure.coordinates) if c not in taken]


def _boxed_members(figure: Figure, box: Values) -> list[int]:
    """Members of groups with a box that the boxes of the parameters do not imply."""
    boxed: list[int] = []
    index = {
        name: i
        for i, name in enumerate(c for joint in figure.joints.values() for c in joint.coordinates)
    }
    for group in figure.groups.values():
        for member, terms in group.terms.items():
            low, high = 0.0, 0.0
            for term in terms:
                if term.factor == 0:
                    continue
                if sum(term.powers.values()) == 1:
                    ends = [term.factor * e for e in group.parameters[next(iter(term.powers))]]
                elif not term.powers:
                    ends = [term.factor]
                else:
                    ends = [-np.inf, np.inf]
                low, high = low + min(ends), high + max(ends)
            lower, upper = box[index[member]]
            if not (low >= lower - 1e-12 and high <= upper + 1e-12):
                boxed.append(index[member])
    return boxed


def _tied(figure: Figure, curved: list[_Chart], boxed: list[int]) -> list[int]:
    """Coordinates that a coupling or a group's member limit ties to others."""
    names = {c for coupling in figure.couplings.values() for c in coupling.terms}
    if boxed or any(chart.grouped for chart in curved):
        names |= {c for group in figure.groups.values() for c in group.coordinates}
    for chart in curved:
        if not chart.grouped and names & set(chart.coordinates):
            names |= set(chart.coordinates)
    return sorted(figure.index(name) for name in names)
