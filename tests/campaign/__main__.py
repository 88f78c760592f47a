"""Random scenes by the thousand: `python -m tests.campaign [COUNT] [SEED]`.

Every scene is made by the public calls, solved, and checked: only PoiseErrors, nothing that is not
finite, limits and errors computed again by other means, the same bits twice, rest and strictness.
`python -m tests.campaign piece 100 7` does a hundred from seed 7 on in this process.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from tests.apart import run_apart
from tests.campaign.checks import Findings, judge
from tests.campaign.scenes import case

COUNT = 4_000
PIECE = 100
"""Scenes that one process solves."""
UNSETTLED = 0.015
"""The share of results at rest that a second solve may change; DESIGN asks for none."""
COSTLY = 0.02
"""The share of results in which levels below may cost those above something; likewise."""

USAGE = "usage: python -m tests.campaign [COUNT from 1] [SEED from 0]"


def run(count: int, seed: int) -> Findings:
    """Judge scenes in this process."""
    found = Findings()
    for each in range(seed, seed + count):
        found.add(judge(case(each)))
    return found


def campaign(count: int, seed: int) -> tuple[Findings, list[str]]:
    """Judge scenes on all cores, a piece a process; also what pieces failed, in words."""
    found, failed = Findings(), list[str]()
    pieces = [
        (min(PIECE, seed + count - first), first) for first in range(seed, seed + count, PIECE)
    ]
    columns = (BarColumn(), MofNCompleteColumn(), "scenes,", TimeRemainingColumn(), "left")
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        Progress(*columns, console=Console(stderr=True)) as progress,
    ):
        line = progress.add_task("", total=count)
        futures: dict[Future[dict[str, object] | str], tuple[int, int]] = {
            pool.submit(run_apart, "tests.campaign", *piece): piece for piece in pieces
        }
        for future in as_completed(futures):
            result = future.result()
            if isinstance(result, str):
                failed.append(f"{futures[future][0]} scenes from {futures[future][1]}: {result}")
            else:
                for name in ("refused", "statuses"):
                    result[name] = Counter(result[name])  # type: ignore[arg-type]
                found.add(Findings(**result))  # type: ignore[arg-type]
            progress.advance(line, futures[future][0])
    return found, failed


def table(found: Findings) -> Table:
    """The figures of a run."""
    result = Table(title="Random scenes", title_justify="left", show_header=False)
    statuses = ", ".join(f"{count} {word}" for word, count in found.statuses.most_common())
    rows = {
        "scenes": f"{found.cases:,}, of which {sum(found.refused.values()):,} were refused",
        "ended": statuses,
        "errors computed again": f"{found.tasks:,}",
        "wrong": f"{len(found.wrong):,}",
        "solved again from rest": f"{found.rested:,}: {len(found.better)} better {found.better}, "
        f"{len(found.worse)} worse {found.worse}",
        "levels above alone": f"{found.judged:,}: {len(found.costly)} better {found.costly}",
        "stalled": f"{found.stalled:,}: {found.stayed:,} stay where they are when solved again",
    }
    for row in rows.items():
        result.add_row(*row)
    return result


def main(arguments: list[str]) -> int:
    """Run, and print the table.

    Returns:
        0 if nothing is wrong and little unsettled, 2 for a wrong argument, else 1.
    """
    if arguments[:1] == ["piece"]:
        print(json.dumps(vars(run(int(arguments[1]), int(arguments[2])))))
        return 0
    if len(arguments) > 2 or not all(each.isdecimal() for each in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    count, seed = [*map(int, arguments), *(COUNT, 0)[len(arguments) :]]
    if count < 1:
        print(USAGE, file=sys.stderr)
        return 2
    print(f"{count:,} random scenes from seed {seed}", flush=True)
    found, failed = campaign(count, seed)
    Console(width=100).print(table(found))
    for each in [*failed, *found.wrong]:
        print(each, file=sys.stderr)
    unsettled = len(found.better) + len(found.worse) > UNSETTLED * found.rested
    costly = len(found.costly) > COSTLY * found.judged
    return 1 if failed or found.wrong or unsettled or costly else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
