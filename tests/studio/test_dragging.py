"""How a drag feels: calm where the hand cannot reach, feet that stay, exact where it can."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.studio.pages import Page

from poise.errors import PoiseError
from poise.figure import Figure, Hinge
from poise.figure.parts import Joint, Segment
from poise.figure.props import box
from poise.models import chain, human
from poise.scene import Options, Scene
from poise.studio.document import Document
from poise.studio.dragging import AngleDrag, Motion, PointDrag, ThingDrag, points
from poise.studio.dragging.grabbed import Grabbed
from poise.studio.limbs import chain_of, limb_chain, limb_of
from poise.tasks import Aim, Position

Values = NDArray[np.float64]

STEP = 0.005
"""Metres between two events, as a hand moves a mouse."""


def standing() -> Document:
    document = Document.new()
    document.scene.add(Aim("eyes", (2.0, 0.0, 1.6)), priority=3)
    return document


def followed(document: Document, way: Values) -> tuple[Values, Values]:
    """Drag the right hand along offsets (k, 3): coordinates (k + 1, n), feet's slip (k,)."""
    drag = PointDrag(document, "right_hand", (0.0, 0.0, -0.08))
    start, whole = np.array(drag.trace[0]), document.whole
    feet = ("left_foot", "right_foot")
    stand = np.array([document.scene.places[foot].position for foot in feet])
    postures, slips = [drag.q.copy()], list[float]()
    for i, offset in enumerate(way, 1):
        x, y, z = (start + offset).tolist()
        drag.aim(Motion((x, y, z), None, i))
        drag.step()
        postures.append(drag.q.copy())
        places = whole.place(drag.q)
        now = np.array([places[foot].position for foot in feet])
        slips.append(float(np.linalg.norm(now - stand, axis=1).max()))
    return np.array(postures), np.array(slips)


@pytest.mark.parametrize("budget", [0.0, np.inf], ids=["slow machine", "fast machine"])
@pytest.mark.parametrize("towards", [(1, 0, 0), (1, 0, 1), (0, -1, 0.3), (-1, 0, 0.2)])
def test_a_hand_dragged_far_out_of_reach_and_back_moves_calmly(
    towards: Any, budget: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "_BUDGET", budget)  # one solve an event, or as many as it takes
    document = standing()
    out = np.arange(1, int(1.5 / STEP) + 1)[:, None] * STEP
    unit = np.array(towards) / np.linalg.norm(towards)
    way = np.concatenate([out, out[::-1]]) * unit
    postures, slips = followed(document, way)
    names = document.coordinates()
    moved = np.abs(np.diff(postures, axis=0))
    # Feet stand still: a tenth of a millimetre is the tolerance of every task.
    assert slips.max() < 1e-4
    # No joint pops: not the elbow, not anything.
    assert moved.max() < 0.1, names[moved.max(axis=0).argmax()]
    assert np.percentile(moved.max(axis=1), 95) < 0.06
    # No jitter: to and fro from one event to the next there is next to nothing.
    steps = np.diff(postures, axis=0)
    turns = steps[1:] * steps[:-1] < 0
    back = np.where(turns, np.minimum(np.abs(steps[1:]), np.abs(steps[:-1])), 0.0)
    assert np.percentile(back.max(axis=1), 99) < 0.03
    # And all the while limits hold.
    whole = document.whole
    assert max(whole.violation(q) for q in postures[::20]) <= 1e-9


def test_a_goal_within_reach_is_met_at_every_event() -> None:
    document = standing()
    out: Values = np.arange(1.0, 60.0)[:, None] * np.array([0.6, 0.1, 0.8]) * STEP
    postures, slips = followed(document, out)
    places = document.whole.place(postures[-1])
    start = document.scene.places.segment("right_hand").apply((0.0, 0.0, -0.08))
    at = places.segment("right_hand").apply((0.0, 0.0, -0.08))
    assert np.allclose(at - start, out[-1], atol=1e-4)
    assert slips.max() < 1e-4


def test_a_flick_arrives_in_a_few_events() -> None:
    document = standing()
    goal = np.array([0.35, 0.1, 0.45])
    postures, _ = followed(document, np.tile(goal, (40, 1)))
    start = document.scene.places.segment("right_hand").apply((0.0, 0.0, -0.08))
    at = document.whole.place(postures[-1]).segment("right_hand").apply((0.0, 0.0, -0.08))
    assert np.allclose(at - start, goal, atol=1e-3)


def test_a_hand_is_raised_with_the_arm_and_the_head_stays_upright() -> None:
    document = Document.new()
    held = (0.0, 0.0, -0.08)
    before = document.scene.places.segment("right_hand").apply(held)[2]
    way = np.linspace(0.0, 1.0, 120)[1:, None] * np.array([0.2, -0.05, 0.85])
    postures, _ = followed(document, way)
    places = document.whole.place(postures[-1])
    assert places.segment("right_hand").apply(held)[2] > before + 0.84
    tilt = np.arccos(places.segment("head").rotation[2, 2])
    assert tilt < np.deg2rad(20), "who reaches as high as the head need not bend for it"


def test_the_document_does_not_change_while_something_is_dragged() -> None:
    document = standing()
    q, handles = document.scene.q, list(document.scene.handles)
    followed(document, np.array([[0.1, 0.0, 0.1]]))
    assert np.array_equal(document.scene.q, q)
    assert list(document.scene.handles) == handles


def test_a_dragged_point_rides_on_the_segment_not_on_a_site_of_the_same_name() -> None:
    figure = human()
    scene = Scene(figure)
    assert "left_hand" in figure.sites
    assert "left_hand" in figure.segments
    goal = scene.places.segment("left_hand").apply((0.0, 0.0, -0.05))
    x, y, z = goal.tolist()
    scene.add(Grabbed("left_hand", (0.0, 0.0, -0.05), (x, y, z)), name="held")
    assert scene.assess().tasks[0].error < 1e-12
    with pytest.raises(PoiseError, match="segment"):
        scene.add(Grabbed("left_hoof", (0.0, 0.0, 0.0), (x, y, z)))


@pytest.mark.parametrize("method", ["dls", "ccd"])
def test_a_drag_is_solved_by_lex_whatever_the_scene_says(method: str) -> None:
    document = standing()
    document.scene.options = Options(method=method)
    _, slips = followed(document, np.arange(1.0, 20.0)[:, None] * np.array([1.0, 0.0, 1.0]) * STEP)
    assert slips.max() < 1e-4


def test_a_limb_without_a_partner_is_dragged_with_symmetry_on() -> None:
    parts = [Segment(name) for name in ("trunk", "left_arm", "right_arm")]
    joints = [
        Joint("left", Hinge(), "trunk", "left_arm", (0.0, 0.2, 0.0)),  # not named as the other is
        Joint("right_shoulder", Hinge(), "trunk", "right_arm", (0.0, -0.2, 0.0)),
    ]
    document = Document(Scene(Figure("two arms", parts, joints)), symmetric=True)
    drag = PointDrag(document, "right_arm", (0.3, 0.0, 0.0), mode="limb")
    before = drag.q.copy()
    x, y, z = drag.trace[0]
    drag.aim(Motion((x + 0.02, y, z + 0.02)))
    drag.step()
    assert not np.array_equal(drag.q, before)


def test_what_does_not_move_cannot_be_dragged() -> None:
    document = Document(Scene(chain(3)))
    document.scene.place(box(0.1, 0.1, 0.1), (1.0, 0.0, 0.0))
    with pytest.raises(PoiseError, match="does not move"):
        PointDrag(document, "box", (0.0, 0.0, 0.0))


# limbs --------------------------------------------------------------------------------------------


def test_the_limbs_of_a_human_are_arms_legs_and_head() -> None:
    figure = human()
    limbs = {name: limb_of(figure, name) for name in figure.segments}
    assert limbs["left_hand"] == limbs["left_forearm"] == "left_clavicle"
    assert limbs["right_toes"] == limbs["right_shank"] == "right_thigh"
    assert limbs["pelvis"] is None
    assert limbs["t6"] is None


def test_a_chain_goes_from_the_hand_to_the_root_and_groups_stand_for_their_joints() -> None:
    figure = human()
    arm = ["left_wrist", "left_elbow", "left_shoulder_complex"]
    assert chain_of(figure, "left_hand") == [*arm, "spine", "root"]
    assert limb_chain(figure, "left_hand") == arm
    assert limb_chain(figure, "t6") == ["spine"]
    assert limb_chain(figure, "head") == ["head", "neck"]
    assert limb_chain(figure, "left_foot") == ["left_ankle", "left_knee", "left_hip"]


def test_in_a_figure_with_another_root_chains_end_there() -> None:
    figure = human()
    rooted, _ = figure.rooted_at("left_foot", figure.rest())
    chain_up = chain_of(rooted, "right_hand")
    assert chain_up[-1] == "root"
    assert chain_up.index("spine") < chain_up.index("left_hip") < chain_up.index("left_ankle")


# angles -------------------------------------------------------------------------------------------


def test_an_angle_that_is_pulled_is_followed_while_the_feet_stay() -> None:
    document = standing()
    feet = {foot: document.scene.places[foot].position for foot in ("left_foot", "right_foot")}
    drag = AngleDrag(document, "left_knee", "flexion")
    for i, value in enumerate(np.linspace(0.1, 0.9, 20).tolist(), 1):
        drag.aim(Motion(value=value, sequence=i))
        drag.step()
        posture = document.whole.posture(drag.q)
        assert posture.angles("left_knee")["flexion"] == pytest.approx(value, abs=1e-9)
        places = document.whole.place(drag.q)
        for foot, stand in feet.items():
            assert np.linalg.norm(places[foot].position - stand) < 1e-4, "it slips"
    assert document.whole.violation(drag.q) <= 1e-9
    drag.finish(document)
    assert np.array_equal(document.scene.q, drag.q)


@pytest.mark.parametrize(
    ("joint", "angle", "end", "most"),
    [
        ("spine", "flexion", -0.45, 0.05),
        ("neck", "flexion", -0.75, 0.05),
        ("left_ankle", "dorsiflexion", -0.85, 0.25),  # balance is lost on the way, and found again
        ("left_hip", "abduction", 0.6, 0.7),
    ],
)
def test_the_body_follows_an_angle_calmly(joint: str, angle: str, end: float, most: float) -> None:
    document = standing()
    feet = {foot: document.scene.places[foot].position for foot in ("left_foot", "right_foot")}
    drag, now = AngleDrag(document, joint, angle), document.scene.posture.angles(joint)[angle]
    way = np.linspace(now, end, int(abs(end - now) / 0.03)).tolist()
    postures = [drag.q.copy()]
    for value in way + way[::-1]:
        drag.aim(Motion(value=value))
        drag.step()
        postures.append(drag.q.copy())
        places = document.whole.place(drag.q)
        for foot, stand in feet.items():
            assert np.linalg.norm(places[foot].position - stand) < 1e-4, "it slips"
    steps = np.diff(postures, axis=0)
    names = document.coordinates()
    assert np.abs(steps).max() < most, names[np.abs(steps).max(axis=0).argmax()]
    back = np.where(
        steps[1:] * steps[:-1] < 0, np.minimum(np.abs(steps[1:]), np.abs(steps[:-1])), 0.0
    )
    assert back.max() < 0.1, "it swings to and fro"


def test_a_hand_follows_a_prop_out_of_its_reach_calmly() -> None:
    document = standing()
    scene = document.scene
    scene.place(box(0.2, 0.2, 0.2), (0.4, -0.2, 1.0))
    scene.add(Position("right_hand", "box/left"), priority=3)
    scene.postures = scene.solve().postures
    drag = ThingDrag(document, "box")
    out = np.arange(1, 161) * STEP
    postures = [drag.q.copy()]
    for x in np.concatenate([out, out[::-1]]).tolist():
        drag.aim(Motion((0.4 + x, -0.2, 1.0)))
        drag.step()
        postures.append(drag.q.copy())
    assert np.abs(np.diff(postures, axis=0)).max() < 0.1


def test_an_angle_is_pulled_no_farther_than_its_stop() -> None:
    document = Document(Scene(human()))
    drag = AngleDrag(document, "left_elbow", "flexion")
    drag.aim(Motion(value=6.0))
    drag.step()
    high = document.whole.range("left_elbow")["flexion"][1]
    assert document.whole.posture(drag.q).angles("left_elbow")["flexion"] <= high + 1e-9
    drag.aim(Motion(sequence=2))
    assert drag.step(), "an event that says nothing changes nothing"


def test_with_live_symmetry_both_sides_are_pulled() -> None:
    document = Document(Scene(human()), symmetric=True)
    drag = AngleDrag(document, "left_elbow", "flexion")
    drag.aim(Motion(value=1.2))
    drag.step()
    posture = document.whole.posture(drag.q)
    for side in ("left", "right"):
        assert posture.angles(f"{side}_elbow")["flexion"] == pytest.approx(1.2, abs=1e-6)


@pytest.mark.parametrize(("joint", "angle"), [("third_knee", "flexion"), ("left_knee", "wag")])
def test_an_angle_that_is_not_there_cannot_be_pulled(joint: str, angle: str) -> None:
    with pytest.raises(PoiseError, match="there is no"):
        AngleDrag(standing(), joint, angle)


# what pins hold -----------------------------------------------------------------------------------


def moved(page: Page, segment: str, by: tuple[float, float, float]) -> None:
    """Drag a segment by its origin, along a straight way."""
    start = page.session.scene.places.segment(segment).position
    page.do("grab", segment=segment, point=[0, 0, 0])
    page.drag([(start + share * np.array(by)).tolist() for share in (0.25, 0.5, 0.75, 1.0)])


@pytest.mark.parametrize("mode", ["body", "limb", "joint"])
def test_a_pinned_foot_is_dragged_with_its_pin_in_one_step(page: Page, mode: str) -> None:
    session = page.session
    before, q = session.scene.places["left_foot"], session.scene.q
    page.do("grab", segment="left_foot", point=[0, 0, 0], mode=mode)
    page.do("release")
    assert not session.history.can_undo, "a mere click moves nothing"
    moved(page, "left_foot", (0.12, 0.06, 0.03))
    assert page.overlays["moves"] == ["pin left_foot"]
    page.do("release")
    now = session.scene.places["left_foot"]
    assert np.allclose(now.position - before.position, (0.12, 0.06, 0.03), atol=1e-3)
    assert np.allclose(now.rotation, before.rotation, atol=1e-3)
    assert session.lamp.color == "green"
    assert page.overlays["moves"] == []
    assert session.history.undoes == "move pin left_foot"
    page.do("undo")
    target: Any = session.scene.handles["pin left_foot"].target
    assert np.array_equal(target.position, before.position)
    assert np.array_equal(session.scene.q, q)
    page.do("redo")
    assert session.lamp.color == "green"


def test_a_hand_that_a_goal_holds_is_dragged_with_the_goal(page: Page) -> None:
    page.do("add_task", type="position", parameters={"site": "right_hand"}, name="reach")
    before = page.session.scene.places["right_hand"].position
    moved(page, "right_hand", (0.2, 0.0, 0.2))
    page.do("cancel")
    assert np.array_equal(page.session.scene.places["right_hand"].position, before)
    moved(page, "right_hand", (0.2, 0.0, 0.2))
    page.do("release")
    goal = np.array(page.session.scene.handles["reach"].target)
    assert np.allclose(goal, before + (0.2, 0.0, 0.2), atol=1e-9)
    assert page.session.lamp.color == "green"


def test_a_hand_that_strains_for_a_goal_out_of_reach_follows_at_once(page: Page) -> None:
    parameters = {"site": "right_hand", "target": [3.0, 0.0, 1.0]}
    page.do("add_task", type="position", parameters=parameters, name="reach")
    before = page.session.scene.places["right_hand"].position
    moved(page, "right_hand", (-0.2, 0.0, 0.0))
    page.do("release")
    now = page.session.scene.places["right_hand"].position
    assert np.allclose(now - before, (-0.2, 0.0, 0.0), atol=2e-2)


def test_all_pins_of_one_foot_move_together(page: Page) -> None:
    page.do("remove_task", name="pin left_foot")
    for site in ("left_heel", "left_foot"):
        page.do("pin", site=site, kind="position")
    before = {each: page.session.scene.places[each].position for each in ("left_heel", "left_foot")}
    moved(page, "left_foot", (0.1, 0.05, 0.0))
    page.do("release")
    for site, place in before.items():
        now = page.session.scene.places[site].position
        assert np.allclose(now - place, (0.1, 0.05, 0.0), atol=1e-3), site


def test_a_part_that_is_held_along_some_axes_only_is_dragged_along_the_others(page: Page) -> None:
    parameters = {"site": "right_hand", "axes": "z"}
    page.do("add_task", type="position", parameters=parameters, name="height")
    before = page.session.scene.places["right_hand"].position
    moved(page, "right_hand", (0.2, 0.0, 0.0))
    page.do("release")
    now = page.session.scene.places["right_hand"].position
    assert now[0] > before[0] + 0.1
    assert now[2] == pytest.approx(before[2], abs=1e-3)
    assert page.session.history.undoes == "drag right_hand"


def test_with_live_symmetry_the_other_foot_moves_with_its_pin(page: Page) -> None:
    page.do("symmetry", on=True)
    before = page.session.scene.places["right_foot"].position
    moved(page, "left_foot", (0.0, 0.1, 0.0))
    page.do("release")
    now = page.session.scene.places["right_foot"].position
    assert np.allclose(now - before, (0.0, -0.1, 0.0), atol=1e-3)
