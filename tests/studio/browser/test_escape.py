"""Escape closes whatever is open, one thing at a time."""

from typing import Any

import pytest
from tests.studio.browser.driving import Studio

MENUS = ("File", "Insert", "Figure", "Posture", "View")
DIALOGS = (
    ("File", "Open a scene"),
    ("File", "Copy as Python"),
    ("Insert", "Task"),
    ("Insert", "Criterion"),
    ("Insert", "Box"),
    ("Insert", "Sphere"),
    ("Insert", "Cylinder"),
    ("Figure", "Ready figures"),
    ("Figure", "Stature and sex"),
    ("Figure", "From a file"),
    ("Figure", "Root"),
    ("Figure", "Edit the figure"),
    ("Posture", "Pose library"),
    ("Posture", "How it is solved"),
)
OPEN = ".q-dialog .card, .q-dialog .q-card"


@pytest.fixture
def studio(tab: Studio) -> Studio:
    """The page as people see it, without drawing."""
    tab.open_whole()
    return tab


def gone(page: Any, selector: str) -> None:
    page.wait_for_function("s => !document.querySelector(s)", arg=selector)


@pytest.mark.parametrize("where", ["the menu", "the view"])
@pytest.mark.parametrize("menu", MENUS)
def test_escape_closes_every_menu(page: Any, menu: str, where: str) -> None:
    page.click(f".studio-menu:has-text('{menu}')")
    page.wait_for_selector(".q-menu .q-item")
    if where == "the view":
        page.locator("canvas").focus()
    page.keyboard.press("Escape")
    gone(page, ".q-menu")


@pytest.mark.parametrize("entry", ["Examples", "Export"])
def test_escape_closes_a_menu_beside_a_menu(page: Any, entry: str) -> None:
    page.click(".studio-menu:has-text('File')")
    page.click(f".q-menu .q-item:has-text('{entry}')")
    for left in (2, 1, 0):
        page.wait_for_function("n => document.querySelectorAll('.q-menu').length === n", arg=left)
        page.wait_for_function("document.getAnimations().length === 0")
        page.keyboard.press("Escape")


@pytest.mark.parametrize(("menu", "entry"), DIALOGS)
def test_escape_closes_every_dialog(studio: Studio, page: Any, menu: str, entry: str) -> None:
    studio.apply(do="select", kind="joint", name="left_knee")
    page.click(f".studio-menu:has-text('{menu}')")
    page.click(f".q-menu .q-item:has-text('{entry}')")
    page.wait_for_selector(OPEN)
    gone(page, ".q-menu")
    page.keyboard.press("Escape")
    gone(page, OPEN)
    studio.still()
    assert studio.tell("v.selection.name") == "left_knee", "one Escape closes one thing"


def test_escape_closes_what_stands_beside_the_view_after_the_choice_of_a_pin(
    studio: Studio, page: Any
) -> None:
    page.click(".studio-menu:has-text('Posture')")
    page.click(".q-menu .q-item:has-text('Pose library')")
    page.wait_for_selector(OPEN)
    gone(page, ".q-menu")
    page.mouse.click(*studio.seen("left_hand"), button="right")
    studio.until("v.pinning.isOpen")
    page.keyboard.press("Escape")
    studio.until("!v.pinning.isOpen")
    assert page.locator(OPEN).count()
    page.locator("canvas").focus()
    page.keyboard.press("Escape")
    gone(page, OPEN)


def test_escape_closes_the_help_and_the_choice_of_joints(studio: Studio, page: Any) -> None:
    page.locator("canvas").focus()
    page.keyboard.press("?")
    page.wait_for_selector(OPEN)
    page.keyboard.press("Escape")
    gone(page, OPEN)
    page.click(".task-row:has-text('balance')")
    page.click(".task-editor button:has-text('joints')")
    page.wait_for_selector(OPEN)
    page.keyboard.press("Escape")
    gone(page, OPEN)
    page.click(".q-tab:has-text('Forces')")
    page.click("button:has-text('Add support')")
    page.wait_for_selector(".q-menu")
    for _ in range(2):  # the list of names first, then what holds it
        page.keyboard.press("Escape")
    gone(page, ".q-menu")
