"""What a session begins with."""

from __future__ import annotations

import logging

from poise.errors import PoiseError
from poise.scene import Scene
from poise.studio.commands import Shown
from poise.studio.document import Document
from poise.studio.keeping import Keeper
from poise.studio.uploads import read_upload

_log = logging.getLogger(__name__)


def begun(scene: Scene | None, keeper: Keeper | None) -> tuple[Document, Shown]:
    """A scene, or what was kept, or a standing human; and what tabs are to show at first."""
    if keeper is not None:
        keeper.tidy()
    if scene is not None:
        if keeper is not None:
            keeper.begin_anew()
        return Document(scene.copy()), Shown()
    kept = keeper.kept() if keeper is not None else None
    if keeper is None or kept is None:
        return Document.new(), Shown()
    document, shown = kept
    _wear(document, keeper)
    try:
        return document, Shown.model_validate(shown)
    except ValueError:
        _log.warning("what was shown cannot be read, and is as usual")
        return document, Shown()


def _wear(document: Document, keeper: Keeper) -> None:
    """Read the skins of a document that was kept."""
    for name, file in list(document.skin_files.items()):
        content = keeper.stored(file)
        try:
            read = read_upload(file, content) if content is not None else ""
        except PoiseError as error:
            read = str(error)
        if isinstance(read, str) or read.skin is None or name not in document.scene.figures:
            del document.skin_files[name]
        else:
            document.skins[name] = read.skin
