"""What tasks accept, what they want, and what they fill in. Refusals: test_messages.py."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.figures import context_of, stander
from tests.tasks.residual import Residual

from poise.errors import ClosedError
from poise.figure import Builder, Ellipsoid, Figure, Transform
from poise.figure.transform import rotation_matrix, rotation_to, rotation_vector
from poise.models import human
from poise.solvers.problem import Problem, Wish, pack
from poise.tasks import (
    Aim,
    Any,
    Balance,
    CenterOfMass,
    Comfort,
    Contact,
    Convex,
    Criterion,
    Flexion,
    Frame,
    HalfSpace,
    Inertia,
    Inside,
    Line,
    Loop,
    MidRange,
    Orientation,
    Outside,
    Plane,
    Position,
    Rest,
    Surface,
    Task,
)
from poise.tasks.task import Error


@pytest.fixture(scope="module")
def figure() -> Figure:
    return stander()


@pytest.mark.parametrize(
    "task",
    [
        Position("hand"),
        HalfSpace("hand"),
        Orientation("hand"),
        Orientation("hand", free="x"),
        Orientation("hand", form="vectors"),
        Frame("hand"),
        Aim("hand", axis="y"),
        CenterOfMass(),
        Position("hand", frame="leg", axes="xz"),
        Line("hand", None, (1, 2, 3)),
        Line("hand", frame="sole"),
        Plane("hand", None, "y"),
        HalfSpace("hand", frame="leg"),
        Inertia("x"),
    ],
)
def test_without_a_target_a_task_wants_what_is_so_already(task: Task, figure: Figure) -> None:
    posture = figure.posture(np.linspace(0.1, 0.7, figure.n))
    residual = Residual(pack(figure, posture, [Wish("it", task, 1)]))
    assert residual(posture.q) == pytest.approx(0.0, abs=1e-12)


def test_a_frame_that_is_given_a_point_keeps_its_orientation(figure: Figure) -> None:
    context = context_of(figure)
    now = context.places["hand"].rotation
    task = Frame("hand", (1, 2, 3)).resolved(context)
    assert task.target.rotation == pytest.approx(now)
    assert task.target.position == pytest.approx([1, 2, 3])
    turned = rotation_matrix((0.0, 0.0, 1.0))
    moved = task.with_target(Transform(turned, np.zeros(3))).with_target((4, 5, 6))
    assert moved.target.rotation == pytest.approx(turned)
    assert moved.target.position == pytest.approx([4, 5, 6])


def test_a_target_may_be_a_frame_of_which_a_task_takes_its_part() -> None:
    frame = Transform.make((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    assert Position("hand", frame).target == (1.0, 2.0, 3.0)
    assert np.array(Orientation("hand", frame).target) == pytest.approx(frame.rotation)


def test_a_task_is_not_changed_by_making_another_of_it() -> None:
    task = Position("hand", (1, 2, 3), axes="x")
    other = task.with_target((4, 5, 6))
    assert task.target == (1.0, 2.0, 3.0)
    assert other.target == (4.0, 5.0, 6.0)
    assert other.axes == "x"


def test_goals_are_the_numbers_at_the_place_that_the_blocks_name(figure: Figure) -> None:
    context = context_of(figure)
    frame = Transform.make((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    tasks = [
        Position("hand", frame),
        CenterOfMass(frame),
        HalfSpace("hand", frame),
        Aim("hand", frame),
        Orientation("hand", frame),
        Orientation("hand", frame, free="y"),
        Orientation("hand", frame, form="vectors"),
        Frame("hand", frame),
        Position("hand", (1, 2, 3), frame="sole"),
        Line("hand", (1, 2, 3), "x", frame="sole"),
        Plane("hand", frame),
        Contact("sole", frame),
        Contact("sole", frame, slide=False, turn=False),
        Inertia("x", 0.3),
    ]
    for task in tasks:
        blocks = task.blocks(context)
        goals = task.goals()
        aimed = [block for block in blocks if block.target >= 0]
        assert len(goals) == len(aimed)
        for block, goal in zip(aimed, goals, strict=True):
            size = np.size(goal)
            assert (
                block.values[block.target : block.target + size].tolist() == np.ravel(goal).tolist()
            )


def test_a_sole_held_on_the_ground_is_a_support_and_a_raised_one_is_not(figure: Figure) -> None:
    context = context_of(figure)
    assert Frame("sole").resolved(context).held() == ("sole",)
    aside = Transform.make((0, 0, 0), (0.5 * np.pi, 0.0, 0.0))
    assert Frame("sole", aside).resolved(context).held() == ()


def test_a_sole_in_contact_with_level_ground_is_a_support(figure: Figure) -> None:
    assert Contact("sole").resolved(context_of(figure)).held() == ("sole",)
    assert Contact("sole", normal=(0, 0.8, 0.6)).held() == ("sole",)
    assert Contact("sole", normal=(0, 1, 0.4)).held() == ()


def test_a_site_whose_target_is_a_site_is_no_support() -> None:
    assert Frame("sole", "hand").held() == ()


def test_soles_of_a_person_count_and_palms_at_the_sides_do_not() -> None:
    person = human()
    posture = person.rest()
    wishes = [Wish(name, Frame(name), 1) for name in ("left_foot", "right_foot", "left_palm")]
    problem = pack(person, posture, [*wishes, Wish("balance", Balance(), 2)])
    assert problem.supports == ["left_foot", "right_foot"]
    outlines = [person.sites[name].outline for name in problem.supports]
    assert problem.corners == sum(map(len, outlines))


def test_a_support_too_small_for_its_margin_is_said_so(figure: Figure) -> None:
    context = context_of(figure)
    assert Balance(margin=0.09, supports="sole").remark(context) == ""
    assert Balance(margin=0.12, supports="sole").remark(context) == (
        "the support is too small for a margin of 120 mm: no point of it is farther than 100 mm "
        "inside"
    )


def test_a_support_that_is_a_line_has_no_room_for_a_margin() -> None:
    body = Builder("body")
    body.segment("body", mass=1.0)
    outline = [(0.0, 0.0), (0.2, 0.0), (0.2, 0.1)]
    body.site("edge", "body", rotation=(np.pi / 2, 0, 0), outline=outline)  # seen edge-on
    remark = Balance(margin=0.01, supports="edge").remark(context_of(body.build()))
    assert remark.endswith("no point of it is farther than 0 mm inside")


def test_rest_draws_all_but_the_root(figure: Figure) -> None:
    goal, strength = Rest().springs(context_of(figure))
    assert strength.tolist() == [0.0] * 6 + [1.0]
    assert goal == pytest.approx(figure.rest().q)
    other = figure.posture(np.full(7, 0.3))
    assert Rest(other).springs(context_of(figure))[0] == pytest.approx(other.q)


@pytest.mark.parametrize(
    ("slide", "turn", "rows"),
    [(True, True, 3), (True, False, 4), (False, True, 5), (False, False, 6)],
)
def test_a_contact_takes_as_many_freedoms_as_it_has_rows(
    slide: bool, turn: bool, rows: int, figure: Figure
) -> None:
    task = Contact("sole", (0.1, 0.2, -0.1), (0.1, 0.2, 1.0), slide=slide, turn=turn)
    residual = Residual(pack(figure, figure.posture(), [Wish("it", task, 1)]))
    q = np.linspace(0.1, 0.7, figure.n)
    jacobian = residual.jacobian(q)
    assert jacobian.shape == (rows, figure.n)
    assert np.linalg.matrix_rank(jacobian) == rows


@pytest.mark.parametrize("slide", [True, False])
@pytest.mark.parametrize("turn", [True, False])
def test_a_sole_that_lies_flat_in_its_place_is_in_contact(
    slide: bool, turn: bool, figure: Figure
) -> None:
    normal = np.array([0.2, -0.1, 1.0]) / np.linalg.norm([0.2, -0.1, 1.0])
    tilted = Transform.make((0.3, 0.4, 0.2), (0.3, 0.2, 0.5))
    task = Contact("sole", tilted, normal, slide=slide, turn=turn).resolved(context_of(figure))
    residual = Residual(pack(figure, figure.posture(), [Wish("it", task, 1)]))
    q = np.zeros(figure.n)
    for about in (0.0, 0.7):
        # The leg's frame is the sole's turned half round x, so that z comes out of the ground.
        up = task.target.rotation @ np.diag([1.0, -1.0, -1.0]) if not turn else rotation_to(normal)
        aside = 0.2 * np.cross(normal, [0.0, 1.0, 0.0]) if about and slide else np.zeros(3)
        q[:3] = np.array([0.3, 0.4, 0.2]) + aside
        q[3:6] = rotation_vector(rotation_matrix(normal * (about if turn else 0.0)) @ up)
        assert residual(q) == pytest.approx(0.0, abs=1e-12)
    q[2] += 0.01
    assert np.abs(residual(q)).max() > 1e-3


def test_a_target_that_is_laid_flat_turns_by_the_shortest_way() -> None:
    task = Contact("sole", Transform.make((0, 0, 0), (np.pi - 0.2, 0.0, 0.0)), turn=False)
    assert task.target.rotation == pytest.approx(np.diag([1.0, -1.0, -1.0]), abs=1e-12)
    moved = task.with_target((1, 2, 3))
    assert moved.target.rotation == pytest.approx(task.target.rotation)


def test_a_convex_is_the_same_by_half_spaces_by_points_and_as_a_box() -> None:
    box = Convex.box((0.1, 0.2, 0.3), (0.4, 0.6, 0.8), (0.1, 0.2, 0.3))
    axes = rotation_matrix((0.1, 0.2, 0.3))
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    hull = Convex.hull((0.1, 0.2, 0.3) + signs * (0.2, 0.3, 0.4) @ axes.T)
    scaled = Convex(3.0 * np.array(box.normals), 3.0 * np.array(box.offsets))

    def sorted_rows(convex: Convex) -> object:
        rows = np.column_stack([convex.normals, convex.offsets])
        return rows[np.lexsort(rows.round(6).T)]

    assert len(hull.normals) == 6
    assert sorted_rows(hull) == pytest.approx(sorted_rows(box), abs=1e-12)
    assert sorted_rows(scaled) == pytest.approx(sorted_rows(box), abs=1e-12)


@given(st.integers(0, 10_000))
def test_inside_and_outside_are_measured_from_the_faces(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = stander()
    points = rng.normal(size=(12, 3))
    convex = Convex.hull(points)
    q = 0.5 * rng.normal(size=body.n)
    at = body.place(q)["hand"].position
    depths = np.array(convex.offsets) - np.array(convex.normals) @ at
    inside = Residual(
        pack(body, body.posture(), [Wish("it", Inside("hand", convex, margin=0.1), 1)])
    )
    outside = Residual(pack(body, body.posture(), [Wish("it", Outside("hand", convex), 1)]))
    assert inside(q) == pytest.approx(depths - 0.1, abs=1e-12)
    assert outside(q) == pytest.approx([-depths.min()], abs=1e-12)
    shares = rng.dirichlet(np.ones(12))
    assert (np.array(convex.normals) @ (shares @ points) <= np.array(convex.offsets) + 1e-9).all()


def test_a_goal_that_rides_is_where_its_site_is(figure: Figure) -> None:
    rng = np.random.default_rng(0)
    task = Position("hand", (0.1, 0.2, 0.3), axes="zy", frame="sole")
    residual = Residual(pack(figure, figure.posture(), [Wish("it", task, 1)]))
    for _ in range(5):
        q = rng.normal(size=figure.n)
        where = figure.place(q)
        local = where["sole"].inverse().apply(where["hand"].position)
        assert residual(q) == pytest.approx((local - [0.1, 0.2, 0.3])[[2, 1]], abs=1e-12)


def test_angles_among_lengths_are_weighed_by_metres_per_radian(figure: Figure) -> None:
    turned = Orientation(
        "hand", rotation_matrix((0.0, 0.0, 1.0)) @ rotation_matrix((0.1, 0.2, 0.3))
    )
    opposite = Orientation("hand", rotation_matrix((0.0, 2.5, 0.0)))
    far = Position("hand", (9, 9, 9))
    posture = figure.posture()

    def problem(task: Task) -> Problem:
        return pack(figure, posture, [Wish("it", task, 1, metres_per_radian=0.2)])

    mixed, angles = problem(Any([far, turned])), problem(Any([turned, opposite]))
    own = replace(turned, metres_per_radian=0.4)
    assert [each.units for each in (mixed, angles)] == [["m"], ["rad"]]
    assert mixed.errors(Residual(mixed)(posture.q))[0][0].value == pytest.approx(0.2)
    weighed = problem(Any([far, own]))
    assert weighed.errors(Residual(weighed)(posture.q))[0][0].value == pytest.approx(0.4)
    assert angles.errors(Residual(angles)(posture.q))[0][0].value == pytest.approx(1.0)


def test_a_choice_among_inequalities_is_one(figure: Figure) -> None:
    above, below = HalfSpace("hand", (0, 0, 9)), HalfSpace("hand", (0, 0, -9))
    posture = figure.posture()
    problem = pack(figure, posture, [Wish("it", Any([above, below]), 1)])
    assert problem.blocks.inequality.tolist() == [1]
    assert problem.errors(Residual(problem)(posture.q))[0][0].value == 0.0
    # Among equalities one that holds is met, and asks for nothing.
    mixed = pack(figure, posture, [Wish("it", Any([Position("hand", (9, 9, 9)), below]), 1)])
    residual = Residual(mixed)
    assert mixed.blocks.inequality.tolist() == [0, 0, 0]
    assert not residual(posture.q).any()
    assert not residual.jacobian(posture.q).any()


FILED: list[Task | Criterion] = [
    Position("hand", (1, 2, 3), frame="leg"),
    Orientation("hand", "leg"),
    Frame("hand", Transform.make((1, 2, 3))),
    Aim("hand", "sole"),
    Line("hand", (1, 2, 3), "x"),
    Plane("hand", (1, 2, 3), "x"),
    HalfSpace("hand", (1, 2, 3)),
    Inside("hand", Convex.box((0, 0, 0), (1, 1, 1))),
    Outside("hand", Convex.box((0, 0, 0), (1, 1, 1)), frame="leg"),
    Any([Position("hand", (1, 2, 3)), Aim("hand", (1, 2, 3))]),
    Surface("hand", Ellipsoid((0, 0, 0), (1, 1, 1)), frame="leg"),
    Contact("sole", (0, 0, 0), turn=False),
    Loop("hand", "sole"),
    CenterOfMass((1, 2, 3)),
    Inertia("y", 0.2),
    Balance(margin=0.1),
    Rest(),
    MidRange("hip"),
    Flexion("hip", 0.5),
    Comfort("hip", zones={"hip.flexion": (0, 1)}),
]


@pytest.mark.parametrize("task", FILED, ids=lambda task: type(task).__name__)
def test_a_task_is_made_anew_from_its_fields(task: Task | Criterion) -> None:
    values = {each.name: getattr(task, each.name) for each in fields(task)}
    again = type(task)(**values)
    for name, value in values.items():
        kept = getattr(again, name)
        if isinstance(value, Transform):
            assert kept.rotation == pytest.approx(value.rotation)
            assert kept.position == pytest.approx(value.position)
        else:
            assert kept == value
    with pytest.raises(ClosedError):
        task.other = 3  # type: ignore[attr-defined]


def test_an_error_is_printed_in_millimetres_or_degrees() -> None:
    assert str(Error(0.00321, "m")) == "3.21 mm"
    assert str(Error(np.deg2rad(0.5), "rad")) == "0.5°"
