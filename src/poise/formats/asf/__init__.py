"""ASF: skeletons of the Acclaim format, whose motions are AMC files.

A bone points from its own joint along a direction; its joint turns about axes of its own, given by
three angles. All frames are aligned with the world while nothing is turned. y is up.
"""

from poise.formats.asf.reading import Acclaim, build, read

__all__ = ["Acclaim", "build", "read"]
