"""How long an installed poise takes from nothing to a posture, and how much memory.

python benchmarks/startup.py [WHEEL] [--runs 10]

The wheel (this checkout's, if none is given) is installed with what it requires, and nothing else,
in an environment below build/startup. Programs then run there with a PATH that has no compiler and
a home that cannot be written to. A time is that from starting the process to its end; memory is the
most that the process had resident, as the kernel counts it (`launch.py`). The first run after the
installation is told apart, for what is made once is made then.

The programs: `import poise`, and the first of the README as far as it needs no extras: it ends with
`print(solution)`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from timing import show

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "startup"
LAUNCH = Path(__file__).with_name("launch.py").resolve()
COMPILERS = ("cc", "gcc", "c++", "g++", "clang", "tcc", "ld", "lld", "as")
LAST_LINE = "print(solution)"
MARKS = {"import poise": (0.15, None), "README, first program": (0.6, 120.0)}
"""Seconds, and megabytes where there is a mark."""
MEGABYTE = 1e6


@dataclass(frozen=True)
class Run:
    """What one process took."""

    seconds: float
    megabytes: float


def run(*command: str | Path) -> None:
    """Run a command; its failure ends the benchmark with what it said."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")


def built_wheel() -> Path:
    """A wheel of this checkout."""
    folder = FOLDER / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-deps", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("poise-*.whl")
    return wheel


def installed(wheel: Path) -> Path:
    """The Python of a new environment that has a wheel and what it requires."""
    place = FOLDER / "environment"
    python = place / "bin" / "python"
    run(sys.executable, "-m", "venv", "--clear", place)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return python


def unwritable_home() -> Path:
    """A folder in which nothing can be made: empty, or where root can write anyway, /proc/self."""
    home = FOLDER / "home"
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o555)
    for folder in (home, Path("/proc/self"), Path("/sys")):
        try:
            (folder / "written").mkdir()
        except OSError:
            if folder.is_dir():
                return folder
        else:
            (folder / "written").rmdir()
    raise SystemExit("every folder that was tried can be written to; run this as another user")


def bare(python: Path) -> dict[str, str]:
    """The environment variables of the programs: a home that is read-only, no compiler."""
    path = str(python.parent)
    for name in COMPILERS:
        if shutil.which(name, path=path) is not None:
            raise SystemExit(f"there is a compiler or linker, {name}, in {path}")
    return {"HOME": str(unwritable_home()), "PATH": path, "LANG": "C.UTF-8"}


def first_program(readme: str) -> str:
    """The first program in Python of a README, as far as it needs no extras."""
    _, _, after = readme.partition("```python\n")
    program, _, _ = after.partition("```")
    lines = program.splitlines()
    if LAST_LINE not in lines:
        raise ValueError(f"the first program of the README has no line {LAST_LINE!r}")
    return "\n".join(lines[: lines.index(LAST_LINE) + 1]) + "\n"


def measured(python: Path, program: str, variables: Mapping[str, str]) -> Run:
    """Run a program in a process of its own; its failure ends the benchmark."""
    done = subprocess.run(
        [str(python), "-I", "-S", str(LAUNCH), str(python), "-c", program],
        env=dict(variables),
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, resident, code = map(float, done.stdout.split())
    if code != 0:
        raise SystemExit(f"the program failed: {done.stderr.strip()}")
    return Run(seconds, resident / MEGABYTE)


def has(python: Path, module: str, variables: Mapping[str, str]) -> bool:
    """Whether a module can be imported there."""
    done = subprocess.run(
        [str(python), "-c", f"import {module}"],
        env=dict(variables),
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def row(name: str, runs: Sequence[Run]) -> tuple[list[str], bool]:
    """A line of the table, and whether a mark is missed by the medians."""
    seconds = [each.seconds for each in runs]
    megabytes = [each.megabytes for each in runs]
    most_seconds, most_megabytes = MARKS[name]
    missed = np.median(seconds) > most_seconds
    if most_megabytes is not None:
        missed |= np.median(megabytes) > most_megabytes
    text = [
        name,
        f"{seconds[0]:.3f}",
        f"{min(seconds):.3f} / {np.median(seconds):.3f}",
        f"≤ {most_seconds:g}",
        f"{min(megabytes):.1f} / {np.median(megabytes):.1f}",
        "–" if most_megabytes is None else f"≤ {most_megabytes:g}",
    ]
    return text, bool(missed)


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 1 where a mark is missed, or numba is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", nargs="?", type=Path, help="default: one of this checkout")
    parser.add_argument("--runs", type=int, default=10)
    given = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wheel = given.wheel or built_wheel()
    python = installed(wheel)
    variables = bare(python)
    programs = {
        "import poise": "import poise",
        "README, first program": first_program((ROOT / "README.md").read_text(encoding="utf-8")),
    }
    rows: list[list[str]] = []
    failed = False
    for name, program in programs.items():
        text, missed = row(name, [measured(python, program, variables) for _ in range(given.runs)])
        rows.append(text)
        failed |= missed
    print(f"{wheel.name}, home {variables['HOME']}, no compiler on the PATH")
    for module in ("numba", "llvmlite"):
        there = has(python, module, variables)
        failed |= there
        print(f"{module} is {'importable there, and must not be' if there else 'not there'}")
    show(
        f"From starting a process to its end, {given.runs} runs",
        ("", "s first", "s least / median", "mark", "MB least / median", "mark"),
        rows,
    )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
