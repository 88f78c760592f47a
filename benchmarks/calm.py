"""A target that moves by 5 mm a frame, in and out of reach: does anything jump, and must it?

The figure of `lex.py` stands on both feet, balanced, and a hand follows a target round the front
half-space, out of reach for two fifths of the way. Every frame in which a joint moves by more than
10° is looked at again:

- The frame's 5 mm are gone through in 500 steps of 0.01 mm. Where no joint then moves by more than
  2° in a step the posture moves fast, as it must near the edge of reach, but does not jump.
- Where it does, the steepest way down the hand's error is followed from the posture before, in
  steps of 0.2°, along what keeps feet, balance and limits. If that leads farther than 2° before it
  ends, what was a minimum no longer is one. If it ends sooner the solver has left a minimum that
  is still there, and that would be a fault.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from lex import TOLERANCE, solved
from person_of_71 import Values, person, wandering
from timing import show

from poise import kernel
from poise.figure import Figure
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import CenterOfMass, Position

STEPS, REFINED, NEAR = 500, np.deg2rad(2.0), np.deg2rad(2.0)


class Frame(NamedTuple):
    """One frame of the way."""

    before: Values
    after: Values
    start: Values
    target: Values
    missed: bool
    iterations: int
    kept: float


def scene(figure: Figure) -> Problem:
    """Feet, balance, and a hand with an open target."""
    rest = figure.rest()
    places = figure.place(rest)
    held = [Wish(s, Position(s, places[s].position), 1) for s in ("left_foot", "right_foot")]
    balance = Wish("balance", CenterOfMass(figure.center_of_mass(rest), axes="xy"), 2)
    return pack(figure, rest, [*held, balance, Wish("hand", Position("left_hand", (0, 0, 0)), 3)])


def followed(figure: Figure, problem: Problem, count: int) -> list[Frame]:
    """Follow the target for so many frames."""
    start, q = figure.place(figure.rest())["left_hand"].position, figure.rest().q.copy()
    frames = []
    for frame, target in enumerate(wandering(figure, count)):
        problem.aim(3, [target])
        outcome = solved(problem, q, warm=frame > 0)
        levels = problem.levels(outcome.residual)
        missed = bool(levels[2] > TOLERANCE)
        frames.append(
            Frame(q, outcome.q, start, target, missed, outcome.iterations, levels[:2].max())
        )
        start, q = target, outcome.q
    return frames[1:]  # the first is a cold start


def moved(figure: Figure, a: Values, b: Values) -> float:
    """The greatest motion of a joint (rad)."""
    return float(np.abs(a - b)[~figure.root_coordinates].max())


def downhill(figure: Figure, problem: Problem, q: Values) -> float:
    """How far (rad) the steepest way down the last level leads from a posture."""
    packed, memory, *_ = problem.scratch["lex"]
    rows, begin = packed.blocks.level, q.copy()

    def evaluated(q: Values) -> tuple[Values, Values]:
        kernel.body.kinematics.place(packed.tree, q, memory.state)
        kernel.body.kinematics.differentiate(packed.tree, memory.state)
        kernel.residuals.evaluation.evaluate(
            packed.tree, packed.blocks, memory.state, memory.scratch, memory.residuals.trial,
            memory.jacobian, True,
        )  # fmt: skip
        return memory.residuals.trial.copy(), memory.jacobian.copy()

    low, high = figure.lower, figure.upper
    value, length = np.inf, np.deg2rad(0.2)
    while length > np.deg2rad(1e-3) and moved(figure, q, begin) < NEAR:
        residual, matrix = evaluated(q)
        above, own = matrix[: rows[2]], matrix[rows[2] :]
        value = residual[rows[2] :] @ residual[rows[2] :]
        slope = -own.T @ residual[rows[2] :]
        free, way = np.ones(q.size, bool), np.zeros(q.size)
        for _ in range(20):  # which limits the way down presses against
            way = np.zeros(q.size)
            kept = np.linalg.lstsq(above[:, free].T, slope[free], rcond=None)[0]
            way[free] = slope[free] - above[:, free].T @ kept
            stuck = free & (((q <= low) & (way < 0)) | ((q >= high) & (way > 0)))
            if not stuck.any():
                break
            free &= ~stuck
        if np.abs(way).max() < 1e-9:
            break
        trial = np.clip(q + way * (length / np.abs(way).max()), low, high)
        for _ in range(3):
            residual, matrix = evaluated(trial)
            back = np.linalg.lstsq(matrix[: rows[2], free], -residual[: rows[2]], rcond=None)[0]
            trial[free] += back
            trial = np.clip(trial, low, high)
        residual, _ = evaluated(trial)
        if residual[rows[2] :] @ residual[rows[2] :] < value:
            q = trial
        else:
            length *= 0.5
    return moved(figure, q, begin)


def looked_at(figure: Figure, problem: Problem, frame: Frame) -> tuple[str, float]:
    """What a large motion was, and its largest part in a refined step (rad)."""
    q, most = frame.before, 0.0
    for share in np.linspace(0.0, 1.0, STEPS + 1):
        problem.aim(3, [frame.start + share * (frame.target - frame.start)])
        following = solved(problem, q, warm=True).q
        step = moved(figure, q, following)
        most = max(most, step)
        if step > REFINED and downhill(figure, problem, q) < NEAR:
            return "left a minimum", most
        q = following
    return ("fast" if most <= REFINED else "minimum ceased"), most


def main(count: int) -> None:
    """Print both tables."""
    figure = person()
    problem = scene(figure)
    frames = followed(figure, problem, count)
    degrees = np.rad2deg([moved(figure, frame.before, frame.after) for frame in frames])
    stops = [
        (f.after <= figure.lower + 1e-9).astype(int) - (f.after >= figure.upper - 1e-9)
        for f in frames
    ]
    flips = sum(
        int(np.sum((now != last) & (now == earlier)))
        for earlier, last, now in zip(stops, stops[1:], stops[2:], strict=False)
    )
    show(
        "A target moved by 5 mm a frame; mark: no joint moves by 10° a frame",
        (
            "frames",
            "out of reach",
            "° a frame med/p99/most",
            "above 10°",
            "stops left and met again, a frame",
            "iterations med/p99",
            "levels 1, 2 (mm)",
        ),
        [
            [
                str(len(frames)),
                f"{np.mean([f.missed for f in frames]):.0%}",
                f"{np.median(degrees):.1f} / {np.percentile(degrees, 99):.1f} / "
                f"{degrees.max():.1f}",
                f"{np.mean(degrees > 10.0):.2%}",
                f"{flips / len(frames):.3f}",
                f"{np.median([f.iterations for f in frames]):.0f} / "
                f"{np.percentile([f.iterations for f in frames], 99):.0f}",
                f"{1e3 * max(f.kept for f in frames):.3f}",
            ]
        ],
    )
    rows = []
    for i in np.flatnonzero(degrees > 10.0):
        word, most = looked_at(figure, problem, frames[i])
        hand = "out of reach" if frames[i].missed else "on the target"
        rows.append([str(i), hand, f"{degrees[i]:.1f}", f"{np.rad2deg(most):.2f}", word])
    show(
        "The frames above 10°, gone through in steps of 0.01 mm; mark: none has left a minimum",
        ("frame", "hand", "°", "° in a refined step, most", "what it was"),
        rows,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2400)
