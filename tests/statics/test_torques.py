"""What joints hold: against pinocchio, MuJoCo, virtual work, and bodies counted one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests.random_figures import differences, random_figure, turned_from
from tests.statics.forces import CASES, SEEDS, random_case
from tests.statics.random_loads import balancing_load, moment_by_bodies, random_loads

import poise
from poise import PoiseError
from poise.figure import Ball, Figure, Swing
from poise.statics.components import components_of, generalised, held
from poise.statics.loads import GRAVITY, Load
from poise.statics.strength import Strengths
from poise.statics.torques import torques_of


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_torques_are_those_of_pinocchio(seed: int) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    from tests.kernel.peers import Pinocchio

    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    q = 0.5 * rng.normal(size=figure.n)
    loads = random_loads(rng, figure)
    peer = Pinocchio(figure)
    peer.move(q, np.zeros(figure.n))
    model = peer.model
    outside = [pinocchio.Force.Zero() for _ in range(model.njoints)]
    for load in loads:
        frame = model.frames[model.getFrameId(load.site)]
        joint = frame.parentJoint
        place = peer.data.oMi[joint]
        at = figure.place(q)[load.site].apply(np.array(load.point))
        force = np.array(load.force)
        turn = np.array(load.torque) + np.cross(at - place.translation, force)
        outside[joint] += pinocchio.Force(place.rotation.T @ force, place.rotation.T @ turn)
    listed: Any = pinocchio.StdVec_Force()
    listed.extend(outside)
    still = np.zeros(model.nv)
    found = pinocchio.rnea(model, model.createData(), peer.q, still, still, listed)
    ours = generalised(figure, q, loads)
    for i in range(figure.n):
        # A velocity of one of our coordinates: both must do the same work in a second.
        peer.move(q, np.eye(figure.n)[i])
        assert abs(found @ peer.v - ours[i]) < 1e-8 * max(1.0, np.abs(ours).max())


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_torques_are_those_of_mujoco(seed: int) -> None:
    mujoco = pytest.importorskip("mujoco")
    from tests.kernel.peers import MuJoCo

    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    q = 0.5 * rng.normal(size=figure.n)
    loads = random_loads(rng, figure)
    peer = MuJoCo(figure)
    peer.move(q, np.zeros(figure.n))
    peer.model.opt.gravity[:] = [0.0, 0.0, -GRAVITY]
    mujoco.mj_forward(peer.model, peer.data)
    found = peer.data.qfrc_bias.copy()
    for load in loads:
        at = figure.place(q)[load.site].apply(np.array(load.point))
        body = int(peer.model.site_bodyid[peer.model.site(load.site).id])
        applied = np.zeros(peer.model.nv)
        mujoco.mj_applyFT(
            peer.model, peer.data, np.array(load.force), np.array(load.torque), at, body, applied
        )
        found -= applied
    ours = generalised(figure, q, loads)
    for i in range(figure.n):
        peer.move(q, np.eye(figure.n)[i])
        assert abs(found @ peer.v - ours[i]) < 1e-8 * max(1.0, np.abs(ours).max())


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, case=CASES)
def test_components_are_the_moments_of_all_bodies_beyond_the_joint(seed: int, case: str) -> None:
    rng = np.random.default_rng(seed)
    figure, q = random_case(rng, case)
    loads = random_loads(rng, figure)
    for name, joint in torques_of(figure, q, loads, Strengths()).items():
        whole = moment_by_bodies(figure, q, loads, name)
        for each in joint.components:
            axis = np.array(each.axis)
            assert np.isclose(np.linalg.norm(axis), 1.0)
            if each.unit == "N·m":
                assert abs(axis @ whole - each.value) < 1e-9 * max(1.0, np.abs(whole).max())
        if isinstance(figure.joints[name].kind, Ball):
            total = sum(each.value * np.array(each.axis) for each in joint.components)
            assert np.allclose(total, whole, atol=1e-9 * max(1.0, np.abs(whole).max()))


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_work_of_moments_is_that_of_torques(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    q = 0.4 * rng.normal(size=figure.n)
    loads = random_loads(rng, figure)
    torque = generalised(figure, q, loads)
    held_by = torques_of(figure, q, loads, Strengths())
    for name, each in held_by.items():
        joint = figure.joints[name]
        if isinstance(joint.kind, Swing):
            continue  # its bones do work in no direction that it can move
        child = figure.jacobian(q, joint.child)[3:]
        parent = figure.jacobian(q, joint.parent)[3:]
        span = figure.span(name)
        if joint.kind.kind == "slider":
            assert np.allclose(torque[span], [c.value for c in each.components])
            continue
        if joint.kind.kind == "elbow":
            moment = moment_by_bodies(figure, q, loads, name)
        else:
            moment = sum(c.value * np.array(c.axis) for c in each.components)
        work = (child - parent)[:, span].T @ moment
        assert np.allclose(work, torque[span], atol=1e-8 * max(1.0, np.abs(torque).max()))


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, case=CASES)
def test_torques_do_the_work_that_all_forces_do(seed: int, case: str) -> None:
    rng = np.random.default_rng(seed)
    figure, q = random_case(rng, case)
    loads = random_loads(rng, figure)
    turned = [turned_from(figure, q, load.site) for load in loads]

    def work(at: np.ndarray) -> np.ndarray:
        places = figure.place(at)
        done = -GRAVITY * figure.mass * figure.center_of_mass(at)[2]
        for load, turn in zip(loads, turned, strict=True):
            done += np.dot(load.force, places[load.site].apply(np.array(load.point)))
            done += np.dot(load.torque, turn(at))
        return np.array([done])

    found, expected = generalised(figure, q, loads), -differences(work, q)[0]
    assert np.allclose(found, expected, atol=1e-8 * max(1.0, np.abs(expected).max()))


def test_couplings_and_groups_of_a_person_change_nothing_of_what_joints_hold() -> None:
    rng = np.random.default_rng(2)
    human = poise.human()
    assert human.couplings
    assert human.groups
    posture = human.clamp(human.posture(human.rest().q + 0.3 * rng.normal(size=human.n)))
    loads = [Load("right_hand", force=(-30.0, 10.0, -50.0), torque=(1.0, -2.0, 3.0))]
    held_by = torques_of(human, posture, loads, Strengths())
    assert len(held_by) > 30
    for name, joint in held_by.items():
        whole = moment_by_bodies(human, posture.q, loads, name)
        for each in joint.components:
            assert abs(np.array(each.axis) @ whole - each.value) < 1e-9 * max(1.0, joint.moment)


def test_what_joints_hold_is_the_same_beside_another_figure() -> None:
    scene = poise.Scene({"anna": poise.human(sex="female"), "ben": poise.human()})
    alone = poise.Scene(poise.human(sex="female"))
    for each, prefix in ((scene, "anna/"), (alone, "")):
        each.forces.support(f"{prefix}left_foot", ratio=0.4)
        each.forces.support(f"{prefix}right_foot", ratio=0.6)
        each.forces.apply(f"{prefix}right_hand", force=(-30.0, 10.0, -50.0))
    scene.forces.support("ben/left_foot")
    together, single = scene.forces.torques(), alone.forces.torques()
    for name, joint in single.items():
        for one, other in zip(joint.components, together[f"anna/{name}"].components, strict=True):
            assert one.value == pytest.approx(other.value, abs=1e-9)
            assert one.strength == pytest.approx(other.strength)


def test_a_joint_that_is_not_there_is_said_so() -> None:
    scene = poise.Scene(poise.human())
    scene.forces.support("left_foot")
    found = scene.forces.torques()
    with pytest.raises(PoiseError, match="there is no joint 'left_nee'; did you mean 'left_knee'"):
        found["left_nee"]
    with pytest.raises(PoiseError, match="no component of 'left_hip' 'flex'; did you mean 'flexi"):
        found["left_hip"]["flex"]
    assert "left_knee" in found
    assert "left_nee" not in found


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_what_joints_hold_does_not_depend_on_the_root_when_forces_balance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    q = 0.4 * rng.normal(size=figure.n)
    loads = random_loads(rng, figure)
    loads.append(balancing_load(figure, q, loads, "s3"))
    other, posture = figure.rooted_at("s5", q)
    here = torques_of(figure, q, loads, Strengths())
    there = torques_of(other, posture, loads, Strengths())
    assert sorted(here) == sorted(there)
    for name, each in here.items():
        assert np.allclose(
            [c.value for c in each.components],
            [c.value for c in there[name].components],
            atol=1e-8 * max(1.0, each.moment),
        )


def test_two_hands_that_press_a_box_load_both_arms_and_not_the_legs() -> None:
    human = poise.human()
    q = human.rest()
    press = [Load("left_hand", force=(0.0, 50.0, 0.0)), Load("right_hand", force=(0.0, -50.0, 0.0))]
    parts = components_of(human)
    change = held(human, q, parts, press) - held(human, q, parts, [])
    changes = {each.full_name: value for each, value in zip(parts, change.tolist(), strict=True)}
    assert abs(changes["left_shoulder.abduction"]) > 10
    assert np.isclose(changes["left_shoulder.abduction"], changes["right_shoulder.abduction"])
    assert abs(changes["left_knee.flexion"]) < 1e-9
    assert abs(changes["l5_s1.flexion"]) < 1e-6


def test_a_flexor_holds_a_weight_in_the_bent_forearm() -> None:
    human = poise.human()
    posture = human.rest()
    posture.set_angles("right_elbow", flexion=np.deg2rad(90))
    held_by = torques_of(human, posture, [Load("right_hand", force=(0, 0, -50))], Strengths())
    assert held_by["right_elbow"]["flexion"].value > 10


def test_a_chain_without_gravity_on_its_axis_holds_the_textbook_moment() -> None:
    chain: Figure = poise.chain(4, length=0.5)
    q = chain.posture()
    tip = list(chain.sites)[-1]
    found = held(chain, q, components_of(chain), [Load(tip, force=(0, 0, 10))], gravity=0.0)
    reach = chain.place(q)[tip].position[0]
    # A force up at the tip turns about −y; the joints push back about +y.
    assert np.allclose(found, [10.0 * (reach - 0.5 * k) for k in range(4)])
