"""Which joints tasks recruit, and the levels that follow from it.

A task is achieved by the joints that it names, and by all where it names none (1994, section 10;
thesis 7.2.3). Tasks of one priority that name the same joints are one level, weighed against each
other. Those that name different ones are levels of their own, one after the other: the more
coordinates a set has the earlier, and of sets as large that which was named first. So what all
joints serve comes before what an arm does by itself.

`kernel.lex.recruiting` has the arithmetic. Other methods let every task move all joints that any
names, which is how the 1994 paper reconciles chains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure

if TYPE_CHECKING:
    from poise.solvers.problem import Wish

Values = NDArray[np.float64]
Joints = tuple[str, ...] | Mapping[str, float]
"""Names of joints, groups, limbs or coordinates; or each with how readily it moves, up to 1."""


def involvement(figure: Figure, joints: Joints | None) -> Values:
    """How readily each coordinate (n,) is recruited: 1 like any other, 0 not at all.

    Of several shares that a coordinate gets the greatest counts. What a coupling makes follow
    others is recruited with them.
    """
    if joints is None:
        return np.ones(figure.n)
    shares = joints if isinstance(joints, Mapping) else dict.fromkeys(joints, 1.0)
    most = max(shares.values(), default=1.0)  # only what shares are to each other counts
    found = np.zeros(figure.n)
    for name, share in shares.items():
        own = figure.indices(name)
        found[own] = np.maximum(found[own], share / most)
    known = figure.coordinates
    followers = [
        [figure.index(name) for name in each.terms if name in known]
        for each in figure.couplings.values()
        if each.lower == each.upper
    ]
    for _ in followers:  # a chain of couplings is as long as there are some
        for own in followers:
            found[own] = found[own].max(initial=0.0)
    return found


def in_levels(figure: Figure, wishes: Sequence[Wish]) -> list[list[Wish]]:
    """Wishes by level, the most important first; those of one level as they came."""
    sets: dict[tuple[int, bytes], list[Wish]] = {}
    for wish in wishes:
        own = involvement(figure, wish.joints)
        sets.setdefault((wish.priority, own.tobytes()), []).append(wish)

    def place(key: tuple[int, bytes]) -> tuple[int, int]:
        priority, shares = key
        return priority, -int(np.count_nonzero(np.frombuffer(shares)))

    return [sets[key] for key in sorted(sets, key=place)]


def recruited(figure: Figure, wishes: Sequence[Wish]) -> NDArray[np.bool_]:
    """Which coordinates (n,) some task may move; without tasks, all."""
    found = np.full(figure.n, not wishes)
    for wish in wishes:
        found |= involvement(figure, wish.joints) > 0
    return found
