"""What several examples measure, and how numbers are written in claims."""

from __future__ import annotations

import math
import sys
from typing import Any

from poise.figure import Figure, Posture
from poise.reproductions.claims import Claim
from poise.scene import Scene, Solution


def millimetres(metres: float) -> str:
    """A length in mm; what is below a thousandth is 0."""
    return f"{1e3 * metres if metres >= 1e-6 else 0.0:.3g} mm"


def degrees(radians: float) -> str:
    """An angle in degrees, to a hundredth."""
    return f"{math.degrees(radians):.2f}°"


def seconds(value: float) -> str:
    """A time in seconds, or in milliseconds where it is short."""
    return f"{value:.2g} s" if value >= 1 else f"{1e3 * value:.2g} ms"


def percent(share: float) -> str:
    """A share in percent; what is below a millionth is 0."""
    return f"{100 * share if share >= 1e-8 else 0.0:.2g} %"


def rounding(size: float = 1.0) -> float:
    """What is exact may differ by this: what some hundred operations on such numbers may lose."""
    return 256.0 * sys.float_info.epsilon * size


def solved(scene: Scene, method: str, **options: Any) -> Solution:
    """Solve several times from one start, and give the fastest: some may be kept waiting."""
    options = {"restarts": 0, **options}
    return min((scene.solve(method, **options) for _ in range(8)), key=lambda each: each.seconds)


def has_coordinates(figure: Figure, published: int) -> Claim:
    """The number of degrees of freedom."""
    text = "the figure has so many degrees of freedom"
    return Claim.setup(text, str(published), str(figure.n), figure.n == published)


def keeps_limits(*postures: Posture) -> Claim:
    """No posture breaks a limit."""
    kept = sum(posture.figure.within_limits(posture) for posture in postures)
    ours = "yes" if kept == len(postures) else f"in {kept} of {len(postures)} postures"
    return Claim.check("joint limits are kept", ours, kept == len(postures))


def takes_no_longer(solution: Solution, published: float, said: str = "") -> Claim:
    """The time inside the solver against the published one, whatever the machines.

    `said` is how the paper says it, where it does not give just the seconds.
    """
    text = "the solve takes no longer than published (inside the solver, on another machine)"
    ours = f"{seconds(solution.seconds)}, {solution.iterations} iterations"
    return Claim.time(text, said or f"{published:g} s", ours, solution.seconds <= published)


def worst(solution: Solution) -> float:
    """The greatest distance from a goal (m), of tasks about places."""
    return max(
        error.value for report in solution.tasks for error in report.errors if error.unit == "m"
    )
