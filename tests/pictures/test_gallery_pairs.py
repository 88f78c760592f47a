"""Before and after, for a judge who does not know which is which."""

from __future__ import annotations

import csv
from pathlib import Path
from types import ModuleType

import pytest


def test_the_order_is_random_and_the_same_for_the_same_seed(pairs: ModuleType) -> None:
    people = ["man-175", "woman-162"]
    rows = pairs.shuffled(people, 3)
    assert rows == pairs.shuffled(people, 3)
    assert rows != pairs.shuffled(people, 4)
    assert len({(row["goal"], row["person"]) for row in rows}) == len(rows) == 2 * len(pairs.GOALS)
    firsts = [row["A"] for row in rows]
    assert 0.25 < firsts.count("before") / len(firsts) < 0.75
    assert all({row["A"], row["B"]} == {"before", "after"} for row in rows)


def verdicts(rows: list[dict[str, str]], good: str) -> list[dict[str, str]]:
    """Yes for one label, no for the other."""
    return [
        {
            "picture": row["picture"],
            "letter": letter,
            "verdict": "yes" if row[letter] == good else "no",
            "why": "",
        }
        for row in rows
        for letter in ("A", "B")
    ]


def test_verdicts_are_joined_with_the_key(pairs: ModuleType) -> None:
    rows = pairs.shuffled(["man-175"], 1)
    found = pairs.counted(rows, verdicts(rows, "after"))
    assert all(is_good for is_good, _ in found["after"].values())
    assert not any(is_good for is_good, _ in found["before"].values())


def test_a_verdict_that_is_missing_or_no_word_is_told(pairs: ModuleType) -> None:
    rows = pairs.shuffled(["man-175"], 1)
    said = verdicts(rows, "after")
    with pytest.raises(ValueError, match="25 of 26"):
        pairs.counted(rows, said[1:])
    with pytest.raises(ValueError, match="must be yes or no"):
        pairs.counted(rows, [{**said[0], "verdict": "maybe"}, *said[1:]])
    with pytest.raises(ValueError, match="'999'"):
        pairs.counted(rows, [{**said[0], "picture": "999"}])


def test_the_folder_of_a_judge_does_not_tell_which_is_which(
    pairs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "GOALS", {"chin": pairs.GOALS["chin"]})
    folder = tmp_path / "judge"
    pairs.blind(folder, ["man-175"], 1)
    assert sorted(path.name for path in folder.iterdir()) == ["001.png", "verdicts.csv"]
    text = (folder / "verdicts.csv").read_text(encoding="utf-8")
    assert "before" not in text
    assert "after" not in text
    with (tmp_path / "judge-key.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert {row["A"], row["B"]} == {"before", "after"}
