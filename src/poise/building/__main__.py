"""`python -m poise.building PACKAGE LEVEL OUT --cache FOLDER`: build a library of kernels."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Build, with a progress bar on a terminal."""
    parser = argparse.ArgumentParser(prog="python -m poise.building", description=__doc__)
    parser.add_argument("package", help="of kernels, such as poise.kernel")
    parser.add_argument("level", help="of the CPU, such as x86-64-v3")
    parser.add_argument("out", type=Path, help="the library's file")
    parser.add_argument("--cache", type=Path, required=True, help="what is kept between builds")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # else the order of sets, hence bytes, would differ
        command = [sys.executable, "-m", "poise.building", *sys.argv[1:]]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    os.environ["POISE_INTERPRET"] = "1"  # kernels as they are, not calls of a library
    import llvmlite
    import numba

    from poise.building.build import build
    from poise.building.progress import Bar
    from poise.errors import PoiseError

    started = time.perf_counter()
    version = f"{sys.implementation.cache_tag} {numba.__version__} {llvmlite.__version__}"
    try:
        with Bar() as report:
            build(
                given.package,
                given.level,
                given.out,
                cache=given.cache,
                builder=version,
                report=report,
            )
    except PoiseError as error:
        print(f"poise: {error}", file=sys.stderr)
        return 1
    if not os.environ.get("POISE_QUIET"):
        seconds = time.perf_counter() - started
        print(f"poise: {given.out.name} built in {seconds:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
