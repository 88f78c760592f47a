"""The solving thread: the latest goal wins, errors do not end it."""

import threading
from typing import Any

from poise.errors import PoiseError
from poise.studio.dragging import Motion
from poise.studio.engine import Engine, Latency


class Slow:
    """A drag that takes as long as it is told."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.begun, self.go = threading.Event(), threading.Event()

    def recruit(self, count: int | None) -> None:
        pass

    def aim(self, motion: Motion) -> None:
        self.seen.append(motion.sequence)

    def step(self) -> bool:
        self.begun.set()
        self.go.wait(600)
        return True


def engine(**calls: Any) -> Engine:
    nothing: dict[str, Any] = {
        "settle": lambda: None,
        "show": lambda drag, settled: None,
        "rest": lambda: None,
        "fail": lambda message: None,
    }
    made = Engine(**{**nothing, **calls})
    made.start()
    return made


def test_goals_that_nobody_has_looked_at_are_forgotten() -> None:
    made, drag = engine(), Slow()
    made.begin(drag)  # type: ignore[arg-type]
    made.move(drag, Motion(sequence=1), None)  # type: ignore[arg-type]
    assert drag.begun.wait(600)
    for i in range(2, 100):
        made.move(drag, Motion(sequence=i), None)  # type: ignore[arg-type]
    made.move(Slow(), Motion(sequence=100), None)  # type: ignore[arg-type]  # another's
    drag.go.set()
    assert made.follow(600)
    assert drag.seen == [1, 99]
    made.stop()


def test_errors_are_told_and_the_thread_goes_on() -> None:
    told: list[str] = []
    tries = iter([PoiseError("no"), ValueError("bug"), None])

    def settle() -> None:
        error = next(tries)
        if error is not None:
            raise error

    made = engine(settle=settle, fail=told.append)
    for _ in range(3):
        made.solve()
        assert made.wait(600)
    made.stop()
    assert told[0] == "no"
    assert "something went wrong" in told[1]
    assert len(told) == 2
    assert made.crashes == 1


def test_latencies_are_counted() -> None:
    latency = Latency()
    assert latency.percentile(0.95) == 0.0
    for i in range(100):
        latency.add(i / 1000)
    assert len(latency) == 100
    assert latency.percentile(0.95) == 0.095
    latency.clear()
    assert not len(latency)
