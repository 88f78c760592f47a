"""Which stance a person takes: how `Natural` is solved where it has several.

A stance is one Gaussian of a prior, and so one set of numbers in a block. A solve from nothing
begins with the favoured stance. Whoever has a usual posture then (`UNUSUAL`) stays in it. For
others all stances are solved from the same start, one after the other, and the best is kept: tasks
first, level by level, and then the stance under which what is asked is likeliest (`evidence`). So
the same problem and start give the same result. Where tasks are left unmet, only the stance is
tried that is likeliest there. An unusual posture is then solved once more, from halfway to it.

Coordinates move as readily as they vary in people (`readiness`). Other starts (`scene.restarts`)
are tried in the favoured stance alone; what they find goes on from there.

A warm solve keeps the stance of the one before. Where another is likelier by more than `MARGIN`,
for the next solves the numbers fade from the one to the other, in `FADE` solves: a posture that
people look at must not leap.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.kernel.residuals import natural
from poise.solvers.evidence import room
from poise.solvers.outcome import Ending, Outcome
from poise.solvers.problem import Problem, Stances
from poise.solvers.ranking import NEAR

Values = NDArray[np.float64]

MARGIN = 6.0
"""Nats by which another stance must be likelier before a warm solve leaves its own: e⁶ ≈ 400 to
one. Smaller values let a motion go to and fro between stances, larger ones keep it longer in one
that does not fit."""

FADE = 15
"""In so many warm solves the numbers of one stance become those of another: half a second of a
motion at 30 frames a second."""

UNUSUAL = 6.0
"""Nats below the likeliest posture of its stance up to which a posture is usual, and no other
stance is tried. Smaller values try others more often, which takes longer."""

LEAST_READY, MOST_READY = 0.2, 5.0
"""How readily coordinates move that vary little or much in people, against those in between, at
least and at most."""


class _Taken:
    """The stance of each person now, and those that they are fading to."""

    def __init__(self, count: int) -> None:
        self.now = [0] * count
        self.next = [0] * count
        self.faded = [FADE] * count
        """Of the solves that a change takes, how many are done."""
        self.rooms: list[Values | None] = [None] * count
        """How much (nats) the tasks left open to each stance of a person when it was chosen: with
        the likelihoods, what stances are compared by. None where they were not compared."""


def _taken(problem: Problem) -> _Taken:
    if "stances" not in problem.scratch:
        problem.scratch["stances"] = _Taken(len(problem.stances))
    taken: _Taken = problem.scratch["stances"]
    return taken


def remember(problem: Problem) -> _Taken | None:
    """The stances of all people as they are now, to `recall` them."""
    return deepcopy(_taken(problem)) if problem.stances else None


def recall(problem: Problem, taken: _Taken | None) -> None:
    """Let all people take the stances again that were theirs."""
    if taken is None:
        return
    problem.scratch["stances"] = taken
    for i, stances in enumerate(problem.stances):
        _write(problem, stances, _faded(taken, i, stances))


def names_of(problem: Problem) -> tuple[str, ...]:
    """The stance of each person, or the one that it fades to, in the order of their blocks."""
    if not problem.stances:
        return ()
    pairs = zip(problem.stances, _taken(problem).next, strict=True)
    return tuple(each.choices[chosen].name for each, chosen in pairs)


def _write(problem: Problem, stances: Stances, values: Values) -> None:
    problem.blocks.values[stances.start : stances.start + values.size] = values


def _take(problem: Problem, chosen: list[int]) -> None:
    """Let every person take a stance at once."""
    taken = _taken(problem)
    for i, (stances, choice) in enumerate(zip(problem.stances, chosen, strict=True)):
        _write(problem, stances, stances.choices[choice].values)
        taken.now[i], taken.next[i], taken.faded[i] = choice, choice, FADE
        taken.rooms[i] = None


def likelihoods(problem: Problem, q: Values) -> list[Values]:
    """The log-likelihood (nats) of every stance of each person at a posture (n,)."""
    tree = problem.figure.packed.tree
    if "placed" not in problem.scratch:
        problem.scratch["placed"] = kernel.body.tree.state(tree)
    state = problem.scratch["placed"]
    kernel.body.kinematics.place(tree, q, state)
    return [_likelihoods(each, q, state.rotation[each.node]) for each in problem.stances]


class _Numbers:
    """The numbers of a stance: its coordinates, the axes that point up, mean and rows."""

    def __init__(self, values: Values) -> None:
        first, count = int(values[natural.FIRST]), int(values[natural.COUNT])
        rows = natural.MEAN + count + natural.UPS
        self.axes = values[natural.AXES : natural.AXES + 6].reshape(2, 3)
        self.coordinates = slice(first, first + count)
        self.mean = values[natural.MEAN : rows]
        self.rows = values[rows:].reshape(-1, self.mean.size)


def _likelihoods(stances: Stances, q: Values, rotation: Values) -> Values:
    found = np.zeros(len(stances.choices))
    for i, each in enumerate(stances.choices):
        own = _Numbers(each.values)
        features = np.concatenate([q[own.coordinates], own.axes @ rotation[6:9]])
        off = own.rows @ (features - own.mean)
        found[i] = each.log_weight - 0.5 * float(off @ off)
    return found


def readiness(problem: Problem) -> Values:
    """How readily each coordinate (n,) moves: as it varies in people while all others stay.

    By the favoured stance, against the median of a person's coordinates. Steps that are not
    determined by tasks then go the way that people go: the arm before the trunk.
    """
    ready = np.ones(problem.figure.n)
    if problem.scratch.get("in_one_stance"):
        return ready
    for stances in problem.stances:
        own = _Numbers(stances.choices[0].values)
        precision = (own.rows * own.rows).sum(axis=0)[: -natural.UPS]
        takes_part = precision > 0.0
        spread = 1.0 / np.sqrt(precision[takes_part])
        shares = np.clip(spread / np.median(spread), LEAST_READY, MOST_READY)
        ready[own.coordinates][takes_part] = shares
    return ready


def solve_cold(
    problem: Problem,
    solve: Callable[[Values, Ending], Outcome],
    start: Values,
    ending: Ending,
    *,
    goes_on: bool = False,
) -> Outcome:
    """The best of some solves from nothing, each in the likeliest stance of the last result.

    Args:
        problem: what is wanted; it is left in the stance of the result.
        solve: solves from a start (n,), in the stance that the problem is in.
        start: (n,) where the first begins.
        ending: when to stop; the time is that of all together, and the first has all of it.
        goes_on: whether it takes the place of a warm solve. Then it keeps the stance of the last
            one if that meets all tasks: what is shown must not leap.
    """
    if not problem.stances:
        return solve(start, ending)
    if problem.scratch.get("in_one_stance"):
        _take(problem, [0] * len(problem.stances))
        return solve(start, ending)
    seconds = 0.0
    if goes_on:
        outcome = solve(start, ending)
        if problem.met(problem.sizes(outcome.residual), ending["tolerance"]).all():
            go_on(problem, outcome.q)
            return outcome
        seconds = outcome.seconds
    best, seconds = _in_stances(problem, solve, start, ending, seconds)
    _take(problem, best.chosen)
    if best.is_unusual:
        _remember_rooms(problem, best, ending["tolerance"])
    best.leave_trace(problem)
    return best.outcome._replace(seconds=seconds)


def _remember_rooms(problem: Problem, best: _Found, tolerance: float) -> None:
    """Keep what stances were compared by, for warm solves that compare them again."""
    taken = _taken(problem)
    for who, stances in enumerate(problem.stances):
        rooms = np.zeros(len(stances.choices))
        for i, choice in enumerate(stances.choices):
            _write(problem, stances, choice.values)
            rooms[i] = room(problem, best.outcome.q, tolerance)
        _write(problem, stances, stances.choices[best.chosen[who]].values)
        taken.rooms[who] = rooms


def solve_in_one_stance(problem: Problem) -> None:
    """Let all solves of a problem be in the favoured stance alone, all coordinates moving alike.

    To be said before the first: it is for other starts, where another way is what is looked for.
    """
    problem.scratch["in_one_stance"] = True


def _in_stances(
    problem: Problem,
    solve: Callable[[Values, Ending], Outcome],
    start: Values,
    ending: Ending,
    seconds: float,
) -> tuple[_Found, float]:
    """The best of solves in one stance after the other, and the seconds of all."""

    def found(chosen: list[int], begin: Values, ending: Ending) -> _Found:
        _take(problem, chosen)
        return _Found(problem, solve(begin, ending), chosen, ending["tolerance"])

    best = found([0] * len(problem.stances), start, _rest(ending, seconds) or ending)
    seconds += best.outcome.seconds
    others = best.others(problem)
    if others:
        best.add_room(problem)
    is_compared = best.is_unusual
    for who, stance in others:
        chosen = [stance if i == who else own for i, own in enumerate(best.chosen)]
        rest = _rest(ending, seconds)
        if rest is None:
            break
        if chosen != best.chosen:
            other = found(chosen, start, rest)
            other.add_room(problem)
            seconds += other.outcome.seconds
            best = other if other.is_better(best) else best
    rest = _rest(ending, seconds)
    if is_compared and rest is not None:
        again = found(best.chosen, _halfway(problem, start, best.outcome.q), rest)
        again.add_room(problem)
        seconds += again.outcome.seconds
        best = again if again.is_better(best) else best
    return best, seconds


def _halfway(problem: Problem, start: Values, end: Values) -> Values:
    """Between a start and what was found from it, (n,), within limits.

    Where several limits hold, the search for the likeliest posture may end before it is there; from
    halfway it comes to them by another way.
    """
    figure = problem.figure
    return figure.clamp(figure.posture(start).blend(figure.posture(end), 0.5)).q


def take_likeliest(problem: Problem, q: Values) -> None:
    """Let every person take the stance that is likeliest at a posture (n,)."""
    if problem.stances:
        _take(problem, [int(np.argmax(each)) for each in likelihoods(problem, q)])


def _rest(ending: Ending, seconds: float) -> Ending | None:
    """When to stop after so many seconds; None where that is now."""
    most = ending["max_seconds"]
    if most is None or seconds == 0.0:
        return ending
    return {**ending, "max_seconds": most - seconds} if most > seconds else None


class _Found:
    """What a solve has found in some stances."""

    def __init__(
        self, problem: Problem, outcome: Outcome, chosen: list[int], tolerance: float
    ) -> None:
        self.outcome, self.chosen, self._tolerance = outcome, chosen, tolerance
        self._is_met = bool(problem.met(problem.sizes(outcome.residual), tolerance).all())
        self._levels = problem.task_levels(outcome.residual, tolerance)
        scores = likelihoods(problem, outcome.q)
        self.likeliest = [int(np.argmax(each)) for each in scores]
        self._likelihood = sum(float(each[i]) for each, i in zip(scores, chosen, strict=True))
        taken = zip(problem.stances, scores, chosen, strict=True)
        self._strains = [each.choices[i].log_weight - score[i] for each, score, i in taken]
        trace = problem.trace
        self._trace = trace.rows[: trace.length.count].copy()

    @property
    def is_unusual(self) -> bool:
        """Whether somebody's posture is, so that stances were compared."""
        return self._is_met and max(self._strains) > UNUSUAL

    def add_room(self, problem: Problem) -> None:
        """Let it count how much tasks leave open in these stances, which the problem is in."""
        self._likelihood += room(problem, self.outcome.q, self._tolerance)

    def others(self, problem: Problem) -> list[tuple[int, int]]:
        """What is to be tried besides the favoured stances, in which this was found.

        Persons by number, each with the number of a stance.
        """
        if not self._is_met:
            return list(enumerate(self.likeliest))
        return [
            (who, stance)
            for who, (stances, strain) in enumerate(
                zip(problem.stances, self._strains, strict=True)
            )
            if strain > UNUSUAL
            for stance in range(len(stances.choices))
        ]

    def is_better(self, other: _Found) -> bool:
        """Whether its levels are lower, the first that differs, or it is as good and likelier.

        Likelier are the stances under which what is asked is likelier, so both need their room.
        """
        apart = np.flatnonzero(np.abs(self._levels - other._levels) > NEAR * self._tolerance)
        if apart.size:
            return bool(self._levels[apart[0]] < other._levels[apart[0]])
        return self._likelihood > other._likelihood

    def leave_trace(self, problem: Problem) -> None:
        """Let the problem's trace be that of this solve."""
        trace, rows = problem.trace, self._trace
        trace.rows[: len(rows)] = rows
        trace.length.count = len(rows)


def go_on(problem: Problem, q: Values) -> None:
    """After a warm solve that led to a posture (n,): keep the stances, or fade to others."""
    if not problem.stances:
        return
    taken = _taken(problem)
    scores = likelihoods(problem, q)
    for i, (stances, score) in enumerate(zip(problem.stances, scores, strict=True)):
        rooms = taken.rooms[i]
        if rooms is not None:
            score = score + rooms
        if taken.faded[i] < FADE:
            _fade(problem, taken, i, stances)
        elif score.max() > score[taken.now[i]] + MARGIN:
            taken.next[i], taken.faded[i] = int(np.argmax(score)), 0
            _fade(problem, taken, i, stances)


def _fade(problem: Problem, taken: _Taken, i: int, stances: Stances) -> None:
    """Let one person's numbers come nearer to those of the next stance, by one solve."""
    taken.faded[i] += 1
    _write(problem, stances, _faded(taken, i, stances))
    if taken.faded[i] == FADE:
        taken.now[i] = taken.next[i]


def _faded(taken: _Taken, i: int, stances: Stances) -> Values:
    """The numbers of one person, part of the way from its stance to the next."""
    share = taken.faded[i] / FADE
    before, after = stances.choices[taken.now[i]], stances.choices[taken.next[i]]
    return (1.0 - share) * before.values + share * after.values


def left_out(problem: Problem, outcome: Outcome, told: str) -> Outcome:
    """What the plain problem came to, as an outcome of the whole one: rows left out are zero.

    With a note that tells so.
    """
    residual = np.zeros(problem.blocks.inequality.size)
    residual[: outcome.residual.size] = outcome.residual
    trace, plain = problem.trace, problem.plain().trace
    count = min(plain.length.count, len(trace.rows))
    trace.rows[:count, : plain.rows.shape[1]] = plain.rows[:count]
    trace.length.count = count
    note = "; ".join(each for each in (outcome.note, told) if each)
    return outcome._replace(residual=residual, note=note)
