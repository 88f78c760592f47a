"""Criteria are one sum: Effort, springs and zones are traded by their weights."""

from __future__ import annotations

import numpy as np
import pytest
from tests.random_figures import differences
from tests.statics.test_effort import pushing
from tests.tasks.residual import Residual

import poise
from poise import tasks
from poise.kernel.problem import spring
from poise.scene.solving import prepare
from poise.solvers.lex import compiled_problem

REACH = (-0.3, 0.0, 1.2)


def chain_with(**weights: float) -> poise.Scene:
    """A chain that reaches for a point and holds a weight, with criteria by name and weight."""
    scene = poise.Scene(poise.chain(10, length=0.2, root="fixed"))
    posture = scene.posture.copy()
    posture.q[:] = np.where(np.arange(10) % 2, 0.5, -0.3)
    scene.posture = posture
    scene.forces.support("base", ratio=1.0)
    scene.forces.apply("tip", force=(6.0, 0.0, 0.0))
    scene.add(tasks.Position("tip", REACH), name="tip")
    bent = scene.figure.posture(np.full(10, 0.4))
    made = {"effort": tasks.Effort(), "rest": tasks.Rest(bent), "comfort": _zone()}
    for name, weight in weights.items():
        scene.add(made[name], weight=weight, name=name)
    return scene


def _zone() -> tasks.Comfort:
    return tasks.Comfort(zones={f"joint_{i}.angle": (-0.2, 0.1) for i in range(1, 11)})


def cost(scene: poise.Scene, q: np.ndarray, **weights: float) -> float:
    """½ Σ w h, written out."""
    own = {
        "effort": scene.forces.torques(q).effort if "effort" in weights else 0.0,
        "rest": float(np.sum((q - 0.4) ** 2)),
        "comfort": float(np.sum((q - np.clip(q, -0.2, 0.1)) ** 2)),
    }
    return 0.5 * sum(weight * own[name] for name, weight in weights.items())


def slope_left(scene: poise.Scene, q: np.ndarray, **weights: float) -> float:
    """How fast the cost falls along what keeps the tip, as a share of its whole gradient."""

    def tip(at: np.ndarray) -> np.ndarray:
        return scene.figure.place(at)["tip"].position

    gradient = differences(lambda at: np.array([cost(scene, at, **weights)]), q, 1e-5)[0]
    _, sizes, rows = np.linalg.svd(differences(tip, q, 1e-5))
    keeps = rows[np.count_nonzero(sizes > 1e-6) :]
    return float(np.linalg.norm(keeps @ gradient) / np.linalg.norm(gradient))


SUMS = [
    {"effort": 1.0, "rest": 1.0},
    {"effort": 1.0, "rest": 20.0},
    {"effort": 0.02, "rest": 3.0},
    {"effort": 1.0, "comfort": 2.0},
    {"effort": 0.3, "rest": 1.0, "comfort": 0.5},
]


@pytest.mark.parametrize("weights", SUMS, ids=str)
@pytest.mark.parametrize("method", ["lex", "priority"])
def test_the_gradient_of_the_sum_vanishes_along_what_the_tasks_leave(
    method: str, weights: dict[str, float]
) -> None:
    scene = chain_with(**weights)
    found = scene.solve(method, tolerance=1e-7, max_iterations=3000)
    assert found.met
    assert slope_left(scene, found.q, **weights) < (0.02 if method == "lex" else 0.05)
    # Not of the one alone: that is what a strict order would do.
    for name in weights:
        assert slope_left(scene, found.q, **{name: 1.0}) > 0.05


def test_as_a_weight_grows_its_criterion_falls_and_the_other_rises() -> None:
    weights = 10.0 ** np.linspace(-3, 3, 13)
    found = [chain_with(effort=1.0, rest=float(w)).solve(tolerance=1e-7) for w in weights]
    efforts = np.array([each.torques().effort for each in found])
    ways = np.array([cost(chain_with(rest=1.0), each.q, rest=1.0) for each in found])
    assert (np.diff(efforts) > -1e-3 * efforts.max()).all()
    assert (np.diff(ways) < 1e-3 * ways.max()).all()
    spared, rested = (
        chain_with(**{name: 1.0}).solve(tolerance=1e-7) for name in ("effort", "rest")
    )
    assert efforts[0] == pytest.approx(spared.torques().effort, rel=0.02)
    assert ways[-1] == pytest.approx(cost(chain_with(rest=1.0), rested.q, rest=1.0), rel=0.02)
    assert efforts[-1] > 1.5 * efforts[0]
    assert ways[0] > 1.5 * ways[-1]


def test_rows_of_springs_are_what_springs_are_without_rows() -> None:
    plain = prepare(chain_with(rest=2.0, comfort=1.0)).problem
    rows = prepare(chain_with(rest=2.0, comfort=1.0, effort=1e-9)).problem
    assert not plain.has_criteria_rows
    assert rows.has_criteria_rows
    assert not rows.has_criteria
    coordinates = compiled_problem(plain).coordinates
    q = np.random.default_rng(4).normal(size=10)
    value = sum(spring(coordinates, i, q[i])[0] for i in range(10))
    # Springs are in units of the strongest, a sum of 3; rows in units of the greatest weight, 2.
    residual = Residual(rows)(q)[3:]  # without those of the position
    assert 0.5 * np.sum(residual**2) == pytest.approx(value * 3.0 / 2.0, rel=1e-6)


def test_a_person_who_pushes_stays_near_rest_by_its_weight() -> None:
    ways, efforts = [], []
    for weight in (1e-3, 0.1, 10.0):
        scene = pushing()
        scene.add(tasks.Effort())
        scene.add(tasks.Rest(), weight=weight)
        found = scene.solve()
        assert found.status == "solved"
        rest = scene.figure.rest().q
        ways.append(float(np.sum((found.q - rest)[~scene.figure.root_coordinates] ** 2)))
        efforts.append(found.torques().effort)
    assert ways[0] > ways[1] > ways[2]
    assert efforts[0] < efforts[1] < efforts[2]
