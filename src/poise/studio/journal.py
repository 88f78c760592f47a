"""The history on disk: what was done and undone, line by line, for the next start.

Each line is a JSON object. Most of a document stays the same from step to step: a line with `body`
says it once, and steps name it. Steps are `did`, `undid` and `redid` with the document on their
other side, as `History` has them; `ahead` is one that was undone when the file was last tidied.
Each has the number of its deed: those that are newer than the document have not happened to it.
"""

from __future__ import annotations

import json
import logging
import os
from collections import deque
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from poise.documents import write
from poise.errors import PoiseError
from poise.studio.history import STEPS
from poise.studio.kept import Kept
from poise.studio.private import make_folder, opener

_log = logging.getLogger(__name__)

MOST = 8_000_000
"""So many bytes the file may have; then the oldest steps go, until half is left."""

Deed = Literal["did", "undid", "redid", "ahead"]


@dataclass(frozen=True)
class Noted:
    """A step as it was written: its name, and the document on its other side."""

    name: str
    body: str
    """All of the document but its coordinates, as JSON."""
    q: tuple[str, ...]
    number: int = 0
    """Of the deed: the how-manieth it was."""

    def kept(self) -> Kept:
        """The document as it is kept."""
        try:
            return Kept(**json.loads(self.body), q=list(self.q))
        except (TypeError, ValueError) as error:
            raise PoiseError(f"what the studio noted of {self.name!r} is spoilt") from error


class Journal:
    """A file of steps that is only ever added to, and tidied from time to time."""

    def __init__(self, path: Path, most: int = MOST) -> None:
        """Keep steps in a file, which need not be there yet."""
        self._path, self._most = path, most
        self._known: set[str] = set()
        self._size = 0

    def read(self, last: int | None = None) -> tuple[list[Noted], list[Noted]]:
        """The steps that were done and those that were undone, the oldest first; tidies the file.

        A line that was cut off by a power cut is the last; where anything else makes no sense, the
        history is lost, and the document is not. A file that cannot be tidied is added to.

        Args:
            last: the number of the last deed that counts; None for all.
        """
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            content = b""
        except OSError as error:
            _log.warning("the history that was kept cannot be read: %s", error)
            content = b""
        self._known, self._size = set(), content.rfind(b"\n") + 1
        try:
            past, future = _replayed(content.splitlines(), last)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            _log.warning("the history that was kept cannot be read: %s", error)
            past, future, self._size = [], [], 0
        try:
            self._rewrite(past, future)
        except (PoiseError, OSError) as error:
            _log.warning("the history that was kept cannot be tidied: %s", error)
        return past, future

    def add(self, deed: Deed, name: str, kept: Kept, number: int = 0) -> None:
        """Write a step down, all of it or nothing that is read later."""
        if self._size > self._most:
            self.read()
        there = self._path.stat().st_size if self._path.exists() else 0
        if there < self._size:  # somebody has taken it away
            self._known, self._size = set(), there
        known = set(self._known)
        lines = _lines(deed, Noted(name, _body(kept), tuple(kept.q), number), known)
        make_folder(self._path.parent)
        with open(self._path, "ab", opener=opener) as file:
            if there > self._size:  # a step before was cut off, by a full disk
                file.truncate(self._size)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        self._known, self._size = known, self._size + len(lines)

    def clear(self) -> None:
        """Forget all steps; those in a file that cannot be removed are written over."""
        self._known, self._size = set(), 0
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("the history that was kept cannot be removed: %s", error)

    def _rewrite(self, past: list[Noted], future: list[Noted]) -> None:
        """Write the latest steps anew, as many as half of the room holds."""
        kept: list[tuple[Deed, Noted]] = [("did", each) for each in past]
        ahead: list[tuple[Deed, Noted]] = [("ahead", each) for each in future]
        # The step that is undone next, and the one that is done again next, are the last to go.
        room, known = self._most // 2, set[str]()
        for steps in (kept, ahead):
            for i in range(len(steps) - 1, -1, -1):
                room -= len(_lines(*steps[i], known))
                if room < 0:
                    del steps[: i + 1]
                    break
        del past[: len(past) - len(kept)], future[: len(future) - len(ahead)]
        known = set[str]()
        content = b"".join(_lines(*each, known) for each in (*kept, *ahead))
        if not content:
            self.clear()
            return
        write(self._path, content, private=True)
        self._known, self._size = known, len(content)


def _body(kept: Kept) -> str:
    return json.dumps(kept.model_dump(exclude={"q", "shown", "step"}), sort_keys=True)


def _lines(deed: Deed, step: Noted, known: set[str]) -> bytes:
    """A step as lines of the file: first its body, unless that is known."""
    key = sha256(step.body.encode()).hexdigest()[:16]
    lines: list[dict[str, Any]] = []
    if key not in known:
        known.add(key)
        lines.append({"body": key, "text": step.body})
    lines.append({"deed": deed, "name": step.name, "number": step.number, "of": key, "q": step.q})
    return "".join(f"{json.dumps(each)}\n" for each in lines).encode()


def _replayed(lines: list[bytes], last: int | None) -> tuple[list[Noted], list[Noted]]:
    bodies: dict[str, str] = {}
    past: deque[Noted] = deque(maxlen=STEPS)
    future: deque[Noted] = deque(maxlen=STEPS)
    for i, line in enumerate(lines):
        try:
            entry = json.loads(line)
        except ValueError:
            if i < len(lines) - 1:
                raise
            break
        if "body" in entry:
            bodies[str(entry["body"])] = str(entry["text"])
            continue
        number = int(entry.get("number", 0))
        if last is not None and number > last:
            continue
        step = Noted(str(entry["name"]), bodies[entry["of"]], tuple(map(str, entry["q"])), number)
        _replay(str(entry["deed"]), step, past, future)
    return list(past), list(future)


def _replay(deed: str, step: Noted, past: deque[Noted], future: deque[Noted]) -> None:
    if deed == "did":
        past.append(step)
        future.clear()
    elif deed == "ahead":
        future.append(step)
    elif deed == "undid":
        if past:  # else it was older than what the file had room for
            past.pop()
        future.append(step)
    elif deed == "redid":
        if future:
            future.pop()
        past.append(step)
    else:
        raise ValueError(f"there is no deed {deed!r}")
