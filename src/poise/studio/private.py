"""What the studio keeps is for its user's eyes only, on systems that have such rights."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from poise.documents import HALF_WRITTEN

_log = logging.getLogger(__name__)

_FOLDER, _FILE = 0o700, 0o600
"""Rights: all for the user, none for anybody else."""


def make_folder(path: Path) -> None:
    """Make a folder, and those that it lies in, unless it is there."""
    path.mkdir(mode=_FOLDER, parents=True, exist_ok=True)


def opener(path: str, flags: int) -> int:
    """For `open`: a file that is made thereby is its user's only."""
    return os.open(path, flags, _FILE)


def make_private(folder: Path, names: Collection[str]) -> None:
    """Take away what rights others have to a folder, which is made if need be, and its files.

    In a folder that has more in it than the studio's own, only the studio's own is touched. The
    folder may be a link to another; what links in it lead to is left alone.

    Args:
        folder: where the studio keeps things.
        names: of its own files and folders there. Half-written files are its own, too.
    """
    try:
        make_folder(folder)
        folder = folder.resolve()
        held = list(folder.iterdir())
    except OSError:
        return  # nothing can be kept there, which is said when something is to be
    own = [each for each in held if each.name in names or re.fullmatch(HALF_WRITTEN, each.name)]
    for each in own:
        _close(each)
    if len(own) == len(held):
        _restrict(folder, _FOLDER)


def _close(path: Path) -> None:
    is_folder = path.is_dir() and not path.is_symlink()
    _restrict(path, _FOLDER if is_folder else _FILE)
    if is_folder:
        with suppress(OSError):
            for each in list(path.iterdir()):
                _close(each)


def _restrict(path: Path, rights: int) -> None:
    """Give a file or folder these rights; what a link leads to is left alone."""
    try:
        if not path.is_symlink():
            path.chmod(rights)
    except OSError as error:
        _log.warning("others may be able to read %s: %s", path, error)
