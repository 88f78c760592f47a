"""The dialog that adds tasks and criteria: all kinds of the library, and picking in the view."""

from typing import Any

import pytest
from tests.studio.panels.hands import TAB, Hands, at_the_page

import poise
from poise import tasks as t
from poise.scene import Scene
from poise.scene.files.kinds import classes
from poise.tasks.task import Criterion, Task, words


def person() -> Scene:
    return poise.Scene(poise.human())


@pytest.mark.parametrize("base", ["task", "criterion"])
def test_every_kind_of_the_library_has_a_form_that_adds_it(base: str) -> None:
    known = classes(Task if base == "task" else Criterion)

    async def deed(hands: Hands) -> None:
        for kind in known:
            await hands.press(f"add-{base}")
            await hands.press(f"kind-{kind}")
            await hands.put("new-name", f"new {kind}")
            await hands.press("add-confirm")
            assert f"new {kind}" in hands.scene.handles, hands.told()
            wanted = hands.scene.handles[f"new {kind}"].wanted
            assert words(type(wanted).__name__) == kind
            await hands.press("undo")

    at_the_page(deed, standing())


def standing() -> Scene:
    """One that stands on its feet: some tasks make no sense without a support."""
    scene = person()
    for side in ("left", "right"):
        scene.forces.support(f"{side}_foot", ratio=0.5)
        scene.add(t.Frame(f"{side}_foot"))
    return scene


def test_a_task_is_added_with_what_was_filled_in() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.press("kind-position")
        await hands.choose("field-site", "right_hand")
        await hands.choose("field-target-mode", "at")
        await hands.put("field-target-z", 1.25)
        await hands.press("field-axes-x")
        await hands.put("new-priority", 3)
        await hands.put("new-weight", 0.5)
        await hands.put("new-name", "reach")
        await hands.press("add-confirm")
        handle = hands.scene.handles["reach"]
        wanted: Any = handle.wanted
        assert (wanted.site, wanted.axes) == ("right_hand", "yz")
        assert wanted.target[2] == 1.25
        assert (handle.priority, handle.weight) == (3, 0.5)
        assert hands.scene.places["right_hand"].position[2] == pytest.approx(1.25, abs=1e-3)

    at_the_page(deed, person())


def test_a_target_begins_where_the_site_is() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.choose("field-site", "left_hand")
        await hands.choose("field-target-mode", "at")
        found = [hands.element(f"field-target-{axis}").value for axis in "xyz"]
        assert found == pytest.approx(hands.scene.places["left_hand"].position, abs=1e-3)

    at_the_page(deed, person())


def test_what_makes_no_sense_is_said_and_adds_nothing() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.press("kind-inertia")
        await hands.put("field-target", -3.0)
        await hands.press("add-confirm")
        assert not hands.scene.handles
        assert "inertia" in hands.told().lower()

    at_the_page(deed, person())


def test_a_site_is_picked_in_the_view_while_the_dialog_steps_aside() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.press("pick-site")
        dialog = hands.dialog("add-confirm")
        assert not dialog.value
        hands.pick({"site": "left_hand", "segment": "left_hand", "point": [0.0, 0.0, 0.0]})
        await hands.settle()
        assert dialog.value
        await hands.press("add-confirm")
        (handle,) = hands.scene.handles.values()
        assert handle.wanted.sites()[0] == "left_hand"  # type: ignore[union-attr]

    at_the_page(deed, person())


def test_a_point_on_the_surface_becomes_a_site_of_the_task() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.press("pick-site")
        hands.pick({"site": None, "segment": "left_forearm", "point": [0.0, 0.03, -0.1]})
        await hands.settle()
        await hands.press("add-confirm")
        (handle,) = hands.scene.handles.values()
        (site,) = handle.wanted.sites()  # type: ignore[union-attr]
        made = next(iter(hands.scene.given.values())).sites[site]
        assert made.segment == "left_forearm"
        assert made.position == (0.0, 0.03, -0.1)
        assert hands.session.selection(TAB).kind != "error"

    at_the_page(deed, person())


def test_the_list_of_kinds_is_searched() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.choose("kinds-search", "eyes")
        assert hands.has("kind-aim")
        assert not hands.has("kind-position")

    at_the_page(deed, person())


@pytest.mark.parametrize("typed", ["right_hand", "RIGHT_HA"])
def test_enter_chooses_the_name_that_was_typed(typed: str) -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-task")
        await hands.press("kind-position")
        hands.user.find(marker="field-site").trigger("inputValue", typed)
        await hands.key("field-site", "enter")
        await hands.put("new-name", "reach")
        await hands.press("add-confirm")
        wanted: Any = hands.scene.handles["reach"].wanted
        assert wanted.site == "right_hand"

    at_the_page(deed, person())
