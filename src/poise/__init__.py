"""Postures for articulated figures, by tasks in strict order of importance.

The names below are imported when they are first used, so that `import poise` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from poise.errors import PoiseError

if TYPE_CHECKING:
    from poise.figure import Builder, Figure, Posture
    from poise.formats.loading import load
    from poise.models import chain, hand, human
    from poise.pictures import picture

__version__ = "0.1.0"

_HOMES = {
    "Builder": "poise.figure",
    "Figure": "poise.figure",
    "Posture": "poise.figure",
    "chain": "poise.models",
    "hand": "poise.models",
    "human": "poise.models",
    "load": "poise.formats.loading",
    "picture": "poise.pictures",
}

__all__ = [
    "Builder",
    "Figure",
    "PoiseError",
    "Posture",
    "__version__",
    "chain",
    "hand",
    "human",
    "load",
    "picture",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'poise' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """All public names, imported or not."""
    return sorted(__all__)
