"""Props from files of triangles: GLB and glTF, STL, OBJ.

They are drawn as the file has them, and collide as convex pieces.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from poise.calls import public
from poise.checking import FARTHEST, factor
from poise.errors import PoiseError, enough_memory, unknown_name
from poise.figure.parts import Segment
from poise.figure.props import PROP_COLOR, MeshFile, Prop, faces
from poise.figure.skin import Material, Visual
from poise.formats.hostile import Names
from poise.formats.meshes.convex import convex_pieces
from poise.formats.meshes.reading import SUFFIXES, read_visuals
from poise.formats.placing import color_parts
from poise.units import warn

__all__ = ["MOST_PIECES", "SUFFIXES", "mesh"]

MOST_PIECES = 32
"""Convex pieces of a prop that says nothing of their number."""
_LARGE, _SMALL = 20.0, 1e-3  # m: beyond these the unit of a file is hardly the metre


@public
def mesh(
    file: str | Path,
    *,
    name: str | None = None,
    scale: float = 1.0,
    up: str | None = None,
    mass: float = 1.0,
    color: str | None = None,
    solid: bool = True,
    pieces: int = MOST_PIECES,
) -> Prop:
    """A prop from a file of triangles: .glb, .gltf, .stl or .obj.

    Its frame is the file's own: x forward, y left, z up. It is drawn as the file has it, and
    collides as convex pieces, found by coacd and kept in the user's cache; where that is not
    installed (`pip install 'poise[meshes]'`), as one convex hull, of which a warning tells.

    Sites: center, and top, bottom, front (+x), back, left (+y), right in the middle of the faces of
    the box around it.

    Args:
        file: all its meshes become one prop; it need not be closed.
        name: of the prop; that of the file if not given.
        scale: metres in one unit of the file, 0.001 for millimetres. glTF has metres.
        up: the file's axis that points up, "y" (then z is forward) or "z" (then x is); "y" for
            glTF, which has no other, and "z" for others if not given.
        mass: kg; the centre of mass and the inertia are those of the pieces at even density.
        color: of all of it, like "#b98a5a"; what the file says if not given.
        solid: whether bodies cannot pass through it.
        pieces: at most so many convex pieces; 1 for one hull.
    """
    if not isinstance(file, (str, Path)):
        raise PoiseError(f"the file of a mesh must be a string or a Path, not {file!r}")
    path = Path(file)
    if isinstance(pieces, bool) or not isinstance(pieces, int) or pieces < 1:
        raise PoiseError(f"pieces must be a whole number, at least 1, not {pieces!r}")
    if color is not None and not re.fullmatch("#[0-9a-fA-F]{6}", str(color)):
        raise PoiseError(f"the color of a mesh must be like '#b98a5a', not {color!r}")
    unit = factor(scale, "the scale of a mesh")
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise unknown_name("format of meshes", suffix or str(path), SUFFIXES)
    usual = "y" if suffix in (".glb", ".gltf") else "z"
    axis = usual if up is None else up
    if axis not in ("y", "z") or (usual == "y" and axis != "y"):
        allowed = "'y', as glTF has it" if usual == "y" else "'y' or 'z'"
        raise PoiseError(f"up must be {allowed}, not {axis!r}")
    with enough_memory(f"what {str(path)!r} holds"):
        visuals = read_visuals(path, unit, axis)
        points = np.concatenate([visual.points for visual in visuals])
        low, high = points.min(axis=0), points.max(axis=0)
        if max(-low.min(), high.max()) > FARTHEST:
            raise PoiseError(f"{path}: a point is farther than {FARTHEST:g} m away; see scale=")
        _warn_of_unit(path, float((high - low).max()))
        shapes = convex_pieces(visuals, pieces, str(path))
    paint = PROP_COLOR if color is None and usual == "z" else color  # STL and OBJ have no colours
    if paint is not None:
        visuals = [_painted(visual, paint) for visual in visuals]
    called = Names().fresh(path.stem) if name is None else name
    segment = Segment(
        called, mass, shapes=shapes, color=color or PROP_COLOR, visuals=tuple(visuals)
    )
    sites = faces(called, 0.5 * (high - low), 0.5 * (low + high))
    source = MeshFile(path, unit, axis, pieces, color, shapes, sites)
    return Prop(segment, sites, solid, source)


def _painted(visual: Visual, color: str) -> Visual:
    red, green, blue = (_linear(part) for part in color_parts(color))
    material = Material((red, green, blue, 1.0), double_sided=True)
    return Visual(visual.points, visual.normals, visual.triangles, material)


def _linear(part: float) -> float:
    """From what screens take to linear light (IEC 61966-2-1)."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _warn_of_unit(path: Path, size: float) -> None:
    if size > _LARGE:
        advice = "if its unit is the millimetre, say scale=0.001"
    elif size < _SMALL:
        advice = "scale= says how many metres one unit of the file is"
    else:
        return
    warn(f"{path} is {size:.3g} m large, for lengths are in metres; {advice}")
