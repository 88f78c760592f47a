"""Keeping the document: written after every step, all of it or nothing, and found again.

A server that is killed loses nothing but a drag that is under way.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_state_path

from poise.documents import HALF_WRITTEN, write
from poise.errors import PoiseError
from poise.studio.claims import LOCK, Claim
from poise.studio.document import Document
from poise.studio.history import History
from poise.studio.journal import Deed, Journal, Noted
from poise.studio.kept import Kept
from poise.studio.memory import give_back
from poise.studio.private import make_folder, make_private
from poise.studio.uploads import read_upload

if TYPE_CHECKING:
    from poise.figure.skin import Skin

_log = logging.getLogger(__name__)

_FILE, _BROKEN, _BEFORE = "studio.json", "studio.broken.json", "studio.before.json"
_JOURNAL, _UPLOADS = "history.jsonl", "uploads"
_OWN = (_FILE, _BROKEN, _BEFORE, _JOURNAL, _UPLOADS, LOCK)
"""All that the studio has in its folder."""


_TIDIED = 50
"""After so many things that were kept, memory that nobody uses is given back."""


def folder() -> Path:
    """Where the studio keeps things: POISE_STUDIO_DIR, or the user's state folder."""
    given = os.environ.get("POISE_STUDIO_DIR")
    return Path(given) if given else user_state_path("poise", appauthor=False) / "studio"


class Keeper:
    """Writes a document on a thread of its own, the latest only, and every step of its history."""

    def __init__(self, where: Path) -> None:
        """Keep in a folder, which no other studio may use meanwhile."""
        self._where = where
        make_private(where, _OWN)
        self._claim = Claim(where)
        self._journal = Journal(where / _JOURNAL)
        self._skins: dict[str, Skin | None] = {}
        self._wake = threading.Condition()
        self._steps: list[Callable[[], None]] = []
        self._next: Callable[[], str] | None = None
        self._busy = self._ended = False
        self._deeds = self._since = 0
        self.trouble = ""
        """Why the work cannot be kept at present, in words; empty where it can."""
        self.tell: Callable[[str], object] = _log.warning
        """Who is told of trouble, once, on a thread of the keeper's own."""
        self._thread: threading.Thread | None = None

    # writing -------------------------------------------------------------------------------

    def keep(self, document: Document, shown: dict[str, Any]) -> None:
        """Write a document soon, and what tabs show. It must not change any more: give a copy."""
        with self._wake:
            kept = partial(Kept.of, document, shown, self._deeds)
            self._next = lambda: json.dumps(kept().model_dump(), indent=1)
            self._begin()

    def note(self, deed: Deed, name: str, other_side: Document) -> None:
        """Write a step of the history down: before the document itself, which must come next.

        Args:
            deed: whether it was done, undone or done again.
            name: of the step.
            other_side: the document that it leads back to, as it was kept; it must not change.
        """
        with self._wake:
            self._deeds += 1
            number = self._deeds
            self._steps.append(lambda: self._journal.add(deed, name, Kept.of(other_side), number))
            self._begin()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="poise-keeper", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until all is written."""
        with self._wake:
            return self._wake.wait_for(lambda: not self._has_work() and not self._busy, seconds)

    def _has_work(self) -> bool:
        return self._next is not None or bool(self._steps)

    def close(self) -> None:
        """Write what is left, end, and let others have the folder."""
        self.wait()
        with self._wake:
            self._ended = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=10.0)
        self._claim.let_go()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                self._wake.notify_all()
                self._wake.wait_for(lambda: self._has_work() or self._ended)
                if not self._has_work():
                    return
                steps, self._steps = self._steps, []
                make, self._next = self._next, None
                self._busy = True
            work = [*steps, *([partial(self._write, make)] if make is not None else [])]
            failed = [each for each in map(self._tried, work) if each]
            if failed and failed[-1] != self.trouble:
                self.tell(failed[-1])
            self.trouble = failed[-1] if failed else ""
            self._since += len(work)
            if self._since >= _TIDIED:
                self._since = 0
                give_back()

    def _write(self, make: Callable[[], str]) -> None:
        make_folder(self._where)
        write(self._where / _FILE, make(), private=True)

    def _tried(self, work: Callable[[], object]) -> str:
        """Do something; why that failed, as on a full disk: the next is tried all the same."""
        try:
            work()
        except Exception as error:
            _log.exception("the studio could not be kept in %s", self._where)
            return f"the work is not kept in {str(self._where)!r}: {error}"
        return ""

    # reading -------------------------------------------------------------------------------

    def kept(self) -> tuple[Document, dict[str, Any]] | None:
        """The document that was kept, and what tabs showed; None where there is none.

        A file that cannot be read is put aside, for a person to look at.
        """
        path = self._where / _FILE
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            self._put_aside(path, _BROKEN)
            return None
        try:
            kept = Kept.model_validate_json(text)
            document = self._worn(kept.document())
        except Exception as error:  # a studio must begin, whatever it finds
            _log.warning("what the studio had kept cannot be read: %s", error)
            self._put_aside(path, _BROKEN)
            return None
        self._deeds = kept.step
        return document, kept.shown

    def history(self) -> History:
        """The steps of the document that was kept; each is read when it is undone."""
        past, future = self._journal.read(self._deeds)
        return History(
            [(each.name, _Remembered(each, self._worn)) for each in past],
            [(each.name, _Remembered(each, self._worn)) for each in future],
        )

    def begin_anew(self) -> None:
        """Put what was kept aside: something else is begun, whose history is its own."""
        self._put_aside(self._where / _FILE, _BEFORE)
        self.forget_history()

    def forget_history(self) -> None:
        """Begin with no steps: they are those of another document."""
        self._deeds = 0
        self._journal.clear()

    def _put_aside(self, path: Path, name: str) -> None:
        try:
            path.replace(self._where / name)
        except OSError:
            _log.debug("nothing to put aside at %s", path)

    # uploads -------------------------------------------------------------------------------

    def store(self, content: bytes, suffix: str) -> str:
        """Keep a file that was uploaded; the name under which it is found again."""
        name = sha256(content).hexdigest()[:32] + suffix
        where = self._where / _UPLOADS
        try:
            make_folder(where)
        except OSError as error:
            raise PoiseError(f"cannot make the folder {str(where)!r}: {error.strerror}") from None
        if not (where / name).exists():
            write(where / name, content, private=True)
        return name

    def tidy(self) -> None:
        """Remove the files that nothing names any more, and what was half written at a kill.

        What was put aside names files, too.
        """
        kept = [self._where / name for name in (_FILE, _BEFORE, _BROKEN, _JOURNAL)]
        try:
            named = "".join(each.read_text("utf-8", "replace") for each in kept if each.exists())
            for each in list((self._where / _UPLOADS).glob("*")):
                if each.name not in named:
                    each.unlink()
            for each in list(self._where.glob(".*.tmp")):
                if re.fullmatch(HALF_WRITTEN, each.name):
                    each.unlink()
        except OSError:
            _log.warning("what was uploaded before cannot be removed", exc_info=True)

    def stored(self, name: str) -> bytes | None:
        """A file that was kept; None where it is gone."""
        try:
            return (self._where / _UPLOADS / Path(name).name).read_bytes()
        except OSError:
            return None

    def _worn(self, document: Document) -> Document:
        """A document that was kept, in its skins; those that are gone it goes without."""
        for name, file in list(document.skin_files.items()):
            if file not in self._skins:
                self._skins[file] = self._skin(file)
            skin = self._skins[file]
            if skin is None or name not in document.scene.figures:
                del document.skin_files[name]
            else:
                document.skins[name] = skin
        return document

    def _skin(self, file: str) -> Skin | None:
        content = self.stored(file)
        try:
            read = read_upload(file, content) if content is not None else "it is gone"
        except PoiseError as error:
            read = str(error)
        if isinstance(read, str):
            _log.warning("the skin %s that was kept cannot be worn: %s", file, read)
            return None
        return read.skin


@dataclass(frozen=True)
class _Remembered:
    """A document of the history that was kept: read when it is needed."""

    noted: Noted
    wear: Callable[[Document], Document]

    def restored(self) -> Document:
        """The document; a `PoiseError` where it cannot be read any more."""
        try:
            return self.wear(self.noted.kept().document())
        except ValueError as error:
            raise PoiseError(f"{self.noted.name!r} cannot be taken back: {error}") from error
