"""Draw the twelve drags of benchmarks/drags.py as strips on one sheet, as docs/studio.md shows it.

Usage: `python docs/draw_drags.py [FILE]`; without a file it goes to docs/pictures/drags.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from draw import FOLDER, write

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from drags import DRAGS, followed, strip  # found by the line above


def main(arguments: list[str]) -> int:
    """Drag, and draw the ways there, two strips in a row."""
    path = Path(arguments[0]) if arguments else FOLDER / "drags.png"
    strips = [strip(name, followed(way), size=(120, 130)) for name, way in DRAGS.items()]
    rows = [np.concatenate(strips[i : i + 2], axis=1) for i in range(0, len(strips), 2)]
    write(np.concatenate(rows, axis=0), path)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
