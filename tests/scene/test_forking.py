"""Processes that are forked while threads of the parent are at work."""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections.abc import Callable

import numpy as np
import pytest

import poise
from poise import Scene
from poise import tasks as t

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),  # with threads, since 3.12
]

PATIENCE = 120.0
"""After so many seconds a child hangs."""


def status_of_child(work: Callable[[], None]) -> int:
    """Fork, let the child work, and say with what status it ended; −9 if it had to be killed."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def reaching() -> Scene:
    scene = Scene(poise.human())
    scene.add(t.Frame("left_foot"))
    scene.add(t.Position("right_hand", (0.5, -0.2, 1.2)), priority=2, name="reach")
    return scene


@pytest.mark.parametrize("solving", ["one", "many"])
def test_a_child_solves_what_a_thread_of_its_parent_was_solving(solving: str) -> None:
    scene, other = reaching(), reaching()
    expected = scene.solve().q
    stop, begun = threading.Event(), threading.Event()
    goals = np.full((4, 3), (0.5, -0.2, 1.2))

    def solve() -> None:
        while not stop.is_set():
            with scene._turn:  # as `solve` takes it: a fork now leaves it taken in the child
                begun.set()
                scene.solve() if solving == "one" else scene.solve_many({"reach": goals})

    def work() -> None:
        for each in (scene, other):
            assert each.solve().q.tobytes() == expected.tobytes()
            many = each.solve_many({"reach": goals})
            assert many.q[-1].tobytes() == expected.tobytes()

    thread = threading.Thread(target=solve)
    thread.start()
    try:
        assert begun.wait(PATIENCE)
        for _ in range(4):
            assert status_of_child(work) == 0
    finally:
        stop.set()
        thread.join()
    assert scene.solve().q.tobytes() == expected.tobytes()


def test_a_fork_waits_for_what_a_thread_loads() -> None:
    from poise.kernel.library import loading as lock

    scene = reaching()
    scene.solve()
    taken = threading.Event()

    def load_something() -> None:
        with lock:
            taken.set()
            time.sleep(0.3)

    def work() -> None:
        with lock:  # as a kernel that is new to the child takes it
            scene.solve()

    thread = threading.Thread(target=load_something)
    thread.start()
    assert taken.wait(PATIENCE)
    try:
        assert status_of_child(work) == 0
    finally:
        thread.join()
    with lock:  # the parent's is free again
        assert scene.solve().met


def test_after_a_fork_a_thread_releases_only_the_locks_that_it_took_itself() -> None:
    from poise.kernel.library import loading as lock
    from poise.scene import forking

    taken, over = threading.Event(), threading.Event()

    def fork_slowly() -> None:
        forking._wait_for_loading()
        taken.set()
        over.wait(PATIENCE)
        forking._go_on()

    thread = threading.Thread(target=fork_slowly)
    thread.start()
    try:
        assert taken.wait(PATIENCE)
        forking._go_on()  # as after a fork of this thread, at the same time
        assert not lock.acquire(blocking=False)
    finally:
        over.set()
        thread.join()
    assert lock.acquire(timeout=PATIENCE)
    lock.release()
