"""What happens while the document is being solved, and where that goes wrong."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.studio.pages import Page

from poise.errors import PoiseError
from poise.scene.solving import Prepared
from poise.studio import changing as module
from poise.studio.commands import Grab
from poise.studio.session import Session

TARGET = [0.35, 0.35, 1.2]
REACH = {"site": "left_hand", "target": TARGET}
LONG = 600.0


class Gate:
    """Solves as usual, but only once it is opened."""

    def __init__(self) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        self.error: Exception | None = None
        self._settled = module.settled

    def __call__(self, *arguments: Any, **rest: Any) -> Any:
        self.reached.set()
        assert self.opened.wait(LONG)
        if self.error is not None:
            raise self.error
        return self._settled(*arguments, **rest)


@pytest.fixture
def gate(page: Page, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate()
    monkeypatch.setattr(module, "settled", made)
    yield made
    made.opened.set()


def add_goal(page: Page, gate: Gate) -> None:
    """A task that moves the figure, whose posture is being found when this returns."""
    page.session.apply(
        {"do": "add_task", "type": "position", "parameters": REACH, "name": "reach"}, page.name
    )
    assert gate.reached.wait(LONG)


def test_a_step_that_moves_nothing_does_not_lose_the_posture_of_the_one_before(
    page: Page, gate: Gate
) -> None:
    session = page.session
    add_goal(page, gate)
    session.apply({"do": "keep_pose", "name": "as it was"}, page.name)
    gate.opened.set()
    assert session.wait()
    np.testing.assert_allclose(session.scene.places["left_hand"].position, TARGET, atol=1e-3)


def test_what_is_undone_before_it_is_solved_stays_undone(page: Page, gate: Gate) -> None:
    session, q = page.session, page.session.scene.q
    add_goal(page, gate)
    session.apply({"do": "pin", "site": "right_hand"}, page.name)  # waits for its turn
    session.apply({"do": "undo"}, page.name)
    session.apply({"do": "undo"}, page.name)
    gate.opened.set()
    assert session.wait()
    assert np.array_equal(session.scene.q, q), "to the last bit"
    assert "reach" not in session.scene.handles


def test_the_last_goal_of_a_drag_counts_though_the_document_is_being_solved(
    page: Page, gate: Gate
) -> None:
    session = page.session
    add_goal(page, gate)
    at = session.scene.places.segment("right_hand").position
    session.apply({"do": "grab", "segment": "right_hand", "point": [0, 0, 0]}, page.name)
    goal = (at + [0.02, 0.0, 0.02]).tolist()
    session.apply({"do": "move", "point": goal, "sequence": 1}, page.name)
    session.apply({"do": "release"}, page.name)
    assert session.history.undoes == "drag right_hand"
    moved = session.scene.places.segment("right_hand").position
    assert np.linalg.norm(moved - goal) < 0.9 * np.linalg.norm(at - goal)
    gate.opened.set()
    assert session.wait()
    assert session.lamp.color == "green", "and the document is solved after all"


@pytest.mark.parametrize("error", [PoiseError("it cannot be done"), ValueError("a bug")])
def test_a_solve_that_fails_is_told_and_the_step_stays_and_can_be_undone(
    page: Page, gate: Gate, error: Exception
) -> None:
    session, q = page.session, page.session.scene.q
    gate.error = error
    gate.opened.set()
    add_goal(page, gate)
    assert session.wait()
    assert session.last_error
    assert np.array_equal(session.scene.q, q)
    reach = {each.name: each for each in session.reports}["reach"]
    assert reach.state == "failed", "how the tasks stand is told all the same"
    page.do("undo")
    assert "reach" not in session.scene.handles


def test_nobody_waits_or_finds_joints_locked_while_a_typed_angle_is_solved(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = page.session
    solved = Prepared.solve
    looked: list[Any] = []

    def look() -> None:
        free = session.lock.acquire(blocking=False)
        looked.append((free, session.document.given("human").locked_names))
        if free:
            session.lock.release()

    def watched(*arguments: Any, **rest: Any) -> Any:
        watcher = threading.Thread(target=look)
        watcher.start()
        watcher.join()
        return solved(*arguments, **rest)

    monkeypatch.setattr(Prepared, "solve", watched)
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.7})
    assert session.crashes == 0
    assert looked == [(True, ())]
    assert session.scene.posture.angles("left_knee")["flexion"] == pytest.approx(0.7, abs=1e-9)


@pytest.mark.parametrize("end", ["release", "cancel"])
def test_a_click_while_the_document_is_solved_does_not_lose_its_posture(
    page: Page, gate: Gate, end: str
) -> None:
    session = page.session
    add_goal(page, gate)
    session.apply({"do": "grab", "segment": "head", "point": [0, 0, 0]}, page.name)
    gate.opened.set()
    assert session.wait()  # its posture was found for nothing: somebody has hold of the figure
    session.apply({"do": end}, page.name)
    assert session.wait()
    np.testing.assert_allclose(session.scene.places["left_hand"].position, TARGET, atol=1e-3)


def test_what_was_undone_before_it_was_solved_is_solved_when_it_is_done_again(
    page: Page, gate: Gate
) -> None:
    session = page.session
    add_goal(page, gate)
    session.apply({"do": "undo"}, page.name)
    gate.opened.set()
    session.apply({"do": "redo"}, page.name)
    assert session.wait()
    np.testing.assert_allclose(session.scene.places["left_hand"].position, TARGET, atol=1e-3)


def begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Gate]:
    """A session with a change that is kept, and whose solve waits at the gate."""
    session, gate = Session(keep=folder), Gate()
    monkeypatch.setattr(module, "settled", gate)
    add_goal(Page(session), gate)
    keeper: Any = session._keeper
    assert keeper.wait(LONG)
    return session, gate


def test_what_was_being_solved_when_the_server_was_killed_is_solved_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, gate = begun(tmp_path, monkeypatch)
    left = tmp_path / "left"
    shutil.copytree(tmp_path, left)  # as a power cut leaves it
    gate.opened.set()
    first.close()
    again = Session(keep=left)
    assert again.wait()
    np.testing.assert_allclose(again.scene.places["left_hand"].position, TARGET, atol=1e-3)
    again.close()


def test_a_grab_that_goes_wrong_in_an_unforeseen_way_is_an_error_like_any_other(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr(Grab, "drag", broken)
    with pytest.raises(PoiseError, match="KeyError"):
        page.do("grab", segment="head", point=[0, 0, 0])
    assert not page.session.dragging


def test_a_change_is_kept_though_its_solve_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, gate = begun(tmp_path, monkeypatch)
    text = (tmp_path / "studio.json").read_text()
    gate.opened.set()
    first.close()
    assert "reach" in text
