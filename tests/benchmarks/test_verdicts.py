"""Two commits solve sets of problems by turns; here one of them, and some of each set."""

from __future__ import annotations

from itertools import islice

import pytest
import verdicts_worker
from verdicts import Side, listed, row
from verdicts_worker import SETS, Solving


@pytest.fixture(scope="module")
def solving() -> Solving:
    return Solving()


def test_a_worker_says_what_it_uses_and_has(solving: Solving) -> None:
    answer = solving.reply({"do": "where"})
    assert answer["folder"].endswith("poise")
    assert {"strict", "near", "far", "cold", "calm"} < set(answer["sets"])


@pytest.mark.parametrize("name", ["strict", "adorned", "near", "cold", "far", "forces", "crowds"])
def test_the_first_problems_of_a_set_are_judged_and_timed(
    name: str, solving: Solving, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_of_it = SETS[name]
    monkeypatch.setitem(verdicts_worker.SETS, name, lambda: islice(all_of_it(), 2))
    assert solving.reply({"do": "build", "name": name}) == {}
    found = solving.reply({"do": "judge"})
    count = len(found["statuses"])
    assert count >= 2
    assert solving.reply({"do": "judge"}) == found
    assert [len(found[key]) for key in ("iterations", "levels")] == [count, count]
    seconds = solving.reply({"do": "round"})["seconds"]
    assert len(seconds) == count
    assert min(seconds) > 0.0


def test_an_unknown_request_is_an_error(solving: Solving) -> None:
    with pytest.raises(ValueError, match="there is no request 'dance'"):
        solving.reply({"do": "dance"})


def side(statuses: list[str], levels: list[list[float]]) -> Side:
    found = {"statuses": statuses, "levels": levels, "iterations": [3, 4], "jumps": 0}
    return Side(None, found, [[1.0, 2.0], [2.0, 1.0]])  # type: ignore[arg-type]


def test_what_has_changed_is_listed() -> None:
    old = side(["solved", "stalled"], [[0.0, 0.0], [0.0, 0.5]])
    new = side(["solved", "stationary"], [[0.0, 0.0], [0.0, 0.4]])
    assert listed("far", old, old) == []
    assert listed("far", old, new) == [
        "far 1: stalled → stationary, better, mm: 0.000 500.000 → 0.000 400.000"
    ]
    assert row("far", old, new) == [
        "far", "1 0 1 0\n1 1 0 0", "1 / 0", "1 / 0 / 1", "0 / 0", "7 / 7", "2000.0 / 2000.0",
        "1.000",
    ]  # fmt: skip
