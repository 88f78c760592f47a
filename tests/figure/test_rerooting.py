"""The same figure held elsewhere: placements stay, and the way back leads back."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.random_figures import grouped, random_figure, random_joint, random_kind, random_q

import poise
from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.figure.kinds import Fixed, Free, Hinge
from poise.figure.parts import Coupling, Group, Joint, Segment, Site
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)


def assert_same_places(one: Figure, q: Values, other: Figure, p: Values) -> None:
    a, b = one.place(q), other.place(p)
    roots = {joint.name for joint in one.joints.values() if joint.parent == "world"}
    for name in set(a) - roots:  # those are what is replaced
        assert np.abs(a[name].position - b[name].position).max() < 1e-12
        assert np.abs(a[name].rotation - b[name].rotation).max() < 1e-12


@given(seeds)
def test_every_placement_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, root="fixed" if seed % 3 == 0 else "free")
    q = random_q(rng, figure)
    turned, posture = figure.rooted_at(f"s{rng.integers(10)}", q)
    assert turned.coordinates == figure.coordinates
    assert_same_places(figure, q, turned, posture.q)
    root = figure.span("root")
    joints = np.ones(figure.n, bool)
    joints[root] = False
    assert np.array_equal(posture.q[joints], q[joints])


@given(seeds)
def test_the_way_back_gives_the_same_figure_and_posture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, root="fixed" if seed % 3 == 0 else "free")
    if seed % 2:
        figure = grouped(rng, figure, degree=2)
    figure.postures["rest"] = random_q(rng, figure)
    q = random_q(rng, figure)
    turned, posture = figure.rooted_at(f"s{rng.integers(1, 10)}", q)
    further, posture = turned.rooted_at(f"s{rng.integers(1, 10)}", posture)
    back, posture = further.rooted_at("s0", posture)
    assert np.abs(posture.q - q).max(initial=0) < 1e-12
    assert np.abs(back.postures["rest"] - figure.postures["rest"]).max(initial=0) < 1e-12
    assert back.coordinates == figure.coordinates
    assert back.segments == figure.segments
    for name, joint in figure.joints.items():
        if name != "root":
            assert back.joints[name] == joint
    old, new = figure.joints["root"], back.joints["root"]
    assert dataclasses.replace(new, position=old.position, rotation=old.rotation) == old
    assert new.position == pytest.approx(old.position, abs=1e-12)
    assert rotation_matrix(new.rotation) == pytest.approx(rotation_matrix(old.rotation), abs=1e-12)


@given(seeds)
def test_a_free_root_can_become_fixed_where_it_is_and_free_again(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 6)
    q = random_q(rng, figure)
    fixed, posture = figure.rooted_at(f"s{rng.integers(6)}", q, root="fixed")
    assert fixed.n == figure.n - 6
    assert_same_places(figure, q, fixed, posture.q)
    free, posture = fixed.rooted_at("s0", posture, root="free")
    assert free.coordinates == figure.coordinates
    assert_same_places(figure, q, free, posture.q)


@given(seeds)
def test_moving_then_re_rooting_is_re_rooting_then_moving(seed: int) -> None:
    """The re-rooted figure is the same figure: its joints do the same from any start."""
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 7)
    q = random_q(rng, figure)
    turned, posture = figure.rooted_at("s4", q)
    other = q.copy()
    joints = [i for i, name in enumerate(figure.coordinates) if not name.startswith("root.")]
    other[joints] = random_q(rng, figure)[joints]
    moved = turned.place(
        posture.with_q(np.where(np.isin(range(figure.n), joints), other, posture.q))
    )
    before = figure.place(other)
    # Seen from one segment, all others are where they were.
    for name in figure.segments:
        one = before["s2"].inverse() @ before[name]
        two = moved["s2"].inverse() @ moved[name]
        assert np.abs(one.position - two.position).max() < 1e-12
        assert np.abs(one.rotation - two.rotation).max() < 1e-12


def two_trees(rng: np.random.Generator) -> Figure:
    """Two trees of three segments, each on a root of its own."""
    parts = [Segment(f"{tree}{i}", 1.0, (0.1, 0.0, 0.0)) for tree in "ab" for i in range(3)]
    joints = [
        random_joint(rng, "a_root", Free(), "world", "a0"),
        random_joint(rng, "b_root", Fixed(), "world", "b0"),
    ]
    for tree in "ab":
        for i in (1, 2):
            kind = random_kind(rng, "ball" if i == 1 else "hinge")
            joints.append(random_joint(rng, f"{tree}_{i}", kind, f"{tree}{i - 1}", f"{tree}{i}"))
    return Figure("pair", parts, joints)


def test_of_several_trees_only_the_one_that_is_meant_is_re_rooted() -> None:
    rng = np.random.default_rng(0)
    figure = two_trees(rng)
    q = random_q(rng, figure)
    turned, posture = figure.rooted_at("b2", q)
    assert turned.joints["a_root"] == figure.joints["a_root"]
    assert turned.joints["b_root"].child == "b2"
    assert_same_places(figure, q, turned, posture.q)
    turned, posture = figure.rooted_at("a1", q)
    assert turned.joints["b_root"] == figure.joints["b_root"]
    assert turned.joints["a_root"].child == "a1"
    assert_same_places(figure, q, turned, posture.q)


def test_the_same_root_gives_the_same_figure() -> None:
    rng = np.random.default_rng(1)
    figure = random_figure(rng)
    q = random_q(rng, figure)
    same, posture = figure.rooted_at("s0", q)
    assert same.joints == figure.joints
    assert np.array_equal(posture.q, q)


def test_a_site_or_a_joint_names_its_segment() -> None:
    rng = np.random.default_rng(2)
    figure = random_figure(rng, 4)
    parts, joints = list(figure.segments.values()), list(figure.joints.values())
    sited = Figure("sited", parts, joints, sites=[Site("tip", "s2", (0.1, 0.2, 0.3))])
    q = random_q(rng, sited)
    assert sited.rooted_at("tip", q)[0].joints["root"].child == "s2"
    assert sited.rooted_at("j3", q)[0].joints["root"].child == "s3"
    turned, posture = sited.rooted_at("tip", q)
    assert_same_places(sited, q, turned, posture.q)


def test_locks_stiffness_and_named_postures_are_kept() -> None:
    rng = np.random.default_rng(3)
    figure = random_figure(rng, 5, kinds=["ball"])
    figure.lock("j2", "root.x")
    figure.stiffness["j3"] = 0.5
    figure.postures["sitting"] = random_q(rng, figure)
    turned, _ = figure.rooted_at("s4", random_q(rng, figure))
    assert turned.locked_names == ("j2", "root.x")
    assert turned.stiffness["j3"] == 0.5
    assert "rest" not in turned.postures
    sitting = figure.postures["sitting"], turned.postures["sitting"]
    assert_same_places(figure, sitting[0], turned, sitting[1])
    fixed, _ = figure.rooted_at("s4", random_q(rng, figure), root="fixed")
    assert fixed.locked_names == ("j2",)


def small(*, couplings: tuple[Coupling, ...] = (), groups: tuple[Group, ...] = ()) -> Figure:
    parts = [Segment("a"), Segment("b")]
    joints = [Joint("root", Free(), "world", "a"), Joint("knee", Hinge(), "a", "b")]
    return Figure("small", parts, joints, couplings=couplings, groups=groups)


def test_a_root_that_other_laws_bind_is_not_moved() -> None:
    bound = small(couplings=(Coupling("floor", {"root.z": 1.0}, 0.0),))
    with pytest.raises(
        PoiseError, match=r"root of 'small' cannot be moved: the coupling 'floor' binds its root\.z"
    ):
        bound.rooted_at("b", np.zeros(7))
    driven = small(groups=(Group("lift", {"up": (0, 1)}, {"root.z": {"up": 1.0}}),))
    with pytest.raises(
        PoiseError, match="root of 'small' cannot be moved: the group 'lift' drives it"
    ):
        driven.rooted_at("b", np.zeros(2))


def test_wrong_requests_are_answered_in_words() -> None:
    figure = small()
    with pytest.raises(PoiseError, match="a root must be 'free' or 'fixed', not 'loose'"):
        figure.rooted_at("b", np.zeros(7), root="loose")
    with pytest.raises(
        PoiseError, match=r"there is no site, segment or joint 'kne'; did you mean 'knee'\?"
    ):
        figure.rooted_at("kne", np.zeros(7))
    with pytest.raises(PoiseError, match="a posture of 'small' must be 7 numbers, not 3"):
        figure.rooted_at("b", np.zeros(3))
    parts = [Segment("a"), Segment("b")]
    swinging = Figure(
        "door", parts, [Joint("post", Hinge(), "world", "a"), Joint("knob", Hinge(), "a", "b")]
    )
    words = "joint 'post' holds 'door' to the ground with a hinge, which would be lost"
    with pytest.raises(PoiseError, match=words):
        swinging.rooted_at("b", np.zeros(2))


@pytest.mark.parametrize("root", ["free", "fixed"])
@pytest.mark.parametrize("name", ["left_foot", "right_hand", "head", "l3", "left_knee"])
def test_a_person_keeps_every_placement_also_where_a_site_is_called_like_its_segment(name, root):
    person = poise.human()
    posture = person.rest()
    posture["spine.flexion"] = 0.4
    other, same = person.rooted_at(name, posture, root=root)
    before, after = person.place(posture), other.place(same)
    for each in before.keys() - {"root"}:  # the root's own frame is another one now
        assert np.abs(before[each].position - after[each].position).max() < 1e-12
        assert np.abs(before[each].rotation - after[each].rotation).max() < 1e-12
    for each in person.segments:
        assert np.abs(before.segment(each).position - after.segment(each).position).max() < 1e-12


def test_a_person_rooted_at_a_foot_is_mirrored_like_one_rooted_at_the_pelvis():
    person = poise.human()
    posture = person.rest()
    posture["spine"] = (0.3, 0.2, 0.1)
    posture.set_angles("left_hip", flexion=0.8)
    posture["root.y"] = 0.3
    image = person.place(posture.mirrored())
    other, same = person.rooted_at("left_foot", posture)
    turned = other.place(same.mirrored())
    for each in person.segments:
        gap = image.segment(each).position - turned.segment(each).position
        assert np.abs(gap).max() < 1e-9
