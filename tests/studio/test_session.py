"""One document, one way to change it, any number of tabs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.studio.pages import Page

import poise
from poise import tasks
from poise.errors import PoiseError
from poise.formats.loading import read
from poise.scene import Scene, restarts
from poise.studio.dragging import drag, goals
from poise.studio.frames import DRAGGING, HEAD, NODE
from poise.studio.session import Session


def frame_of(frame: bytes) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    numbers = np.frombuffer(frame, "<f4")
    return numbers[:HEAD], numbers[HEAD:].reshape(-1, NODE)


def test_a_new_session_stands_in_balance(session: Session) -> None:
    assert session.lamp.color == "green"
    assert [each.state for each in session.reports] == ["met", "met", "met"]
    assert session.keeps_balance


def test_a_scene_that_is_given_is_copied() -> None:
    scene = poise.Scene(poise.chain(4))
    scene.add(tasks.Position("tip", (0.2, 0.0, 0.1)), name="reach")
    session = Session(scene)
    session.apply({"do": "remove_task", "name": "reach"})
    session.close()
    assert list(scene.handles) == ["reach"]


# dragging -----------------------------------------------------------------------------------------


def test_a_dragged_hand_arrives_and_stays(page: Page) -> None:
    session = page.session
    start = session.scene.places.segment("right_hand").position
    goal = start + [0.25, 0.05, 0.3]
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([(start + (goal - start) * share).tolist() for share in np.linspace(0.1, 1, 10)])
    page.do("release")
    assert np.allclose(session.scene.places.segment("right_hand").position, goal, atol=1e-4)
    assert session.lamp.color == "green"
    assert session.history.undoes == "drag right_hand"
    assert "· drag" not in session.scene.handles


def test_frames_tell_the_event_that_they_answer(page: Page) -> None:
    start = page.session.scene.places.segment("left_hand").position
    page.do("grab", segment="left_hand", point=[0, 0, 0])
    page.drag([(start + [0, 0, 0.01 * i]).tolist() for i in range(1, 6)])
    head, nodes = frame_of(page.latest["frame"])
    assert head[1] == 5
    assert int(head[3]) & DRAGGING
    assert len(nodes) == head[2] == len(page.latest["stage"]["nodes"])
    page.do("release")
    head, nodes = frame_of(page.latest["frame"])
    assert not int(head[3]) & DRAGGING
    names = [node["name"] for node in page.latest["stage"]["nodes"]]
    places = page.session.scene.places
    for name, row in zip(names, nodes, strict=True):
        assert np.allclose(row[:3], places.segment(name).position, atol=1e-5)
    assert np.allclose(np.linalg.norm(nodes[:, 3:], axis=1), 1.0, atol=1e-5)


def test_escape_brings_everything_back_to_the_last_bit(page: Page) -> None:
    q = page.session.scene.q
    page.do("grab", segment="head", point=[0, 0, 0.1])
    page.drag([[0.4, 0.1 * i, 1.2] for i in range(5)])
    page.do("cancel")
    assert np.array_equal(page.session.scene.q, q)
    assert not page.session.history.can_undo


def test_a_mere_click_is_no_step(page: Page) -> None:
    page.do("grab", segment="head", point=[0, 0, 0.1])
    page.do("release")
    assert not page.session.history.can_undo


def test_single_joint_mode_moves_one_joint(page: Page) -> None:
    session = page.session
    before = session.scene.posture.copy()
    at = session.scene.places.segment("left_forearm").apply((0, 0, -0.2))
    page.do("grab", segment="left_forearm", point=[0, 0, -0.2], mode="joint")
    page.drag([(at + [0.02 * i, 0, 0.02 * i]).tolist() for i in range(1, 8)])
    assert page.overlays["recruited"] == ["left_elbow"]
    page.do("release")
    moved = {
        name.partition(".")[0]
        for name, a, b in zip(before, before.q, session.scene.posture.q, strict=True)
        if a != b
    }
    assert moved == {"left_elbow"}


def test_limb_mode_leaves_the_rest_alone_and_the_wheel_recruits_more(page: Page) -> None:
    session = page.session
    at = session.scene.places.segment("left_hand").position
    page.do("grab", segment="left_hand", point=[0, 0, 0], mode="limb")
    page.drag([(at + [0.01 * i, 0, 0]).tolist() for i in range(1, 5)])
    arm = page.overlays["recruited"]
    assert arm == ["left_wrist", "left_elbow", "left_shoulder_complex"]
    session.apply({"do": "move", "point": at.tolist(), "sequence": 9, "recruit": 4}, "tab")
    assert session.follow()
    assert page.overlays["recruited"] == [*arm, "spine"]
    page.do("cancel")


def test_a_goal_is_moved_and_turned(page: Page) -> None:
    session = page.session
    page.do("pin", site="right_hand", kind="both")
    place = session.scene.handles["pin right_hand"].target
    goal = (place.position + [0.2, 0.1, 0.2]).tolist()
    page.do("grab", what="goal", task="pin right_hand")
    page.drag([goal])
    for _ in range(100):
        session.apply({"do": "move", "point": goal, "sequence": 3}, "tab")
        assert session.follow()
    page.do("release")
    assert np.allclose(session.scene.handles["pin right_hand"].target.position, goal)
    assert np.allclose(session.scene.places["right_hand"].position, goal, atol=1e-4)
    page.do("undo")
    assert np.array_equal(session.scene.handles["pin right_hand"].target.position, place.position)


def test_what_is_left_of_a_goals_way_is_gone_when_it_is_let_go(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = page.session
    page.do("pin", site="right_hand", kind="position")
    goal = (session.scene.places["right_hand"].position + [0.2, 0.1, 0.2]).tolist()
    monkeypatch.setattr(goals, "BRISK", 0.0)  # a hand far ahead of the body
    page.do("grab", what="goal", task="pin right_hand")
    page.drag([goal])
    page.do("release")
    assert np.allclose(session.scene.places["right_hand"].position, goal, atol=1e-3)
    assert session.lamp.color == "green"


def test_letting_go_tries_no_other_starts_and_an_edit_does(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, tried = page.session, list[int]()
    again = restarts.solve_again

    def counted(*args: Any, **given: Any) -> Any:
        tried.append(1)
        return again(*args, **given)

    monkeypatch.setattr(restarts, "solve_again", counted)
    page.do("pin", site="right_hand", kind="position")
    far = (session.scene.places["right_hand"].position + [3.0, 0.0, 0.0]).tolist()
    monkeypatch.setattr(goals, "BRISK", 0.0)  # a hand far ahead of the body
    page.do("grab", what="goal", task="pin right_hand")
    page.drag([far])
    page.do("release")
    assert session.lamp.color != "green"
    assert not tried
    page.do("solve")
    assert tried


def test_an_angle_stays_as_it_was_pulled_when_the_rest_of_the_way_is_gone(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = page.session
    monkeypatch.setattr(drag, "BRISK", 0.0)
    page.do("grab", what="angle", joint="left_knee", angle="flexion")
    for value in (0.4, 0.9):
        session.apply({"do": "move", "value": value}, page.name)
    page.do("release")
    assert session.scene.posture.angles("left_knee")["flexion"] == pytest.approx(0.9, abs=1e-9)
    assert session.lamp.color == "green"


def test_a_prop_is_moved_and_a_hand_follows_it(page: Page) -> None:
    session = page.session
    page.do("add_prop", kind="box", size=[0.2, 0.2, 0.2], position=[0.4, -0.2, 1.0])
    page.do("add_task", type="position", parameters={"site": "right_hand", "target": "box/left"})
    page.do("grab", what="prop", prop="box")
    page.drag([[0.4, -0.2, 1.0 + 0.02 * i] for i in range(1, 6)])
    node = [each["name"] for each in page.latest["stage"]["nodes"]].index("box")
    assert np.allclose(frame_of(page.latest["frame"])[1][node][:3], [0.4, -0.2, 1.1], atol=1e-6)
    page.do("release")
    assert np.allclose(session.scene.places["box"].position, [0.4, -0.2, 1.1])
    gap = session.scene.places["right_hand"].position - session.scene.places["box/left"].position
    assert np.linalg.norm(gap) < 1e-3


def test_a_force_is_dragged_in_newtons(page: Page) -> None:
    page.do("add_load", site="right_hand", force=[0, 0, -50])
    page.do("grab", what="force", force="right_hand")
    page.drag([[10.0, 0, -80.0]])
    page.do("release")
    assert page.session.scene.forces.applied["right_hand"].force == (10.0, 0.0, -80.0)
    page.do("undo")
    assert page.session.scene.forces.applied["right_hand"].force == (0.0, 0.0, -50.0)


def test_with_symmetry_both_hands_rise(page: Page) -> None:
    session = page.session
    page.do("symmetry", on=True)
    at = session.scene.places.segment("right_hand").position
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([(at + [0.02 * i, 0, 0.03 * i]).tolist() for i in range(1, 11)])
    for _ in range(50):
        session.apply({"do": "move", "point": (at + [0.2, 0, 0.3]).tolist()}, "tab")
        assert session.follow()
    page.do("release")
    right = session.scene.places["right_hand"].position
    left = session.scene.places["left_hand"].position
    assert np.allclose(right * [1, -1, 1], left, atol=2e-3)


# tasks --------------------------------------------------------------------------------------------


def test_pins_change_kind_and_go(page: Page) -> None:
    session = page.session
    for kind, task in (
        ("position", tasks.Position),
        ("rotation", tasks.Orientation),
        ("both", tasks.Frame),
    ):
        page.do("pin", site="left_hand", kind=kind)
        handle = session.scene.handles["pin left_hand"]
        assert type(handle.wanted) is task
        assert handle.priority == 1
        shown = [pin for pin in page.overlays["pins"] if pin["site"] == "left_hand"]
        assert [pin["kind"] for pin in shown] == [kind]
    page.do("pin", site="left_hand", kind="free")
    assert "pin left_hand" not in session.scene.handles


def test_freeing_the_last_foot_gives_up_balance_and_says_so(page: Page) -> None:
    page.do("pin", site="left_foot", kind="free")
    assert page.session.keeps_balance
    page.do("pin", site="right_foot", kind="free")
    assert not page.session.keeps_balance
    assert "nothing is left to stand on" in page.latest["notice"]["message"]
    page.do("undo")
    assert page.session.keeps_balance


def test_a_point_of_the_surface_can_be_pinned(page: Page) -> None:
    page.do("pin", segment="right_shank", point=[0.03, 0.0, -0.1], kind="position")
    name = "right_shank_point_1"
    assert f"pin {name}" in page.session.scene.handles
    assert name in [site["name"] for site in page.latest["stage"]["sites"]]
    page.do("undo")
    assert name not in [site["name"] for site in page.latest["stage"]["sites"]]


def test_the_order_of_priorities_changes_the_posture(page: Page) -> None:
    session = page.session
    for name, x in (("ahead", 0.9), ("behind", -0.9)):
        parameters = {"site": "head_top", "target": [x, 0.0, 1.6]}
        page.do("add_task", type="position", name=name, parameters=parameters)
    first = session.scene.places["head_top"].position[0]
    page.do("order_task", name="behind", before="ahead", priority=3)
    page.do("edit_task", name="ahead", priority=4)
    second = session.scene.places["head_top"].position[0]
    assert first > 0.1
    assert second < -0.1
    assert [each.name for each in session.reports][-2:] == ["behind", "ahead"]


def test_an_edit_keeps_what_it_does_not_name(page: Page) -> None:
    session = page.session
    parameters = {"site": "left_hand", "target": [0.4, 0.2, 1.2], "axes": "xz"}
    page.do("add_task", type="position", name="reach", parameters=parameters, weight=2.0)
    page.do("edit_task", name="reach", new_name="grasp", parameters={"target": [0.3, 0.2, 1.1]})
    handle = session.scene.handles["grasp"]
    assert handle.weight == 2.0
    assert session.parameters("grasp") == {**parameters, "target": [0.3, 0.2, 1.1]}
    page.do("edit_task", name="grasp", type="frame", joints=["left_elbow"])
    assert session.parameters("grasp")["site"] == "left_hand"
    assert session.scene.handles["grasp"].joints == ("left_elbow",)


def test_what_blocks_a_task_is_told_when_asked(page: Page) -> None:
    parameters = {"site": "right_hand", "target": [3.0, 0.0, 1.0]}
    page.do("add_task", type="position", name="far", parameters=parameters)
    report = next(each for each in page.session.reports if each.name == "far")
    assert report.state == "failed"
    assert page.session.lamp.color == "orange"
    assert page.session.blocked_by("far")
    assert page.session.blocked_by("balance") == []


def test_of_a_task_that_is_not_solved_yet_no_solver_is_blamed() -> None:
    scene = poise.Scene(poise.chain(4))
    scene.add(tasks.Position("tip", (0.2, 0.0, 0.1)), name="reach")
    session = Session(scene)
    told = session.blocked_by("reach")
    session.close()
    assert told == ["nothing: it is not solved yet"]


def test_all_types_of_the_library_can_be_added_by_their_fields(session: Session) -> None:
    types = session.task_types
    library = {each for each in tasks.__all__ if each not in ("Convex", "Custom")}
    library -= {"Criterion", "Task"}
    assert {each.type.replace("_", "") for each in types.values()} == {
        each.lower() for each in library
    }
    forms = {(t.type, f.name): f.form for t in types.values() for f in t.fields}
    assert forms["position", "target"] == "point"
    assert forms["orientation", "target"] == "rotation"
    assert forms["frame", "target"] == "place"
    assert forms["inertia", "target"] == "scalar"
    assert all(f.form for t in types.values() for f in t.fields)


# numbers and postures -----------------------------------------------------------------------------


def test_an_angle_that_is_set_stays_and_the_feet_too(page: Page) -> None:
    session = page.session
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.8})
    assert session.scene.posture.angles("left_knee")["flexion"] == pytest.approx(0.8)
    assert session.lamp.color == "green"
    assert not session.scene.posture.figure.locked_names


def test_with_symmetry_what_is_typed_stays_on_both_sides(page: Page) -> None:
    page.do("symmetry", on=True)
    page.do("pin", site="pelvis")
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.8})
    posture = page.session.scene.posture
    for side in ("left", "right"):
        assert posture.angles(f"{side}_knee")["flexion"] == pytest.approx(0.8, abs=1e-9)


def test_values_beyond_a_stop_end_at_it(page: Page) -> None:
    page.do("set_coordinates", values={"left_knee.flexion": 9.0})
    whole = page.session.document.whole
    assert whole.within_limits(page.session.scene.q)


def test_locks_and_stiffness_are_undone(page: Page) -> None:
    figure = next(iter(page.session.scene.given.values()))
    page.do("lock", joint="neck", on=True)
    page.do("set_stiffness", joint="spine", value=0.5)
    page.do("undo")
    assert not figure.stiffness.values.any()
    page.do("undo")
    assert figure.locked_names == ()
    page.do("redo")
    assert figure.locked_names == ("neck",)


def test_poses_are_kept_taken_and_blended(page: Page) -> None:
    session = page.session
    for name in ("balance", "pin left_foot", "pin right_foot"):
        page.do("edit_task", name=name, enabled=False)
    rest = session.scene.q
    page.do("set_angles", joint="left_elbow", angles={"flexion": 1.5})
    bent = session.scene.q
    page.do("keep_pose", name="bent")
    page.do("rest")
    assert np.allclose(session.scene.q, rest, atol=1e-12)
    page.do("apply_pose", name="bent")
    assert np.array_equal(session.scene.q, bent)
    page.do("rest")
    page.do("apply_pose", name="bent", fraction=0.5)
    index = session.document.coordinates().index("left_elbow.flexion")
    assert session.scene.q[index] == pytest.approx(0.5 * (rest[index] + bent[index]))


def test_a_posture_is_mirrored_where_it_stands(page: Page) -> None:
    session = page.session
    for name in ("balance", "pin left_foot", "pin right_foot"):
        page.do("remove_task", name=name)
    page.do("set_coordinates", values={"root.x": 1.0, "root.y": 2.0, "root.rz": 0.7})
    page.do("set_angles", joint="left_elbow", angles={"flexion": 1.5})
    before = session.scene.posture.copy()
    page.do("mirror")
    after = session.scene.posture
    assert after.angles("right_elbow") == pytest.approx(before.angles("left_elbow"))
    for name in ("root.x", "root.y", "root.rz"):
        assert after[name] == pytest.approx(before[name])
    page.do("mirror")
    assert np.allclose(session.scene.q, before.q, atol=1e-9)


def test_what_is_copied_is_pasted(page: Page) -> None:
    for name in ("balance", "pin left_foot", "pin right_foot"):
        page.do("remove_task", name=name)
    page.do("set_angles", joint="right_knee", angles={"flexion": 1.0})
    q = page.session.scene.q
    page.do("copy_posture")
    page.do("rest")
    page.do("paste_posture")
    assert np.array_equal(page.session.scene.q, q)


# forces -------------------------------------------------------------------------------------------


def test_supports_share_evenly_and_always_add_up(page: Page) -> None:
    session = page.session
    page.do("add_support", site="left_foot")
    page.do("add_support", site="right_foot")
    page.do("edit_support", site="left_foot", ratio=0.7)
    ratios = {site: each.ratio for site, each in session.scene.forces.supports.items()}
    assert ratios == pytest.approx({"left_foot": 0.7, "right_foot": 0.3})
    forces = {each["name"]: each for each in page.overlays["forces"]}
    assert forces["left_foot"]["kind"] == "support"
    assert forces["left_foot"]["cone"]["half_angle"] == pytest.approx(np.arctan(0.6))
    page.do("remove_force", name="left_foot")
    assert session.scene.forces.supports["right_foot"].ratio == pytest.approx(1.0)


def test_contact_forces_are_computed_and_carry_the_weight(page: Page) -> None:
    session = page.session
    page.do("add_support", site="left_foot")
    page.do("add_support", site="right_foot")
    page.do("use_contact_forces", on=True)
    contacts = [each for each in page.overlays["forces"] if each["kind"] == "contact"]
    weight = 9.81 * session.scene.posture.figure.mass
    assert sum(each["vector"][2] for each in contacts) == pytest.approx(weight, rel=1e-6)
    assert "%" in session.statics.sentence
    page.do("settings", torques=True)
    assert page.overlays["torques"]


def test_without_support_there_is_nothing_to_say_of_forces(session: Session) -> None:
    with pytest.raises(PoiseError, match="support"):
        assert session.statics.torques


# tabs ---------------------------------------------------------------------------------------------


def test_two_tabs_see_the_same_and_select_for_themselves(session: Session) -> None:
    one, two = Page(session, "one"), Page(session, "two")
    one.do("select", kind="joint", name="left_knee")
    assert session.selection("one").name == "left_knee"
    assert session.selection("two").name is None
    one.do("pin", site="left_hand")
    assert one.latest["frame"] == two.latest["frame"]
    assert two.overlays["limits"] is None
    assert one.overlays["limits"]["joint"] == "left_knee"


def test_only_one_can_drag_and_a_change_ends_the_drag(session: Session) -> None:
    one, two = Page(session, "one"), Page(session, "two")
    one.do("grab", segment="head", point=[0, 0, 0.1])
    one.drag([[0.1, 0.0, 1.7]])
    with pytest.raises(PoiseError, match="someone else"):
        two.do("grab", segment="left_hand", point=[0, 0, 0])
    with pytest.raises(PoiseError, match="someone else"):
        two.do("move", point=[0, 0, 0])
    two.do("pin", site="left_hand")
    assert not session.dragging
    assert session.history.undoes == "pin left_hand"
    two.do("undo")
    assert session.history.undoes == "drag head"


@pytest.mark.parametrize(
    "refused",
    [
        {"do": "remove_task", "name": "tail"},
        {"do": "edit_task", "name": "balance", "weight": 2.0, "joints": ["tail"]},
        {"do": "choose_figure", "recipe": "unicorn"},
        {"do": "lock", "joint": "neck", "on": False},
        {"do": "paste_posture"},
        {"do": "redo"},
        {"do": "grab", "segment": "tail", "point": [0, 0, 0]},
    ],
)
@pytest.mark.parametrize("who", ["one", "two"])
def test_what_is_refused_in_mid_drag_does_not_end_the_drag(
    session: Session, refused: dict[str, Any], who: str
) -> None:
    one = Page(session, "one")
    Page(session, "two")
    one.do("grab", segment="head", point=[0, 0, 0.1])
    one.drag([[0.1, 0.0, 1.7]])
    with pytest.raises(PoiseError):
        session.apply(refused, who)
    assert session.dragging
    assert not session.history.can_undo
    before = session.posture.q
    one.drag([[0.15, 0.0, 1.6]])
    assert not np.array_equal(session.posture.q, before), "it goes on"
    one.do("release")
    assert session.history.undoes == "drag head"
    assert session.document.given("human").locked_names == ()


def test_who_something_was_taken_from_is_not_told_so_at_every_event(session: Session) -> None:
    one, two = Page(session, "one"), Page(session, "two")
    one.do("grab", segment="head", point=[0, 0, 0.1])
    one.drag([[0.1, 0.0, 1.7]])
    two.do("lock", joint="neck", on=True)
    two.do("grab", segment="left_hand", point=[0, 0, 0])
    q = session.posture.q
    one.do("move", point=[0.5, 0.0, 1.5])
    one.do("release")
    assert session.dragging, "it is another's drag"
    assert np.array_equal(session.posture.q, q)
    with pytest.raises(PoiseError, match="someone else"):
        one.do("move", point=[0.5, 0.0, 1.5])
    two.do("release")
    one.do("grab", segment="head", point=[0, 0, 0.1])
    one.drag([[0.12, 0.0, 1.68]])
    one.do("release")
    assert session.history.undoes == "drag head"


def test_nothing_is_dragged_out_of_the_world_but_forces_may_be_great(page: Page) -> None:
    page.do("grab", segment="head", point=[0, 0, 0.1])
    with pytest.raises(PoiseError, match="no farther than 10000"):
        page.do("move", point=[0.0, 0.0, 20_000.0])
    page.do("cancel")
    page.do("add_load", site="right_hand", force=[0, 0, -50])
    page.do("grab", what="force", force="right_hand")
    page.drag([[0.0, 0.0, -20_000.0]])
    page.do("release")
    assert page.session.scene.forces.applied["right_hand"].force == (0.0, 0.0, -20_000.0)


def test_what_a_tab_drags_stays_when_it_goes(session: Session) -> None:
    one = Page(session, "one")
    one.do("grab", segment="head", point=[0, 0, 0.1])
    one.drag([[0.1, 0.0, 1.7]])
    one.depart()
    assert not session.dragging
    assert session.history.undoes == "drag head"


def test_a_page_that_comes_back_finds_what_it_left(session: Session) -> None:
    one = Page(session, "one")
    one.do("settings", insets=False, theme="light")
    one.depart()
    again = Page(session, "another")
    assert again.latest["settings"]["insets"] is False
    assert again.latest["settings"]["theme"] == "light"


def test_subscribers_are_told_and_can_stop(session: Session) -> None:
    heard: list[str] = []
    stop = session.subscribe(heard.append)
    session.apply({"do": "pin", "site": "left_hand"})
    assert session.wait()
    assert {"tasks", "history", "posture"} <= set(heard)
    stop()
    heard.clear()
    session.apply({"do": "undo"})
    assert not heard


# files --------------------------------------------------------------------------------------------


def test_a_scene_is_saved_and_opened(page: Page) -> None:
    page.do("pin", site="left_hand")
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.5})
    text, q = page.session.scene_text(), page.session.scene.q
    page.do("new")
    assert "pin left_hand" not in page.session.scene.handles
    page.do("open", text=text)
    assert "pin left_hand" in page.session.scene.handles
    assert np.allclose(page.session.scene.q, q, atol=1e-12)
    assert page.session.scene_text() == text


def test_a_scene_is_solved_when_it_is_opened_unless_it_is_so_already(page: Page) -> None:
    sit = Path(__file__).parents[2] / "examples" / "sit.yaml"
    page.do("open", text=sit.read_text("utf-8"))
    assert page.session.lamp.color == "green"
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    at = page.session.scene.places.segment("right_hand").position
    page.drag([(at + [0.0, 0.0, 0.01 * i]).tolist() for i in range(1, 4)])
    page.do("cancel")
    text, q = page.session.scene_text(), page.session.scene.q
    page.do("open", text=text)
    assert np.allclose(page.session.scene.q, q, atol=1e-12)
    begun = Session(Scene.load(sit))
    assert begun.wait()
    assert begun.lamp.color == "green"
    begun.close()


@pytest.mark.parametrize(
    "text",
    [
        "scene: {figure: {file: /etc/passwd}}",
        "scene: {figures: {one: {file: other.yaml}}}",
    ],
)
def test_a_scene_from_the_page_reaches_no_file(session: Session, text: str) -> None:
    with pytest.raises(PoiseError, match="reads no files"):
        session.apply({"do": "open", "text": text})


def test_exports_are_read_again(session: Session, tmp_path: Path) -> None:
    for kind in ("glb", "bvh"):
        path = tmp_path / f"scene.{kind}"
        path.write_bytes(session.export(kind))
        assert read(path).figure.segments
    assert session.export("yaml").decode() == session.scene_text()
    with pytest.raises(PoiseError, match="kind of file"):
        session.export("exe")


def test_several_figures_are_dragged_and_undone_alike() -> None:
    scene = poise.Scene({"anna": poise.human(sex="female"), "ben": poise.human()})
    scene.stand("ben", position=(0.8, 0, 0), heading=np.pi)
    scene.add(tasks.Frame("anna/left_foot"), name="foot")
    session = Session(scene)
    page = Page(session)
    q = session.scene.q
    at = session.scene.places.segment("ben/right_hand").position
    page.do("grab", segment="ben/right_hand", point=[0, 0, 0])
    page.drag([(at + [0, 0, 0.02 * i]).tolist() for i in range(1, 5)])
    page.do("release")
    assert session.scene.places.segment("ben/right_hand").position[2] > at[2] + 0.05
    page.do("undo")
    assert np.array_equal(session.scene.q, q)
    page.do("rest", figure="ben")
    page.do("mirror", figure="anna")
    session.close()


def test_a_ready_pose_is_taken_where_the_feet_are_and_as_the_figure_faces() -> None:
    session = Session(Scene({"anna": poise.human(sex="female"), "ben": poise.human()}))
    session.scene.stand("ben", position=(1.0, 2.0, 0.0), heading=np.pi / 2)
    before = {name: p.figure.place(p) for name, p in session.scene.postures.items()}
    session.apply({"do": "apply_pose", "name": "sitting"})
    for name, posture in session.scene.postures.items():
        where = posture.figure.place(posture)
        for site in ("left_foot", "right_foot"):
            assert where[site].position == pytest.approx(before[name][site].position, abs=0.06)
        ahead = where["left_knee"].position - where["left_hip"].position
        assert ahead[0 if name == "anna" else 1] > 0.3
    session.apply({"do": "undo"})
    for name, posture in session.scene.postures.items():
        at = posture.figure.place(posture)["pelvis"].position
        assert at == pytest.approx(before[name]["pelvis"].position)


def test_hand_shapes_are_in_the_library_of_who_has_fingers() -> None:
    session = Session(Scene(poise.human(hands=True)))
    before = session.scene.q.copy()
    session.apply({"do": "apply_pose", "name": "hands: fist"})
    moved = np.flatnonzero(np.abs(session.scene.q - before) > 1e-9)
    names = [session.document.coordinates()[i] for i in moved]
    assert len(names) > 20
    assert not [each for each in names if "wrist" in each or "root" in each]
    with pytest.raises(PoiseError, match="there is no pose 'hands: fist'"):
        Session(Scene(poise.human())).apply({"do": "apply_pose", "name": "hands: fist"})
