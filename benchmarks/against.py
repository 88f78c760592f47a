"""The lexicographic solver of this checkout against that of another commit, in turns.

python benchmarks/against.py [COMMIT] [--count 100] [--rounds 10]

The other commit is checked out as a git worktree below build/against, with an environment of its
own that has this one's versions of numpy and numba. One process for each side builds the same
scenes (`against_worker.py`) and stays; rounds go by turns between them, so that other work on the
machine disturbs both alike. Each side has solved before in a process that has ended: one that has
just compiled rounds otherwise than one that loads what is kept, and takes other steps. The time of
a problem is `solution.seconds`, the least of its rounds. The ratio is the sum of these times here
by the sum there; the mark for it is 0.95. In the table "a / b" is here / there, and of how solves
ended, here stands above there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from comparing import words
from lines import Worker
from numpy.typing import NDArray
from person_of_71 import GROUPS
from timing import show

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "against"
COMMIT = "0f9a9fa"
MARK = 0.95
MODULE = "against_worker"
STAMP = ".venv/installed.txt"


def output(*command: str | Path) -> str:
    """What a command prints; its failure ends the benchmark with what it said."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout.strip()


def worktree(commit: str) -> Path:
    """The folder of another commit, which is checked out there if need be."""
    git = ("git", "-C", ROOT)
    name = output(*git, "rev-parse", "--short=12", f"{commit}^{{commit}}")
    folder = FOLDER / name
    if not (folder / "src").exists():
        output(*git, "worktree", "prune")
        output(*git, "worktree", "add", "--force", "--detach", folder, name)
    return folder


def checkout(commit: str) -> Path:
    """The folder of another commit, with its environment in .venv; both are made if need be."""
    folder = worktree(commit)
    stamp, python = folder / STAMP, folder / ".venv" / "bin" / "python"
    wanted = "\n".join(same_versions())
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"making an environment for {folder.name} (once) …", flush=True)
        output(sys.executable, "-m", "venv", "--clear", folder / ".venv")
        install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        output(*install, "--editable", folder, *same_versions())
        stamp.write_text(wanted, encoding="utf-8")
    return folder


def same_versions() -> list[str]:
    """Requirements for what compiles and computes, as it is here."""
    found: list[str] = []
    for name in ("numba", "numpy"):
        try:
            found.append(f"{name}=={version(name)}")
        except PackageNotFoundError:  # a compiled wheel needs no numba
            continue
    return found


@dataclass
class Side:
    """One of the two, and what it did with the group that is measured."""

    worker: Worker
    seconds: list[list[float]] = field(default_factory=list[list[float]])
    statuses: list[str] = field(default_factory=list[str])
    iterations: list[int] = field(default_factory=list[int])

    def build(self, group: str, count: int) -> None:
        """Make the scenes, and solve them once to warm up."""
        self.worker.ask(do="build", group=group, count=count)
        self.worker.ask(do="round", group=group)
        self.seconds = []

    def round(self, group: str) -> None:
        """Solve the scenes once."""
        answer = self.worker.ask(do="round", group=group)
        self.seconds.append(answer["seconds"])
        self.statuses, self.iterations = answer["statuses"], answer["iterations"]

    @property
    def least(self) -> NDArray[np.float64]:
        """Seconds of each problem, the least of all rounds."""
        return np.array(self.seconds).min(axis=0)


def require_source(worker: Worker, source: Path) -> None:
    """End the benchmark where a worker uses another poise than that of a folder."""
    used = Path(worker.ask(do="where")["folder"])
    if used != source / "poise":
        raise SystemExit(f"a worker uses {used}, not {source / 'poise'}")


def started(python: Path, source: Path) -> Worker:
    """A worker of one side, after another has compiled what there is to compile and has ended."""
    with Worker(python, MODULE, paths=[source]) as first:
        require_source(first, source)
        for group, _, _ in GROUPS:
            first.ask(do="build", group=group, count=1)
            first.ask(do="round", group=group)
    return Worker(python, MODULE, paths=[source])


def row(group: str, here: Side, there: Side) -> list[str]:
    """Say how one group went on both sides."""
    sides = (here, there)
    return [
        group,
        f"{here.least.sum() / there.least.sum():.3f}",
        " / ".join(f"{1e3 * np.median(side.least):.3f}" for side in sides),
        " / ".join(f"{1e6 * side.least.sum() / sum(side.iterations):.1f}" for side in sides),
        " / ".join(f"{np.median(side.iterations):.0f}" for side in sides),
        " / ".join(f"{sum(side.iterations)}" for side in sides),
        "\n".join(words(side.statuses) for side in sides),
    ]


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 where the mark is missed over all groups."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", nargs="?", default=COMMIT, help=f"default {COMMIT}")
    parser.add_argument("--count", type=int, default=100, help="problems in a group")
    parser.add_argument("--rounds", type=int, default=10, help="solves of each problem")
    given = parser.parse_args(arguments)
    other = checkout(given.commit)
    with (
        started(Path(sys.executable), ROOT / "src") as new,
        started(other / ".venv" / "bin" / "python", other / "src") as old,
    ):
        here, there = Side(new), Side(old)
        rows: list[list[str] | None] = []
        sums = np.zeros(2)
        for group, _, _ in GROUPS:
            for side in (here, there):
                side.build(group, given.count)
            for i in range(given.rounds):
                for side in (here, there) if i % 2 == 0 else (there, here):
                    side.round(group)
            rows.append(row(group, here, there))
            sums += here.least.sum(), there.least.sum()
    ratio = sums[0] / sums[1]
    rows += [None, ["all", f"{ratio:.3f}", *[""] * 5]]
    show(
        f"This checkout / {given.commit}, {given.count} problems a group, the least of "
        f"{given.rounds} rounds; the mark for the ratio is {MARK}",
        ("goals", "ratio", "ms median", "µs an iteration", "iterations", "in all", "ended"),
        rows,
    )
    return int(ratio > MARK)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
