"""Rest, mirror and another figure: where figures stand, and that they stay there."""

from typing import Any

import numpy as np
import pytest
from tests.studio.pages import Page

import poise
from poise.figure import Transform
from poise.models import catalogue, pose, pose_names
from poise.scene import Scene
from poise.studio.session import Session
from poise.studio.sides import other_side
from poise.studio.standing import plane
from poise.studio.symmetry import Mirror
from poise.tasks import Aim, Frame, Position


def bend(page: Page) -> None:
    """Pull a hand to the floor beside a foot: the trunk bends, turns and moves."""
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([[0.3, -0.4, 1.2], [0.5, -0.5, 1.0], [0.5, -0.6, 0.4]])
    page.do("release")


@pytest.mark.parametrize("between", ["nothing", "a drag"])
def test_at_rest_a_figure_whose_feet_are_pinned_is_the_same_each_time(
    page: Page, between: str
) -> None:
    bend(page)
    page.do("rest")
    first = page.session.scene.q
    if between == "a drag":
        bend(page)
        assert not np.array_equal(page.session.scene.q, first)
    page.do("rest")
    assert np.array_equal(page.session.scene.q, first)


def test_at_rest_a_figure_that_nothing_holds_is_the_same_twice_and_stands_where_it_went() -> None:
    scene = Scene(poise.human())
    scene.add(Aim("eyes", (-2.0, 1.0, 1.0)), priority=1)
    session = Session(scene)
    page = Page(session)
    bend(page)
    page.do("rest")
    first = session.scene.q
    page.do("rest")
    assert np.array_equal(session.scene.q, first)
    page.do("set_coordinates", values={"root.x": 3.0})
    page.do("rest")
    assert session.scene.posture["root.x"] > first[0] + 1.0
    session.close()


@pytest.mark.parametrize("steps", [["rest"], ["mirror", "rest"], ["mirror", "mirror", "rest"]])
def test_at_rest_on_pins_that_are_as_at_rest_a_figure_is_exactly_at_rest(
    page: Page, steps: list[str]
) -> None:
    session = page.session
    rest = next(iter(session.scene.figures.values())).rest()
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([[0.1, 0.2, 1.5], [0.2, 0.5, 1.9], [0.2, 0.7, 2.2]])
    page.do("release")
    for step in steps:
        page.do(step)
    assert np.allclose(session.scene.q, rest.q, atol=1e-9, rtol=0)


def test_a_figure_on_a_step_is_at_rest_there(page: Page) -> None:
    session = page.session
    q = session.scene.q
    scene = session.scene.copy()
    for side in ("left", "right"):
        handle: Any = scene.handles[f"pin {side}_foot"]
        handle.wanted = Frame(
            f"{side}_foot", Transform.make((1, 2, 0.4), (0, 0, 0.7)) @ handle.wanted.target
        )
    stepping = Session(scene)
    other = Page(stepping)
    other.do("solve")
    other.do("rest")
    assert np.allclose(stepping.scene.q[6:], q[6:], atol=1e-9, rtol=0)
    assert stepping.scene.posture["root.z"] == pytest.approx(q[2] + 0.4, abs=1e-9)
    stepping.close()


def test_feet_that_are_pinned_side_by_side_stay_where_they_are_in_the_mirror(page: Page) -> None:
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([[0.1, 0.2, 1.5], [0.2, 0.5, 1.9], [0.2, 0.7, 2.2]])
    page.do("release")
    before = page.session.scene.places
    page.do("mirror")
    after = page.session.scene.places
    for foot in ("left_foot", "right_foot"):
        # Feet are on their pins as well as a drag brings them there.
        assert np.allclose(after[foot].position, before[foot].position, atol=1e-5)
        assert np.allclose(after[foot].rotation, before[foot].rotation, atol=1e-5)
    image = before["right_hand"].position * [1, -1, 1]
    assert np.allclose(after["left_hand"].position, image, atol=1e-5)


def random_postures(seed: int) -> Any:
    """A human in postures within limits, anywhere, facing and leaning any way."""
    figure, random = poise.human(), np.random.default_rng(seed)
    lower, upper = (np.clip(each, -0.6, 0.6) for each in (figure.lower, figure.upper))
    for _ in range(5):
        q = random.uniform(lower, upper)
        q[figure.root_coordinates] = [*random.uniform(-2, 2, 3), *random.uniform(-1.6, 1.6, 3)]
        yield figure.clamp(q)


@pytest.mark.parametrize("seed", range(4))
def test_every_site_of_the_mirror_image_is_the_image_of_its_partner(seed: int) -> None:
    for posture in random_postures(seed):
        figure, scene = posture.figure, Scene(posture.figure)
        scene.posture = posture
        session = Session(scene)
        through, before = Mirror.through(posture), figure.place(posture)
        page = Page(session)
        page.do("mirror")
        after = session.scene.places
        for site in figure.sites:
            image = through.point(before[site].position)
            assert np.allclose(after[other_side(site)].position, image, atol=1e-9), site
        page.do("mirror")
        assert np.allclose(session.scene.q, posture.q, atol=1e-12, rtol=0)
        session.close()


def test_a_figure_that_is_held_by_pins_and_goals_is_mirrored_with_them(page: Page) -> None:
    session = page.session
    page.do("grab", what="goal", task="pin left_foot")
    page.drag([[0.3, 0.1, 0.0]])
    page.do("release")
    page.do("add_task", type="position", parameters={"site": "right_hand"}, name="reach")
    bend(page)
    before, q = session.scene.places, session.scene.q
    through = plane(session.document, "human")
    page.do("mirror")
    after = session.scene.places
    for site in session.scene.figures["human"].sites:
        image = through.point(before[site].position)
        assert np.allclose(after[other_side(site)].position, image, atol=1e-9), site
    assert session.lamp.color == "green"
    handles: Any = session.scene.handles
    assert handles["reach"].wanted.site == "left_hand"
    left = handles["pin left_foot"].wanted
    assert left.site == "left_foot"
    assert np.allclose(left.target.position, after["left_foot"].position, atol=1e-6)
    page.do("mirror")
    assert np.allclose(session.scene.q, q, atol=1e-12, rtol=0)
    page.do("undo")
    page.do("undo")
    assert np.array_equal(session.scene.q, q)


def test_a_figure_rooted_at_a_foot_is_mirrored_about_its_trunk(page: Page) -> None:
    session = page.session
    page.do("grab", what="goal", task="pin left_foot")
    page.drag([[0.3, 0.25, 0.0]])
    page.do("release")
    page.do("root_at", name="left_foot", root="free")
    for foot in ("left_foot", "right_foot"):
        page.do("pin", site=foot, kind="free")
    before, q = session.scene.places, session.scene.q
    through = Mirror.through(session.scene.posture)
    page.do("mirror")
    image = through.point(before["left_hand"].position)
    assert np.allclose(session.scene.places["right_hand"].position, image, atol=1e-9)
    page.do("mirror")
    assert np.allclose(session.scene.q, q, atol=1e-9)


def test_a_ready_pose_is_taken_as_drawn_and_the_pins_go_along(page: Page) -> None:
    session = page.session
    (figure,) = session.scene.figures.values()
    inner = np.setdiff1d(np.arange(figure.n), np.arange(figure.n)[figure.root_coordinates])
    for name in pose_names(figure):
        page.do("new")
        before, pins = session.scene.q, pins_of(session)
        page.do("apply_pose", name=name)
        drawn, now = pose(figure, name), session.scene.posture
        assert np.allclose(now.q[inner], drawn.q[inner], atol=1e-12, rtol=0), name
        assert now["root.z"] == pytest.approx(drawn["root.z"], abs=1e-9), name
        states = {each.name: each.state for each in session.reports}
        assert states["pin left_foot"] == states["pin right_foot"] == "met", name
        page.do("undo")
        assert np.array_equal(session.scene.q, before), name
        assert pins_of(session) == pins, name


@pytest.mark.parametrize("name", ["lying", "running", "kneeling"])
def test_rest_takes_pins_back_that_went_along_with_poses(page: Page, name: str) -> None:
    session = page.session
    page.do("grab", what="goal", task="pin left_foot")
    page.drag([[0.2, 0.1, 0.0]])
    page.do("release")
    page.do("rest")
    before, pins = session.scene.q, pins_of(session)
    page.do("apply_pose", name="sitting")
    page.do("apply_pose", name=name)
    page.do("rest")
    assert pins_of(session) == pins
    assert np.allclose(session.scene.q, before, atol=1e-6, rtol=0)


def test_rest_takes_pins_back_from_a_pose_that_was_mirrored(page: Page) -> None:
    session = page.session
    rest = session.scene.q
    page.do("apply_pose", name="running")
    page.do("mirror")
    page.do("rest")
    assert np.allclose(session.scene.q[6:], rest[6:], atol=1e-9, rtol=0)
    assert session.scene.posture["root.z"] == pytest.approx(rest[2], abs=1e-9)


def test_rest_leaves_a_pin_where_it_was_dragged_after_a_pose(page: Page) -> None:
    page.do("apply_pose", name="walking")
    page.do("grab", what="goal", task="pin left_foot")
    page.drag([[0.3, 0.1, 0.0]])
    page.do("release")
    there = pins_of(page.session)[0]
    page.do("rest")
    assert pins_of(page.session)[0] == there


def pins_of(session: Session) -> list[Any]:
    """What holds the feet, as in a file."""
    return [session.parameters(f"pin {side}_foot") for side in ("left", "right")]


def test_a_pose_that_is_out_of_balance_says_so_and_the_lamp_shows_it(page: Page) -> None:
    page.do("apply_pose", name="standing")
    assert "notice" not in page.latest
    page.do("apply_pose", name="sitting")
    assert "balance is not met in this pose" in page.latest["notice"]["message"]
    assert page.session.lamp.color == "orange"


def test_a_kept_pose_is_taken_with_its_pins_and_goals_even_while_one_is_being_found(
    page: Page,
) -> None:
    session = page.session
    page.do("add_task", type="position", parameters={"site": "right_hand"}, name="reach")
    aim = {"site": "eyes", "target": [3.0, 0.0, 1.0]}
    page.do("add_task", type="aim", parameters=aim, name="look")
    bend(page)
    bent = session.scene.q
    page.do("keep_pose", name="bent")
    looked = session.parameters("look")
    page.do("rest")
    session.apply({"do": "edit_task", "name": "reach", "weight": 2.0}, patience=0.0)
    page.do("apply_pose", name="bent")
    assert np.array_equal(session.scene.q, bent)
    handles: Any = session.scene.handles
    hand = session.scene.places["right_hand"].position
    assert np.allclose(handles["reach"].wanted.target, hand, atol=1e-12)
    assert session.parameters("look") == looked


def test_a_hand_shape_leaves_the_pins_of_what_it_does_not_move() -> None:
    scene = Scene(poise.human(hands=True))
    scene.add(Frame("left_foot"), priority=1, name="pin left_foot")
    far = Position("right_hand", (2.0, 0.0, 1.0))
    scene.add(far, priority=2, name="reach")
    session = Session(scene)
    page = Page(session)
    page.do("solve")
    page.do("apply_pose", name="hands: fist")
    assert session.scene.handles["reach"].wanted == far
    session.close()


@pytest.mark.parametrize("recipe", [each.name for each in catalogue()])
def test_another_figure_arrives_at_rest_on_the_floor(page: Page, recipe: str) -> None:
    session = page.session
    if recipe.startswith("human"):  # what is made alike keeps its posture
        page.do("choose_figure", recipe="quadruped")
    else:
        bend(page)
    page.do("choose_figure", recipe=recipe)
    (figure,) = session.scene.figures.values()
    rest, now = figure.rest(), session.scene.posture
    inner = np.setdiff1d(np.arange(figure.n), np.arange(figure.n)[figure.root_coordinates])
    assert np.allclose(now.q[inner], rest.q[inner], atol=1e-9)
    heights = [
        {name: places[name].position[2] for name in figure.sites}
        for places in (figure.place(now), figure.place(rest))
    ]
    assert heights[0] == pytest.approx(heights[1], abs=1e-9)


def test_a_person_of_another_size_keeps_the_posture(page: Page) -> None:
    bend(page)
    bent = page.session.scene.posture.angles("right_shoulder")
    page.do("choose_figure", recipe="human", parameters={"stature": 1.8})
    assert page.session.scene.posture.angles("right_shoulder") == pytest.approx(bent, abs=0.3)


def test_pins_hold_another_figure_as_it_stands(page: Page) -> None:
    page.do("choose_figure", recipe="bird")
    scene = page.session.scene
    task = scene.handles["pin left_foot"].wanted
    assert isinstance(task, Frame)
    assert np.allclose(task.target.rotation, scene.places["left_foot"].rotation, atol=1e-9)
    assert page.session.lamp.color == "green"
