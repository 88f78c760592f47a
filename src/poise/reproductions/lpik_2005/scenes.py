"""Section 4: two who push each other, people in a ring, and how they are moved.

Persons of 63 coordinates (20 segments, all joints balls). In the ring each holds the next by the
hand, feet are on the floor and torsos move sinusoidally: four constraints of three rows for each
person. In the pair two push each other, gripping at more and more points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.models.published import person_of_63
from poise.scene import Scene
from poise.tasks import Loop, Position

Values = NDArray[np.float64]
Paths = dict[str, Values]
"""Where sites go, by name: (frames, 3)."""

_FPS = 60.0

_GRIPS = (
    ("a/left_hand", "b/right_upper_arm"),
    ("a/right_hand", "b/left_upper_arm"),
    ("b/right_hand", "a/left_upper_arm"),
    ("b/left_hand", "a/right_upper_arm"),
    ("a/left_elbow", "b/right_forearm"),
    ("a/right_elbow", "b/left_forearm"),
    ("a/left_fingertip", "b/upper_back"),
    ("a/right_fingertip", "b/upper_back"),
    ("b/right_fingertip", "a/upper_back"),
    ("b/left_fingertip", "a/upper_back"),
    ("b/right_elbow", "a/left_forearm"),
    ("b/left_elbow", "a/right_forearm"),
)
"""Where the pair touch, in the order in which contacts are added: a point, and what it stays on."""


def pair(constraints: int) -> Scene:
    """Two who push each other: feet, pelvis and grips, so many constraints in all."""
    person = person_of_63()
    scene = Scene({"a": person, "b": person}, natural=False)
    scene.stand("b", (0.55, 0.0, 0.0), np.pi)
    for name in scene.figures:
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"{name}/{foot}"))
    reach = [
        scene.add(Loop(hand, elbow), name=f"reach {hand}")
        for hand, elbow in (
            ("a/left_hand", "b/right_elbow"),
            ("a/right_hand", "b/left_elbow"),
            ("b/left_fingertip", "a/right_elbow"),
            ("b/right_fingertip", "a/left_elbow"),
        )
    ]
    for name in scene.figures:
        low = scene.places[f"{name}/pelvis"].position - [0.0, 0.0, 0.02]
        scene.add(Position(f"{name}/pelvis", low))
    scene.postures = scene.solve(restarts=0).postures
    for handle in reach:
        handle.remove()
    for point, ground in _GRIPS[: constraints - 6]:
        place = scene.places[ground].inverse() @ scene.places[point]
        scene.add(Position(point, place.position, frame=ground), name=f"{point} on {ground}")
    return scene


def pushing(scene: Scene, frames: int) -> Paths:
    """Paths of both pelvises: to and fro together, 10 cm in 2 s."""
    sway = 0.05 * np.sin(_phase(frames))[:, None] * [1.0, 0.0, 0.0]
    return {f"{name}/pelvis": scene.places[f"{name}/pelvis"].position + sway for name in "ab"}


def circle(count: int) -> Scene:
    """Persons in a circle that face its middle, feet on the floor, each by itself."""
    person = person_of_63()
    scene = Scene({f"p{i}": person for i in range(count)}, natural=False)
    radius = max(0.45, 0.75 * count / (2 * np.pi))
    for i, name in enumerate(scene.figures):
        turn = 2 * np.pi * i / count
        scene.stand(name, (radius * np.cos(turn), radius * np.sin(turn), 0.0), turn + np.pi)
        for foot in ("left_foot", "right_foot"):
            scene.add(Position(f"{name}/{foot}"))
    return scene


def ring(count: int) -> Scene:
    """Such persons hand in hand; who faces the middle has the next to the right."""
    scene = circle(count)
    for i in range(count):
        scene.add(Loop(f"p{i}/right_hand", f"p{(i + 1) % count}/left_hand"), name=f"hands {i}")
    return scene


def swaying(scene: Scene, frames: int) -> Paths:
    """Paths of all torsos: to the middle and back in 2 s, dipping twice."""
    phase = _phase(frames)
    paths: Paths = {}
    for name in scene.figures:
        at = scene.places[f"{name}/upper_back"].position
        inward = -at * [1.0, 1.0, 0.0] / np.linalg.norm(at[:2])
        dip = -0.05 + 0.03 * np.sin(2 * phase)
        paths[f"{name}/upper_back"] = (
            at + 0.06 * np.sin(phase)[:, None] * inward + dip[:, None] * [0.0, 0.0, 1.0]
        )
    return paths


def thinned(scene: Scene, paths: Paths, constraints: int) -> Paths:
    """Let constraints of a ring go until so many are left; the paths that remain.

    Torsos stay driven as long as may be; feet and hands are let go, spread evenly.
    """
    free = list(scene.handles.values())
    keep = max(constraints - len(paths), 0)
    chosen = {int(i) for i in np.linspace(0, len(free) - 1, keep)} if keep else set[int]()
    for i, handle in enumerate(free):
        if i not in chosen:
            handle.remove()
    return dict(list(paths.items())[: min(len(paths), constraints)])


def pulled_hand(frames: int) -> tuple[Scene, Paths]:
    """Fig. 4: a person whose right hand is pulled to the front by 0.6 m, and eased."""
    scene = Scene(person_of_63(), natural=False)
    for name in ("left_foot", "right_foot", "pelvis"):
        scene.add(Position(name))
    ease = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, frames))
    path = scene.places["right_hand"].position + 0.6 * ease[:, None] * [1.0, 0.1, 0.35]
    return scene, {"right_hand": path}


def _phase(frames: int) -> Values:
    """The phase of a motion that takes 2 s."""
    return np.arange(frames, dtype=np.float64) * (2 * np.pi / (2 * _FPS))
