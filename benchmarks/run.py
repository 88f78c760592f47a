"""Run the benchmarks that are here, each in a process of its own, and print their tables.

python benchmarks/run.py                all of them
python benchmarks/run.py kinematics     those named
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_HELPERS = {"beside", "peer_solvers", "run", "timing"}


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; return the number of those that failed."""
    scripts = {path.stem: path for path in sorted(_HERE.glob("*.py")) if path.stem not in _HELPERS}
    for name in names:
        if name not in scripts:
            print(
                f"there is no benchmark {name!r}; there are: {', '.join(scripts)}", file=sys.stderr
            )
            return 2
    # Threads of a linear algebra library would only disturb kernels that run on one.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    failed = 0
    for name in names or scripts:
        done = subprocess.run([sys.executable, str(scripts[name])], env=environment, check=False)
        failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
