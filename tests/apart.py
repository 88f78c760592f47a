"""Pieces of a long test, each in a process of its own, so that a crash can be traced to one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

WAIT = 7_200
"""Seconds that a piece may take in all, however busy the machine is; for what waits for ever."""


def run_apart(module: str, *arguments: object) -> dict[str, Any] | str:
    """What `python -m module piece arguments…` prints as JSON; in words what went wrong, if so."""
    command = [sys.executable, "-m", module, "piece", *map(str, arguments)]
    try:
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[1],
            capture_output=True,
            text=True,
            timeout=WAIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done within {WAIT} s"
    if done.returncode:
        # A negative code is the signal that ended it.
        return f"the process ended with {done.returncode}\n{done.stderr}"
    return json.loads(done.stdout)
