"""Whether a Newton step was good, and how far the next one may go.

A step is judged when the levels above are back where they were, or when it is clear that it has
failed, by what the level gained of what was promised. As long as all levels above can be met it may
also be judged at once (`verdict_astray`): what they are off by is charged by their multipliers, and
the next step begins with bringing them back. That one can do so in the way that costs the level
least; the shortest way back from a step as long as a radian often costs more than it has gained.

One that failed is gone less far; one that keeps its promise may be followed by a longer one.
"""

from poise.kernel.arrays import Floats2
from poise.kernel.compiling import entry
from poise.kernel.lex.levels import (
    CRAWLED,
    FINE,
    LITTLE,
    SIZE,
    TRUST,
    has_grown,
    has_lost,
    is_off,
    most_off,
    within_reach,
)

OPEN, GOOD, BAD = range(3)
"""What a step is: not to be judged before more is brought back; taken; not taken."""

RETURNS = 4
"""So many steps may be spent on bringing the levels above back."""

FAILS = 0.1
"""A step that brings no more than this share of its promise has failed."""

ASTRAY = 0.06
"""Farther off no level above may be (m)."""

LOSSES = 6.0
"""What is next to nothing, so many times, a way back may cost more than was thought."""

HOPELESS = -3.0
"""A step that has brought less than this share of its promise before anything was brought back is
not worth that."""

NARROWS, WIDENS, MOST_TRUST = 0.3, 1.5, 6.0
"""How a radius of trust shrinks and grows, and the greatest (rad)."""


@entry
def verdict(
    level: Floats2, who: int, gained: float, promise: float, rounds: int, tolerance: float
) -> int:
    """What a step of a level is that has gained so much, after some rounds of bringing back."""
    hopeless = gained < (FAILS if rounds > 0 else HOPELESS) * promise
    if not hopeless and rounds < RETURNS:
        half = 0.5 * tolerance
        off = is_off(level, who, half) or has_lost(level, who, half)
        if off or has_grown(level, who, 0.5, tolerance):
            return OPEN
    off = is_off(level, who, tolerance) or has_lost(level, who, tolerance)
    if off or has_grown(level, who, 1.0, tolerance) or not gained > FAILS * promise:
        return BAD
    return GOOD


@entry
def verdict_astray(
    level: Floats2,
    who: int,
    gained: float,
    toll: float,
    promise: float,
    least: float,
    before: float,
    tolerance: float,
) -> int:
    """What a step is that may leave the levels above off; all of them can be met.

    The level has gained so much, and it costs the `toll` to mend the levels above, by their
    multipliers. A promise of the `least` is next to nothing. Before it they were off by `before`.
    """
    if is_off(level, who, ASTRAY):
        return BAD
    if promise > least or before <= 0.5 * tolerance:
        if gained - toll > FAILS * promise:
            return GOOD
        # Where the levels above can hardly move, to mend them may cost far less than it seems.
        return OPEN if gained > FAILS * promise else BAD
    # Little more than a way back, which may cost something.
    nearer = most_off(level, who) <= 0.5 * before
    return GOOD if nearer and gained - toll > promise - LOSSES * least else BAD


@entry
def trust_again(level: Floats2, who: int, gained: float, promise: float, length: float) -> None:
    """Let a level trust its model as far as a good step of that length says."""
    if gained < 0.25 * promise:
        level[TRUST, who] = 0.4 * length
    elif gained > 0.7 * promise and length > 0.8 * level[TRUST, who]:
        level[TRUST, who] = min(WIDENS * level[TRUST, who], MOST_TRUST)


@entry
def note_gain(level: Floats2, who: int, gained: float, tolerance: float) -> bool:
    """Count the good steps in a row with which a level crawls; whether this is none of them."""
    size = level[SIZE, who]
    reach = within_reach(level, who, size) if who < level.shape[1] - 1 else size
    crawls = gained < max(0.5 * LITTLE * reach, FINE * tolerance) * size
    level[CRAWLED, who] = level[CRAWLED, who] + 1.0 if crawls else 0.0
    return not crawls
