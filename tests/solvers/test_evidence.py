"""How much room tasks leave to a stance."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise import Scene, tasks
from poise.models.prior import prior_of
from poise.solvers.evidence import LEAST_PRECISION, room
from poise.solvers.problem import Problem
from poise.tasks.natural import RADIANS


def _rows(person: poise.Figure) -> np.ndarray:
    """Of the stance that is favoured."""
    prior = prior_of(person)
    assert prior is not None
    return prior.stances[0].rows


def problem_of(scene: poise.Scene) -> Problem:
    return scene._problem()


def with_stance(stance: str, *, held: bool) -> Problem:
    scene = poise.Scene(poise.human(), natural=False)
    scene.add(tasks.Natural(stance))
    if held:
        for foot in ("left_foot", "right_foot"):
            scene.add(tasks.Frame(foot))
    return problem_of(scene)


def test_without_tasks_it_is_the_volume_of_the_gaussian() -> None:
    person = poise.human()
    q = person.rest().q
    rows = _rows(person)
    # Upright, the up direction turns with the root's rx and ry, one for one; x, y, z and the
    # heading are free, and have the least precision alone.
    features = np.zeros((rows.shape[1], person.n))
    features[:-2, 6:] = np.eye(person.n - 6)
    features[-2, 4], features[-1, 3] = -1.0, 1.0
    whole = RADIANS**2 * features.T @ rows.T @ rows @ features + LEAST_PRECISION * np.eye(person.n)
    expected = -0.5 * np.linalg.slogdet(whole)[1]
    assert room(with_stance("stand", held=False), q, 1e-4) == pytest.approx(expected, rel=1e-6)


def test_a_stance_in_which_people_vary_more_has_more_room() -> None:
    q = poise.human().rest().q
    stand, stride = (room(with_stance(each, held=False), q, 1e-4) for each in ("stand", "stride"))
    assert stride > stand + 3.0


def test_tasks_take_room_from_where_people_vary() -> None:
    """What is left of the difference of two stances is less than without tasks."""
    q = poise.human().rest().q
    apart = [
        room(with_stance("stride", held=held), q, 1e-4)
        - room(with_stance("stand", held=held), q, 1e-4)
        for held in (False, True)
    ]
    assert abs(apart[1]) < abs(apart[0])


def reaching_low(natural: float = 1.0, hand: float = 1.0, angles: float | None = None) -> Scene:
    """Both hands at 0.2 m, by these weights; another criterion, about the toes, has 1."""
    scene = poise.Scene(poise.human(), natural=False)
    if angles is not None:
        scene.metres_per_radian = angles
    scene.add(tasks.Natural(), weight=natural)
    scene.add(tasks.MidRange("left_toes"))
    for foot in ("left_foot", "right_foot"):
        scene.add(tasks.Frame(foot))
    scene.add(tasks.Balance(supports=("left_foot", "right_foot")))
    for side, y in (("right", -0.2), ("left", 0.2)):
        weight = hand if side == "right" else 1.0
        scene.add(tasks.Position(f"{side}_hand", (0.35, y, 0.2)), priority=2, weight=weight)
    return scene


WEIGHED = [{"natural": 1e-3}, {"natural": 1e3}, {"hand": 1e-3}, {"hand": 1e3}, {"angles": 1e-2}]


@pytest.mark.parametrize("weights", WEIGHED, ids=str)
def test_neither_weights_nor_metres_per_radian_change_the_room(weights: dict[str, float]) -> None:
    q = reaching_low().solve().q.copy()
    alike, other = (room(problem_of(reaching_low(**each)), q, 1e-4) for each in ({}, weights))
    assert other == pytest.approx(alike, abs=1e-6)


@pytest.mark.parametrize("weights", WEIGHED, ids=str)
def test_neither_weights_nor_metres_per_radian_change_the_stance(weights: dict[str, float]) -> None:
    solution = reaching_low(**weights).solve()
    assert solution.met
    assert solution.stances == {"human": "low"}
