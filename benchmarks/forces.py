"""How long questions about forces take, on the human of 42 degrees of freedom.

Prints the times of a solve with forces, equilibrium and effort, cold and while a hand is dragged,
and of the questions about contact forces.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from timing import show

import poise
from poise import Scene, tasks


def pushing(*, effort: bool) -> Scene:
    """A man who stands on both feet and pushes with both hands."""
    scene = Scene(poise.human())
    for side, y in (("left", 0.2), ("right", -0.2)):
        scene.forces.support(f"{side}_foot", ratio=0.5)
        scene.forces.apply(f"{side}_hand", force=(-40.0, 0.0, 0.0))
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
        scene.add(tasks.Position(f"{side}_hand", (0.45, y, 1.3)), priority=3)
    scene.add(tasks.Equilibrium(), priority=2)
    if effort:
        scene.add(tasks.Effort())
    return scene


def cold(scene: Scene) -> tuple[float, int]:
    """Seconds and iterations of a solve from rest, the fastest of several."""
    scene.solve()
    best = min((scene.solve() for _ in range(15)), key=lambda each: each.seconds)
    return best.seconds, best.iterations


def dragged(scene: Scene) -> tuple[float, float]:
    """Median seconds and iterations while a hand moves by 3 mm a frame."""
    scene.posture = scene.solve().posture
    seconds, iterations = list[float](), list[int]()
    for i in range(40):
        scene.handles["right_hand"].target = (0.45 + 0.003 * i, -0.2, 1.3)
        solution = scene.solve()
        seconds.append(solution.seconds)
        iterations.append(solution.iterations)
        scene.posture = solution.posture
    return float(np.median(seconds)), float(np.median(iterations))


def asked(question: object) -> float:
    """Seconds that a question takes, the fastest of several."""
    times: list[float] = []
    for _ in range(5):
        begun = perf_counter()
        question()  # type: ignore[operator]
        times.append(perf_counter() - begun)
    return min(times)


def main() -> None:
    """Measure and print."""
    rows: list[tuple[str, ...]] = []
    for effort in (False, True):
        what = "forces, equilibrium" + (", effort" if effort else "")
        seconds, iterations = cold(pushing(effort=effort))
        rows.append((f"{what}: from rest", f"{1e3 * seconds:.2f} ms", str(iterations)))
        seconds, usual = dragged(pushing(effort=effort))
        rows.append((f"{what}: a frame of a drag", f"{1e3 * seconds:.2f} ms", f"{usual:g}"))
    scene = pushing(effort=True)
    posture = scene.solve().posture
    for name, question in (
        ("torques", lambda: scene.forces.torques(posture)),
        ("distribute", lambda: scene.forces.distribute(posture)),
        ("strongest", lambda: scene.forces.strongest("right_hand", "x", posture)),
    ):
        rows.append((name, f"{1e3 * asked(question):.1f} ms", ""))
    show("Forces on the human", ("what", "time", "iterations"), rows)


if __name__ == "__main__":
    main()
