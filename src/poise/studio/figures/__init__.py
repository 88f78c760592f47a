"""The figure editor: another figure from one that is there, part by part.

A figure does not change; each operation gives a new one, with all else as it was. Lengths are
metres in the segments' own frames, angles radians.
"""

from poise.studio.figures.joints import inner_kinds, with_kind, with_limits
from poise.studio.figures.lengths import length_of, tip_of, with_length
from poise.studio.figures.topology import with_name, with_segment, without_segment

__all__ = [
    "inner_kinds",
    "length_of",
    "tip_of",
    "with_kind",
    "with_length",
    "with_limits",
    "with_name",
    "with_segment",
    "without_segment",
]
