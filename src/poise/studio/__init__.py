"""The studio: pose a figure by hand, in the browser.

`serve()` opens it. All state lives in a `Session`; pages may come and go.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise.studio.serving import serve
    from poise.studio.session import Session

_HOMES = {"Session": "poise.studio.session", "serve": "poise.studio.serving"}

__all__ = ["Session", "serve"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562): NiceGUI takes a while to load."""
    if name not in _HOMES:
        raise AttributeError(f"module 'poise.studio' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
