"""Keeping the document: written after every step, all of it or nothing, and found again.

A server that is killed loses nothing but a drag that is under way.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_state_path
from pydantic import BaseModel, ConfigDict, ValidationError

from poise.documents import write
from poise.errors import PoiseError
from poise.studio.document import Document
from poise.studio.opening import scene_of, text_of

_log = logging.getLogger(__name__)

_FILE, _BROKEN, _BEFORE = "studio.json", "studio.broken.json", "studio.before.json"


class Kept(BaseModel):
    """A document as it is written."""

    model_config = ConfigDict(extra="forbid")

    poise: int = 1
    """Of the form of the file."""
    scene: str
    """The text of a scene file; its postures may be older."""
    q: list[str]
    """All coordinates, to the last bit (hexadecimal)."""
    poses: dict[str, dict[str, str]] = {}
    symmetric: bool = False
    contact_forces: bool = False
    skins: dict[str, str] = {}
    """By figure, the file in the folder of uploads that its skin is from."""
    shown: dict[str, Any] = {}
    """What the last tab showed."""


def folder() -> Path:
    """Where the studio keeps things: POISE_STUDIO_DIR, or the user's state folder."""
    given = os.environ.get("POISE_STUDIO_DIR")
    return Path(given) if given else user_state_path("poise", appauthor=False) / "studio"


class Keeper:
    """Writes a document on a thread of its own, the latest only."""

    def __init__(self, where: Path) -> None:
        """Keep in a folder, which is made when it is needed."""
        self._where = where
        self._wake = threading.Condition()
        self._next: Callable[[], str] | None = None
        self._busy = self._ended = False
        self._thread: threading.Thread | None = None
        self._text: tuple[int, str] | None = None

    # writing -------------------------------------------------------------------------------

    def keep(self, document: Document, structure: int, shown: dict[str, Any]) -> None:
        """Write a document soon. It must not change any more: give a copy.

        Its figures are shared, and their locks change: what is written of them is read at once.

        Args:
            document: what to keep.
            structure: another number where more than the posture has changed.
            shown: what tabs show.
        """
        if self._text is None or self._text[0] != structure:
            self._text = structure, text_of(document.scene)
        text = self._text[1]
        with self._wake:
            self._next = lambda: _written(text, document, shown)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="poise-keeper", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until all is written."""
        with self._wake:
            return self._wake.wait_for(lambda: self._next is None and not self._busy, seconds)

    def close(self) -> None:
        """Write what is left, and end."""
        self.wait()
        with self._wake:
            self._ended = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=10.0)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                self._wake.notify_all()
                self._wake.wait_for(lambda: self._next is not None or self._ended)
                if self._next is None:
                    return
                make, self._next = self._next, None
                self._busy = True
            try:
                text = make()
                self._where.mkdir(parents=True, exist_ok=True)
                write(self._where / _FILE, text)
            except Exception:
                # A full disk must not end the work; the next step tries again.
                _log.exception("the studio could not be kept in %s", self._where)

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
            return _document(Kept.model_validate_json(text))
        except (ValidationError, PoiseError, ValueError) as error:
            _log.warning("what the studio had kept cannot be read: %s", error)
            self._put_aside(path, _BROKEN)
            return None

    def begin_anew(self) -> None:
        """Put what was kept aside: something else is begun."""
        self._put_aside(self._where / _FILE, _BEFORE)

    def _put_aside(self, path: Path, name: str) -> None:
        try:
            path.replace(self._where / name)
        except OSError:
            _log.debug("nothing to put aside at %s", path)

    # uploads -------------------------------------------------------------------------------

    def store(self, content: bytes, suffix: str) -> str:
        """Keep a file that was uploaded; the name under which it is found again."""
        name = sha256(content).hexdigest()[:32] + suffix
        where = self._where / "uploads"
        where.mkdir(parents=True, exist_ok=True)
        if not (where / name).exists():
            partly = where / f"{name}.part"
            partly.write_bytes(content)
            partly.replace(where / name)
        return name

    def tidy(self) -> None:
        """Remove the files that nothing names any more; what was put aside counts, too."""
        kept = [self._where / name for name in (_FILE, _BEFORE, _BROKEN)]
        try:
            named = "".join(each.read_text("utf-8", "replace") for each in kept if each.exists())
            for each in list((self._where / "uploads").glob("*")):
                if each.name not in named:
                    each.unlink()
        except OSError:
            _log.warning("what was uploaded before cannot be removed", exc_info=True)

    def stored(self, name: str) -> bytes | None:
        """A file that was kept; None where it is gone."""
        try:
            return (self._where / "uploads" / Path(name).name).read_bytes()
        except OSError:
            return None


def _written(text: str, document: Document, shown: dict[str, Any]) -> str:
    kept = Kept(
        scene=text,
        q=[value.hex() for value in document.scene.q.tolist()],
        poses={
            name: {key: float(value).hex() for key, value in pose.items()}
            for name, pose in document.poses.items()
        },
        symmetric=document.symmetric,
        contact_forces=document.contact_forces,
        skins=dict(document.skin_files),
        shown=shown,
    )
    return json.dumps(kept.model_dump(), indent=1)


def _document(kept: Kept) -> tuple[Document, dict[str, Any]]:
    scene = scene_of(kept.scene, "what the studio kept")
    scene.q = [float.fromhex(value) for value in kept.q]
    document = Document(
        scene,
        {
            name: {key: float.fromhex(value) for key, value in pose.items()}
            for name, pose in kept.poses.items()
        },
        kept.symmetric,
        kept.contact_forces,
    )
    document.skin_files = dict(kept.skins)
    return document, kept.shown
