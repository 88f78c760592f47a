"""What `joints=` means: a task is achieved by its own joints, and protected with all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise import tasks as t
from poise.documents import parse
from poise.figure import Figure
from poise.scene import Solution
from poise.scene.files import scene_from, scene_text

SEEN = 5e-4
"""What moves by less (rad or m) has not moved: levels above are mended to within the tolerance."""
FIGURES = (poise.human, poise.quadruped, poise.hand, lambda: poise.chain(8, joint="ball"))
EASY, FAR = (0.35, -0.25, 1.2), (0.9, -0.2, 1.3)


def standing(person: Figure, *, natural: bool = False, margin: float = 0.02) -> Scene:
    scene = Scene(person, natural=natural)
    scene.add(t.Frame("left_foot"), priority=1)
    scene.add(t.Frame("right_foot"), priority=1)
    scene.add(t.Balance(margin=margin), priority=2)
    return scene


def moved(scene: Scene, solution: Solution) -> set[str]:
    names = scene._ensemble.whole.coordinates
    return {names[i] for i in np.flatnonzero(np.abs(solution.q - scene.q) > SEEN)}


@pytest.fixture(scope="module")
def person() -> Figure:
    return poise.human()


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize("target", [EASY, FAR])
def test_what_the_arm_is_to_do_the_arm_does_alone(
    person: Figure, target: tuple[float, ...], natural: bool
) -> None:
    scene = standing(person, natural=natural)
    scene.add(t.Position("right_hand", target), priority=3, joints="right_arm", name="reach")
    solution = scene.solve(restarts=0)
    assert solution.tasks["reach"].met == (target == EASY)
    carrying = {name for name in person.coordinates if name.startswith(("root", "spine"))}
    assert not moved(scene, solution) & carrying
    assert solution.status == ("solved" if target == EASY else "stationary")


def test_without_joints_of_its_own_the_back_helps(person: Figure) -> None:
    scene = standing(person)
    scene.add(t.Position("right_hand", FAR), priority=3, name="reach")
    solution = scene.solve(restarts=0)
    assert solution.met
    assert any(name.startswith("spine") for name in moved(scene, solution))


def test_an_arm_that_is_too_short_comes_as_near_as_with_all_else_locked(person: Figure) -> None:
    scene = standing(person)
    scene.add(t.Position("right_hand", FAR), priority=3, joints="right_arm", name="reach")
    found = scene.solve(restarts=0).tasks["reach"]
    alone = poise.human()
    alone.lock([name for name in alone.coordinates if name not in alone.limbs["right_arm"]])
    locked = Scene(alone, natural=False)
    locked.add(t.Position("right_hand", FAR), name="reach")
    expected = locked.solve(restarts=0).tasks["reach"]
    assert found.error == pytest.approx(expected.error, rel=2e-3)
    blockers = {(each.kind, each.name) for each in found.blockers}
    assert ("others", "spine") in blockers or ("others", "root") in blockers
    assert "not among the joints that it may move" in str(found)


def test_others_react_where_tasks_above_need_them(person: Figure) -> None:
    """An arm raised forward moves the centre of mass; a narrow support lets the body lean back."""
    scene = standing(person, margin=0.0)
    mass = person.center_of_mass(person.rest())
    scene.handles["balance"].remove()
    scene.add(t.CenterOfMass((mass[0], mass[1], 0.0), axes="xy"), priority=2, name="mass")
    scene.add(t.Position("right_hand", EASY), priority=3, joints="right_arm", name="reach")
    solution = scene.solve(restarts=0)
    assert solution.met
    others = moved(scene, solution) - set(person.limbs["right_arm"])
    assert others, "the arm has moved the centre of mass, and nothing has reacted"
    limb = [person.index(name) for name in person.limbs["right_arm"]]
    turns = np.abs(solution.q - scene.q)
    assert turns[limb].max() > 5 * np.delete(turns, limb).max()


def test_what_is_below_keeps_it_with_all_joints(person: Figure) -> None:
    """Whoever looks behind turns the trunk; the hand stays where the arm has brought it."""
    scene = standing(person)
    scene.add(t.Position("right_hand", EASY), priority=3, joints="right_arm", name="reach")
    scene.add(t.Aim("eyes", (-3.0, 1.0, 1.5)), priority=4, name="look")
    solution = scene.solve(restarts=0)
    assert solution.tasks["reach"].met
    assert any(name.startswith("spine") for name in moved(scene, solution))


def test_tasks_of_one_priority_keep_their_own_joints(person: Figure) -> None:
    scene = Scene(person, natural=False)
    for foot in ("left_foot", "right_foot"):
        scene.add(t.Frame(foot))
    for side, y in (("left", 0.25), ("right", -0.25)):
        scene.add(t.Position(f"{side}_hand", (0.35, y, 1.2)), joints=f"{side}_arm")
    solution = scene.solve(restarts=0)
    assert solution.met
    arms = {*person.limbs["left_arm"], *person.limbs["right_arm"]}
    assert moved(scene, solution) <= arms
    assert len(solution.level_errors) == 1


def test_sets_that_overlap_in_one_priority_come_to_rest(person: Figure) -> None:
    """Both cannot be met: the larger set comes first, and the same posture is found again."""
    scene = Scene(person, natural=False)
    scene.add(t.Frame("left_foot"))
    both = [*person.limbs["right_arm"], "spine"]
    scene.add(t.Position("right_hand", (0.5, -0.2, 1.3)), joints=both, name="hand")
    scene.add(t.Position("right_elbow", (0.5, -0.2, 1.3)), joints="right_arm", name="elbow")
    first = scene.solve(restarts=0)
    assert first.tasks["hand"].met
    assert not first.tasks["elbow"].met
    assert first.status in ("stationary", "stalled")
    scene.q = first.q
    np.testing.assert_allclose(scene.solve(restarts=0).q, first.q, atol=2e-3)


def test_neck_and_wrists_stay_out_of_balance(person: Figure) -> None:
    """Thesis 7.2.3: the orientation of head and hands is for more important tasks."""
    kept = [name for name in person.coordinates if "neck" in name or "wrist" in name]
    bearing = [name for name in person.coordinates if name not in kept]
    scene = standing(person)
    scene.handles["balance"].remove()
    mass = person.center_of_mass(person.rest()) + [0.05, 0.03, 0.0]
    shifted = t.CenterOfMass((mass[0], mass[1], 0.0), axes="xy")
    scene.add(shifted, priority=2, joints=bearing, name="mass")
    solution = scene.solve(restarts=0)
    assert solution.met
    assert not moved(scene, solution) & set(kept)


def test_a_share_lets_the_back_help_less(person: Figure) -> None:
    def bend(joints: object) -> float:
        scene = standing(person)
        scene.add(t.Position("right_hand", EASY), priority=3, joints=joints)  # type: ignore[arg-type]
        solution = scene.solve(restarts=0)
        assert solution.met
        spine = [person.index(name) for name in person.limbs["spine"]]
        return float(np.abs(solution.q - scene.q)[spine].max())

    alike, less, least = (bend({"right_arm": 1.0, "spine": share}) for share in (1.0, 0.3, 0.05))
    assert least < 0.3 * less < 0.3 * alike


def test_a_loop_follows_with_the_arm(person: Figure) -> None:
    scene = standing(person, natural=True)
    reach = scene.add(t.Position("right_hand", EASY), priority=3, joints="right_arm")
    before = scene.q.copy()
    for step in range(30):
        reach.target = (0.35 + 0.004 * step, -0.25, 1.2)
        solution = scene.solve()
        assert solution.met
        scene.posture = solution.posture
    spine = [person.index(name) for name in person.limbs["spine"]]
    np.testing.assert_allclose(scene.q[spine], before[spine], atol=1e-5)


def test_other_starts_keep_what_the_task_may_not_move(person: Figure) -> None:
    scene = standing(person, natural=True)
    reach = scene.add(t.Position("right_hand", FAR), priority=3, joints="right_arm", name="reach")
    solution = scene.solve()
    assert not solution.tasks["reach"].met
    carrying = {name for name in person.coordinates if name.startswith(("root", "spine"))}
    assert not moved(scene, solution) & carrying
    for step in range(12):  # out of reach, in a loop
        reach.target = (0.5 + 0.04 * step, -0.2, 1.3)
        solution = scene.solve()
        assert not moved(scene, solution) & carrying
        scene.posture = solution.posture


@pytest.mark.parametrize("natural", [False, True])
def test_what_is_below_does_not_change_what_an_arm_comes_to(person: Figure, natural: bool) -> None:
    scene = standing(person, natural=natural)
    scene.add(t.Position("right_hand", FAR), priority=3, joints="right_arm", name="reach")
    alone = scene.solve(restarts=0).tasks["reach"].error
    scene.add(t.Position("left_hand", (0.9, 0.2, 1.3)), priority=4, name="other")
    assert scene.solve(restarts=0).tasks["reach"].error == pytest.approx(alone, rel=5e-3)


def test_shares_count_where_other_tasks_come_after(person: Figure) -> None:
    def bend(share: float) -> float:
        scene = standing(person)
        joints = {"right_arm": 1.0, "spine": share, "root": 1.0, "left_leg": 1.0, "right_leg": 1.0}
        joints |= {"neck": 1.0, "left_arm": 1.0}
        scene.add(t.Position("right_hand", EASY), priority=3, joints=joints)
        scene.add(t.Aim("eyes", (2.0, 0.0, 1.5)), priority=4, name="look")
        solution = scene.solve(restarts=0)
        spine = [person.index(name) for name in person.limbs["spine"]]
        return float(np.abs(solution.q - scene.q)[spine].max())

    assert bend(0.05) < 0.5 * bend(1.0)


def test_shares_count_against_the_greatest(person: Figure) -> None:
    def reached(joints: dict[str, float]) -> bytes:
        scene = standing(person)
        scene.add(t.Position("right_hand", EASY), priority=3, joints=joints)
        return scene.solve(restarts=0).q.tobytes()

    assert reached({"right_arm": 0.5, "spine": 0.25}) == reached({"right_arm": 1.0, "spine": 0.5})


def test_an_inequality_that_holds_keeps_nothing_still(person: Figure) -> None:
    """A wall far behind the hand leaves the body to `Natural`."""
    scene = standing(person, natural=True)
    scene.add(t.Position("left_hand", (0.4, 0.3, 1.3)), priority=3)
    free = scene.solve(restarts=0).q
    wall = t.HalfSpace("right_hand", (-5.0, 0.0, 0.0), normal="x")
    scene.add(wall, priority=4, joints="right_arm", name="wall")
    np.testing.assert_allclose(scene.solve(restarts=0).q, free, atol=1e-3)


def test_what_follows_by_a_coupling_is_recruited_with_it() -> None:
    hand = poise.hand()
    tied = next(each for each in hand.couplings.values() if each.lower == each.upper)
    first, *others = tied.terms
    scene = Scene(hand)
    tip = next(name for name in hand.sites if "index" in name and "tip" in name)
    scene.add(t.Position(tip, scene.places[tip].position - [0.0, 0.0, 0.01]), joints=first)
    names = moved(scene, scene.solve(restarts=0))
    assert first not in names or set(others) <= names


def test_shares_are_saved_and_read_again(person: Figure) -> None:
    scene = standing(person)
    scene.add(t.Position("right_hand"), joints={"right_arm": 1.0, "spine": 0.2}, name="reach")
    again = scene_from(parse(scene_text(scene, Path()), "again.yaml"), Path())
    assert again.handles["reach"].joints == {"right_arm": 1.0, "spine": 0.2}
    again.handles["reach"].joints = {"right_arm": 1.0}
    assert again.handles["reach"].joints == ("right_arm",)


@pytest.mark.parametrize(
    ("joints", "words"),
    [
        ({"right_arm": 0.0}, "how readily 'right_arm' moves for 'reach' must be greater than 0"),
        ({"right_arm": 1.5}, "must be at most 1"),
        ({"right_arm": float("nan")}, "how readily"),
        ({"right_arn": 1.0}, "right_arm"),
        ({}, "at least one"),
    ],
)
def test_wrong_shares_are_refused(person: Figure, joints: object, words: str) -> None:
    scene = standing(person)
    with pytest.raises(PoiseError, match=words):
        scene.add(t.Position("right_hand"), joints=joints, name="reach")  # type: ignore[arg-type]
    assert "reach" not in scene.handles


@pytest.mark.parametrize("seed", range(12))
def test_a_task_of_some_joints_moves_no_others_on_any_figure(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = FIGURES[seed % len(FIGURES)]()
    sites = list(figure.segments)[1:]
    first, second = (str(each) for each in rng.choice(sites, 2, replace=False))
    names = [name for name in figure.coordinates if not name.startswith("root")]
    own = [str(each) for each in rng.choice(names, len(names) // 3, replace=False)]
    scene = Scene(figure, natural=False)
    scene.add(t.Position(first), priority=1)
    place = scene.places[second].position
    scene.add(
        t.Position(second, place + rng.normal(size=3) * 0.05), priority=2, joints=own, name="own"
    )
    solution = scene.solve(restarts=0)
    assert solution.tasks[0].met
    # Joints that neither the first task nor a coupling depends on cannot react.
    jacobian = figure.jacobian(scene.posture, first)[:3]
    still = {n for n, c in zip(figure.coordinates, jacobian.T, strict=True) if not c.any()}
    still -= {name for each in figure.couplings.values() for name in each.terms}
    assert not moved(scene, solution) & (still - set(own))
