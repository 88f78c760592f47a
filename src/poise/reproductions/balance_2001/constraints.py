"""Figs. 5.17 and 5.18: hard constraints within a step, linear and curved."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import FIRST, GREY, INK, SECOND, SITE, Sheet
from poise.reproductions.balance_2001.stepping import Rows, linear_step
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import rounding

_EXACT = rounding()
"""All numbers here are about 1: what is exact is so to rounding."""

# Four linear inequalities c · q ≤ b bound the feasible region, as in Fig. 5.15.
_WALLS = np.array([[1.0, 0.15], [0.25, 1.0], [-1.0, 0.1], [0.0, -1.0]])
_ENDS = np.array([1.05, 0.95, 0.3, 0.3])


def two_limits(folder: Path | None, report: Report) -> Result:
    """Fig. 5.17: a step that would break two linear constraints."""
    report("one step", 0.0)
    start = np.array([0.15, 0.25])
    task = Rows(np.array([[0.9, 0.5], [0.1, 1.0]]), np.array([1.30, 0.62]))
    room = _ENDS - _WALLS @ start
    free, _ = linear_step([task])
    ends = np.stack([np.full(len(room), -np.inf), room])
    step, rounds = linear_step([task], hard=_WALLS, ends=ends)
    broken = int(np.sum(_WALLS @ free > room + _EXACT))
    left = room - _WALLS @ step
    active = int(np.sum(np.abs(left) < _EXACT))
    cut = _cut_short(free, room)
    missed, biased = (float(np.linalg.norm(task.jacobian @ s - task.wanted)) for s in (step, cut))
    claims = (
        Claim.setup(
            "the unconstrained step would violate two constraints", "2", str(broken), broken == 2
        ),
        Claim.words(
            "the next configuration satisfies all constraints",
            "loops until the solution satisfies all inequality constraints",
            f"over by {abs(min(float(left.min()), 0.0)):.0e} at most",
            float(left.min()) > -_EXACT,
        ),
        Claim.words(
            "it is set precisely on the boundary, instead of staying where it was",
            "precisely set on the boundary … instead of staying at its current position",
            f"on {active} of the constraints, {np.linalg.norm(step):.2f} from the start",
            active >= 1 and float(np.linalg.norm(step)) > 0.1,
        ),
        Claim.words(
            "only few iterations are required",
            "Usually only few iterations are required",
            f"the step is computed {rounds} times",
            rounds <= 1 + broken,
        ),
        Claim.words(
            "merely truncating the step instead introduces a bias (5.4)",
            "merely truncating … introduces a bias into the solution",
            f"the task is missed by {biased:.3f} rather than {missed:.3f}",
            biased > missed + _EXACT,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(1, size=(4.6, 3.6))
    panel = sheet.panels[0]
    panel.axes.fill(*_corners().T, color="#eef3f8", ec=INK, lw=1.2, zorder=0)
    panel.arrow(start, start + free, color=GREY)
    panel.arrow(start, start + step, color=FIRST)
    panel.tie(start, start + cut, color=SECOND)
    for point, text, color, away in (
        (start, "$q_i$", INK, (-6.0, -12.0)),
        (start + free, "$q_i + \\Delta q$, invalid", GREY, (-4.0, 8.0)),
        (start + step, "$q_{i+1}$", FIRST, (8.0, -2.0)),
        (start + cut, "truncated", SECOND, (-8.0, -14.0)),
    ):
        panel.point(point, color=color)
        panel.write(point, text, color=color, away=away)
    panel.title("two violated constraints, and the next valid configuration")
    panel.picture(np.concatenate([_corners(), [start + free]]), 0.08)
    return Result(claims, (sheet.save(folder, "2001-fig-5.17"),))


def _cut_short(step: Values, room: Values) -> Values:
    """As much of a step as breaks nothing."""
    pace = _WALLS @ step
    return step * min(1.0, float(np.min(room[pace > 0] / pace[pace > 0])))


def _corners() -> Values:
    """The corners of the room, in order."""
    found: list[Values] = []
    for i in range(len(_ENDS)):
        for j in range(i):
            pair = _WALLS[[i, j]]
            if abs(np.linalg.det(pair)) > _EXACT:
                corner = np.linalg.solve(pair, _ENDS[[i, j]])
                if np.all(_WALLS @ corner <= _ENDS + _EXACT):
                    found.append(corner)
    corners = np.array(found)
    around = corners - corners.mean(axis=0)
    return corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]


def circle(folder: Path | None, report: Report) -> Result:
    """Fig. 5.18: a quadratic constraint, linearised for each step and restored after it."""
    report("steps on a circle", 0.0)
    goal = np.array([2.0, 1.1])
    q = np.array([np.cos(-0.15), np.sin(-0.15)])
    points, tips, frees = [q], list[Values](), list[Values]()
    for _ in range(60):
        wanted = goal - q
        wanted = wanted * min(1.0, 0.45 / float(np.linalg.norm(wanted)))
        task = Rows(np.eye(2), wanted)
        step, _ = linear_step([task], hard=q[None], ends=np.zeros((2, 1)))
        frees.append(q + wanted)
        tips.append(q + step)
        q = (q + step) / np.linalg.norm(q + step)
        points.append(q)
        if float(np.linalg.norm(step)) < 1e-10:
            break
    moved = [i for i, (a, b) in enumerate(zip(points, tips, strict=False)) if _far(a, b) > 0.05]
    tangent = max(abs(float((tips[i] - points[i]) @ points[i])) for i in moved)
    corrections = [abs(float(np.linalg.norm(tips[i])) - 1.0) for i in moved]
    without = [abs(float(np.linalg.norm(frees[i])) - 1.0) for i in moved]
    off = max(abs(float(np.linalg.norm(p)) - 1.0) for p in points)
    best = goal / np.linalg.norm(goal)
    smaller = [c / w for c, w in zip(corrections, without, strict=True)]
    claims = (
        Claim.words(
            "after the step the configuration lies on the tangent",
            "After the step, the configuration still lies on the tangent space",
            f"{tangent:.0e} off",
            tangent < _EXACT,
        ),
        Claim.words(
            "but not on the circle, so that a correction is necessary",
            "but not on the circle",
            f"{min(corrections):.3f} to {max(corrections):.3f} off",
            min(corrections) > _EXACT,
        ),
        Claim.words(
            "the correction is small, since the step is small",
            "this correction is small since the step … is small",
            f"at most {max(corrections):.3f} for steps of up to "
            f"{max(_far(points[i], tips[i]) for i in moved):.2f}",
            max(corrections) < 0.25 * max(_far(points[i], tips[i]) for i in moved),
        ),
        Claim.words(
            "it is much smaller than without considering the constraint at all",
            "much smaller than without considering the constraint at all",
            f"{min(smaller):.2f} to {max(smaller):.2f} of that",
            max(smaller) < 0.5,
        ),
        Claim.words(
            "after each projection the configuration is valid",
            "projected on the circle in order to obtain a valid configuration",
            f"{off:.0e} off",
            off < _EXACT,
        ),
        Claim.check(
            "the iteration ends at the point of the circle that is nearest to the goal",
            f"{_far(points[-1], best):.0e} from it after {len(tips)} steps",
            _far(points[-1], best) < 1e-6,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(1, size=(4.2, 3.8))
    panel = sheet.panels[0]
    panel.ring((0.0, 0.0), 1.0, color=INK, width=1.4)
    along = np.array([-points[0][1], points[0][0]])
    panel.axes.axline(tuple(points[0]), tuple(points[0] + along), color=GREY, lw=1.0, zorder=0)
    for i in range(3):
        panel.arrow(points[i], tips[i], color=SITE)
        panel.tie(tips[i], points[i + 1], color=SECOND)
        panel.point(points[i], color=FIRST)
    panel.point(points[3], color=FIRST)
    panel.write(points[0], "$q_i$", away=(8.0, -10.0))
    panel.write(tips[0], "$\\Delta q$, on the tangent", color=SITE, away=(9.0, 0.0))
    panel.write(points[1], "$q_{i+1}$", away=(-8.0, -8.0))
    panel.goal(goal, "goal")
    panel.title("steps on the tangent, then back on the circle")
    panel.picture([(-0.2, -0.6), (2.1, 1.5)], 0.02)
    return Result(claims, (sheet.save(folder, "2001-fig-5.18"),))


def _far(a: Values, b: Values) -> float:
    return float(np.linalg.norm(a - b))
