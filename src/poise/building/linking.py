"""From object files to a library that can be loaded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from poise.building import objects as unlinked
from poise.errors import PoiseError

LINKERS = ("cc", "gcc", "clang", "ld")


def linker() -> list[str] | None:
    """The command that links a shared library on this machine; None where there is none."""
    found = next((path for name in LINKERS if (path := shutil.which(name))), None)
    if found is None:
        return None
    if sys.platform == "darwin":
        return [found, "-dynamiclib", "-undefined", "dynamic_lookup", "-Wl,-x"]
    if Path(found).name == "ld":
        return [found, "-shared", "-s", "--build-id=none"]
    return [found, "-shared", "-nostdlib", "-Wl,-s", "-Wl,--build-id=none"]


def link(objects: Sequence[Path], out: Path) -> None:
    """Link objects into a shared library, or where there is no linker into what llvmlite loads.

    No library is named to the linker: the few functions of libc and libm are found in the process
    that loads it, in whichever version, so that it runs with an older glibc than that of this
    machine.
    """
    command = linker()
    if command is None:
        unlinked.join(objects, out)
        return
    done = subprocess.run(
        [*command, "-o", str(out), *map(str, objects)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        # Whether there is no room is not for the linker's words to tell: this raises then.
        out.write_bytes(bytes(2 * sum(each.stat().st_size for each in objects)))
        raise PoiseError(f"{command[0]} could not link the library: {done.stderr.strip()}")
