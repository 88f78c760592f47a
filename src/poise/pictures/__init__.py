"""Stills of figures and of joint limits; plots. Needs the extra `poise[pictures]`; no display."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise.pictures.diagrams import diagram_picture
    from poise.pictures.drawing import picture
    from poise.pictures.limits import limits_picture
    from poise.pictures.stage import View
    from poise.pictures.traces import trace_picture

_HOMES = {
    "View": "poise.pictures.stage",
    "diagram_picture": "poise.pictures.diagrams",
    "limits_picture": "poise.pictures.limits",
    "picture": "poise.pictures.drawing",
    "trace_picture": "poise.pictures.traces",
}

__all__ = ["View", "diagram_picture", "limits_picture", "picture", "trace_picture"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'poise.pictures' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """All public names, imported or not."""
    return sorted(__all__)
