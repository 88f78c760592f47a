"""`python -m poise.building.wheel FOLDER`: the libraries that a wheel for this platform brings."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from poise.building.linking import LINKERS, linker
from poise.errors import PoiseError
from poise.kernel.library import KERNELS, build, cache_folder, file_name, levels


def build_all(folder: Path) -> list[Path]:
    """Build the kernels for every CPU level of this kind of machine into a folder."""
    if linker() is None:
        raise PoiseError(
            f"a wheel needs a linker, one of {', '.join(LINKERS)}, and there is none on the PATH "
            "(Debian, Ubuntu: apt install binutils); an editable install with 'poise[build]' does "
            "without"
        )
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for level in levels():
        path = folder / file_name(KERNELS, level)
        if not path.is_file():
            try:
                build(KERNELS, level, path, cache_folder())
            except OSError:  # where nothing can be kept
                with tempfile.TemporaryDirectory() as other:
                    build(KERNELS, level, path, Path(other))
        made.append(path)
    return made


if __name__ == "__main__":
    try:
        build_all(Path(sys.argv[1]))
    except (PoiseError, OSError) as error:
        sys.exit(f"poise: {error}")
