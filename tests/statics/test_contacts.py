"""Contact forces that are found: balanced, inside their cones, with the least effort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from tests.statics.balances import Balance
from tests.tasks.figures import stander

import poise
from poise import PoiseError, Scene, tasks
from poise.scene.solving import context_of
from poise.statics.answers import Distribution
from poise.statics.contacts import SIDES
from poise.statics.loads import GRAVITY, Load


def standing(**support: float) -> Scene:
    """A woman at ease on both feet."""
    scene = Scene(poise.human(sex="female"))
    for side in ("left", "right"):
        scene.forces.support(f"{side}_foot", ratio=0.5, **support)
    return scene


def lacking(scene: Scene, found: Distribution) -> float:
    """How far the loads and the weight are from balance, in N and N·m."""
    figure, q = context_of(scene).figure, context_of(scene).posture
    places, center = figure.place(q), figure.center_of_mass(q)
    force, moment = np.array([0.0, 0.0, -GRAVITY * figure.mass]), np.zeros(3)
    for load in found.loads:
        at = places[load.site].apply(np.array(load.point))
        force += load.force
        moment += np.cross(at - center, load.force) + load.torque
    return float(np.linalg.norm([*force, *moment]))


def in_cones(scene: Scene, found: Distribution) -> bool:
    """Whether every contact pushes, and slips nowhere."""
    supports = scene.forces.supports
    for each in found.contacts:
        normal = -scene.places[each.site].rotation[:, 2]
        push = float(normal @ each.force)
        across = float(np.linalg.norm(np.array(each.force) - push * normal))
        if push < 0 or across > supports[each.site].friction * push + 1e-9:
            return False
    return True


def leaning(seed: int) -> Scene:
    """A person who stands on both feet, leans on a hand, and is pushed at the other."""
    rng = np.random.default_rng(seed)
    scene = Scene(poise.human(sex="female" if seed % 2 else "male"))
    for side in ("left", "right"):
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
        scene.forces.support(f"{side}_foot", ratio=0.5, friction=float(rng.uniform(0.3, 0.9)))
    scene.forces.support("left_palm", ratio=0.0, friction=0.4)
    scene.add(tasks.Balance(margin=0.02), priority=2)
    scene.add(tasks.Position("left_palm", (0.4, 0.2, 1.1)), priority=3)
    x, y, z = rng.uniform((0.2, -0.5, 0.7), (0.5, -0.1, 1.4)).tolist()
    scene.add(tasks.Position("right_hand", (x, y, z)), priority=3)
    scene.posture = scene.solve().posture
    scene.forces.apply("right_hand", force=15 * rng.normal(size=3), torque=rng.normal(size=3))
    return scene


@pytest.mark.parametrize(
    ("force", "torque"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        ((-25.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        ((0.0, 0.0, -60.0), (0.0, 0.0, 0.0)),
        ((0.0, 10.0, 0.0), (0.0, 0.0, 6.0)),
    ],
)
def test_forces_are_balanced_and_inside_their_cones(
    force: tuple[float, float, float], torque: tuple[float, float, float]
) -> None:
    scene = standing(friction=0.5)
    scene.forces.apply("right_hand", force=force, torque=torque)
    found = scene.forces.distribute()
    assert found.is_feasible
    assert lacking(scene, found) < 1e-5
    assert in_cones(scene, found)
    assert np.isclose(sum(found.ratios.values()), 1.0)
    assert np.isclose(scene.forces.torques(forces=found).effort, found.effort)


@pytest.mark.parametrize("seed", range(4))
def test_the_forces_found_are_those_of_an_independent_program(seed: int) -> None:
    quadprog = pytest.importorskip("quadprog")
    scene = leaning(seed)
    found = scene.forces.distribute()
    assert found.is_feasible
    assert lacking(scene, found) < 1e-5
    assert in_cones(scene, found)
    plain = Balance(scene)
    edges, held_by = plain.edges()
    count, weight = edges.shape[1], plain.weight
    up, down = np.diag(plain.strong[:, 0]), np.diag(plain.strong[:, 1])
    rows = np.block([[edges, np.zeros((6, 2 * len(up)))], [held_by, -up / weight, down / weight]])
    right = np.concatenate([-plain.wrench, -plain.base]) / weight
    several = rows.shape[1]
    cost = np.diag(np.concatenate([np.full(count, 1e-9), np.ones(several - count)]))
    limits = np.concatenate([right, np.zeros(several)])
    best = quadprog.solve_qp(
        2 * cost, np.zeros(several), np.hstack([rows.T, np.eye(several)]), limits, len(right)
    )[0]
    moments = plain.base + weight * held_by @ best[:count]
    strong = np.where(moments >= 0, plain.strong[:, 0], plain.strong[:, 1])
    assert found.effort == pytest.approx(float(np.sum((moments / strong) ** 2)), rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("joints", [True, False])
def test_the_strongest_push_is_that_of_trying_harder_and_harder(seed: int, joints: bool) -> None:
    scene = leaning(seed)
    found = scene.forces.strongest("right_hand", (0.6, 0.0, -0.8), joints=joints)
    assert found.limit in (("joint", "slips", "tips") if joints else ("slips", "tips"))
    plain = Balance(scene, without="right_hand")
    edges, held_by = plain.edges()
    push, lever = plain.of(Load("right_hand", force=(-0.6, 0.0, 0.8)))

    def holds(force: float) -> bool:
        base = plain.base + force * lever
        ends: dict[str, Any] = {}
        if joints:
            room = np.concatenate([plain.strong[:, 0] - base, plain.strong[:, 1] + base])
            ends |= {"A_ub": np.vstack([held_by, -held_by]), "b_ub": room / plain.weight}
        right = -(plain.wrench + force * push) / plain.weight
        return linprog(np.zeros(edges.shape[1]), A_eq=edges, b_eq=right, **ends).status == 0

    assert holds(0.999 * found.force)
    assert not holds(1.001 * found.force)


def test_shares_by_ratio_take_no_less_effort_than_those_that_are_found() -> None:
    scene = standing()
    scene.forces.apply("right_hand", force=(0.0, 0.0, -80.0))
    scene.add(tasks.Equilibrium(), priority=2)
    for side in ("left", "right"):
        scene.add(tasks.Frame(f"{side}_foot"), priority=1)
    scene.posture = scene.solve().posture
    found = scene.forces.distribute()
    assert found.effort <= scene.forces.torques().effort + 1e-6


def test_a_load_that_cannot_be_balanced_is_said_with_what_is_lacking() -> None:
    scene = standing(friction=0.1)
    weight = GRAVITY * scene.posture.figure.mass
    scene.forces.apply("pelvis", force=(0.5 * weight, 0.0, 0.0))
    found = scene.forces.distribute()
    assert not found.is_feasible
    # Of the half of its weight, friction bears a tenth.
    assert -found.lacking_force[0] > 0.35 * weight
    assert "cannot be balanced" in str(found)
    assert in_cones(scene, found)


def tower(friction: float) -> Scene:
    """A stiff body of 3 kg on a sole of 0.2 m, with a hand beside it."""
    scene = Scene(stander())
    scene.forces.support("sole", friction=friction)
    return scene


def test_a_body_slips_at_friction_times_its_weight() -> None:
    found = tower(0.05).forces.strongest("trunk", "x")
    assert found.limit == "slips"
    # The pyramid lies inside the cone.
    assert np.cos(np.pi / SIDES) - 1e-9 <= found.force / (0.05 * 3.0 * GRAVITY) <= 1.0 + 1e-9


def test_a_body_tips_about_the_edge_of_its_sole() -> None:
    scene = tower(100.0)
    height = scene.places["hand"].position[2]
    center = context_of(scene).figure.center_of_mass(scene.posture)[0]
    found = scene.forces.strongest("hand", "x")
    assert found.limit == "tips"
    # Who pushes forward is pushed backward, over the heel.
    assert np.isclose(found.force * height, 3.0 * GRAVITY * (center + 0.1))


def test_a_joint_gives_at_its_strength() -> None:
    scene = tower(100.0)
    scene.forces.set_strength({"hip": 0.4})
    hip = scene.places["hip"].position[2]
    hand = scene.places["hand"].position[2]
    found = scene.forces.strongest("hand", "x")
    assert found.limit == "joint"
    assert found.joints == ("hip.flexion",)
    assert np.isclose(found.force * (hand - hip), 0.4)
    assert "hip.flexion gives" in str(found)
    assert scene.forces.strongest("hand", "x", joints=False).limit == "tips"


def test_nothing_gives_where_a_body_is_pressed_down() -> None:
    scene = tower(0.5)
    assert scene.forces.strongest("leg", "z").limit == "nothing"


def test_who_cannot_stand_is_told_so() -> None:
    scene = tower(0.5)
    scene.forces.apply("trunk", force=(100.0, 0.0, 0.0))
    found = scene.forces.strongest("hand", "y")
    assert found.limit == "cannot stand"
    assert np.isnan(found.force)
    assert str(found) == "hand: cannot stand"


def test_who_stands_but_cannot_hold_the_posture_is_told_so() -> None:
    scene = tower(0.5)
    scene.forces.apply("trunk", force=(0.5, 0.0, 0.0), point=(0.0, 0.0, 0.3))
    scene.forces.set_strength({"hip": 1e-3})
    found = scene.forces.strongest("hand", "y")
    assert found.limit == "too weak"
    assert np.isnan(found.force)
    assert str(found) == "hand: joints are too weak for the posture"
    assert scene.forces.strongest("hand", "y", joints=False).force > 0


def test_the_diagram_has_the_pushes_of_all_directions() -> None:
    scene = standing()
    diagram = scene.forces.diagram("right_hand", directions=8)
    assert len(diagram.pushes) == len(diagram.standing) == 8
    ahead = scene.forces.strongest("right_hand", "x").force
    assert np.isclose(diagram.boundary()[0], [ahead, 0.0]).all()
    forces = np.array([each.force for each in diagram.pushes])
    assert (forces <= np.array([each.force for each in diagram.standing]) + 1e-6).all()


def test_the_region_of_forces_is_convex() -> None:
    scene = standing()
    boundary = scene.forces.diagram("right_hand", directions=24).boundary()
    sides = np.roll(boundary, -1, axis=0) - boundary
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1]
    turns -= sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    assert turns.min() > -1e-6 * np.abs(turns).max()


def test_of_several_figures_one_must_be_named() -> None:
    scene = Scene({"anna": poise.human(), "ben": poise.human()})
    scene.forces.support("anna/left_foot")
    with pytest.raises(PoiseError, match="name the one that is meant, of anna, ben"):
        scene.forces.distribute()
    with pytest.raises(PoiseError, match="there is no support"):
        scene.forces.distribute(figure="ben")
    assert scene.forces.strongest("anna/right_hand", "x").site == "anna/right_hand"


def test_forces_that_were_found_for_several_figures_are_kept_for_each() -> None:
    scene = Scene({"anna": poise.human(sex="female"), "ben": poise.human()})
    for name in ("anna", "ben"):
        for side in ("left", "right"):
            scene.forces.support(f"{name}/{side}_foot", ratio=0.5)
    for name in ("anna", "ben", "anna"):
        scene.forces.use(scene.forces.distribute(figure=name))
    assert {each.site.partition("/")[0] for each in scene.forces.borne} == {"anna", "ben"}
    weights = sum(each.force[2] for each in scene.forces.reactions())
    assert weights == pytest.approx(GRAVITY * context_of(scene).figure.mass)
    scene.forces.use(None)
    assert scene.forces.borne == ()


def test_what_no_support_bears_is_refused() -> None:
    scene = standing()
    with pytest.raises(PoiseError, match="there is no support 'left_hand'"):
        scene.forces.distribute().total("left_hand")
    for wrong in (3, "abc", [3]):
        with pytest.raises(PoiseError, match="what supports bear must be loads, not"):
            scene.forces.use(wrong)  # type: ignore[arg-type]
    with pytest.raises(PoiseError, match="there is no support 'left_hand'"):
        scene.forces.use([Load("left_hand", force=(0, 0, 1))])


def test_a_force_that_is_applied_to_a_support_is_none_of_what_it_bears() -> None:
    scene = standing(friction=0.5)
    scene.forces.apply("left_foot", force=(500.0, 0.0, 0.0))
    scene.forces.apply("right_foot", force=(-500.0, 0.0, 0.0))
    scene.add(tasks.Equilibrium())
    report = scene.solve(max_iterations=1).tasks[0]
    assert all(each.across < 1e-9 for each in scene.forces.reactions())
    assert "slips" not in str(report)
