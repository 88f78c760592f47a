"""Kernels as the Python that they are (POISE_INTERPRET=1), beside the same compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from poise.solvers import METHODS

HERE = Path(__file__).parent
PART = ["body/test_rotations", "body/test_trigonometry", "residuals/test_curvature"]
PART += ["residuals/test_gradients", "limits/test_joint", "limits/test_projection"]
PART += ["lex/test_echelon", "lex/test_levels", "lex/test_judging"]
"""The tests of kernels that take some seconds when they are interpreted."""

PROGRAM = """
import json
import sys

import poise
from poise import tasks

found = {}
for name in sys.argv[1:]:
    scene = poise.Scene(poise.chain(4, 0.2, "ball"))
    scene.add(tasks.Position("tip", (0.3, 0.2, 0.4)), priority=1)
    found[name] = scene.solve(name, max_iterations=30).q.tolist()
person = poise.human()
scene = poise.Scene(person)
scene.add(tasks.Frame("left_foot"), priority=1)
scene.add(tasks.Frame("right_foot"), priority=1)
scene.add(tasks.Balance(), priority=2)
scene.add(tasks.Position("right_hand", (0.5, -0.3, 1.2)), priority=3)
scene.add(tasks.Custom(lambda posture, places: [places["head"].position[0] - 0.1], 1), priority=4)
solution = scene.solve()
found["person"] = solution.q.tolist()
found["met"] = solution.met
print(json.dumps(found))
"""


def environment(interpreted: bool) -> dict[str, str]:
    path = os.pathsep.join(each for each in sys.path if each)
    return {**os.environ, "PYTHONPATH": path, "POISE_INTERPRET": "1" if interpreted else "0"}


def test_the_tests_of_kernels_pass_interpreted() -> None:
    files = [str(HERE / f"{name}.py") for name in PART]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *files],
        cwd=HERE.parents[1],
        env=environment(interpreted=True),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout


def test_solves_are_the_same_interpreted_and_compiled_but_for_rounding() -> None:
    answers: list[dict[str, list[float]]] = []
    for interpreted in (False, True):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *METHODS],
            env=environment(interpreted),
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        answers.append(json.loads(done.stdout))
    compiled, plain = answers
    assert compiled["met"]
    assert plain["met"]
    for name in [*METHODS, "person"]:
        assert np.allclose(compiled[name], plain[name], atol=1e-3), name


def test_an_interpreted_kernel_is_the_function_itself() -> None:
    program = (
        "from poise.kernel.body.rotations import swing_direction as f; print(type(f).__name__)"
    )
    kinds = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=environment(interpreted),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for interpreted in (False, True)
    ]
    assert kinds == ["Entry", "function"]
