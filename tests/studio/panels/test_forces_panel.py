"""The forces panel: supports, loads, strength, and the table of torques."""

import pytest
from nicegui import ElementFilter, ui
from tests.studio.panels.hands import TAB, Hands, at_the_page

import poise
from poise.scene import Scene
from poise.studio.document import Document


def standing() -> Scene:
    scene = poise.Scene(poise.human())
    for side in ("left", "right"):
        scene.forces.support(f"{side}_foot", ratio=0.5)
    return scene


def ratios(hands: Hands) -> dict[str, float]:
    return {site: each.ratio for site, each in hands.scene.forces.supports.items()}


def test_where_everything_bears_the_figure_already_the_list_says_so() -> None:
    async def deed(hands: Hands) -> None:
        outlined = [name for name, each in hands.desk.context.figure.sites.items() if each.outline]
        for site in outlined:
            await hands.choose("site-support", site)
        assert not hands.has("site-support")
        with hands.user:
            texts = [each.text for each in ElementFilter(kind=ui.label)]
        assert any("bears it already" in each for each in texts)

    at_the_page(deed, poise.Scene(poise.human()))


def test_sites_go_by_the_names_that_tasks_have_for_them() -> None:
    async def deed(hands: Hands) -> None:
        for field in ("site-support", "site-load"):
            options = hands.element(field).options
            assert options["left_foot"] == "left_foot"
            assert list(options)[:2] == ["left_foot", "right_foot"], "what tasks are about is first"

    at_the_page(deed, Document.new().scene)


def test_supports_are_added_shared_and_removed() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("site-support", "left_foot")
        assert ratios(hands) == {"left_foot": 1.0}
        await hands.choose("site-support", "right_foot")
        assert ratios(hands) == {"left_foot": 0.5, "right_foot": 0.5}
        await hands.put("ratio-left_foot", 0.7)
        assert ratios(hands) == pytest.approx({"left_foot": 0.7, "right_foot": 0.3})
        await hands.press("share-equally")
        assert ratios(hands) == {"left_foot": 0.5, "right_foot": 0.5}
        await hands.press("undo")
        assert ratios(hands) == pytest.approx({"left_foot": 0.7, "right_foot": 0.3})
        await hands.put("friction-left_foot", 0.3)
        assert hands.scene.forces.supports["left_foot"].friction == 0.3
        await hands.press("remove-right_foot")
        assert list(hands.scene.forces.supports) == ["left_foot"]

    at_the_page(deed, poise.Scene(poise.human()))


def test_a_force_is_added_and_changed_in_newtons() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("site-load", "right_hand")
        await hands.put("force-right_hand-x", -60.0)
        await hands.put("torque-right_hand-z", 4.0)
        load = hands.scene.forces.applied["right_hand"]
        assert load.force[0] == -60.0
        assert load.torque == (0.0, 0.0, 4.0)
        await hands.press("remove-right_hand")
        assert not hands.scene.forces.applied

    at_the_page(deed, standing())


def test_torques_are_listed_with_their_shares_and_follow_the_load() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("site-load", "right_hand")
        await hands.put("force-right_hand-z", -200.0)
        await hands.press("tab-Forces")
        torques = hands.session.statics.torques
        first = next(iter(torques))
        with hands.within("torques"):
            await hands.user.should_see(first.replace("_", " "))
            share = torques[first].share
            assert share is not None
            await hands.user.should_see(f"{100 * share:.0f} %")
        await hands.press("torque-0")
        assert hands.session.selection(TAB).name == first

    at_the_page(deed, standing())


def test_contact_forces_are_computed_on_demand() -> None:
    async def deed(hands: Hands) -> None:
        await hands.choose("contact-forces", True)
        assert hands.session.document.contact_forces
        weight = 9.81 * hands.scene.figures["human"].mass
        borne = sum(each.force[2] for each in hands.session.statics.reactions.values())
        assert borne == pytest.approx(weight, rel=1e-6)

    at_the_page(deed, standing())


def test_the_person_whose_strength_counts_is_said() -> None:
    async def deed(hands: Hands) -> None:
        before = hands.session.statics.torques["left_knee"].strength
        await hands.choose("person-sex", "female")
        await hands.put("person-age", 60.0)
        assert dict(hands.scene.forces.person) == {"sex": "female", "age": 60.0}
        assert hands.session.statics.torques["left_knee"].strength != before

    at_the_page(deed, standing())


def test_ratios_that_do_not_add_up_are_said() -> None:
    async def deed(hands: Hands) -> None:
        await hands.user.should_see("ratios add up to 1.2, not to 1")

    scene = standing()
    scene.forces.support("left_foot", ratio=0.7)
    at_the_page(deed, scene)
