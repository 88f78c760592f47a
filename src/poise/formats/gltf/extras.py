"""What poise writes into the extras of a glTF file, and how it is found again."""

from __future__ import annotations

from typing import Any

KEY = "poise"
"""The key of ours in glTF's extras."""


def ours(extras: Any) -> dict[str, Any]:
    """What poise has written among extras; empty where it has not."""
    found = extras.get(KEY) if isinstance(extras, dict) else None
    return found if isinstance(found, dict) else {}
