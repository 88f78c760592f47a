"""URDF, the robot description of ROS: read and written.

Read from the XML itself and not through yourdfpy: that opens the meshes that a file names, wherever
they are, and has no lines to show in an error.
"""

from poise.formats.urdf.reading import read
from poise.formats.urdf.writing import write

__all__ = ["read", "write"]
