"""A skeleton of a person with the joints of our human figure, and its motions on these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import WORLD, Figure, Posture, Transform
from poise.figure.parts import Joint
from poise.formats.articulation import Articulation
from poise.formats.conventions import AUTO
from poise.formats.human.limits import Limits
from poise.formats.leaving import GROUPS, LIMITS, parts_of
from poise.formats.names import name_map, recognised
from poise.formats.poses import SMALLEST_TURN, Misses, coordinates_for, listed
from poise.formats.reading import Reading
from poise.formats.renaming import joint_of, renamed, written
from poise.formats.within import within
from poise.motion import Clip
from poise.motion.links import placed

Floats = NDArray[np.float64]

_UPRIGHT = 0.7  # least cosine between where a body points and where it should while it stands
_HANGING = 0.8  # least cosine between an upper arm that hangs and straight down
_BENDS = 0.3  # least sine of the angle that a joint must bend by to show its axis
_STEADY = 0.9  # least share of its turns that must be about one axis


def with_human_limits(reading: Reading, names: str | Path | None) -> Reading:
    """The same with the joints, limits and couplings of our human figure.

    The figure must stand in its rest posture (where it names none, with all coordinates zero): arms
    out to the sides with palms down, or hanging. Motions and postures are followed as near as the
    new joints can, and are not clamped: notes say which joints miss or break their limits, and by
    how much.

    Args:
        reading: what was read, with the file's names.
        names: the map by which its parts are known, or "auto"; the parts have our names then.
            Without one they are known by the ready map that fits best, and keep theirs.
    """
    if names in (None, AUTO) and recognised(reading.figure.segments) is None:
        raise PoiseError(
            f"human limits are for skeletons whose names are known, and no map of names fits "
            f"{reading.figure.name!r} ({', '.join(list(reading.figure.segments)[:8])}, …); "
            "give a map of your own with names=…"
        )
    named = renamed(reading, AUTO if names is None else names)
    if names is not None:
        return _limited(named, keeps_names=False)
    limited = _limited(replace(named, notes=reading.notes), keeps_names=True)
    return written(limited, originals=True)[0]


def _limited(reading: Reading, *, keeps_names: bool) -> Reading:
    old = reading.figure
    if parts_of(reading) & {LIMITS, GROUPS}:
        note = "the figure has limits of its own in the file; they stay"
        return replace(reading, notes=(*reading.notes, note))
    start = old.postures.get("rest", np.zeros(old.n))
    frames = {
        name: Transform(turns[0], places[0])
        for name, (turns, places) in placed(old, start[None]).items()
    }
    whose = {joint_of(segment): segment for segment in name_map("poise").known(old.segments)}
    places = {joint: frames[segment].position for joint, segment in whose.items()}
    _check_stance(old.name, places)
    limits = Limits(places, _palms_look_forward(old, places), _flexion_axes(reading, frames, whose))
    articulations = {whose[joint]: each for joint, each in limits.all().items()}
    figure = _articulated(old, frames, articulations, limits)
    moving = _Moving(old, figure, keeps_names)
    free = [
        moving.called(joint.name)
        for joint in figure.joints.values()
        if joint.coordinates and joint.parent != WORLD and joint.child not in articulations
    ]
    if free:
        more = f" and {len(free) - 8} more" if len(free) > 8 else ""
        moving.notes.append(f"joints that stay without limits: {', '.join(free[:8])}{more}")
    return moving.reading(reading, start)


def _articulated(
    old: Figure,
    frames: Mapping[str, Transform],
    articulations: Mapping[str, Articulation],
    limits: Limits,
) -> Figure:
    joints: list[Joint] = []
    for joint in old.joints.values():
        articulation = articulations.get(joint.child)
        if articulation is not None and joint.parent != WORLD:
            new = articulation.joint(
                joint.name, joint.parent, joint.child, frames[joint.parent], frames[joint.child]
            )
            joint = replace(new, original_name=joint.original_name)
        joints.append(joint)
    there = {coordinate for joint in joints for coordinate in joint.coordinates}
    couplings = [each for each in limits.couplings() if set(each.terms) <= there]
    figure = Figure(
        old.name,
        list(old.segments.values()),
        joints,
        sites=list(old.sites.values()),
        couplings=[*old.couplings.values(), *couplings],
        description=old.description,
    )
    figure.skin = old.skin
    return figure


class _Moving:
    """Brings postures and motions of a figure to one with the same segments and other joints."""

    def __init__(self, old: Figure, new: Figure, keeps_names: bool) -> None:
        self.old, self.new, self.keeps_names = old, new, keeps_names
        self.notes: list[str] = []

    def reading(self, before: Reading, start: Floats) -> Reading:
        figure = self.new
        rest = self.follow(start[None], None)[0]
        inside = within(figure, rest)
        if inside is not None:
            figure.postures["rest"] = inside
        broken = self.broken(rest[None])
        if broken:
            then = "the rest posture is clamped" if inside is not None else "there is none near it"
            self.notes.append(f"the file's own posture breaks human limits; {then}: {broken}")
        shown = before.posture
        clips = {
            name: Clip(figure, self.follow(clip.q, f"the motion {name!r}"), clip.fps, clip.name)
            for name, clip in before.clips.items()
        }
        # What a file shows is mostly the first frame of its motion, of which all is said.
        quiet = None if before.clips else "the posture that is shown"
        return replace(
            before,
            figure=figure,
            posture=None if shown is None else self.posture(shown, quiet),
            postures={
                name: self.posture(each, f"the posture {name!r}")
                for name, each in before.postures.items()
            },
            clips=clips,
            notes=(*before.notes, *self.notes),
        )

    def posture(self, posture: Posture, what: str | None) -> Posture:
        return self.new.posture(self.follow(posture.q[None], what)[0])

    def follow(self, q: Floats, what: str | None) -> Floats:
        """Coordinates (k, n) that come nearest to those of the old figure; notes say of what."""
        misses = Misses()
        result = coordinates_for(self.new, placed(self.old, q), misses)
        if what is not None:
            misses.turned = {self.called(name): off for name, off in misses.turned.items()}
            misses.shifted = {self.called(name): off for name, off in misses.shifted.items()}
            self.notes += [f"in {what} {note}" for note in misses.notes()]
            broken = self.broken(result)
            if broken:
                self.notes.append(f"{what} breaks human limits, and is not clamped: {broken}")
        return result

    def broken(self, q: Floats) -> str:
        """By how much limits are broken, the most over all frames (k, n), by their names."""
        worst: dict[str, float] = {}
        for frame in q:
            for name, by in self.new.broken_limits(frame, tolerance=SMALLEST_TURN).items():
                joint, dot, angle = name.partition(".")
                told = self.called(joint) + dot + angle
                worst[told] = max(float(np.rad2deg(by)), worst.get(told, 0.0))
        return listed(worst, "°")

    def called(self, joint: str) -> str:
        """What notes call a joint: as its file does, if it is to have that name again."""
        part = self.new.joints.get(joint)  # a coupling is none
        return (part.original_name if part and self.keeps_names else None) or joint


def _check_stance(name: str, places: Mapping[str, Floats]) -> None:
    """Refuse a figure that does not stand, or whose left and right are not where ours are."""
    left, right = places.get("left_hip"), places.get("right_hip")
    top = places.get("head", places.get("neck"))
    if left is None or right is None or top is None:
        raise PoiseError(
            f"human limits are for skeletons with hips and a head or neck, and in {name!r} no such "
            f"parts are known: {', '.join(places)}"
        )
    stands = _along(top - 0.5 * (left + right), 2) and _along(left - right, 1)
    for side in ("left", "right"):
        below = places.get(f"{side}_knee", places.get(f"{side}_ankle"))
        if below is not None:
            stands = stands and _along(places[f"{side}_hip"] - below, 2)
    if not stands:
        raise PoiseError(
            "human limits need a skeleton that stands and looks ahead while nothing is turned, "
            f"and {name!r} does not; if its axes were guessed wrong, give up=… and forward=…"
        )


def _flexion_axes(
    reading: Reading, frames: Mapping[str, Transform], whose: Mapping[str, str]
) -> dict[str, Floats]:
    """About which axis of the world elbows and knees bend at rest: as hinges, or as they move."""
    figure = reading.figure
    moved = [placed(figure, clip.q) for clip in reading.clips.values()]
    found: dict[str, Floats] = {}
    for name, onward in (("elbow", "wrist"), ("knee", "ankle")):
        for side in ("left", "right"):
            segment, end = whose.get(f"{side}_{name}"), whose.get(f"{side}_{onward}")
            joints = [each for each in figure.joints.values() if each.child == segment]
            if segment is None or end is None or joints[0].parent == WORLD:
                continue
            joint, carrier = joints[0], frames[joints[0].parent]
            if [step.node for step in joint.kind.steps] == ["hinge"]:
                axis = carrier.rotation @ joint.before.rotation @ np.array(joint.kind.main_axis)
                found[f"{side}_{name}"] = axis
                continue
            along = frames[segment].rotation.T @ (frames[end].position - frames[segment].position)
            swept = [
                places[joint.parent][0].transpose(0, 2, 1) @ places[segment][0] @ along
                for places in moved
            ]
            axis = _swept_axis(carrier.rotation.T @ frames[segment].rotation @ along, swept)
            if axis is not None:
                found[f"{side}_{name}"] = carrier.rotation @ axis
    return found


def _swept_axis(start: Floats, swept: Sequence[Floats]) -> Floats | None:
    """The axis about which a direction (3,) turns to others (k, 3); None where there is no one."""
    if not swept:
        return None
    across = np.cross(start, np.concatenate(swept)) / max(float(start @ start), 1e-12)
    sizes, total = np.linalg.norm(across, axis=1), across.sum(axis=0)
    size = float(np.linalg.norm(total))
    if sizes.max() < _BENDS or size < _STEADY * sizes.sum():
        return None
    return total / size


def _along(vector: Floats, axis: int) -> bool:
    return bool(vector[axis] >= _UPRIGHT * np.linalg.norm(vector))


def _palms_look_forward(figure: Figure, places: Mapping[str, Floats]) -> bool:
    """Whether the figure stands with hanging arms under our own names, as poise writes people."""
    if any(segment.original_name for segment in figure.segments.values()):
        return False
    arms = [
        places[f"{side}_shoulder"] - places[f"{side}_elbow"]
        for side in ("left", "right")
        if f"{side}_shoulder" in places and f"{side}_elbow" in places
    ]
    return bool(arms) and all(arm[2] >= _HANGING * np.linalg.norm(arm) for arm in arms)
