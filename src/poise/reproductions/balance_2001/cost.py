"""Fig. 5.14: what a step costs, against the number of levels, coordinates and rows.

Measured on the compiled algorithm as printed, with singular values and projectors. How much the
recursion for the projectors (5.20) saves is measured in numpy, where both forms are written out
below: with it, and without it from the augmented Jacobian (5.16, 5.17). So both have the same
arithmetic under them, and only the formulas differ. Rows are random, as the thesis has "average"
Jacobians. Of each time the least of many runs counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from poise.kernel import priority_arrays as at
from poise.kernel.priority_steps import take
from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import FIRST, GREY, INK, SECOND, Panel, Sheet
from poise.reproductions.balance_2001.stepping import Rows
from poise.reproductions.claims import Claim, Report, Result

_RANK = 1e-9
_LEVELS = (1, 2, 3, 4, 5, 6, 8)
_SIZES = (20, 30, 50, 70, 100)
_ROWS = (3, 6, 10, 15, 20, 30)
_SHARED = (1, 2, 3, 4, 6)
"""Graph E: levels on which 48 rows are distributed."""

Step = Callable[[Sequence[Rows]], Values]


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
    for i, level in enumerate(levels, 1):
        u, s, v = _decomposed(level.jacobian @ projector)
        step = step + v.T @ ((u.T @ (level.wanted - level.jacobian @ step)) / s)
        _, _, v = _decomposed(np.vstack([each.jacobian for each in levels[:i]]))
        projector = np.eye(n) - v.T @ v
    return step


def _decomposed(matrix: Values) -> tuple[Values, Values, Values]:
    """The singular value decomposition without what is zero."""
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    rank = int(np.sum(s > _RANK * max(float(s[0]), _RANK)))
    return u[:, :rank], s[:rank], v[:rank]


def step_costs(folder: Path | None, report: Report) -> Result:
    """Fig. 5.14: the cost of a step."""
    report("A: levels", 0.0)
    ours = [_seconds(recursive_step, 50, 5, p) for p in _LEVELS]
    theirs = [_seconds(plain_step, 50, 5, p) for p in _LEVELS]
    report("B, D: coordinates", 0.3)
    sizes = {m: [_compiled_seconds(n, m, 4) for n in _SIZES] for m in (5, 15)}
    report("C: rows", 0.5)
    rows = [_compiled_seconds(50, m, 4) for m in _ROWS]
    report("E: rows on several levels", 0.7)
    shared = [_compiled_seconds(50, 48 // p, p) for p in _SHARED]
    report("a typical situation", 0.9)
    typical = _compiled_seconds(50, 15, 4)
    factored = _compiled_seconds(50, 15, 4, at.FACTORED)
    speedups = [b / a for a, b in zip(ours, theirs, strict=True)]
    slope = float(np.polyfit(_LEVELS, speedups, 1)[0])
    fit = float(np.corrcoef(_LEVELS, speedups)[0, 1])
    five = speedups[_LEVELS.index(5)]
    powers = {m: _power(_SIZES, each) for m, each in sizes.items()}
    expected = _power(_SIZES, [n * np.log(n) for n in _SIZES])
    straight = float(np.corrcoef(_ROWS, rows)[0, 1]) ** 2
    claims = (
        Claim(
            "A: the recursive formulation is faster, by a factor proportional to p",
            "∝ p",
            ", ".join(f"{s:.1f}" for s in speedups)
            + f" times for p = {', '.join(map(str, _LEVELS))}; correlation {fit:.2f}",
            slope > 0 and fit > 0.9 and speedups[-1] > 1,
        ),
        Claim(
            "A: with five levels it is about three times faster (5.3.9)",
            "3 times",
            f"{five:.1f} times, for projectors and the rest of the step",
            2.0 <= five <= 4.0,
        ),
        Claim(
            "B, D: the cost grows with n in a non-linear way, close to n log n",
            f"n log n: like n^{expected:.2f} from {_SIZES[0]} to {_SIZES[-1]}",
            ", ".join(f"n^{power:.2f} for m = {m}" for m, power in powers.items()),
            all(abs(power - expected) < 0.35 for power in powers.values()),
        ),
        Claim(
            "C: with m < n the cost is linear in m",
            "linear",
            f"R² = {straight:.3f} of a straight line for m = {_ROWS[0]} … {_ROWS[-1]}",
            straight > 0.95,
        ),
        Claim(
            "E: a given number of tasks takes less time on several priority levels",
            "less",
            "48 rows on "
            + ", ".join(f"{p}: {1e3 * s:.2f}" for p, s in zip(_SHARED, shared, strict=True))
            + " ms",
            all(b < a for a, b in pairwise(shared)),
        ),
        Claim(
            "a step with m = 15, n = 50 and p = 4 takes about 5 ms (SGI Octane, 195 MHz)",
            "5 ms",
            f"{1e3 * typical:.2f} ms as printed, {1e3 * factored:.2f} ms the way poise computes it",
            max(typical, factored) <= 5e-3,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(3, 2, size=(3.3, 2.5))
    a, b, c, d, e, f = sheet.panels
    _bars(a, _LEVELS, (("recursive", ours, FIRST), ("not", theirs, SECOND)))
    a.title("A  n = 50, m = 5")
    for panel, (m, each), letter in ((b, (5, sizes[5]), "B"), (d, (15, sizes[15]), "D")):
        _bars(panel, _SIZES, (("", each, FIRST),))
        scale = each[2] / (_SIZES[2] * np.log(_SIZES[2]))
        curve = [(i, 1e3 * scale * n * np.log(n)) for i, n in enumerate(_SIZES)]
        panel.path(curve, color=INK, dots=False, text="n log n")
        panel.legend()
        panel.title(f"{letter}  m = {m}, p = 4")
    _bars(c, _ROWS, (("", rows, FIRST),))
    c.title("C  n = 50, p = 4")
    _bars(e, _SHARED, (("", shared, FIRST),))
    e.title("E  n = 50, 48 rows on p levels")
    _bars(f, ("thesis", "printed", "poise"), (("", [5e-3, typical, factored], GREY),))
    f.axes.set_yscale("log")
    f.title("n = 50, m = 15, p = 4")
    for panel, x in ((a, "p"), (b, "n"), (c, "m"), (d, "n"), (e, "p"), (f, "")):
        panel.labels(x, "ms")
    return Result(claims, (sheet.save(folder, "2001-fig-5.14"),))


def random_levels(n: int, m: int, p: int) -> list[Rows]:
    """p levels of m random rows."""
    rng = np.random.default_rng(n + m + p)
    return [
        Rows(rng.standard_normal((m, n)) / np.sqrt(n), 0.05 * rng.standard_normal(m))
        for _ in range(p)
    ]


def _seconds(step: Step, n: int, m: int, p: int, runs: int = 25) -> float:
    """The least time of a step."""
    levels = random_levels(n, m, p)
    return _least(lambda: step(levels), runs)


def _compiled_seconds(n: int, m: int, p: int, how: int = at.RECURSIVE) -> float:
    """The least time of a step by the compiled kernel: as printed, or as it goes by default."""
    step = at.make_step(n, 0, np.arange(0, p * m + 1, m))
    levels = random_levels(n, m, p)
    step.rows[:] = np.vstack([level.jacobian for level in levels])
    step.increment[at.WANTED] = np.concatenate([level.wanted for level in levels])
    step.entered[:] = 1
    step.box[0], step.box[1] = -np.inf, np.inf
    return _least(lambda: take(step, p, 0, 0.25, how), 100)


def _least(run: Callable[[], object], runs: int) -> float:
    run()
    best = np.inf
    for _ in range(runs):
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return float(best)


def _power(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The power of n by which a cost grows."""
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
