"""Section 5.3.5 with Figs. 5.9 and 5.10: both formulations in three practical tests.

The tests are on the chain of Fig. 5.4: E1, the right tip, has priority over E2, the left tip. One
iteration is one frame. Where damping is used it lets a level turn joints by 0.25 rad at most, as
`priority` does unless told otherwise; in the first test by 0.1, so that its effect is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from poise.figure import Figure
from poise.reproductions.balance_2001.chains import (
    Values,
    marked_chain,
    nearest_elbow,
    two_tips,
    unit,
)
from poise.reproductions.balance_2001.sheets import FIRST, INK, SECOND, Panel, Sheet, framing
from poise.reproductions.balance_2001.stepping import (
    PLANE,
    UNDAMPED,
    center_above,
    iterate,
    settle,
    site,
)
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import millimetres

_USUAL, _STRONG = 0.25, 0.1
_REACHED = 1e-3
"""A goal counts as reached when it is this near (m)."""

_COLORS = {"first": FIRST, "second": SECOND}
_FRAMES, _AFTER = 20, 100


# the first test ----------------------------------------------------------------------------------


def moving_the_main_goal(folder: Path | None, report: Report) -> Result:
    """Test 1: the goal of E1 is moved; what does E2 do?"""
    figure = two_tips()
    near, far = (0.15, 0.45), (0.75, 0.60)
    report("E1 is moved", 0.0)
    fixed = _drag(figure, near, "first", UNDAMPED)
    damped = _drag(figure, near, "first", _STRONG)
    second = _drag(figure, near, "second", _STRONG)
    report("E1 is moved away from E2", 0.5)
    wild = _drag(figure, far, "first", UNDAMPED)
    tame = _drag(figure, far, "first", _STRONG)
    start = figure.place(figure.rest())["right"].position[PLANE]
    moved = float(np.linalg.norm(np.array(near) - start))
    turns, wide = _reversals(wild[_FRAMES:, 1]), _swing(wild[_FRAMES:, 1])
    claims = (
        Claim.words(
            "with the first formulation E2 stays fixed if no damping is used",
            "E2 stays fixed if no damping is used",
            f"E2 moves {millimetres(fixed[:, 1].max())} while E1 moves {millimetres(moved)}",
            float(fixed[:, 1].max()) < 0.01 * moved,
        ),
        Claim.words(
            "but near algorithmic singularities this causes severe oscillations",
            "near algorithmic singularities this causes severe oscillations",
            # How often, and how far, depends on the last bit: what is said of it must not.
            f"E2 turns round {_at_least(turns, 10, 'times')} in {_AFTER} frames after E1's goal "
            f"has stopped, by {_at_least(1e3 * wide, 100, 'mm')}; damped, by "
            f"{millimetres(_swing(tame[_FRAMES:, 1]))}",
            turns >= 10 and wide > 0.1,
        ),
        Claim.words(
            "and even the violation of the priority levels; damping avoids it",
            "and even the violation of the priority levels",
            f"E1 is up to {wild[:, 0].max():.2f} m off its goal, damped "
            f"{millimetres(tame[:, 0].max())}",
            float(wild[:, 0].max()) > 0.1 and float(tame[:, 0].max()) < 0.01,
        ),
        Claim.words(
            "with damping E2 is no more fixed, but quickly comes back to its initial point",
            "no more fixed, but still quickly comes back to its initial point",
            f"up to {millimetres(damped[:, 1].max())} away, {millimetres(damped[_FRAMES + 9, 1])} "
            "ten frames after the stop",
            float(damped[:, 1].max()) > 2 * float(fixed[:, 1].max())
            and float(damped[_FRAMES + 9, 1]) < _REACHED,
        ),
        Claim.words(
            "the second formulation leads to very large movements of E2",
            "leads to very large movements of E2",
            f"{millimetres(second[:, 1].max())} while E1 moves {millimetres(moved)}",
            float(second[:, 1].max()) > 0.5 * moved,
        ),
        Claim.words(
            "it starts to converge only when E1 stops",
            "starting to converge to its initial point only when we stop to move E1",
            f"{millimetres(second[_FRAMES - 1, 1])} away at the stop, the most until then "
            f"{millimetres(second[:_FRAMES, 1].max())}; {millimetres(second[-1, 1])} after "
            f"{_AFTER} frames more",
            bool(second[_FRAMES - 1, 1] == second[:_FRAMES, 1].max())
            and bool(second[-1, 1] < second[_FRAMES - 1, 1]),
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(2, size=(4.2, 3.0))
    calm, torn = sheet.panels
    for away, color, text in (
        (fixed, INK, "first, undamped"),
        (damped, FIRST, "first, damped"),
        (second, SECOND, "second"),
    ):
        calm.path(_timed(away[:, 1]), color=color, dots=False, text=text)
    for away, color, text in ((wild, INK, "first, undamped"), (tame, FIRST, "first, damped")):
        torn.path(_timed(away[:, 0]), color=color, dots=False, text=text)
    calm.title("E2 away from its place; E1's goal moves for 20 frames")
    torn.title("E1 off its goal, which goes out of reach of E2's")
    for panel, name in ((calm, "E2"), (torn, "E1")):
        panel.axes.axvspan(0, _FRAMES, color="#eef1f5", zorder=0)
        panel.labels("frame", f"distance of {name} (mm)")
        panel.legend()
    return Result(claims, (sheet.save(folder, "2001-test-1"),))


def _drag(figure: Figure, end: ArrayLike, formulation: str, longest: float) -> Values:
    """How far E1 and E2 are from their goals (frames, 2), while E1's moves and afterwards."""
    q = figure.rest().q
    where = figure.place(q)
    main, other = (where[name].position[PLANE].copy() for name in ("right", "left"))
    levels = [site(figure, "right", main), site(figure, "left", other)]
    start, shares = main.copy(), np.arange(1, _FRAMES + 1) / _FRAMES
    away: list[list[float]] = []
    for share in [*shares.tolist(), *([1.0] * _AFTER)]:
        main[:] = start + share * (np.asarray(end) - start)
        q = iterate(q, levels, formulation, longest=longest)
        away.append([float(np.linalg.norm(level(q).wanted)) for level in levels])
    return np.array(away)


def _at_least(value: float, least: float, unit: str) -> str:
    """A number, or only that it is as large as it must be."""
    return f"{least:g} {unit} or more" if value >= least else f"{value:.0f} {unit}"


def _reversals(values: Values) -> int:
    """How often something that grows begins to fall, or the other way round, by over 1 mm."""
    steps = np.diff(values)
    steps = steps[np.abs(steps) > 1e-3]
    return int(np.sum(steps[1:] * steps[:-1] < 0))


def _swing(values: Values) -> float:
    return float(np.abs(np.diff(values)).max())


def _timed(values: Values) -> Values:
    return np.stack([np.arange(1.0, len(values) + 1), 1e3 * values], axis=-1)


# the second test ---------------------------------------------------------------------------------


def moving_the_secondary_goal(folder: Path | None, report: Report) -> Result:
    """Test 2 with Fig. 5.10: the goal of E2 is moved; does E1 stay, and which way does E2 go?"""
    report("eight directions", 0.0)
    figure, q = _bent()
    where = figure.place(q)
    main, start = (where[name].position[PLANE] for name in ("right", "left"))
    stirred, ratios, counts = 0.0, dict[str, list[float]](), dict[str, list[int]]()
    for formulation in _COLORS:
        ratios[formulation], counts[formulation] = [], []
        for angle in np.deg2rad(np.arange(0, 360, 45)):
            goal = start + 0.2 * np.array([np.cos(angle), np.sin(angle)])
            levels = [site(figure, "right", main), site(figure, "left", goal)]
            way = settle(q, levels, formulation, longest=_USUAL, most=600)
            stirred = max(stirred, *(float(np.linalg.norm(levels[0](p).wanted)) for p in way))
            path = _cut(_path(figure, way, "left"), goal)
            ratios[formulation].append(_length(path) / 0.2)
            counts[formulation].append(len(path) - 1)
    report("the centre of mass on a line", 0.4)
    chain = marked_chain([0.15] * 8, {"tip": (8, 1.0)}, [90.0, *([0.0] * 7)])
    goals = [(x, z) for x in (0.15, 0.30) for z in (0.3, 0.5, 0.7, 0.9)]
    shown = (0.15, 0.7)
    ways = {
        (goal, f): settle(
            chain.rest().q,
            [center_above(chain, 0.0), site(chain, "tip", np.array(goal))],
            f,
            longest=_USUAL,
            most=800,
        )
        for goal in goals
        for f in _COLORS
    }
    paths = {key: _cut(_path(chain, way, "tip"), key[0]) for key, way in ways.items()}
    drift = max(abs(float(chain.center_of_mass(q)[0])) for way in ways.values() for q in way)
    one, two = (_length(paths[shown, f]) for f in _COLORS)
    shorter = sum(_length(paths[g, "first"]) < _length(paths[g, "second"]) for g in goals)
    reached = all(np.linalg.norm(p[-1] - g) <= _REACHED for (g, _), p in paths.items())
    direct = sum(a < b for a, b in zip(ratios["first"], ratios["second"], strict=True))
    spread = {f: max(c) / min(c) for f, c in counts.items()}
    claims = (
        Claim.words(
            "with both formulations E1 does not move",
            "with both formulations E1 does not move",
            f"at most {millimetres(stirred)} while E2 moves 200 mm, which the next step takes back",
            stirred < 0.01 * 0.2,
        ),
        Claim.words(
            "E2's path is less direct with the second formulation",
            "the path is less direct than with the first formulation",
            f"in {direct} of 8 directions; 1st {_range(ratios['first'])}, 2nd "
            f"{_range(ratios['second'])} times the straight way",
            direct == 8,
        ),
        Claim.words(
            "its displacements are anisotropic: fast in some directions, very slow in others",
            "fast in some directions but very slow in others",
            f"2nd {min(counts['second'])}–{max(counts['second'])} steps to a millimetre, 1st "
            f"{min(counts['first'])}–{max(counts['first'])}",
            spread["second"] > 5 and spread["first"] < 2,
        ),
        Claim.words(
            "Fig. 5.10: with the centre of mass on a vertical line the path of the first "
            "formulation is clearly shorter",
            "the path taken by the first formulation … is shorter",
            f"{one:.2f} m against {two:.2f} m; shorter for {shorter} of {len(goals)} goals, all "
            + ("reached by both" if reached else "but not all reached"),
            one < two and shorter == len(goals) and reached,
        ),
        Claim.words(
            "Fig. 5.10: the centre of mass stays on the line",
            "the center of mass … must stay on the vertical line",
            f"at most {millimetres(drift)} off",
            drift < 0.01,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(3, size=(2.9, 3.2))
    titles = ("initial configuration", "first formulation", "second formulation")
    ends = {f: chain.posture(ways[shown, f][-1]) for f in _COLORS}
    view = framing([chain.rest(), *ends.values()], *(paths[shown, f] for f in _COLORS))
    for panel, formulation, title in zip(sheet.panels, ("", *_COLORS), titles, strict=True):
        panel.axes.axvline(0.0, color=INK, lw=0.8, ls=":", zorder=0)
        posture = ends[formulation] if formulation else chain.rest()
        panel.chain(posture)
        panel.point(chain.center_of_mass(posture)[PLANE], color=INK, size=7.0)
        panel.write(chain.center_of_mass(posture)[PLANE], "E1", away=(-9.0, 2.0))
        panel.point(chain.place(posture)["tip"].position[PLANE])
        panel.goal(shown, "E2's goal", away=(9.0, -3.0))
        if formulation:
            panel.path(paths[shown, formulation], color=_COLORS[formulation])
            length = _length(paths[shown, formulation])
            title += f": {length:.2f} m, {len(paths[shown, formulation]) - 1} steps"
        panel.title(title)
        panel.picture(view, 0.08)
    return Result(claims, (sheet.save(folder, "2001-fig-5.10"),))


# the third test ----------------------------------------------------------------------------------


def out_of_reach(folder: Path | None, report: Report) -> Result:
    """Test 3 with Fig. 5.9: the goal of E2 is out of its reach."""
    figure, q = _bent()
    main = figure.place(q)["right"].position[PLANE]
    goal = np.array([-0.9, 0.9])
    levels = [site(figure, "right", main), site(figure, "left", goal)]
    ways: dict[str, list[Values]] = {}
    for i, formulation in enumerate(_COLORS):
        report(f"{formulation} formulation", 0.5 * i)
        ways[formulation] = settle(q, levels, formulation, longest=_USUAL, most=4000)
    away = {f: [float(np.linalg.norm(levels[1](p).wanted)) for p in w] for f, w in ways.items()}
    least = float(np.linalg.norm(goal - nearest_elbow(main, goal))) - 0.4
    first, second = away["first"][-1], away["second"][-1]
    nearest = min(away["second"])
    tip = _path(figure, ways["second"], "left")
    edge = [_room(main, point) for point in tip]
    kept = max(float(np.linalg.norm(levels[0](w[-1]).wanted)) for w in ways.values())
    claims = (
        Claim.check(
            "E1, which has priority, keeps its place with both",
            f"at most {millimetres(kept)} off in the end",
            kept < 1e-4,
        ),
        Claim.words(
            "with the first formulation E2 attains the boundary of its reach and minimises its "
            "distance to the goal",
            "attains the reachable space boundary and minimizes its distance to the goal",
            f"{millimetres(first)} from the goal; the least is {millimetres(least)}",
            first < least + 1e-4,
        ),
        Claim.words(
            "with the second it ends in a non-optimal position",
            "moves to a non-optimal position",
            f"{millimetres(second)} from the goal, {millimetres(second - least)} more than the "
            "least",
            second > least + 1e-3,
        ),
        Claim.words(
            "with the second E2 comes nearer first and then moves away to that position",
            "first reaches the limit and then moves",
            f"{millimetres(nearest)} after {int(np.argmin(away['second']))} steps, "
            f"{millimetres(second)} in the end",
            nearest < second - 1e-3,
        ),
        Claim.words(
            "with the second E2 first reaches the limit of its reach",
            "first reaches the limit",
            f"{millimetres(min(edge))} from the boundary at the nearest, {millimetres(edge[-1])} "
            "in the end",
            min(edge) < _REACHED,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(2, size=(3.6, 3.2))
    postures = [figure.posture(way[-1]) for way in ways.values()]
    view = framing(postures, goal, tip)
    for panel, posture, formulation in zip(sheet.panels, postures, _COLORS, strict=True):
        _draw_reach(panel, main)
        panel.chain(posture)
        panel.path(_path(figure, ways[formulation], "left"), color=_COLORS[formulation])
        where = figure.place(posture)
        tip_now = where["left"].position[PLANE]
        panel.tie(tip_now, goal)
        for name, text in (("right", "E1"), ("left", "E2")):
            panel.point(where[name].position[PLANE])
            panel.write(where[name].position[PLANE], text, color=INK, away=(5.0, -12.0))
        panel.goal(goal, "$g_2$")
        panel.title(f"{formulation} formulation: {millimetres(away[formulation][-1])} short")
        panel.picture(view, 0.1)
    return Result(claims, (sheet.save(folder, "2001-fig-5.9"),))


def _room(main: Values, point: Values) -> float:
    """How far E2 is from the boundary of its reach, inside it, with E1 in its place (m).

    For points outside the disks in which the arms can meet: E2 reaches 0.4 m beyond those.
    """
    return 0.4 - float(np.linalg.norm(point - nearest_elbow(main, point)))


def _draw_reach(panel: Panel, main: Values) -> None:
    """The boundary of what E2 can reach."""
    angles = np.linspace(0.0, 2.0 * np.pi, 721)
    edge: list[Values] = []
    for ray in np.stack([np.cos(angles), np.sin(angles)], axis=-1):
        elbow = nearest_elbow(main, 50.0 * ray)
        edge.append(elbow + 0.4 * unit(50.0 * ray - elbow))
    panel.axes.fill(*np.array(edge).T, color="#f1f4f8", ec="#b8c2ce", lw=1.0, zorder=0)


# what all have in common -------------------------------------------------------------------------


def _bent() -> tuple[Figure, Values]:
    """The chain of two tips with arms bent, so that E2 has room on all sides."""
    figure = two_tips()
    posture = figure.rest()
    posture["left_2"], posture["right_2"] = -np.deg2rad(100.0), np.deg2rad(100.0)
    return figure, posture.q


def _path(figure: Figure, way: Sequence[Values], name: str) -> Values:
    return np.array([figure.place(q)[name].position[PLANE] for q in way])


def _cut(path: Values, goal: ArrayLike) -> Values:
    """A path up to where it has reached the goal."""
    near = np.flatnonzero(np.linalg.norm(path - np.asarray(goal), axis=1) <= _REACHED)
    return path[: near[0] + 1] if near.size else path


def _length(path: Values) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f}–{max(values):.2f}"
