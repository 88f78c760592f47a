"""Levels for which only some joints are recruited: the arm reaches, the legs react.

Such a level is *achieved* by its own joints: while it is searched for or lowered, the others move
only as far as the rows above it need to stay as they are. It is *protected* with all joints: once
it is met or at rest, levels below keep it by whatever moves it. (1994, section 10; thesis 7.2.3.)

With the rows A that must stay and a step d = (d_R, d_O) of the recruited joints R and the others O,
the shortest reaction to d_R solves A_O d_O = −A_R d_R, and lies in the row space of A_O. So the
reaction is exactly what is orthogonal to the null space of A_O: a row v·d = 0 for each v of a basis
of it. A joint that no row of A depends on does not move at all. Inequalities count in A where the
level presses against them, and are kept as equalities then: else the others might leave their edge
for the sake of the level. A joint at its stop that would be pressed against it does not react.

Criteria do not move joints that move a level which does not recruit them, or less than others: else
the back would reach in place of the arm. While they are lowered these joints are held.

Levels are searched for in stages: up to the next restricted level; with that level; up to the next.
A restricted level that comes to rest unmet is frozen: the slope that the others could still follow
must not draw them, so each of its residuals is kept as it is, to the end of the solve. A solve that
begins there may lower it further, where tasks below have moved what carries it.

A share between 0 and 1 says how readily a joint is recruited: it is the unit of that coordinate in
the steps of the level.
"""

from poise.kernel.compiling import compiled
from poise.kernel.filling import copy
from poise.kernel.hierarchy import arrays as at
from poise.kernel.lex.echelon import NONPIVOT, PIVOT, join, slopes, write_free
from poise.kernel.lex.faces import EQUALITIES, TAKEN, anew, face
from poise.kernel.lex.rows import write_level
from poise.kernel.lex.settings import SETTINGS


@compiled
def note_restricted(recruited, levels, tasks, scale):
    """Note which levels recruit only some of the joints that can move, and which by shares."""
    for k in range(levels.error.size):
        levels.restricted[k], levels.weighed[k] = 0.0, 0.0
    for k in range(tasks):
        for i in range(scale.size):
            if scale[i] > 0.0 and recruited[k, i] == 0.0:
                levels.restricted[k] = 1.0
            elif scale[i] > 0.0 and recruited[k, i] != 1.0:
                levels.weighed[k] = 1.0


@compiled
def _is_alone(levels, k):
    """Whether a level is searched for by itself: it recruits some joints only, or by shares."""
    return levels.restricted[k] > 0.0 or levels.weighed[k] > 0.0


@compiled
def stage_end(levels, tasks, level):
    """The levels before this one are searched for where `level` is to be met."""
    k = 0
    while k < tasks:
        k += 1
        if k > level and (k == tasks or _is_alone(levels, k - 1) or _is_alone(levels, k)):
            return k
    return tasks


@compiled
def is_any_frozen(levels):
    """Whether a restricted level has come to rest unmet."""
    found = False
    for k in range(levels.error.size):
        found |= levels.restricted[k] > 0.0 and levels.at_rest[k] > 0.0
    return found


@compiled
def weigh(recruited, levels, k, usual, scale):
    """Fill the units of the coordinates in the steps of level k, from the usual ones."""
    is_weighed = levels.weighed[k] > 0.0
    for i in range(scale.size):
        scale[i] = usual[i]
        if is_weighed and recruited[k, i] > 0.0:
            scale[i] *= recruited[k, i]


@compiled
def _hold(memory, i):
    """Let a joint that is not recruited not even react."""
    memory.held[i] = 1
    memory.inner.boxes[at.BOX_LOWER, i], memory.inner.boxes[at.BOX_UPPER, i] = 0.0, 0.0


@compiled
def _reactions(recruited, memory, start):
    """Eliminate the equalities before `start` as functions of the joints that may react; the rank.

    `recruited` (n,) is that of the level.
    """
    inner, newton, held = memory.inner, memory.newton, memory.held
    echelon, pivots, rank = newton.echelon, newton.columns[PIVOT], 0
    for r in range(start):
        if inner.rows[at.UPPER, r] - inner.rows[at.LOWER, r] > at.EQUAL:
            continue
        if rank == echelon.shape[0] - 1:
            break
        row, source = echelon[rank], inner.matrix[r]
        for t in range(row.size):
            row[t] = source[t]
        for i in range(held.size):
            if recruited[i] > 0.0 or held[i] == 1:
                row[i] = 0.0
        if join(echelon, pivots, rank, newton.triangle[rank], newton.vectors[TAKEN]) > 0.0:
            rank += 1
    return rank


@compiled
def _write_reactions(recruited, memory, start):
    """Write the rows that let the joints that are not recruited only react to the rows above."""
    inner, newton, held, scale = (
        memory.inner,
        memory.newton,
        memory.held,
        memory.postures.scale,
    )
    anew(newton)
    rank, count = _reactions(recruited, memory, start), start
    free = slopes(newton.echelon, newton.columns, rank, newton.slopes)
    for f in range(free):
        i = newton.columns[NONPIVOT, f]
        if recruited[i] > 0.0 or held[i] == 1 or scale[i] == 0.0:
            continue
        largest = 0.0
        for c in range(rank):
            largest = max(largest, abs(newton.slopes[c, f]))
        if largest < SETTINGS.unrelated:
            _hold(memory, i)
            continue
        write_free(newton.slopes, newton.columns, rank, f, inner.matrix[count])
        inner.rows[at.LOWER, count], inner.rows[at.UPPER, count] = 0.0, 0.0
        memory.sources[count] = -1
        count += 1
    memory.written.count = count


@compiled
def _is_for_others(recruited, held, row):
    """Whether joints that may react move a row."""
    for i in range(held.size):
        if recruited[i] == 0.0 and held[i] == 0 and row[i] != 0.0:
            return True
    return False


@compiled
def _keep_pressed(recruited, memory, start, rank):
    """Keep what the level presses against: rows above as equalities, joints at their stops.

    Whether there was anything.
    """
    inner, newton, held, found = memory.inner, memory.newton, memory.held, False
    for c in range(newton.face_state[EQUALITIES], rank):
        member = newton.active[0, c]
        if member < 0 and recruited[-1 - member] == 0.0:
            _hold(memory, -1 - member)
            found = True
        elif 0 <= member < start and _is_for_others(recruited, held, inner.matrix[member]):
            wanted = max(inner.rows[at.LOWER, member], 0.0)  # what is violated is mended
            inner.rows[at.LOWER, member], inner.rows[at.UPPER, member] = wanted, wanted
            found = True
    return found


@compiled
def hold_others(problem, memory):
    """Let criteria not move joints that move a level which recruits them less than others."""
    starts, levels, recruited = problem.blocks.level, memory.levels, problem.recruited
    for k in range(memory.run.tasks):
        for r in range(starts[k], starts[k + 1] if _is_alone(levels, k) else starts[k]):
            if problem.blocks.inequality[r] == 1 and memory.residuals.now[r] > SETTINGS.touched:
                continue  # it holds, with room to spare
            for i in range(recruited.shape[1]):
                if recruited[k, i] < 1.0 and memory.jacobian[r, i] != 0.0:
                    _hold(memory, i)


@compiled
def write_restricted(problem, memory, k):
    """Write the rows of level k, and before them those by which other joints only react.

    The first row of the level itself. They belong to the level above it in the inner step, which
    they cannot disturb.
    """
    inner, newton, held = memory.inner, memory.newton, memory.held
    recruited, start = problem.recruited[k], memory.written.count
    first = start
    for i in range(held.size):
        held[i] = 0
    for _ in range(SETTINGS.reaction_rounds):
        memory.written.count = start
        _write_reactions(recruited, memory, start)
        first = memory.written.count
        inner.starts[k + 1] = first
        write_level(problem.blocks, memory, k)
        for r in range(first, memory.written.count):
            for i in range(held.size):
                if held[i] == 1:
                    inner.matrix[r, i] = 0.0
        anew(newton)
        rank = face(inner, newton, first, memory.written.count, SETTINGS.at_stop)
        if not _keep_pressed(recruited, memory, start, rank):
            break
    return first


@compiled
def freeze(blocks, memory, k):
    """Note the residuals of level k, which rests: as such they are kept."""
    starts, residuals = blocks.level, memory.residuals
    copy(residuals.now[starts[k] : starts[k + 1]], residuals.resting[starts[k] : starts[k + 1]])


@compiled
def write_frozen(blocks, memory, k):
    """Write the rows of a restricted level at rest, each to be kept as it is."""
    inner, residuals = memory.inner, memory.residuals
    write_level(blocks, memory, k)
    inner.damping[k] = SETTINGS.damping_floor
    for row in range(memory.rows[k], memory.written.count):
        r = memory.sources[row]
        resting = residuals.resting[r]
        if blocks.inequality[r] == 1:
            resting = min(resting, 0.0)
        inner.rows[at.LOWER, row] = resting - residuals.now[r]
        if blocks.inequality[r] == 0:
            inner.rows[at.UPPER, row] = resting - residuals.now[r]
