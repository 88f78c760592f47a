"""How tasks are packed, and how errors are read back."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.tasks.residual import Residual

from poise import PoiseError
from poise.figure import Figure, Transform
from poise.models import chain
from poise.solvers import METHODS, solver
from poise.solvers.criteria import TIGHTEST
from poise.solvers.problem import Wish, pack
from poise.tasks import Aim, Comfort, Frame, HalfSpace, Loop, Orientation, Position, Rest
from poise.tasks.task import Criterion


@pytest.fixture(scope="module")
def figure() -> Figure:
    return chain(5, length=0.2, joint="ball")


def test_rows_are_in_the_order_of_priority_and_levels_say_where_each_begins(figure: Figure) -> None:
    wishes = [
        Wish("late", Position("tip", (1, 0, 0)), 7),
        Wish("first", Frame("tip"), 2),
        Wish("beside", HalfSpace("tip"), 2),
        Wish("middle", Aim("tip", (3, 0, 0)), 5),
    ]
    problem = pack(figure, figure.rest(), wishes)
    assert [wish.name for wish in problem.wishes] == ["first", "beside", "middle", "late"]
    assert problem.blocks.level.tolist() == [0, 7, 10, 13]
    assert problem.blocks.inequality.tolist() == [0] * 6 + [1] + [0] * 6
    assert problem.units == ["m", "rad", "m", "rad", "m"]
    assert problem.spans == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]


def test_errors_come_back_in_metres_and_radians_without_weights(figure: Figure) -> None:
    posture = figure.rest()
    now = figure.place(posture)["tip"]
    turned = Transform.make(now.position + [0.0, 0.03, 0.04], (0.0, 0.0, 0.2))
    ahead = now.apply((np.cos(0.7), np.sin(0.7), 0.0))
    wishes = [
        Wish("frame", Frame("tip", turned, position_share=0.3), 1, 4.0, None, 0.7),
        Wish("aim", Aim("tip", ahead), 2, 9.0, None, 0.2),
        Wish("free", Orientation("tip", turned, free="x"), 3, 2.0, None, 2.0),
        Wish("above", HalfSpace("tip", now.position + [0, 0, 0.5]), 4, 3.0),
        Wish("below", HalfSpace("tip", now.position - [0, 0, 0.5]), 4, 3.0),
    ]
    problem = pack(figure, posture, wishes)
    errors = problem.errors(Residual(problem)(posture.q))
    values = [[round(error.value, 12) for error in each] for each in errors]
    assert values == [[0.05, 0.2], [0.7], [0.2], [0.5], [0.0]]
    assert [[error.unit for error in each] for each in errors] == [
        ["m", "rad"],
        ["rad"],
        ["rad"],
        ["m"],
        ["m"],
    ]


def test_a_task_is_met_when_all_its_parts_are_within_the_tolerance(figure: Figure) -> None:
    posture = figure.rest()
    now = figure.place(posture)["tip"]
    target = Transform.make(now.position, (0.0, 0.0, 0.01))
    problem = pack(figure, posture, [Wish("frame", Frame("tip", target), 1)])
    sizes = problem.sizes(Residual(problem)(posture.q))
    assert sizes == pytest.approx([0.0, 0.005], abs=1e-12)
    assert not problem.met(sizes, 0.0049).any()
    assert problem.met(sizes, 0.0051).all()


def test_many_residuals_are_measured_at_once_as_one_by_one(figure: Figure) -> None:
    wishes = [
        Wish("aim", Aim("tip", (0.3, 1.0, 2.0)), 1),
        Wish("frame", Frame("tip", (0.1, 0.2, 0.3)), 2),
        Wish("above", HalfSpace("tip", (0, 0, 0.1)), 2),
    ]
    problem = pack(figure, figure.rest(), wishes)
    rng = np.random.default_rng(0)
    residual = Residual(problem)
    rows = np.array([residual(rng.normal(size=figure.n)) for _ in range(6)])
    together = problem.measured(problem.sizes(rows))
    met = problem.met(problem.sizes(rows), 0.5)
    assert met.shape == (6, 3)
    for row, values, good in zip(rows, together, met, strict=True):
        errors = [error.value for errors in problem.errors(row) for error in errors]
        assert errors == pytest.approx(values)
        assert good.tolist() == problem.met(problem.sizes(row), 0.5).tolist()


def test_levels_are_compared_with_weights_and_without_what_holds(figure: Figure) -> None:
    posture = figure.rest()
    now = figure.place(posture)["tip"].position
    wishes = [
        Wish("a", Position("tip", now + [0.3, 0, 0]), 1, 4.0),
        Wish("b", HalfSpace("tip", now + [0, 0, 0.8]), 1),
        Wish("c", HalfSpace("tip", now - [0, 0, 0.8]), 2),
    ]
    problem = pack(figure, posture, wishes)
    levels = problem.levels(Residual(problem)(posture.q))
    # The greatest weight of a priority counts 1: √(0.3² + 0.8²/4), and what holds counts nothing.
    assert levels == pytest.approx([0.5, 0.0])


def test_a_new_target_rewrites_that_tasks_numbers_only(figure: Figure) -> None:
    wishes = [
        Wish("frame", Frame("tip"), 1),
        Wish("aim", Aim("tip", (1, 2, 3)), 2),
        Wish("turn", Orientation("tip", free="y"), 2),
    ]
    problem = pack(figure, figure.rest(), wishes)
    frame = Transform.make((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    problem.aim(0, Frame("tip", frame).goals())
    problem.aim(2, Orientation("tip", frame, free="y").goals())
    expected = pack(
        figure,
        figure.rest(),
        [
            Wish("frame", Frame("tip", frame), 1),
            Wish("aim", Aim("tip", (1, 2, 3)), 2),
            Wish("turn", Orientation("tip", frame, free="y"), 2),
        ],
    )
    assert problem.blocks.values.tolist() == expected.blocks.values.tolist()


def test_a_twin_has_targets_of_its_own(figure: Figure) -> None:
    problem = pack(figure, figure.rest(), [Wish("it", Position("tip", (1, 2, 3)), 1)])
    problem.scratch["lex"] = "kept"
    twin = problem.twin()
    twin.aim(0, [(4, 5, 6)])
    assert problem.blocks.values[3:6].tolist() == [1, 2, 3]
    assert twin.blocks.values[3:6].tolist() == [4, 5, 6]
    assert twin.scratch == {}


def test_joints_move_as_willingly_as_stiffness_and_locks_say() -> None:
    figure = chain(4, length=0.2)
    names = list(figure.joints)
    first, second = names[-4], names[-3]
    figure.stiffness[first] = 0.75
    figure.lock(second)
    problem = pack(figure, figure.rest(), [Wish("it", Position("tip"), 1)])
    assert problem.metric.tolist() == [0.25, 0.0, 1.0, 1.0]


def test_a_joint_that_no_task_recruits_is_locked_and_one_that_any_does_is_free() -> None:
    figure = chain(4, length=0.2)
    names = list(figure.joints)[-4:]
    some = Wish("some", Position("tip"), 1, joints=(names[0],))
    others = Wish("others", Position("tip"), 2, joints=(f"{names[2]}.angle", names[0]))
    rest = [(Rest(), 1.0)]
    assert pack(figure, figure.rest(), [some], rest).metric.tolist() == [1, 0, 0, 0]
    assert pack(figure, figure.rest(), [some, others], rest).metric.tolist() == [1, 0, 1, 0]
    everything = Wish("everything", Position("tip"), 3)
    assert pack(figure, figure.rest(), [some, everything]).metric.tolist() == [1, 1, 1, 1]
    assert pack(figure, figure.rest(), [], rest).metric.tolist() == [1, 1, 1, 1]


def test_criteria_draw_together_by_their_weights() -> None:
    figure = chain(2, length=0.2)
    low, high = figure.posture([0.0, 0.0]), figure.posture([1.0, 0.4])
    problem = pack(figure, figure.rest(), [], [(Rest(low), 1.0), (Rest(high), 3.0)])
    assert problem.rest == pytest.approx([0.75, 0.3])
    assert problem.pull == pytest.approx([1.0, 1.0])


def test_a_loop_packs_both_sites(figure: Figure) -> None:
    problem = pack(figure, figure.rest(), [Wish("it", Loop("tip", "root", match="both"), 1)])
    node, other = problem.blocks.block[0, 1:3]
    assert (int(node), int(other)) == (figure.frame("tip")[0], figure.frame("root")[0])
    assert problem.targets == [[]]


def test_a_method_that_is_not_there_is_answered_with_those_that_are() -> None:
    words = f"there is no method 'lexx'; did you mean 'lex'? There are: {', '.join(METHODS)}"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        solver("lexx")


# zones of one coordinate -----------------------------------------------------------------------


BAR = chain(1, length=0.2)
ANGLE = BAR.coordinates[0]


def zones(*given: tuple[float, float, float]) -> list[tuple[Criterion, float]]:
    """`Comfort` between two angles, with a weight, for each."""
    return [(Comfort(zones={ANGLE: (low, high)}), weight) for low, high, weight in given]


def angle(method: str, criteria: list[tuple[Criterion, float]]) -> tuple[float, str]:
    """Where criteria alone bring the bar from rest, and the note on it."""
    problem = pack(BAR, BAR.rest(), [], criteria)
    outcome = solver(method)(
        problem, BAR.rest().q, tolerance=1e-6, max_iterations=400, max_seconds=None
    )
    assert outcome.residual.size == problem.blocks.inequality.size
    return float(outcome.q[0]), outcome.note


@pytest.mark.parametrize("method", ["lex", "priority"])
def test_zones_that_have_nothing_in_common_are_traded_by_weight(method: str) -> None:
    # (q − 0.2)² + 3 (q − 0.6)² is least at 0.5, and without the weights at 0.4.
    found, _ = angle(method, zones((-0.2, 0.2, 1.0), (0.6, 0.9, 3.0)))
    assert found == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("method", ["lex", "priority"])
def test_zones_that_overlap_are_traded_with_a_spring_by_weight(method: str) -> None:
    # (q − 1)² + (q − 0.2)² + 3 (q − 0.1)² is least at 0.3; of one zone to 0.1 it would be 0.28.
    drawn = [(Rest(BAR.posture([1.0])), 1.0), *zones((-0.5, 0.2, 1.0), (-0.4, 0.1, 3.0))]
    found, _ = angle(method, drawn)
    assert found == pytest.approx(0.3, abs=5e-3)


def test_a_method_without_rows_refuses_zones_that_have_nothing_in_common() -> None:
    words = f"Comfort, whose zone of {ANGLE!r} has nothing in common with another's, needs a method"
    for method in ("nlp", "pinv"):
        with pytest.raises(PoiseError, match=re.escape(words)):
            angle(method, zones((-0.2, 0.2, 1.0), (0.6, 0.9, 3.0)))


@pytest.mark.parametrize("method", ["nlp", "pinv"])
def test_a_method_without_rows_takes_the_tightest_of_zones_that_overlap(method: str) -> None:
    found, note = angle(method, zones((0.3, 0.9, 1.0), (0.1, 0.5, 3.0)))
    assert found == pytest.approx(0.3, abs=1e-3)
    assert note.endswith(TIGHTEST)


def test_a_method_without_criteria_refuses_zones_that_overlap() -> None:
    with pytest.raises(PoiseError, match="dls takes no criteria"):
        angle("dls", zones((0.3, 0.9, 1.0), (0.1, 0.5, 3.0)))


def test_zones_that_are_the_same_or_of_what_stays_still_need_no_rows() -> None:
    alike = pack(BAR, BAR.rest(), [], zones((-0.2, 0.2, 1.0), (-0.2, 0.2, 3.0)))
    assert not alike.has_criteria_rows
    assert (alike.zone_lower[0], alike.zone_upper[0], alike.zone_strength[0]) == (-0.2, 0.2, 1.0)
    apart = zones((-0.2, 0.2, 1.0), (0.6, 0.9, 3.0))
    assert pack(BAR, BAR.rest(), [], apart).has_criteria_rows
    locked = chain(1, length=0.2)
    locked.lock(ANGLE)
    assert not pack(locked, locked.rest(), [], apart).has_criteria_rows
