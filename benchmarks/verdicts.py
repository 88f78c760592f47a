"""What a change of the solver does: the same problems with two commits, one command.

python benchmarks/run.py verdicts COMMIT [--new COMMIT] [--rounds 4] [--sets strict far] [--each]

The working tree, or the commit that `--new` names, against another commit. Both solve the sets of
`verdicts_worker.py` in processes of their own, with this Python, by turns; commits are checked out
below build/against, and their kernels are compiled when they are first used. In the table "a / b"
is old / new; how many problems ended how stands once where that is the same, else old above new.
`comparing.py` says which ways to end and which errors are better, by the tolerance to which a set
is solved. Where the two commits do not solve the same problems that is said: their numbers then say
nothing of the solver. Jumps are frames of a motion in which a joint moves by more than 10°. The
time is the sum of the least times of all problems, new by old. `--each` lists the problems that
have become better or worse.

The exit status is 1 where a problem ends in a worse way or with larger errors, or where the time is
above 1.05.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from against import ROOT, require_source, worktree
from comparing import changes, counts, order, orders
from lines import Worker
from numpy.typing import NDArray
from timing import show

MARK = 1.05
"""The most that a change may cost in time."""


@dataclass
class Side:
    """One of the two, and what it did with the set that is looked at."""

    worker: Worker
    found: dict[str, Any] = field(default_factory=dict[str, Any])
    seconds: list[list[float]] = field(default_factory=list[list[float]])

    @classmethod
    def of(cls, stack: ExitStack, folder: Path) -> Side:
        """A worker with the sources of a checkout."""
        worker = Worker(Path(sys.executable), "verdicts_worker", paths=[folder / "src", folder])
        stack.enter_context(worker)
        require_source(worker, folder / "src")
        return cls(worker)

    def judge(self, name: str) -> None:
        """Make the problems of a set, and solve them once."""
        told = self.worker.ask(do="build", name=name)
        self.found = {**told, **self.worker.ask(do="judge")}
        self.seconds = []

    def round(self) -> None:
        """Solve them again, for their times."""
        self.seconds.append(self.worker.ask(do="round")["seconds"])

    @property
    def least(self) -> NDArray[np.float64]:
        """Seconds of each problem, the least of all rounds."""
        return np.array(self.seconds).min(axis=0)


def row(name: str, old: Side, new: Side) -> list[str]:
    """Say how one set went on both sides."""
    sides = (old, new)
    a, b = old.found, new.found
    return [
        name,
        "\n".join(dict.fromkeys(counts(side.found["statuses"]) for side in sides)),
        "{} / {}".format(*changes(a["statuses"], b["statuses"])),
        "{} / {} / {}".format(*orders(a["levels"], b["levels"], a["tolerance"])),
        " / ".join(str(side.found["jumps"]) for side in sides),
        " / ".join(str(sum(side.found["iterations"])) for side in sides),
        " / ".join(f"{1e3 * side.least.sum():.1f}" for side in sides),
        f"{new.least.sum() / old.least.sum():.3f}",
    ]


def differing(name: str, old: Side, new: Side) -> tuple[str, bool]:
    """What is to be said of problems that are not the same, and whether they can be compared."""
    a, b = old.found["digests"], new.found["digests"]
    if len(a) != len(b):
        return f"{name} is left out: {len(a)} problems against {len(b)}", False
    if "" in (*a, *b):
        return f"{name}: whether the problems are the same cannot be told", True
    apart = sum(x != y for x, y in zip(a, b, strict=True))
    told = f"{name}: {apart} of {len(a)} problems are not the same in both commits"
    return told if apart else "", True


def listed(name: str, old: Side, new: Side) -> list[str]:
    """A line for each problem of a set that ends otherwise, or with other errors."""
    a, b = old.found, new.found
    lines: list[str] = []
    for i, (before, after) in enumerate(zip(a["levels"], b["levels"], strict=True)):
        ways = a["statuses"][i], b["statuses"][i]
        step = order(before, after, a["tolerance"])
        if not step and ways[0] == ways[1]:
            continue
        word = {-1: "better", 0: "same errors", 1: "worse"}[step]
        errors = " → ".join(" ".join(f"{1e3 * e:.3f}" for e in each) for each in (before, after))
        lines.append(f"{name} {i}: {' → '.join(dict.fromkeys(ways))}, {word}, mm: {errors}")
    return lines


def main(arguments: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", help="the old one")
    parser.add_argument("--new", metavar="COMMIT", help="instead of the working tree")
    parser.add_argument("--rounds", type=int, default=4, help="solves of each problem for its time")
    parser.add_argument("--sets", nargs="+", metavar="SET", help="only these")
    parser.add_argument("--each", action="store_true", help="list what has changed")
    given = parser.parse_args(arguments)
    rows: list[list[str] | None] = []
    told: list[str] = []
    totals, times = np.zeros(5, int), np.zeros(2)
    with ExitStack() as stack:
        old = Side.of(stack, worktree(given.commit))
        new = Side.of(stack, worktree(given.new) if given.new else ROOT)
        there = new.worker.ask(do="where")["sets"]
        for name in given.sets or there:
            if name not in there:
                parser.error(f"there is no set {name!r}; there are: {', '.join(there)}")
            for side in (old, new):
                side.judge(name)
            lacking = old.found["lacking"] or new.found["lacking"]
            words, is_alike = differing(name, old, new)
            if lacking or words:
                print(f"{name} is left out: {lacking}" if lacking else words)
            if lacking or not is_alike:
                continue
            for i in range(given.rounds):
                for side in (old, new) if i % 2 == 0 else (new, old):
                    side.round()
            rows.append(row(name, old, new))
            told += listed(name, old, new)
            totals += (
                *changes(old.found["statuses"], new.found["statuses"]),
                *orders(old.found["levels"], new.found["levels"], new.found["tolerance"]),
            )
            times += old.least.sum(), new.least.sum()
    if not rows:
        print("there was nothing to compare")
        return 0
    ratio = times[1] / times[0]
    ended, errors = " / ".join(map(str, totals[:2])), " / ".join(map(str, totals[2:]))
    rows += [None, ["all", "", ended, errors, "", "", "", f"{ratio:.3f}"]]
    show(
        f"{given.commit} / {given.new or 'the working tree'}, the least of {given.rounds} rounds; "
        f"the mark for the time is {MARK}",
        (
            "set",
            "solved stationary stalled stopped",
            "status better / worse",
            "errors better / worse / same",
            "jumps",
            "iterations",
            "ms",
            "time",
        ),
        rows,
    )
    if given.each:
        print("\n".join(told))
    return int(bool(totals[1] or totals[3]) or ratio > MARK)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
