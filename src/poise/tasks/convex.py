"""Convex regions of space, to be inside of or outside of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poise.calls import Called
from poise.checking import FARTHEST, MOST_FACTOR, Vec3, array, distance
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Box
from poise.figure.transform import rotation_matrix
from poise.kernel.residuals.kinds import OUTSIDE
from poise.tasks.points import ORIGIN, framed_point, point_block, riding_frame
from poise.tasks.task import Block, Context, Task, Values, article, named, rides, settle


@closed
@dataclass(frozen=True)
class Convex(Called):
    """The points x with n · x ≤ o for each of some half-spaces (m).

    Args:
        normals: (k, 3) pointing outwards, of any length.
        offsets: (k,) n · x of the points x of each face; metres where the normal is a unit vector.

    `Convex.hull` makes one from points, `Convex.box` a box. It may be unbounded: a single
    half-space will do. Half-spaces without a point in common are refused.
    """

    normals: Any
    offsets: Any

    def __post_init__(self) -> None:
        """Check the numbers, and bring the normals to unit length."""
        normals = array(self.normals, "the normals of a Convex", (-1, 3), most=MOST_FACTOR)
        offsets = array(self.offsets, "the offsets of a Convex", (len(normals),), most=MOST_FACTOR)
        if not len(normals):
            raise PoiseError("a Convex needs at least one half-space")
        lengths = np.linalg.norm(normals, axis=1)
        if lengths.min() < 1e-9:
            raise PoiseError(f"normal {int(lengths.argmin())} of a Convex has no direction")
        unit = np.abs(lengths - 1.0) < 1e-12  # stays as it was given, to the last bit
        lengths = np.where(unit, 1.0, lengths)
        normals, offsets = normals / lengths[:, None], offsets / lengths
        array(offsets, "the offsets of a Convex", (len(normals),), most=FARTHEST, unit="m")
        if _room(normals, offsets) < -1e-9:
            raise PoiseError("the half-spaces of a Convex have no point in common")
        rows: list[Vec3] = [(x, y, z) for x, y, z in normals.tolist()]
        settle(self, "normals", tuple(rows))
        settle(self, "offsets", tuple(offsets.tolist()))

    @classmethod
    def hull(cls, points: ArrayLike) -> Convex:
        """The convex hull of points (k, 3) in metres, at least four and not all in one plane."""
        from scipy.spatial import ConvexHull, QhullError

        given = array(points, "the points of a Convex", (-1, 3), most=FARTHEST, unit="m")
        try:
            equations = ConvexHull(given).equations
        except (QhullError, ValueError):
            raise PoiseError(
                "the points of a Convex must be at least four and not lie in one plane; "
                f"there are {len(given)}"
            ) from None
        # Faces come in triangles: those of one plane are one face.
        faces: list[Values] = []
        for row in equations:
            if not any(np.allclose(row, other, rtol=0, atol=1e-9) for other in faces):
                faces.append(row)
        sides = np.array(faces)
        return cls(sides[:, :3], -sides[:, 3])

    @classmethod
    def box(cls, center: ArrayLike, size: ArrayLike, rotation: ArrayLike = ORIGIN) -> Convex:
        """A box by its centre and edges (m), turned by a rotation vector (rad)."""
        given: Any = (center, size, rotation)
        shape = Box(*given)
        axes = rotation_matrix(shape.rotation).T
        middle, half = axes @ np.array(shape.center), 0.5 * np.array(shape.size)
        return cls(np.concatenate([axes, -axes]), np.concatenate([middle + half, half - middle]))


@dataclass(frozen=True)
class _ConvexTask(Task):
    """A site against a convex region, which may ride on another site."""

    has_target: ClassVar[bool] = False

    site: str
    convex: Any
    margin: float = field(default=0.0, kw_only=True)
    frame: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        named(self.site, f"the site of {article(self)}")
        if not isinstance(self.convex, Convex):
            raise PoiseError(f"the region of {self.site!r} must be a Convex, not {self.convex!r}")
        settle(self, "margin", distance(self.margin, f"the margin of {self.site!r} (m)"))
        settle(self, "frame", riding_frame(self.frame, self.site))

    def sites(self) -> Sequence[str]:
        """The site, and what the region rides on."""
        return (self.site, self.frame) if rides(self.frame) else (self.site,)


@closed
@dataclass(frozen=True)
class Inside(_ConvexTask):
    """Keep a site inside a convex region, `margin` metres from its faces.

    One inequality a face: its offset less the margin and ν·x, in metres. With a `frame` the region
    is given in that site's frame and moves with it. Where the region is too small for the margin
    the site comes to lie where the faces' squared lacks are least.
    """

    def blocks(self, context: Context) -> list[Block]:
        """One row a face."""
        normals, offsets = np.array(self.convex.normals), np.array(self.convex.offsets)
        block = point_block(
            context,
            self.site,
            ORIGIN,
            self.frame,
            -normals,
            self.margin - offsets,
            inequality=True,
        )
        return [replace(block, target=-1)]


@closed
@dataclass(frozen=True)
class Outside(_ConvexTask):
    """Keep a site outside a convex region, `margin` metres from it.

    One inequality: the greatest of ν·x less the offset over all faces, less the margin, in metres.
    Inside that is the nearest face, towards which the site leaves; the choice is made anew at every
    posture, and where two faces are equally near the residual has a kink. Outside, beyond an edge
    or a corner, it is less than the distance to the region. With a `frame` the region is given in
    that site's frame and moves with it.
    """

    def blocks(self, context: Context) -> list[Block]:
        """One row."""
        sides = self.convex.normals, np.array(self.convex.offsets) + self.margin
        node, other, values = framed_point(context, self.site, self.frame, *sides)
        return [Block(OUTSIDE, 1, values, node, other, inequality=True)]


def _room(normals: Values, offsets: Values) -> float:
    """The radius of the greatest ball inside, at most 1 m; negative where there is no point."""
    from scipy.optimize import linprog

    sides = np.column_stack([normals, np.ones(len(normals))])
    free = (None, None)
    bounds: Any = [free, free, free, (None, 1.0)]
    found = linprog([0, 0, 0, -1], sides, offsets, bounds=bounds)
    return float(found.x[3])
