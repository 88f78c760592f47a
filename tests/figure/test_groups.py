"""Joint groups: order of coordinates, members, and fitting parameters to members."""

# ruff: noqa: E501  (messages read best on one line)

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_figures import differences, grouped, random_figure, random_q

from poise.errors import PoiseError
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Hinge
from poise.figure.parts import Group, Monomial

seeds = st.integers(0, 2**32 - 1)


def spine() -> Builder:
    builder = Builder("spine")
    for name in ("pelvis", "l1", "l2", "l3", "head"):
        builder.segment(name)
    builder.joint("hip", Hinge(), "pelvis", "l1")
    builder.joint("low", Ball(chart="swing_twist"), "l1", "l2")
    builder.joint("neck", Hinge(), "l3", "head")
    builder.joint("high", Ball(chart="swing_twist"), "l2", "l3")
    return builder


def bent(**members: dict[str, float]) -> Figure:
    builder = spine()
    named = {f"{joint}.swing_y": terms for joint, terms in members.items()}
    builder.group("back", {"flexion": (-1, 2), "turn": (-3, 3)}, named)
    return builder.build()


def test_a_group_stands_where_its_first_joint_does() -> None:
    figure = bent(high={"flexion": 0.4}, low={"flexion": 0.6})
    assert figure.coordinates == ["hip.angle", "back.flexion", "back.turn", "neck.angle"]
    assert figure.lower.tolist() == [-np.inf, -1, -3, -np.inf]
    assert figure.upper.tolist() == [np.inf, 2, 3, np.inf]
    assert figure.span("back") == slice(1, 3)


def test_members_follow_their_parameters_and_the_rest_stays_zero() -> None:
    figure = bent(low={"flexion": 0.6, "turn": 0.1}, high={"flexion": 0.4})
    members = figure.members([0.3, 0.5, 2.0, -0.2])
    assert members == pytest.approx(
        {
            "hip.angle": 0.3,
            "low.swing_x": 0.0,
            "low.swing_y": 0.5,
            "low.twist": 0.0,
            "neck.angle": -0.2,
            "high.swing_x": 0.0,
            "high.swing_y": 0.2,
            "high.twist": 0.0,
        }
    )


@given(seeds)
def test_a_grouped_figure_is_where_the_independent_one_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 8)
    driven = grouped(rng, figure, degree=1 if seed % 2 else 3)
    q = random_q(rng, driven)
    members = driven.members(q)
    same = figure.posture([members[each] for each in figure.coordinates])
    one, other = driven.place(q), figure.place(same)
    for name in figure.segments:
        assert np.abs(one[name].position - other[name].position).max() < 1e-13
    # J_p = J_q ∂f/∂p, the chain rule.
    span, group = driven.span("group"), driven.groups["group"]
    columns = [figure.index(each) for each in group.terms]
    expected = figure.jacobian(same, "s7")[:, columns] @ group.rates(q[span])
    assert np.abs(driven.jacobian(q, "s7")[:, span] - expected).max() < 1e-12


@given(seeds)
def test_what_a_group_evaluates_is_what_the_kernel_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = grouped(rng, random_figure(rng, 6), degree=3)
    q = random_q(rng, figure)
    group, members = figure.groups["group"], figure.members(q)
    values = group.evaluate(q[figure.span("group")])
    assert values == pytest.approx([members[each] for each in group.terms], abs=1e-14)


@given(seeds)
def test_rates_agree_with_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    group = grouped(rng, random_figure(rng, 6, kinds=["ball"]), degree=3).groups["group"]
    p = rng.normal(size=2)
    assert np.abs(group.rates(p) - differences(group.evaluate, p)).max() < 1e-10


@given(seeds)
def test_fitting_finds_the_parameters_of_members(seed: int) -> None:
    rng = np.random.default_rng(seed)
    group = grouped(rng, random_figure(rng, 8, kinds=["ball"]), degree=1).groups["group"]
    p = rng.normal(size=2)
    if np.linalg.matrix_rank(group.rates(p)) == 2:
        assert group.fit(group.evaluate(p), np.zeros(2)) == pytest.approx(p, abs=1e-12)
    curve = Group("g", {"a": (0, 1)}, {"x.y": (Monomial(1, {"a": 1}), Monomial(0.5, {"a": 3}))})
    start, wanted = np.array([0.1]), rng.uniform(-1, 1, 1)
    assert curve.fit(curve.evaluate(wanted), start) == pytest.approx(wanted, abs=1e-9)


def test_linear_groups_know_that_they_are() -> None:
    line = Group("g", {"a": (0, 1)}, {"x.y": {"a": 2.0}, "x.z": (Monomial(0.3, {}),)})
    square = Group("g", {"a": (0, 1)}, {"x.y": (Monomial(1, {"a": 2}),)})
    assert line.is_linear
    assert not square.is_linear


def with_group(*arguments: object) -> Callable[[], object]:
    def make() -> object:
        builder = spine()
        builder.group(*arguments)  # type: ignore[arg-type]
        return builder.build()

    return make


def two_groups() -> object:
    builder = spine()
    for name in ("one", "two"):
        builder.group(name, {"a": (0, 1)}, {"low.twist": {"a": 1}})
    return builder.build()


REFUSED: list[tuple[Callable[[], object], str]] = [
    (with_group("g", {"a": (0, 1)}, {"lwo.twist": {"a": 1}}), "group 'g': there is no coordinate 'lwo.twist'; did you mean 'low.twist'?"),
    (with_group("g", {"a": (0, 1)}, {"low.twist": {"b": 1}}), "member 'low.twist' of group 'g': there is no parameter 'b'. There are: a"),
    (with_group("g", {"a": (1, 0)}, {"low.twist": {"a": 1}}), "the limits of 'a' of group 'g' must be lower before upper, not 1 before 0"),
    (with_group("g", {"a": 1}, {"low.twist": {"a": 1}}), "the limits of 'a' of group 'g' must be two numbers, not 1"),
    (with_group("g", {"a": (0, np.nan)}, {"low.twist": {"a": 1}}), "the limits of 'a' of group 'g' must be a number, not nan"),
    (with_group("g", {}, {"low.twist": {}}), "group 'g' needs parameters and members"),
    (with_group("g", {"a": (0, 1)}, {}), "group 'g' needs parameters and members"),
    (with_group("g", {"a": (0, 1)}, {"low.twist": 3}), "member 'low.twist' of group 'g' must be factors by parameter, or Monomials, not 3"),
    (with_group("g", {"a": (0, 1)}, {"low.twist": (3,)}), "a term of member 'low.twist' of group 'g' must be a Monomial, not 3"),
    (with_group("g", {"a": (0, 1)}, {"low.twist": {"a": "much"}}), "the factor of a group's term must be a number, not 'much'"),
    (with_group("low", {"a": (0, 1)}, {"low.twist": {"a": 1}}), "there are two joints named 'low'; names must be unique"),
    (two_groups, "joint 'low' is in two groups, 'one' and 'two'"),
    (lambda: Monomial(1, {"a": 0}), "the power of 'a' in a group's term must be 1, 2, …, not 0"),
    (lambda: Monomial(1, {"a": 1.5}), "the power of 'a' in a group's term must be 1, 2, …, not 1.5"),  # type: ignore[dict-item]
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_no_group_can_be_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PoiseError, match=words):
        make()


def test_a_driven_joint_refers_to_its_group() -> None:
    figure = bent(low={"flexion": 0.6})
    posture = figure.posture()
    for question, words in (
        (lambda: posture["low"], r"joint 'low' is driven by the group 'back' (flexion, turn); read 'back', or posture.angles('low')"),
        (lambda: posture.__setitem__("low", 1), r"joint 'low' is driven by the group 'back' (flexion, turn); set 'back', or posture.set_angles('low', …)"),
        (lambda: figure.lock("low"), r"joint 'low' is driven by the group 'back' (flexion, turn); lock('back') instead"),
        (lambda: figure.stiffness["low"], r"joint 'low' is driven by the group 'back' (flexion, turn); ask for that of 'back'"),
        (lambda: figure.stiffness.__setitem__("low", 0.5), r"joint 'low' is driven by the group 'back' (flexion, turn); set that of 'back'"),
        (lambda: figure.span("low"), r"joint 'low' is driven by the group 'back' (flexion, turn); use 'back' instead"),
        (lambda: posture["low.swing_y"], "low.swing_y is driven by the group 'back' (back.flexion, back.turn)"),
        (lambda: posture["low.flexion"], "joint 'low' is driven by the group 'back', and has no coordinate 'flexion': set back.flexion, back.turn"),
        (lambda: posture["back.lean"], "back has no coordinate 'lean' (it has flexion, turn)"),
    ):  # fmt: skip
        with pytest.raises(PoiseError) as refused:
            question()
        assert str(refused.value) == words


def clinically_bent(**terms: object) -> Figure:
    """A ball with clinical names that one parameter or three drive."""
    builder = Builder("back")
    builder.segment("base")
    builder.segment("top")
    clinical = {"flexion": "y", "lateral": "-x", "axial": "z"}
    builder.joint("joint", Ball(chart="swing_twist"), "base", "top", clinical=clinical)
    names = dict.fromkeys(("a", "b", "c"), (-3.0, 3.0))
    builder.group("all", names, {f"joint.{each}": how for each, how in terms.items()})  # type: ignore[misc]
    return builder.build()


@given(seeds)
def test_clinical_angles_of_a_driven_joint_are_set_through_its_group(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cube = (Monomial(0.5, {"c": 1}), Monomial(0.1, {"c": 3}))
    figure = clinically_bent(swing_x={"a": 0.5, "b": 0.1}, swing_y={"b": 0.7}, twist=cube)
    posture = figure.posture()
    wanted = dict(zip(("flexion", "lateral", "axial"), rng.uniform(-0.8, 0.8, 3), strict=True))
    posture.set_angles("joint", **wanted)
    assert posture.angles("joint") == pytest.approx(wanted, abs=1e-6)
    posture.set_angles("joint", flexion=0.3)
    assert posture.angles("joint") == pytest.approx({**wanted, "flexion": 0.3}, abs=1e-6)


def test_angles_that_were_not_asked_for_give_way_when_a_group_cannot_keep_them() -> None:
    figure = clinically_bent(swing_x={"a": 0.5}, swing_y={"a": 0.5})
    posture = figure.posture()
    posture.set_angles("joint", flexion=0.3)
    angles = posture.angles("joint")
    assert angles["flexion"] == pytest.approx(0.3, abs=1e-4)
    assert angles["lateral"] == pytest.approx(-0.3, abs=1e-4)


def test_what_a_group_cannot_reach_is_said_with_what_it_can() -> None:
    figure = clinically_bent(swing_y={"a": 0.5})
    posture = figure.posture()
    with pytest.raises(PoiseError) as refused:
        posture.set_angles("joint", flexion=0.25, lateral=0.5)
    assert str(refused.value) == (
        "joint 'joint' is driven by the group 'all', which cannot bring it to flexion 0.250 rad "
        "(14.3°), lateral 0.500 rad (28.6°); the nearest that it reaches is flexion 0.250 rad "
        "(14.3°), lateral 0.000 rad (0.0°)"
    )
    assert not posture.q.any()


def test_a_members_limit_binds_also_beside_a_parameter_without_limits():
    build = Builder("odd")
    build.segment("a")
    build.segment("b")
    build.joint("j", Hinge("y", (-0.1, 0.1)), "a", "b")
    terms = {"j.angle": {"p": 0.0, "r": 1.0}}
    build.group("g", {"p": (-np.inf, np.inf), "r": (-1, 1)}, terms)
    figure = build.build()
    assert not figure.within_limits([0.0, 1.0])
    assert np.allclose(figure.clamp([0.0, 1.0]).q, [0.0, 0.1])
