"""Scene files from elsewhere, read without reaching for any other file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from poise.documents import parse
from poise.errors import PoiseError
from poise.figure import Figure
from poise.scene import Origin, Scene
from poise.scene.files import scene_from, scene_text

LONGEST = 5_000_000
"""So many characters a scene file may have."""


def scene_of(text: str, name: str = "the scene") -> Scene:
    """A scene from the text of a scene file, which must not name other files."""
    if len(text) > LONGEST:
        raise PoiseError(f"a scene file may have {LONGEST} characters, not {len(text)}")
    document = parse(text, name)
    for path in _files(document.data):
        raise document.error(
            path, "the studio reads no files that a scene names; write the figure out (inline)"
        )
    return scene_from(document, Path())


def text_of(scene: Scene) -> str:
    """The text of a scene file that stands by itself: figures from files are written out."""
    alone = scene.copy()
    told = {name: each for name, each in alone.origins.items() if each.file is None}
    for name, figure in alone.given.items():
        if name not in told and figure.recipe is not None:
            told[name] = Origin(figure.recipe.function, figure.recipe.arguments)
    alone.origins = {name: _Built(each.ready, each.arguments) for name, each in told.items()}
    return scene_text(alone, Path())


class _Built(Origin):
    """A ready figure that is built once, to compare with: that takes longer than to write it."""

    def build(self) -> Figure:
        """The figure, which must not be changed."""
        try:
            return _built(self.ready, tuple(self.arguments.items()))
        except TypeError:  # an argument that cannot be looked up, such as a list
            return super().build()


@lru_cache(maxsize=8)
def _built(ready: str, arguments: tuple[tuple[str, Any], ...]) -> Figure:
    return Origin(ready, dict(arguments)).build()


def _files(data: Any) -> list[tuple[str, ...]]:
    """Where a scene names a file to be read."""
    scene = data.get("scene") if isinstance(data, dict) else None
    if not isinstance(scene, dict):
        return []
    found: list[tuple[str, ...]] = []
    sources: dict[tuple[str, ...], Any] = {("scene", "figure"): scene.get("figure")}
    several = scene.get("figures")
    if isinstance(several, dict):
        sources |= {("scene", "figures", str(key)): each for key, each in several.items()}
    for path, source in sources.items():
        if isinstance(source, dict) and source.get("file") is not None:
            found.append((*path, "file"))
    return found
