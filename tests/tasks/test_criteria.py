"""Where criteria draw the coordinates, and between which ends they leave them alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.figures import context_of, stander
from tests.tasks.residual import Residual

import poise
from poise.figure import Ball, Builder, Figure, Hinge, SphericalEllipse, Twist
from poise.models import chain, human
from poise.solvers.problem import Problem, pack
from poise.tasks import Comfort, Flexion, MidRange, Position, Rest

ends = st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(lambda pair: (min(pair), max(pair)))


def limited(low: float = -0.4, high: float = 1.0) -> Figure:
    """Three hinges: with both limits, with one, with none."""
    limb = Builder("limb")
    limb.segment("s0")
    for i, box in enumerate([(low, high), (0.0, np.inf), (-np.inf, np.inf)], 1):
        limb.segment(f"s{i}")
        limb.joint(f"j{i}", Hinge("y", box), f"s{i - 1}", f"s{i}", (0.2, 0.0, 0.0))
    limb.site("tip", "s3", (0.2, 0.0, 0.0))
    return limb.build()


def test_rest_draws_all_but_the_root() -> None:
    figure = stander()
    goal, strength = Rest().springs(context_of(figure))
    assert strength.tolist() == [0.0] * 6 + [1.0]
    assert goal == pytest.approx(figure.rest().q)
    other = figure.posture(np.full(7, 0.3))
    assert Rest(other).springs(context_of(figure))[0] == pytest.approx(other.q)


def test_the_middle_is_halfway_between_limits_and_what_has_none_is_left_alone() -> None:
    goal, strength = MidRange().springs(context_of(limited()))
    assert goal.tolist() == pytest.approx([0.3, 0.0, 0.0])
    assert strength.tolist() == [1.0, 0.0, 0.0]
    assert MidRange(["j2", "j3"]).springs(context_of(limited()))[1].tolist() == [0.0] * 3


def test_the_middle_of_a_ball_is_that_of_its_curved_limits() -> None:
    limb = Builder("limb")
    limb.segment("a")
    limb.segment("b")
    ball = Ball("z", swing=(SphericalEllipse(0.6, 0.4, (0.1, -0.2)),), twist=Twist(-0.5, 1.5))
    limb.joint("ball", ball, "a", "b")
    goal, strength = MidRange("ball").springs(context_of(limb.build()))
    assert strength.tolist() == [1.0] * 3
    assert goal[2] == pytest.approx(0.5)
    assert goal[:2] == pytest.approx([0.1, -0.2], abs=0.05)


@pytest.mark.parametrize("amount", [0.0, 0.5, 1.0])
def test_flexion_draws_to_a_share_of_the_stop(amount: float) -> None:
    goal, strength = Flexion(["j1", "j1.angle"], amount).springs(context_of(limited()))
    assert goal[0] == pytest.approx(amount)
    assert strength.tolist() == [1.0, 0.0, 0.0]


def test_flexion_of_a_person_is_that_of_hinges_elbows_groups_and_balls() -> None:
    person = human()
    names = ["left_knee", "left_elbow", "spine", "right_hip"]
    goal, strength = Flexion(names).springs(context_of(person))
    drawn = {person.coordinates[i] for i in np.flatnonzero(strength)}
    assert drawn == {
        "left_knee.flexion",
        "left_elbow.flexion",
        "spine.flexion",
        "right_hip.swing_x",
        "right_hip.swing_y",
        "right_hip.twist",
    }
    for name in ("left_knee", "left_elbow", "spine"):
        i = person.index(f"{name}.flexion")
        assert goal[i] == pytest.approx(person.upper[i])
    flexed = person.rest()
    flexed.q[person.span("right_hip")] = goal[person.span("right_hip")]
    stop = person.range("right_hip")["flexion"][1]
    assert flexed.angles("right_hip")["flexion"] == pytest.approx(stop, abs=1e-6)


def test_flexion_of_all_is_of_all_that_have_one() -> None:
    person = human()
    _, strength = Flexion().springs(context_of(person))
    drawn = {person.coordinates[i].partition(".")[0] for i in np.flatnonzero(strength)}
    assert {"left_knee", "right_elbow", "spine", "neck", "left_wrist", "left_hip"} <= drawn
    assert not drawn & {"root", "left_toes"}


def test_comfort_is_the_middle_of_the_range_and_draws_nowhere() -> None:
    context = context_of(limited())
    lower, upper, strength = Comfort(share=0.5).zone(context)
    assert lower.tolist() == pytest.approx([-0.05, -np.inf, -np.inf])
    assert upper.tolist() == pytest.approx([0.65, np.inf, np.inf])
    assert strength.tolist() == [1.0, 0.0, 0.0]
    assert not Comfort().springs(context)[1].any()


def test_comfort_zones_can_be_given_and_may_have_one_end() -> None:
    zones = {"j1.angle": (0.1, 0.2), "j3.angle": (-np.inf, 0.5)}
    lower, upper, strength = Comfort(zones=zones).zone(context_of(limited()))
    assert lower.tolist() == [0.1, -np.inf, -np.inf]
    assert upper.tolist() == [0.2, np.inf, 0.5]
    assert strength.tolist() == [1.0, 0.0, 1.0]


@given(st.lists(st.tuples(ends, st.floats(0.1, 5.0)), min_size=1, max_size=4))
def test_several_zones_of_a_coordinate_are_one_sum_by_their_weights(
    zones: list[tuple[tuple[float, float], float]],
) -> None:
    problem = _with_zones(zones)
    for angle in (-2.5, -1.0, 0.0, 0.3, 1.5, 2.5):
        q = np.array([0.0, angle, 0.5])
        wanted = sum(weight * _outside(angle, *zone) ** 2 for zone, weight in zones)
        if problem.has_criteria_rows:
            rows = Residual(problem)(q)
            found = float(rows @ rows) * max(1.0, *(weight for _, weight in zones))
        else:
            assert len({zone for zone, _ in zones}) == 1
            beyond = _outside(angle, problem.zone_lower[1], problem.zone_upper[1])
            total = max(1.0, sum(weight for _, weight in zones))
            found = total * problem.zone_strength[1] * beyond**2
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert not problem.pull.any()


@given(st.lists(st.tuples(ends, st.floats(0.1, 5.0)), min_size=1, max_size=4))
def test_without_rows_the_tightest_counts_and_strengths_add_up_if_zones_have_something_in_common(
    zones: list[tuple[tuple[float, float], float]],
) -> None:
    problem = _with_zones(zones)
    low, high = max(zone[0] for zone, _ in zones), min(zone[1] for zone, _ in zones)
    assert bool(problem.with_rows) == (low > high)
    if low <= high:
        plain, total = problem.plain(), sum(weight for _, weight in zones)
        assert not plain.has_criteria_rows
        assert (plain.zone_lower[1], plain.zone_upper[1]) == (low, high)
        assert plain.zone_strength[1:] == pytest.approx(np.array([total, 1.0]) / max(total, 1.0))


def _with_zones(zones: list[tuple[tuple[float, float], float]]) -> Problem:
    """Zones of the second hinge with their weights, and one of the third, of weight 1."""
    figure = limited()
    criteria = [(Comfort(zones={"j2.angle": zone}), weight) for zone, weight in zones]
    return pack(figure, figure.rest(), [], [*criteria, (Comfort(zones={"j3.angle": (0, 1)}), 1.0)])


def _outside(value: float, low: float, high: float) -> float:
    """How far a value is outside a zone."""
    return max(low - value, value - high, 0.0)


def test_springs_and_zones_are_measured_by_one_scale() -> None:
    figure = chain(2, length=0.2)
    first = figure.coordinates[0]
    criteria = [(Rest(), 3.0), (Comfort(zones={first: (0.0, 0.1)}), 1.0)]
    problem = pack(figure, figure.rest(), [], criteria)
    assert problem.pull == pytest.approx([0.75, 0.75])
    assert problem.zone_strength == pytest.approx([0.25, 0.0])


@pytest.mark.parametrize(("criterion", "wanted"), [(MidRange(), 0.3), (Flexion("j1", 0.8), 0.8)])
def test_freedom_that_tasks_leave_goes_to_the_criteria(criterion: object, wanted: float) -> None:
    scene = poise.Scene(limited())
    scene.add(Position("tip", (0.4, 0.0, 0.0), axes="x"))
    scene.add(criterion)  # type: ignore[arg-type]
    solution = scene.solve()
    assert solution.met
    assert solution.posture.q[0] == pytest.approx(wanted, abs=1e-3)


def test_a_criterion_about_joints_that_are_not_there_is_refused_when_added() -> None:
    scene = poise.Scene(limited())
    for criterion in (
        MidRange("j9"),
        Flexion("j9"),
        Comfort("j9"),
        Comfort(zones={"j9.a": (0, 1)}),
    ):
        with pytest.raises(poise.PoiseError, match=r"^there is no .*'j9"):
            scene.add(criterion)
    assert not scene.handles
