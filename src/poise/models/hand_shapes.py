"""Shapes of the hand: open, fist and so on, for any figure that has our fingers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from poise.calls import public
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.models.hand import FINGERS
from poise.models.tables import table

SIDES = ("left", "right")

Hand = Literal["left", "right", "both"]


@public
def hand_shape_names(figure: Figure) -> list[str]:
    """The shapes that `hand_shape` knows; none for a figure whose fingers do not move."""
    if not isinstance(figure, Figure):
        raise PoiseError(f"shapes of the hand are those of a figure, not of {figure!r}")
    return list(table("poses")["hands"]) if fingered(figure) else []


@public
def hand_shape(posture: Posture, name: str, *, hand: Hand = "both") -> Posture:
    """A posture with one hand or both in another shape; all else stays.

    Args:
        posture: of a figure with fingers: `poise.human(hands=True)`, `poise.hand()`.
        name: "open", "relaxed", "fist", "point", "pinch" or "grip".
        hand: "left", "right", or "both" for those that the figure has.
    """
    if not isinstance(posture, Posture):
        raise PoiseError(f"hand_shape takes a posture, not {posture!r}")
    figure = posture.figure
    sides = fingered(figure)
    if not sides:
        raise PoiseError(
            f"{figure.name!r} has no fingers that move, so its hands keep their shape",
            code="; poise.human(hands=True) has some",
        )
    if name not in hand_shape_names(figure):
        raise unknown_name("shape of the hand", name, hand_shape_names(figure))
    if hand not in ("both", *SIDES):
        raise PoiseError(f"hand must be 'left', 'right' or 'both', not {hand!r}")
    if hand != "both" and hand not in sides:
        raise PoiseError(f"{figure.name!r} has no {hand} hand with fingers, only a {sides[0]} one")
    result = posture.copy()
    shape = table("poses")["hands"][name]
    for side in sides if hand == "both" else (hand,):
        for joint, angles in _angles(side, shape):
            result.set_angles(joint, **{each: np.deg2rad(value) for each, value in angles.items()})
    return figure.clamp(result)


def fingered(figure: Figure) -> list[str]:
    """The sides whose hands have our fingers."""
    return [
        side
        for side in SIDES
        if all(
            joint in figure.joints for joint, _ in _angles(side, table("poses")["hands"]["fist"])
        )
    ]


def _angles(side: str, shape: dict[str, Any]) -> Iterator[tuple[str, dict[str, float]]]:
    """The joints of a hand with their clinical angles (degrees)."""
    coupled = table("hand")["ranges"]["dip_of_pip"]
    for finger in FINGERS:
        row = shape.get(finger) or shape["fingers"]
        spread = shape.get("spread", {}).get(finger, 0.0)
        yield f"{side}_{finger}_mcp", {"flexion": row["mcp"], "abduction": spread}
        yield f"{side}_{finger}_pip", {"flexion": row["pip"]}
        yield f"{side}_{finger}_dip", {"flexion": coupled * row["pip"]}
    thumb = shape["thumb"]
    yield (
        f"{side}_thumb_cmc",
        {"flexion": thumb["flexion"], "abduction": thumb["abduction"]},
    )
    yield f"{side}_thumb_mcp", {"flexion": thumb["mcp"]}
    yield f"{side}_thumb_ip", {"flexion": thumb["ip"]}
