"""When a Newton step is judged, and what follows from it."""

import numpy as np
import pytest

from poise.kernel.lex.judging import (
    ACCEPTED,
    REJECTED,
    UNDECIDED,
    count_slow_steps,
    judge_charged,
    judge_restored,
    update_radius,
)
from poise.kernel.lex.levels import Levels, make_levels
from poise.kernel.lex.memory import Lowering
from poise.kernel.lex.settings import SETTINGS

TOLERANCE = 1e-4


def levels() -> Levels:
    """One that is met, one at rest, the one that is lowered; and the criteria."""
    made = make_levels(3)
    made.at_rest[1], made.rest_error[1], made.error[1] = 1.0, 0.5, 0.5
    made.error[2], made.newton_radius[2], made.row_length[:] = 0.8, 0.6, 1.0
    return made


def test_a_step_that_keeps_its_promise_is_good_and_one_that_does_not_is_bad() -> None:
    assert judge_restored(levels(), 2, 1.1 * SETTINGS.fails, 1.0, 0, TOLERANCE) == ACCEPTED
    assert judge_restored(levels(), 2, 0.9 * SETTINGS.fails, 1.0, 0, TOLERANCE) == REJECTED
    assert judge_restored(levels(), 2, 0.9 * SETTINGS.fails, 1.0, 1, TOLERANCE) == REJECTED
    assert judge_restored(levels(), 2, SETTINGS.fails, 1.0, 0, TOLERANCE) == REJECTED


def test_a_step_need_not_bring_back_what_had_grown_before_it() -> None:
    now = levels()
    now.error[1] = 0.5 * (1.0 + 0.85 * SETTINGS.unmoved)
    assert judge_restored(now, 2, 1.0, 1.0, 0, TOLERANCE) == UNDECIDED
    now.growth_before[1] = 0.8
    assert judge_restored(now, 2, 1.0, 1.0, 0, TOLERANCE) == ACCEPTED


@pytest.mark.parametrize(
    ("field", "column", "slight", "much"),
    [
        ("worst", 0, 0.7 * TOLERANCE, 1.1 * TOLERANCE),
        ("lost", 1, 0.7 * TOLERANCE, 1.1 * TOLERANCE),
        ("error", 1, 0.5 * (1.0 + 0.7 * SETTINGS.unmoved), 0.5 * (1.0 + 1.1 * SETTINGS.unmoved)),
    ],
)
def test_what_is_above_is_brought_back_as_long_as_that_may_help(
    field: str, column: int, slight: float, much: float
) -> None:
    for value, at_last in ((slight, ACCEPTED), (much, REJECTED)):
        now = levels()
        getattr(now, field)[column] = value
        assert judge_restored(now, 2, 1.0, 1.0, 0, TOLERANCE) == UNDECIDED
        assert judge_restored(now, 2, 1.0, 1.0, SETTINGS.restorations - 1, TOLERANCE) == UNDECIDED
        assert judge_restored(now, 2, 1.0, 1.0, SETTINGS.restorations, TOLERANCE) == at_last
        # It may still gain by what restores the others.
        assert judge_restored(now, 2, -2.0, 1.0, 0, TOLERANCE) == UNDECIDED
        assert judge_restored(now, 2, 0.9 * SETTINGS.fails, 1.0, 1, TOLERANCE) == REJECTED


def astray(off: float) -> Levels:
    """Two levels that can be met, one of them off by so much, above the one that is lowered."""
    made = levels()
    made.at_rest[1], made.worst[0], made.worst[1] = 0.0, 0.3 * off, off
    return made


def charged(
    now: Levels, gained: float, cost: float, predicted: float, negligible: float, before: float
) -> int:
    """The judgement of a step of the third level."""
    lowering = Lowering()
    lowering.predicted_decrease, lowering.negligible = predicted, negligible
    lowering.off_before = before
    return judge_charged(now, lowering, 2, gained, cost, TOLERANCE)


@pytest.mark.parametrize(
    ("gained", "cost", "off", "judged"),
    [
        (1.0, 0.0, 0.0, ACCEPTED),
        (1.0, 0.5, 0.9 * SETTINGS.most_off, ACCEPTED),
        (1.0, -0.5, 1.1 * SETTINGS.most_off, REJECTED),  # too far off
        (0.9 * SETTINGS.fails, 0.0, 0.0, REJECTED),
        (0.9 * SETTINGS.fails, -0.2, 0.01, ACCEPTED),  # to mend the levels above will lower it
        (1.0, 1.0, 0.01, UNDECIDED),  # what it costs to mend them is to be seen
        (0.9 * SETTINGS.fails, 0.1, 0.01, REJECTED),
        (np.nan, 0.0, 0.0, REJECTED),
        (1.0, 0.0, np.nan, REJECTED),
    ],
)
def test_levels_above_that_are_off_are_charged_by_what_it_costs_to_mend_them(
    gained: float, cost: float, off: float, judged: int
) -> None:
    assert charged(astray(off), gained, cost, 1.0, 0.01, 0.02) == judged
    # Where nothing was off before, it is judged by its promise however little that is.
    assert charged(astray(off), gained, cost, 1.0, 2.0, 0.0) == judged


def test_what_is_little_more_than_a_way_back_must_lead_there() -> None:
    least, before = 0.01, 0.02
    for promise in (0.5 * least, -0.1):
        cheap, dear = (
            promise - 0.9 * SETTINGS.cost_of_restoring * least,
            promise - 1.1 * SETTINGS.cost_of_restoring * least,
        )
        for gained, off, judged in (
            (cheap, 0.4 * before, ACCEPTED),
            (cheap, 0.6 * before, REJECTED),
            (dear, 0.4 * before, REJECTED),
        ):
            now = astray(off)
            assert charged(now, gained, 0.0, promise, least, before) == judged
    # Where nothing was off, a step that loses is none to be taken.
    assert charged(astray(0.0), -1e-4, 0.0, 5e-3, least, 0.0) == REJECTED


def test_trust_follows_what_a_step_has_kept_of_its_promise() -> None:
    for gained, length, trust in (
        (0.2, 0.5, SETTINGS.radius_shrinks * 0.5),  # too little
        (0.5, 0.6, 0.6),
        (0.9, 0.6, SETTINGS.radius_widens * 0.6),
        (0.9, 0.3, 0.6),  # it went as far as it would
    ):
        now = levels()
        update_radius(now, 2, gained, 1.0, length)
        assert now.newton_radius[2] == pytest.approx(trust)
    now = levels()
    now.newton_radius[2] = SETTINGS.largest_radius
    update_radius(now, 2, 1.0, 1.0, SETTINGS.largest_radius)
    assert now.newton_radius[2] == SETTINGS.largest_radius


def test_steps_that_gain_little_in_a_row_are_counted() -> None:
    now = levels()
    little = 0.5 * SETTINGS.negligible * now.error[2] ** 2
    assert not count_slow_steps(now, 2, 0.9 * little, SETTINGS.negligible, TOLERANCE)
    assert not count_slow_steps(now, 2, 0.9 * little, SETTINGS.negligible, TOLERANCE)
    assert now.slow_steps[2] == 2
    assert count_slow_steps(now, 2, 1.1 * little, SETTINGS.negligible, TOLERANCE)
    assert now.slow_steps[2] == 0


@pytest.mark.parametrize(
    ("who", "longest", "size", "least"),
    [
        (2, 1.0, 0.8, 0.5 * SETTINGS.negligible * 0.8),
        (2, 0.1, 0.8, 0.5 * SETTINGS.negligible * 0.2),  # of what it could move at all
        (2, 1.0, 1e-3, SETTINGS.fine * TOLERANCE),
        (3, 0.0, 0.8, 0.5 * SETTINGS.negligible * 0.8),  # criteria have no rows
    ],
)
def test_what_is_little_depends_on_size_reach_and_tolerance(
    who: int, longest: float, size: float, least: float
) -> None:
    for share, much in ((0.9, False), (1.1, True)):
        now = levels()
        now.row_length[who], now.error[who] = longest, size
        gained = share * least * size
        assert count_slow_steps(now, who, gained, SETTINGS.negligible, TOLERANCE) == much
