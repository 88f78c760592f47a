"""A person of 71 coordinates, and random goals for it; only names that commits have had for long.

Goals are those of a random posture: near rest (every coordinate moved by up to 0.6 rad), or
anywhere within limits. A hand is put out of reach by moving its goal by so many metres in a random
direction. A hand's goal also wanders round the front half-space, in and out of reach.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure import Ball, Builder, Figure, Hinge, Posture, Twist

Values = NDArray[np.float64]

GROUPS = (
    ("near rest", False, 0.0),
    ("anywhere", True, 0.0),
    *((f"hand {metres:g} m out", False, metres) for metres in (0.5, 1.0, 2.0, 3.0)),
)
"""Name, whether goals are anywhere within limits, how far the left hand's goal is moved."""

# Name, parent, offset in metres, mass in kilograms. Every joint but the elbows is a ball.
PERSON = [
    ("spine_1", "root", (0.0, 0.0, 0.12), 5.0),
    ("spine_2", "spine_1", (0.0, 0.0, 0.15), 6.0),
    ("chest", "spine_2", (0.0, 0.0, 0.15), 10.0),
    ("neck", "chest", (0.0, 0.0, 0.20), 1.0),
    ("head", "neck", (0.0, 0.0, 0.10), 4.0),
    *(
        (f"{side}_{name}", parent if parent in ("root", "chest") else f"{side}_{parent}", at, mass)
        for side, sign in (("left", 1.0), ("right", -1.0))
        for name, parent, at, mass in (
            ("clavicle", "chest", (0.0, 0.05 * sign, 0.15), 1.0),
            ("upper_arm", "clavicle", (0.0, 0.15 * sign, 0.0), 2.0),
            ("forearm", "upper_arm", (0.0, 0.0, -0.30), 1.5),
            ("wrist", "forearm", (0.0, 0.0, -0.26), 0.5),
            ("palm", "wrist", (0.0, 0.0, -0.08), 0.2),
            ("thigh", "root", (0.0, 0.10 * sign, -0.05), 9.0),
            ("shin", "thigh", (0.0, 0.0, -0.42), 4.0),
            ("ankle", "shin", (0.0, 0.0, -0.42), 1.0),
            ("toes", "ankle", (0.12, 0.0, -0.06), 0.2),
        )
    ),
]


def person() -> Figure:
    """A person of 71 coordinates whose swings and twists go as far as 1.8 rad."""
    builder = Builder("person of 71")
    builder.segment("root", mass=10.0)
    builder.root("root", "free")
    for name, parent, at, mass in PERSON:
        arm = "_" in name and not name.startswith("spine")
        builder.segment(name, mass=mass, center=(0.0, 0.0, -0.1 if arm else 0.05))
        kind = (
            Hinge("-y", limits=(0.0, 2.4))
            if name.endswith("forearm")
            else Ball(
                "-z" if arm else "z",
                swing_x=(-1.8, 1.8),
                swing_y=(-1.8, 1.8),
                twist=Twist(-1.8, 1.8),
            )
        )
        builder.joint(f"j_{name}", kind, parent, name, at)
    for side in ("left", "right"):
        builder.site(f"{side}_hand", f"{side}_palm", (0.0, 0.0, -0.1))
        builder.site(f"{side}_foot", f"{side}_ankle", (0.03, 0.0, -0.08))
        builder.site(f"{side}_elbow", f"{side}_forearm", (0.0, 0.0, 0.0))
    bent = {f"j_{side}_forearm": {"angle": 0.3} for side in ("left", "right")}
    builder.posture("rest", bent, z=1.0)
    return builder.build()


def goal(figure: Figure, rng: np.random.Generator, *, anywhere: bool) -> Posture:
    """A random posture, near rest or anywhere within limits."""
    q = figure.rest().q.copy()
    inner = ~figure.root_coordinates
    if anywhere:
        q[inner] = rng.uniform(figure.lower[inner], figure.upper[inner])
    else:
        q[inner] += rng.uniform(-0.6, 0.6, int(inner.sum()))
    return figure.clamp(figure.posture(q))


def drawn(figure: Figure, seed: int, *, anywhere: bool, metres: float) -> tuple[Posture, Values]:
    """The goal posture of a problem, and by how much the left hand's goal is moved from it."""
    rng = np.random.default_rng(seed)
    posture = goal(figure, rng, anywhere=anywhere)
    away = rng.normal(size=3)
    return posture, metres * away / np.linalg.norm(away)


def wandering(figure: Figure, count: int) -> Values:
    """A path for the left hand: from rest by 5 mm a frame, (count, 3), in and out of reach."""
    target = figure.place(figure.rest())["left_hand"].position.copy()
    out, side, up = 1.0, 1.0, 1.0
    path = np.empty((count, 3))
    for frame in range(count):
        move = np.array([out, 0.6 * side, 0.5 * up])
        target += 0.005 * move / np.linalg.norm(move)
        out = -1.0 if target[0] > 1.6 else 1.0 if target[0] < 0.2 else out
        up = -1.0 if target[2] > 1.8 else 1.0 if target[2] < 0.2 else up
        side = -1.0 if target[1] > 0.9 else 1.0 if target[1] < -0.7 else side
        path[frame] = target
    return path
