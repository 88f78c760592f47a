"""What a file cannot hold, told in one way by all writers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from poise.figure import Figure
from poise.figure.kinds import JointKind
from poise.figure.limits import Twist, TwistTable
from poise.formats.reading import Reading

MOTIONS = "motions"
LOOPS = "loops"
SKIN = "the skin"
NAMED_POSTURES = "named postures"
SHOWN_POSTURE = "the posture that is shown"
KINDS = "kinds of joints"
"""Others than balls and free ones, which every format has or has a word for."""
BALLS = "ball joints"
SWINGS = "swing joints"
ELBOWS = "elbow joints"
"""The only kind of ours with several axes; see `several_axes`."""
LIMITS = "limits"
BALL_LIMITS = "limits of balls and swings"
TWISTS = "limits of twist that depend on the swing"
COUPLINGS = "couplings"
GROUPS = "groups of joints"
LIMBS = "limbs"
"""Those that were stated; others follow from names."""
SHAPES = "shapes"
COLORS = "colours of segments"
BARE_COLORS = "colours of segments without shapes"
MASSES = "masses"
SITES = "sites"
OUTLINES = "outlines of sites"
ANGLES = "names of angles"
RELUCTANCE = "stiffness and locks"
DESCRIPTION = "the description"

FIGURE = (
    *(KINDS, BALLS, SWINGS, ELBOWS, LIMITS, BALL_LIMITS, TWISTS, COUPLINGS, GROUPS, LIMBS, SHAPES),
    *(COLORS, BARE_COLORS, MASSES, SITES, OUTLINES, ANGLES, RELUCTANCE, DESCRIPTION),
)
"""All that belongs to a figure itself, without its postures."""


def parts_of(reading: Reading) -> set[str]:
    """What there is in a reading, in the words above."""
    figure = reading.figure
    kinds = [joint.kind for joint in figure.joints.values()]
    sites = figure.sites.values()
    segments = figure.segments.values()
    there = {
        MOTIONS: bool(reading.clips),
        LOOPS: bool(reading.loops),
        SKIN: reading.skin is not None,
        NAMED_POSTURES: bool(reading.postures or figure.postures),
        SHOWN_POSTURE: reading.posture is not None,
        KINDS: not all(_is_ball(kind) or kind.is_free for kind in kinds),
        BALLS: any(map(_is_ball, kinds)),
        SWINGS: any(step.node == "swing" for kind in kinds for step in kind.steps),
        LIMITS: _is_boxed(figure) or any(map(is_limited, kinds)),
        BALL_LIMITS: any(map(is_limited, kinds)),
        TWISTS: any(map(_twists_by_swing, kinds)),
        COUPLINGS: bool(figure.couplings),
        GROUPS: bool(figure.groups),
        LIMBS: figure.stated_limbs is not None,
        SHAPES: any(segment.shapes for segment in segments),
        COLORS: any(segment.color for segment in segments),
        BARE_COLORS: any(segment.color and not segment.shapes for segment in segments),
        MASSES: figure.mass > 0,
        SITES: bool(figure.sites),
        OUTLINES: any(site.outline for site in sites),
        ANGLES: any(joint.clinical or _is_named(joint.kind) for joint in figure.joints.values()),
        RELUCTANCE: bool(figure.locked_names or np.any(figure.stiffness.values)),
        DESCRIPTION: bool(figure.description),
    }
    return {part for part, is_there in there.items() if is_there} | {*several_axes(figure)}


def several_axes(figure: Figure) -> dict[str, str]:
    """Joints of several axes as notes call them, and what stands for each in other programs."""
    found: dict[str, str] = {}
    for kind in [joint.kind for joint in figure.joints.values()]:
        if len(kind.steps) > 1 and not kind.is_free:
            # A chart is three hinges, see `formats.moves`.
            hinges = sum(3 if step.is_chart else step.units == ("rad",) for step in kind.steps)
            slides = kind.units.count("m")
            moves = [_counted(hinges, "hinge"), _counted(slides, "slide")]
            found[f"{kind.kind} joints"] = f"{' and '.join(filter(None, moves))} each"
    return found


def _counted(count: int, what: str) -> str:
    if count < 2:
        return f"a {what}" * count
    words = ("two", "three", "four", "five", "six")
    return f"{words[count - 2] if count < 7 else count} {what}s"


def left_out(
    reading: Reading,
    file: str,
    holds: Collection[str],
    instead: Mapping[str, str] | None = None,
) -> list[str]:
    """Sentences about all that is in a reading and will not be read back from a file as it was.

    Args:
        reading: what is written.
        file: what such a file is called, such as "a BVH file".
        holds: what it holds, in the words above, or tells of in notes of its own.
        instead: what is written in the place of something that it does not hold.
    """
    there = parts_of(reading)
    changed = {part: other for part, other in (instead or {}).items() if part in there}
    known = [each for each in _ORDER if each in there and each not in holds]
    missing = [part for part in known if part not in changed]
    notes = [f"{file} does not hold {', '.join(missing)}"] if missing else []
    return notes + [f"{part} are written as {other}" for part, other in changed.items()]


_ORDER = (MOTIONS, LOOPS, SKIN, NAMED_POSTURES, SHOWN_POSTURE, *FIGURE)


def is_limited(kind: JointKind) -> bool:
    """Whether there is a ball or a swing in it with limits, besides the stop at 150°."""
    return kind.spherical is not None and kind.spherical.is_limited


def _is_ball(kind: JointKind) -> bool:
    return len(kind.steps) == 1 and kind.turns_freely


def _twists_by_swing(kind: JointKind) -> bool:
    twist = None if kind.spherical is None else kind.spherical.twist
    return isinstance(twist, TwistTable) or (isinstance(twist, Twist) and not twist.is_constant)


def _is_named(kind: JointKind) -> bool:
    """Whether its coordinates have names of their own."""
    return kind.coordinates != kind.usual_coordinates


def _is_boxed(figure: Figure) -> bool:
    return bool(np.isfinite(figure.lower).any() or np.isfinite(figure.upper).any())
