"""Fig. 5.14: what a step costs, against the number of levels, coordinates and rows.

Measured on the compiled algorithm as printed, with singular values and projectors. How much the
recursion for the projectors (5.20) saves is measured in numpy, where both forms are written out
below: with it, and without it from the augmented Jacobian (5.16, 5.17). So both have the same
arithmetic under them, and only the formulas differ. Rows are random, as the thesis has "average"
Jacobians, and no more on all levels together than there are coordinates, or the last levels would
have nothing to do.

Growth is judged by the power with which times grow, fitted to their logarithms, which must lie
within `BAND` of the one that is claimed. Times are those of the processor; what is compared is
measured in turn, and of many rounds the least counts, so that other work matters little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from poise.kernel.published import priority_arrays as at
from poise.kernel.published.priority_steps import take
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import FIRST, GREY, INK, SECOND, Panel, Sheet
from poise.reproductions.balance_2001.stepping import Rows
from poise.reproductions.claims import Claim, Report, Result

BAND = 0.25
"""How far a fitted power, or a factor that is stated, may be from the thesis', as a share."""

_RANK = 1e-9


@dataclass(frozen=True)
class Sizes:
    """What is measured.

    Attributes:
        levels: graph A, with n = 50 and m = 5.
        coordinates: graphs B and D, by m, with p = 4.
        rows: graph C, with n = 50 and p = 4.
        shared: graph E, levels on which 48 rows are distributed, with n = 50.
        rounds: how often each is measured.
    """

    levels: Sequence[int] = (1, 2, 3, 4, 5, 6, 8)
    coordinates: Mapping[int, Sequence[int]] = field(
        default_factory=lambda: {5: (20, 30, 50, 70, 100), 15: (60, 90, 120, 180, 240)}
    )
    rows: Sequence[int] = (2, 3, 4, 6, 8, 10, 12)
    shared: Sequence[int] = (1, 2, 3, 4, 6)
    rounds: int = 40


def recursive_step(levels: Sequence[Rows]) -> Values:
    """Fig. 5.12 without damping: P_i = P_{i−1} − J̃_i† J̃_i, from the decomposition of J̃_i."""
    n = levels[0].jacobian.shape[1]
    step, projector = np.zeros(n), np.eye(n)
    for level in levels:
        u, s, v = _decomposed(level.jacobian @ projector)
        step = step + v.T @ ((u.T @ (level.wanted - level.jacobian @ step)) / s)
        projector = projector - v.T @ v
    return step


def plain_step(levels: Sequence[Rows]) -> Values:
    """The same step with each projector made anew from the augmented Jacobian (5.16)."""
    n = levels[0].jacobian.shape[1]
    step, projector = np.zeros(n), np.eye(n)
    for level, following in zip(levels, plain_projectors(levels), strict=True):
        u, s, v = _decomposed(level.jacobian @ projector)
        step = step + v.T @ ((u.T @ (level.wanted - level.jacobian @ step)) / s)
        projector = following
    return step


def recursive_projectors(levels: Sequence[Rows]) -> list[Values]:
    """The projectors on what each level leaves, by (5.20)."""
    projector = np.eye(levels[0].jacobian.shape[1])
    found: list[Values] = []
    for i, level in enumerate(levels):
        # The first level has the whole space.
        _, _, v = _decomposed(level.jacobian @ projector if i else level.jacobian)
        projector = projector - v.T @ v
        found.append(projector)
    return found


def plain_projectors(levels: Sequence[Rows]) -> list[Values]:
    """The same, each from the augmented Jacobian (5.16, 5.17)."""
    whole = np.eye(levels[0].jacobian.shape[1])
    found: list[Values] = []
    for i in range(1, len(levels) + 1):
        _, _, v = _decomposed(np.vstack([each.jacobian for each in levels[:i]]))
        found.append(whole - v.T @ v)
    return found


def _decomposed(matrix: Values) -> tuple[Values, Values, Values]:
    """The singular value decomposition without what is zero."""
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    rank = int(np.sum(s > _RANK * max(float(s[0]), _RANK)))
    return u[:, :rank], s[:rank], v[:rank]


def step_costs(folder: Path | None, report: Report, sizes: Sizes | None = None) -> Result:
    """Fig. 5.14: the cost of a step."""
    found = _Measured.of(sizes or Sizes(), report)
    claims = _claims(found)
    if folder is None:
        return Result(claims)
    return Result(claims, (_draw(folder, found),))


@dataclass(frozen=True)
class _Measured:
    """Times (s), in the order of the sizes.

    Attributes:
        sizes: of what.
        recursive, plain: of all projectors by both formulas, in numpy.
        levels: of the compiled step, by p.
        coordinates: of the compiled step by m, then by n.
        rows, shared: of the compiled step.
        typical: of the step with m = 15, n = 50, p = 4, as printed and as poise does it.
    """

    sizes: Sizes
    recursive: Sequence[float]
    plain: Sequence[float]
    levels: Sequence[float]
    coordinates: Mapping[int, Sequence[float]]
    rows: Sequence[float]
    shared: Sequence[float]
    typical: Sequence[float]

    @classmethod
    def of(cls, sizes: Sizes, report: Report) -> _Measured:
        report("A: levels", 0.0)
        problems = [random_levels(50, 5, p) for p in sizes.levels]
        both = [partial(recursive_projectors, each) for each in problems]
        both += [partial(plain_projectors, each) for each in problems]
        times = _least(both, sizes.rounds)
        levels = _compiled([(50, 5, p) for p in sizes.levels], sizes.rounds)
        report("B, D: coordinates", 0.3)
        coordinates = {
            m: _compiled([(n, m, 4) for n in each], sizes.rounds)
            for m, each in sizes.coordinates.items()
        }
        report("C, E: rows", 0.5)
        rows = _compiled([(50, m, 4) for m in sizes.rows], sizes.rounds)
        shared = _compiled([(50, 48 // p, p) for p in sizes.shared], sizes.rounds)
        report("a typical situation", 0.8)
        typical = [
            *_compiled([(50, 15, 4)], sizes.rounds),
            *_compiled([(50, 15, 4)], sizes.rounds, at.FACTORED),
        ]
        count = len(problems)
        return cls(sizes, times[:count], times[count:], levels, coordinates, rows, shared, typical)


def _claims(found: _Measured) -> tuple[Claim, ...]:
    sizes = found.sizes
    speedups = [b / a for a, b in zip(found.recursive, found.plain, strict=True)]
    by_levels = dict(zip(sizes.levels, speedups, strict=True))
    growth = _power(sizes.levels, speedups)
    predicted = _power(sizes.levels, [0.5 * (p + 1) for p in sizes.levels])
    of_levels = _power(sizes.levels, found.levels)
    of_rows = _power(sizes.rows, found.rows)
    listed = ", ".join(f"{factor:.1f} for p = {p}" for p, factor in by_levels.items())
    claims = [
        Claim.words(
            "A: with the recursion projectors are found faster, by a factor that grows with p as "
            f"(p + 1)/2 does, the prediction of 5.3.9 (its power ± {BAND:g})",
            "the recursive formulation is faster, by a factor proportional to p: this is in "
            "accordance with the theoretical prediction",
            f"p^{growth:.2f}, (p + 1)/2 like p^{predicted:.2f}: {listed}",
            abs(growth - predicted) <= BAND and all(f > 1 for p, f in by_levels.items() if p > 1),
        ),
        Claim.number(
            f"A: with five levels about three times faster (3 ± {3 * BAND:g})",
            "about 3 times",
            f"{by_levels[5]:.1f} times",
            abs(by_levels[5] - 3.0) <= 3.0 * BAND,
        ),
        Claim.words(
            f"A: with one level there is no speed-up (1 ± {BAND:g})",
            "for a single priority level (p=1) there is no speedup",
            f"{by_levels[1]:.2f} times",
            abs(by_levels[1] - 1.0) <= BAND,
        ),
        Claim.words(
            f"A: the cost of a step is proportional to p (power 1 ± {BAND:g})",
            "These costs are summed over all priority levels (from 1 to p)",
            f"p^{of_levels:.2f}, p = {sizes.levels[0]} … {sizes.levels[-1]}",
            abs(of_levels - 1.0) <= BAND,
        ),
    ]
    for letter, (m, times) in zip("BD", found.coordinates.items(), strict=True):
        tried = sizes.coordinates[m]
        grown, expected = _power(tried, times), _power(tried, [n * np.log(n) for n in tried])
        claims.append(
            Claim.words(
                f"{letter}: with m = {m} the cost grows with n about as n log n does "
                f"(its power ± {BAND:g})",
                "a non-linear relationship, close to O(n log n)",
                f"n^{grown:.2f}, n log n like n^{expected:.2f}, n = {tried[0]} … {tried[-1]}",
                abs(grown - expected) <= BAND,
            )
        )
    claims += [
        Claim.words(
            f"C: with m < n the cost is linear in m (power 1 ± {BAND:g})",
            "If m < n, the dependence is linear",
            f"m^{of_rows:.2f}, m = {sizes.rows[0]} … {sizes.rows[-1]}",
            abs(of_rows - 1.0) <= BAND,
        ),
        Claim.words(
            "E: a given number of tasks takes less time on several priority levels",
            "reduced when they are distributed on several priority levels",
            "48 rows on "
            + ", ".join(
                f"{p}: {1e3 * s:.2f}" for p, s in zip(sizes.shared, found.shared, strict=True)
            )
            + " ms",
            all(b < a for a, b in pairwise(found.shared)),
        ),
        Claim.time(
            "a step with m = 15, n = 50 and p = 4 takes no longer than published",
            "about 5 ms (SGI Octane, 195 MHz)",
            f"{1e3 * found.typical[0]:.2f} ms as printed, {1e3 * found.typical[1]:.2f} ms the way "
            "poise computes it",
            max(found.typical) <= 5e-3,
        ),
    ]
    return tuple(claims)


def _draw(folder: Path, found: _Measured) -> Path:
    sizes = found.sizes
    sheet = Sheet(3, 2, size=(3.3, 2.5))
    a, b, c, d, e, f = sheet.panels
    _bars(
        a,
        sizes.levels,
        (("recursive", found.recursive, FIRST), ("not", found.plain, SECOND)),
    )
    a.title("A  projectors, n = 50, m = 5")
    for panel, (m, each), letter in zip((b, d), found.coordinates.items(), "BD", strict=True):
        tried = sizes.coordinates[m]
        _bars(panel, tried, (("", each, FIRST),))
        middle = len(tried) // 2
        scale = each[middle] / (tried[middle] * np.log(tried[middle]))
        curve = [(i, 1e3 * scale * n * np.log(n)) for i, n in enumerate(tried)]
        panel.path(curve, color=INK, dots=False, text="n log n")
        panel.legend()
        panel.title(f"{letter}  m = {m}, p = 4")
    _bars(c, sizes.rows, (("", found.rows, FIRST),))
    c.title("C  n = 50, p = 4")
    _bars(e, sizes.shared, (("", found.shared, FIRST),))
    e.title("E  n = 50, 48 rows on p levels")
    _bars(f, ("thesis", "printed", "poise"), (("", [5e-3, *found.typical], GREY),))
    f.axes.set_yscale("log")
    f.title("n = 50, m = 15, p = 4")
    for panel, x in ((a, "p"), (b, "n"), (c, "m"), (d, "n"), (e, "p"), (f, "")):
        panel.labels(x, "ms")
    return sheet.save(folder, "2001-fig-5.14")


def random_levels(n: int, m: int, p: int) -> list[Rows]:
    """p levels of m random rows."""
    rng = np.random.default_rng(n + m + p)
    return [
        Rows(rng.standard_normal((m, n)) / np.sqrt(n), 0.05 * rng.standard_normal(m))
        for _ in range(p)
    ]


def _compiled(
    sizes: Sequence[tuple[int, int, int]], rounds: int, how: int = at.RECURSIVE
) -> list[float]:
    """The least times (s) of steps by the compiled kernel, for n, m and p.

    What it costs to call compiled code from Python is measured by a step of no levels, and taken
    off: of small steps it is the greater part.
    """
    runs = [_step(n, m, p, p, how) for n, m, p in sizes]
    *times, call = _least([*runs, _step(1, 1, 1, 0, how)], rounds)
    return [each - call for each in times]


def _step(n: int, m: int, p: int, taken: int, how: int) -> Callable[[], object]:
    """A step of p levels, of which so many are taken."""
    step = at.make_step(n, 0, np.arange(0, p * m + 1, m))
    levels = random_levels(n, m, p)
    step.rows[:] = np.vstack([level.jacobian for level in levels])
    step.increment[at.WANTED] = np.concatenate([level.wanted for level in levels])
    step.entered[:] = 1
    step.box[0], step.box[1] = -np.inf, np.inf
    return partial(take, step, taken, 0, 0.25, how)


def _least(runs: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least time of the processor (s) of each, all in turn, after one that may compile."""
    for run in runs:
        run()
    best = np.full(len(runs), np.inf)
    for _ in range(rounds):
        for i, run in enumerate(runs):
            begin = time.thread_time()
            run()
            best[i] = min(best[i], time.thread_time() - begin)
    return best.tolist()


def _power(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power by which a cost grows, by least squares of logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _bars(
    panel: Panel, places: Sequence[object], sets: Sequence[tuple[str, Sequence[float], str]]
) -> None:
    width = 0.8 / len(sets)
    for k, (text, seconds, color) in enumerate(sets):
        x = np.arange(len(places)) + (k - 0.5 * (len(sets) - 1)) * width
        panel.axes.bar(x, 1e3 * np.array(seconds), width, color=color, label=text or None)
    panel.axes.set_xticks(range(len(places)), [str(place) for place in places])
    if len(sets) > 1:
        panel.legend()
