"""The scenes under examples/ do what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from poise import Scene
from poise.scene import Solution

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


@pytest.fixture(scope="module")
def solutions() -> dict[str, Solution]:
    return {name: Scene.load(EXAMPLES / f"{name}.yaml").solve() for name in ALL}


def test_there_are_eight() -> None:
    assert ALL == [
        "chain_loop",
        "curl_up",
        "fly_on_the_beam",
        "hands_behind_the_back",
        "lift_a_box",
        "quadruped_step",
        "reach_a_shelf",
        "sit",
    ]


@pytest.mark.parametrize("name", ALL)
def test_an_example_is_told_in_a_line_and_keeps_every_limit(
    name: str, solutions: dict[str, Solution]
) -> None:
    assert Scene.load(EXAMPLES / f"{name}.yaml").description
    for posture in solutions[name].postures.values():
        assert posture.figure.within_limits(posture)


@pytest.mark.parametrize("name", ALL)
def test_an_example_is_solved(name: str, solutions: dict[str, Solution]) -> None:
    assert solutions[name].met, str(solutions[name])
    assert solutions[name].status == "solved"
    assert solutions[name].notes == ()


def test_the_person_who_curls_up_has_her_mass_near_its_centre(
    solutions: dict[str, Solution],
) -> None:
    solution = solutions["curl_up"]
    figure, posture = solution.posture.figure, solution.posture
    gyration = np.sqrt(figure.inertia(posture, axis=(0, 1, 0)) / figure.mass)
    assert posture["knee"] > np.deg2rad(90)
    assert gyration == pytest.approx(0.2, abs=1e-3)


def test_the_eyes_look_at_the_fly(solutions: dict[str, Solution]) -> None:
    places = solutions["fly_on_the_beam"].places
    eyes, fly = places["eyes"], places["fly"].position
    towards = (fly - eyes.position) / np.linalg.norm(fly - eyes.position)
    assert eyes.rotation[:, 0] @ towards > np.cos(np.deg2rad(0.1))


def test_both_palms_are_on_the_box_and_it_is_level(solutions: dict[str, Solution]) -> None:
    places = solutions["lift_a_box"].places
    assert places["left_palm"].position == pytest.approx(places["box/left"].position, abs=1e-3)
    assert places["right_palm"].position == pytest.approx(places["box/right"].position, abs=1e-3)
    assert places["box"].rotation == pytest.approx(np.eye(3), abs=1e-2)


def test_the_chain_is_closed(solutions: dict[str, Solution]) -> None:
    places = solutions["chain_loop"].places
    assert places["tip"].position == pytest.approx(places["base"].position, abs=1e-3)


def test_the_hands_meet_behind_the_back(solutions: dict[str, Solution]) -> None:
    places = solutions["hands_behind_the_back"].places
    assert places["left_hand"].position == pytest.approx(places["right_hand"].position, abs=1e-3)
    assert places["left_hand"].position[0] < -0.19
