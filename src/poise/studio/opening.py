"""Scene files from elsewhere, read without reaching for any other file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
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
            path,
            "the studio reads no files that a scene names; write "
            + ("the prop out (shapes)" if "props" in path else "the figure out (inline)"),
        )
    return scene_from(document, Path())


def text_of(scene: Scene, figures: Mapping[str, Figure] | None = None) -> str:
    """The text of a scene file that stands by itself: figures from files are written out.

    So are props from files, as the convex pieces that they collide as.

    Args:
        scene: what is written.
        figures: twins of its figures, where these may change meanwhile.
    """
    alone = scene.copy()
    told = {name: each for name, each in alone.origins.items() if each.file is None}
    for name, figure in alone.given.items():
        if name not in told and figure.recipe is not None:
            told[name] = Origin(figure.recipe.function, figure.recipe.arguments)
    alone.origins = {name: _Built(each.ready, each.arguments) for name, each in told.items()}
    return scene_text(alone, Path(), figures=figures, meshes=False)


class Text:
    """The text of a scene as it is now, written when it is first asked for, by any thread.

    To write it takes longer than a person may wait for what they have done.
    """

    def __init__(self, scene: Scene) -> None:
        """Take a scene that must not change any more; its figures are shared, and may."""
        self._turn = threading.Lock()
        self._text = ""
        self._scene: Scene | None = scene
        self._figures = {name: figure.twin() for name, figure in scene.given.items()}

    @classmethod
    def known(cls, text: str) -> Text:
        """A text that need not be written."""
        made = object.__new__(cls)
        made._turn, made._text, made._scene, made._figures = threading.Lock(), text, None, {}
        return made

    def __str__(self) -> str:
        """The text; a `PoiseError` where the scene cannot be written."""
        with self._turn:
            if self._scene is not None:
                self._text = text_of(self._scene, self._figures)
                self._scene, self._figures = None, {}
            return self._text


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
    props = scene.get("props")
    for name, prop in props.items() if isinstance(props, dict) else ():
        if isinstance(prop, dict) and prop.get("mesh") is not None:
            found.append(("scene", "props", str(name), "mesh"))
    return found
