"""Run the benchmarks that are here, each in a process of its own, and print their tables.

python benchmarks/run.py                all of them
python benchmarks/run.py kinematics     those named
python benchmarks/run.py verdicts HEAD  one of those that take arguments: all the rest is for it
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_HELPERS = {"against_worker", "comparing", "launch", "lines", "person_of_71", "postures", "run"}
_HELPERS |= {"natural_following", "natural_frames", "timing", "verdicts_worker"}
_ONLY_BY_NAME = {"against", "startup", "verdicts"}
"""These make environments, and compare commits or wheels; they are not run with all the others."""
_TAKES_ARGUMENTS = {
    "against",
    "avoiding",
    "mocap",
    "natural",
    "peers",
    "reachable",
    "startup",
    "verdicts",
}


def found() -> list[str]:
    """The benchmarks, files and packages, by name."""
    files = [path.stem for path in _HERE.glob("*.py") if path.stem not in _HELPERS]
    packages = [path.parent.name for path in _HERE.glob("*/__main__.py")]
    return sorted([*files, *packages])


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; return the number of those that failed.

    For -h or --help it says how it is called, and which there are.
    """
    there, arguments = found(), list[str]()
    if names and names[0] in ("-h", "--help"):
        print(f"{__doc__}\nThere are: {', '.join(there)}.")
        return 0
    if names and names[0] in _TAKES_ARGUMENTS:
        names, arguments = names[:1], names[1:]
    for name in names:
        if name not in there:
            print(f"there is no benchmark {name!r}; there are: {', '.join(there)}", file=sys.stderr)
            return 2
    paths = [str(_HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        # Threads of a linear algebra library would only disturb kernels that run on one.
        "OPENBLAS_NUM_THREADS": "1",
    }
    failed = 0
    for name in names or [each for each in there if each not in _ONLY_BY_NAME]:
        done = subprocess.run(
            [sys.executable, "-m", name, *arguments], env=environment, check=False
        )
        failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
