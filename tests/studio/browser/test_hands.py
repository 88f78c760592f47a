"""Pins, gizmos, selection and pictures in a real browser."""

import base64
import struct
from typing import Any

import numpy as np
from tests.studio.browser.driving import Studio


def pins(studio: Studio) -> dict[str, str]:
    """The pins on the page besides those of the feet, which a new figure has."""
    found = {each["site"]: each["kind"] for each in studio.tell("v.state().pins")}
    assert found.pop("left_foot") == found.pop("right_foot") == "both"
    return found


def test_right_click_opens_the_choice_of_a_pin_at_the_site(studio: Studio) -> None:
    studio.page.mouse.click(*studio.seen("left_hand"), button="right")
    studio.page.get_by_role("menuitemradio", name="Keep the position").click()
    studio.until("v.state().pins.length === 3")
    assert pins(studio) == {"left_hand": "position"}
    assert "pin left_hand" in studio.session["tasks"]
    studio.page.mouse.click(*studio.seen("left_hand"), button="right")
    now = studio.page.get_by_role("menuitemradio", name="Keep the position")
    assert now.get_attribute("aria-checked") == "true"
    studio.page.get_by_role("menuitemradio", name="Free").click()
    studio.until("v.state().pins.length === 2")


def test_p_pins_what_is_under_the_pointer_and_keys_choose(studio: Studio) -> None:
    studio.page.mouse.move(*studio.seen("right_hand"))
    studio.until("v.hovered?.site?.name === 'right_hand'")
    studio.page.keyboard.press("p")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        studio.page.keyboard.press(key)
    studio.until("v.state().pins.length === 3")
    assert pins(studio) == {"right_hand": "both"}


def test_a_point_of_the_surface_can_be_pinned(studio: Studio) -> None:
    x, y = np.mean([studio.seen("left_elbow"), studio.seen("left_shoulder")], axis=0)
    studio.page.mouse.click(x, y, button="right")
    studio.page.get_by_role("menuitemradio", name="Keep both").click()
    studio.until("v.state().pins.length === 3")
    studio.still()
    (site,) = pins(studio)
    assert site in studio.tell("v.stage.sites.map(each => each.name)"), "it has become a site"


def test_escape_closes_the_choice_and_pins_nothing(studio: Studio) -> None:
    studio.page.mouse.click(*studio.seen("left_hand"), button="right")
    studio.until("v.pinning.isOpen")
    studio.page.keyboard.press("Escape")
    studio.until("!v.pinning.isOpen")
    studio.still()
    assert pins(studio) == {}


def test_a_pinned_hand_stays_while_the_body_is_dragged(studio: Studio) -> None:
    studio.apply(do="pin", site="right_hand", kind="position")
    studio.until("v.state().pins.length === 3")
    studio.still()
    before = studio.site("right_hand")
    start = studio.grab("left_hand")
    studio.pull(start, (50, -60))
    assert np.linalg.norm(studio.site("right_hand") - before) < 1e-3
    studio.page.mouse.up()


def with_goal(studio: Studio, **parameters: Any) -> None:
    """A task that wants the left hand somewhere, selected, so that its gizmo is there."""
    studio.apply(do="add_task", name="reach", **parameters)
    studio.apply(do="select", kind="task", name="reach")
    studio.until("v.gizmo.target?.name === 'reach'")
    studio.still()


def goal_of(studio: Studio, task: str) -> dict[str, Any]:
    (goal,) = (each for each in studio.tell("v.state().goals") if each["task"] == task)
    return goal


def handle(studio: Studio, kind: str, axis: int) -> tuple[float, float]:
    """Where a handle of the gizmo is seen."""
    return studio.seen_at(
        """(() => {
          const mesh = v.gizmo.handles.find(each => each.userData.handle.kind === a[0]
            && each.userData.handle.axis === a[1]);
          v.gizmo.fit(v.camera, v.height);
          mesh.geometry.computeBoundingBox();
          const box = mesh.geometry.boundingBox;
          const at = box.min.clone().add(box.max).multiplyScalar(0.5);
          if (a[0] === 'ring') at.set(0.9 * Math.cos(0.6), 0.9 * Math.sin(0.6), 0);
          return v.onScreen(at.applyMatrix4(mesh.matrixWorld));
        })()""",
        [kind, axis],
    )


def test_the_gizmo_moves_a_goal_along_its_axis_and_the_hand_follows(studio: Studio) -> None:
    with_goal(
        studio, type="position", parameters={"site": "left_hand", "target": [0.35, 0.35, 1.2]}
    )
    x, y = handle(studio, "axis", 2)
    studio.press((x, y))
    studio.pull((x, y), (0, -60))
    studio.let_go()
    goal = goal_of(studio, "reach")
    assert goal["position"][:2] == [0.35, 0.35], "only along z"
    assert goal["position"][2] > 1.25
    np.testing.assert_allclose(studio.site("left_hand"), goal["position"], atol=1e-3)
    assert "reach" in studio.session["undoes"]


def test_shift_snaps_a_goal_to_five_centimetres(studio: Studio) -> None:
    with_goal(
        studio, type="position", parameters={"site": "left_hand", "target": [0.37, 0.33, 1.21]}
    )
    x, y = handle(studio, "axis", 2)
    studio.press((x, y))
    studio.page.keyboard.down("Shift")
    studio.pull((x, y), (0, -43))
    studio.let_go()
    studio.page.keyboard.up("Shift")
    goal = goal_of(studio, "reach")
    height = goal["position"][2]
    assert abs(height / 0.05 - round(height / 0.05)) < 1e-6
    assert goal["position"][:2] == [0.37, 0.33]


def test_e_turns_a_frame_by_fifteen_degrees_with_shift(studio: Studio) -> None:
    target = {"position": [0.3, 0.35, 1.15], "rotation": [0, 0, 0]}
    with_goal(studio, type="frame", parameters={"site": "left_hand", "target": target})
    studio.page.keyboard.press("e")
    studio.until("v.gizmo.mode === 'rotate'")
    x, y = handle(studio, "ring", 2)
    studio.press((x, y))
    studio.page.keyboard.down("Shift")
    studio.pull((x, y), (25, 35))
    studio.let_go()
    studio.page.keyboard.up("Shift")
    goal = goal_of(studio, "reach")
    w, *axis = goal["rotation"]
    angle = np.rad2deg(2 * np.arctan2(np.linalg.norm(axis), abs(w)))
    assert angle > 10
    assert abs(angle / 15 - round(angle / 15)) < 1e-4
    np.testing.assert_allclose(np.abs(axis) / np.linalg.norm(axis), [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(goal["position"], target["position"], atol=1e-12)


def test_the_head_of_a_forces_arrow_can_be_dragged(studio: Studio) -> None:
    studio.apply(do="add_load", name="pull", site="right_hand", force=[80.0, -40.0, -60.0])
    pull = "v.overlays.forces.shown.find(each => each.name === 'pull')"
    studio.until(pull)
    x, y = studio.seen_at(f"v.onScreen({pull}.head)")
    studio.press((x, y))
    studio.pull((x, y), (0, -50))
    wanted = np.array(studio.tell("v.pointer.drag.wanted.toArray()"))
    studio.let_go()
    head = studio.tell(f"{pull}.head.toArray()")
    np.testing.assert_allclose(head, wanted, atol=2e-3)
    assert studio.tell(f"{pull}.vector")[2] > -60, "it points higher than before"


def test_a_prop_can_be_dragged_and_its_gizmo_turns_it(studio: Studio) -> None:
    studio.apply(
        do="add_prop", kind="box", size=[0.2, 0.2, 0.2], mass=1.0, position=[0.4, -0.7, 0.1],
        name="crate",
    )  # fmt: skip
    crate = "v.stage.groups[v.stage.nodes.findIndex(each => each.prop === 'crate')]"
    studio.until(crate)
    place = f"{crate}.getWorldPosition(v.camera.position.clone()).toArray()"
    before = np.array(studio.tell(place))
    middle = f"v.onScreen({crate}.getWorldPosition(v.camera.position.clone()))"
    x, y = studio.seen_at(middle)
    studio.press((x, y))
    studio.pull((x, y), (70, -40))
    studio.let_go()
    assert np.linalg.norm(np.array(studio.tell(place)) - before) > 0.1
    studio.page.mouse.click(*studio.seen_at(middle))
    studio.until("v.gizmo.target?.name === 'crate'")
    studio.page.keyboard.press("e")
    studio.until("v.gizmo.mode === 'rotate'")
    studio.still()
    x, y = handle(studio, "ring", 2)
    studio.press((x, y))
    studio.pull((x, y), (30, 25))
    studio.let_go()
    studio.until("v.gizmo.target.rotation.angleTo(v.stage.top.quaternion) > 0.1")


def test_what_someone_else_holds_is_not_given(studio: Studio, chromium: Any) -> None:
    other = Studio(chromium, studio.address)
    other.open()
    start = studio.grab("left_hand")
    studio.pull(start, (30, -30))
    x, y = other.grab("right_hand")
    other.page.mouse.move(x - 30, y - 30, steps=4)
    other.page.locator(".poise-notice.error").wait_for()
    other.until("!v.pointer.drag")
    assert studio.tell("Boolean(v.pointer.drag)"), "who had it first keeps it"
    other.page.mouse.up()
    other.close()
    studio.let_go()


def test_an_unmet_goal_is_tied_to_its_site_with_what_it_lacks(studio: Studio) -> None:
    with_goal(studio, type="position", parameters={"site": "left_hand", "target": [2.0, 0.5, 1.4]})
    studio.until("v.overlays.goals.ties.visible")
    studio.still()
    labels = studio.page.locator(".poise-label.strong:visible")
    assert any(text.endswith(("mm", " m")) for text in labels.all_inner_texts())


def test_a_click_selects_the_joint_and_its_limits_are_drawn(studio: Studio) -> None:
    x, y = np.mean([studio.seen("left_elbow"), studio.seen("left_shoulder")], axis=0)
    studio.page.mouse.click(x, y)
    studio.until("v.selection.kind === 'joint'")
    assert studio.tell("v.selection.name") == "left_shoulder"
    studio.until("v.state().limits !== null && v.overlays.limits.lines[0].visible")
    assert studio.tell("v.state().limits.lines.length") > 0
    empty = studio.on_page(1050, 60)
    studio.page.mouse.click(*empty)
    studio.until("v.selection.kind === null && v.state().limits === null")


def test_a_small_view_becomes_the_large_one_and_back(studio: Studio) -> None:
    studio.page.get_by_role("button", name="Enlarge the side view").click()
    studio.until("v.insets.mainName === 'side'")
    assert studio.tell("v.camera.isOrthographicCamera")
    start = studio.grab("right_hand")
    studio.pull(start, (80, -60))
    depth = studio.tell("v.pointer.drag.wanted.y - v.pointer.drag.hit.point.y")
    assert abs(depth) < 1e-9, "a drag stays in the plane of the view"
    studio.let_go()
    studio.page.get_by_role("button", name="Enlarge the perspective view").click()
    studio.until("v.insets.mainName === 'free'")


def test_small_views_keep_their_order(studio: Studio) -> None:
    for name in ("side", "top", "perspective"):
        studio.page.get_by_role("button", name=f"Enlarge the {name} view").click()
    studio.until("v.insets.mainName === 'free'")
    assert studio.page.locator(".poise-inset").all_inner_texts() == ["side", "top"]


def test_friction_cones_of_many_contacts_do_not_hide_the_feet(studio: Studio) -> None:
    for foot in ("left_foot", "right_foot"):
        studio.apply(do="add_support", site=foot)
    cones = "v.overlays.forces.cones.things.filter(each => each.visible)"
    studio.until(f"{cones}.length === 2 && v.rests")
    shared = studio.tell(f"Math.max(...{cones}.map(each => each.scale.z))")
    studio.apply(do="use_contact_forces", on=True)
    studio.until(f"{cones}.length > 4 && v.rests")
    assert studio.tell(f"Math.max(...{cones}.map(each => each.scale.z))") < 0.6 * shared


def test_what_has_moved_away_from_a_pointer_that_rests_is_no_longer_hovered(
    studio: Studio,
) -> None:
    start = studio.grab("right_hand")
    studio.pull(start, (-40, -60))
    studio.let_go()
    studio.until("v.hovered?.node !== undefined")
    studio.apply(do="undo")
    studio.still()
    studio.until("!v.hovered")


def test_keys_are_not_ours_while_someone_writes(studio: Studio) -> None:
    studio.page.evaluate(
        "document.body.append(Object.assign(document.createElement('input'), {id: 'field'}))"
    )
    studio.page.locator("#field").focus()
    studio.page.keyboard.type("123we")
    assert studio.tell("[v.settings.mode, v.settings.gizmo]") == ["body", "move"]


def test_a_snapshot_is_a_picture_of_the_size_that_was_asked_for(tab: Studio) -> None:
    tab.open("/view")
    content = base64.b64decode(tab.tell("v.snapshot(640, 400)").partition(",")[2])
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (640, 400)
    assert len(content) > 20_000, "there is something on it"


def test_software_rendering_is_told_and_drawn_in_low_quality(tab: Studio) -> None:
    tab.page.set_viewport_size({"width": 200, "height": 150})  # or it takes long
    tab.open("/view")
    if not tab.tell("/swiftshader|llvmpipe/i.test(v.painter.name)"):
        assert tab.tell("v.painter.quality") == "high"
        return
    tab.page.get_by_role("button", name="low quality").wait_for()
    assert tab.tell("v.painter.quality") == "low"
    tab.apply(do="settings", quality="high")
    tab.until("v.painter.quality === 'high' && v.placed")


def test_a_command_that_makes_no_sense_is_answered_and_changes_nothing(studio: Studio) -> None:
    before = studio.session
    studio.tell("v.send({do: 'pin', site: 'third_hand', kind: 'both'})")
    studio.page.locator(".poise-notice.error").wait_for()
    assert studio.session == before


BARE = """
scene:
  figure:
    inline:
      name: bare
      segments:
        post: {shapes: [{capsule: {start: [0, 0, 0], end: [0, 0, 1], radius: 0.1}}]}
        arm: {}
      joints: {shoulder: {kind: hinge, parent: post, child: arm, position: [0, 0, 1]}}
      sites: {hand: {segment: arm, position: [0.5, 0, 0]}}
"""


def test_what_has_no_shapes_is_drawn_by_its_bones_and_can_be_taken_hold_of(studio: Studio) -> None:
    shown = "v.stage.sticks.shown().map(mesh => v.stage.nodes[mesh.userData.node].name)"
    assert studio.tell(shown) == []  # the human has shapes everywhere
    studio.apply(do="open", text=BARE)
    studio.still()
    assert set(studio.tell(shown)) == {"arm"}
    start = studio.grab("hand", beside=(-12, 0))
    studio.pull(start, (0, -60))
    studio.let_go()
    assert studio.site("hand")[2] > 1.02
    studio.apply(do="settings", style="stick")
    studio.still()
    assert set(studio.tell(shown)) == {"post", "arm"}
    studio.apply(do="settings", style="solid")
