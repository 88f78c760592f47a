"""Versions of scene files: what older ones leave out is as it was when they were written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 2
"""Of the defaults that files leave out. In files without one, of version 1, natural is false,
restarts is 0, and so is the margin of balance."""

_FIRST: Mapping[str, Mapping[str, Any]] = {"balance": {"margin": 0.0}}
"""Defaults of tasks in version 1 that are others now, by task and field."""


def with_first_defaults(key: str, given: Any) -> Any:
    """What a file of version 1 gives for a key, with the defaults of then; tasks within it, too."""
    if isinstance(given, list):
        return [with_first_defaults("", each) for each in given]
    if given is None and key in _FIRST:
        given = {}
    if not isinstance(given, Mapping):
        return given
    fields = {name: with_first_defaults(str(name), each) for name, each in given.items()}
    return {**_FIRST.get(key, {}), **fields}
