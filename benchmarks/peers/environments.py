"""Environments of their own for solvers that cannot live in the one of poise.

Each is made when it is first needed, below build/peers, and again when its requirements change.
Where one cannot be made, the reason is one line, and the solver is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lines import last_line

FOLDER = Path(__file__).parents[2] / "build" / "peers"
PYENV = Path.home() / ".pyenv" / "versions"
STAMP = "installed.txt"


class UnavailableError(RuntimeError):
    """A solver cannot be had here; the message is one line."""


@dataclass(frozen=True)
class Environment:
    """What a solver needs."""

    name: str
    python: tuple[int, int]
    """The version of Python for which its packages are made."""
    requirements: tuple[str, ...]
    dependencies: bool = True
    """Whether pip is to install what the requirements require."""


ENVIRONMENTS = {
    "placo": Environment("placo", (3, 12), ("placo==0.10.2",)),  # needs one certain pinocchio
    # It asks for torch, gigabytes of it, which its solver does not use.
    "momentum": Environment(
        "momentum",
        (3, 12),
        ("pymomentum-core==0.1.114.post0", "numpy==2.5.4", "scipy==1.18.1"),
        dependencies=False,
    ),
}
"""The versions that docs/benchmarks.md speaks of."""


def interpreter(
    environment: Environment,
    *,
    folder: Path = FOLDER,
    find: Callable[[tuple[int, int]], Path | None] | None = None,
) -> Path:
    """The Python of an environment, which is made if it is not there.

    Args:
        environment: what is needed.
        folder: where environments are.
        find: how a Python of some version is found, if not by `find_python`.

    Raises:
        UnavailableError: with the reason, if it cannot be made.
    """
    place = folder / environment.name
    python, stamp = place / "bin" / "python", place / STAMP
    wanted = "\n".join(environment.requirements) + "\n"
    if python.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    base = (find or find_python)(environment.python)
    if base is None:
        version = ".".join(map(str, environment.python))
        raise UnavailableError(f"no Python {version} on the PATH or in ~/.pyenv/versions")
    print(f"making an environment for {environment.name} (once) …", flush=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    _run([str(base), "-m", "venv", "--clear", str(place)], "venv failed")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not environment.dependencies:
        install.append("--no-deps")
    _run([*install, *environment.requirements], "pip failed")
    stamp.write_text(wanted, encoding="utf-8")
    return python


def _run(command: list[str], what: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnavailableError(f"{what}: {error}") from error
    if done.returncode != 0:
        raise UnavailableError(f"{what}: {last_line(done.stderr) or last_line(done.stdout)}")


def find_python(version: tuple[int, int]) -> Path | None:
    """A Python of this version that runs and can make environments, or none."""
    check = f"import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != {version})"
    for candidate in _candidates(version):
        # A name on the PATH may be a shim for a version that is not there.
        done = subprocess.run([str(candidate), "-c", check], capture_output=True, check=False)
        if done.returncode == 0:
            return candidate
    return None


def _candidates(version: tuple[int, int]) -> Iterator[Path]:
    name = ".".join(map(str, version))
    if sys.version_info[:2] == version:
        yield Path(sys.executable)
    found = shutil.which(f"python{name}")
    if found is not None:
        yield Path(found)
    yield from sorted(PYENV.glob(f"{name}.*/bin/python"), reverse=True)
