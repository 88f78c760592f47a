"""Fig. 4: the flexion of the chest while a hand is pulled to the front, by eq. 7, eq. 8 and PI.

The paper shows curves of its finite differences, and calls the first jaggy. Here that is the total
variation of their second differences. It prints no stiffness **a**: all joints are alike here, and
once more each costs the more the less it can turn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poise.figure import Figure
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, GREY, ORANGE, plot
from poise.reproductions.lpik_2005.scenes import Values, pulled_hand

SIMILAR = 1.2
"""What is similar is at most so many times as jaggy."""
CLEARLY = 1.2
"""What is clearly more is at least so many times as much."""

_LP = {"eq. 7": 0.0, "eq. 8": 1.0}
"""The α of each."""


def motions(frames: int = 100) -> tuple[Figure, dict[str, Values], dict[str, Values]]:
    """The figure, and its finite differences (rad, m) by method: all alike, and by range."""
    scene, paths = pulled_hand(frames)
    (figure,) = scene.figures.values()
    # What has no end may go round once.
    turn = np.minimum(figure.upper - figure.lower, 2 * np.pi)

    def steps(method: str, **own: Any) -> Values:
        return np.diff(scene.animate(paths, method, tolerance=1e-5, **own).solutions.q, axis=0)

    alike = {name: steps("lp", alpha=alpha) for name, alpha in _LP.items()}
    by_range = {
        name: steps("lp", alpha=alpha, a=np.median(turn) / turn) for name, alpha in _LP.items()
    }
    least_squares = {"PI": steps("pinv", limits="added")}
    return figure, alike | least_squares, by_range | least_squares


def jaggedness(steps: Values) -> float:
    """The total variation of the second difference (rad), of all coordinates together."""
    return float(np.abs(np.diff(steps, 2, axis=0)).sum())


def chest_flexion(folder: Path | None, report: Report) -> Result:
    """How jagged the flexion of the chest is."""
    report("pulling the hand", 0.0)
    figure, alike, by_range = motions()
    chest = figure.index("upper_back.swing_y")
    steps = {name: each[:, chest] for name, each in alike.items()}
    whole = {name: jaggedness(each) for name, each in by_range.items()}
    rough = {name: jaggedness(each) for name, each in steps.items()}
    most = {name: float(np.abs(each).max()) for name, each in steps.items()}
    begin = len(steps["PI"]) // 4
    early = {name: float(np.abs(each[:begin]).sum()) for name, each in steps.items()}
    sized = {name: rough[name] / most[name] for name in rough}
    claims = (
        Claim.words(
            f"with eq. 7 the flexion is jaggy: clearly more than with PI ({CLEARLY:g} times)",
            "the trajectory of the flexion is sometimes jaggy",
            f"{rough['eq. 7'] / rough['PI']:.2f} times as much",
            rough["eq. 7"] > CLEARLY * rough["PI"],
        ),
        Claim.words(
            "with eq. 7 the chest moves a lot at the beginning: in the first quarter clearly more "
            f"than with PI ({CLEARLY:g} times)",
            "the chest tends to move a lot at the beginning",
            f"{early['eq. 7'] / early['PI']:.2f} times as far",
            early["eq. 7"] > CLEARLY * early["PI"],
        ),
        Claim.words(
            f"with eq. 8 the jaggedness is removed: eq. 7 has clearly more ({CLEARLY:g} times)",
            "the jaggyness is removed",
            f"{rough['eq. 7'] / rough['eq. 8']:.2f} times as much",
            rough["eq. 7"] > CLEARLY * rough["eq. 8"],
        ),
        Claim.words(
            f"with eq. 8 the trajectory is similar to that of PI: at most {SIMILAR:g} times as "
            "jagged",
            "the trajectory (the solid line) is now similar to that of PI",
            f"{rough['eq. 8'] / rough['PI']:.2f} times as jagged; it moves "
            f"{most['eq. 8'] / most['PI']:.2f} times as fast",
            rough["eq. 8"] <= SIMILAR * rough["PI"],
        ),
        Claim.check(
            f"for its speed eq. 8 is at most {SIMILAR:g} times as jagged as PI (a kinder measure)",
            f"{sized['eq. 8'] / sized['PI']:.2f} times, eq. 7 {sized['eq. 7'] / sized['PI']:.2f}",
            sized["eq. 8"] <= SIMILAR * sized["PI"],
        ),
        Claim.check(
            f"over all coordinates eq. 8 is at most {SIMILAR:g} times as jagged as PI, and eq. 7 "
            "clearly more, when each joint is as stiff as its range is small (the chest then stays "
            "still)",
            f"{whole['eq. 8'] / whole['PI']:.2f} times, eq. 7 {whole['eq. 7'] / whole['PI']:.2f}",
            whole["eq. 8"] <= SIMILAR * whole["PI"] and whole["eq. 7"] > CLEARLY * whole["PI"],
        ),
    )
    if folder is None:
        return Result(claims)
    report("drawing", 0.8)
    with plot(folder, "2005-fig-4", size=(7.5, 4.0)) as (path, (axes,)):
        styles = (("--", ORANGE), ("-", BLUE), (":", GREY))
        for (name, each), (style, color) in zip(steps.items(), styles, strict=True):
            axes.plot(np.rad2deg(each), style, color=color, label=name)
        axes.set(xlabel="frame", ylabel="step of the chest's flexion (°)")
        axes.legend(frameon=False)
    return Result(claims, (path,))
