"""What tasks accept, what they refuse and in which words, and what they fill in."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from tests.tasks.residual import Residual

from poise import PoiseError
from poise.figure import Builder, Figure, Hinge, Transform
from poise.figure.transform import rotation_matrix
from poise.models import human
from poise.solvers.problem import Wish, pack
from poise.tasks import (
    Aim,
    Balance,
    CenterOfMass,
    Criterion,
    Frame,
    HalfSpace,
    Loop,
    Orientation,
    Position,
    Rest,
    Task,
)
from poise.tasks.task import Context, Error

DOWN = (np.pi, 0.0, 0.0)
SQUARE = [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]


@pytest.fixture(scope="module")
def figure() -> Figure:
    """A body of two segments that stands on a sole."""
    body = Builder("body")
    body.segment("leg", mass=1.0, center=(0.0, 0.0, 0.2))
    body.segment("trunk", mass=2.0, center=(0.0, 0.0, 0.3))
    body.root("leg")
    body.joint("hip", Hinge("y", (-1.0, 1.0), "flexion"), "leg", "trunk", (0.0, 0.0, 0.5))
    body.site("sole", "leg", rotation=DOWN, outline=SQUARE)
    body.site("hand", "trunk", (0.3, 0.1, 0.4), rotation=(0.1, 0.2, 0.3))
    return body.build()


def context_of(figure: Figure, *supports: str) -> Context:
    posture = figure.posture()
    return Context(figure, posture, figure.place(posture), supports)


TILTED = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.1, 1.0]]
MIRROR = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Position("hand", (1, 2)), "the target of 'hand' must be 3 numbers, not 2"),
    (
        lambda: Position("hand", (1, 2, float("nan"))),
        "the target of 'hand' must be finite, not [1.0, 2.0, nan]",
    ),
    (lambda: Position("hand", "there"), "the target of 'hand' must be numbers, not 'there'"),
    (
        lambda: Position(3),  # type: ignore[arg-type]
        "the site of a Position must be the name of a site, segment or joint, not 3",
    ),
    (
        lambda: Position("hand", axes="xw"),
        "axes must be some of x, y, z, each once, such as 'xy'; not 'xw'",
    ),
    (
        lambda: Position("hand", axes="xx"),
        "axes must be some of x, y, z, each once, such as 'xy'; not 'xx'",
    ),
    (
        lambda: Position("hand", frame=TILTED),
        f"the control frame must be a rotation matrix, orthonormal and right-handed, not {TILTED}",
    ),
    (
        lambda: CenterOfMass((1, 2)),
        "the target of the centre of mass must be 3 numbers, not 2",
    ),
    (
        lambda: HalfSpace("hand", normal=(0, 0, 0)),
        "the normal of the plane of 'hand' has no direction: [0.0, 0.0, 0.0]",
    ),
    (
        lambda: Orientation("hand", MIRROR),
        "the target of 'hand' must be a rotation matrix, orthonormal and right-handed, "
        f"not {MIRROR}",
    ),
    (
        lambda: Orientation("hand", (1, 2, 3)),
        "the target of 'hand' must be 3 × 3 numbers, not 3",
    ),
    (
        lambda: Orientation("hand", free="w"),  # type: ignore[arg-type]
        "the free axis must be 'x', 'y' or 'z', not 'w'",
    ),
    (
        lambda: Orientation("hand", form="euler"),  # type: ignore[arg-type]
        "the form must be 'rotation' or 'vectors', not 'euler'",
    ),
    (
        lambda: Orientation("hand", form="vectors", free="x"),
        "with form='vectors' an axis is freed by cx=0 or cy=0, not by free=",
    ),
    (lambda: Orientation("hand", cx=2.0), "cx and cy are for form='vectors'"),
    (
        lambda: Orientation("hand", form="vectors", cx=0, cy=0),
        "cx and cy must not both be 0: nothing would be wanted",
    ),
    (
        lambda: Frame("hand", position_share=1.0),
        "the position share must be less than 1, not 1; for all of it use Position",
    ),
    (
        lambda: Frame("hand", position_share=0),
        "the position share must be greater than 0, not 0",
    ),
    (
        lambda: Frame("hand", metres_per_radian=0.0),
        "metres_per_radian must be greater than 0, not 0",
    ),
    (
        lambda: Aim("hand", axis="w"),
        "the axis of 'hand' must be one of x, y, z, -x, -y, -z or three numbers, not 'w'",
    ),
    (lambda: Loop("hand", "hand"), "a Loop needs two sites, not 'hand' twice"),
    (
        lambda: Loop("hand", "sole", match="frame"),  # type: ignore[arg-type]
        "match must be 'position', 'orientation' or 'both', not 'frame'",
    ),
    (
        lambda: Balance(margin=float("nan")),
        "the margin of Balance (m) must be a finite number, not nan",
    ),
    (lambda: Balance(supports=3), "supports must be names of sites, not 3"),
    (lambda: Rest((1, 2)), "Rest takes a Posture, not (1, 2)"),
    (lambda: Balance().with_target((0, 0, 0)), "a Balance has no target"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_cannot_be_wanted_is_refused_in_plain_words(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        make()


def test_a_task_of_no_kind_cannot_be_solved(figure: Figure) -> None:
    with pytest.raises(PoiseError, match=r"^Task is not a task that can be solved$"):
        Task().blocks(context_of(figure))
    with pytest.raises(PoiseError, match=r"^Criterion is not a criterion that can be solved$"):
        Criterion().pull(context_of(figure))


def test_a_site_that_is_not_there_is_answered_with_the_nearest(figure: Figure) -> None:
    words = (
        "there is no site, segment or joint 'hnad'; did you mean 'hand'? "
        "There are: sole, hand, leg, trunk, root, hip"
    )
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        Position("hnad").check(context_of(figure))


def test_a_support_must_have_an_outline(figure: Figure) -> None:
    words = "'hand' has no outline to stand on; with outlines: sole"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        Balance(supports="hand").check(context_of(figure))


def test_balance_without_a_support_says_what_to_do(figure: Figure) -> None:
    with pytest.raises(PoiseError, match=r"^Balance has nothing to stand on: hold a site that has"):
        Balance().blocks(context_of(figure))


@pytest.mark.parametrize("task", [Balance(), CenterOfMass((0, 0, 0))])
def test_a_figure_without_mass_has_no_centre_of_mass(task: Task) -> None:
    body = Builder("ghost")
    body.segment("body")
    words = (
        f"{type(task).__name__} needs masses, and the figure 'ghost' has none; "
        "give its segments masses"
    )
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        task.check(context_of(body.build()))


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
    ]
    for task in tasks:
        blocks = task.blocks(context)
        goals = task.goals()
        assert len(goals) == len(blocks)
        for block, goal in zip(blocks, goals, strict=True):
            size = np.size(goal)
            assert block.values[block.target : block.target + size].tolist() == list(goal)  # type: ignore[arg-type]


def test_a_sole_held_on_the_ground_is_a_support_and_a_raised_one_is_not(figure: Figure) -> None:
    context = context_of(figure)
    assert Frame("sole").resolved(context).held() == ("sole",)
    aside = Transform.make((0, 0, 0), (0.5 * np.pi, 0.0, 0.0))
    assert Frame("sole", aside).resolved(context).held() == ()


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
    goal, strength = Rest().pull(context_of(figure))
    assert strength.tolist() == [0.0] * 6 + [1.0]
    assert goal == pytest.approx(figure.rest().q)
    other = figure.posture(np.full(7, 0.3))
    assert Rest(other).pull(context_of(figure))[0] == pytest.approx(other.q)


def test_rest_refuses_the_posture_of_another_figure(figure: Figure) -> None:
    with pytest.raises(
        PoiseError, match=r"^a posture of 'human' .* does not fit the figure 'body'"
    ):
        Rest(human().rest()).pull(context_of(figure))


def test_an_error_is_printed_in_millimetres_or_degrees() -> None:
    assert str(Error(0.00321, "m")) == "3.21 mm"
    assert str(Error(np.deg2rad(0.5), "rad")) == "0.5°"
