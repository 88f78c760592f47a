"""Scripts of the repository say how they are called, and do nothing else then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize(
    ("script", "first", "name"),
    [
        ("benchmarks/run.py", "Run the benchmarks that are here", "kinematics"),
        ("docs/draw.py", "Draw the pictures under docs/pictures again", "lex-trace"),
    ],
)
def test_a_script_that_is_asked_for_help_says_how_it_is_called(
    script: str, first: str, name: str, flag: str
) -> None:
    if script == "docs/draw.py":
        pytest.importorskip("pyvista")
    done = subprocess.run(
        [sys.executable, ROOT / script, flag],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(first)
    assert f"python {script}" in done.stdout
    assert name in done.stdout.partition("There are: ")[2]
