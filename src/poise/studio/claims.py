"""A folder that one studio has for itself: two that wrote there would undo each other's work."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from poise.errors import PoiseError
from poise.studio.private import make_folder, opener

LOCK = "studio.lock"
"""The file by which a folder is claimed."""


class Claim:
    """Holds a folder until it is let go, or the process ends, however it does."""

    def __init__(self, where: Path) -> None:
        """Claim a folder, which is made if need be; a `PoiseError` where another has it.

        A folder that cannot be written to can be claimed by anyone: nothing is kept there.
        """
        self._file: IO[str] | None = None
        try:
            make_folder(where)
            file = open(where / LOCK, "a+", encoding="utf-8", opener=opener)  # noqa: SIM115
        except OSError:
            return
        if not _locked(file):
            file.seek(0)
            who = file.read().strip() if sys.platform != "win32" else ""
            file.close()
            raise PoiseError(
                f"another studio{f' (process {who})' if who else ''} keeps its work in "
                f"{str(where)!r}: end that one, or let this one keep its work elsewhere: "
                "poise studio --keep FOLDER"
            )
        self._file = file
        if sys.platform != "win32":  # there a file that is locked cannot be read
            with suppress(OSError):  # only for the words: a full disk is no reason to end
                file.truncate(0)
                file.write(str(os.getpid()))
                file.flush()

    def let_go(self) -> None:
        """Leave the folder to others."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written cannot be written now
                self._file.close()
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _locked(file: IO[str]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: IO[str]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
