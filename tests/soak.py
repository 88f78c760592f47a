"""Spoilt files by the hundred thousand, for every format: `python -m tests.soak [COUNT] [SEED]`.

Each must give a figure or a `PoiseError`. Anything else makes this end with an error: another
exception, a crash of the process, a piece of work that takes minutes, memory beyond 8 GB. Files
are made from ours, and from the real ones in the data folder where there is one.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

FORMATS = {
    "BVH": "bvh",
    "ASF, AMC": "asf",
    "URDF": "urdf",
    "MJCF": "mjcf",
    "glTF, VRM": "gltf",
}
"""The module `tests.formats.fuzzing_…` of each."""
COUNT = 200_000
PIECE = 500
"""Files that one call reads."""
SECONDS = 300
"""What a piece may take, some hundred times what it does."""
MEMORY = 8 * 1024**3
"""Bytes that a process may ask for, most of which numpy and MuJoCo never touch."""


@dataclass
class Tally:
    """What came of one format's files."""

    read: int = 0
    refused: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    """The most that any process held while it read them."""
    failures: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Piece:
    """What came of one call."""

    read: int
    refused: int
    seconds: float
    megabytes: float


def pieces(count: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Format, number of files and seed of every call, the formats in turn; `count` in all."""
    names = list(FORMATS)
    left = [count // len(names) + (i < count % len(names)) for i in range(len(names))]
    while any(left):
        for i, name in enumerate(names):
            if left[i]:
                some = min(PIECE, left[i])
                left[i] -= some
                yield name, some, seed
                seed += 1


def run(name: str, count: int, seed: int, data: Path | None) -> Piece:
    """Read spoilt files of one format in this process."""
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    started = time.perf_counter()
    module = importlib.import_module(f"tests.formats.fuzzing_{FORMATS[name]}")
    read, refused = module.fuzz(count, seed, data)
    seconds = time.perf_counter() - started
    faulthandler.cancel_dump_traceback_later()
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return Piece(read, refused, seconds, peak / 1e6)


def data_folder() -> Path | None:
    """The folder of real files, as the tests find it; None where there is none."""
    given = os.environ.get("POISE_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def _bound_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def soak(count: int, seed: int, data: Path | None) -> dict[str, Tally]:
    """Read `count` spoilt files on all cores, with a line that shows how far it is; ^C stops it."""
    tallies = {name: Tally() for name in FORMATS}
    columns = (BarColumn(), MofNCompleteColumn(), "files,", TimeRemainingColumn(), "left")
    # A process does one format at a time and ends with its piece: so its memory is that format's.
    pool = ProcessPoolExecutor(
        mp_context=get_context("spawn"), initializer=_bound_memory, max_tasks_per_child=1
    )
    with pool, Progress(*columns, console=Console(stderr=True)) as progress:
        line = progress.add_task("", total=count)
        futures: dict[Future[Piece], tuple[str, int, int]] = {
            pool.submit(run, *piece, data): piece for piece in pieces(count, seed)
        }
        try:
            for future in as_completed(futures):
                name, some, used = futures[future]
                _note(tallies[name], future, used)
                progress.advance(line, some)
        except (BrokenProcessPool, KeyboardInterrupt):
            pool.shutdown(wait=False, cancel_futures=True)
    return tallies


def _note(tally: Tally, future: Future[Piece], seed: int) -> None:
    """Add what came of a piece; where its process died the rest cannot be done, and that is raised.

    Which piece it was that a process died of is not known: any that was at work then.
    """
    try:
        piece = future.result()
    except BrokenProcessPool as error:
        tally.failures.append(f"a process died at or near seed {seed}: {error}")
        raise
    except Exception as error:
        tally.failures.append("".join(traceback.format_exception(error)))
    else:
        tally.read += piece.read
        tally.refused += piece.refused
        tally.seconds += piece.seconds
        tally.megabytes = max(tally.megabytes, piece.megabytes)


def table(tallies: dict[str, Tally]) -> Table:
    """The figures of a run."""
    result = Table(title="Spoilt files", title_justify="left")
    for i, column in enumerate(
        ("format", "files", "read", "refused", "other", "ms a file", "MB at most")
    ):
        result.add_column(column, justify="right" if i else "left")
    for name, tally in tallies.items():
        done = tally.read + tally.refused
        each = 1e3 * tally.seconds / max(done, 1)
        counts = (done, tally.read, tally.refused, len(tally.failures))
        numbers = [*(f"{number:,}" for number in counts), f"{each:.1f}", f"{tally.megabytes:.0f}"]
        result.add_row(name, *numbers)
    return result


def main(arguments: list[str]) -> int:
    """Run, print the table and what failed.

    Returns:
        0 if all files were read and nothing failed, 2 for a wrong argument, else 1.
    """
    try:
        numbers = [int(each.replace("_", "")) for each in arguments]
    except ValueError:
        numbers = [-1]
    if len(numbers) > 2 or any(number < 0 for number in numbers) or numbers[:1] == [0]:
        print("usage: python -m tests.soak [COUNT from 1] [SEED from 0]", file=sys.stderr)
        return 2
    count, seed = [*numbers, *(COUNT, 1)[len(numbers) :]]
    data = data_folder()
    print(f"{count:,} spoilt files from seed {seed}, {'ours and real ones' if data else 'ours'}")
    tallies = soak(count, seed, data)
    Console(width=100).print(table(tallies))
    failures = [(name, each) for name, tally in tallies.items() for each in tally.failures]
    for name, failure in failures:
        print(f"\n{name}: {failure}", file=sys.stderr)
    done = sum(tally.read + tally.refused for tally in tallies.values())
    if done < count and not failures:
        print(f"stopped after {done:,} files", file=sys.stderr)
    return 1 if failures or done < count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
