"""Pictures of scenes and solutions: goals by their kind, what they lack, supports, props."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from poise import tasks
from poise.errors import PoiseError
from poise.figure import Builder, Figure, Transform
from poise.figure.kinds import Ball, Slider
from poise.figure.limits import SphericalEllipse
from poise.figure.props import box
from poise.figure.shapes import Capsule, Ellipsoid
from poise.pictures import View, picture
from poise.pictures.goals import draw_goals, drawer_of
from poise.pictures.lettering import write_labels
from poise.pictures.marks import Marks
from poise.pictures.stage import Label
from poise.pictures.subjects import MET, OPEN, UNMET, Group, Wanted
from poise.pictures.support import Support, corners_of
from poise.pictures.targets import figures_of
from poise.scene import Scene, Solution
from poise.tasks.task import Error, Task

SMALL = (200, 200)
FRONT = View(0.0)


@pytest.fixture(scope="module")
def pointer() -> Figure:
    """A post on a square foot, with an arm of 0.8 m on a ball at a height of 1 m."""
    builder = Builder("pointer")
    post, arm = Capsule((0, 0, 0.1), (0, 0, 1.0), 0.08), Capsule((0, 0, 0), (0, 0, -0.8), 0.03)
    builder.segment("post", shapes=[post], mass=20.0, color="#9a9a9a")
    builder.segment("arm", shapes=[arm], mass=2.0, color="#9a9a9a")
    builder.root("post", "fixed")
    builder.joint(
        "shoulder",
        Ball((0, 0, -1), swing=(SphericalEllipse(2.0, 2.0),)),
        "post",
        "arm",
        (0, 0, 1.0),
    )
    builder.site("tip", "arm", (0, 0, -0.8))
    corners = [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)]
    builder.site("sole", "post", rotation=(np.pi, 0, 0), outline=corners)
    builder.posture("rest", {}, **{"shoulder.swing_y": 0.3})
    return builder.build()


def solved(figure: Figure, *wanted: Task) -> Solution:
    scene = Scene(figure)
    for each in wanted:
        scene.add(each)
    return scene.solve()


def pixels(image: np.ndarray, color: str, tolerance: int = 40) -> int:
    """How many pixels are about of a colour."""
    goal = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return int((np.abs(image.astype(int) - goal).max(axis=2) < tolerance).sum())


def marked(figure: Figure, *wanted: Wanted, scene: Scene | None = None) -> Marks:
    """The marks that are drawn of what is wanted, at rest."""
    group = Group.of(scene or Scene(figure))
    marks = Marks(0.01, np.zeros(3), 5.0)
    draw_goals(marks, replace(group, wanted=wanted))
    return marks


def unmet(task: Task, *errors: Error) -> Wanted:
    return Wanted("wish", task, False, errors or (Error(0.1234, "m"),))


def texts(marks: Marks) -> list[str]:
    return [label.text for label in marks.labels]


# solutions and scenes ------------------------------------------------------------------------


def test_a_goal_that_is_met_is_green_and_one_that_is_not_is_red(pointer: Figure) -> None:
    near = picture(solved(pointer, tasks.Position("tip", (0.5, 0.0, 0.5))), size=SMALL, floor=False)
    assert pixels(near, MET) == 0  # 0.7 m away: too near for an arm of 0.8 m
    assert pixels(near, UNMET) > 20
    on_sphere = np.array([0.8, 0.0, 1.0])
    met = picture(solved(pointer, tasks.Position("tip", on_sphere)), size=SMALL, floor=False)
    assert pixels(met, MET) > 20
    assert pixels(met, UNMET) == 0


def test_the_goals_of_a_scene_that_was_not_solved_are_blue(pointer: Figure) -> None:
    scene = Scene(pointer)
    handle = scene.add(tasks.Position("tip", (0.8, 0.0, 1.4)))
    image = picture(scene, size=SMALL, floor=False)
    assert pixels(image, OPEN) > 20
    assert pixels(image, MET) + pixels(image, UNMET) == 0
    handle.enabled = False
    assert pixels(picture(scene, size=SMALL, floor=False), OPEN) == 0


def test_goals_can_be_left_out(pointer: Figure) -> None:
    solution = solved(pointer, tasks.Position("tip", (0.8, 0.0, 1.0)))
    plain = picture(solution.posture, size=SMALL, views=FRONT)
    assert (picture(solution, size=SMALL, views=FRONT, goals=False) == plain).all()


def test_what_a_goal_lacks_is_written_in_millimetres(pointer: Figure) -> None:
    goal = np.array([0.9, 0.0, 1.0])
    solution = solved(pointer, tasks.Position("tip", goal))
    group = Group.of(solution)
    marks = Marks(0.01, np.zeros(3), 5.0)
    draw_goals(marks, group)
    assert texts(marks) == ["100 mm"]
    (label,) = marks.labels
    start, end = np.array(label.beside)
    assert start == pytest.approx([0.8, 0.0, 1.0], abs=1e-3)
    assert end == pytest.approx(goal)
    assert label.color == UNMET


def test_every_view_has_the_line_and_the_word(pointer: Figure) -> None:
    solution = solved(pointer, tasks.Position("tip", (0.9, 0.3, 1.2)))
    image = picture(solution, views=("front", "side", "top"), size=(600, 200), floor=False)
    for panel in np.split(image, 3, axis=1):
        assert pixels(panel, UNMET) > 20
        assert pixels(panel, "#ffffff", 3) > 50  # the plate


def test_a_new_target_is_drawn_where_it_is_now(pointer: Figure) -> None:
    scene = Scene(pointer)
    reach = scene.add(tasks.Position("tip", (0.9, 0.0, 1.0)))
    first = scene.solve()
    reach.target = (0.0, 0.95, 1.0)
    second = scene.solve()
    for solution, goal in ((first, [0.9, 0, 1]), (second, [0, 0.95, 1])):
        marks = Marks(0.01, np.zeros(3), 5.0)
        draw_goals(marks, Group.of(solution))
        assert marks.labels[0].beside[1] == pytest.approx(goal)  # type: ignore[index]


def test_figures_of_one_scene_stay_where_they_are(pointer: Figure) -> None:
    pair = Scene({"a": pointer, "b": pointer})
    pair.add(tasks.Loop("a/tip", "b/tip"))
    solution = pair.solve()
    group = Group.of(solution)
    assert {"a/tip", "b/tip", "a/sole", "b/sole"} == set(group.sites)
    assert group.joints["b/shoulder"][1] == "shoulder"
    one, other = picture(solution, size=SMALL), picture(solution, size=SMALL, gap=1.0)
    assert (one == other).all()
    together = group.center_of_mass()
    halves = [group.center_of_mass("a"), group.center_of_mass("b")]
    assert together == pytest.approx(np.mean(halves, axis=0))  # type: ignore[arg-type]


def test_several_solutions_stand_side_by_side_with_their_words(pointer: Figure) -> None:
    solution = solved(pointer, tasks.Position("tip", (0.9, 0.0, 1.0)))
    both = picture([solution, solution], views=FRONT, size=(400, 200), floor=False)
    halves = both[:, :200], both[:, 200:]
    assert all(pixels(half, UNMET) > 20 and pixels(half, "#ffffff", 3) > 50 for half in halves)


def test_a_stick_figure_has_goals_too(pointer: Figure) -> None:
    solution = solved(pointer, tasks.Position("tip", (0.8, 0.0, 1.0)))
    assert pixels(picture(solution, size=SMALL, stick=True, floor=False), MET) > 10


def test_the_limits_of_a_joint_are_drawn_on_request(pointer: Figure) -> None:
    orange = "#c2410c"
    plain = picture(pointer, size=SMALL, floor=False)
    limited = picture(pointer, size=SMALL, floor=False, limits="shoulder")
    assert pixels(limited, orange) > pixels(plain, orange) + 20
    pair = Scene({"a": pointer, "b": pointer})
    assert pixels(picture(pair, size=SMALL, floor=False, limits=["b/shoulder"]), orange) > 20


# props ---------------------------------------------------------------------------------------


def test_props_are_drawn_where_they_stand_and_where_they_are_held(pointer: Figure) -> None:
    color = "#00ff00"
    scene = Scene(pointer)
    plain = picture(scene, size=SMALL, floor=False)
    scene.place(box(0.3, 0.3, 0.3, name="crate", color=color), (0.0, 0.8, 0.15))
    standing = picture(scene, size=SMALL, views=FRONT, floor=False)
    green = (standing[..., 1].astype(int) - standing[..., 0]) > 60
    assert green.sum() > 200
    assert np.flatnonzero(green.any(axis=0)).min() > 100  # from the front, left is on the right
    scene.hold("crate", "tip", at=Transform.make())
    for stick in (False, True):
        held = picture(scene, size=SMALL, views=FRONT, floor=False, stick=stick)
        green = (held[..., 1].astype(int) - held[..., 0]) > 60
        assert green.sum() > 200
        assert abs(np.flatnonzero(green.any(axis=0)).mean() - 100) < 20
    assert ((plain[..., 1].astype(int) - plain[..., 0]) > 60).sum() == 0


def test_the_sites_of_a_prop_can_be_named(pointer: Figure) -> None:
    scene = Scene(pointer)
    scene.place(box(0.3, 0.3, 0.3, name="crate"), (0.0, 0.8, 0.15))
    group = Group.of(scene)
    assert "crate/top" in group.sites
    assert group.places["crate/top"].position == pytest.approx([0.0, 0.8, 0.3])
    picture(scene, size=SMALL, sites=["crate/top", "tip"])


# tasks by their kind -------------------------------------------------------------------------


def test_a_position_on_two_axes_is_a_line_and_on_one_a_plane(pointer: Figure) -> None:
    at = pointer.place(pointer.rest())["tip"].position
    for axes, nearest in (
        ("xyz", [0.5, 0.6, 0.7]),
        ("xz", [0.5, at[1], 0.7]),
        ("z", [at[0], at[1], 0.7]),
    ):
        marks = marked(pointer, unmet(tasks.Position("tip", (0.5, 0.6, 0.7), axes=axes)))
        (label,) = marks.labels
        assert label.beside[0] == pytest.approx(at)  # type: ignore[index]
        assert label.beside[1] == pytest.approx(nearest)  # type: ignore[index]


def test_a_far_goal_does_not_make_the_figure_tiny(pointer: Figure) -> None:
    group = Group.of(Scene(pointer))
    for task in (
        tasks.Position("tip", (500.0, 0.0, 1.0)),
        tasks.Aim("tip", (500.0, 0.0, 1.0)),
        tasks.Frame("tip", Transform.make((500.0, 0.0, 1.0))),
        tasks.HalfSpace("tip", (500.0, 0.0, 1.0), normal=(1, 0, 0)),
    ):
        marks = Marks(0.01, np.array([0.0, 0.0, 0.6]), 1.5)
        draw_goals(marks, replace(group, wanted=[unmet(task, Error(499.0, "m"))]))
        points = np.concatenate([item.mesh.points for item in marks.items])
        assert np.linalg.norm(points - marks.middle, axis=1).max() < 1.5 + 0.2


def test_an_aim_that_is_not_met_shows_both_directions_and_the_angle(pointer: Figure) -> None:
    aim = tasks.Aim("tip", (1.0, 0.0, 1.0), axis=(0, 0, -1))
    marks = marked(pointer, unmet(aim, Error(0.5, "rad")))
    assert texts(marks) == ["28.6°"]
    assert len(marked(pointer, Wanted("look", aim, True)).items) < len(marks.items)


def test_a_frame_in_its_place_but_turned_says_the_angle(pointer: Figure) -> None:
    pin = tasks.Frame("tip", Transform.make((0.1, 0.2, 0.3)))
    angle = marked(pointer, unmet(pin, Error(1e-6, "m"), Error(0.5, "rad")))
    length = marked(pointer, unmet(pin, Error(0.05, "m"), Error(0.5, "rad")))
    assert (texts(angle), texts(length)) == (["28.6°"], ["50 mm"])
    turned = tasks.Orientation("tip", np.eye(3))
    assert texts(marked(pointer, unmet(turned, Error(0.5, "rad")))) == ["28.6°"]


def test_a_half_space_is_tied_only_on_the_wrong_side(pointer: Figure) -> None:
    above = tasks.HalfSpace("tip", (0, 0, 2.0))
    scene = Scene(pointer)
    assert len(marked(pointer, Wanted("up", above), scene=scene).labels) == 1
    below = tasks.HalfSpace("tip", (0, 0, 2.0), normal=(0, 0, -1))
    assert not marked(pointer, Wanted("down", below), scene=scene).labels


def test_a_loop_is_a_dot_when_closed_and_a_line_when_open(pointer: Figure) -> None:
    loop = tasks.Loop("tip", "sole")
    assert not marked(pointer, Wanted("loop", loop, True)).labels
    assert texts(marked(pointer, unmet(loop))) == ["123 mm"]
    turn = tasks.Loop("tip", "sole", match="orientation")
    assert texts(marked(pointer, unmet(turn, Error(0.5, "rad")))) == ["28.6°"]


def test_the_support_is_the_hull_of_the_soles_with_the_mass_above_it(pointer: Figure) -> None:
    scene = Scene(pointer)
    scene.add(tasks.Frame("sole"))
    scene.add(tasks.Balance(margin=0.05))
    group = Group.of(scene)
    assert group.supports() == ["sole"]
    support = Support.over(corners_of(group, ["sole"]))
    assert support is not None
    assert support.height == pytest.approx(0.0)
    assert np.abs(support.corners) == pytest.approx(np.full((4, 2), 0.2))
    solution = scene.solve()
    with_mass = picture(solution, size=SMALL, views="top")
    without = picture(solution, size=SMALL, views="top", center_of_mass=False)
    assert pixels(with_mass, "#f0a400", 60) > pixels(without, "#f0a400", 60) + 4
    assert pixels(without, MET) > 20  # the polygon's edge


def test_a_lack_of_balance_is_tied_to_the_margin(pointer: Figure) -> None:
    posture = pointer.rest()
    scene = Scene(pointer)
    center = pointer.center_of_mass(posture)
    # A margin of 0.19 leaves a square of 0.02 m about the middle.
    marks = marked(
        pointer, unmet(tasks.Balance(margin=0.19, supports="sole"), Error(0.04, "m")), scene=scene
    )
    (label,) = marks.labels
    assert label.text == "40 mm"
    assert label.beside[0][:2] == pytest.approx(center[:2])  # type: ignore[index]
    assert np.abs(label.beside[1][:2]).max() == pytest.approx(0.01)  # type: ignore[index]
    none = marked(pointer, unmet(tasks.Balance(margin=0.3, supports="sole"), Error(0.1, "m")))
    assert texts(none) == ["wish: 100 mm"]


def test_a_support_seen_edge_on_is_a_line(pointer: Figure) -> None:
    tipped = Group.of(Scene(pointer))
    turned = tipped.places["sole"] @ Transform.make((0, 0, 0), (0.0, 0.5 * np.pi, 0.0))
    group = replace(tipped, places={**tipped.places, "sole": turned})
    corners = corners_of(group, ["sole"])
    assert Support.over(corners) is None
    marks = Marks(0.01, np.zeros(3), 5.0)
    task = tasks.Balance(supports="sole")
    draw_goals(marks, replace(group, wanted=[unmet(task, Error(0.04, "m"))]))
    points = np.concatenate([item.mesh.points for item in marks.items])
    assert np.abs(points[:, 0]).max() < 0.01
    assert texts(marks) == ["wish: 40 mm"]


def test_figures_that_are_balanced_by_themselves_have_supports_of_their_own(
    pointer: Figure,
) -> None:
    pair = Scene({"a": pointer, "b": pointer})
    group = Group.of(pair)
    both = tasks.Balance(supports=("a/sole", "b/sole"))
    assert figures_of(group, both) == ["a", "b"]
    assert figures_of(group, tasks.Balance(supports=both.supports, figure="b")) == ["b"]
    marks = Marks(0.01, np.zeros(3), 5.0)
    errors = Error(0.0, "m"), Error(0.04, "m")
    wanted = unmet(replace(both, margin=0.19), *errors)
    draw_goals(marks, replace(group, wanted=[wanted]))
    assert texts(marks) == ["40 mm"]


def test_the_only_figure_may_be_named_where_balance_is_wanted(pointer: Figure) -> None:
    scene = Scene(pointer)
    scene.add(tasks.Frame("sole"), priority=1)
    scene.add(tasks.Balance(figure=pointer.name), priority=2)
    for subject in (scene, scene.solve()):
        group = Group.of(subject)
        assert figures_of(group, group.wanted[1].task) == [None]
        marks = Marks(0.01, np.zeros(3), 5.0)
        draw_goals(marks, replace(group, wanted=[group.wanted[1]]))
        alone = len(marks.items)
        draw_goals(marks, group)
        assert alone == 0  # nothing holds the sole: there is no support to draw
        assert len(marks.items) > 2


@dataclass(frozen=True)
class Reach(Task):
    """A task of a user's own."""

    site: str
    target: Any = None

    def sites(self) -> Sequence[str]:
        return (self.site,)


def test_a_task_of_an_unknown_kind_is_drawn_by_its_target_or_its_sites(pointer: Figure) -> None:
    goal = marked(pointer, unmet(Reach("tip", (0.5, 0.0, 0.5))))
    assert texts(goal) == ["123 mm"]
    assert goal.labels[0].beside[1] == pytest.approx([0.5, 0.0, 0.5])  # type: ignore[index]
    by_name = marked(pointer, unmet(Reach("tip", "sole")))
    assert by_name.labels[0].beside[1] == pytest.approx([0.0, 0.0, 0.0])  # type: ignore[index]
    assert texts(marked(pointer, unmet(Reach("tip")))) == ["wish: 123 mm"]
    assert texts(marked(pointer, unmet(Reach("tip", 0.4)))) == ["wish: 123 mm"]
    assert not marked(pointer, Wanted("wish", Reach("tip"), True)).labels


def test_a_task_derived_from_a_known_one_is_drawn_like_it() -> None:
    class Nearly(tasks.Position):
        pass

    assert drawer_of(Nearly("tip", (0, 0, 0))) is drawer_of(tasks.Position("tip", (0, 0, 0)))


# Kinds of tasks that are known by their names and values, whoever defines them.


@dataclass(frozen=True)
class Line(Reach):
    direction: Any = (0.0, 0.0, 1.0)
    frame: Any = None


@dataclass(frozen=True)
class Plane(Reach):
    normal: Any = (0.0, 0.0, 1.0)
    frame: Any = None


@dataclass(frozen=True)
class Contact(Reach):
    normal: Any = (0.0, 0.0, 1.0)
    slide: bool = True


@dataclass(frozen=True)
class Box:
    normals: Any = field(default_factory=lambda: np.concatenate([np.eye(3), -np.eye(3)]))
    offsets: Any = (0.5,) * 6


@dataclass(frozen=True)
class Inside(Reach):
    convex: Any = field(default_factory=Box)
    margin: float = 0.0
    frame: Any = None


class Outside(Inside):
    pass


@dataclass(frozen=True)
class Surface(Reach):
    ellipsoid: Any = field(default_factory=lambda: Ellipsoid((0, 0, 2.0), (0.5, 0.5, 0.5)))
    distance: float = 0.0
    frame: Any = None


@dataclass(frozen=True)
class Inertia(Task):
    axis: Any = (0.0, 1.0, 0.0)
    target: Any = 0.3
    figure: Any = None


@dataclass(frozen=True)
class Choice(Task):
    tasks: Any = ()


@pytest.mark.parametrize(
    ("task", "end"),
    [
        (Line("tip", (0.3, 0.4, 9.0)), [0.3, 0.4, 0.2]),
        (Line("tip", (0.3, 0.4, 2.0), direction=(1, 0, 0)), [0.0, 0.4, 2.0]),
        (Line("tip", (1.0, 2.0, 3.0), frame="sole"), [1.0, -2.0, 0.2]),  # the sole is upside down
        (Plane("tip", (0.3, 0.4, 0.5)), [0.0, 0.0, 0.5]),
        (Plane("tip", (0.0, 0.0, 0.5), frame="sole"), [0.0, 0.0, -0.5]),
        (Contact("tip", (1.0, 1.0, 0.0)), [0.0, 0.0, 0.0]),
        (Contact("tip", (1.0, 1.0, 0.0), slide=False), [1.0, 1.0, 0.0]),
        (Contact("sole", (1.0, 1.0, 0.3)), [0.0, 0.0, 0.3]),
        (Inside("tip", margin=0.4), [0.0, 0.0, 0.1]),
        (Inside("tip", convex=Box(offsets=(2.0, 1, 1, -1.0, 1, 1))), [1.0, 0.0, 0.2]),
        (Outside("tip"), [0.0, 0.0, 0.5]),
        (Outside("tip", margin=0.1), [0.0, 0.0, 0.6]),
        (Surface("tip"), [0.0, 0.0, 1.5]),
        (Surface("tip", distance=0.1), [0.0, 0.0, 1.4]),
    ],
)
def test_the_line_leads_to_the_nearest_place_where_the_task_is_met(
    pointer: Figure, task: Task, end: list[float]
) -> None:
    scene = Scene(pointer)
    scene.posture["shoulder"] = np.zeros(3)
    (label,) = marked(pointer, unmet(task), scene=scene).labels
    assert label.beside[1] == pytest.approx(end, abs=1e-6)  # type: ignore[index]


def test_inertia_is_a_ring_of_the_radius_wanted(pointer: Figure) -> None:
    marks = marked(pointer, unmet(Inertia()))
    center = pointer.center_of_mass(pointer.rest())
    _, ring = (item.mesh.points for item in marks.items)  # after the axis
    assert np.linalg.norm(ring - center, axis=1).mean() == pytest.approx(0.3, abs=0.01)
    assert np.abs(ring[:, 1] - center[1]).max() < 0.01
    assert texts(marks) == ["wish: 123 mm"]


def test_all_members_of_a_choice_are_shown(pointer: Figure) -> None:
    choice = type("Any", (Choice,), {})((Reach("tip", (1.0, 0, 0)), Reach("tip", (0, 1.0, 0))))
    marks = marked(pointer, Wanted("either", choice, True))
    points = np.concatenate([item.mesh.points for item in marks.items])
    for goal in np.eye(3)[:2]:
        assert np.linalg.norm(points - goal, axis=1).min() < 0.02
    assert not marks.labels
    assert texts(marked(pointer, unmet(choice))) == ["wish: 123 mm"]
    assert not marked(pointer, Wanted("either", choice)).labels


def test_large_errors_are_written_without_powers_of_ten(pointer: Figure) -> None:
    task = tasks.Position("tip", (0.0, 0.0, 2.0))
    assert texts(marked(pointer, unmet(task, Error(12.3456, "m")))) == ["12.3 m"]
    assert texts(marked(pointer, unmet(task, Error(0.9994, "m")))) == ["999 mm"]


# words ---------------------------------------------------------------------------------------


def test_plates_neither_cover_each_other_nor_leave_the_picture() -> None:
    blank = np.zeros((300, 400, 3), np.uint8)
    away = np.zeros(2)

    def white(*places: tuple[float, float]) -> int:
        labels = [(Label("123 mm", (0, 0, 0), plate=True), np.array(p), away) for p in places]
        return int((write_labels(blank, labels) > 150).all(axis=2).sum())

    alone = white((200, 150))
    assert alone > 200
    assert white((200, 150), (202, 151), (199, 149)) == pytest.approx(3 * alone, rel=0.1)
    assert white((-500, 900)) == pytest.approx(alone, rel=0.1)


def test_a_plate_steps_aside_from_its_line() -> None:
    blank = np.zeros((300, 400, 3), np.uint8)
    label = Label("123 mm", (0, 0, 0), plate=True)
    drawn = write_labels(blank, [(label, np.array([200.0, 150.0]), np.array([0.0, -1.0]))])
    rows = np.flatnonzero((drawn.min(axis=2) > 150).any(axis=1))
    assert rows.max() < 150
    assert rows.max() > 130


# errors --------------------------------------------------------------------------------------


def test_what_cannot_be_drawn_of_a_scene_is_said_so(pointer: Figure) -> None:
    scene = Scene(pointer)
    with pytest.raises(PoiseError, match="there is no joint 'sholder'; did you mean 'shoulder'"):
        picture(scene, limits="sholder")
    with pytest.raises(PoiseError, match="there is no site 'tp'; did you mean 'tip'"):
        picture(scene, sites=["tp"])
    pair = Scene({"a": pointer, "b": pointer})
    with pytest.raises(PoiseError, match="there is no joint 'shoulder'"):
        picture(pair, limits="shoulder")
    with pytest.raises(PoiseError, match="of figures, postures, scenes or solutions, not of dict"):
        picture({})  # type: ignore[arg-type]


def test_a_figure_without_shapes_is_drawn_by_its_bones_with_what_it_holds() -> None:
    builder = Builder("bare")
    builder.segment("a")
    builder.segment("b")
    builder.joint("lift", Slider((0, 0, 1), (0.0, 1.0)), "a", "b")
    builder.posture("rest", {})
    scene = Scene(builder.build())
    scene.hold(box(0.1, 0.1, 0.1), "b")
    assert (picture(scene, size=SMALL) == picture(scene, size=SMALL, stick=True)).all()
    with pytest.raises(PoiseError, match="'lift' is slider; limits are drawn of what turns"):
        picture(scene, stick=True, limits="lift")
