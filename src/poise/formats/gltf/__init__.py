"""glTF 2.0: figures with their skins, postures and motions, as .glb or .gltf.

glTF has metres, y up, z forward, x left.
"""

from __future__ import annotations

from pathlib import Path

from poise.formats.conventions import AUTO
from poise.formats.gltf.reading import read_asset
from poise.formats.gltf.writing import write
from poise.formats.reading import Reading

__all__ = ["read", "write"]


def read(
    path: str | Path, *, unit: str | float = AUTO, forward: str = "z", fps: float | None = None
) -> Reading:
    """Read a .glb or .gltf file.

    The joints of skins and the nodes that animations move become segments on ball joints without
    limits, the topmost of them free roots; nodes that stand still on them become sites. A file
    that poise wrote gives back the very figure. Animations are sampled at even steps; one with a
    single key is a named posture.

    Args:
        path: the file.
        unit: what one of the file's units is, "m", "cm" and so on, or in metres; "auto" takes
            metres, as glTF has it, unless the figure were larger than 20 m: then centimetres.
        forward: the file's axis to which the figure looks, "z" (as glTF has it), "-z", "x", "-x".
        fps: frames per second of all clips; without it, those of each animation's keys.
    """
    return read_asset(path, unit=unit, forward=forward, fps=fps)
