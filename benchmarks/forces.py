"""How long questions about forces take, on the human of 42 degrees of freedom and on chains.

Prints the times of solves with forces, equilibrium or balance, and effort, from rest and while a
hand is dragged, of chains that spare their joints, and of the questions about contact forces. They
are processor times, Python included, of the fastest of several calls: what else the machine does
hardly counts.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

import numpy as np
from timing import show

import poise
from poise import Scene, tasks
from poise.checking import Vec3


def loaded(
    force: Vec3, at: Vec3, *, hands: tuple[str, ...] = ("left", "right"), balance: bool = False
) -> Scene:
    """A person who stands on both feet, with a force on each hand, which has to be somewhere."""
    scene = Scene(poise.human())
    for side in ("left", "right"):
        scene.forces.support(f"{side}_foot", ratio=0.5)
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
    for side in hands:
        scene.forces.apply(f"{side}_hand", force=force)
        x, y, z = at
        target = (x, y if side == "left" else -y, z)
        scene.add(tasks.Position(f"{side}_hand", target), priority=3)
    scene.add(tasks.Balance(margin=0.02) if balance else tasks.Equilibrium(), priority=2)
    return scene


def pushing() -> Scene:
    """With both hands, 80 N in all."""
    return loaded((-40.0, 0.0, 0.0), (0.45, 0.2, 1.3))


def pulling() -> Scene:
    """With both hands, 120 N in all."""
    return loaded((60.0, 0.0, 0.0), (0.5, 0.2, 1.0))


def lifting() -> Scene:
    """A load of 12 kg from knee height."""
    return loaded((0.0, 0.0, -60.0), (0.4, 0.2, 0.6))


def carrying() -> Scene:
    """A load of 8 kg in one hand, the centre of mass over the feet."""
    return loaded((0.0, 0.0, -80.0), (0.5, 0.3, 1.2), hands=("right",), balance=True)


def chained(links: int) -> Scene:
    """A chain of 1 m, a little bent, whose tip is held in reach and pulled with 5 N."""
    scene = Scene(poise.chain(links, length=1.0 / links))
    bent = 0.1 * np.random.default_rng(0).normal(size=links)
    scene.posture = scene.posture.with_q(bent)
    scene.add(tasks.Position("tip", (0.5, 0.0, 0.2), axes="xz"), priority=1)
    scene.forces.apply("tip", force=(5.0, 0.0, 0.0))
    scene.add(tasks.Effort())
    return scene


def cold(scene: Scene) -> tuple[float, int]:
    """Seconds and iterations of a solve from rest."""
    return taken(scene.solve), scene.solve().iterations


def dragged(scene: Scene) -> tuple[float, float]:
    """Median seconds and iterations while a hand moves by 3 mm a frame."""
    scene.posture = scene.solve().posture
    seconds, iterations = list[float](), list[int]()
    for i in range(40):
        scene.handles["right_hand"].target = (0.45 + 0.003 * i, -0.2, 1.3)
        begun = thread_time()
        solution = scene.solve()
        seconds.append(thread_time() - begun)
        iterations.append(solution.iterations)
        scene.posture = solution.posture
    return float(np.median(seconds)), float(np.median(iterations))


def taken(question: Callable[[], object]) -> float:
    """Seconds that a question takes, the fastest of several times."""
    question()
    times: list[float] = []
    for _ in range(15):
        begun = thread_time()
        question()
        times.append(thread_time() - begun)
    return min(times)


def main() -> None:
    """Measure and print."""
    rows: list[tuple[str, ...]] = []
    for name, build in (
        ("pushing", pushing), ("pulling", pulling), ("lifting", lifting), ("carrying", carrying)
    ):  # fmt: skip
        scene = build()
        seconds, iterations = cold(scene)
        before = scene.forces.torques(scene.solve().posture).effort
        rows.append(
            (f"{name}, from rest", f"{1e3 * seconds:.2f} ms", str(iterations), f"{before:.2f}")
        )
        scene.add(tasks.Effort())
        seconds, iterations = cold(scene)
        after = scene.solve().torques().effort
        what = f"{name} with effort, from rest"
        rows.append((what, f"{1e3 * seconds:.2f} ms", str(iterations), f"{after:.2f}"))
    for links in (10, 20, 40):
        scene = chained(links)
        seconds, iterations = cold(scene)
        effort = f"{scene.solve().torques().effort:.2f}"
        what = f"a chain of {links} with effort"
        rows.append((what, f"{1e3 * seconds:.2f} ms", str(iterations), effort))
    for spares in (False, True):
        scene = pushing()
        if spares:
            scene.add(tasks.Effort())
        seconds, usual = dragged(scene)
        what = "pushing with effort" if spares else "pushing"
        rows.append((f"{what}, a frame of a drag", f"{1e3 * seconds:.2f} ms", f"{usual:g}", ""))
    scene = pushing()
    posture = scene.solve().posture
    for name, question in (
        ("torques", lambda: scene.forces.torques(posture)),
        ("distribute", lambda: scene.forces.distribute(posture)),
        ("strongest", lambda: scene.forces.strongest("right_hand", "x", posture)),
    ):
        rows.append((name, f"{1e3 * taken(question):.1f} ms", "", ""))
    show("Forces", ("what", "time", "iterations", "Σ (τ/strength)²"), rows)


if __name__ == "__main__":
    main()
