"""The figure editor: another figure, all else as it was."""

import numpy as np
import pytest
from tests.studio.pages import Page

from poise.errors import PoiseError
from poise.figure import Ball, Hinge, Swing
from poise.models import chain, human
from poise.studio import figures


def test_a_longer_forearm_takes_the_hand_along_and_keeps_its_mass() -> None:
    old = human()
    now = figures.length_of(old, "left_forearm")
    new = figures.with_length(old, "left_forearm", now + 0.1)
    before, after = old.place(old.rest()), new.place(new.rest())
    elbow = [place.segment("left_forearm").position for place in (before, after)]
    hands = [place.segment("left_hand").position for place in (before, after)]
    assert np.allclose(elbow[0], elbow[1])
    assert np.linalg.norm(hands[1] - elbow[1]) == pytest.approx(
        np.linalg.norm(hands[0] - elbow[0]) + 0.1
    )
    assert new.mass == pytest.approx(old.mass)
    assert new.coordinates == old.coordinates
    assert np.allclose(before["right_hand"].position, after["right_hand"].position)


def test_a_length_is_exact_and_can_be_taken_back() -> None:
    old = human()
    now = figures.length_of(old, "right_thigh")
    new = figures.with_length(old, "right_thigh", 0.5)
    assert figures.length_of(new, "right_thigh") == pytest.approx(0.5)
    again = figures.with_length(new, "right_thigh", now)
    assert np.allclose(
        again.place(again.rest())["right_toe"].position,
        old.place(old.rest())["right_toe"].position,
    )


def test_a_joint_takes_another_kind_and_stays_where_it_was() -> None:
    old = human()
    old.postures["sitting"] = old.rest().q
    old.postures["sitting"][old.index("left_knee.flexion")] = 1.2
    new = figures.with_kind(old, "left_knee", "ball")
    assert isinstance(new.joints["left_knee"].kind, Ball)
    assert new.n == old.n + 2
    sitting = old.place(old.postures["sitting"])["left_foot"].position
    assert np.allclose(new.place(new.postures["sitting"])["left_foot"].position, sitting)
    back = figures.with_kind(new, "left_knee", "hinge", "y")
    assert isinstance(back.joints["left_knee"].kind, Hinge)


def test_limits_are_set_and_postures_brought_within_them() -> None:
    old = human()
    new = figures.with_limits(old, "left_knee", {"flexion": (0.5, 1.0)})
    assert new.lower[new.index("left_knee.flexion")] == 0.5
    assert new.rest()["left_knee"] == pytest.approx(0.5)
    free = figures.with_limits(new, "left_knee", {"flexion": (None, None)})
    assert free.upper[free.index("left_knee.flexion")] == np.inf


def test_swing_and_twist_of_a_ball_are_limited() -> None:
    old = figures.with_kind(human(), "left_knee", "ball")
    new = figures.with_limits(old, "left_knee", {"swing": (0.4, 0.6), "twist": (-0.1, 0.2)})
    assert new.within_limits(new.rest())
    posture = new.rest()
    posture.q[new.span("left_knee")] = [1.5, 0.0, 1.0]
    assert not new.within_limits(posture)
    none = figures.with_limits(new, "left_knee", {"swing": None, "twist": None})
    assert none.within_limits(posture)


def test_segments_are_added_and_removed_with_all_that_hangs_on_them() -> None:
    old = human()
    horned = figures.with_segment(old, "head", "horn", metres=0.3, kind="swing", towards=(1, 0, 1))
    more = figures.with_segment(horned, "horn", "tip", metres=0.1, kind="hinge")
    assert isinstance(more.joints["horn"].kind, Swing)
    assert more.n == old.n + 3
    assert figures.length_of(more, "horn") == pytest.approx(0.3)
    plain = figures.without_segment(more, "horn")
    assert plain.coordinates == old.coordinates
    assert list(plain.segments) == list(old.segments)
    armless = figures.without_segment(old, "left_forearm")
    assert "left_hand" not in armless.segments
    assert "left_hand" not in armless.sites


def test_a_segment_takes_another_name() -> None:
    new = figures.with_name(human(), "head", "skull")
    assert "skull" in new.segments
    assert new.sites["eyes"].segment == "skull"


def test_stiffness_locks_and_couplings_are_kept() -> None:
    old = human()
    old.lock("neck")
    old.stiffness["spine"] = 0.5
    new = figures.with_length(old, "left_forearm", 0.3)
    assert new.locked_names == ("neck",)
    assert np.array_equal(new.stiffness.values, old.stiffness.values)
    assert new.couplings == old.couplings


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (lambda f: figures.with_length(f, "tail", 0.3), "segment"),
        (lambda f: figures.with_length(f, "head", -1.0), "length"),
        (lambda f: figures.with_kind(f, "left_knee", "rubber"), "kind"),
        (lambda f: figures.with_kind(f, "left_knee", "free"), "only a root"),
        (lambda f: figures.with_kind(f, "t6_t7", "ball"), "group 'spine'"),
        (
            lambda f: figures.with_limits(f, "left_knee", {"wag": (0, 1)}),
            "joint 'left_knee': there is no limit of a hinge 'wag'",
        ),
        (lambda f: figures.with_limits(f, "left_knee", {"flexion": (1.0, 0.0)}), "limits"),
        (lambda f: figures.with_segment(f, "head", "neck"), "taken"),
        (lambda f: figures.with_segment(f, "head", "a b/c"), "name"),
        (lambda f: figures.without_segment(f, "pelvis"), "root"),
        (lambda f: figures.without_segment(f, "t6"), "drives"),
        (lambda f: figures.with_name(f, "head", "neck"), "already"),
    ],
)
def test_what_cannot_be_done_is_told(operation: object, told: str) -> None:
    with pytest.raises(PoiseError, match=told):
        operation(human())  # type: ignore[operator]


def test_a_figure_rooted_elsewhere_is_edited_alike() -> None:
    old = human()
    rooted, _ = old.rooted_at("left_foot", old.rest())
    armless = figures.without_segment(rooted, "right_forearm")
    assert "right_hand" not in armless.segments
    assert "head" in armless.segments
    with pytest.raises(PoiseError, match="root"):
        figures.without_segment(rooted, "left_foot")


def test_the_ready_chain_has_lengths() -> None:
    figure = chain(3, length=0.2)
    first = list(figure.segments)[1]
    assert figures.length_of(figure, first) == pytest.approx(0.2)


# in the document ----------------------------------------------------------------------------------


def test_tasks_that_still_fit_are_kept_and_others_are_told(page: Page) -> None:
    session = page.session
    page.do("pin", site="left_hand")
    page.do("edit_figure", operation="remove", segment="left_forearm")
    assert "pin left_hand" not in session.scene.handles
    assert "pin right_foot" in session.scene.handles
    assert "pin left_hand" in page.latest["notice"]["message"]
    assert session.last_error == "", "that is no error"
    page.do("undo")
    assert "pin left_hand" in session.scene.handles


def test_a_taller_person_stands_on_the_same_pins(page: Page) -> None:
    session = page.session
    feet = {name: session.scene.handles[name].target.position for name in ("pin left_foot",)}
    page.do("choose_figure", recipe="human", parameters={"stature": 1.95})
    assert session.lamp.color == "green"
    assert session.scene.places["head_top"].position[2] > 1.85
    for name, position in feet.items():
        assert np.array_equal(session.scene.handles[name].target.position, position)


@pytest.mark.parametrize("kind", ["ball", "elbow", "swing"])
def test_a_joint_of_another_kind_stays_where_it_is_in_the_posture(page: Page, kind: str) -> None:
    session = page.session
    for name in ("balance", "pin left_foot", "pin right_foot"):
        page.do("edit_task", name=name, enabled=False)
    page.do("set_angles", joint="left_knee", angles={"flexion": 1.2})
    before = session.scene.places["left_foot"].position
    page.do("edit_figure", operation="kind", joint="left_knee", kind=kind)
    assert np.allclose(session.scene.places["left_foot"].position, before, atol=1e-6)
    page.do("edit_figure", operation="kind", joint="left_knee", kind="hinge", axis="y")
    assert np.allclose(session.scene.places["left_foot"].position, before, atol=1e-6)


def test_another_root_leaves_every_placement(page: Page) -> None:
    session = page.session
    before = {s: session.scene.places[s].position for s in ("head_top", "right_hand")}
    page.do("edit_task", name="balance", enabled=False)
    page.do("root_at", name="left_foot")
    for name, position in before.items():
        assert np.allclose(session.scene.places[name].position, position, atol=1e-6)
    parents = {j["name"]: j for j in page.latest["stage"]["joints"]}
    names = [node["name"] for node in page.latest["stage"]["nodes"]]
    assert names[parents["left_hip"]["node"]] == "pelvis"
