"""A solve with an eye on the clock, on a clock of the test's own."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.kernel.ending import COLD, CONTINUED, ITERATIONS, SOLVED
from poise.models import chain
from poise.solvers import METHODS, chunks, classics, nlp, priority, projected, solver
from poise.solvers.outcome import Ending
from poise.solvers.problem import Wish, pack
from poise.tasks import Position

MODULES: dict[str, ModuleType] = {"nlp": nlp, "priority": priority, "projected": projected}


class Slow:
    """A kernel that takes 100 s to compile and 1 s for an iteration, and moves q by 1 in each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ends: int = 1000) -> None:
        self.now, self.left = 0.0, ends
        self.is_compiled = False
        self.calls: list[tuple[int, int, bool]] = []
        monkeypatch.setattr(chunks, "perf_counter", lambda: self.now)

    def __call__(
        self, q: NDArray[np.float64], limit: int, begin: int, finishes: bool
    ) -> tuple[int, int]:
        self.calls.append((limit, begin, finishes))
        self.now += 0.0 if self.is_compiled else 100.0
        self.is_compiled = True
        done = min(limit, self.left)
        self.left -= done
        self.now += done
        q += done
        return SOLVED if self.left == 0 else ITERATIONS, done


def until(iterations: int, seconds: float | None = None) -> Ending:
    return {"tolerance": 1e-4, "max_iterations": iterations, "max_seconds": seconds}


def test_what_compiling_takes_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, q = Slow(monkeypatch), np.zeros(2)
    result = chunks.run_in_time(slow, q, until(8, 50.0), is_first=True)
    assert result == ("iterations", 8, 8.0)
    assert slow.calls == [(0, COLD, False), (5, COLD, False), (3, CONTINUED, True)]
    assert q.tolist() == [8.0, 8.0]


def test_only_the_first_solve_is_begun_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    slow.is_compiled = True
    assert chunks.run_in_time(slow, np.zeros(2), until(8), is_first=False) == ("iterations", 8, 8.0)
    assert slow.calls == [(8, COLD, True)]


def test_time_is_over_after_the_piece_in_which_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    assert chunks.run_in_time(slow, np.zeros(2), until(100, 7.0), is_first=True) == (
        "time",
        10,
        10.0,
    )
    assert slow.calls[-1] == (0, CONTINUED, True)


def test_a_solve_that_ends_in_time_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch, ends=7)
    assert chunks.run_in_time(slow, np.zeros(2), until(100, 50.0), is_first=True) == (
        "solved",
        7,
        7.0,
    )


# The others look at the clock themselves.
@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("lex", "lp", "lagrange")])
def test_every_method_says_which_solve_is_its_first(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def watched(*given: Any, is_first: bool) -> tuple[str, int, float]:
        seen.append(is_first)
        return chunks.run_in_time(*given, is_first=is_first)

    monkeypatch.setattr(MODULES.get(method, classics), "run_in_time", watched)
    figure = chain(3, length=0.3)
    goal = figure.place(figure.posture(np.full(3, 0.3)))["tip"].position
    problem = pack(figure, figure.rest(), [Wish("tip", Position("tip", goal), 1)])
    for _ in range(2):
        solver(method)(problem, np.full(3, 0.2), tolerance=1e-3, max_iterations=9, max_seconds=None)
    assert seen == [True, False]
