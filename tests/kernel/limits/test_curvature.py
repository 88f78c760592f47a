"""How limits curve, against the rows of limits a little farther on."""

from __future__ import annotations

import numpy as np
import pytest

from poise import kernel
from poise.figure import Angle, Ball, Builder, Figure, SphericalEllipse, SphericalPolygon, Swing
from poise.kernel.body.tree import state
from poise.kernel.limits.bounds import make_rows, write_rows
from poise.kernel.limits.curvature import add_bends


def directions(*angles: tuple[float, float]) -> np.ndarray:
    """Unit vectors by their tilt from z and their heading, in degrees."""
    tilt, heading = np.deg2rad(angles).T
    sine = np.sin(tilt)
    return np.stack([sine * np.cos(heading), sine * np.sin(heading), np.cos(tilt)], axis=1)


KINDS = {
    "an ellipse": Swing("z", swing=(SphericalEllipse(0.9, 0.5, centre=(0.1, -0.05)),)),
    "a polygon": Swing("z", swing=(SphericalPolygon(directions((50, 0), (60, 120), (55, 240))),)),
    "a total angle": Ball("z", angle=Angle(0.8), chart="swing_twist"),
    "a total angle, of a rotation vector": Ball("z", angle=Angle(0.8), chart="rotation_vector"),
}


def figure(kind: Swing | Ball) -> Figure:
    builder = Builder("one joint")
    builder.segment("base", mass=1.0)
    builder.root("base", "fixed")
    builder.segment("arm", mass=1.0)
    builder.joint("joint", kind, "base", "arm", (0.0, 0.0, 0.0))
    return builder.build()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("heading", [0.6, 2.5, 4.6, 5.0])
def test_a_step_along_a_limit_leaves_it_by_half_its_bend(name: str, heading: float) -> None:
    body = figure(KINDS[name])
    tree, bounds = body.packed.tree, body.bounds
    there = state(tree)
    far = np.array([np.cos(heading), np.sin(heading), 0.4][: body.n]) * 2.0
    q = body.clamp(body.posture(0.99 * far)).q
    rows = make_rows(bounds, body.n)
    kernel.body.kinematics.place(tree, q, there)
    count = write_rows(tree, bounds, q, 0.02, there, rows)
    assert count == 1
    normal = rows.matrix[0].copy()
    members, force = np.array([[0], [1]]), np.array([1.0])
    scale = np.linspace(0.5, 2.0, body.n)

    def bends(unit: np.ndarray) -> np.ndarray:
        out = np.zeros((body.n, body.n))
        room = np.zeros((3, 3))
        add_bends(tree, bounds, there, rows, count, members, force, 1, unit, room, out)
        return out

    S = bends(np.ones(body.n))
    np.testing.assert_allclose(bends(scale), S * np.outer(scale, scale))
    np.testing.assert_allclose(S, S.T)
    for way in np.eye(body.n):
        along = way - normal * (normal @ way) / (normal @ normal)
        if np.linalg.norm(along) < 0.1:
            continue
        h = 2e-3
        gone = []
        for step in (h * along, -h * along):
            kernel.body.kinematics.place(tree, q + step, there)
            write_rows(tree, bounds, q + step, 0.02, there, rows)
            gone.append(-rows.box[1, 0])  # how far it is beyond
        bend = (gone[0] + gone[1]) / h**2
        assert along @ S @ along == pytest.approx(bend, abs=2e-2 * max(1.0, abs(bend)))
