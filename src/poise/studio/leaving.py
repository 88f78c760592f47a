"""The scene as a file to take away."""

from __future__ import annotations

import tempfile
from pathlib import Path

from poise.errors import unknown_name
from poise.formats.loading import export
from poise.scene import Scene
from poise.studio.opening import text_of

KINDS = ("yaml", "glb", "bvh")
"""What a scene can be taken away as."""


def exported(scene: Scene, kind: str) -> bytes:
    """The bytes of a file: a scene file, or the figures as they stand."""
    if kind not in KINDS:
        raise unknown_name("kind of file", kind, KINDS)
    if kind == "yaml":
        return text_of(scene).encode()
    with tempfile.TemporaryDirectory(prefix="poise-export-") as folder:
        path = Path(folder) / f"scene.{kind}"
        export(scene, path)
        return path.read_bytes()
