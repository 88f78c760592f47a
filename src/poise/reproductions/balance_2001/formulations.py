"""Figs. 5.5–5.8: one step of two tasks by both formulations, seen in the space of two joints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from poise.reproductions.balance_2001.chains import Values
from poise.reproductions.balance_2001.sheets import FIRST, GREY, INK, SECOND, Panel, Sheet
from poise.reproductions.balance_2001.stepping import UNDAMPED, Rows, linear_step
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import rounding

_LONGEST = 1.5
"""The longest partial step (rad) where damping is used."""


@dataclass(frozen=True)
class Situation:
    """Two tasks of one row each: their lines in the plane of Δq₁ and Δq₂."""

    name: str
    first: Rows
    second: Rows

    def step(self, formulation: str, longest: float = UNDAMPED) -> Values:
        """The step by a formulation."""
        return linear_step([self.first, self.second], formulation, longest=longest)[0]

    def missed(self, step: Values) -> tuple[float, float]:
        """By how much a step misses what each task wants."""
        tasks = (self.first, self.second)
        one, two = (abs(float((t.jacobian @ step - t.wanted)[0])) for t in tasks)
        return one, two


def line(direction: float, offset: float) -> Rows:
    """A task whose solutions are a line: normal to a direction (degrees), so far from zero."""
    angle = np.deg2rad(direction)
    return Rows(np.array([[np.cos(angle), np.sin(angle)]]), np.array([offset]))


_PRIMARY = line(75.0, 0.6)
COMPATIBLE = Situation("compatible", _PRIMARY, line(35.0, 1.1))
NEARLY = Situation("nearly in conflict", _PRIMARY, line(65.0, 1.2))
CONFLICT = Situation("in conflict", _PRIMARY, line(75.0, 1.2))
SITUATIONS = (COMPATIBLE, NEARLY, CONFLICT)


def one_step(folder: Path | None, report: Report) -> Result:
    """Figs. 5.5–5.8: what both formulations make of tasks that agree, and of tasks that do not."""
    report("steps of two tasks", 0.0)
    alone = linear_step([_PRIMARY])[0]
    firsts = {s.name: s.step("first") for s in SITUATIONS}
    damped = {s.name: s.step("first", _LONGEST) for s in SITUATIONS}
    seconds = {s.name: s.step("second") for s in SITUATIONS}
    steps = [(s, each[s.name]) for s in SITUATIONS for each in (firsts, damped, seconds)]
    respected = max(s.missed(step)[0] for s, step in steps)
    met = max(s.missed(firsts[s.name])[1] for s in (COMPATIBLE, NEARLY))
    angles = (10.0, 1.0, 0.1)
    near = [Situation("", _PRIMARY, line(75.0 - angle, 1.2)) for angle in angles]
    grown = [float(np.linalg.norm(s.step("first"))) for s in near]
    kept = [float(np.linalg.norm(s.step("first", _LONGEST))) for s in near]
    bound = float(np.linalg.norm(alone)) + _LONGEST
    still = max(s.missed(s.step("first", _LONGEST))[0] for s in near)
    off = max(float(np.linalg.norm(seconds[s.name] - _projected(s))) for s in SITUATIONS)
    poor = COMPATIBLE.missed(seconds[COMPATIBLE.name])[1]
    # What is exact is so to rounding, of numbers as long as the longest step.
    exact = rounding(max(grown))
    lost = float(np.linalg.norm(CONFLICT.second.jacobian @ _null(CONFLICT.first)))
    claims = (
        Claim.words(
            "5.5: of all solutions of a task the least-squares one is nearest to zero, at right "
            "angles to them",
            "a particular, least-squares solution",
            f"‖Δq‖ = {np.linalg.norm(alone):.3f}, the distance of the line is 0.600",
            abs(float(np.linalg.norm(alone)) - 0.6) < exact,
        ),
        Claim.words(
            "in all situations both solutions satisfy the task of high priority",
            "therefore the priorities are always respected",
            f"missed by at most {respected:.0e}",
            respected < exact,
        ),
        Claim.words(
            "5.6, 5.7: without conflict the first gives the intersection of both solution spaces",
            "the intersection of the two solution spaces",
            f"low priority missed by at most {met:.0e}",
            met < exact,
        ),
        Claim.words(
            "5.7: towards a conflict its norm grows to infinity",
            "its norm grows to infinity",
            _listed(angles, grown),
            all(b > 5 * a for a, b in pairwise(grown)),
        ),
        Claim.words(
            "5.7: damping keeps the norm within a reasonable limit, without violating priority",
            "to keep the norm within a reasonable limit, without violating the priority order",
            f"{_listed(angles, kept)}; high priority missed by {still:.0e}",
            max(kept) <= bound and still < exact,
        ),
        Claim.words(
            "the second gives the orthogonal projection of the secondary task's own solution on "
            "the solutions of the primary",
            "the orthogonal projection of the secondary task solution",
            f"off by at most {off:.0e}",
            off < exact,
        ),
        Claim.words(
            "5.7: near a conflict the second needs no damping to stay short",
            "the solution obtained near conflicts … is acceptable",
            f"‖Δq‖ = {np.linalg.norm(seconds[NEARLY.name]):.2f}, the first "
            f"{np.linalg.norm(firsts[NEARLY.name]):.2f}",
            bool(np.linalg.norm(seconds[NEARLY.name]) < np.linalg.norm(firsts[NEARLY.name])),
        ),
        Claim.words(
            "5.6: but it tracks the secondary task poorly even where the tasks are compatible",
            "poorly tracks the secondary task when the tasks are compatible",
            f"misses {poor:.2f} of {COMPATIBLE.second.wanted[0]:.2f}",
            poor > exact,
        ),
        Claim.words(
            "5.8: in conflict the first is exactly at an algorithmic singularity",
            "exactly at an algorithmic singularity",
            f"‖J₂ P₁‖ = {lost:.0e}",
            lost < exact,
        ),
    )
    if folder is None:
        return Result(claims)
    sheet = Sheet(4, size=(2.9, 3.0))
    _draw_set(sheet.panels[0], alone)
    for panel, situation, number in zip(
        sheet.panels[1:], SITUATIONS, ("5.6", "5.7", "5.8"), strict=True
    ):
        _draw(panel, situation, firsts[situation.name], damped[situation.name])
        panel.title(f"{number}  {situation.name}")
    return Result(claims, (sheet.save(folder, "2001-fig-5.5-5.8"),))


def _null(rows: Rows) -> Values:
    """The projector on the null space of a task of one row."""
    j = rows.jacobian[0] / np.linalg.norm(rows.jacobian[0])
    return np.eye(2) - np.outer(j, j)


def _own(rows: Rows) -> Values:
    """The least-squares solution of a task of one row by itself."""
    j = rows.jacobian[0]
    return j * (rows.wanted[0] / (j @ j))


def _projected(situation: Situation) -> Values:
    """The secondary task's solution, dropped at right angles on the primary's line."""
    return _own(situation.first) + _null(situation.first) @ _own(situation.second)


def _listed(angles: ArrayLike, norms: ArrayLike) -> str:
    found = zip(np.asarray(angles).tolist(), np.asarray(norms).tolist(), strict=True)
    return ", ".join(f"{norm:.3g} at {angle:g}°" for angle, norm in found)


# drawing ---------------------------------------------------------------------------------------


def _draw_set(panel: Panel, alone: Values) -> None:
    """Fig. 5.5."""
    _axes(panel)
    _line(panel, _PRIMARY, INK)
    panel.arrow((0.0, 0.0), alone, color=INK)
    panel.write(alone, "$\\Delta q = J^+ \\Delta x$", away=(6.0, 8.0))
    panel.write((-0.95, 1.05), "solutions: $J\\,\\Delta q = \\Delta x$", away=(0.0, 0.0))
    panel.title("5.5  solutions of one task")


def _draw(panel: Panel, situation: Situation, first: Values, damped: Values) -> None:
    _axes(panel)
    _line(panel, situation.first, INK)
    _line(panel, situation.second, "#a9b1bb")
    one, two = _own(situation.first), _own(situation.second)
    second = _projected(situation)
    panel.arrow((0.0, 0.0), one, color=INK, width=1.0)
    panel.arrow((0.0, 0.0), two, color="#a9b1bb", width=1.0)
    panel.tie(two, second, color=SECOND)
    if np.linalg.norm(damped - first) > 1e-6:
        panel.point(first, color="white", size=7.0)
        panel.arrow((0.0, 0.0), damped, color=FIRST)
        panel.write(damped, "$\\Delta q_I$, damped", color=FIRST, away=(-30.0, -15.0))
    else:
        panel.arrow((0.0, 0.0), first, color=FIRST)
        panel.write(first, "$\\Delta q_I$", color=FIRST, away=(4.0, 6.0))
    panel.arrow((0.0, 0.0), second, color=SECOND)
    panel.write(second, "$\\Delta q_{II}$", color=SECOND, away=(-4.0, 6.0))


def _axes(panel: Panel) -> None:
    for end in ((1.0, 0.0), (0.0, 1.0)):
        panel.axes.axline((0.0, 0.0), end, color="#d5dae0", lw=0.8, zorder=0)
    panel.picture([(-1.0, -0.6), (2.1, 1.9)], 0.02)
    panel.write((1.75, 0.0), "$\\Delta q_1$", color=GREY, away=(0.0, -11.0))
    panel.write((0.0, 1.7), "$\\Delta q_2$", color=GREY, away=(3.0, 0.0))


def _line(panel: Panel, rows: Rows, color: str) -> None:
    foot, (a, b) = _own(rows), rows.jacobian[0]
    panel.axes.axline(tuple(foot), tuple(foot + (-b, a)), color=color, lw=1.6, zorder=1)
