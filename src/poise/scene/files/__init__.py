"""Scene files: a scene as YAML that a person can write, and back.

Not imported by `import poise.scene`: it loads yaml and pydantic.
"""

from __future__ import annotations

from pathlib import Path

from poise.documents import read, write
from poise.errors import PoiseError, enough_memory
from poise.scene.files.parts import scene_schema
from poise.scene.files.reading import scene_from
from poise.scene.files.writing import scene_text
from poise.scene.scene import Scene

__all__ = ["SUFFIXES", "load", "save", "scene_from", "scene_schema", "scene_text"]

SUFFIXES = (".yaml", ".yml")


def load(path: str | Path) -> Scene:
    """Read a scene file; figure files that it names are looked for beside it."""
    with enough_memory(f"what {str(path)!r} describes"):
        return scene_from(read(path), Path(path).parent)


def save(scene: Scene, path: str | Path) -> None:
    """Write a scene file, all of it or nothing."""
    if not isinstance(path, (str, Path)):
        raise PoiseError(f"the path of a scene file must be a string or a Path, not {path!r}")
    if Path(path).suffix.lower() not in SUFFIXES:
        raise PoiseError(f"a scene file is named .yaml or .yml, not {str(path)!r}")
    write(path, scene_text(scene, Path(path).parent))
