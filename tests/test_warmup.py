"""After a warm-up nothing that a figure is asked has to be compiled."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import poise
from poise import kernel
from poise.figure import (
    Angle,
    Ball,
    Builder,
    Figure,
    Hinge,
    PlanarPolygon,
    SphericalPolygon,
    Swing,
    Twist,
)
from poise.pictures.region import Region, spread, swings_of
from poise.warmup import warm_up

QUESTIONS: list[Callable[[Figure, np.ndarray], object]] = [
    lambda figure, q: figure.place(q),
    lambda figure, q: figure.members(q),
    lambda figure, q: figure.jacobian(q, "leg", point=(0, 0, 1)),
    lambda figure, q: figure.center_of_mass(q),
    lambda figure, q: figure.center_of_mass_jacobian(q),
    lambda figure, q: figure.inertia(q, "z"),
    lambda figure, q: figure.inertia_gradient(q, "z"),
    lambda figure, q: figure.violation(q),
    lambda figure, q: figure.within_limits(q),
    lambda figure, q: figure.clamp(q),
    lambda figure, q: figure.rest(),
    lambda figure, q: figure.rooted_at("leg", q, root="free"),
    lambda figure, q: [
        Region.of(joint.kind).violation(swings_of(spread(3)))
        for joint in figure.joints.values()
        if isinstance(joint.kind, (Ball, Swing))
    ],
]


def legs() -> Figure:
    """Joints of several kinds, with limits that must be checked against each other."""
    build = Builder("legs")
    build.segment("hips")
    build.segment("leg", mass=2.0, center=(0.0, 0.0, 0.2))
    build.segment("foot", mass=1.0)
    build.segment("toe")
    square = PlanarPolygon([(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)])
    corners = np.array([(0.3, 0.0, 0.9), (0.0, 0.4, 0.9), (-0.3, 0.0, 0.9), (0.0, -0.4, 0.9)])
    patch = SphericalPolygon((corners / np.linalg.norm(corners, axis=1)[:, None]).tolist())
    hip = Ball(swing=(square, patch), swing_x=(-0.4, 0.4), twist=Twist(-0.5, 0.5), angle=Angle(0.6))
    build.joint("hip", hip, "hips", "leg")
    build.joint("ankle", Hinge("y", (0.1, 1.0)), "leg", "foot")
    build.joint("ball", Swing(swing=(patch,)), "foot", "toe")
    build.couple("sum", {"ankle.angle": 1, "ball.swing_x": 1}, upper=0.5)
    return build.build()


def ready() -> set[tuple[str, str]]:
    """Every kernel in this process that is compiled, or loaded, with the types it takes."""
    return {
        (name, str(types))
        for module in dir(kernel)
        if f"poise.kernel.{module}" in sys.modules
        for name, function in vars(sys.modules[f"poise.kernel.{module}"]).items()
        for types in getattr(function, "overloads", ())
    }


def what_a_warm_up_left_out() -> list[str]:
    """What figures need beyond that; a new process tells also what an old cache would hide."""
    for _ in warm_up():
        pass
    before = ready()
    for figure in (legs(), poise.human()):
        figure.clamp(np.full(figure.n, 0.01))
    for question in QUESTIONS:
        for size in (0.0, 3.0):
            figure = legs()
            question(figure, np.full(figure.n, size))
    return sorted({name for name, _ in ready() - before})


def test_after_a_warm_up_no_question_to_a_figure_needs_anything_compiled() -> None:
    program = "import test_warmup; print(test_warmup.what_a_warm_up_left_out())"
    paths = [*sys.path, str(Path(__file__).parent)]
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {paths!r}; {program}"],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert told.stdout.strip() == "[]"
