"""The numbers of what is selected: typed ones reach the document, and others are followed."""

import asyncio

import numpy as np
import pytest
from tests.studio.panels.hands import TAB, Hands, at_the_page

import poise
from poise import tasks as t
from poise.scene import Scene


def person() -> Scene:
    return poise.Scene(poise.human())


def degrees(hands: Hands, joint: str, angle: str) -> float:
    posture = next(iter(hands.scene.postures.values()))
    return float(np.rad2deg(posture.angles(joint)[angle]))


def test_a_joint_is_found_by_name_and_bent_by_a_number() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_elbow")
        assert hands.session.selection(TAB).name == "left_elbow"
        await hands.put("angle-flexion", 75.0)
        assert degrees(hands, "left_elbow", "flexion") == pytest.approx(75.0, abs=1e-6)
        await hands.press("undo")
        assert hands.element("angle-flexion").value == pytest.approx(
            degrees(hands, "left_elbow", "flexion"), abs=0.01
        )

    at_the_page(deed, person())


def test_an_angle_beyond_its_stop_ends_at_the_stop_and_is_shown_red() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_knee")
        await hands.put("angle-flexion", 200.0)
        high = float(np.rad2deg(hands.scene.figures["human"].range("left_knee")["flexion"][1]))
        assert degrees(hands, "left_knee", "flexion") <= high + 1e-6
        if degrees(hands, "left_knee", "flexion") > high - 0.01:
            await hands.user.should_see("at its stop")

    at_the_page(deed, person())


def test_a_joint_is_bent_by_pulling_its_bar() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_elbow")
        await hands.put("range-flexion", 60.0)
        assert degrees(hands, "left_elbow", "flexion") == pytest.approx(60.0, abs=1e-6)
        assert hands.element("angle-flexion").value == 60.0

    at_the_page(deed, person())


def test_the_figure_follows_a_bar_while_it_is_pulled_and_all_of_it_is_one_step() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_elbow")
        before = degrees(hands, "left_elbow", "flexion")
        for value in (30.0, 40.0, 50.0):
            hands.user.find(marker="range-flexion").trigger("update:modelValue", value)
            assert await asyncio.to_thread(hands.session.follow)
        assert hands.session.dragging
        pulled = hands.session.posture.angles("left_elbow")["flexion"]
        assert np.rad2deg(pulled) == pytest.approx(50.0, abs=1e-6)
        assert degrees(hands, "left_elbow", "flexion") == before, "it is not let go yet"
        await hands.put("range-flexion", 60.0)
        assert not hands.session.dragging
        assert degrees(hands, "left_elbow", "flexion") == pytest.approx(60.0, abs=1e-6)
        await hands.press("undo")
        assert degrees(hands, "left_elbow", "flexion") == pytest.approx(before, abs=1e-9)
        assert not hands.session.history.can_undo

    at_the_page(deed, person())


def test_a_bar_cannot_be_pulled_while_someone_else_drags() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_elbow")
        before = degrees(hands, "left_elbow", "flexion")
        hands.session.apply({"do": "grab", "segment": "head", "point": [0, 0, 0]}, "another")
        await hands.put("range-flexion", 60.0)
        assert "someone else is dragging" in hands.told()
        assert degrees(hands, "left_elbow", "flexion") == before

    at_the_page(deed, person())


def test_a_joint_is_locked_and_stiffened() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:neck")
        await hands.choose("joint-lock", True)
        figure = hands.scene.given["human"]
        assert "neck" in figure.locked_names
        await hands.put("joint-stiffness", 0.5)
        assert hands.scene.given["human"].stiffness["neck"] == 0.5
        await hands.press("undo")
        await hands.press("undo")
        assert "neck" not in hands.scene.given["human"].locked_names
        assert not hands.element("joint-lock").value

    at_the_page(deed, person())


def test_a_limb_is_locked_from_any_of_its_joints() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "joint:left_elbow")
        await hands.choose("limb-lock-left_arm", True)
        assert hands.scene.given["human"].locked_names == ("left_arm",)
        await hands.choose("find", "joint:left_wrist")
        assert hands.element("limb-lock-left_arm").value
        await hands.choose("limb-lock-left_arm", False)
        assert not hands.scene.given["human"].locked_names

    at_the_page(deed, person())


def test_a_joint_goes_to_rest() -> None:
    async def deed(hands: Hands) -> None:
        rest = degrees(hands, "left_elbow", "flexion")
        await hands.choose("find", "joint:left_elbow")
        await hands.put("angle-flexion", 90.0)
        await hands.press("joint-rest")
        assert degrees(hands, "left_elbow", "flexion") == pytest.approx(rest, abs=1e-6)

    at_the_page(deed, person())


def test_a_place_that_is_typed_for_a_site_becomes_a_goal() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "site:right_hand")
        await hands.put("site-position-z", 1.3)
        (name,) = hands.scene.handles
        assert hands.scene.handles[name].target[2] == 1.3
        assert hands.scene.places["right_hand"].position[2] == pytest.approx(1.3, abs=1e-3)
        await hands.put("site-position-z", 1.2)
        assert list(hands.scene.handles) == [name]
        assert hands.scene.handles[name].target[2] == 1.2

    at_the_page(deed, person())


def test_a_site_is_pinned_and_freed() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "site:left_hand")
        await hands.press("pin-position")
        assert isinstance(hands.scene.handles["pin left_hand"].wanted, t.Position)
        await hands.press("pin-both")
        assert isinstance(hands.scene.handles["pin left_hand"].wanted, t.Frame)
        await hands.press("pin-free")
        assert not hands.scene.handles

    at_the_page(deed, person())


def test_a_prop_is_moved_held_and_let_go() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "prop:crate")
        await hands.put("prop-position-x", 0.6)
        assert hands.scene.places["crate"].position[0] == pytest.approx(0.6)
        assert hands.scene.places["crate"].position[2] == pytest.approx(1.0)
        assert not hands.has("prop-grasp")
        await hands.choose("prop-holder", "right_palm")
        assert hands.scene.props["crate"].is_held
        assert hands.scene.places["crate"].position[0] == pytest.approx(0.6), "it stays at first"
        await hands.choose("prop-grasp", "left")
        places = hands.scene.places
        assert places["crate/left"].position == pytest.approx(places["right_palm"].position)
        await hands.choose("prop-holder", None)
        assert not hands.scene.props["crate"].is_held
        assert not hands.has("prop-grasp")
        await hands.press("prop-remove")
        assert not hands.scene.props

    scene = person()
    scene.place(poise.box(0.2, 0.2, 0.2, mass=2.0, name="crate"), (0.5, 0.0, 1.0))
    at_the_page(deed, scene)


def test_a_props_size_mass_and_name_are_changed_and_every_change_is_undone() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "prop:crate")
        await hands.put("prop-size-z", 0.6)
        places = hands.scene.places
        assert places["crate/top"].position[2] == pytest.approx(1.5)
        assert places["crate/bottom"].position[2] == pytest.approx(0.9), "it stands where it stood"
        assert hands.element("prop-position-z").value == pytest.approx(1.2)
        await hands.put("prop-mass", 7.5)
        assert hands.scene.props["crate"].prop.mass == 7.5
        await hands.put("prop-name", "trunk")
        assert list(hands.scene.props) == ["trunk"]
        assert hands.session.selection(TAB).name == "trunk", "it stays selected"
        reach = hands.scene.handles["reach"].wanted
        assert reach.target == "trunk/top"  # type: ignore[union-attr]
        assert hands.element("prop-name").value == "trunk"
        for _ in range(3):
            await hands.press("undo")
        prop = hands.scene.props["crate"].prop
        assert (prop.mass, hands.scene.places["crate"].position[2]) == (2.0, 1.0)

    scene = person()
    scene.place(poise.box(0.2, 0.2, 0.2, mass=2.0, name="crate"), (0.5, 0.0, 1.0))
    scene.add(t.Position("right_hand", "crate/top"), priority=1, name="reach")
    at_the_page(deed, scene)


def test_a_name_or_size_that_cannot_be_is_said_and_the_field_shows_what_is() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "prop:crate")
        for name in ("pelvis", "ball", "a/b", ""):
            await hands.put("prop-name", name)
            assert list(hands.scene.props) == ["crate", "ball"]
            assert hands.element("prop-name").value == "crate"
        assert "choose another name" in hands.told()
        await hands.put("prop-size-x", -1.0)
        assert hands.element("prop-size-x").value == 0.2
        assert not hands.session.history.can_undo

    scene = person()
    scene.place(poise.box(0.2, 0.2, 0.2, mass=2.0, name="crate"), (0.5, 0.0, 1.0))
    scene.place(poise.sphere(0.1, name="ball"), (1.5, 0.0, 1.0))
    at_the_page(deed, scene)


def test_a_force_and_a_support_have_sheets() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("find", "force:push")
        await hands.put("selected-force-push-y", 25.0)
        assert hands.scene.forces.applied["push"].force == (-60.0, 25.0, 0.0)
        await hands.choose("find", "force:left_foot")
        await hands.put("selected-friction-left_foot", 0.2)
        assert hands.scene.forces.supports["left_foot"].friction == 0.2

    scene = person()
    scene.forces.support("left_foot")
    scene.forces.apply("right_hand", force=(-60.0, 0.0, 0.0), name="push")
    at_the_page(deed, scene)


def test_delete_removes_what_is_selected() -> None:
    async def deed(hands: Hands) -> None:
        hands.session.apply({"do": "select", "kind": "task", "name": "eyes"}, TAB)
        await hands.strike("Delete")
        assert not hands.scene.handles

    scene = person()
    scene.add(t.Aim("eyes", (1.0, 0.0, 1.5)))
    at_the_page(deed, scene)
