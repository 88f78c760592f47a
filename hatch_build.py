"""hatchling's hook: a wheel carries the compiled kernels, one library for each level of CPU.

An editable install carries none: the first use builds what it needs.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface[Any]):
    """Builds the kernels, and names the platform that the wheel is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the libraries before the wheel is put together."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        folder = root / "build" / "libraries"
        for old in folder.glob("*.library"):
            old.unlink()
        # pip's sitecustomize would take the sources out where they are installed as editable, too.
        own = [each for each in sys.path if each and not Path(each, "sitecustomize.py").exists()]
        path = os.pathsep.join([str(root / "src"), *own])
        subprocess.run(
            [sys.executable, "-m", "poise.building.wheel", str(folder)],
            env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
            check=True,
        )
        for library in sorted(folder.glob("*.library")):
            build_data["force_include"][str(library)] = f"poise/kernel/built/{library.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"


def _platform() -> str:
    """The platform tag: the libraries use no function of libc that has a version."""
    machine = platform.machine()
    if sys.platform == "linux" and platform.libc_ver()[0] == "glibc":
        return f"manylinux_2_17_{machine}.manylinux2014_{machine}"
    if sys.platform == "darwin":
        return f"macosx_11_0_{machine}"
    from packaging.tags import sys_tags

    return next(sys_tags()).platform
