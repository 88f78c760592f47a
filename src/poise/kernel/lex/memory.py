"""What the lexicographic solver works with: the state of a solve in typed records, and arrays."""

from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Floats3, Ints, Ints2, aligned
from poise.kernel.body.tree import State, state
from poise.kernel.hierarchy.arrays import Workspace, workspace
from poise.kernel.lex.faces import Newton, make_newton
from poise.kernel.lex.levels import Levels, make_levels
from poise.kernel.limits.bounds import Rows, make_rows, most_rows
from poise.kernel.problem import Problem
from poise.kernel.records import Numbers
from poise.kernel.residuals.blocks import Scratch, make_scratch
from poise.kernel.tracing import Trace

MOST_REST_ROWS = 48
"""The most rows that keep one level at rest."""

SEARCH, LOWER, SHORTEN, RESTORE, MEND = range(5)
"""Phases, see `Run.phase`. From RESTORE on they bring levels above back: `phase >= RESTORE`."""


class Counts(Numbers):
    """What a solve has done; it goes on from solve to solve until it is set to 0."""

    iterations: int
    """Accepted steps."""
    trials: int
    """Postures that a search looked at."""
    is_cut: bool
    """Whether the loop has come to its last pass."""


class Run(Numbers):
    """Where a solve is: what it is given, its phase and the levels that the phase is about."""

    tolerance: float
    """A task is met when its error is at most this (m)."""
    limit: int
    """The most iterations."""
    is_cold: bool
    """Whether it begins from nothing."""
    strongest_pull: float
    """The strongest pull of a criterion on one coordinate, 0 without criteria."""
    status: int
    """How it ends, ITERATIONS while it goes on."""
    phase: int
    """SEARCH: lexicographic Gauss-Newton steps for all levels before `depth`. LOWER: a Newton step
    of `level`, which cannot be met. SHORTEN: less of the step that has just failed. RESTORE: the
    levels above are brought back after a Newton step, before it is judged. MEND: they are brought
    back without one."""
    level: int
    """The level that is lowered; the number of levels stands for the criteria."""
    tasks: int
    """Levels before this one are the tasks'; rows of criteria, where there are some, are the level
    after them, which is only lowered."""
    searched: int
    """Levels before this one are searched for: up to the next that has joints of its own, then that
    one as well, and so on (`recruiting`)."""
    depth: int
    """A search is for the levels before this one; the one at `depth` cannot be met."""
    floor: int
    """Levels before this one were met where the search began, or are at rest: they are not given
    up."""
    all_at_rest: bool
    """Whether all levels and the criteria are met or at rest: the pass asks whether they stay."""
    is_evaluated: bool
    """Whether residuals and Jacobian are those of the posture now."""
    knows_active_set: bool
    """Whether the inner step may begin with the active set of the last one."""
    has_moved: bool
    """Whether a step has gained something since the solve, or the last rest, began."""
    has_stalled: bool
    """Whether a level rests though its model promises more."""
    search_steps: int
    """Steps of this search."""
    may_recentre: bool
    """Whether a search may go on from elsewhere: in a cold solve, before a level is lowered."""
    recentrings: int
    """How often the search went on from nearer to the middle of the joints' ranges."""
    first_unmet: int
    """The level that the search could not meet before that."""
    least_left: float
    """The least error that searches have left of it."""
    last_step: float
    """The largest change of a coordinate in the last step of a search."""
    first_radius: float
    """The radius of the first Newton step of a level."""
    is_eager: bool
    """Whether Newton steps may be as long as the radius says: not in a warm solve that gains
    little."""
    caution: float
    """How far a warm solve that is not eager may still go."""
    is_dragged: bool
    """Whether a warm solve is one of many for a drag: criteria lead it no farther than tasks do."""


class Lowering(Numbers):
    """The Newton step of the level that is lowered (Nocedal & Wright, algorithm 4.1, 18.5)."""

    predicted_decrease: float
    """What the model promises for half the square of the level's error, m²."""
    merit: float
    """½|e|² where the step began; where `is_charged`, ½|e|² + λᵀc with the errors c above."""
    step_length: float
    """The norm of the step, without what restores the levels above."""
    is_whole: bool
    """Whether the step ends where the model is least, not at the radius."""
    negligible: float
    """A decrease that is next to nothing, m²."""
    restoration_steps: int
    """Steps that have restored the levels above since."""
    is_charged: bool
    """Whether the merit counts what it would cost to restore the levels above, by their
    multipliers."""
    began_off: bool
    """Whether levels above were off where the step began."""
    off_before: float
    """By how much, the worst error of a task (m)."""
    meets_hidden_task: bool
    """Whether the step is for one task of the level that others hide."""
    hidden_tries: int
    """Such steps since the level was taken up."""


class Straying(Numbers):
    """Levels above that are off while a level is lowered: a watchdog (Nocedal & Wright, 15.6).

    In a cold solve, as long as all levels above can be met, a Newton step may leave them a little
    off; the next step restores them on its way. The best posture where none was off is kept.
    """

    is_off: bool
    """Whether a level above is off now, while the phase is LOWER."""
    has_strayed: bool
    """Whether one was since the posture that is kept."""
    is_over: bool
    """Whether the level may no longer leave those above off: it has gained nothing by it."""
    sound_value: float
    """Half the square of the level's error in the posture that is kept; inf if there is none."""


class Result(Numbers):
    """What has come to rest, and the best of that."""

    is_settled: bool
    """Whether a solve that started at this posture would stay there; a warm one does not check."""
    first_mover: int
    """The first level that would not, −1 if all would."""
    iterations: int
    """Iterations when all was last at rest, −1 for never."""
    has_searched: bool
    """Whether there was a search since all was last at rest."""
    promises_more: bool
    """Whether a level at rest has a model that promises much more."""
    is_there: bool
    """Whether a posture was found where all is at rest."""
    is_firm: bool
    """Whether a solve that started there would stay."""
    status: int
    """How the solve would end there."""
    optimality: float
    """`Memory.optimality` there."""
    in_vain: int
    """How many such postures in a row were no better."""


class Written(Numbers):
    """The rows of the inner step that are written so far."""

    count: int
    """How many."""
    hard: int
    """The first so many rows are limits and couplings."""
    block: int
    """The first block of the level after the last one that was written."""


class Postures(NamedTuple):
    """Coordinates, each (n,)."""

    trial: Floats
    """The posture that is tried."""
    step: Floats
    """The step to it."""
    base: Floats
    """Where a Newton step began."""
    origin: Floats
    """Where the search began."""
    best: Floats
    """The best posture that a search has left, or that was searched for again from."""
    result: Floats
    """The last of those as good as the best where all came to rest."""
    sound: Floats
    """The best on the way of a level that is lowered where no level above is off."""
    scale: Floats
    """The unit of each coordinate in the inner step."""
    usual_scale: Floats
    """The same for levels that recruit all joints alike."""


class Residuals(NamedTuple):
    """Residuals, each (R,)."""

    now: Floats
    """Of the posture."""
    trial: Floats
    """Of the posture that is tried."""
    predicted: Floats
    """To first order, after the whole step of the inner problem."""
    resting: Floats
    """When its level came to rest."""
    multipliers: Floats
    """The error of the level that is lowered and the multipliers of the rows above it: by these
    second derivatives are weighed."""


class Memory(NamedTuple):
    """What a solve works with; kept between solves for a warm start."""

    run: Run
    lowering: Lowering
    straying: Straying
    result: Result
    written: Written
    counts: Counts
    state: State
    scratch: Scratch
    inner: Workspace
    newton: Newton
    held: Ints  # (n,) 1 for joints that a level does not recruit and that do not even react
    hard: Rows
    levels: Levels
    residuals: Residuals
    postures: Postures
    jacobian: Floats2  # (R, n)
    rows: Ints  # (L,) first row of each level in the inner step
    sources: Ints  # (m,) the row of the residual that each row of the inner step is, −1 for none
    rest_rows: Floats3  # (L, MOST_REST_ROWS, w) rows that keep a level at rest
    pivots: Ints2  # (L, MOST_REST_ROWS + 1) their number, the coordinate that each was made for
    met: Ints  # (B,) 1 for tasks that were met when their level came to rest
    optimality: (
        Floats  # (1,) the largest projected gradient of |e| of a level (m/rad), nan: unknown
    )
    trace: Trace


def make_memory(problem: Problem, corners: int, trace: Trace) -> Memory:
    """Room to solve a problem whose supports have that many corners."""
    n = problem.coordinates.shape[1]
    rows = problem.blocks.inequality.size
    levels = problem.blocks.level.size - 1
    reactions = n if (problem.recruited == 0.0).any() else 0
    inner = workspace(
        n,
        2 * rows + levels * (min(n, MOST_REST_ROWS) + 1) + reactions,
        most_rows(problem.bounds),
        levels,
    )
    count, width = inner.matrix.shape
    return Memory(
        run=Run(),
        lowering=Lowering(),
        straying=Straying(),
        result=Result(),
        written=Written(),
        counts=Counts(),
        state=state(problem.tree),
        scratch=make_scratch(problem.blocks, n, corners),
        inner=inner,
        newton=make_newton(n, count, problem.tree.parent.size),
        held=np.zeros(n, np.int64),
        hard=make_rows(problem.bounds, n),
        levels=make_levels(levels),
        residuals=Residuals(*(np.zeros(rows) for _ in Residuals._fields)),
        postures=Postures(*(np.zeros(n) for _ in Postures._fields)),
        jacobian=np.zeros((rows, n)),
        rows=np.zeros(levels, np.int64),
        sources=np.zeros(count, np.int64),
        rest_rows=aligned(levels, MOST_REST_ROWS, width),
        pivots=np.zeros((levels, MOST_REST_ROWS + 1), np.int64),
        met=np.zeros(problem.blocks.block.shape[0], np.int64),
        optimality=np.zeros(1),
        trace=trace,
    )
