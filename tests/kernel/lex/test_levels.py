"""Who has grown, who is off, and what a step need not bring back."""

import numpy as np

from poise.kernel.lex.levels import (
    AT_REST,
    BEHIND,
    CRAWLED,
    FAR,
    FINE,
    FULL,
    GROWN,
    KEPT,
    LEAST,
    LEAST_MISSED,
    MISSED,
    REFERENCE,
    ROW_LENGTH,
    SIZE,
    TRUST,
    TRUSTED,
    UNMOVED,
    WORST,
    are_lower,
    first_unmet,
    growth,
    has_grown,
    is_best,
    may_stray,
    most_off,
    note_least,
    rests_below,
    resume,
)


def level(size: float, grown: float, began: float = 0.0, longest: float = 1.0) -> np.ndarray:
    """A level at rest, and the criteria; it has grown by so much of what it may, first and now."""
    made = np.zeros((ROW_LENGTH + 1, 2))
    made[AT_REST, 0], made[REFERENCE, 0], made[ROW_LENGTH, 0] = 1.0, size, longest
    made[GROWN, 0], made[SIZE, 0] = began, size + grown * UNMOVED * min(size, 2.0 * longest)
    return made


def test_growth_is_measured_by_what_a_level_may_and_by_the_tolerance_at_least() -> None:
    assert np.isclose(growth(level(0.5, 0.7), 0, 1e-4), 0.7)
    assert np.isclose(growth(level(50.0, 0.7), 0, 1e-4), 0.7), "by its reach, where that is less"
    small = level(1e-3, 0.0)
    small[SIZE, 0] += 0.5 * FINE * 1e-4
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
    now[AT_REST, 0] = 0.0
    assert not has_grown(now, 1, 0.5, 1e-4)


def test_what_is_lower_by_a_little_each_time_does_not_go_round_in_a_circle() -> None:
    now, lower = np.zeros((ROW_LENGTH + 1, 3)), []
    now[LEAST, :2], now[LEAST_MISSED, :2], now[MISSED, :2] = np.inf, 2.0, 1.0
    # Each is as good as the one before in the first level, nearly, and lower in the second.
    for sizes in ((1.0, 1.0), (1.0009, 0.95), (1.0018, 0.90), (1.0, 0.99), (0.9985, 2.0)):
        now[SIZE, :2] = sizes
        lower.append(
            bool(are_lower(now[SIZE], now[MISSED], now[LEAST], now[LEAST_MISSED], 2, 1e-4))
        )
        if lower[-1]:
            note_least(now, 2, 1e-4)
    assert lower == [True, True, False, False, True]
    assert now[LEAST, :2].tolist() == [0.9985, 2.0]


def test_a_level_may_stray_from_those_above_as_long_as_none_of_them_is_at_rest() -> None:
    made = np.zeros((ROW_LENGTH + 1, 4))
    assert may_stray(made, 0)
    assert may_stray(made, 2)
    assert not may_stray(made, 3), "criteria don't"
    made[AT_REST, 1] = 1.0
    assert not may_stray(made, 1), "nor what is at rest itself"
    assert not may_stray(made, 2)
    assert rests_below(made, 0)
    assert not rests_below(made, 1)
    made[WORST] = 0.1, 0.3, 0.2, 0.0
    assert most_off(made, 0) == 0.0
    assert most_off(made, 1) == 0.1
    assert most_off(made, 3) == 0.3


def test_the_best_that_was_given_up_is_kept() -> None:
    made = np.zeros((ROW_LENGTH + 1, 3))
    made[KEPT] = np.inf
    made[SIZE] = 0.0, 0.5, 0.0
    assert is_best(made, 2, 1e-4)
    assert not is_best(made, 2, 1e-4)
    made[SIZE] = 0.01, 0.3, 0.0
    assert not is_best(made, 2, 1e-4), "the first level decides"
    made[SIZE] = 0.0, 0.4, 0.0
    assert is_best(made, 2, 1e-4)
    np.testing.assert_array_equal(made[KEPT, :2], [0.0, 0.4])


def sought(*errors: float) -> np.ndarray:
    """Levels that are off by so much, of which a linear step would leave nothing."""
    made = np.zeros((ROW_LENGTH + 1, len(errors) + 1))
    made[SIZE, :-1] = made[WORST, :-1] = errors
    return made


def test_the_first_level_that_a_linear_step_does_not_bring_down_is_unmet() -> None:
    now = sought(0.0, 0.01, 0.5)
    assert first_unmet(now, 3, 1e-4, False) == 3, "none is"
    now[FULL, 2] = 0.4
    assert first_unmet(now, 3, 1e-4, False) == 2
    now[WORST, 1] = 1.1 * FAR
    assert first_unmet(now, 3, 1e-4, False) == 3, "not to be told as long as one above is far off"
    now[BEHIND, 1] = 2.0
    assert first_unmet(now, 3, 1e-4, False) == 1
    now[AT_REST, 1] = 1.0
    assert first_unmet(now, 3, 1e-4, False) == 2


def test_after_a_long_search_the_last_unmet_level_goes() -> None:
    # What the last one wants makes those above drift by a little more than the tolerance.
    now = sought(2e-4, 3e-4, 0.04, 0.03)
    assert first_unmet(now, 4, 1e-4, False) == 4
    assert first_unmet(now, 4, 1e-4, True) == 3
    now[WORST, 3] = 0.0
    assert first_unmet(now, 4, 1e-4, True) == 2
    now[FULL, 0] = now[SIZE, 0]
    assert first_unmet(now, 4, 1e-4, True) == 0, "one that is stuck is the one"


def test_levels_are_lowered_again_from_one_on_while_others_rest_where_they_are() -> None:
    now = sought(0.1, 0.2, 0.3)
    now[AT_REST], now[REFERENCE], now[TRUST], now[CRAWLED] = 1.0, 0.09, 1e-3, 2.0
    resume(now, 1)
    assert now[AT_REST].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert now[REFERENCE, 0] == 0.1, "it may grow again"
    assert (now[TRUST] == TRUSTED).all()
    assert (now[CRAWLED] == 0.0).all()
