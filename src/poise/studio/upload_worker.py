"""The process that reads an upload: python -m poise.studio.upload_worker FILE MEMORY SECONDS MOST.

It writes what it found to standard output, pickled: ("reading", Reading), ("scene", text) or
("error", message).
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any


def main(path: Path, memory: int, seconds: int, most: int) -> None:
    """Read one file within bounds, and say in at most so many bytes what is in it."""
    _limit(memory, seconds, most)
    out, sys.stdout = sys.stdout, sys.stderr  # what readers print must not get into the answer
    answer = _packed(_found(path))
    if len(answer) > most:
        answer = _packed(("error", f"there is more in {path.name} than the studio takes"))
    # In one piece: an answer that is cut off is no answer.
    out.buffer.write(answer)
    out.buffer.flush()


def _packed(found: tuple[str, Any]) -> bytes:
    return pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL)


def _found(path: Path) -> tuple[str, Any]:
    from poise.errors import PoiseError
    from poise.studio.saying import said

    try:
        return _read(path)
    except PoiseError as error:
        return "error", said(error)
    except MemoryError:
        return "error", f"{path.name} needs more memory than the studio gives it"
    except RecursionError:
        return "error", f"{path.name} is nested too deeply"


def _read(path: Path) -> tuple[str, Any]:
    from poise.documents import read as document_of
    from poise.formats.loading import read
    from poise.studio.opening import scene_of

    if path.suffix in (".yaml", ".yml"):
        data = document_of(path).data
        if isinstance(data, dict) and "scene" in data:
            text = path.read_text("utf-8")
            scene_of(text, path.name)
            return "scene", text
    return "reading", read(path)


def _limit(memory: int, seconds: int, most: int) -> None:
    """Bound memory, the processor's time and what may be written, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
