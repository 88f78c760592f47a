"""Fig. 4: the flexion of the chest while a hand is pulled to the front, by eq. 7, eq. 8 and PI.

The paper shows curves of its finite differences, and calls the first jaggy. Here that is the total
variation of their second differences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.drawing import BLUE, GREY, ORANGE, plot
from poise.reproductions.lpik_2005.scenes import Values, pulled_hand

SIMILAR = 1.2
"""What is similar is at most so many times as jaggy."""
CLEARLY = 1.2
"""What is clearly more is at least so many times as much."""

_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "eq. 7": ("lp", {"alpha": 0.0}),
    "eq. 8": ("lp", {"alpha": 1.0}),
    "PI": ("pinv", {"limits": "added"}),
}


def steps_of_the_chest(frames: int = 100) -> dict[str, Values]:
    """Finite differences of the chest's flexion (rad), by method."""
    scene, paths = pulled_hand(frames)
    (figure,) = scene.figures.values()
    chest = figure.index("upper_back.swing_y")
    return {
        name: np.diff(scene.animate(paths, method, tolerance=1e-5, **own).solutions.q[:, chest])
        for name, (method, own) in _METHODS.items()
    }


def jaggedness(steps: Values) -> float:
    """The total variation of the second difference (rad)."""
    return float(np.abs(np.diff(steps, 2)).sum())


def chest_flexion(folder: Path | None, report: Report) -> Result:
    """How jagged the flexion of the chest is."""
    report("pulling the hand", 0.0)
    steps = steps_of_the_chest()
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
