"""The book-keeping of the lexicographic solver: how large each level is, and who says no.

Levels may drift a little as others move, since the next step mends that to second order: a level
decides on a step only when it is outside its *funnel*, which narrows from step to step. The first
level outside that should become smaller decides, by what it gained of what was promised. When it
says no, the levels below it are held back first: the step taken is Σ t_k (u_k − u_{k−1}) over the
ladder u_1, u_2, … of the inner step, with 1 ≥ t_1 ≥ t_2 ≥ … > 0, each t_k as large as the level's
radius of trust allows. It is a mean of the rungs and of zero, so it keeps what they keep.
"""

from poise.kernel.arrays import Floats, Floats2
from poise.kernel.compiling import compiled, entry
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.sizes import error

(
    SIZE, WORST, AHEAD, AFTER, FULL, WIDTH, DAMPING, RADIUS, LENGTH, SHARE, BEHIND, AT_REST,
    REFERENCE, GROWN, KEPT, LEAST, TRUST, CRAWLED, LOST, MISSED, KEPT_MISSED, LEAST_MISSED, HOPED,
    ROW_LENGTH,
) = range(24)  # fmt: skip
"""Rows of `lex.Memory.level`: the size of each level now and the worst error of its tasks; its
size as predicted, after the trial, and as predicted for the whole ladder; its funnel, damping and
radius; the length of its rung and the share of it that is taken; for how many steps it has stayed
behind; whether it has come to rest, its size when it had, and how far it had grown where the last
Newton step began; its size in the best posture that was given up, and the least where all came to
rest; the radius of its Newton steps, and how many of them in a row have gained little; the worst
error of its tasks that were met when it came to rest; how many of its tasks are unmet, and were in
those two best postures; its worst error when it was last hoped that it can be met; the length of
its longest row. The last column is that of the criteria."""

DRIFT, MOST_DRIFT = 0.5, 0.06
"""A step of a length s may make solved levels drift by DRIFT s², but not by more (m)."""

FUNNEL, NARROWER = 0.3, 0.7
"""The width of a funnel to begin with (m) and how it narrows with every step."""

LONGEST = 1.5
"""The greatest radius of trust (rad)."""

DAMPED = 0.1
"""The damping c_k to begin with."""

TRUSTED, CAUTIOUS = 0.6, 0.08
"""The radius of Newton steps to begin with, over all coordinates (rad); and near the end of the
last solve, lest a minimum near by is passed over."""

REACH = 2.0
"""A level moves by no more than its longest row (m/rad) times this (rad)."""

STAYS = 0.8
"""A level of which a step leaves more than this share stays behind."""

FAR = 0.02
"""A level with a task this far off keeps those below it from being judged (m)."""

UNMOVABLE = 0.7
"""A level of whose size a linear step would leave more than this share is unmet."""

LITTLE = 1e-3
"""A level is at rest if a motion of TRUSTED, or as far as steps have not failed, would lower it by
no more than this share of itself."""

UNMOVED = 1e-4
"""A level at rest may grow by this share."""

FINE = 0.1
"""A level is not moved to lower it by less than this share of the tolerance."""

HOPE, CLOSER = 0.2, 0.5
"""A level that could not be met is sought again when its worst error (m) has fallen below a half of
this, and below a half of what it was then, and so on."""


@compiled
def note_met(block, factors, starts, inequality, residual, k, enough, met):
    """Note which tasks of level k, that comes to rest, are met: they must stay so.

    A far goal outweighs them in the size of their level, which would hardly grow by their errors.
    """
    for b in range(block.shape[0] - 1):
        if starts[k] <= block[b, ROW] < starts[k + 1]:
            met[b] = error(block, factors, inequality, residual, b) <= enough


@compiled
def lost(block, factors, starts, inequality, residual, met, level):
    """Fill LOST of every level at rest: the greatest error of tasks that were met then."""
    k = 0
    for j in range(starts.size - 1):
        level[LOST, j] = 0.0
    for b in range(block.shape[0] - 1):
        while block[b, ROW] >= starts[k + 1]:
            k += 1
        if level[AT_REST, k] > 0.0 and met[b]:
            e = error(block, factors, inequality, residual, b)
            level[LOST, k] = max(level[LOST, k], e)


@entry
def prepare(level: Floats2, warm: bool) -> None:
    """Set out with wide funnels and full radii, or warm, with narrower ones and what was known."""
    for k in range(level.shape[1]):
        level[WIDTH, k] = 0.1 * FUNNEL if warm else FUNNEL
        level[RADIUS, k] = 0.1 if warm else 0.8
        level[BEHIND, k], level[AT_REST, k], level[CRAWLED, k] = 0.0, 0.0, 0.0
        level[LOST, k], level[HOPED, k] = 0.0, HOPE
        level[TRUST, k] = CAUTIOUS if warm else TRUSTED
        if not warm:
            level[DAMPING, k] = DAMPED


@entry
def resume(level: Floats2, first: int) -> None:
    """Let the levels from the first on be lowered again, as by a solve that starts here.

    What is at rest above is so as it is now, and may grow again by as much.
    """
    for k in range(level.shape[1]):
        level[TRUST, k], level[CRAWLED, k], level[HOPED, k] = TRUSTED, 0.0, HOPE
        if k < first:
            level[REFERENCE, k] = level[SIZE, k]
        else:
            level[AT_REST, k] = 0.0


@entry
def begin_search(level: Floats2, first: int, q: Floats, origin: Floats, trust: float) -> None:
    """Let a search for the levels from the first on begin here: nothing of them is known."""
    for i in range(q.size):
        origin[i] = q[i]
    for k in range(first, level.shape[1]):
        level[WIDTH, k], level[RADIUS, k], level[DAMPING, k] = FUNNEL, 0.8, DAMPED
        level[BEHIND, k], level[CRAWLED, k], level[TRUST, k] = 0.0, 0.0, trust


@entry
def climb(ladder: Floats2, level: Floats2, scale: Floats, last: int, move: Floats) -> None:
    """Share the ladder's rungs by their radii and add them up to `move`, unscaled."""
    n, share = scale.size, 1.0
    for i in range(n):
        move[i] = 0.0
    for k in range(last):
        length = 0.0
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            length = max(length, abs(d * scale[i]))
        if length * share > level[RADIUS, k]:
            share = level[RADIUS, k] / length
        for i in range(n):
            d = ladder[k, i] - (ladder[k - 1, i] if k > 0 else 0.0)
            move[i] += share * d * scale[i]
        level[LENGTH, k], level[SHARE, k] = length, share


@entry
def objector(level: Floats2, depth: int, longest: float, tolerance: float) -> int:
    """The level that rejects a trial, −1 if none does. What levels above do is not its business."""
    drift = min(DRIFT * longest * longest, MOST_DRIFT)
    for k in range(depth):
        if k > 0:
            below = 0.0
            for j in range(k, level.shape[1]):
                below = max(below, level[SHARE, j] * level[LENGTH, j])
            if below < 0.05 * longest:
                break
        size, ahead, after = level[SIZE, k], level[AHEAD, k], level[AFTER, k]
        width = max(level[WIDTH, k], drift)
        if max(size, after) <= width:
            continue
        gain, real = size * size - ahead * ahead, size * size - after * after
        if gain > max(1e-3 * size * size * level[SHARE, k], 0.01 * tolerance * tolerance):
            return k if real < 0.05 * gain else -1
        if not after <= max(size, ahead) * (1.0 + 1e-4) + width:
            return k
    return -1


@entry
def hold_back(level: Floats2, who: int, longest: float) -> None:
    """Shorten the rungs below the objecting level, or else its own too."""
    below = 0.0
    for j in range(who + 1, level.shape[1]):
        below = max(below, level[SHARE, j] * level[LENGTH, j])
    if below > 0.05 * longest:
        for j in range(who + 1, level.shape[1]):
            level[RADIUS, j] = min(level[RADIUS, j], 0.2 * below)
        return
    own = level[SHARE, who] * level[LENGTH, who]
    for j in range(who, level.shape[1]):
        level[RADIUS, j] = min(level[RADIUS, j], 0.3 * own)


@entry
def adapt(level: Floats2, depth: int, longest: float, tolerance: float) -> None:
    """After an accepted step: new funnels, radii and damping, and which levels stay behind."""
    drift = min(DRIFT * longest * longest, MOST_DRIFT)
    for k in range(depth):
        size, ahead, after = level[SIZE, k], level[AHEAD, k], level[AFTER, k]
        share, length = level[SHARE, k], level[LENGTH, k]
        gain, real = size * size - ahead * ahead, size * size - after * after
        decides = gain > 1e-3 * size * size * share and size > max(level[WIDTH, k], drift)
        if decides and real < 0.3 * gain:
            level[RADIUS, k] = max(0.5 * min(level[RADIUS, k], share * length), 1e-3)
            level[DAMPING, k] = min(2.0 * level[DAMPING, k], 10.0)
        elif not decides or real > 0.7 * gain:
            level[RADIUS, k] = min(1.6 * level[RADIUS, k], LONGEST)
            level[DAMPING, k] *= 0.7
        behind = level[WORST, k] > tolerance and after > STAYS * size
        behind &= size > max(level[WIDTH, k], drift)
        level[BEHIND, k] = level[BEHIND, k] + 1.0 if behind else 0.0
        level[WIDTH, k] = max(NARROWER * level[WIDTH, k], 20.0 * tolerance)


@entry
def first_unmet(level: Floats2, depth: int, tolerance: float, impatient: bool) -> int:
    """The level before `depth` to go without: the first that linear steps don't bring down.

    `depth` if there is none. As long as a level above is far off, what a level could gain means
    nothing. When the search has been long enough and none is stuck, it is the last that is not met:
    that makes those above drift.
    """
    last = depth
    for k in range(depth):
        if level[AT_REST, k] == 0.0 and level[WORST, k] > tolerance:
            if level[BEHIND, k] >= 2.0 or level[FULL, k] > UNMOVABLE * level[SIZE, k]:
                return k
            if impatient:
                last = k
            elif level[WORST, k] > FAR:
                break
    return last


@entry
def is_off(level: Floats2, depth: int, tolerance: float) -> bool:
    """Whether a level before `depth` that is not at rest is unmet."""
    off = False
    for k in range(depth):
        off |= level[AT_REST, k] == 0.0 and not level[WORST, k] <= tolerance
    return off


@entry
def rests_below(level: Floats2, k: int) -> bool:
    """Whether a level after k, or the criteria, is at rest."""
    rests = False
    for j in range(k + 1, level.shape[1]):
        rests |= level[AT_REST, j] > 0.0
    return rests


@entry
def may_stray(level: Floats2, who: int) -> bool:
    """Whether a level, not the criteria, may leave those above off: if none is at rest, nor itself.

    What is lowered has nothing above it but what was met or at rest, so that all of it can be met.
    """
    may = who < level.shape[1] - 1
    for k in range(who + 1):
        may &= level[AT_REST, k] == 0.0
    return may


@entry
def most_off(level: Floats2, depth: int) -> float:
    """The worst error of any task in the levels before `depth`."""
    most = 0.0
    for k in range(depth):
        most = max(most, level[WORST, k])
    return most


@entry
def growth(level: Floats2, k: int, tolerance: float) -> float:
    """How far a level has grown since it came to rest: 1 is as far as it may."""
    room = max(UNMOVED * within_reach(level, k, level[REFERENCE, k]), FINE * tolerance)
    return (level[SIZE, k] - level[REFERENCE, k]) / room


@entry
def has_grown(level: Floats2, depth: int, share: float, tolerance: float) -> bool:
    """Whether a level before `depth` that is at rest has grown in a step by more than a share.

    A share of what it still could: a step that begins with a level that has grown need not bring
    back what others have left.
    """
    grown = False
    for k in range(depth):
        began = min(max(level[GROWN, k], 0.0), 1.0)
        most = 1.0 - (1.0 - share) * (1.0 - began)
        grown |= level[AT_REST, k] > 0.0 and growth(level, k, tolerance) > most
    return grown


@compiled
def has_lost(level, depth, tolerance):
    """Whether a task that was met in a level before `depth`, now at rest, no longer is."""
    gone = False
    for k in range(depth):
        gone |= level[AT_REST, k] > 0.0 and level[LOST, k] > tolerance
    return gone


@entry
def within_reach(level: Floats2, k: int, size: float) -> float:
    """A size, or what the level could move at all if that is less: of this shares are taken.

    Of a goal a kilometre away a thousandth is more than a figure can do about it.
    """
    return min(size, REACH * level[ROW_LENGTH, k])


@compiled
def next_unmet(level, first, tolerance):
    """The next level from the first on that is neither met nor at rest; L if there is none."""
    k = first
    while k < level.shape[1] - 1 and (level[WORST, k] <= tolerance or level[AT_REST, k] > 0.0):
        k += 1
    return k


@entry
def are_lower(
    sizes: Floats,
    missed: Floats,
    others: Floats,
    others_missed: Floats,
    levels: int,
    tolerance: float,
) -> bool:
    """Whether levels are lexicographically lower than others, by more than a little.

    What is met is met: below the tolerance they are the same. Where a level is as low, fewer of its
    tasks may be unmet: a far goal hides the others.
    """
    for k in range(levels):
        size, other = max(sizes[k], tolerance), max(others[k], tolerance)
        if not abs(size - other) <= LITTLE * min(size, other):
            return size < other
        if missed[k] != others_missed[k]:
            return missed[k] < others_missed[k]
    return False


@entry
def is_best(level: Floats2, levels: int, tolerance: float) -> bool:
    """Whether the sizes now are lower than KEPT, whose place they then take."""
    best = are_lower(level[SIZE], level[MISSED], level[KEPT], level[KEPT_MISSED], levels, tolerance)
    for k in range(levels if best else 0):
        level[KEPT, k], level[KEPT_MISSED, k] = level[SIZE, k], level[MISSED, k]
    return best


@entry
def note_least(level: Floats2, levels: int, tolerance: float) -> None:
    """Let the sizes now, which are lower than LEAST, take its place.

    Levels above the one that decides stay as low as they were: they may be higher by a little, and
    from one time to the next that would add up.
    """
    same = True
    for k in range(levels):
        size, least = max(level[SIZE, k], tolerance), max(level[LEAST, k], tolerance)
        same &= abs(size - least) <= LITTLE * min(size, least)
        same &= level[MISSED, k] == level[LEAST_MISSED, k]
        level[LEAST, k] = min(level[SIZE, k], level[LEAST, k]) if same else level[SIZE, k]
        level[LEAST_MISSED, k] = level[MISSED, k]
