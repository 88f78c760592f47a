"""What the page says of an error: what is wrong, and what to click, not what to write."""

from __future__ import annotations

from poise.errors import PoiseError

_REMEDIES = {
    "support": "add what the figure stands on in the panel Forces",
    "sole": "pin a foot or another part that has an outline (P over it, or a right click), "
    "or lay it on the ground with a task of the type contact",
    "strength": "say whose strength counts in the panel Forces",
    "name": "choose another name",
}
"""What to do in the page, by the word that an error has for what would mend it."""


def said(error: PoiseError) -> str:
    """An error in the words of the page."""
    remedy = _REMEDIES.get(error.remedy)
    return f"{error.plain}: {remedy}" if remedy else error.plain
