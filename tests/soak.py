"""Spoilt files by the hundred thousand, for every format: `python -m tests.soak [COUNT] [SEED]`.

Each must give a figure or a `PoiseError`. Anything else makes this end with an error: another
exception, a file that takes 20 seconds of the processor, a crash of the process, memory beyond
8 GB. Files are made from ours, and from the real ones in the data folder where there is one.

The work is done in pieces, each in a process of its own, so that what goes wrong is known by its
format and seed: `python -m tests.soak piece URDF 500 7` does one of them again.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from tests.apart import run_apart

FORMATS = {
    "figure file": "figure",
    "BVH": "bvh",
    "ASF, AMC": "asf",
    "URDF": "urdf",
    "MJCF": "mjcf",
    "glTF, VRM": "gltf",
}
"""The module `tests.formats.fuzzing_…` of each."""
COUNT = 200_000
PIECE = 2_000
"""Files that one process reads."""
SECONDS = 600
"""What a piece may take of the processor, ten times what it does; for what Python itself cannot
interrupt."""
MEMORY = 8 * 1024**3
"""Bytes that a process may ask for, most of which numpy and MuJoCo never touch."""

USAGE = "usage: python -m tests.soak [COUNT from 1] [SEED from 0]"


@dataclass(frozen=True)
class Piece:
    """What came of one piece."""

    read: int
    refused: int
    seconds: float
    megabytes: float
    """The most that the process held."""


@dataclass
class Tally:
    """What came of one format's files."""

    read: int = 0
    refused: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    failures: int = 0
    """Pieces that failed."""

    def add(self, piece: Piece) -> None:
        """Count a piece in."""
        self.read += piece.read
        self.refused += piece.refused
        self.seconds += piece.seconds
        self.megabytes = max(self.megabytes, piece.megabytes)


def pieces(count: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Format, number of files and seed of every piece, the formats in turn; `count` in all."""
    names = list(FORMATS)
    left = [count // len(names) + (i < count % len(names)) for i in range(len(names))]
    while any(left):
        for i, name in enumerate(names):
            if left[i]:
                some = min(PIECE, left[i])
                left[i] -= some
                yield name, some, seed
                seed += 1


def run(name: str, count: int, seed: int) -> Piece:
    """Read spoilt files of one format in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    module = importlib.import_module(f"tests.formats.fuzzing_{FORMATS[name]}")
    started = time.process_time()  # which other work on the machine does not lengthen
    read, refused = module.fuzz(count, seed, data_folder())
    seconds = time.process_time() - started
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return Piece(read, refused, seconds, peak / 1e6)


def read_apart(name: str, count: int, seed: int) -> Piece | str:
    """The same in a process of its own; what went wrong, if something did."""
    done = run_apart("tests.soak", name, count, seed)
    return f"seed {seed}: {count} files: {done}" if isinstance(done, str) else Piece(**done)


def data_folder() -> Path | None:
    """The folder of real files, as the tests find it; None where there is none."""
    given = os.environ.get("POISE_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def soak(count: int, seed: int) -> dict[str, Tally]:
    """Read `count` spoilt files on all cores; ^C stops it.

    A line shows how far it is, and what fails is printed at once.
    """
    tallies = {name: Tally() for name in FORMATS}
    columns = (BarColumn(), MofNCompleteColumn(), "files,", TimeRemainingColumn(), "left")
    with (
        ThreadPoolExecutor(os.cpu_count()) as pool,
        Progress(*columns, console=Console(stderr=True)) as progress,
    ):
        line = progress.add_task("", total=count)
        futures: dict[Future[Piece | str], tuple[str, int]] = {
            pool.submit(read_apart, name, some, each): (name, some)
            for name, some, each in pieces(count, seed)
        }
        try:
            for future in as_completed(futures):
                name, some = futures[future]
                result = future.result()
                if isinstance(result, str):
                    tallies[name].failures += 1
                    print(f"\n{name}, {result}", file=sys.stderr, flush=True)
                else:
                    tallies[name].add(result)
                progress.advance(line, some)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    return tallies


def table(tallies: dict[str, Tally]) -> Table:
    """The figures of a run."""
    result = Table(title="Spoilt files", title_justify="left")
    columns = ("format", "files", "read", "refused", "pieces failed", "ms a file", "MB at most")
    for i, column in enumerate(columns):
        result.add_column(column, justify="right" if i else "left")
    for name, tally in tallies.items():
        done = tally.read + tally.refused
        each = 1e3 * tally.seconds / max(done, 1)
        counts = (done, tally.read, tally.refused, tally.failures)
        numbers = [*(f"{number:,}" for number in counts), f"{each:.1f}", f"{tally.megabytes:.0f}"]
        result.add_row(name, *numbers)
    return result


def main(arguments: list[str]) -> int:
    """Run, and print the table.

    Returns:
        0 if all files were read or refused, 2 for a wrong argument, else 1.
    """
    if arguments[:1] == ["piece"]:
        name, count, seed = arguments[1:]
        print(json.dumps(asdict(run(name, int(count), int(seed)))))
        return 0
    if len(arguments) > 2 or not all(each.isdecimal() for each in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    count, seed = [*map(int, arguments), *(COUNT, 1)[len(arguments) :]]
    if count < 1:
        print(USAGE, file=sys.stderr)
        return 2
    sources = "ours and real ones" if data_folder() else "ours"
    print(f"{count:,} spoilt files from seed {seed}, {sources}", flush=True)
    tallies = soak(count, seed)
    Console(width=100).print(table(tallies))
    done = sum(tally.read + tally.refused for tally in tallies.values())
    if done < count:
        print(f"of {count:,} files {done:,} were read or refused", file=sys.stderr)
    return 0 if done == count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
