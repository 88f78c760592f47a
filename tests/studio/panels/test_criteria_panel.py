"""The list of criteria."""

from tests.studio.panels.hands import Hands, at_the_page

import poise
from poise import tasks as t
from poise.scene import Scene


def drawn() -> Scene:
    scene = poise.Scene(poise.chain(4))
    scene.add(t.Rest(), weight=0.1)
    scene.add(t.MidRange(), name="middle")
    return scene


def test_a_weight_is_changed_by_number_and_by_slider() -> None:
    async def deed(hands: Hands) -> None:
        await hands.put("weight-rest", 0.4)
        assert hands.scene.handles["rest"].weight == 0.4
        await hands.put("weight-middle-slider", 1.0)
        assert hands.scene.handles["middle"].weight == 10.0
        await hands.press("undo")
        assert hands.scene.handles["middle"].weight == 1.0
        assert hands.element("weight-middle").value == 1.0

    at_the_page(deed, drawn())


def test_a_criterion_is_switched_off_and_removed() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("use-middle", False)
        assert not hands.scene.handles["middle"].enabled
        await hands.press("remove-rest")
        assert list(hands.scene.handles) == ["middle"]
        assert not hands.has("criterion-rest")

    at_the_page(deed, drawn())


def test_a_criterions_own_fields_are_edited() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-criterion")
        await hands.press("kind-comfort")
        await hands.press("add-confirm")
        with hands.within("criterion-comfort"):
            await hands.put("field-share", 0.4)
        wanted = hands.scene.handles["comfort"].wanted
        assert wanted.share == 0.4  # type: ignore[union-attr]

    at_the_page(deed, drawn())


def test_a_field_of_text_follows_undo() -> None:
    async def deed(hands: Hands) -> None:
        await hands.press("add-criterion")
        await hands.press("kind-comfort")
        await hands.press("add-confirm")
        with hands.within("criterion-comfort"):
            await hands.put("field-zones", "joint_2.angle: [10, 20]")
            assert "10" in hands.element("field-zones").value, hands.told()
        await hands.press("undo")
        with hands.within("criterion-comfort"):
            assert "10" not in hands.element("field-zones").value

    at_the_page(deed, drawn())
