"""The list of tasks: what is done there reaches the scene, and the list follows the scene."""

from typing import Any

import pytest
from nicegui import ElementFilter, ui
from tests.studio.panels.hands import Hands, at_the_page

import poise
from poise import tasks as t
from poise.scene import Scene


def reaching() -> Scene:
    """A chain of four links with two goals that it cannot reach at once."""
    scene = poise.Scene(poise.chain(4))
    scene.add(t.Position("tip", (0.2, 0.0, 0.2)), priority=1, name="first")
    scene.add(t.Position("tip", (0.2, 0.0, -0.2)), priority=2, name="second")
    scene.posture = scene.solve().posture
    return scene


def errors(hands: Hands) -> dict[str, float | None]:
    return {each.name: each.error for each in hands.session.reports}


def rows(hands: Hands) -> list[str]:
    """The names in the list from top to bottom, with the headings' priorities between them."""
    with hands.user:
        children = hands.element("task-list").default_slot.children
    result: list[str] = []
    for each in children:
        markers = " ".join(each._markers)
        result.append(markers.removeprefix("task-") if markers else str(each.rank))
    return result


def test_tasks_are_listed_by_priority_with_their_errors() -> None:
    async def deed(hands: Hands) -> None:
        await hands.settle()
        assert rows(hands) == ["1", "first", "2", "second", "3"]
        assert hands.text("error-first").endswith("mm")
        assert "failed" in hands.element("error-second").classes
        assert "met" in hands.element("error-first").classes
        assert "orange" in hands.element("lamp").classes

    at_the_page(deed, reaching())


def test_a_name_with_quotation_marks_is_a_label_and_nothing_else() -> None:
    name = 'a" style="animation:q-spin 1s" onanimationstart="window.__xss=21'
    scene = reaching()
    scene.add(t.Position("tip", (0.2, 0.0, 0.2)), priority=1, name=name)
    scene.add(t.Rest(), name=f"{name} too")

    async def deed(hands: Hands) -> None:
        hands.desk.do("select", kind="task", name=name)
        await hands.settle()
        with hands.user:
            elements = list(ElementFilter())
        properties = {str(key) for each in elements for key in each.props}
        assert not any(key.startswith("on") for key in properties), sorted(properties)
        labels = {str(each.props.get("aria-label", "")) for each in elements}
        assert {name, f"use {name}", f"remove {name}", f"use {name} too"} <= labels

    at_the_page(deed, scene)


def test_the_switch_takes_a_task_out_and_the_next_one_is_met() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("use-first", False)
        assert not hands.scene.handles["first"].enabled
        assert errors(hands)["second"] < 1e-4  # type: ignore[operator]
        assert "green" in hands.element("lamp").classes
        assert hands.text("error-first") == "off"

    at_the_page(deed, reaching())


def test_a_task_that_is_dropped_under_another_priority_takes_it() -> None:
    async def deed(hands: Hands) -> None:
        before = errors(hands)
        listed = hands.element("task-list")
        item = hands.element("task-second")
        place = {"item_id": item.id, "from_id": listed.id, "to_id": listed.id}
        hands.user.find(marker="task-list").trigger(
            "sortend", {**place, "old_index": 3, "new_index": 1}
        )
        await hands.settle()
        assert hands.scene.handles["second"].priority == 1
        assert rows(hands) == ["1", "second", "first", "2"]
        assert errors(hands)["first"] != before["first"]

    at_the_page(deed, reaching())


def test_a_task_that_is_dropped_at_the_end_gets_a_priority_of_its_own() -> None:
    async def deed(hands: Hands) -> None:
        listed, item = hands.element("task-list"), hands.element("task-first")
        place = {"item_id": item.id, "from_id": listed.id, "to_id": listed.id}
        hands.user.find(marker="task-list").trigger(
            "sortend", {**place, "old_index": 1, "new_index": 4}
        )
        await hands.settle()
        assert hands.scene.handles["first"].priority == 3
        assert errors(hands)["second"] < 1e-4  # type: ignore[operator]

    at_the_page(deed, reaching())


def test_arrows_on_the_grip_change_the_priority() -> None:
    async def deed(hands: Hands) -> None:
        await hands.key("grip-first", "down.prevent")
        assert hands.scene.handles["first"].priority == 2
        assert list(hands.scene.handles) == ["first", "second"]
        await hands.key("grip-first", "down.prevent")
        assert list(hands.scene.handles) == ["second", "first"]
        await hands.key("grip-first", "up.prevent")
        await hands.key("grip-first", "up.prevent")
        assert hands.scene.handles["first"].priority == 1

    at_the_page(deed, reaching())


def test_an_opened_task_is_edited_and_every_edit_is_one_step() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-first")
        selection = hands.session.selection("tab")
        assert (selection.kind, selection.name) == ("task", "first")
        with hands.within("task-list"):
            await hands.put("task-weight", 2.5)
            assert hands.scene.handles["first"].weight == 2.5
            await hands.press("field-axes-y")
            assert hands.scene.handles["first"].wanted.axes == "xz"  # type: ignore[union-attr]
            await hands.put("field-target-x", 0.1)
            assert hands.scene.handles["first"].target[0] == 0.1
            await hands.put("task-priority", 4)
            assert hands.scene.handles["first"].priority == 4
        for _ in range(4):
            await hands.press("undo")
        handle = hands.scene.handles["first"]
        assert (handle.weight, handle.priority, handle.target) == (1.0, 1, (0.2, 0.0, 0.2))
        assert handle.wanted.axes == "xyz"  # type: ignore[union-attr]

    at_the_page(deed, reaching())


@pytest.mark.parametrize(
    ("normal", "sort", "numbers"),
    [
        (None, "z", None),
        ((0.0, -1.0, 0.0), "-y", None),
        ((0.6, 0.0, 0.8), "other", [0.6, 0.0, 0.8]),
    ],
)
def test_a_contact_shows_the_normal_that_counts(
    normal: Any, sort: str, numbers: list[float] | None
) -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-flat")
        with hands.within("task-list"):
            assert hands.element("field-normal-mode").value == sort
            if numbers is not None:
                shown = [hands.element(f"field-normal-{axis}").value for axis in "xyz"]
                assert shown == pytest.approx(numbers)
        before = hands.scene.handles["flat"].wanted
        with hands.within("task-list"):
            await hands.choose("field-normal-mode", "-x")
        assert hands.scene.handles["flat"].wanted.normal == (-1.0, 0.0, 0.0)  # type: ignore[union-attr]
        await hands.press("undo")
        assert hands.scene.handles["flat"].wanted.normal == before.normal  # type: ignore[union-attr]

    scene = poise.Scene(poise.human())
    settings = {} if normal is None else {"normal": normal}
    scene.add(t.Contact("right_hand", **settings), priority=1, name="flat")
    at_the_page(deed, scene)


def test_a_task_changes_its_type_and_its_name() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-first")
        with hands.within("task-list"):
            await hands.choose("task-type", "frame")
            assert isinstance(hands.scene.handles["first"].wanted, t.Frame)
        with hands.within("task-list"):
            await hands.put("task-name", "hold")
        assert list(hands.scene.handles) == ["hold", "second"]

    at_the_page(deed, reaching())


def test_what_is_in_a_tasks_way_is_told_when_asked() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-second")
        with hands.within("task-list"):
            assert not hands.has("task-blockers")
            hands.user.find(marker="task-why").click()
            await hands.until(lambda: hands.has("task-blockers"))
            await hands.until(lambda: hands.text("task-blockers") != "looking …")
            assert "first" in hands.text("task-blockers")
            assert not hands.has("task-blockers-more")

    at_the_page(deed, reaching())


def test_what_else_is_in_a_tasks_way_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    async def deed(hands: Hands) -> None:
        told = [f"limit {i}" for i in range(7)]
        monkeypatch.setattr(hands.session, "blocked_by", lambda task: told)
        await hands.press("row-second")
        with hands.within("task-list"):
            hands.user.find(marker="task-why").click()
            await hands.until(lambda: hands.has("task-blockers-more"))
            assert hands.text("task-blockers").splitlines() == told[:4]
            assert hands.text("task-blockers-more") == "3 more"
            await hands.press("task-blockers-more")
            assert hands.text("task-blockers").splitlines() == told

    at_the_page(deed, reaching())


def test_another_type_keeps_all_that_both_have() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-second")
        with hands.within("task-list"):
            await hands.choose("task-type", "frame")
        handle = hands.scene.handles["second"]
        assert isinstance(handle.wanted, t.Frame)
        assert (handle.priority, handle.weight, handle.joints) == (2, 0.5, ("joint_1", "joint_2"))
        assert handle.wanted.target.position.tolist() == [0.2, 0.0, -0.2]
        with hands.within("task-list"):
            await hands.choose("task-type", "position")
        assert hands.scene.handles["second"].wanted.target == (0.2, 0.0, -0.2)

    scene = reaching()
    scene.handles["second"].weight = 0.5
    scene.handles["second"].joints = ["joint_1", "joint_2"]
    at_the_page(deed, scene)


def test_a_task_that_nobody_named_is_called_by_its_new_site_and_stays_open() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-left_hand")
        with hands.within("task-list"):
            await hands.choose("field-site", "right_hand")
        assert list(hands.scene.handles) == ["right_hand", "mine"]
        assert hands.desk.selection.name == "right_hand"
        with hands.within("task-list"):
            assert hands.has("editor-right_hand")
        await hands.press("row-mine")
        with hands.within("task-list"):
            await hands.choose("field-site", "right_foot")
        assert list(hands.scene.handles) == ["right_hand", "mine"]

    scene = poise.Scene(poise.human())
    scene.add(t.Position("left_hand"))
    scene.add(t.Position("left_foot"), name="mine")
    at_the_page(deed, scene)


def test_joints_are_ticked_by_limb() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-first")
        with hands.within("task-list"):
            await hands.press("task-joints")
        joints = [each for each in hands.scene.figures["chain"].joints if each != "root"]
        await hands.press("joints-none")
        await hands.press("joints-use")
        assert hands.scene.handles["first"].joints is None
        assert "at least one" in hands.told()
        await hands.choose(f"joint-{joints[0]}", True)
        await hands.press("joints-use")
        assert hands.scene.handles["first"].joints == (joints[0],)
        with hands.within("task-list"):
            assert hands.text("task-joints") == joints[0].replace("_", " ")

    at_the_page(deed, reaching())


def test_a_limb_that_is_ticked_as_a_whole_goes_by_its_name() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-left_hand")
        with hands.within("task-list"):
            await hands.press("task-joints")
        await hands.press("joints-none")
        await hands.choose("limb-left_arm", True)
        await hands.choose("joint-neck", True)
        await hands.press("joints-use")
        assert hands.scene.handles["left_hand"].joints == ("neck", "left_arm")
        with hands.within("task-list"):
            assert hands.text("task-joints") == "2 joints or limbs"

    scene = poise.Scene(poise.human())
    scene.add(t.Position("left_hand"))
    at_the_page(deed, scene)


def test_the_joints_of_a_limb_are_ticked_where_it_was_chosen_by_name() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-left_hand")
        with hands.within("task-list"):
            assert hands.text("task-joints") == "left arm"
            await hands.press("task-joints")
        assert hands.element("joint-left_elbow").value
        assert not hands.element("joint-right_elbow").value
        await hands.choose("joint-left_wrist", False)
        await hands.press("joints-use")
        joints = ("left_shoulder_complex", "left_elbow")
        assert hands.scene.handles["left_hand"].joints == joints

    scene = poise.Scene(poise.human())
    scene.add(t.Position("left_hand"), joints="left_arm")
    at_the_page(deed, scene)


UNLIKE = {"spine": 0.2, "left_shoulder_complex": 0.3, "left_elbow": 1.0, "neck.twist": 0.5}
"""Shares by joint, two of one limb, and of one coordinate of a joint."""


async def open_joints(hands: Hands) -> None:
    await hands.press("row-left_hand")
    with hands.within("task-list"):
        await hands.press("task-joints")


def unlike() -> poise.Scene:
    scene = poise.Scene(poise.human())
    scene.add(t.Position("left_hand"), joints=UNLIKE)
    return scene


def test_different_shares_within_a_limb_are_told_and_stay() -> None:
    async def deed(hands: Hands) -> None:
        await open_joints(hands)
        number = hands.element("share-left_arm")
        assert number.value is None, "no one number is that of the limb"
        assert number.props["placeholder"] == "0.3 – 1"
        assert hands.element("share-spine").value == 0.2
        assert hands.element("joint-neck").value, "one of its coordinates is chosen"
        await hands.press("joints-use")
        assert hands.scene.handles["left_hand"].joints == UNLIKE

    at_the_page(deed, unlike())


def test_a_number_beside_a_limb_is_for_all_its_joints_and_changes_no_other_limb() -> None:
    async def deed(hands: Hands) -> None:
        await open_joints(hands)
        await hands.put("share-left_arm", 0.6)
        await hands.press("joints-use")
        expected = {"spine": 0.2, "left_shoulder_complex": 0.6, "left_elbow": 0.6}
        assert hands.scene.handles["left_hand"].joints == {**expected, "neck.twist": 0.5}

    at_the_page(deed, unlike())


def test_a_joint_that_is_ticked_beside_different_shares_leaves_them() -> None:
    async def deed(hands: Hands) -> None:
        await open_joints(hands)
        await hands.choose("joint-left_wrist", True)
        await hands.choose("joint-left_elbow", False)
        await hands.press("joints-use")
        expected = {"spine": 0.2, "left_shoulder_complex": 0.3, "left_wrist": 1.0}
        assert hands.scene.handles["left_hand"].joints == {**expected, "neck.twist": 0.5}

    at_the_page(deed, unlike())


def test_the_one_number_of_a_limb_cannot_be_left_empty() -> None:
    async def deed(hands: Hands) -> None:
        await open_joints(hands)
        await hands.put("share-spine", None)
        await hands.press("joints-use")
        assert "say how readily spine moves" in hands.told()
        assert hands.scene.handles["left_hand"].joints == UNLIKE

    at_the_page(deed, unlike())


def test_a_task_is_removed_and_comes_back_by_undo() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-second")
        with hands.within("task-list"):
            await hands.press("task-remove")
        assert list(hands.scene.handles) == ["first"]
        assert rows(hands) == ["1", "first", "2"]
        await hands.press("undo")
        assert rows(hands) == ["1", "first", "2", "second", "3"]

    at_the_page(deed, reaching())


def test_numbers_of_a_goal_follow_it_while_the_editor_is_open() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("row-first")
        hands.session.apply(
            {"do": "edit_task", "name": "first", "parameters": {"target": [0.3, 0.0, 0.1]}}
        )
        await hands.settle()
        with hands.within("task-list"):
            field = hands.element("field-target-x")
            assert isinstance(field, ui.number)
            assert field.value == 0.3

    at_the_page(deed, reaching())
