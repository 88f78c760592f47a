"""What is kept of each function between builds: its code, what it returns and what it calls.

A record is found by the function's own content and the types of its arguments. It holds as long as
every kernel that it calls still returns the same types, so an edit builds again what it changed,
and nothing that only calls it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poise.building.kernels import digest, full_name


@dataclass(frozen=True)
class Record:
    """A function, lowered and simplified."""

    symbol: str
    returned: Any
    """numba's type of what it returns."""
    calls: tuple[tuple[str, str, str, tuple[Any, ...], Any], ...]
    """The kernels that it calls: symbol, module, name, types of arguments, what they returned."""
    size: int
    """How many instructions it has."""
    code: bytes
    """LLVM's bitcode."""

    @property
    def content(self) -> str:
        """A digest of the code."""
        return hashlib.sha256(self.code).hexdigest()


class Records:
    """Records in a folder, each in a file of its own; whole or not there at all."""

    def __init__(self, folder: Path, builder: str) -> None:
        """Keep records in a folder.

        Args:
            folder: made if need be.
            builder: what makes the records: another builder finds none of them.
        """
        self.folder, self._builder = folder, builder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, function: Any, arguments: tuple[Any, ...]) -> Path:
        said = [self._builder, full_name(function), digest(function), *map(str, arguments)]
        return self.folder / f"{hashlib.sha256('|'.join(said).encode()).hexdigest()[:40]}.record"

    def get(self, function: Any, arguments: tuple[Any, ...]) -> Record | None:
        """The record of a function as it is now; None where there is none."""
        path = self._path(function, arguments)
        try:
            with path.open("rb") as file:
                found: Record = pickle.load(file)
            os.utime(path)  # marks it as used
        except Exception:  # a damaged pickle may raise anything; it is made anew
            return None
        return found

    def put(self, function: Any, arguments: tuple[Any, ...], record: Record) -> None:
        """Keep a record."""
        write(self._path(function, arguments), pickle.dumps(record))


def write(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
