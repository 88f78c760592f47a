"""Two commits solve sets of problems by turns; here one of them, and some of each set."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import verdicts_worker
from verdicts import Side, differing, listed, row
from verdicts_worker import SETS, Solving, digest

import poise
from poise.scene import Solution


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
    whole = SETS[name]
    some = whole._replace(runs=lambda: islice(whole.runs(), 2))
    monkeypatch.setitem(verdicts_worker.SETS, name, some)
    tolerance = 1e-6 if name in ("strict", "adorned") else 1e-4
    assert solving.reply({"do": "build", "name": name}) == {"tolerance": tolerance, "lacking": ""}
    found = solving.reply({"do": "judge"})
    count = len(found["statuses"])
    assert count >= 2
    assert solving.reply({"do": "judge"}) == found
    keys = ("iterations", "levels", "digests")
    assert [len(found[key]) for key in keys] == [count] * len(keys)
    assert "" not in found["digests"]
    seconds = solving.reply({"do": "round"})["seconds"]
    assert len(seconds) == count
    assert min(seconds) > 0.0


def test_an_unknown_request_is_an_error(solving: Solving) -> None:
    with pytest.raises(ValueError, match="there is no request 'dance'"):
        solving.reply({"do": "dance"})


def side(statuses: list[str], levels: list[list[float]]) -> Side:
    found = {"statuses": statuses, "levels": levels, "iterations": [3, 4], "jumps": 0}
    found |= {"tolerance": 1e-4, "lacking": "", "digests": ["a", "b"]}
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


def test_errors_are_compared_by_the_tolerance_of_the_set() -> None:
    old = side(["solved", "stalled"], [[0.0], [0.5]])
    new = side(["solved", "stalled"], [[0.0], [0.5 + 5.5e-4]])
    assert listed("strict", old, new) == []
    old.found["tolerance"] = new.found["tolerance"] = 1e-6
    assert len(listed("strict", old, new)) == 1
    assert row("strict", old, new)[3] == "0 / 1 / 1"


def test_sets_that_are_not_the_same_are_told() -> None:
    old, new = (side(["solved", "solved"], [[0.0], [0.0]]) for _ in range(2))
    assert differing("far", old, new) == ("", True)
    new.found["digests"] = ["a", "c"]
    words = "far: 1 of 2 problems are not the same in both commits"
    assert differing("far", old, new) == (words, True)
    new.found["digests"] = ["a", ""]
    words = "far: whether the problems are the same cannot be told"
    assert differing("far", old, new) == (words, True)
    new.found["digests"] = ["a"]
    assert differing("far", old, new) == ("far is left out: 2 problems against 1", False)


def test_a_digest_tells_problems_apart_by_start_target_and_rows() -> None:
    def solved(target: float = 0.3, axes: str = "xyz") -> Solution:
        scene = poise.Scene(poise.chain(3))
        scene.add(poise.tasks.Position("tip", (0.1, 0.0, target), axes=axes))
        return scene.solve(warm=False)

    start = np.zeros(3)
    same = digest(start, solved())
    assert same == digest(start, solved())
    assert len({same, digest(start + 0.1, solved())}) == 2
    assert len({same, digest(start, solved(target=0.31)), digest(start, solved(axes="xz"))}) == 3
    assert digest(start, object()) == ""  # type: ignore[arg-type]


def test_a_set_without_problems_says_what_it_lacks(
    solving: Solving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("POISE_DATA", str(tmp_path))
    told = solving.reply({"do": "build", "name": "mocap 0.7 s cold"})
    assert told["lacking"].startswith("there is no bvh/cmu")
    monkeypatch.setitem(SETS, "far", SETS["far"]._replace(runs=lambda: iter(())))
    assert solving.reply({"do": "build", "name": "far"})["lacking"] == "it has no problems"
