"""Left and right by name."""

from __future__ import annotations

from poise.figure import Figure


def other_side(name: str) -> str:
    """The name on the other side: `figure/left_hand` as `figure/right_hand`; else as it is."""
    first, slash, own = name.rpartition("/")
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if own.startswith(side):
            return first + slash + other + own.removeprefix(side)
    return name


def has_sides(figure: Figure) -> bool:
    """Whether some joint has a partner on the other side."""
    others = ((name, other_side(name)) for name in figure.joints)
    return any(other != name and other in figure.joints for name, other in others)
