"""The whole page in a real browser: keys, the list of tasks, files that come and go."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.studio.browser.driving import Studio


@pytest.fixture
def page(studio: Studio) -> Studio:
    """The page as people see it, but without drawing."""
    studio.page.add_init_script("localStorage.setItem('poise-hint-seen', '1')")
    studio.open("/?drawing=off")
    return studio


def choose(page: Studio, *path: str) -> None:
    """Open a menu of the header and press one of its entries."""
    page.page.get_by_role("button", name=path[0], exact=True).click()
    for name in path[1:]:
        page.page.locator(".q-menu .q-item").filter(has_text=name).last.click()


def downloaded(page: Studio, folder: Path, *path: str) -> Path:
    """What an entry of a menu gives to the person."""
    with page.page.expect_download() as wait:
        choose(page, *path)
    file = folder / wait.value.suggested_filename
    wait.value.save_as(file)
    return file


def uploaded(page: Studio, file: Path) -> None:
    page.page.locator(".q-dialog input[type=file]").set_input_files(str(file))


def drag_hand(page: Studio, by: tuple[float, float] = (50, -90)) -> None:
    start = page.grab("left_hand")
    page.pull(start, by)
    page.page.mouse.up()
    page.until("!v.pointer.drag")
    page.still()


def test_ctrl_z_takes_a_drag_back_and_ctrl_shift_z_does_it_again(page: Studio) -> None:
    before = page.session["q"]
    drag_hand(page)
    after = page.session["q"]
    assert after != before
    page.page.keyboard.press("Control+z")
    page.until("Math.abs(v.state().sites.left_hand[2] - a) < 0.03", float(rest_height(page)))
    page.still()
    assert page.session["q"] == before
    page.page.keyboard.press("Control+Shift+z")
    page.until("Math.abs(v.state().sites.left_hand[2] - a) > 0.05", float(rest_height(page)))
    assert page.session["q"] == after


def rest_height(page: Studio) -> float:
    """How high the hand of a new figure hangs (m)."""
    import poise

    human = poise.human()
    return float(human.place(human.rest())["left_hand"].position[2])


def test_a_task_that_is_dragged_above_another_wins(page: Studio) -> None:
    near, far = [0.45, 0.3, 1.0], [0.35, 0.45, 1.35]
    for name, target, priority in (("near", near, 3), ("far", far, 4)):
        page.apply(
            do="add_task",
            type="position",
            name=name,
            priority=priority,
            parameters={"site": "left_hand", "target": target},
        )
    page.until("Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) < 0.002", near)
    grip = page.page.get_by_label("move far: arrow up, arrow down").bounding_box()
    above = page.page.get_by_role("button", name="balance", exact=True).bounding_box()
    x = grip["x"] + grip["width"] / 2
    page.page.mouse.move(x, grip["y"] + grip["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(x, grip["y"] - 10, steps=5)
    page.page.mouse.move(x, above["y"] + 0.4 * above["height"], steps=20)
    page.page.mouse.up()
    page.until("Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) < 0.002", far)
    tasks = page.session["tasks"]
    assert tasks.index("far") < tasks.index("near")


def test_a_saved_scene_opens_as_it_was(page: Studio, tmp_path: Path) -> None:
    drag_hand(page)
    before, place = page.session["q"], page.site("left_hand")
    file = downloaded(page, tmp_path, "File", "Save the scene")
    assert "pin left_foot" in file.read_text(encoding="utf-8")
    page.apply(do="new")
    page.still()
    choose(page, "File", "Open a scene")
    uploaded(page, file)
    page.until(
        "Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) < 1e-4", place.tolist()
    )
    np.testing.assert_allclose(page.session["q"], before, atol=1e-9)


def test_an_exported_figure_comes_back(page: Studio, tmp_path: Path) -> None:
    names: Any = "v.stage.nodes.map(each => each.segment).sort()"
    before = page.tell(names)
    file = downloaded(page, tmp_path, "File", "Export", "GLB")
    assert file.read_bytes()[:4] == b"glTF"
    page.apply(do="choose_figure", recipe="chain", parameters={})
    page.until("!v.stage.nodes.some(each => each.segment === 'head')")
    choose(page, "Figure", "From a file")
    uploaded(page, file)
    page.until("v.stage.nodes.some(each => each.segment === 'head')")
    assert page.tell(names) == before


def test_the_page_fits_a_small_screen_without_scroll_bars(page: Studio) -> None:
    page.page.set_viewport_size({"width": 1280, "height": 720})
    page.still()
    size = page.page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert size == [1280, 720]
    box = page.page.locator(".poise-view").bounding_box()
    assert box["width"] >= 800
    assert box["height"] >= 600
