"""When a Newton step is judged, and what follows from it."""

import numpy as np
import pytest

from poise.kernel.lex.levels import (
    AT_REST,
    CRAWLED,
    FINE,
    GROWN,
    LITTLE,
    LOST,
    REFERENCE,
    ROW_LENGTH,
    SIZE,
    TRUST,
    UNMOVED,
    WORST,
)
from poise.kernel.lex.verdict import (
    ASTRAY,
    BAD,
    FAILS,
    GOOD,
    HOPELESS,
    LOSSES,
    MOST_TRUST,
    OPEN,
    RETURNS,
    WIDENS,
    note_gain,
    trust_again,
    verdict,
    verdict_astray,
)

TOLERANCE = 1e-4


def levels() -> np.ndarray:
    """One that is met, one at rest, the one that is lowered; and the criteria."""
    made = np.zeros((ROW_LENGTH + 1, 4))
    made[AT_REST, 1], made[REFERENCE, 1], made[SIZE, 1] = 1.0, 0.5, 0.5
    made[SIZE, 2], made[TRUST, 2], made[ROW_LENGTH] = 0.8, 0.6, 1.0
    return made


def test_a_step_that_keeps_its_promise_is_good_and_one_that_does_not_is_bad() -> None:
    assert verdict(levels(), 2, 1.1 * FAILS, 1.0, 0, TOLERANCE) == GOOD
    assert verdict(levels(), 2, 0.9 * FAILS, 1.0, 0, TOLERANCE) == BAD
    assert verdict(levels(), 2, 0.9 * FAILS, 1.0, 1, TOLERANCE) == BAD
    assert verdict(levels(), 2, FAILS, 1.0, 0, TOLERANCE) == BAD


def test_a_step_need_not_bring_back_what_had_grown_before_it() -> None:
    now = levels()
    now[SIZE, 1] = 0.5 * (1.0 + 0.85 * UNMOVED)
    assert verdict(now, 2, 1.0, 1.0, 0, TOLERANCE) == OPEN
    now[GROWN, 1] = 0.8
    assert verdict(now, 2, 1.0, 1.0, 0, TOLERANCE) == GOOD


@pytest.mark.parametrize(
    ("row", "column", "slight", "much"),
    [
        (WORST, 0, 0.7 * TOLERANCE, 1.1 * TOLERANCE),
        (LOST, 1, 0.7 * TOLERANCE, 1.1 * TOLERANCE),
        (SIZE, 1, 0.5 * (1.0 + 0.7 * UNMOVED), 0.5 * (1.0 + 1.1 * UNMOVED)),
    ],
)
def test_what_is_above_is_brought_back_as_long_as_that_may_help(
    row: int, column: int, slight: float, much: float
) -> None:
    for value, at_last in ((slight, GOOD), (much, BAD)):
        now = levels()
        now[row, column] = value
        assert verdict(now, 2, 1.0, 1.0, 0, TOLERANCE) == OPEN
        assert verdict(now, 2, 1.0, 1.0, RETURNS - 1, TOLERANCE) == OPEN
        assert verdict(now, 2, 1.0, 1.0, RETURNS, TOLERANCE) == at_last
        # It may still gain by what brings others back, but not from too far behind.
        assert verdict(now, 2, 0.9 * HOPELESS, 1.0, 0, TOLERANCE) == OPEN
        assert verdict(now, 2, 1.1 * HOPELESS, 1.0, 0, TOLERANCE) == BAD
        assert verdict(now, 2, 0.9 * FAILS, 1.0, 1, TOLERANCE) == BAD


def astray(off: float) -> np.ndarray:
    """Two levels that can be met, one of them off by so much, above the one that is lowered."""
    made = levels()
    made[AT_REST, 1], made[WORST, 0], made[WORST, 1] = 0.0, 0.3 * off, off
    return made


@pytest.mark.parametrize(
    ("gained", "toll", "off", "judged"),
    [
        (1.0, 0.0, 0.0, GOOD),
        (1.0, 0.5, 0.9 * ASTRAY, GOOD),
        (1.0, -0.5, 1.1 * ASTRAY, BAD),  # too far off
        (0.9 * FAILS, 0.0, 0.0, BAD),
        (0.9 * FAILS, -0.2, 0.01, GOOD),  # to mend the levels above will lower it
        (1.0, 1.0, 0.01, OPEN),  # what it costs to mend them is to be seen
        (0.9 * FAILS, 0.1, 0.01, BAD),
        (np.nan, 0.0, 0.0, BAD),
        (1.0, 0.0, np.nan, BAD),
    ],
)
def test_levels_above_that_are_off_are_charged_by_what_it_costs_to_mend_them(
    gained: float, toll: float, off: float, judged: int
) -> None:
    assert verdict_astray(astray(off), 2, gained, toll, 1.0, 0.01, 0.02, TOLERANCE) == judged
    # Where nothing was off before, it is judged by its promise however little that is.
    assert verdict_astray(astray(off), 2, gained, toll, 1.0, 2.0, 0.0, TOLERANCE) == judged


def test_what_is_little_more_than_a_way_back_must_lead_there() -> None:
    least, before = 0.01, 0.02
    for promise in (0.5 * least, -0.1):
        cheap, dear = promise - 0.9 * LOSSES * least, promise - 1.1 * LOSSES * least
        for gained, off, judged in (
            (cheap, 0.4 * before, GOOD),
            (cheap, 0.6 * before, BAD),
            (dear, 0.4 * before, BAD),
        ):
            now = astray(off)
            assert verdict_astray(now, 2, gained, 0.0, promise, least, before, TOLERANCE) == judged
    # Where nothing was off, a step that loses is none to be taken.
    assert verdict_astray(astray(0.0), 2, -1e-4, 0.0, 5e-3, least, 0.0, TOLERANCE) == BAD


def test_trust_follows_what_a_step_has_kept_of_its_promise() -> None:
    for gained, length, trust in (
        (0.2, 0.5, 0.4 * 0.5),  # too little
        (0.5, 0.6, 0.6),
        (0.9, 0.6, WIDENS * 0.6),
        (0.9, 0.3, 0.6),  # it went as far as it would
    ):
        now = levels()
        trust_again(now, 2, gained, 1.0, length)
        assert now[TRUST, 2] == pytest.approx(trust)
    now = levels()
    now[TRUST, 2] = MOST_TRUST
    trust_again(now, 2, 1.0, 1.0, MOST_TRUST)
    assert now[TRUST, 2] == MOST_TRUST


def test_steps_that_gain_little_in_a_row_are_counted() -> None:
    now = levels()
    little = 0.5 * LITTLE * now[SIZE, 2] ** 2
    assert not note_gain(now, 2, 0.9 * little, TOLERANCE)
    assert not note_gain(now, 2, 0.9 * little, TOLERANCE)
    assert now[CRAWLED, 2] == 2
    assert note_gain(now, 2, 1.1 * little, TOLERANCE)
    assert now[CRAWLED, 2] == 0


@pytest.mark.parametrize(
    ("who", "longest", "size", "least"),
    [
        (2, 1.0, 0.8, 0.5 * LITTLE * 0.8),
        (2, 0.1, 0.8, 0.5 * LITTLE * 0.2),  # of what it could move at all
        (2, 1.0, 1e-3, FINE * TOLERANCE),
        (3, 0.0, 0.8, 0.5 * LITTLE * 0.8),  # criteria have no rows
    ],
)
def test_what_is_little_depends_on_size_reach_and_tolerance(
    who: int, longest: float, size: float, least: float
) -> None:
    for share, much in ((0.9, False), (1.1, True)):
        now = levels()
        now[ROW_LENGTH, who], now[SIZE, who] = longest, size
        assert note_gain(now, who, share * least * size, TOLERANCE) == much
