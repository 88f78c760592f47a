"""BVH: skeletons with motion, as motion capture and animation programs exchange them.

A file has a HIERARCHY of joints, each with an OFFSET from its parent and CHANNELS that move it,
and a MOTION of one number for each channel in each frame. Angles are in degrees; the first
rotation named is the outermost, whatever the order; positions go before rotations, wherever they
are named. Units and axes are not written down: see `poise.formats.conventions`.
"""

from poise.formats.bvh.reading import read
from poise.formats.bvh.writing import write

__all__ = ["read", "write"]
