"""Drags in a real browser."""

import numpy as np
from tests.studio.browser.driving import Studio


def test_a_dragged_hand_arrives_and_stays(studio: Studio) -> None:
    before = studio.site("left_hand")
    start = studio.grab("left_hand")
    studio.pull(start, (60, -120))
    wanted = np.array(studio.tell("v.pointer.drag.wanted.toArray()"))
    held = "v.pointer.drag.held().distanceTo(v.pointer.drag.wanted) < 0.002"
    studio.until(held)
    studio.let_go()
    arrived = studio.site("left_hand")
    assert np.linalg.norm(arrived - before) > 0.15
    assert np.linalg.norm(arrived - wanted) < 0.05, "the site is near the point that was grabbed"
    assert studio.session["undoes"] == "drag left_hand", "a drag is a step that can be undone"
    assert not studio.session["dragging"]


def test_a_hand_pulled_out_of_reach_leaves_pinned_feet_on_the_floor(studio: Studio) -> None:
    assert {each["site"] for each in studio.tell("v.state().pins")} == {"left_foot", "right_foot"}
    feet = {name: studio.site(name) for name in ("left_foot", "right_foot")}
    start = studio.grab("left_hand")
    studio.pull(start, (420, -330), steps=40)
    for name, place in feet.items():
        assert np.linalg.norm(studio.site(name) - place) < 1e-3
    studio.let_go()
    for name, place in feet.items():
        assert np.linalg.norm(studio.site(name) - place) < 1e-3


def test_escape_gives_a_drag_up(studio: Studio) -> None:
    before = studio.session
    start = studio.grab("right_hand")
    studio.pull(start, (-80, -80))
    assert studio.session["dragging"]
    studio.page.keyboard.press("Escape")
    studio.until("!v.pointer.drag")
    studio.let_go()
    assert studio.session == before, "and nothing can be undone that could not before"


def test_an_undone_drag_is_as_if_it_had_not_been(studio: Studio) -> None:
    before, place = studio.session["q"], studio.site("left_hand")
    start = studio.grab("left_hand")
    studio.pull(start, (40, -90))
    studio.let_go()
    assert studio.session["q"] != before
    studio.apply(do="undo")
    studio.until(
        "Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) < 1e-5", place.tolist()
    )
    assert studio.session["q"] == before, "to the last bit"


def test_the_wheel_does_not_count_joints_that_are_not_there(studio: Studio) -> None:
    start = studio.grab("left_hand")
    studio.pull(start, (20, -30))
    studio.until("v.recruited.length > 2")
    answered = "v.handled === v.sequence && !v.waiting && v.overlays.message.frame >= v.placed[7]"
    for _ in range(3):
        sequence = studio.tell("v.sequence")
        studio.page.mouse.wheel(0, -100)
        studio.until(f"v.sequence > a && {answered}", sequence)
    most = studio.tell("v.recruited.length")
    studio.page.mouse.wheel(0, 100)
    studio.until("v.recruited.length === a", most - 1)
    studio.let_go()


def test_the_wheel_recruits_fewer_or_more_joints_while_dragging(studio: Studio) -> None:
    start = studio.grab("left_hand")
    studio.pull(start, (20, -30))
    studio.until("v.recruited.length > 2")
    for count in range(studio.tell("v.recruited.length") - 1, 0, -1):
        studio.page.mouse.wheel(0, 100)
        studio.until("v.recruited.length === a && v.pointer.drag.recruit === a", count)
    studio.page.mouse.wheel(0, -100)
    studio.until("v.recruited.length === 2")
    studio.until("v.stage.states.get('recruited').size === 2")
    studio.page.mouse.up()
    studio.until("v.stage.states.get('recruited').size === 0")


def test_modes_are_chosen_by_keys_and_single_joints_move_alone(studio: Studio) -> None:
    studio.page.keyboard.press("3")
    studio.until("v.settings.mode === 'joint'")
    before = {name: studio.site(name) for name in ("head_top", "right_hand", "left_shoulder")}
    start = studio.grab("left_elbow", beside=(0, 30))
    studio.pull(start, (30, -20))
    studio.until("v.recruited.length === 1")
    for name, place in before.items():
        assert np.linalg.norm(studio.site(name) - place) < 1e-6, f"{name} must not move"
    studio.page.mouse.up()


def test_an_empty_drag_turns_the_view_and_moves_nobody(studio: Studio) -> None:
    before, eye = studio.session["q"], studio.tell("v.camera.position.toArray()")
    x, y = studio.press(studio.on_page(900, 600))
    studio.page.mouse.move(x - 150, y - 40, steps=6)
    studio.let_go()
    assert np.linalg.norm(np.subtract(studio.tell("v.camera.position.toArray()"), eye)) > 0.5
    assert studio.session["q"] == before
    far = studio.tell("v.look.now.distance")
    studio.page.mouse.wheel(0, 300)
    studio.until("v.look.now.distance > 1.2 * a", far)
    studio.page.keyboard.press("f")
    studio.still()
    inside = (
        "Object.values(v.state().screen).every(([x, y]) => x > 0 && x < 1100 && y > 0 && y < 700)"
    )
    assert studio.tell(inside), "F brings all of the figure into sight"


def test_two_tabs_show_the_same_posture(studio: Studio, chromium: object) -> None:
    other = Studio(chromium, studio.address)
    other.open()
    start = studio.grab("left_hand")
    studio.pull(start, (70, -100))
    during = studio.site("left_hand")
    other.until(
        "Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) < 0.01", during.tolist()
    )
    studio.let_go()
    other.still()
    np.testing.assert_allclose(other.site("left_hand"), studio.site("left_hand"), atol=1e-6)
    other.close()
    assert other.errors == []


def test_what_was_done_is_still_there_when_the_page_is_loaded_again(studio: Studio) -> None:
    start = studio.grab("right_hand")
    studio.pull(start, (-60, -110))
    studio.let_go()
    before = studio.site("right_hand")
    studio.page.reload()
    studio.ready()
    studio.still()
    np.testing.assert_allclose(studio.site("right_hand"), before, atol=1e-6)


def test_a_lost_connection_is_told_and_found_again(studio: Studio) -> None:
    # Words that pass are noted as they come: whoever looks for them later may be too late.
    studio.tell(
        "(v.told = '', new MutationObserver(() => { v.told += v.notices.list.textContent; })"
        ".observe(v.notices.list, {childList: true}), v.connection.socket.close())"
    )
    studio.until("v.told.includes('Connection lost')")
    studio.until("v.told.includes('Connected again')")
    studio.ready()
    start = studio.grab("left_hand")
    studio.pull(start, (20, -40))
    studio.let_go()
    assert studio.session["undoes"] == "drag left_hand"


def test_every_drag_event_is_sent_at_most_once_a_frame_and_numbered(studio: Studio) -> None:
    studio.tell(
        "(v.sent = [], v.connection.send = (send => c => (v.sent.push(c), send(c)))"
        "(v.connection.send.bind(v.connection)), 0)"
    )
    start = studio.grab("left_hand")
    for k in range(60):
        studio.page.mouse.move(start[0] + k, start[1] - k)
    studio.until("v.pointer.drag && !v.waiting && v.handled === v.sequence")
    studio.let_go()
    sent = studio.tell("v.sent")
    moves = [each["sequence"] for each in sent if each["do"] == "move"]
    assert sent[0]["do"] == "grab"
    assert moves == list(range(1, len(moves) + 1))
    assert len(moves) <= studio.tell("v.counts.drawn") + 1


def test_a_pinned_foot_goes_along_with_its_pin_and_the_page_says_so(studio: Studio) -> None:
    before = studio.site("left_foot")
    start = studio.grab("left_foot")
    studio.pull(start, (60, -30))
    studio.until("v.notices.line.textContent.includes('moves with “pin left_foot”')")
    studio.let_go()
    assert np.linalg.norm(studio.site("left_foot") - before) > 0.05
    assert studio.session["undoes"] == "move pin left_foot"
    (pin,) = [each for each in studio.tell("v.state().pins") if each["site"] == "left_foot"]
    assert np.allclose(pin["position"], studio.site("left_foot"), atol=2e-3)
    studio.apply(do="undo")
    studio.still()
    assert np.allclose(studio.site("left_foot"), before, atol=1e-6)
