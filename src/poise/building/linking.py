"""From object files to a library that can be loaded."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from poise.errors import PoiseError

LINKERS = ("cc", "gcc", "clang")


def linker() -> str | None:
    """The C compiler of this machine, by which objects are linked; None where there is none."""
    return next((found for name in LINKERS if (found := shutil.which(name))), None)


def link(objects: Sequence[Path], out: Path) -> None:
    """Link objects into a shared library.

    No library is named to the linker: the few functions of libc and libm are found in the process
    that loads it, in whichever version, so that it runs with an older glibc than that of this
    machine.
    """
    command = linker()
    assert command is not None
    done = subprocess.run(
        [command, "-shared", "-nostdlib", "-Wl,-s", "-Wl,--build-id=none", "-o", str(out)]
        + [str(each) for each in objects],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise PoiseError(f"{command} could not link the library: {done.stderr.strip()}")
