"""Every refusal of tasks and criteria, in its exact words."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.tasks.figures import context_of, stander

import poise
from poise import PoiseError
from poise.figure import Builder, Ellipsoid, Figure, Placements, Posture
from poise.models import human
from poise.tasks import (
    Aim,
    Any,
    Balance,
    CenterOfMass,
    Comfort,
    Contact,
    Convex,
    Criterion,
    Custom,
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

BALL = Convex.box((0, 0, 0), (1, 1, 1))
EGG = Ellipsoid((0, 0, 0), (0.2, 0.3, 0.4))


def flat(posture: Posture, places: Placements) -> ArrayLike:
    return [0.0]


def broken(posture: Posture, places: Placements) -> ArrayLike:
    return [1 / 0]


def ghost() -> Figure:
    body = Builder("ghost")
    body.segment("body")
    return body.build()


TILTED = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.1, 1.0]]
MIRROR = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Position("hand", (1, 2)), "the target of 'hand' must be 3 numbers, not 2"),
    (
        lambda: Position("hand", (1, 2, float("nan"))),
        "the target of 'hand' must be finite, not [1.0, 2.0, nan]",
    ),
    (lambda: Position("hand", {}), "the target of 'hand' must be numbers, not {}"),
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
        f"not {MIRROR}: it mirrors, for its determinant is -1",
    ),
    (
        lambda: Orientation("hand", (1, 2, 3)),
        "the target of 'hand' must be an orientation: a rotation matrix (3 × 3), a unit quaternion "
        "w x y z or a Transform; three numbers could be a rotation vector or Euler angles, not "
        "(1, 2, 3)",
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
    (
        lambda: Position("hand", "hand"),
        "the target of 'hand' must be another site, not 'hand' itself",
    ),
    (
        lambda: Position("hand", ""),
        "the target of 'hand' must be the name of a site, segment or joint, not ''",
    ),
    (
        lambda: Position("hand", (0, 0, 0), frame="hand"),
        "the frame of 'hand' must be another site, not 'hand' itself",
    ),
    (
        lambda: Position("hand", "cup", frame="table"),
        "the target of 'hand' is the site 'cup', so its frame cannot be 'table': give the target "
        "as a point in that frame",
    ),
    (
        lambda: Position("hand", "cup").with_target((1, 2, 3)),
        "the target of 'hand' rides on 'cup', and that cannot be changed: remove the task and add "
        "another",
    ),
    (
        lambda: Aim("eyes", (1, 2, 3)).with_target("hand"),
        "the target of 'eyes' is fixed, and that cannot be changed: remove the task and add "
        "another",
    ),
    (
        lambda: Orientation("hand", "hand"),
        "the target of 'hand' must be another site, not 'hand' itself",
    ),
    (
        lambda: Frame("hand", "hand"),
        "the target of 'hand' must be another site, not 'hand' itself",
    ),
    (
        lambda: CenterOfMass(frame="table"),
        "the control frame must be numbers, not 'table'",
    ),
    (
        lambda: CenterOfMass(figure=3),  # type: ignore[arg-type]
        "figure must be the name of a figure of the scene, not 3",
    ),
    (
        lambda: Line(3, (0, 0, 0)),  # type: ignore[arg-type]
        "the site of a Line must be the name of a site, segment or joint, not 3",
    ),
    (
        lambda: Line("hand", (0, 0, 0), "up"),
        "the direction of the line of 'hand' must be one of x, y, z, -x, -y, -z or three numbers, "
        "not 'up'",
    ),
    (
        lambda: Line("hand", frame=np.eye(3)),
        "the frame of 'hand' must be None, for the world, or the name of a site, "
        f"not {np.eye(3)!r}",
    ),
    (
        lambda: Plane("hand", (0, 0, 0), (0, 0, 0)),
        "the normal of the plane of 'hand' has no direction: [0.0, 0.0, 0.0]",
    ),
    (
        lambda: Inside("hand", (1, 2)),
        "the region of 'hand' must be a Convex, not (1, 2)",
    ),
    (
        lambda: Inside(None, BALL),  # type: ignore[arg-type]
        "the site of an Inside must be the name of a site, segment or joint, not None",
    ),
    (
        lambda: Outside("hand", BALL, margin="much"),  # type: ignore[arg-type]
        "the margin of 'hand' (m) must be a number, not 'much'",
    ),
    (
        lambda: Outside("hand", BALL, frame=3),
        "the frame of 'hand' must be None, for the world, or the name of a site, not 3",
    ),
    (lambda: Convex([], []), "the normals of a Convex must be any × 3 numbers, not 0"),
    (lambda: Convex(np.zeros((0, 3)), []), "a Convex needs at least one half-space"),
    (
        lambda: Convex([[0, 0, 1]], [1, 2]),
        "the offsets of a Convex must be 1 numbers, not 2",
    ),
    (
        lambda: Convex([[0, 0, 1], [0, 0, 0]], [1, 2]),
        "normal 1 of a Convex has no direction",
    ),
    (
        lambda: Convex([[0, 0, 1], [0, 0, -1]], [0.0, -1.0]),
        "the half-spaces of a Convex have no point in common",
    ),
    (
        lambda: Convex.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]),
        "the points of a Convex must be at least four and not lie in one plane; there are 4",
    ),
    (
        lambda: Convex.hull([[0, 0, 0]]),
        "the points of a Convex must be at least four and not lie in one plane; there are 1",
    ),
    (
        lambda: Convex.hull([[0, 0], [1, 0]]),
        "the points of a Convex must be any × 3 numbers, not 2 × 2",
    ),
    (
        lambda: Convex.box((0, 0, 0), (1, 0, 1)),
        "the size of a box must be from 1e-06 to 1e+06 metres, not 0",
    ),
    (
        lambda: Surface("hand", "egg"),
        "the surface of 'hand' must be an Ellipsoid, not 'egg'",
    ),
    (
        lambda: Surface("hand", EGG, distance=-0.3),
        "the distance of 'hand' must be at least -0.2: no point lies deeper in the ellipsoid, "
        "not -0.3",
    ),
    (
        lambda: Contact("sole", normal=(0, 0, 0)),
        "the normal of the ground under 'sole' has no direction: [0.0, 0.0, 0.0]",
    ),
    (
        lambda: Contact("sole", slide=1),  # type: ignore[arg-type]
        "slide of 'sole' must be True or False, not 1",
    ),
    (
        lambda: Contact("sole", turn="no"),  # type: ignore[arg-type]
        "turn of 'sole' must be True or False, not 'no'",
    ),
    (
        lambda: Contact(""),
        "the site of a Contact must be the name of a site, segment or joint, not ''",
    ),
    (
        lambda: Inertia("w", 0.3),
        "the axis of Inertia must be one of x, y, z, -x, -y, -z or three numbers, not 'w'",
    ),
    (
        lambda: Inertia("y", -0.1),
        "the target of Inertia, a radius of gyration (m), must be at least 0, not -0.1",
    ),
    (lambda: Any([]), "Any takes a list of at least two tasks, not []"),
    (lambda: Any("ab"), "Any takes a list of at least two tasks, not 'ab'"),
    (lambda: Any([Position("hand"), 3]), "Any takes tasks, not 3"),
    (
        lambda: Any([Position("hand"), Any([Position("hand"), Position("sole")])]),
        "Any takes no other Any: give all its tasks to one",
    ),
    (
        lambda: Any([Position("hand"), Frame("hand")]).check(context_of(stander())),
        "Any takes tasks of one part, and this Frame has 2; use Position or Orientation instead",
    ),
    (lambda: Any([Position("a"), Position("b")]).with_target(None), "an Any has no target"),
    (
        lambda: Custom(3, 1),  # type: ignore[arg-type]
        "the residual of a Custom must be a function, not 3",
    ),
    (
        lambda: Custom(flat, 1, jacobian=3),  # type: ignore[arg-type]
        "the jacobian of a Custom must be a function, not 3",
    ),
    (lambda: Custom(flat, 0), "the rows of a Custom must be an integer from 1 on, not 0"),
    (
        lambda: Custom(flat, 1.0),  # type: ignore[arg-type]
        "the rows of a Custom must be an integer from 1 on, not 1.0",
    ),
    (
        lambda: Custom(flat, 1, unit="N"),  # type: ignore[arg-type]
        "the unit of a Custom must be 'm' or 'rad', not 'N'",
    ),
    (
        lambda: Custom(flat, 1, inequality="yes"),  # type: ignore[arg-type]
        "inequality of a Custom must be True or False, not 'yes'",
    ),
    (
        lambda: Custom(flat, 2).check(context_of(stander())),
        "what the custom task 'flat' gives must be 2 numbers, not 1",
    ),
    (
        lambda: Custom(flat, 1, jacobian=flat).check(context_of(stander())),
        "the jacobian of the custom task 'flat' must be 1 × 7 numbers, not 1",
    ),
    (
        lambda: Custom(broken, 1).check(context_of(stander())),
        "the custom task 'broken' failed: ZeroDivisionError: division by zero",
    ),
    (
        lambda: MidRange(3),
        "the joints of MidRange must be names of joints, groups, limbs or coordinates, not 3",
    ),
    (
        lambda: Comfort([]),
        "the joints of Comfort must be names of joints, groups, limbs or coordinates, not []",
    ),
    (lambda: Comfort(share=1.5), "the share of Comfort must be at most 1, not 1.5"),
    (
        lambda: Comfort(zones=3),
        "the zones of Comfort must be intervals by coordinate, not 3",
    ),
    (
        lambda: Comfort(zones={3: (0, 1)}),
        "the zones of Comfort go by names of coordinates, not 3",
    ),
    (
        lambda: Comfort(zones={"hip.flexion": (1, 0)}),
        "the comfort zone of 'hip.flexion' must be lower before upper, not 1 before 0",
    ),
    (lambda: Flexion("hip", 2.0), "the amount of Flexion must be at most 1, not 2"),
    (
        lambda: Flexion("knee").springs(context_of(stander())),
        "there is no joint, group or coordinate 'knee'. There are: root, hip, root.x, "
        "root.y, root.z, root.rx, root.ry, root.rz, hip.flexion",
    ),
    (
        lambda: Flexion("root").springs(context_of(stander())),
        "'root' has no flexion; it has: x, y, z, rx, ry, rz",
    ),
    (
        lambda: Flexion("root.x").springs(context_of(stander())),
        "'root.x' has no stop that Flexion could draw it to",
    ),
    (
        lambda: Flexion().springs(context_of(ghost())),
        "no joint of 'ghost' has a flexion; name some joints",
    ),
    (
        lambda: Rest(human().rest()).springs(context_of(stander())),
        "a posture of 'human' (42 coordinates) does not fit the figure 'body' (7 coordinates)",
    ),
    (
        lambda: Task().blocks(context_of(stander())),
        "Task is not a task that can be solved",
    ),
    (
        lambda: Criterion().springs(context_of(stander())),
        "Criterion is not a criterion that can be solved",
    ),
    (
        lambda: Position("hnad").check(context_of(stander())),
        "there is no site, segment or joint 'hnad'; did you mean 'hand'? There are: sole, hand, "
        "leg, trunk, root, hip",
    ),
    (
        lambda: Position("hand", "cup").check(context_of(stander())),
        "there is no site, segment or joint 'cup'. There are: sole, hand, leg, trunk, root, hip",
    ),
    (
        lambda: Surface("hand", EGG, frame="rib").check(context_of(stander())),
        "there is no site, segment or joint 'rib'. There are: sole, hand, leg, trunk, root, hip",
    ),
    (
        lambda: Balance(supports="hand").check(context_of(stander())),
        "'hand' has no outline to stand on; with outlines: sole. figure.with_outline('hand', "
        "[(x, y), …]) gives it one",
    ),
    (
        lambda: Balance(supports="trunk").check(context_of(stander())),
        "'trunk' has no outline to stand on; with outlines: sole. figure.with_site('sole', "
        "'trunk', outline=[(x, y), …]) makes a site that has one",
    ),
    (
        lambda: Balance().blocks(context_of(stander().with_outline("sole", ()))),
        "Balance has nothing to stand on: hold a site that has an outline, such as a sole, with a "
        "Frame or Contact task, or name such sites in supports=; none has one. "
        "figure.with_site('sole', 'leg', outline=[(x, y), …]) makes a site that has one",
    ),
    (
        lambda: Balance().blocks(context_of(stander())),
        "Balance has nothing to stand on: hold a site that has an outline, such as a sole, with a "
        "Frame or Contact task, or name such sites in supports=",
    ),
    (
        lambda: Balance(figure="ben").check(context_of(stander())),
        "there is no figure 'ben', nor any other",
    ),
    *(
        (
            lambda task=task: task.check(context_of(ghost())),
            f"{type(task).__name__} needs masses, and the figure 'ghost' has none; give its "
            "segments masses",
        )
        for task in (Balance(), CenterOfMass((0, 0, 0)), Inertia("x", 0.1))
    ),
]


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_cannot_be_wanted_is_refused_in_plain_words(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        make()


def test_a_support_of_another_figure_is_refused() -> None:
    pair = poise.Scene({"anna": stander(), "ben": stander()})
    words = "the support 'anna/sole' is not one of 'ben', which is to be balanced"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        pair.add(Balance(figure="ben", supports="anna/sole"))


UPSIDE_DOWN = (
    "the z axis of a sole must point out of the body, down, within 60°, and it does not where "
    "these are held: "
)


def robot() -> Figure:
    """A body with soles whose z axes point up, as robots have them, and to the side."""
    bare = stander().with_outline("sole", ())
    square = [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]
    up = bare.with_site("l_sole", "leg", outline=square)
    return up.with_site("palm", "leg", rotation=(np.pi / 2, 0.0, 0.0), outline=square)


@pytest.mark.parametrize(
    ("tasks", "held"),
    [
        ([Frame("l_sole")], "'l_sole' (180° off); figure.with_site('l_sole_down', 'leg', "),
        ([Frame("palm")], "'palm' (90° off); figure.with_site('palm_down', 'leg', "),
        ([Contact("palm", normal="x")], "'palm' (90° off); figure.with_site('palm_down', 'leg', "),
        (
            [Frame("hand"), Frame("l_sole"), Frame("palm")],
            "'l_sole' (180° off), 'palm' (90° off); figure.with_site('l_sole_down', 'leg', ",
        ),
    ],
)
def test_soles_that_are_held_but_do_not_face_the_ground_are_named(
    tasks: list[Task], held: str
) -> None:
    words = f"Balance has nothing to stand on: {UPSIDE_DOWN}{held}"
    scene = poise.Scene(robot())
    for task in tasks:
        scene.add(task)
    scene.add(Balance())
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}") as caught:
        scene.solve()
    assert "rotation=(np.pi, 0, 0)" in str(caught.value)
    assert "with_site" not in caught.value.plain


def test_a_sole_that_is_turned_as_the_message_says_is_stood_on() -> None:
    square = robot().sites["l_sole"].outline
    turned = robot().with_site("l_sole_down", "leg", rotation=(np.pi, 0, 0), outline=square)
    scene = poise.Scene(turned)
    scene.add(Frame("l_sole_down"))
    scene.add(Balance())
    assert "balance" in scene.solve().tasks


def test_only_the_soles_of_the_figure_to_be_balanced_are_named() -> None:
    pair = poise.Scene({"anna": robot(), "ben": stander()})
    pair.add(Frame("anna/l_sole"))
    pair.add(Balance(figure="ben"))
    with pytest.raises(PoiseError, match=r"on for 'ben': hold a site"):
        pair.solve()


def test_a_figure_that_stands_on_nothing_is_named() -> None:
    pair = poise.Scene({"anna": stander(), "ben": stander()})
    pair.add(Frame("anna/sole"))
    pair.add(Balance(figure="ben"))
    words = (
        "Balance has nothing to stand on for 'ben': hold a site that has an outline, such as a "
        "sole, with a Frame or Contact task, or name such sites in supports="
    )
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        pair.solve()


def test_a_figure_that_is_not_there_is_answered_with_the_nearest() -> None:
    pair = poise.Scene({"anna": stander(), "ben": stander()})
    words = "there is no figure 'bene'; did you mean 'ben'? There are: anna, ben"
    for task in (Balance(figure="bene"), CenterOfMass(figure="bene"), Inertia("x", figure="bene")):
        with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
            pair.add(task)
