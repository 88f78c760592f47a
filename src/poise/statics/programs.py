"""The two programs that contact forces are found by, over x ≥ 0.

Both solvers are SciPy's: HiGHS for the linear one, non-negative least squares (Lawson & Hanson) for
the quadratic one. HiGHS has a quadratic solver as well, but it gave up on balance at the edge of
what is possible, where people stand who push hard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError

Values = NDArray[np.float64]

_STIFF = 1e5
"""How much more equalities count than squares; what they are missed by goes with its square."""
_ROUNDING = 1e-12
"""A gain that is no greater share is what rounding says."""
_EXACT = 1e-16
"""The share of its cost by which the second solver must still fall to go on."""
_PATIENCE = 30
"""Iterations of a least-squares problem, for each of its unknowns."""


@dataclass(frozen=True)
class Program:
    """What a linear program came to."""

    x: Values
    is_unbounded: bool
    lower_price: Values
    """(k,) how much each lower end of a range costs; 0 where it is not in the way."""
    upper_price: Values


def linear_program(
    cost: Values,
    rows: Values,
    right: Values,
    ranges: Values | None = None,
    lower: Values | None = None,
    upper: Values | None = None,
) -> Program | None:
    """Minimise cost·x over x ≥ 0 with rows·x = right and lower ≤ ranges·x ≤ upper.

    None where nothing fits.
    """
    from scipy.optimize import linprog

    several: dict[str, Any] = {}
    count = 0
    if ranges is not None and lower is not None and upper is not None:
        count = len(ranges)
        several = {"A_ub": np.vstack([ranges, -ranges]), "b_ub": np.concatenate([upper, -lower])}
    found: Any = linprog(cost, A_eq=rows, b_eq=right, method="highs", **several)
    none = np.zeros(count)
    if found.status == 2:
        return None
    if found.status == 3:
        return Program(np.zeros(cost.size), True, none, none)
    if found.status != 0:
        raise PoiseError(f"contact forces were not found: {found.message}")
    prices = np.abs(np.array(found.ineqlin.marginals)) if count else np.zeros(0)
    return Program(np.array(found.x), False, prices[count:], prices[:count])


def least_squares_program(weight: Values, rows: Values, right: Values) -> Values:
    """The x ≥ 0 with rows·x = right, which must be possible, whose Σ weight x² is least."""
    matrix = np.vstack([_STIFF * rows, np.diag(np.sqrt(weight))])
    try:
        return nonnegative_least_squares(
            matrix, np.concatenate([_STIFF * right, np.zeros(weight.size)])
        )
    except RuntimeError as error:
        raise PoiseError(f"contact forces were not found: {error}") from None


def nonnegative_least_squares(
    matrix: Values, goal: Values, *, negligible: float = _ROUNDING
) -> Values:
    """The x ≥ 0 that brings matrix · x nearest to a goal.

    Args:
        matrix: (m, k).
        goal: (m,).
        negligible: what may still be gained by some x, as a share of the goal times the longest
            column, without another solver being asked.
    """
    from scipy.optimize import lsq_linear, nnls

    x = np.asarray(nnls(matrix, goal, maxiter=_PATIENCE * matrix.shape[1])[0], np.float64)
    # scipy's nnls (1.15 to 1.17) sometimes ends where some x could still lower what is left.
    gain = matrix.T @ (goal - matrix @ x)
    unit = float(np.linalg.norm(matrix, axis=0).max()) * float(np.linalg.norm(goal))
    if np.where(x > 0.0, np.abs(gain), gain).max() > negligible * unit:
        x = np.asarray(
            lsq_linear(matrix, goal, (0.0, np.inf), method="bvls", tol=_EXACT).x, np.float64
        )
    return x
