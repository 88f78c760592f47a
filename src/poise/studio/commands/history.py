"""Back and forth."""

from __future__ import annotations

from typing import Literal

from poise.studio.commands.base import Command


class Undo(Command):
    """Take the last step back."""

    do: Literal["undo"] = "undo"


class Redo(Command):
    """Do again what was undone last."""

    do: Literal["redo"] = "redo"
