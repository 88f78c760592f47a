"""A figure from elsewhere with our names for its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from poise.errors import PoiseError
from poise.figure import WORLD, Figure, Hinge, Joint, Segment, Site
from poise.formats.conventions import AUTO
from poise.formats.hostile import Names
from poise.formats.names import name_map, recognised
from poise.formats.reading import Reading
from poise.motion import Clip

_Named = TypeVar("_Named", Segment, Joint, Site)

_SPINE = ("s1", "l5", "l4", "l3", "l2", "l1", *(f"t{i}" for i in range(12, 0, -1)))

JOINTS = {
    "pelvis": "root",
    "{side}_upper_arm": "{side}_shoulder",
    "{side}_forearm": "{side}_elbow",
    "{side}_hand": "{side}_wrist",
    "{side}_thigh": "{side}_hip",
    "{side}_shank": "{side}_knee",
    "{side}_foot": "{side}_ankle",
    "{side}_thumb_metacarpal": "{side}_thumb_cmc",
    "{side}_thumb_proximal": "{side}_thumb_mcp",
    "{side}_thumb_distal": "{side}_thumb_ip",
    **{
        f"{{side}}_{finger}_{bone}": f"{{side}}_{finger}_{joint}"
        for finger in ("index", "middle", "ring", "little")
        for bone, joint in (("proximal", "mcp"), ("middle", "pip"), ("distal", "dip"))
    },
    **{upper: f"{upper}_{lower}" for lower, upper in pairwise(_SPINE)},
}
"""Our names of joints by the segment that they move; others are named like the segment."""


def renamed(reading: Reading, names: str | Path) -> Reading:
    """The same reading with our names for the segments and joints that a map knows.

    Parts that it does not know keep their names. Sites that are named after a segment follow it.
    Where several hinges move a segment, the last has our name of the joint, unless a limb has that
    name: `spine` is then the whole, and not one hinge of it.

    Args:
        reading: what was read.
        names: a map's name or file, or "auto" for the ready map that fits best.
    """
    figure = reading.figure
    chosen = recognised(figure.segments) if names == AUTO else name_map(names)
    if chosen is None:
        return replace(reading, notes=(*reading.notes, "no map of names fits; names are as read"))
    known = chosen.known(figure.segments)
    if not known:
        raise PoiseError(
            f"the map {chosen.name!r} knows no name of {figure.name!r}: {_some(figure.segments)}"
        )
    segments = _without_clashes(known, figure.segments)
    # Names that clash stay as they are; some are ours already.
    ours = {old: new for old, new in known.items() if segments.get(old, old) == new}
    joints = {
        joint.name: joint_of(ours[joint.child])
        for joint in figure.joints.values()
        if joint.child in ours
        and not (joint_of(ours[joint.child]) in figure.limbs and _follows_a_hinge(figure, joint))
    }
    sites = {
        site.name: site.name.replace(site.segment, segments[site.segment], 1)
        for site in figure.sites.values()
        if site.segment in segments and site.name.startswith(site.segment)
    }
    changed = _Renaming(
        figure,
        segments,
        _without_clashes(joints, [*figure.joints, *figure.groups]),
        _without_clashes(sites, figure.sites),
    )
    note = f"{len(ours)} names are ours, by the map {chosen.name!r}"
    return replace(changed.reading(reading), notes=(*reading.notes, note))


def written(reading: Reading, *, originals: bool) -> tuple[Reading, list[str]]:
    """The same reading with names that every file can hold, and notes about those that change.

    Parts of props and of several figures have names like `box/top` and `ben/left_hand`; here they
    get `_` for the `/`, and a number where that name is taken.

    Args:
        reading: what is to be written.
        originals: whether parts that were given our names get back those of their file.
    """
    figure = reading.figure
    joined: dict[str, str] = {}
    back: dict[str, str] = {}
    tables: list[dict[str, str]] = []
    for parts in (
        figure.segments,
        {**figure.joints, **figure.groups},
        figure.sites,
        figure.couplings,
    ):
        names = _originals(parts) if originals else {}
        own = _without_clashes({name: new for name, new in names.items() if "/" not in name}, parts)
        fresh = Names(WORLD, *(own.get(name, name) for name in parts if "/" not in name))
        table = {name: fresh.fresh(names.get(name, name)) for name in parts if "/" in name}
        joined |= table
        back |= own
        tables.append(own | table)
    notes = [f"names with / are written with _: {_pairs(joined)}"] if joined else []
    if back:
        notes.append(f"names are those of the file that was read: {_pairs(back)}")
    if not notes:
        return reading, []
    return _Renaming(figure, *tables).reading(reading), notes


def _originals(parts: Mapping[str, Any]) -> dict[str, str]:
    """What files call parts that have other names here, behind the name of their figure if any."""
    found: dict[str, str] = {}
    for name, part in parts.items():
        original = getattr(part, "original_name", None)  # laws have none
        if original is not None:
            owner, slash, _ = name.rpartition("/")
            found[name] = owner + slash + original
    return found


def _pairs(names: Mapping[str, str]) -> str:
    pairs = [f"{old} is {new}" for old, new in names.items()]
    return ", ".join(pairs[:5]) + (f" and {len(pairs) - 5} more" if len(pairs) > 5 else "")


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:8]) + (", …" if len(listed) > 8 else "")


def _follows_a_hinge(figure: Figure, joint: Joint) -> bool:
    """Whether a hinge is the last of several that move one segment.

    Between them are segments that have no mass and carry nothing else.
    """
    before = [each for each in figure.joints.values() if each.child == joint.parent]
    beside = [each for each in figure.joints.values() if each.parent == joint.parent]
    are_hinges = all(isinstance(each.kind, Hinge) for each in (joint, *before))
    has_mass = joint.parent == WORLD or bool(figure.segments[joint.parent].mass)
    return bool(before) and are_hinges and len(beside) == 1 and not has_mass


def joint_of(segment: str) -> str:
    """Our name of the joint that moves a segment."""
    side, _, rest = segment.partition("_")
    if side in ("left", "right"):
        return JOINTS.get(f"{{side}}_{rest}", segment).replace("{side}", side)
    return JOINTS.get(segment, segment)


@dataclass(frozen=True, eq=False)
class _Renaming:
    """A figure's parts with other names, in the same order, so that q stays as it is.

    A part keeps in mind the first name that it had.

    Attributes:
        old: the figure.
        segments: new names by old ones; others stay, here as below.
        joints: new names of joints and groups.
        sites: new names of sites.
        couplings: new names of couplings.
    """

    old: Figure
    segments: Mapping[str, str]
    joints: Mapping[str, str]
    sites: Mapping[str, str]
    couplings: Mapping[str, str] = field(default_factory=dict[str, str])

    def reading(self, reading: Reading) -> Reading:
        """All of a reading of the old figure on the new one."""
        whole = self.figure()
        skin = reading.skin
        if skin is not None:
            surfaces = tuple(
                replace(each, segments=tuple(self.segments.get(s, s) for s in each.segments))
                for each in skin.surfaces
            )
            skin = whole.skin = replace(skin, surfaces=surfaces)
        return Reading(
            whole,
            whole.posture(reading.posture.q) if reading.posture is not None else None,
            {name: whole.posture(posture.q) for name, posture in reading.postures.items()},
            {
                name: Clip(whole, clip.q, clip.fps, clip.name)
                for name, clip in reading.clips.items()
            },
            tuple(self.task(each) for each in reading.loops),
            skin,
            reading.notes,
            reading.props,
        )

    def coordinate(self, name: str) -> str:
        head, dot, tail = name.partition(".")
        return self.joints.get(head, head) + dot + tail

    def limbs(self) -> dict[str, list[str]] | None:
        """Those that were stated, under their names; others follow from the new names of joints."""
        stated = self.old.stated_limbs
        if stated is None:
            return None
        return {name: [self.coordinate(c) for c in own] for name, own in stated.items()}

    def figure(self) -> Figure:
        old = self.old
        result = Figure(
            old.name,
            [
                _called(each, self.segments.get(each.name, each.name))
                for each in old.segments.values()
            ],
            [
                _called(
                    each,
                    self.joints.get(each.name, each.name),
                    parent=self.segments.get(each.parent, each.parent),
                    child=self.segments.get(each.child, each.child),
                )
                for each in old.joints.values()
            ],
            sites=[
                _called(
                    each,
                    self.sites.get(each.name, each.name),
                    segment=self.segments.get(each.segment, each.segment),
                )
                for each in old.sites.values()
            ],
            couplings=[
                replace(
                    each,
                    name=self.couplings.get(each.name, each.name),
                    terms={self.coordinate(c): f for c, f in each.terms.items()},
                )
                for each in old.couplings.values()
            ],
            groups=[
                replace(
                    each,
                    name=self.joints.get(each.name, each.name),
                    members={self.coordinate(c): t for c, t in each.terms.items()},
                )
                for each in old.groups.values()
            ],
            limbs=self.limbs(),
            description=old.description,
        )
        result.postures.update({name: q.copy() for name, q in old.postures.items()})
        result.stiffness.values[:] = old.stiffness.values
        result.lock(*(self.coordinate(each) for each in old.locked_names))
        return result

    def task(self, task: Any) -> Any:
        """A task with the new names of the frames that it names."""
        if not is_dataclass(task) or isinstance(task, type):
            return task
        changes: dict[str, str] = {}
        for each in fields(task):
            value = getattr(task, each.name)
            if each.init and isinstance(value, str):
                for table, old in (
                    (self.sites, self.old.sites),
                    (self.segments, self.old.segments),
                    (self.joints, self.old.joints),
                ):
                    if value in old:
                        changes[each.name] = table.get(value, value)
                        break
        return replace(task, **changes)


def _called(part: _Named, name: str, **changes: Any) -> _Named:
    """A part with another name; the one in its file stays known, unless that is it."""
    first = part.original_name or part.name
    return replace(part, name=name, original_name=first if first != name else None, **changes)


def _without_clashes(changes: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Changes that leave all names different; those that would not are not made."""
    names = list(names)
    result: dict[str, str] = {}
    for old, new in changes.items():
        if new not in (old, WORLD) and new not in result.values():
            result[old] = new
    while True:
        kept = {name for name in names if name not in result}
        clashing = [old for old, new in result.items() if new in kept]
        if not clashing:
            return result
        for old in clashing:
            del result[old]
