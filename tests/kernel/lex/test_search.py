"""Which level a search gives up, and when it goes on from elsewhere first."""

import numpy as np
import pytest

import poise
from poise.kernel.ending import CALM, COLD
from poise.kernel.lex.levels import Levels, make_levels
from poise.kernel.lex.search import level_to_give_up
from poise.kernel.lex.settings import SETTINGS
from poise.solvers import lex
from poise.solvers.problem import Wish, pack
from poise.tasks import Position


def sought(*errors: float) -> Levels:
    """Levels that are off by so much, of which a linear step would leave nothing."""
    made = make_levels(len(errors))
    made.error[:-1] = made.worst[:-1] = errors
    return made


def test_the_first_level_that_a_linear_step_does_not_bring_down_is_unmet() -> None:
    now = sought(0.0, 0.01, 0.5)
    assert level_to_give_up(now, 3, 1e-4, False) == 3, "none is"
    now.predicted_best[2] = 0.4
    assert level_to_give_up(now, 3, 1e-4, False) == 2
    now.worst[1] = 1.1 * SETTINGS.far
    assert level_to_give_up(now, 3, 1e-4, False) == 3, (
        "not to be told as long as one above is far off"
    )
    now.in_vain[1] = 2.0
    assert level_to_give_up(now, 3, 1e-4, False) == 1
    now.at_rest[1] = 1.0
    assert level_to_give_up(now, 3, 1e-4, False) == 2


def test_after_a_long_search_the_last_unmet_level_goes() -> None:
    # What the last one wants makes those above drift by a little more than the tolerance.
    now = sought(2e-4, 3e-4, 0.04, 0.03)
    assert level_to_give_up(now, 4, 1e-4, False) == 4
    assert level_to_give_up(now, 4, 1e-4, True) == 3
    now.worst[3] = 0.0
    assert level_to_give_up(now, 4, 1e-4, True) == 2
    now.predicted_best[0] = now.error[0]
    assert level_to_give_up(now, 4, 1e-4, True) == 0, "one that is stuck is the one"


def reached(goal: tuple[float, ...], start: list[float], begin: int) -> tuple[float, int, int]:
    """How far the tip of a chain stays off (m), the iterations, and the postures that were tried.

    Begun `COLD` a search may go on from elsewhere, begun `CALM` it may not.
    """
    chain = poise.chain(len(start), length=0.3, limit=1.0)
    problem = pack(chain, chain.rest(), [Wish("reach", Position("tip", goal), 1)])
    problem.scratch["is_calm"] = begin == CALM
    outcome = lex.solve(
        problem, np.array(start), tolerance=1e-5, max_iterations=200, max_seconds=None
    )
    counts = problem.scratch["lex"].memory.counts
    return float(problem.levels(outcome.residual)[0]), outcome.iterations, int(counts.trials)


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        ((0.1, 0.0, -1.93), [0.25, -0.22, -0.01, 0.48]),
        ((0.89, 0.0, -2.04), [-0.05, -0.13, -0.39, -0.3]),
        ((1.82, 0.0, 2.76), [-0.36, 0.1, 0.32, -0.31]),
    ],
)
def test_a_goal_far_beyond_reach_is_not_searched_for_from_elsewhere(
    goal: tuple[float, ...], start: list[float]
) -> None:
    left, iterations, trials = reached(goal, start, COLD)
    assert left > 0.7
    assert trials > 0, "it was searched for where it began"
    assert (left, iterations, trials) == reached(goal, start, CALM)


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        ((0.715, 0.0, -0.739), [0.715, -0.933, 0.459, -0.649]),
        ((0.945, 0.0, 0.172), [-0.42, 0.629, -0.821, 0.825]),
        ((0.747, 0.0, -0.405), [0.772, -0.395, -0.896, 0.817]),
    ],
)
def test_a_goal_near_a_local_minimum_is_found_from_elsewhere(
    goal: tuple[float, ...], start: list[float]
) -> None:
    cold, calm = reached(goal, start, COLD), reached(goal, start, CALM)
    assert cold[0] < 1e-5
    assert 0.05 < calm[0] < 0.3
    assert cold[2] > calm[2]
