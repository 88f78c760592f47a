"""An independent answer to the inner step's problem, by numpy and quadprog, and random problems.

The levels are solved one after the other, each as a quadratic program with the slacks achieved
above as hard constraints. Nothing here comes from poise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import quadprog
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLOOR = 1e-10
"""Least damping, as a share of the square of a level's longest row."""

KKT = 1e-8
"""How well optimality conditions must hold for an answer to be trusted."""

DAMPING = [0.0, 1e-9, 1e-9, 1e-6, 1e-3, 1e-1]


@dataclass
class Level:
    """Rows with intervals; the level minimises Σ dist(A u, interval)² + damping ‖u‖²."""

    A: Floats
    lower: Floats
    upper: Floats
    damping: float = 0.0

    def distances(self, u: Floats) -> Floats:
        value = self.A @ u
        return np.maximum(value - self.upper, 0.0) + np.minimum(value - self.lower, 0.0)

    def least_damping(self) -> float:
        longest = max([1e-6, *np.sum(self.A**2, axis=1)])
        return max(self.damping, FLOOR * longest)


@dataclass
class Problem:
    """Box and hard rows, then levels, then the resting step."""

    lower: Floats
    upper: Floats
    hard: Level
    levels: list[Level]
    rest: Floats

    def residuals(self, u: Floats) -> Floats:
        return np.array([float(np.linalg.norm(level.distances(u))) for level in self.levels])

    def broken(self, u: Floats) -> float:
        """Return how far the hardest broken bound or hard row is broken."""
        outside = np.maximum(u - self.upper, self.lower - u)
        return float(max([0.0, *outside, *np.abs(self.hard.distances(u))]))


@dataclass
class Answer:
    """The step, the norms that the levels are left with, and how well each level's KKT hold."""

    u: Floats
    residuals: Floats
    kkt: list[float] = field(default_factory=list)

    @property
    def trusted(self) -> bool:
        return all(error <= KKT for error in self.kkt)


def solve(problem: Problem) -> Answer:
    """Solve level by level; `kkt` holds the worst violated optimality condition of each."""
    n = problem.lower.size
    u = np.zeros(n)
    basis = np.eye(n)
    rows, lower, upper = [np.eye(n)], [problem.lower], [problem.upper]
    answer = Answer(u, np.zeros(0))

    def keep(level: Level, low: Floats, up: Floats) -> None:
        nonlocal basis
        equal = level.upper - level.lower <= 1e-12
        rows.append(level.A[~equal])
        lower.append(low[~equal])
        upper.append(up[~equal])
        basis = _null_space(level.A[equal], basis)

    keep(problem.hard, problem.hard.lower, problem.hard.upper)
    for level in problem.levels:
        constraints = np.vstack(rows), np.concatenate(lower), np.concatenate(upper)
        u, error = _program(level, level.least_damping(), np.zeros(n), u, basis, *constraints)
        answer.kkt.append(error)
        value = level.A @ u
        keep(level, np.minimum(level.lower, value), np.maximum(level.upper, value))
    if np.any(problem.rest):
        nothing = Level(np.zeros((0, n)), np.zeros(0), np.zeros(0))
        constraints = np.vstack(rows), np.concatenate(lower), np.concatenate(upper)
        u, error = _program(nothing, 1.0, problem.rest, u, basis, *constraints)
        answer.kkt.append(error)
    answer.u = u
    answer.residuals = problem.residuals(u)
    return answer


def _null_space(A: Floats, basis: Floats) -> Floats:
    """Return what of the basis leaves A u alone; rows count by their whole length."""
    lengths = np.linalg.norm(A, axis=1)
    A = A[lengths > 0] / lengths[lengths > 0, None]
    if not A.size or not basis.size:
        return basis
    _, values, turned = np.linalg.svd(A @ basis)
    return basis @ turned[np.count_nonzero(values > 1e-7) :].T


def _program(
    level: Level, damping: float, center: Floats, start: Floats, basis: Floats,
    A: Floats, lower: Floats, upper: Floats,
) -> tuple[Floats, float]:  # fmt: skip
    """Minimise ½‖w‖² + ½ damping ‖u − center‖², u = start + basis v, with A u in its interval.

    The level's rows are A u − w in their interval. Written for quadprog as G x − a, Cᵀx ≥ b.
    """
    free = basis.shape[1]
    m = level.A.shape[0]
    if free == 0:
        return start, 0.0
    G = np.diag(np.r_[np.full(free, damping), np.ones(m)])
    a = np.r_[damping * (basis.T @ (center - start)), np.zeros(m)]
    own = np.hstack([level.A @ basis, -np.eye(m)])
    value = level.A @ start
    equal = level.upper - level.lower <= 1e-12
    C, b = [own[equal]], [(level.lower - value)[equal]]
    for sign, ends in ((1.0, level.lower), (-1.0, level.upper)):
        use = ~equal & np.isfinite(ends)
        C.append(sign * own[use])
        b.append(sign * (ends - value)[use])
    hard = A @ basis
    lengths = np.linalg.norm(hard, axis=1)
    for sign, ends in ((1.0, lower), (-1.0, upper)):
        use = np.isfinite(ends) & (lengths > 1e-9 * np.linalg.norm(A, axis=1))
        C.append(np.hstack([sign * hard[use], np.zeros((np.count_nonzero(use), m))]))
        b.append(np.minimum(sign * (ends - A @ start)[use], 0.0))
    Ct, bt, equalities = np.vstack(C), np.concatenate(b), int(np.count_nonzero(equal))
    if not bt.size:
        return start + basis @ (basis.T @ (center - start)), 0.0
    best, least = np.zeros(free + m), np.inf
    for slack in (0.0, 1e-12, 1e-10, 1e-9):
        loose = bt - np.where(np.arange(bt.size) < equalities, 0.0, slack)
        try:
            x, _, _, _, force, _ = quadprog.solve_qp(G, a, Ct.T.copy(), loose, equalities)
        except ValueError:
            continue
        error = _violation(G, a, Ct, bt, equalities, x, force)
        if error < least:
            best, least = x, error
        if least <= KKT:
            break
    return start + basis @ best[:free], least


def _violation(
    G: Floats, a: Floats, C: Floats, b: Floats, equalities: int, x: Floats, force: Floats
) -> float:
    """Return the worst of stationarity, feasibility, sign and complementarity."""
    room = C @ x - b
    one_sided = slice(equalities, None)
    worst = [np.abs(G @ x - a - C.T @ force), np.abs(room[:equalities]), -room[one_sided]]
    worst += [-force[one_sided], np.abs(force[one_sided] * room[one_sided])]
    return max(float(np.max(part, initial=0.0)) for part in worst)


def random_problem(rng: np.random.Generator, n: int, sizes: list[int], tight: float) -> Problem:
    """Draw a problem with everything that can go wrong in it.

    Rows are random or a random tree's Jacobian; some levels are rank-deficient, contain parallel,
    nearly parallel or zero rows, or inequalities; some bounds are at zero, infinite or locked;
    there are hard couplings. Smaller `tight` means tighter bounds.
    """
    kind = rng.integers(3)
    count = sum(sizes)
    if kind == 0:
        J = rng.standard_normal((count, n)) / np.sqrt(n) * (rng.random((count, n)) < 0.5)
    else:
        J = tree_jacobian(rng, n, (count + 2) // 3, straight=kind == 2)[:count]
    target = 0.05 * rng.standard_normal(count) * rng.choice([0.2, 1.0, 5.0])
    levels = []
    start = 0
    for m in sizes:
        A, b = J[start : start + m].copy(), target[start : start + m].copy()
        start += m
        trouble = rng.integers(8)
        if trouble == 0 and m > 1:
            A[-1] = A[0]
        elif trouble == 1 and m > 1:
            A[-1] = A[0] + 1e-4 * rng.standard_normal(n)
        elif trouble == 2:
            A[rng.integers(m)] = 0.0
        elif trouble == 3 and m > 2:
            A[1:] = rng.standard_normal((m - 1, 2)) @ A[:2]
        lower, upper = b.copy(), b.copy()
        if rng.random() < 0.4:
            loose = rng.random(m) < 0.5
            upper[loose] = np.inf
            two = loose & (rng.random(m) < 0.3)
            upper[two] = lower[two] + 0.02
        levels.append(Level(A, lower, upper, float(rng.choice(DAMPING))))
    lower = -rng.uniform(0.02, 1.0, n) * tight
    upper = rng.uniform(0.02, 1.0, n) * tight
    stops = rng.choice([0.0, 0.1, 0.3])
    lower[rng.random(n) < stops] = 0.0
    upper[rng.random(n) < stops] = 0.0
    lower[rng.random(n) < 0.1] = -np.inf
    upper[rng.random(n) < 0.1] = np.inf
    hard = _couplings(rng, n)
    if rng.random() < 0.5:
        hard = Level(np.zeros((0, n)), np.zeros(0), np.zeros(0))
    rest = 0.1 * rng.standard_normal(n) if rng.random() < 0.3 else np.zeros(n)
    return Problem(lower, upper, hard, levels, rest)


def _couplings(rng: np.random.Generator, n: int) -> Level:
    count = int(rng.integers(1, 6))
    A = np.zeros((count, n))
    for row in A:
        row[rng.choice(n, min(n, 3), replace=False)] = rng.uniform(-1.0, 1.0, min(n, 3))
    lower = np.where(rng.random(count) < 0.5, -np.inf, -rng.uniform(0.0, 0.05, count))
    upper = np.where(rng.random(count) < 0.2, 0.0, rng.uniform(0.0, 0.05, count))
    equal = rng.random(count) < 0.4
    lower[equal] = 0.0
    upper[equal] = 0.0
    return Level(A, lower, upper)


def tree_jacobian(rng: np.random.Generator, n: int, sites: int, *, straight: bool) -> Floats:
    """Return the (3 sites, n) position Jacobian of a random tree of hinges, links of 0.1 m.

    A straight tree has parallel axes and links along x, so no site can move along x.
    """
    parent = [-1, *(int(rng.integers(max(0, j - 3), j)) for j in range(1, n))]
    origin, axis = np.zeros((n, 3)), np.zeros((n, 3))
    for j in range(n):
        link = np.array([0.1, 0.0, 0.0]) if straight else 0.1 * _direction(rng)
        axis[j] = [0.0, 1.0, 0.0] if straight else _direction(rng)
        if parent[j] >= 0:
            origin[j] = origin[parent[j]] + link
    J = np.zeros((sites, 3, n))
    for rows in J:
        j = int(rng.integers(n // 2, n))
        tip = origin[j] + [0.1, 0.0, 0.0]
        while j >= 0:
            rows[:, j] = np.cross(axis[j], tip - origin[j])
            j = parent[j]
    return J.reshape(3 * sites, n)


def _direction(rng: np.random.Generator) -> Floats:
    v = rng.standard_normal(3)
    return v / np.linalg.norm(v)
