"""Bodies that do not pass through things: Avoid, AvoidSelf and what a solution says of contacts."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise import tasks as t
from poise.solvers import METHODS

DEEP = 1e-4 + 1e-9
"""Bodies may be as deep in each other as the tolerance of a solve."""


def standing(**options: object) -> Scene:
    """A person on both feet, in balance, before a table."""
    scene = Scene(poise.human(), natural=False)
    scene.place(poise.box(0.8, 1.2, 0.04, name="table"), (0.65, 0.0, 0.75))
    for foot in ("left_foot", "right_foot"):
        scene.add(t.Frame(foot), priority=1)
    scene.add(t.Balance(), priority=2)
    return scene


def deepest(scene: Scene) -> float:
    """How deep (m) any two bodies are in each other in the scene's posture."""
    return max((each.depth for each in scene.assess().contacts()), default=0.0)


def test_a_standing_person_touches_nothing_but_the_floor() -> None:
    found = standing().assess().contacts()
    assert {each.second for each in found} <= {"floor"}
    assert {each.first for each in found} <= {
        "left_foot", "right_foot", "left_toes", "right_toes"
    }  # fmt: skip
    assert all(each.depth < 1e-9 for each in found)


def test_a_hand_goes_under_a_table_and_not_through_it() -> None:
    through = standing()
    through.add(t.Position("right_hand", (0.45, -0.2, 0.62)), priority=3)
    through.posture = through.solve().posture
    assert deepest(through) > 0.01
    scene = standing()
    scene.add(t.Avoid(), priority=1)
    scene.add(t.AvoidSelf(), priority=1)
    scene.add(t.Position("right_hand", (0.45, -0.2, 0.62)), priority=3)
    solution = scene.solve()
    assert solution.met
    assert max((each.depth for each in solution.contacts()), default=0.0) <= DEEP


def test_a_body_that_begins_inside_is_pushed_out() -> None:
    scene = standing()
    scene.place(poise.box(0.2, 0.2, 0.2, name="block"), (0.12, -0.25, 0.95))
    assert deepest(scene) > 0.02
    scene.add(t.Avoid(), priority=1)
    scene.add(t.AvoidSelf(), priority=1)
    solution = scene.solve()
    assert solution.met
    assert max((each.depth for each in solution.contacts()), default=0.0) <= DEEP


def test_what_is_in_the_way_of_a_task_is_named_by_its_bodies() -> None:
    scene = standing()
    scene.add(t.Avoid(), priority=1)
    scene.add(t.Position("right_hand", (0.5, -0.2, 0.75)), priority=3, name="reach")
    reach = scene.solve(restarts=0).tasks["reach"]
    assert not reach.met
    (blocker,) = [each for each in reach.blockers if each.name == "avoid"]
    assert blocker.touching[0].startswith("right_")
    assert blocker.touching[0].endswith(" on table")
    assert f"{blocker.touching[0]}" in str(reach)
    assert "(avoid, priority 1)" in str(reach)


def test_a_margin_is_kept() -> None:
    scene = standing()
    scene.add(t.Avoid(0.05, bodies="right_arm", things="table"), priority=1)
    scene.add(t.Position("right_hand", (0.45, -0.2, 0.80)), priority=3)
    solution = scene.solve()
    near = [
        each.distance
        for each in solution.contacts(within=0.2)
        if each.second == "table" and each.first.startswith("right_") and "arm" in each.first
    ]
    assert near
    assert min(near) >= 0.05 - 1e-4


def test_ghosts_and_what_a_hand_holds_do_not_collide() -> None:
    scene = standing()
    ghost = poise.box(0.4, 0.4, 0.4, name="ghost", solid=False)
    scene.place(ghost, (0.0, 0.0, 1.0))
    assert not any("ghost" in (each.first, each.second) for each in scene.assess().contacts())
    scene.hold(poise.sphere(0.04, name="ball"), "right_hand")
    names = {(each.first, each.second) for each in scene.assess().contacts()}
    assert not any("ball" in pair and any("right_hand" in each for each in pair) for pair in names)


def test_two_people_keep_apart() -> None:
    scene = Scene({"anna": poise.human(), "ben": poise.human()}, natural=False)
    scene.stand("ben", (0.25, 0.0, 0.0), np.pi)
    for name in ("anna", "ben"):
        for foot in ("left_foot", "right_foot"):
            scene.add(t.Position(f"{name}/{foot}", axes="z"), priority=1)
    scene.add(t.Avoid(), priority=1)
    scene.add(t.AvoidSelf(), priority=1)
    solution = scene.solve()
    assert max((each.depth for each in solution.contacts()), default=0.0) <= DEEP


def test_what_touches_by_design_can_be_read_and_changed() -> None:
    figure = poise.human()
    assert figure.overlaps["left_thigh", "left_shank"] == np.inf
    assert figure.overlaps["left_shank", "left_thigh"] == np.inf
    with pytest.raises(KeyError, match="left_hand and right_hand do not touch by design"):
        figure.overlaps["left_hand", "right_hand"]
    figure.overlaps["left_hand", "right_hand"] = 0.01
    assert figure.overlaps["right_hand", "left_hand"] == 0.01
    with pytest.raises(PoiseError, match="no segment 'left_han'"):
        figure.overlaps["left_han", "right_hand"] = 0.01
    with pytest.raises(PoiseError, match="depth of left_hand in head"):
        figure.overlaps["left_hand", "head"] = -1.0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: t.Avoid(-0.1), "margin of Avoid must be from 0"),
        (lambda: t.Avoid(20.0), "margin of Avoid must be from 0"),
        (lambda: t.AvoidSelf(np.nan), "margin of AvoidSelf"),
        (lambda: t.Avoid(bodies=3), "bodies of Avoid must be names"),
        (lambda: t.Avoid(things=[]), "at least one name"),
    ],
)
def test_wrong_arguments_are_refused(make: object, said: str) -> None:
    with pytest.raises(PoiseError, match=said):
        make()  # type: ignore[operator]


def test_a_thing_that_is_not_there_is_told() -> None:
    with pytest.raises(PoiseError, match="no thing 'tabel'"):
        standing().add(t.Avoid(things="tabel"))


def test_a_cold_solve_does_not_depend_on_what_was_solved_before() -> None:
    scene = standing()
    scene.add(t.Avoid(), priority=1)
    scene.add(t.AvoidSelf(), priority=1)
    reach = scene.add(t.Position("right_hand", (0.45, -0.2, 0.62)), priority=3)
    first = scene.solve(warm=False, restarts=0)
    for target in ((0.3, -0.4, 1.2), (0.5, 0.1, 0.9), (0.2, -0.3, 0.5)):
        reach.target = target
        scene.solve(warm=False, restarts=0)
    reach.target = (0.45, -0.2, 0.62)
    assert np.array_equal(scene.solve(warm=False, restarts=0).q, first.q)


def test_overlaps_that_are_changed_count_in_the_next_solve() -> None:
    figure = poise.human()
    scene = Scene(figure, natural=False)
    scene.add(t.AvoidSelf(), priority=1)
    scene.add(t.Loop("left_hand", "right_hand"), priority=2)
    assert not scene.solve(restarts=0).met
    figure.overlaps["left_hand", "right_hand"] = np.inf
    assert scene.solve(restarts=0).met


@pytest.mark.parametrize("method", METHODS)
def test_every_method_pushes_bodies_out_or_refuses(method: str) -> None:
    scene = Scene(poise.human(), natural=False)
    scene.place(poise.sphere(0.15, name="ball"), (0.2, -0.1, 1.0))
    scene.add(t.Avoid(things="ball"), priority=1)
    before = max(each.depth for each in scene.assess().contacts() if each.second == "ball")
    assert before > 0.01
    if not METHODS[method].takes_one_sided:
        with pytest.raises(PoiseError, match=r"takes no one-sided tasks, and 'avoid' .Avoid."):
            scene.solve(method)
        return
    solution = scene.solve(method)
    depths = [each.depth for each in solution.contacts() if each.second == "ball"]
    assert max(depths, default=0.0) < 0.1 * before
