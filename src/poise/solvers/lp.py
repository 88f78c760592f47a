"""Linear programming, LPIK: Ho, Komura & Lau 2005, eq. 7 and 8.

A step makes Σ a|Δq| + α Σ b|Δq − Δq′| least, with J Δq = −e and every limit as a bound or a row;
Δq′ is the step before. Without one, or with α = 0, that is eq. 7. The program of a step is in
`linear_program`.

Where no step meets all rows at once each may give way, at a price: `penalty` for each metre of the
last priority, ten times that for each priority above, and as the weights say. The steps of a
solve are accepted by the same measure of what is unmet (Fletcher's exact penalty), within a box
about the posture that shrinks when the linear model was wrong. So conflicting contacts and goals
out of reach end in the best posture, and the outcome says what gave way.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.checking import number
from poise.errors import PoiseError, unknown_name
from poise.kernel.published.stepping import CALM
from poise.kernel.residuals.blocks import ROW
from poise.solvers.descent import descend
from poise.solvers.linear import Linear, linear
from poise.solvers.linear_program import FORMS, Costs, Program
from poise.solvers.method import Method, in_words
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem

Values = NDArray[np.float64]

METHOD = Method(
    name="lp",
    summary="linear programming",
    source="Ho, Komura & Lau 2005",
    priorities="as prices",
    limits="in every step",
    takes_one_sided=True,
    is_warm=True,
    asks_for_step=True,
)

_PER_PRIORITY = 10.0
"""A row of the priority above costs so many times more to leave unmet …"""

_MOST_APART = 1e3
"""… but no more than so many times what the last one costs: HiGHS works with doubles."""

_SHORTEST = 1e-7
"""A box smaller than this (rad) leaves nothing to try."""


def solve(
    problem: Problem,
    start: Values,
    *,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    alpha: float = 1.0,
    previous: ArrayLike | None = None,
    form: str = "segments",
    penalty: float = 1e3,
    max_turn: float = 0.5,
    warm: bool = False,
    **ending: Unpack[Ending],
) -> Outcome:
    """Solve from a posture within limits, with the least sum of |Δq| from the start.

    Args:
        problem: as for every method.
        start: as for every method.
        a: what moving a coordinate by a radian or metre costs, one number or (n,), not negative;
            by default 1, and more for what is stiff.
        b: the same for a change against the step before; by default as `a`.
        alpha: α, how much the second sum weighs.
        previous: (n,) Δq′, the step before; without one there is no second sum (eq. 7).
        form: "segments", or "literal" as printed.
        penalty: what a metre of a task unmet costs at least, in the units of `a`.
        max_turn: no step moves a coordinate farther (rad, or m of a root).
        warm: whether to begin with the basis of the last solve.
        **ending: see `Ending`.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise unknown_name("form", form, FORMS)
    max_turn = number(max_turn, "max_turn (rad)", above=0)
    at = linear(problem)
    costs = costs_of(problem, a, b, alpha, penalty)
    before = None if previous is None else _vector(previous, at.n, "previous", sign=True)
    if "lp" not in problem.scratch:
        problem.scratch["lp"] = Program(at)
        at.load(start)
    program: Program = problem.scratch["lp"]
    if not warm:
        program.forget()
    return descend(
        at,
        _Steps(
            at,
            program,
            costs,
            start,
            before,
            tolerance=ending["tolerance"],
            max_turn=max_turn,
            form=form,
        ),
        start,
        **ending,
    )


class _Steps:
    """The steps of one solve: see `descent.Steps`."""

    def __init__(
        self,
        at: Linear,
        program: Program,
        costs: Costs,
        start: Values,
        previous: Values | None,
        *,
        tolerance: float,
        max_turn: float,
        form: str,
    ) -> None:
        self._at, self._program, self._costs, self._form = at, program, costs, form
        self._start, self._previous, self._tolerance = start, previous, tolerance
        self._least = float(costs.penalty.min(initial=np.inf)) * tolerance
        self._reach = self._max_turn = max_turn
        self._merit = self._after = np.inf
        self._promised, self._length, self._since = 0.0, 0.0, 0
        self._gave_way = np.zeros(at.rows, bool)

    @property
    def radius(self) -> float:
        return self._reach

    def propose(self, q: Values) -> Values | None:
        at = self._at
        if self._merit == np.inf:
            self._merit = self._now()
        at.look_at_limits(q, self._reach)
        gone = q - self._start
        step = self._program.step(q, gone, self._previous, self._costs, self._reach, self._form)
        self._gave_way = step.unmet > self._tolerance
        self._promised = self._merit - float(self._costs.penalty @ step.unmet)
        self._length = float(np.abs(step.move).max(initial=0.0))
        return q + step.move if self._promised > 0.01 * self._least else None

    def improves(self) -> bool:
        self._after = self._now()
        enough = self._after < self._merit - 1e-3 * self._promised
        return enough or self._at.error() <= self._tolerance

    def took(self, length: float) -> str:
        if self._merit - self._after > 0.5 * self._promised:
            self._reach = min(2 * self._reach, self._max_turn)
        self._since = 0 if self._after < self._merit * (1 - 1e-6) else self._since + 1
        self._merit = self._after
        return "stalled" if self._since >= CALM else ""

    def refused(self) -> str:
        self._reach = 0.25 * min(self._reach, self._length)
        return "stationary" if self._reach < _SHORTEST else ""

    def ended(self, word: str, optimality: float) -> tuple[str, str]:
        problem = self._at.problem
        notes = [_weighed(problem), "" if word == "solved" else _yielding(problem, self._gave_way)]
        return word, "; ".join(note for note in notes if note)

    def _now(self) -> float:
        return float(self._costs.penalty @ np.abs(self._at.unmet()))


def costs_of(
    problem: Problem, a: ArrayLike | None, b: ArrayLike | None, alpha: float, penalty: float
) -> Costs:
    """What is weighed, from the arguments of `solve`."""
    n, metric = problem.figure.n, problem.metric
    ease = np.divide(1.0, metric, out=np.zeros(n), where=metric > 0)
    stiffness = ease if a is None else _vector(a, n, "a")
    smoothing = stiffness if b is None else _vector(b, n, "b")
    alpha = number(alpha, "alpha", least=0)
    penalty = number(penalty, "the penalty (1/m)", above=0)
    rows, levels = np.diff(problem.blocks.level), problem.level_priorities
    below = [len(problem.priorities) - 1 - problem.priorities.index(each) for each in levels]
    ranks = [min(_PER_PRIORITY**k, _MOST_APART) for k in below]
    return Costs(stiffness, alpha * smoothing, penalty * np.repeat(ranks, rows))


def _vector(values: ArrayLike, n: int, what: str, *, sign: bool = False) -> Values:
    """(n,) finite numbers, from one or n; not negative unless they may have a sign."""
    try:
        numbers = np.broadcast_to(np.asarray(values, np.float64), (n,)).copy()
    except (TypeError, ValueError):
        raise PoiseError(f"{what} must be a number or {n} of them, not {values!r}") from None
    if not np.isfinite(numbers).all() or (not sign and (numbers < 0).any()):
        allowed = "finite" if sign else "finite and not negative"
        raise PoiseError(f"{what} must be {allowed}, not {values!r}")
    return numbers


def _weighed(problem: Problem) -> str:
    """The note on priorities, which are prices here."""
    if len(problem.priorities) < 2:
        return ""
    return (
        "lp knows priorities by what they cost only: a metre unmet costs "
        f"{_PER_PRIORITY:g} times as much for each priority above the last"
    )


def _yielding(problem: Problem, gave_way: NDArray[np.bool_]) -> str:
    """The note on the tasks that gave way in the last program."""
    rows = problem.blocks.block[:, ROW]
    names = [
        repr(wish.name)
        for wish, span in zip(problem.wishes, problem.spans, strict=True)
        if gave_way[rows[span.start] : rows[span.stop]].any()
    ]
    if not names:
        return ""
    return f"no step meets all tasks at once: {in_words(names)} gave way"
