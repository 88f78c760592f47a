"""Convex pieces of a mesh, found by coacd and kept by content; or the convex hull of all of it.

Wei, Liu, Ling & Su 2022, Approximate convex decomposition for 3D meshes with collision-aware
concavity and tree search.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import os
import tempfile
import zipfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure.hulls import hull_triangles
from poise.figure.shapes import Hull
from poise.figure.skin import Visual
from poise.kernel.library import cache_folder
from poise.units import warn

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONCAVITY = 0.05
"""How deep, as a share of the mesh's size, a piece may be hollow: coacd's own default."""
MOST_CORNERS = 64
"""Points of one piece; distances to it cost the more the more it has."""
_FORMAT = 1  # of the files in the cache
INSTALL = "pip install 'poise[meshes]'"


def convex_pieces(visuals: Sequence[Visual], most: int, name: str) -> tuple[Hull, ...]:
    """A mesh as at most so many convex pieces.

    Args:
        visuals: what is drawn of it.
        most: pieces; one is the hull of all of it.
        name: of its file, for messages.
    """
    points, triangles = _welded(visuals)
    whole = _hull(points, name)
    if most == 1 or _is_convex(points, triangles, whole):
        return (whole,)
    try:
        release = version("coacd")
    except PackageNotFoundError:
        warn(
            f"{name} collides as one convex hull, for coacd, which finds convex pieces, is not "
            f"installed: {INSTALL}"
        )
        return (whole,)
    key = hashlib.sha256(f"{_FORMAT} {release} {CONCAVITY} {MOST_CORNERS} {most}\n".encode())
    key.update(points.tobytes())
    key.update(triangles.tobytes())
    path = cache_folder() / "meshes" / f"{key.hexdigest()[:32]}.npz"
    kept = _kept(path)
    if kept is None:
        kept = _decomposed(points, triangles, most)
        _keep(path, kept)
    pieces: list[Hull] = []
    for piece in kept:
        with contextlib.suppress(PoiseError):  # flat ones have nothing to collide with
            pieces.append(_hull(piece, name))
    if not pieces:
        warn(f"{name} collides as one convex hull, for coacd found no pieces of it")
    return tuple(pieces) or (whole,)


def _welded(visuals: Sequence[Visual]) -> tuple[Floats, Ints]:
    """All triangles with each point once, so that neighbours are known as such."""
    corners = np.concatenate([visual.points[visual.triangles].reshape(-1, 3) for visual in visuals])
    points, numbers = np.unique(corners, axis=0, return_inverse=True)
    triangles = numbers.reshape(-1, 3).astype(np.int64)
    a, b, c = triangles.T
    return points, triangles[(a != b) & (b != c) & (c != a)]


def _hull(points: Floats, name: str) -> Hull:
    try:
        outer = points[np.unique(hull_triangles(points, "the points"))]
        return Hull(tuple((x, y, z) for x, y, z in outer.tolist()))
    except PoiseError:
        raise PoiseError(
            f"{name} lies in one plane: a prop from a file must have a volume"
        ) from None


def _is_convex(points: Floats, triangles: Ints, whole: Hull) -> bool:
    """Whether all triangles lie on the hull, and their volume is that of it."""
    corners = points[triangles] - points.mean(axis=0)
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    solid = whole.solid().volume
    return abs(abs(float(volume)) - solid) < 1e-6 * solid and bool(
        len(np.unique(triangles)) == len(whole.points)
    )


def _decomposed(points: Floats, triangles: Ints, most: int) -> list[Floats]:
    coacd: Any = importlib.import_module("coacd")
    coacd.set_log_level("error")
    mesh = coacd.Mesh(points, triangles.astype(np.int32))
    found = coacd.run_coacd(
        mesh,
        threshold=CONCAVITY,
        max_convex_hull=most,
        max_ch_vertex=MOST_CORNERS,
        decimate=True,
    )
    return [np.array(corners, np.float64).reshape(-1, 3) for corners, _ in found]


def _kept(path: Path) -> list[Floats] | None:
    """What was kept; None where nothing was, or it is damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as kept:
            points, starts = kept["points"], kept["starts"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    sound = (
        points.ndim == 2
        and points.shape[1] == 3
        and points.dtype == np.float64
        and bool(np.isfinite(points).all())
        and starts.ndim == 1
        and np.issubdtype(starts.dtype, np.integer)
    )
    return np.split(points, starts.tolist()) if sound else None


def _keep(path: Path, pieces: Sequence[Floats]) -> None:
    """Write a file of pieces, all of it or nothing; where it cannot be written, none is kept."""
    if not pieces:
        return
    starts = np.cumsum([len(piece) for piece in pieces[:-1]], dtype=np.int64)
    content = io.BytesIO()
    np.savez_compressed(content, points=np.concatenate(pieces), starts=starts)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            try:
                file.write(content.getvalue())
                file.close()
                os.replace(file.name, path)
            except OSError:
                os.unlink(file.name)
