"""The lexicographic solver: one compiled call from start to rest.

Level k is made as small as possible without making the levels above it worse, with
inequalities at every level; limits and couplings are never broken; criteria come last.

*Seeking.* As long as goals can be met, each pass linearises all residuals and takes the
lexicographic least-squares step of `hierarchy`, which gives not one step but a ladder: the best
for the first level, for the first two, and so on. Level k is damped by its own error,
ρ_k = c_k |e_k| ℓ, since what is neglected is of that order; it vanishes with the error, so that
convergence stays quadratic. How far each rung is climbed, and who may reject a step, is the
business of `levels`.

*Lowering.* A level that its own linear step can't bring down is unmet. All goes back to where the
search began, and the search is repeated without the levels from there on. Then the unmet level is
lowered by itself with the Newton steps of `newton`, in the space that the levels above leave to it,
along which every part turns by itself (`retraction`). After such a step those are brought back
(*returning*) before it is judged (`verdict`), so that the level's error falls from step to step and
nothing above pays for it. In a cold solve, while all levels above can be met, they may also stay a
little off: the next step brings them back on its way, or else *mending* does. A step that fails is
gone less far along the same way (*shortening*). If the level comes near, it is sought again from
there: what looked out of reach may not be. When a motion promises next to nothing, and no task of
the level can be met that a far goal had hidden, the level is at rest; what it needs to stay there
becomes rows, and the levels below are lowered likewise, one after the other. Of a level at rest
what is met stays met. Criteria are lowered last.

So what the levels below want has no influence on an unmet level and those above it: to leave them
out gives the same. And in a cold solve whether a level is at rest depends on the posture only, not
on how it was reached: when all are, each is looked at once more as by a solve that starts there.
The first that would move is lowered again, and those below it; if none would, one more search asks
whether something can be met after all. So a solve that starts where another one ended stays there.
Only what still moves and gains nothing is given up after some repeats, and what stays though its
model promises more has stalled. A warm one, which follows goals that move a little, goes on
cautiously instead, and may take some solves to arrive.
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.body.kinematics import differentiate, place
from poise.kernel.compiling import entry
from poise.kernel.ending import COLD, ITERATIONS, SOLVED, STALLED, STATIONARY, WARM
from poise.kernel.filling import copy
from poise.kernel.hierarchy.arrays import REST, ROUNDS, VALUE
from poise.kernel.hierarchy.step import forget, step
from poise.kernel.lex.arrays import (
    ATTEMPTS,
    BASE,
    BEST,
    CUT,
    FOUND,
    INNER,
    ITERATION,
    MOVE,
    NEXT,
    ORIGIN,
    PREDICTED,
    PUSH,
    RESIDUAL,
    SCALE,
    SOUND,
    TRIAL,
    TRIALS,
    Memory,
)
from poise.kernel.lex.faces import AT_STOP, FORCE, LEFT, anew, face, only_nears
from poise.kernel.lex.faces import STEP as NEWTON_STEP
from poise.kernel.lex.levels import (
    AFTER,
    AT_REST,
    CAUTIOUS,
    CLOSER,
    CRAWLED,
    DAMPING,
    FINE,
    FULL,
    GROWN,
    HOPED,
    KEPT,
    KEPT_MISSED,
    LEAST,
    LEAST_MISSED,
    LENGTH,
    LITTLE,
    MISSED,
    REFERENCE,
    ROW_LENGTH,
    SHARE,
    SIZE,
    TRUST,
    TRUSTED,
    WORST,
    adapt,
    are_lower,
    begin_search,
    climb,
    first_unmet,
    growth,
    hold_back,
    is_best,
    is_off,
    lost,
    may_stray,
    most_off,
    next_unmet,
    note_least,
    note_met,
    objector,
    prepare,
    rests_below,
    resume,
    within_reach,
)
from poise.kernel.lex.newton import descend, extent, shorten, stride, undo
from poise.kernel.lex.resting import ease, restore, restoring_rows, stiff_rows
from poise.kernel.lex.retraction import retract, turning_torques
from poise.kernel.lex.rows import (
    LEVER,
    discomfort,
    predict,
    push,
    scale_of,
    toll,
    write_bounds,
    write_level,
    write_met,
)
from poise.kernel.lex.verdict import (
    BAD,
    GOOD,
    NARROWS,
    OPEN,
    note_gain,
    trust_again,
    verdict,
    verdict_astray,
)
from poise.kernel.limits.bounds import step_within, write_rows
from poise.kernel.limits.curvature import add_bends
from poise.kernel.problem import Problem, spring
from poise.kernel.residuals.blocks import ROW
from poise.kernel.residuals.curvature import curvature
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.sizes import sizes, worst

LONG_SEARCH, LONGER = 12, 4
"""After so many steps a search is over. If there are criteria it first goes on for some more
without them: what they want makes levels drift."""

CALM = 2.5
"""What is at rest when a warm solve begins, to within so many times that, is left at rest."""

TOUCHED = 1e-3
"""A bound this near (rad or m) counts as touched before a level is called at rest, and when it is
judged how well it is."""

DISTURBED = 2.0
"""A level that was at rest no longer is if it could fall by so many times that."""

SLACK = 3e-5
"""Curvature below this share of its square (1/rad²) is left to the levels below by a level at rest;
less by one that has grown since, and none when it has grown as far as it may."""

TILT = 1e-6
"""A level at rest that still slopes by this share of its square (1/rad) must not be raised."""

SOFT = 0.2
"""Along what bends less than this share of |e|·ℓ levels at rest are hardly brought back."""

PATIENCE = 3
"""A solve goes on from its result until it stays there, or gains next to nothing so often in a row:
it has stalled."""

PASSES = 12
"""The most passes for one iteration that was allowed."""

CRAWLS = 2.0
"""So many Newton steps in a row that gain less than half of that are enough."""

EASINGS = 4
"""So often a task of a level that would be at rest is looked for that can be met all the same."""

LEAST_TRUST = 1e-3
"""A Newton step that fails when it is as short as this fails for good."""

WORTH, MUCH, BARELY = 0.05, 10.0, 0.02
"""Near the end of the last solve, what does not promise to lower a level by this share, and by so
many times the tolerance, is not worth going farther than cautiously: the posture goes on in the
next solve, and does not jump. What is left of caution must be longer than this (rad)."""

BACK, BESIDE, MENDS = 0.5, 2.0, 0.3
"""A way back may be as long as this share of the radius, and what else a step does that promises
next to nothing as long as so many times the way back. Mending goes no farther at once (rad)."""

STILL = 1e-4
"""Criteria are obeyed when they ask for a motion no longer than this (rad)."""

SEEKING, LOWERING, SHORTENING, RETURNING, MENDING = range(5)
"""What a pass is for."""


@entry
def lex(problem: Problem, m: Memory, q: Floats, tolerance: float, limit: int, begin: int) -> int:
    """Solve from a valid posture q, in place; how it ended. Counts go on from where they are.

    Args:
        problem: what is wanted.
        m: room, and what the last solve knew.
        q: (n,) the start, within limits; the result.
        tolerance: a task is met when its error is at most this (m).
        limit: the most iterations.
        begin: COLD, or WARM, near the end of a solve like this one; not CONTINUED.
    """
    tree, bounds, blocks, inner = problem.tree, problem.bounds, problem.blocks, m.inner
    residual, level, vector, counts = m.residual, m.level, m.vector, m.counts
    starts, inequality, room = blocks.level, blocks.inequality, m.room
    coordinates, scale = problem.coordinates, m.vector[SCALE]
    n, levels = q.size, level.shape[1] - 1
    yes, no = True, False
    strongest = scale_of(coordinates, scale)
    prepare(level, begin == WARM)
    if begin == COLD:
        forget(inner)
    for k in range(levels):
        level[KEPT, k], level[LEAST, k] = np.inf, np.inf
    trust = CAUTIOUS if begin == WARM else TRUSTED
    eager, budget = begin == COLD, 1.5 * CAUTIOUS
    copy(q, vector[ORIGIN])
    status, errand, who, depth, floor = ITERATIONS, SEEKING, 0, levels, 0
    known, warm, moved, stalled = False, begin != COLD, False, False
    easing, eased = False, 0
    found, firm, in_vain, ending, steepness = False, False, 0, ITERATIONS, 0.0
    rounds, sought, promise, value, length, gone = 0, 0, 0.0, 0.0, 0.0, 0.4
    little, least = 0.0, 0.0
    # What has come to rest: whether a solve that started here would stay, the level that would not,
    # the iterations when all was last at rest, and whether there was a search since.
    settled, mover, ended, afresh = False, -1, -1, False
    promising = False  # whether it has stalled where it stays: its model promises much more
    # A level that strays: whether those above are off; whether they were where the step began, how
    # far, and whether it is charged with that; whether they were since SOUND, and half the square
    # of the level there; whether it no longer may; whether those above have just been mended.
    astray, back, off, charged = False, False, 0.0, False
    strayed, soundest, faithful, mended = False, np.inf, False, False
    passes = PASSES * (limit + 1)
    for turn in range(passes):
        counts[CUT] = 1 if turn == passes - 1 else 0
        if not known:
            place(tree, q, m.state)
            differentiate(tree, m.state)
            if errand != SHORTENING:  # which needs no more of where it begins
                evaluate(tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, yes)
        known = False
        sizes(starts, inequality, residual[RESIDUAL], level[SIZE])
        worst(
            blocks.block, blocks.factor, starts, inequality, residual[RESIDUAL], tolerance,
            level[WORST], level[MISSED],
        )  # fmt: skip
        if strongest > 0.0:
            level[SIZE, levels] = math.sqrt(2.0 * discomfort(coordinates, q, strongest))
        half, mended, unsound = 0.5 * level[SIZE, who] * level[SIZE, who], False, False
        if errand == MENDING:
            how = verdict(level, who, 1.0, 0.0, rounds, tolerance)
            mended, unsound = how == GOOD, how == BAD
            if how != OPEN:
                errand, level[TRUST, who] = LOWERING, max(level[TRUST, who], CAUTIOUS)
        if errand == RETURNING:
            lost(blocks.block, blocks.factor, starts, inequality, residual[RESIDUAL], m.met, level)
            gained = value - half
            if charged and rounds == 0:
                paid = toll(starts, inequality, residual, who)
                how = verdict_astray(level, who, gained, paid, promise, least, off, tolerance)
                gained -= paid if how == GOOD else 0.0
            else:
                how = verdict(level, who, gained, promise, rounds, tolerance)
            if how == BAD:
                copy(vector[BASE], q)
                errand = LOWERING
                if easing:
                    eased = EASINGS
                    continue
                level[TRUST, who] = NARROWS * length
                promise = shorten(room, level[TRUST, who])
                # What promises next to nothing, or would not be cautious, is looked at anew.
                allowed = begin == COLD or level[TRUST, who] <= max(budget, BARELY)
                if promise > least and allowed and level[TRUST, who] > LEAST_TRUST:
                    errand, length = SHORTENING, level[TRUST, who]
                elif back:
                    errand, rounds = MENDING, 0
                continue
            if how == GOOD:
                errand = LOWERING
                counts[ITERATION] += 1
                budget -= length
                if easing:
                    moved, level[CRAWLED, who] = True, 0.0
                elif promise > least or not back:  # else it was for the levels above
                    moved |= note_gain(level, who, gained, tolerance)
                    trust_again(level, who, gained, promise, length)
        strays = errand == LOWERING and begin == COLD and not faithful and may_stray(level, who)
        astray = strays and not mended and is_off(level, who, 0.5 * tolerance)
        strayed |= astray
        if strays and not astray:
            faithful = strayed and not half < soundest - 0.5 * least  # it was next to nothing
            unsound |= strayed and not half < soundest
            if half < soundest:
                copy(q, vector[SOUND])
                soundest = half
            strayed = False
        if unsound:
            copy(vector[SOUND], q)
            ended = -1
            faithful, strayed, level[CRAWLED, who] = True, False, 0.0
            continue
        hopeful = errand == LOWERING and who < levels and level[AT_REST, who] == 0.0
        near = CLOSER * level[HOPED, who] if begin == COLD else 0.0  # a warm one must not leap
        hopeful &= level[WORST, who] <= max(near, tolerance) and not astray
        if hopeful:
            met, level[HOPED, who], eased = level[WORST, who] <= tolerance, level[WORST, who], 0
            errand, depth, floor, sought = SEEKING, levels, who + 1 if met else who, 0
            warm = no  # there are other rows now
            if is_best(level, levels, tolerance):
                copy(q, vector[BEST])
            begin_search(level, floor, q, vector[ORIGIN], trust)
        if errand == SEEKING and not is_off(level, depth, tolerance):
            # What was sought is met. Next comes the level that could not be; then, since nothing
            # may disturb a level at rest, one after the other; the criteria in the end.
            errand, who, faithful, strayed = LOWERING, depth, False, False
            copy(q, vector[SOUND])
            soundest = 0.5 * level[SIZE, who] * level[SIZE, who]
            level[HOPED, who] = min(level[HOPED, who], level[WORST, who])
            if depth < levels and level[WORST, depth] <= tolerance:
                # It was met where the search began, and only lost on the way.
                errand, floor, depth, sought, warm = SEEKING, depth + 1, levels, 0, no
                begin_search(level, floor, q, vector[ORIGIN], trust)
        if errand == LOWERING and depth == levels and not astray:
            who = next_unmet(level, 0, tolerance)
        if errand == LOWERING and soundest == np.inf:  # it is lowered from here
            copy(q, vector[SOUND])
            soundest = 0.5 * level[SIZE, who] * level[SIZE, who]
        done = errand == LOWERING and who == levels
        done &= strongest == 0.0 or level[AT_REST, levels] > 0.0
        if done:
            status = SOLVED
            for k in range(levels):
                if level[WORST, k] > tolerance:
                    status = STALLED if stalled else STATIONARY
        if counts[ITERATION] >= limit and astray:
            errand, astray, rounds = MENDING, False, 0
        # What is settled may still be looked at beyond the limit, but not moved.
        over = counts[ITERATION] >= limit and not settled
        if status == SOLVED or (over and errand < RETURNING and not done):
            break
        ahead = 2.0 * gone if errand == SEEKING else length
        ahead = level[TRUST, who] if errand == LOWERING else ahead
        ahead = MENDS if errand == MENDING else ahead
        count = 0
        if errand != SHORTENING:
            count = write_rows(tree, bounds, q, 0.1 + ahead, m.state, m.hard)
            write_bounds(problem, m, q, count, strongest)
        hard = count
        last = min(who + 1, levels) if errand == LOWERING else depth
        last = who if errand >= RETURNING else last
        last = 0 if errand == SHORTENING else last
        block, rested, tired, disturbed = 0, False, False, -1
        if done:
            settled, mover, promising = True, -1, False
        m.optimality[0] = 0.0
        anew(room)
        for k in range(levels + 1 if errand == LOWERING and who == levels else last):
            first, at_rest = count, level[AT_REST, k] > 0.0
            lowered = errand == LOWERING and k == who and not done
            if k < levels:
                if at_rest:
                    first = write_met(blocks.block, starts, inequality, m, k, count)
                count = write_level(starts, inequality, m, k, first)
                while blocks.block[block, ROW] < starts[k + 1]:
                    block += 1
                if not (lowered or at_rest):
                    continue
            elif not (lowered or (done and begin == COLD)) or strongest == 0.0:
                continue
            size, reach = level[SIZE, k], level[SIZE, k]
            if k < levels:
                reach = within_reach(level, k, size)
            grown = at_rest and growth(level, k, tolerance) > 0.5
            if errand >= RETURNING:
                soft = np.inf  # what has not grown is only kept from moving
                if grown:
                    soft = SOFT * level[SIZE, k] * level[ROW_LENGTH, k]
                    face(inner, room, first, count, AT_STOP)
                count = first + restoring_rows(inner, room, first, m.stiff[k], m.pivots[k], soft)
                inner.starts[k + 2] = count
                continue
            rank = face(inner, room, first, count, TOUCHED if done else AT_STOP)
            left = 0.0
            for t in range(n):
                left += (room.vectors[LEFT, t] / scale[t]) ** 2 if scale[t] > 0.0 else 0.0
            if k < levels:
                m.optimality[0] = max(m.optimality[0], math.sqrt(left) / max(level[SIZE, k], 1e-12))
            nears = done and only_nears(inner, room, rank)
            if nears:  # as in lowering
                rank = face(inner, room, first, count, AT_STOP)
            push(starts, m, k, rank)
            # The way of what is at rest bends for others. A warm solve goes straight: its steps are
            # short, and longer ones would lead it out of the minimum that it follows.
            alone = lowered or (done and not rests_below(level, k))
            bent = 1.0 if alone and begin == COLD else 0.0
            turning_torques(tree, m.state, bent, room.vectors[LEFT], scale, room.torques)
            curvature(
                tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, residual[PUSH],
                block, room.torques, room.loads, scale, room.hessian,
            )  # fmt: skip
            add_bends(
                tree, bounds, m.state, m.hard, hard, room.members, room.vectors[FORCE], rank, scale,
                room.bend, room.hessian,
            )  # fmt: skip
            for i in range(n):
                if k == levels:
                    bend = spring(coordinates, i, q[i])[2] / strongest
                    room.hessian[i, i] += bend * scale[i] * scale[i]
            little = max(LITTLE * reach, FINE * tolerance) * size
            if done and begin == COLD:
                if settled and k < levels:
                    settled = 0.0 == ease(
                        inner, room, blocks, residual[RESIDUAL], k, first, rank, TRUSTED, tolerance
                    )
                for again in range(2 if nears else 1):
                    if again == 1:
                        rank = face(inner, room, first, count, TOUCHED)
                    if settled:
                        promised = descend(inner, room, first, count, rank, TRUSTED, no, little)
                        undo(room)
                        settled = promised <= little or (k == levels and stride(room) < STILL)
                        promising |= promised > DISTURBED * little and not settled
                if nears:
                    rank = face(inner, room, first, count, AT_STOP)
                if mover < 0 and not settled:
                    mover = k
                if not rests_below(level, k):
                    continue
            elif lowered or grown:
                radius = level[TRUST, k] if lowered else min(level[TRUST, k], length)
                if lowered and not eager:
                    radius = min(radius, max(budget, BARELY))
                if lowered and astray:
                    rank = restore(inner, room, first, rank, BACK * radius)
                    beside = BESIDE * extent(room)
                    promise = descend(inner, room, first, count, rank, radius, yes, little)
                    if promise <= little and stride(room) > beside:
                        promise = shorten(room, beside)
                    easing, length = False, stride(room)
                    continue
                trifle = little if lowered else DISTURBED * little
                promise_here = descend(inner, room, first, count, rank, radius, no, trifle)
                if lowered and promise_here <= little:
                    # A bound just ahead may be in the way of going along it instead of another.
                    rank = face(inner, room, first, count, TOUCHED)
                    if only_nears(inner, room, rank):
                        push(starts, m, k, rank)
                        promise_here = descend(inner, room, first, count, rank, radius, no, little)
                if lowered:
                    promise, easing, length = promise_here, False, stride(room)
                    tired = level[TRUST, k] < LEAST_TRUST
                    tired |= level[CRAWLED, k] >= (CRAWLS if moved else 1.0)
                    # Whether a cold solve stays where steps fail is seen when all is at rest.
                    if begin == WARM and length > 0.99 * radius and length < TRUSTED:
                        promise_here *= TRUSTED / length
                    if begin == WARM and not moved:
                        little *= CALM
                    worth = max(WORTH * reach, MUCH * tolerance) * size
                    eager = begin == COLD or promise_here > worth
                    spent = not (eager or budget > BARELY)
                    rested = tired or promise_here <= little or spent
                    if k == levels:
                        rested |= length < STILL
                    if rested and not spent and k < levels and eased < EASINGS:
                        radius = TRUSTED if begin == COLD else max(budget, BARELY)
                        promised = ease(
                            inner, room, blocks, residual[RESIDUAL], k, first, rank, radius,
                            tolerance,
                        )  # fmt: skip
                        if promised > 0.0:
                            promise, easing, rested, eased = promised, True, False, eased + 1
                            length = stride(room)
                            continue
                    stalled |= (tired or spent) and promise_here > little and k < levels
                    continue
                if promise_here > trifle and not stalled:
                    disturbed = k
                    break
                undo(room)
            slack = SLACK * size * reach
            if not (done and begin == COLD):  # where a solve that starts here has nothing grown
                slack *= min(max(1.0 - growth(level, k, tolerance), 0.0), 1.0)
            tilt = TILT * level[SIZE, k] * level[SIZE, k]
            count = first + stiff_rows(
                inner, room, first, count, rank, slack, tilt, m.stiff[k], m.pivots[k]
            )
            for r in range(first, count):
                m.sources[r] = -1
            inner.starts[k + 2] = count
        if disturbed >= 0:
            status = ITERATIONS
            for j in range(disturbed, levels + 1):
                level[AT_REST, j], level[CRAWLED, j] = 0.0, 0.0
            known, depth, floor, who = True, levels, min(floor, disturbed), disturbed
            faithful, strayed, soundest = False, False, np.inf
            continue
        if rested:
            known, eased, faithful, soundest = True, 0, False, np.inf
            errand, depth, floor = LOWERING, levels, who + 1
            level[AT_REST, who], level[REFERENCE, who] = 1.0, level[SIZE, who]
            if who < levels:
                note_met(
                    blocks.block, blocks.factor, starts, inequality, residual[RESIDUAL], who,
                    tolerance, m.met,
                )  # fmt: skip
            continue
        if done:
            stays, ended = ended == counts[ITERATION], counts[ITERATION]
            if promising and (stays or counts[ITERATION] >= limit):
                status = STALLED if stays else ITERATIONS
            better = are_lower(
                level[SIZE], level[MISSED], level[LEAST], level[LEAST_MISSED], levels, tolerance
            )
            worse = are_lower(
                level[LEAST], level[LEAST_MISSED], level[SIZE], level[MISSED], levels, tolerance
            )
            settled = (settled or stays) and not worse
            if not worse:  # of two as good the later one, to which another solve would lead
                found, firm, ending, steepness = True, settled, status, m.optimality[0]
                copy(q, vector[FOUND])
            if better:
                note_least(level, levels, tolerance)
            in_vain = 0 if better else in_vain + 1
            if begin == WARM or (stays and (afresh or worse)) or (worse and mover < 0):
                break
            if counts[ITERATION] >= limit and not settled:
                status = ITERATIONS
                break
            if in_vain == PATIENCE:
                status = STALLED
                break
            # As if it had started here: does everything stay at rest?
            status, stalled, depth, known, moved = ITERATIONS, False, levels, True, False
            eager, eased, faithful, strayed, soundest = True, 0, False, False, np.inf
            if settled:
                # So it seems. Would a search find what can be met?
                errand, floor, afresh, warm, sought, gone = SEEKING, 0, True, no, 0, 0.4
                prepare(level, False)
                begin_search(level, floor, q, vector[ORIGIN], trust)
            else:
                errand, floor, afresh = LOWERING, mover, False
                resume(level, mover)
            continue
        if counts[ITERATION] >= limit and errand == LOWERING:
            break
        if errand == LOWERING:
            value, least = 0.5 * level[SIZE, who] * level[SIZE, who], little
            back, off = astray, most_off(level, who)
            charged = begin == COLD and not (faithful or easing) and may_stray(level, who)
            if charged:
                value += toll(starts, inequality, residual, who)
            for k in range(who):
                level[GROWN, k] = growth(level, k, tolerance) if level[AT_REST, k] > 0.0 else 0.0
        if errand == LOWERING or errand == SHORTENING:
            for i in range(n):
                vector[MOVE, i] = scale[i] * room.vectors[NEWTON_STEP, i]
                vector[BASE, i] = q[i]
            if begin == COLD and not easing:
                retract(tree, m.state, room.loads, scale, q, vector[MOVE])
        if errand >= RETURNING:
            # What would move farther than the step that it mends leads astray.
            for i in range(n):
                inner.boxes[REST, i] = 0.0
            rank = face(inner, room, count, count, AT_STOP)
            restore(inner, room, count, rank, MENDS if errand == MENDING else max(length, 0.01))
            for i in range(n):
                vector[MOVE, i] = scale[i] * room.vectors[NEWTON_STEP, i]
        objecting, longest, unmet = -1, 0.0, depth
        for attempt in range(4):
            again = attempt > 0
            if errand == SEEKING:
                if again:
                    for k in range(objecting, last):
                        level[DAMPING, k] = max(10.0 * level[DAMPING, k], 1e-2)
                        own = LEVER * level[ROW_LENGTH, k] * level[DAMPING, k] * level[SIZE, k]
                        inner.damping[k] = 1e-9 + own
                step(inner, last, warm, again)
                warm = yes
                counts[ATTEMPTS] += 1
                counts[INNER] += inner.counts[ROUNDS]
                for k in range(depth):
                    for r in range(starts[k], starts[k + 1]):
                        change = inner.rows[VALUE, m.rows[k] + r - starts[k]]
                        residual[PREDICTED, r] = residual[RESIDUAL, r] + change
                sizes(starts, inequality, residual[PREDICTED], level[FULL])
                drawn = depth == levels and strongest > 0.0
                is_long = sought >= LONG_SEARCH + (LONGER if drawn else 0)
                unmet = first_unmet(level, depth, tolerance, is_long)
                unmet = max(unmet, floor)  # those before were met at the origin
                if unmet < depth:
                    break
                rungs = depth + 1 if drawn and sought < LONG_SEARCH else depth
                climb(inner.ladder, level, scale, rungs, vector[MOVE])
                for k in range(rungs, levels + 1):
                    level[LENGTH, k], level[SHARE, k] = 0.0, 0.0
            for _ in range(8):
                following = vector[NEXT]
                step_within(tree, bounds, scale, q, vector[MOVE], following, m.state, m.hard)
                if errand != SEEKING:
                    break
                predict(starts, inequality, m, depth)
                place(tree, following, m.state)
                differentiate(tree, m.state)
                evaluate(tree, blocks, m.state, m.scratch, residual[TRIAL], m.matrix, yes)
                sizes(starts, inequality, residual[TRIAL], level[AFTER])
                counts[TRIALS] += 1
                longest = 0.0
                for i in range(n):
                    longest = max(longest, abs(following[i] - q[i]))
                objecting = objector(level, depth, longest, tolerance)
                if objecting < 0:
                    known = True  # what a trial has found serves the next pass
                    break
                place(tree, q, m.state)
                differentiate(tree, m.state)
                evaluate(tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, yes)
                hold_back(level, objecting, longest)
                climb(inner.ladder, level, scale, rungs, vector[MOVE])
            if objecting < 0:
                break
        if unmet < depth:
            if settled and not is_off(level, unmet, tolerance):
                status = ending  # a solve that started here would not move
                break
            if is_best(level, levels, tolerance):  # should no iteration be left
                copy(q, vector[BEST])
            copy(vector[ORIGIN], q)
            depth, sought = unmet, 0
            begin_search(level, 0, q, vector[ORIGIN], trust)
            continue
        if objecting >= 0:
            status = STALLED
            break
        if counts[ITERATION] >= limit and errand == SEEKING:
            known = False
            break
        copy(vector[NEXT], q)
        if known:
            for r in range(residual.shape[1]):
                residual[RESIDUAL, r] = residual[TRIAL, r]
        rounds = rounds + 1 if errand >= RETURNING else 0
        settled = False  # it has moved
        if errand == SEEKING:
            moved = True
            adapt(level, depth, longest, tolerance)
            counts[ITERATION] += 1
            sought += 1
            gone = longest
        elif errand != MENDING:
            errand = RETURNING
    if errand >= RETURNING or strayed:  # no pass is left to judge the step
        copy(vector[SOUND if strayed else BASE], q)
        known = False
    if not known:
        place(tree, q, m.state)
        evaluate(tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, no)
    sizes(starts, inequality, residual[RESIDUAL], level[SIZE])
    worst(
        blocks.block, blocks.factor, starts, inequality, residual[RESIDUAL], tolerance,
        level[WORST], level[MISSED],
    )  # fmt: skip
    better = status == ITERATIONS and are_lower(
        level[KEPT], level[KEPT_MISSED], level[SIZE], level[MISSED], levels, tolerance
    )
    if better:
        copy(vector[BEST], q)
        for k in range(levels):
            level[SIZE, k], level[MISSED, k] = level[KEPT, k], level[KEPT_MISSED, k]
    if status == SOLVED:
        m.optimality[0] = 0.0
    elif status == ITERATIONS or errand == SEEKING:
        m.optimality[0] = np.nan
    if (
        found
        and status != SOLVED
        and not are_lower(
            level[SIZE], level[MISSED], level[LEAST], level[LEAST_MISSED], levels, tolerance
        )
    ):
        # One that was cut on its way from there might have come to something better; one that would
        # move there and gains nothing has stalled.
        if status != ITERATIONS:
            status = ending if firm else STALLED
        better, m.optimality[0] = True, steepness
        copy(vector[FOUND], q)
    if better:
        place(tree, q, m.state)
        evaluate(tree, blocks, m.state, m.scratch, residual[RESIDUAL], m.matrix, no)
        sizes(starts, inequality, residual[RESIDUAL], level[SIZE])
    return status
