"""Who has grown, who is off, and what a step need not bring back."""

import numpy as np

from poise.kernel.lex.levels import (
    Levels,
    are_lower,
    growth,
    has_grown,
    is_any_at_rest_below,
    lower_again,
    make_levels,
    may_stray,
    note_if_best,
    note_least,
    worst_before,
)
from poise.kernel.lex.settings import SETTINGS


def level(size: float, grown: float, began: float = 0.0, longest: float = 1.0) -> Levels:
    """A level at rest, and the criteria; it has grown by so much of what it may, first and now."""
    made = make_levels(1)
    made.at_rest[0], made.rest_error[0], made.row_length[0] = 1.0, size, longest
    made.growth_before[0], made.error[0] = (
        began,
        size + grown * SETTINGS.unmoved * min(size, 2.0 * longest),
    )
    return made


def test_growth_is_measured_by_what_a_level_may_and_by_the_tolerance_at_least() -> None:
    assert np.isclose(growth(level(0.5, 0.7), 0, 1e-4), 0.7)
    assert np.isclose(growth(level(50.0, 0.7), 0, 1e-4), 0.7), "by its reach, where that is less"
    small = level(1e-3, 0.0)
    small.error[0] += 0.5 * SETTINGS.fine * 1e-4
    assert np.isclose(growth(small, 0, 1e-4), 0.5)


def test_a_step_brings_back_what_it_has_spent_not_what_others_have() -> None:
    assert not has_grown(level(0.5, 0.4), 1, 0.5, 1e-4)
    assert has_grown(level(0.5, 0.6), 1, 0.5, 1e-4)
    assert not has_grown(level(0.5, 0.85, began=0.8), 1, 0.5, 1e-4)
    assert has_grown(level(0.5, 0.95, began=0.8), 1, 0.5, 1e-4)


def test_what_has_grown_too_far_to_be_good_is_brought_back() -> None:
    for began in (0.0, 0.9, 3.0):
        for grown in (1.01, 1.9, 5.0):
            now = level(0.5, grown, began)
            assert has_grown(now, 1, 1.0, 1e-4)
            assert has_grown(now, 1, 0.5, 1e-4)


def test_what_is_not_at_rest_or_below_has_not_grown() -> None:
    now = level(0.5, 3.0)
    assert not has_grown(now, 0, 0.5, 1e-4)
    now.at_rest[0] = 0.0
    assert not has_grown(now, 1, 0.5, 1e-4)


def test_what_is_lower_by_a_little_each_time_does_not_go_round_in_a_circle() -> None:
    now, lower = make_levels(2), []
    now.least_error[:2], now.least_unmet[:2], now.unmet[:2] = np.inf, 2.0, 1.0
    # Each is as good as the one before in the first level, nearly, and lower in the second.
    for sizes in ((1.0, 1.0), (1.0009, 0.95), (1.0018, 0.90), (1.0, 0.99), (0.9985, 2.0)):
        now.error[:2] = sizes
        lower.append(
            bool(are_lower(now.error, now.unmet, now.least_error, now.least_unmet, 2, 1e-4))
        )
        if lower[-1]:
            note_least(now, 1e-4)
    assert lower == [True, True, False, False, True]
    assert now.least_error[:2].tolist() == [0.9985, 2.0]


def test_a_level_may_stray_from_those_above_as_long_as_none_of_them_is_at_rest() -> None:
    made = make_levels(3)
    assert may_stray(made, 0)
    assert may_stray(made, 2)
    assert not may_stray(made, 3), "criteria don't"
    made.at_rest[1] = 1.0
    assert not may_stray(made, 1), "nor what is at rest itself"
    assert not may_stray(made, 2)
    assert is_any_at_rest_below(made, 0)
    assert not is_any_at_rest_below(made, 1)
    made.worst[:] = 0.1, 0.3, 0.2, 0.0
    assert worst_before(made, 0) == 0.0
    assert worst_before(made, 1) == 0.1
    assert worst_before(made, 3) == 0.3


def test_the_best_that_was_given_up_is_kept() -> None:
    made = make_levels(2)
    made.best_error[:] = np.inf
    made.error[:] = 0.0, 0.5, 0.0
    assert note_if_best(made, 1e-4)
    assert not note_if_best(made, 1e-4)
    made.error[:] = 0.01, 0.3, 0.0
    assert not note_if_best(made, 1e-4), "the first level decides"
    made.error[:] = 0.0, 0.4, 0.0
    assert note_if_best(made, 1e-4)
    np.testing.assert_array_equal(made.best_error[:2], [0.0, 0.4])


def sought(*errors: float) -> Levels:
    """Levels that are off by so much, of which a linear step would leave nothing."""
    made = make_levels(len(errors))
    made.error[:-1] = made.worst[:-1] = errors
    return made


def test_levels_are_lowered_again_from_one_on_while_others_rest_where_they_are() -> None:
    now = sought(0.1, 0.2, 0.3)
    now.at_rest[:], now.rest_error[:] = 1.0, 0.09
    now.newton_radius[:], now.slow_steps[:] = 1e-3, 2.0
    lower_again(now, 1)
    assert now.at_rest.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert now.rest_error[0] == 0.1, "it may grow again"
    assert (now.newton_radius == SETTINGS.newton_radius).all()
    assert (now.slow_steps == 0.0).all()
