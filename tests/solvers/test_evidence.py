"""How much room tasks leave to a stance."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise import tasks
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
