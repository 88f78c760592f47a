"""What a session begins with."""

from __future__ import annotations

import logging

from poise.scene import Scene
from poise.studio.commands import Shown
from poise.studio.document import Document
from poise.studio.history import History
from poise.studio.keeping import Keeper

_log = logging.getLogger(__name__)


def begun(scene: Scene | None, keeper: Keeper | None) -> tuple[Document, Shown, History]:
    """A scene, or what was kept with its history, or a standing human; and what tabs show."""
    if keeper is None:
        return _anew(scene)
    keeper.tidy()
    if scene is not None:
        keeper.begin_anew()
        return _anew(scene)
    kept = keeper.kept()
    if kept is None:
        keeper.forget_history()
        return _anew(None)
    document, shown = kept
    try:
        return document, Shown.model_validate(shown), keeper.history()
    except ValueError:
        _log.warning("what was shown cannot be read, and is as usual")
        return document, Shown(), keeper.history()


def _anew(scene: Scene | None) -> tuple[Document, Shown, History]:
    document = Document.new() if scene is None else Document(scene.copy())
    return document, Shown(), History()
