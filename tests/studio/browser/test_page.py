"""The whole page in a real browser: panels, menus and keys around the view."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.studio.browser.driving import HIGH, PATIENCE, WIDE, Studio

import poise

SCENE = """
scene:
  figure: {ready: human, arguments: {stature: 1.6}}
  tasks:
    - frame: {site: left_foot}
    - frame: {site: right_foot}
"""


@pytest.fixture
def studio(tab: Studio) -> Studio:
    """The page as people see it, without drawing."""
    tab.open_whole()
    return tab


def wait_for(studio: Studio, is_so: Any) -> None:
    """Wait until the session's state is as a function of it says."""
    end = time.monotonic() + PATIENCE / 1000
    while not is_so(state := studio.session):
        assert time.monotonic() < end, f"it did not come about: {state}"
        studio.page.wait_for_timeout(50)


def two_goals(studio: Studio) -> None:
    """Two goals for one hand, of which only the first can be met."""
    for name, height in (("high", 1.5), ("low", 0.9)):
        studio.apply(
            do="add_task",
            type="position",
            parameters={"site": "right_hand", "target": [0.35, -0.25, height]},
            name=name,
        )
    studio.still()


def places(page: Any, *selectors: str) -> list[dict[str, float]]:
    """Where things are on the page, when they have come to stay there."""
    now: list[Any] = []
    for _ in range(100):
        for each in selectors:
            page.wait_for_selector(each)
        before, now = now, [page.locator(each).bounding_box() for each in selectors]
        if now == before and all(now):
            return now
        page.wait_for_timeout(100)
    raise AssertionError(f"they do not come to rest: {now}")


def test_a_task_dragged_to_another_priority_changes_the_posture(studio: Studio, page: Any) -> None:
    two_goals(studio)
    before = np.array(studio.session["q"])
    grip, goal = places(page, ".task:has-text('low') .grip", ".task:has-text('high')")
    x = grip["x"] + 8
    page.mouse.move(x, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(x, grip["y"] - 12, steps=4)
    page.mouse.move(x, goal["y"] + 6, steps=12)
    page.wait_for_function(
        "[...document.querySelectorAll('.task')].map(each => each.innerText.includes('low'))"
        ".indexOf(true) < document.querySelectorAll('.task').length - 1"
    )
    page.mouse.up()
    wait_for(studio, lambda state: state["undoes"] == "move low")
    wait_for(studio, lambda state: np.abs(np.array(state["q"]) - before).max() > 0.05)
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: np.array_equal(state["q"], before))


def test_the_scene_is_saved_and_opened_again(studio: Studio, page: Any, tmp_path: Path) -> None:
    two_goals(studio)
    posed = np.array(studio.session["q"])
    with page.expect_download() as caught:
        page.keyboard.press("Control+s")
    file = tmp_path / "scene.yaml"
    caught.value.save_as(file)
    assert list(poise.Scene.load(file).handles)[-2:] == ["high", "low"]
    studio.apply(do="new")
    wait_for(studio, lambda state: "low" not in state["tasks"])
    page.keyboard.press("Control+o")
    page.set_input_files(".q-dialog input[type=file]", file)
    wait_for(studio, lambda state: "low" in state["tasks"])
    wait_for(studio, lambda state: np.abs(np.array(state["q"]) - posed).max() < 1e-3)


def test_an_exported_figure_is_uploaded_again(studio: Studio, page: Any, tmp_path: Path) -> None:
    page.click(".studio-menu:has-text('File')")
    page.click(".q-item:has-text('Export')")
    with page.expect_download() as caught:
        page.click(".q-item:has-text('GLB')")
    file = tmp_path / "human.glb"
    caught.value.save_as(file)
    for _ in range(2):  # the second time nothing must be left of the first
        page.click(".studio-menu:has-text('Figure')")
        page.click(".q-item:has-text('From a file')")
        page.set_input_files(".q-dialog input[type=file]", file)
        wait_for(studio, lambda state: state["undoes"].startswith("figure "))
        assert len(studio.session["q"]) > 30
        page.wait_for_selector(".q-dialog", state="detached")
        studio.apply(do="new")
        wait_for(studio, lambda state: state["undoes"] == "new")


def test_a_reload_shows_the_same_tasks(studio: Studio, page: Any) -> None:
    two_goals(studio)
    page.wait_for_selector(".task:has-text('low')")
    studio.page.reload()
    studio.ready()
    page.wait_for_selector(".task:has-text('low')")


def test_a_joint_that_is_clicked_is_shown_in_numbers(studio: Studio, page: Any) -> None:
    x, y = studio.seen("right_elbow")
    page.mouse.click(x, y - 30)
    page.wait_for_selector(".q-tab--active:has-text('Selected')")
    page.wait_for_selector("text=freedom")


def test_a_site_is_picked_in_the_view_for_a_new_task(studio: Studio, page: Any) -> None:
    page.keyboard.press("a")
    page.click("[aria-label='click a site in the view'] >> visible=true >> nth=0")
    page.wait_for_selector(".picking")
    assert page.locator(".poise-notice").count() == 0, "it is said once"
    # The dialog fades away, and takes clicks until it is gone.
    page.wait_for_selector(".q-dialog__backdrop", state="hidden")
    page.mouse.click(*studio.seen("left_elbow"))
    page.wait_for_selector(".picking", state="detached")
    page.wait_for_selector("text=Add a task")
    page.click("button:has-text('Add') >> visible=true >> nth=-1")
    wait_for(studio, lambda state: "left_elbow" in state["tasks"])


def test_picking_is_given_up_with_a_click(studio: Studio, page: Any) -> None:
    page.keyboard.press("a")
    page.click("[aria-label='click a site in the view'] >> visible=true >> nth=0")
    page.click(".picking button")
    page.wait_for_selector(".picking", state="detached")
    page.wait_for_selector("text=Add a task")
    studio.until("v.choosing.picking === null")


@pytest.mark.parametrize(
    ("menu", "entry"), [("Figure", "Edit the figure"), ("Posture", "Pose library")]
)
def test_keys_work_beside_what_stands_beside_the_view(
    studio: Studio, page: Any, menu: str, entry: str
) -> None:
    studio.apply(do="rest")
    page.click(f".studio-menu:has-text('{menu}')")
    page.click(f".q-item:has-text('{entry}')")
    page.wait_for_selector(".q-dialog--seamless .card")
    page.wait_for_selector(".q-menu", state="hidden")
    page.locator("canvas").focus()
    page.keyboard.press("2")
    studio.until("v.settings.mode === 'limb'")
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: state["undoes"] != "rest")


def test_a_number_that_was_entered_is_taken_back_with_ctrl_z(studio: Studio, page: Any) -> None:
    before = studio.session["undoes"]
    page.click(".task-row:has-text('balance')")
    field = page.get_by_label("margin", exact=True)
    field.fill("0.03")
    field.press("Enter")
    wait_for(studio, lambda state: state["undoes"] == "change balance")
    page.wait_for_function("document.activeElement.tagName !== 'INPUT'")
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: state["undoes"] == before)


def test_what_was_chosen_from_a_list_is_taken_back_with_ctrl_z(studio: Studio, page: Any) -> None:
    studio.apply(
        do="add_prop", kind="box", size=[0.2, 0.2, 0.2], mass=1.0, position=[0.4, -0.7, 0.1],
        name="crate",
    )  # fmt: skip
    studio.apply(do="select", kind="prop", name="crate")
    page.get_by_label("held by", exact=True).click()
    page.click(".q-item:has-text('left_palm') >> visible=true")
    wait_for(studio, lambda state: state["undoes"] == "hold crate")
    page.wait_for_selector(".q-menu", state="hidden")
    assert page.evaluate("document.activeElement.tagName") == "INPUT"
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: state["undoes"] == "add a box")


def test_ctrl_z_in_a_field_takes_back_what_was_typed_and_nothing_else(
    studio: Studio, page: Any
) -> None:
    studio.apply(do="rest")
    page.click(".task-row:has-text('balance')")
    field = page.get_by_label("margin", exact=True)
    field.click()
    page.keyboard.type("7")
    page.keyboard.press("Control+z")
    page.wait_for_function("!document.activeElement.value.includes('7')")
    assert studio.session["undoes"] == "rest"
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: state["undoes"] != "rest")


def test_a_task_is_moved_by_arrows_again_and_again(studio: Studio, page: Any) -> None:
    page.wait_for_selector(".task:has-text('balance')")
    page.focus(".task:has-text('balance') .grip")
    for wanted in (
        "priority 1, pin left_foot, pin right_foot, balance",
        "priority 1, pin left_foot, balance, pin right_foot",
        "priority 1, balance, pin left_foot, pin right_foot",
    ):
        page.keyboard.press("ArrowUp")
        page.wait_for_function(
            """wanted => [...document.querySelectorAll(".priority:not(.new) .rank, .task .name")]
              .map(each => each.textContent).join(", ") === wanted
              && document.activeElement.matches(".grip")""",
            arg=wanted,
        )


def test_another_scene_is_brought_into_sight(studio: Studio) -> None:
    away = "v.look.wanted.target.set(0.4, 0.4, 3.2), v.invalidate(), 0"
    for command in ({"do": "new"}, {"do": "open", "text": SCENE}):
        studio.tell(away)
        studio.still()
        assert not studio.tell("v.insets.shows(v.stage.box())")
        studio.apply(**command)
        studio.until("v.presented === v.who")
        studio.still()
        assert studio.tell("v.insets.shows(v.stage.box())")


def test_the_camera_stays_where_an_edited_figure_is_seen(studio: Studio) -> None:
    studio.tell("(v.look.turn(150, 20, 700), v.look.zoom(-0.3), v.invalidate(), 0)")
    studio.still()
    where = "v.camera.position.toArray()"
    before = studio.tell(where)
    assert studio.tell("v.insets.shows(v.stage.box())")
    studio.apply(
        do="edit_figure", operation="add", parent="left_forearm", name="tool",
        kind="hinge", length=0.2,
    )  # fmt: skip
    studio.until("v.stage.nodes.some(each => each.name === 'tool') && v.presented === v.who")
    studio.still()
    assert studio.tell(where) == before


def test_no_words_lie_over_others_or_over_the_tools_in_a_drag(studio: Studio, page: Any) -> None:
    start = studio.grab("right_hand")
    studio.pull(start, (-60, -60))
    studio.until("v.notices.line.textContent && !v.dirty")
    overlaps = page.evaluate(
        """() => {
          const boxes = (what) => [...document.querySelectorAll(what)]
            .map(each => each.getBoundingClientRect()).filter(each => each.width > 0);
          const fixed = [...boxes(".poise-line"), ...boxes(".studio-toolbar")];
          return boxes(".poise-label").filter(a => fixed.some(b =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
        }"""
    )
    studio.let_go()
    assert overlaps == 0


def test_what_another_figure_cannot_keep_is_told_in_few_words(studio: Studio, page: Any) -> None:
    studio.apply(do="choose_figure", recipe="quadruped")
    notice = page.locator(".poise-notice", has_text="pin left_foot")
    notice.wait_for()
    assert "error" not in notice.get_attribute("class")
    assert len(notice.inner_text()) < 200
    assert notice.bounding_box()["height"] < HIGH / 4


def test_a_bar_is_pulled_and_the_figure_follows_before_it_is_let_go(
    studio: Studio, page: Any
) -> None:
    studio.apply(do="select", kind="joint", name="left_elbow")
    (bar,) = places(page, "[aria-label='flexion of left_elbow, from stop to stop']")
    y, right = bar["y"] + bar["height"] / 2, bar["x"] + bar["width"]
    before = studio.session
    page.mouse.move(bar["x"] + 0.2 * bar["width"], y)
    page.mouse.down()
    page.mouse.move(bar["x"] + 0.5 * bar["width"], y, steps=6)
    wait_for(studio, lambda state: state["dragging"])
    hand = studio.site("left_hand").tolist()
    page.mouse.move(right - 20, y, steps=6)
    studio.until("Math.hypot(...v.state().sites.left_hand.map((x, k) => x - a[k])) > 0.05", hand)
    assert studio.session["q"] == before["q"], "it is not let go yet"
    page.mouse.up()
    wait_for(studio, lambda state: not state["dragging"])
    wait_for(studio, lambda state: state["undoes"] == "set left_elbow")
    page.locator("canvas").focus()
    page.keyboard.press("Control+z")
    wait_for(studio, lambda state: state["q"] == before["q"])


def test_a_quick_click_that_slips_selects_and_moves_nobody(studio: Studio, page: Any) -> None:
    before = studio.session["q"]
    x, y = studio.seen("left_hand")
    # Without a look at it first, and all at once, as a quick finger does.
    studio.tell(
        """(() => {
          const event = (type, x, y) => v.canvas.dispatchEvent(
            new PointerEvent(type, {clientX: x, clientY: y, bubbles: true, button: 0}));
          event("pointerdown", a[0], a[1]);
          event("pointermove", a[0] + 5, a[1] + 3);
          event("pointerup", a[0] + 5, a[1] + 3);
        })()""",
        [x, y],
    )
    studio.until("v.selection.name === 'left_hand'")
    studio.still()
    assert studio.session["q"] == before
    page.wait_for_selector(".q-tab--active:has-text('Selected')")


def test_the_first_hint_stands_beside_the_figure(tab: Studio) -> None:
    tab.page.set_viewport_size({"width": WIDE, "height": HIGH})
    tab.open("/?drawing=off")
    tab.page.evaluate("localStorage.clear()")
    tab.page.reload()
    tab.ready()
    (hint,) = places(tab.page, ".hint")
    for name in ("head_top", "right_hand", "left_hand"):
        x, y = tab.seen(name)
        beyond = x > hint["x"] + hint["width"] or y > hint["y"] + hint["height"]
        assert beyond, f"{name} is behind the hint"
    tab.page.click(".hint button")
    tab.page.wait_for_selector(".hint", state="detached")


def test_menus_do_not_scroll_at_1280_by_720(studio: Studio, page: Any) -> None:
    for title in ("File", "Insert", "Figure", "Posture", "View"):
        page.click(f".studio-menu:has-text('{title}')")
        places(page, ".q-menu")
        scrolls = page.evaluate(
            "[...document.querySelectorAll('.q-menu, .q-menu *')].filter(each =>"
            " each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0 &&"
            " ['auto', 'scroll'].includes(getComputedStyle(each).overflowY)).length"
        )
        assert scrolls == 0, title
        page.keyboard.press("Escape")
        page.wait_for_selector(".q-menu", state="detached")


def test_everything_that_can_be_opened_says_nothing_in_the_console(
    studio: Studio, page: Any
) -> None:
    two_goals(studio)
    for name in ("low", "high"):
        page.click(f".task-row:has-text('{name}')")
        page.wait_for_selector(".task-editor [aria-label='name']")
    for tab in ("Criteria", "Forces", "Selected", "Tasks"):
        page.click(f".q-tab:has-text('{tab}')")
        page.wait_for_selector(f".q-tab--active:has-text('{tab}')")
    page.keyboard.press("Escape")
    page.locator("canvas").focus()
    page.keyboard.press("a")
    page.wait_for_selector(".kinds .q-item")
    for kind in ("frame", "aim", "loop", "any"):
        page.fill("[aria-label='search']", kind)
        found, opened = f".kinds .q-item:has-text('{kind}') >> nth=0", ".card-body .text-subtitle1"
        page.click(found)
        page.wait_for_timeout(300)
        if not page.is_visible(f"{opened}:has-text('{kind}')"):
            page.click(found)  # the list was drawn anew under the first click
        page.wait_for_selector(f"{opened}:has-text('{kind}')")
    assert studio.errors == []


def test_a_lost_connection_is_told_once(studio: Studio, page: Any) -> None:
    studio.tell("v.notices.keep('connection', 'Connection lost', 'error')")
    page.wait_for_selector(".poise-notice.connection")
    page.evaluate("document.getElementById('popup').ariaHidden = false")
    page.wait_for_selector(".poise-notice.connection", state="hidden")
    page.wait_for_selector("#popup:has-text('Connection lost')")


def test_nothing_scrolls_or_is_cut_off_at_1280_by_720(studio: Studio, page: Any) -> None:
    two_goals(studio)
    page.wait_for_selector(".task:has-text('low')")
    wide, high = page.evaluate(
        "[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]"
    )
    assert wide <= WIDE
    assert high <= HIGH
    for tab in ("Criteria", "Forces", "Selected", "Tasks"):
        page.click(f".q-tab:has-text('{tab}')")
        page.wait_for_selector(f".q-tab--active:has-text('{tab}')")
        cut = page.evaluate(
            "[...document.querySelectorAll('.studio-panels .q-tab-panel')].filter("
            "each => each.scrollWidth > each.clientWidth + 1).length"
        )
        assert cut == 0, tab
    box = page.locator(".poise-view").bounding_box()
    assert box["height"] > 0.9 * (HIGH - 50)


def test_keys_work_and_leave_fields_alone(studio: Studio, page: Any) -> None:
    page.keyboard.press("?")
    page.wait_for_selector("text=Keys and gestures")
    page.keyboard.press("Escape")
    page.wait_for_selector("text=Keys and gestures", state="hidden")
    page.keyboard.press("a")
    page.wait_for_selector("text=Add a task")
    before = studio.session["undoes"]
    page.fill("[aria-label='name'] >> visible=true", "")
    page.type("[aria-label='name'] >> visible=true", "arm b")
    assert studio.session["undoes"] == before
    page.click("button:has-text('Add') >> visible=true >> nth=-1")
    wait_for(studio, lambda state: "arm b" in state["tasks"])
