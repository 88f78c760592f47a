"""`python -m poise.building PACKAGE LEVEL OUT --cache FOLDER`: build a library of kernels."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Build, and show how far it is; 0, 1 for kernels that cannot be built, 4 for a full disk."""
    parser = argparse.ArgumentParser(prog="python -m poise.building", description=__doc__)
    parser.add_argument("package", help="of kernels, such as poise.kernel")
    parser.add_argument("level", help="of the CPU, such as x86-64-v3")
    parser.add_argument("out", type=Path, help="the library's file")
    parser.add_argument("--cache", type=Path, required=True, help="what is kept between builds")
    parser.add_argument("--unlinked", action="store_true", help="objects, for llvmlite to load")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # else the order of sets, hence bytes, would differ
        command = [sys.executable, "-m", "poise.building", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    os.environ["POISE_INTERPRET"] = "1"  # kernels as they are, not calls of a library
    from poise.building.progress import Progress
    from poise.errors import PoiseError
    from poise.kernel.library import CANNOT_KEEP, say

    started = time.perf_counter()
    asking = os.getppid()

    def report(what: str, share: float) -> None:
        if os.getppid() != asking:
            raise KeyboardInterrupt  # whoever asked for the library was killed
        progress(what, share)

    try:
        with Progress(given.package, given.level) as progress:
            from poise.building.build import build  # numba takes a second

            build(
                given.package,
                given.level,
                given.out,
                cache=given.cache,
                report=report,
                linked=not given.unlinked,
            )
            progress.end(f"built in {time.perf_counter() - started:.0f} s")
    except PoiseError as error:
        print(f"poise: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        say(f"poise: {error.filename}: {error.strerror}" if error.filename else f"poise: {error}")
        return CANNOT_KEEP
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
