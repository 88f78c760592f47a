"""Undo and redo, to the last bit."""

import numpy as np
import pytest
from tests.studio.pages import Page

from poise.errors import PoiseError
from poise.studio.document import Document
from poise.studio.history import STEPS, History, Snapshot


def test_steps_are_undone_and_done_again_in_order() -> None:
    history, document = History(), Document.new()
    states = []
    for i in range(5):
        before = Snapshot.of(document)
        document.scene.q = document.scene.q + 0.001 * (i + 1)
        history.record(f"step {i}", before)
        states.append(document.scene.q)
    for i in reversed(range(5)):
        assert history.undoes == f"step {i}"
        _, document = history.undo(Snapshot.of(document))
        assert np.array_equal(document.scene.q, states[i - 1]) or i == 0
    assert not history.can_undo
    for i in range(5):
        assert history.redoes == f"step {i}"
        _, document = history.redo(Snapshot.of(document))
        assert np.array_equal(document.scene.q, states[i])


def test_a_new_step_forgets_what_was_undone() -> None:
    history, document = History(), Document.new()
    history.record("one", Snapshot.of(document))
    history.undo(Snapshot.of(document))
    assert history.can_redo
    history.record("two", Snapshot.of(document))
    assert not history.can_redo
    with pytest.raises(PoiseError, match="nothing to do again"):
        history.redo(Snapshot.of(document))


def test_only_so_many_steps_are_kept() -> None:
    history, snapshot = History(), Snapshot.of(Document.new())
    for i in range(STEPS + 10):
        history.record(str(i), snapshot)
    count = 0
    while history.can_undo:
        history.undo(snapshot)
        count += 1
    assert count == STEPS


def test_a_snapshot_stays_as_it_is() -> None:
    document = Document.new()
    snapshot, q = Snapshot.of(document), document.scene.q
    first = snapshot.restored()
    first.scene.q = q + 0.01
    first.scene.handles["balance"].remove()
    first.poses["bow"] = {}
    again = snapshot.restored()
    assert np.array_equal(again.scene.q, q)
    assert "balance" in again.scene.handles
    assert not again.poses


def test_everything_is_undone_one_step_an_edit(page: Page) -> None:
    session = page.session
    begun, q = session.scene_text(), session.scene.q
    page.do("add_prop", kind="box", size=[0.2, 0.2, 0.2], position=[0.5, 0, 1])
    page.do("hold_prop", prop="box", site="right_hand")
    page.do("add_support", site="left_foot")
    page.do("add_load", site="left_hand", force=[0, 0, -20])
    page.do("add_task", type="aim", parameters={"site": "eyes"})
    page.do("add_criterion", type="rest")
    page.do("order_task", name="eyes", before="balance", priority=1)
    page.do("lock", joint="neck", on=True)
    page.do("keep_pose", name="one")
    page.do("set_options", tolerance=1e-3)
    page.do("edit_figure", operation="length", segment="left_forearm", length=0.3)
    page.do("root_at", name="left_foot")
    page.do("choose_figure", recipe="human", parameters={"stature": 1.6})
    page.do("new")
    count = 0
    while session.history.can_undo:
        page.do("undo")
        count += 1
    assert count == 14
    assert session.scene_text() == begun
    assert np.array_equal(session.scene.q, q)
    while session.history.can_redo:
        page.do("redo")
    assert session.scene_text() == begun  # the last step was a new scene
    assert list(session.document.poses) == ["one"]
