"""Where the camera looks from, zooming with two fingers, and pictures, in a real browser."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from tests.studio.browser.driving import Studio

SIDES = {
    "4": ("front", (1, 0, 0)),
    "5": ("back", (-1, 0, 0)),
    "6": ("left", (0, 1, 0)),
    "7": ("right", (0, -1, 0)),
    "8": ("top", (0, 0, 1)),
}


def eye(studio: Studio) -> NDArray[np.float64]:
    """The direction from what is looked at to the eye, when the camera rests."""
    studio.still()
    way = studio.tell("v.camera.position.clone().sub(v.look.now.target).normalize().toArray()")
    return np.array(way)


def distance(studio: Studio) -> float:
    studio.still()
    return float(studio.tell("v.look.now.distance"))


@pytest.mark.parametrize("key", SIDES)
def test_keys_look_from_the_sides_and_from_the_top(studio: Studio, key: str) -> None:
    far = distance(studio)
    studio.page.locator("canvas").focus()
    studio.page.keyboard.press(key)
    assert np.allclose(eye(studio), SIDES[key][1], atol=0.02)
    assert distance(studio) == pytest.approx(far), "F shows all of it, not this"


def test_a_side_is_looked_from_in_perspective_and_by_the_short_way(studio: Studio) -> None:
    studio.page.locator("canvas").focus()
    studio.page.keyboard.press("5")
    studio.still()
    studio.tell("v.insets.swap(v.insets.order.indexOf('top'))")
    before = studio.tell("v.insets.views.free.now.azimuth")
    studio.page.keyboard.press("7")
    assert np.allclose(eye(studio), (0, -1, 0), atol=0.02)
    assert studio.tell("v.insets.mainName") == "free"
    assert abs(studio.tell("v.look.now.azimuth") - before) < 0.51 * np.pi


def test_the_view_menu_looks_from_a_side(tab: Studio) -> None:
    tab.page.add_init_script("localStorage.setItem('poise-hint-seen', '1')")
    tab.open("/?drawing=off")
    tab.page.click(".studio-menu:has-text('View')")
    tab.page.click(".q-menu .q-item:has-text('Look from')")
    tab.page.click(".q-menu .q-item:has-text('the left')")
    tab.until("Math.abs(v.insets.views.free.wanted.azimuth - Math.PI / 2) < 1e-6")
    assert np.allclose(eye(tab), (0, 1, 0), atol=0.02)


def test_a_pinch_on_a_trackpad_zooms(studio: Studio) -> None:
    before = distance(studio)
    studio.page.mouse.move(900, 200)
    studio.page.keyboard.down("Control")
    studio.page.mouse.wheel(0, -20)
    studio.page.keyboard.up("Control")
    studio.until("v.look.wanted.distance < a - 1e-6", before)
    assert distance(studio) == pytest.approx(before * np.exp(-0.2), rel=1e-6)
    assert studio.page.evaluate("window.visualViewport.scale") == 1, "the page itself does not zoom"


def touch(session: Any, kind: str, *points: tuple[float, float]) -> None:
    """Fingers on the screen: all that are there."""
    places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


def test_two_fingers_zoom_and_shift_and_move_nobody(studio: Studio) -> None:
    before, q = distance(studio), studio.session["q"]
    target = np.array(studio.tell("v.look.now.target.toArray()"))
    x, y = studio.seen("left_hand")
    fingers = studio.page.context.new_cdp_session(studio.page)
    touch(fingers, "touchStart", (x, y))
    touch(fingers, "touchStart", (x, y), (x + 100, y))
    touch(fingers, "touchMove", (x - 25, y), (x + 125, y))
    touch(fingers, "touchMove", (x - 50, y + 40), (x + 150, y + 40))
    studio.until("v.look.wanted.distance < a - 1e-6", before)
    touch(fingers, "touchEnd")
    studio.until("!v.pointer.pinch.isOn")
    assert distance(studio) == pytest.approx(before / 2, rel=1e-3)
    moved = np.array(studio.tell("v.look.now.target.toArray()")) - target
    assert moved[2] > 0.01, "what is seen goes down with the fingers"
    assert not studio.session["dragging"]
    assert studio.session["q"] == q
    # One finger drags again afterwards.
    x, y = studio.seen("left_hand")
    touch(fingers, "touchStart", (x, y))
    for step in range(1, 9):
        touch(fingers, "touchMove", (x + 5 * step, y - 5 * step))
    studio.until("v.pointer.drag")
    touch(fingers, "touchEnd")
    studio.until("!v.pointer.drag")
    studio.still()
    assert studio.session["undoes"] == "drag left_hand"


# pictures -----------------------------------------------------------------------------------------


def saved(tab: Studio, *, clear: bool, overlays: bool) -> NDArray[np.uint8]:
    """The picture (height, width, 4) that the dialog gives for some choices."""
    page = tab.page
    page.click(".studio-menu:has-text('File')")
    page.click(".q-menu .q-item:has-text('Export')")
    page.click(".q-menu .q-item:has-text('PNG')")
    page.wait_for_selector(".q-dialog .card:has-text('A picture of the view')")
    for words, wanted in (("floor and sky", not clear), ("goals, forces, labels", overlays)):
        switch = page.locator(f".q-dialog [role=switch][aria-label='{words}']")
        if (switch.get_attribute("aria-checked") == "true") != wanted:
            switch.click()
            state = str(wanted).lower()
            page.wait_for_selector(f".q-dialog [aria-label='{words}'][aria-checked={state}]")
    page.wait_for_function("!document.querySelector('.q-menu')")
    with page.expect_download() as caught:
        page.click(".q-dialog button:has-text('Save')")
    page.wait_for_function("!document.querySelector('.q-dialog .card')")
    assert caught.value.suggested_filename == "poise.png"
    return np.array(Image.open(io.BytesIO(Path(caught.value.path()).read_bytes())).convert("RGBA"))


def test_a_picture_has_a_transparent_ground_and_no_overlays_by_choice(tab: Studio) -> None:
    tab.page.set_viewport_size({"width": 900, "height": 600})
    tab.page.add_init_script("localStorage.setItem('poise-hint-seen', '1')")
    target = {"site": "left_hand", "target": [0.2, 1.4, 1.5]}
    tab.apply(do="add_task", type="position", parameters=target, name="far")
    tab.apply(do="settings", quality="low", insets=False)
    tab.open("/")
    tab.tell("v.choose({ kind: 'joint', name: 'left_knee' })")
    tab.still()
    width, height = tab.tell("[v.width, v.height]")
    plain = saved(tab, clear=False, overlays=True)
    assert plain.shape == (2 * height, 2 * width, 4)
    assert plain[..., 3].min() == 255
    clean = saved(tab, clear=True, overlays=False)
    assert clean[0, 0, 3] == clean[-1, 0, 3] == 0, "sky and floor are transparent"
    body = clean[..., 3] == 255
    assert 0.02 < body.mean() < 0.5, "the body is not"
    # The goal, the line to it and the label stand beside the body: all gone.
    goal = "v.onScreen(v.look.now.target.clone().set(0.2, 1.4, 1.5))"
    x, y = (round(2 * each) for each in tab.tell(goal))
    assert clean[y, x, 3] == 0
    with_goal = saved(tab, clear=True, overlays=True)
    assert with_goal[y, x, 3] > 0
    assert (with_goal[..., 3] > 0).sum() > (clean[..., 3] > 0).sum()
    # What is on the screen is as before.
    assert tab.tell("v.overlays.top.visible && v.scenery.floor.visible && v.scenery.grid.visible")
    again = saved(tab, clear=False, overlays=True)
    assert np.abs(again.astype(int) - plain.astype(int)).max() <= 2
