"""Two lists of results of the same problems: which are better, which are worse.

The errors of a problem are one for each level, the most important first, in metres; a level whose
tasks are all met counts as zero. They are compared lexicographically, and differ where one is
larger by more than a thousandth and the tolerance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

RELATIVE, TOLERANCE = 1e-3, 1e-4
RANK = {"solved": 0, "stationary": 1, "stalled": 2, "iterations": 3, "time": 4}
"""The ways to end, the best first."""


def order(old: Sequence[float], new: Sequence[float], tolerance: float = TOLERANCE) -> int:
    """-1 where new errors are lexicographically better than old ones, 1 where worse, else 0."""
    for before, after in zip(old, new, strict=True):
        room = RELATIVE * before + tolerance
        if abs(after - before) > room:
            return -1 if after < before else 1
    return 0


def orders(
    old: Sequence[Sequence[float]],
    new: Sequence[Sequence[float]],
    tolerance: float = TOLERANCE,
) -> tuple[int, int, int]:
    """How many problems came out better, worse and the same."""
    found = Counter(order(a, b, tolerance) for a, b in zip(old, new, strict=True))
    return found[-1], found[1], found[0]


def changes(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many problems end in a better way, and how many in a worse one."""
    steps = [RANK[b] - RANK[a] for a, b in zip(old, new, strict=True)]
    return sum(step < 0 for step in steps), sum(step > 0 for step in steps)


def words(statuses: Sequence[str]) -> str:
    """How many ended how, the most frequent first."""
    return ", ".join(f"{count} {status}" for status, count in Counter(statuses).most_common())


def counts(statuses: Sequence[str]) -> str:
    """How many are solved, stationary, stalled, and stopped before."""
    found = Counter(min(RANK[status], 3) for status in statuses)
    return " ".join(str(found[rank]) for rank in range(4))
