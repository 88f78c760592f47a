"""Errors on the page: in its own words, and never what to write in Python."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.studio.pages import Page

import poise
from poise.errors import PoiseError
from poise.scene import Scene
from poise.studio.saying import said
from poise.studio.session import Session
from poise.tasks import Balance, Effort, Equilibrium

CODE = re.compile(r"\w\.\w+\(|\w+\((…|\)|['\"])|\b\w+=|`|\bposture\.|\bscene\.|\bpoise\.")
"""A call, an argument by its keyword, or a name with a dot: something to write."""


def unpinned(page: Page) -> None:
    for name in list(page.session.scene.handles):
        page.do("remove_task", name=name)


def grouped(page: Page) -> str:
    """A joint of the spine, which a group drives."""
    group = page.session.scene.figures["human"].groups["spine"]
    return next(iter(group.terms)).partition(".")[0]


WRONG: dict[str, tuple[Callable[[Page], Any], str]] = {
    "balance without a sole": (
        lambda page: page.do("add_task", type="balance"),
        r"nothing to stand on: pin a foot .*right click",
    ),
    "balance on what has no outline": (
        lambda page: page.do("add_task", type="balance", parameters={"supports": ["left_hand"]}),
        r"'left_hand' has no outline to stand on; with outlines: .*: pin a foot",
    ),
    "equilibrium without a support": (
        lambda page: page.do("add_task", type="equilibrium"),
        r"add what the figure stands on in the panel Forces",
    ),
    "effort without a support": (
        lambda page: page.do("add_criterion", type="effort"),
        r"nothing supports .*: add what the figure stands on in the panel Forces",
    ),
    "a prop named like a segment": (
        lambda page: page.do("add_prop", kind="box", size=[0.1, 0.1, 0.1], name="pelvis"),
        r"has a segment of that name: choose another name",
    ),
    "a joint that a group drives": (
        lambda page: page.do("lock", joint=grouped(page), on=True),
        r"is driven by the group 'spine'",
    ),
    "a coordinate that is an angle": (
        lambda page: page.do("set_coordinates", values={"left_hip.flexion": 0.1}),
        r"flexion is one of its clinical angles$",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_with_what_to_click(page: Page, what: str) -> None:
    unpinned(page)
    deed, words = WRONG[what]
    with pytest.raises(PoiseError) as caught:
        deed(page)
    text = said(caught.value)
    assert re.search(words, text), text
    assert not CODE.search(text), text
    assert CODE.search(str(caught.value)), "in Python it says what to write"


@pytest.mark.parametrize("wanted", [Balance(), Equilibrium(), Effort()])
def test_a_scene_that_makes_no_sense_is_told_to_a_new_tab_in_words_of_the_page(
    wanted: Any,
) -> None:
    scene = Scene(poise.human())
    scene.add(wanted, priority=None if isinstance(wanted, Effort) else 1)
    session = Session(scene)
    try:
        assert session.last_error
        assert not CODE.search(session.last_error), session.last_error
    finally:
        session.close()


def test_what_another_figure_cannot_stand_on_is_told_without_code(page: Page) -> None:
    page.do("choose_figure", recipe="chain", parameters={"n": 5})
    told = page.latest["notice"]["message"]
    assert "balance is off: Balance has nothing to stand on" in told
    assert not CODE.search(told), told


def test_what_nothing_supported_when_it_was_solved_has_the_remedy_of_the_page() -> None:
    solution = Scene(poise.human()).solve()
    with pytest.raises(PoiseError) as caught:
        solution.torques()
    assert said(caught.value) == (
        "when this was solved nothing supported 'human': "
        "add what the figure stands on in the panel Forces"
    )


def test_an_error_in_python_still_says_what_to_write() -> None:
    scene = Scene(poise.human())
    scene.add(Balance(), priority=1)
    with pytest.raises(PoiseError, match=r"with a Frame or Contact task, or name .* in supports="):
        scene.solve()
