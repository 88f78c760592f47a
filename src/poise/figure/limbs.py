"""The limbs of a figure: names for sets of coordinates, stated or found.

Where none are stated, they follow from names and from who carries whom, each joint in one limb:

1. A joint belongs to the limb that its own name tells, or else that of the segment which it moves:
   side and kind (see `anatomy`), as in `left_arm`, `left_front_leg`, `spine`. What the name leaves
   open of a side is that of the joint which carries it. A group goes by its own name, then by those
   of its joints. Of arms or legs with sides, a joint without one, as a `hip` that carries both,
   belongs to the spine.
2. One whose names tell no kind belongs with the joint that carries it, unless its side is another
   (a neck has parts on both).
3. What is left goes by branches: what carries the spine, or two limbs or branches, is the `trunk`,
   and each branch beyond is `branch_1`, `branch_2`, …; a single one is the `chain`.

Arms, legs and wings of no side, where there are several, are numbered: `leg_1`, `leg_2`, …. In a
figure that is a hand and nothing else every finger is a limb. A free root is in no limb.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from poise.checking import mapping
from poise.closed import ReadOnlyDict
from poise.errors import PoiseError
from poise.figure.anatomy import Told, corners_of, told_by
from poise.figure.packing import crossings
from poise.figure.parts import WORLD, joined_name

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Limbs = Mapping[str, tuple[str, ...]]

_SIDED = ("arm", "wrist", "hand", "leg", "wing")
_NUMBERED = ("arm", "leg", "wing")
_BOTH_SIDES = ("neck", "tail")


# stated ------------------------------------------------------------------------------------


def checked_limbs(figure: Figure, given: Any) -> Limbs:
    """Limbs that are stated: names of joints, groups and coordinates by the limb's name.

    Two limbs may share coordinates; one without any is an error.
    """
    allowed = "lists of joints, groups or coordinates, by name"
    result: dict[str, tuple[str, ...]] = {}
    for name, joints in mapping(given, f"the limbs of {figure.name!r}", allowed).items():
        if not isinstance(name, str):
            raise PoiseError(f"the name of a limb must be a string, not {name!r}")
        joined_name(name, "limb")
        if isinstance(joints, (bytes, Mapping)) or not isinstance(joints, Iterable):
            raise PoiseError(
                f"the limb {name!r} must be a list of joints, groups or coordinates, not {joints!r}"
            )
        try:
            result[name] = _coordinates(figure, [joints] if isinstance(joints, str) else joints)
        except PoiseError as error:
            raise PoiseError(f"limb {name!r}: {error}") from None
        if not result[name]:
            raise PoiseError(f"the limb {name!r} of {figure.name!r} has nothing that moves")
    return ReadOnlyDict(result)


def _coordinates(figure: Figure, joints: Iterable[Any]) -> tuple[str, ...]:
    """Those of some joints, groups and coordinates, in the order of q, each once."""
    meant: set[str] = set()
    for each in joints:
        meant.update(figure.coordinates[figure.span(each, "name {group} instead")])
    return tuple(each for each in figure.coordinates if each in meant)


def stating(figure: Figure, limbs: Mapping[str, str | Iterable[str]]) -> Figure:
    """The same figure with just these limbs."""
    other = figure.twin()
    # A figure is closed, and this one is still being made.
    vars(other).update(_stated=checked_limbs(figure, limbs), _limbs=None)
    return other


def with_limbs(figure: Figure, limbs: Mapping[str, str | Iterable[str]]) -> Figure:
    """The same figure with more limbs; see `Figure.with_limbs`."""
    return stating(figure, {**figure.limbs, **checked_limbs(figure, limbs)})


def kept_limbs(limbs: Limbs | None, coordinates: Iterable[str]) -> Limbs | None:
    """What is left of stated limbs in a figure that has only some of the coordinates."""
    if limbs is None:
        return None
    there = set(coordinates)
    kept = {name: tuple(c for c in each if c in there) for name, each in limbs.items()}
    return {name: each for name, each in kept.items() if each}


def joints_of_limb(figure: Figure, limb: str) -> list[str]:
    """The joints and groups of a limb; of one that it has only in part, the coordinates."""
    own = set(figure.limbs[limb])
    result: dict[str, None] = {}
    for coordinate in figure.limbs[limb]:
        part = coordinate.partition(".")[0]
        whole = own.issuperset(figure.coordinates[figure.span(part)])
        result[part if whole else coordinate] = None
    return list(result)


# found -------------------------------------------------------------------------------------


class _Unit(NamedTuple):
    """A joint, or a group of them, that moves by itself."""

    names: list[str]
    """Its own, then those of what it moves."""
    carrier: str | None
    """The unit that carries it."""


class _Limb(NamedTuple):
    told: Told
    owner: str
    """What stands before the "/" in names of several figures as one, with it."""

    def named(self, *, is_hand: bool, sides: int) -> str:
        kind, side, place, finger = self.told
        if is_hand:
            side = side if sides > 1 else ""
            kind = finger or kind
        elif kind == "wrist":
            kind = "arm"
        return self.owner + "_".join(filter(None, (side, place, kind)))


def found_limbs(figure: Figure) -> Limbs:
    """The limbs that follow from names and from who carries whom; see above."""
    units = _units(figure)
    corners = corners_of(name for unit in units.values() for name in unit.names[:1])
    limbs: dict[str, _Limb | None] = {}
    for name, unit in units.items():
        above = limbs.get(unit.carrier or "")
        limbs[name] = _limb(name, [told_by(each, corners) for each in unit.names], above)
    _give_to_spine(limbs)
    kinds = {limb.told.kind for limb in limbs.values() if limb}
    sides = {limb.told.side for limb in limbs.values() if limb}
    is_hand = "hand" in kinds and kinds <= {"hand", "wrist"}
    names = {
        unit: limb.named(is_hand=is_hand, sides=len(sides)) for unit, limb in limbs.items() if limb
    }
    _number(units, limbs, names)
    _branch(units, names)
    return _gathered(figure, names)


def _units(figure: Figure) -> dict[str, _Unit]:
    """All that moves by itself but for free roots, carriers first."""
    groups = {
        member.partition(".")[0]: group.name
        for group in figure.groups.values()
        for member in group.terms
    }
    units: dict[str, _Unit] = {}
    moved: dict[str, str | None] = {WORLD: None}
    for joint, backwards in crossings(list(figure.joints.values())):
        near, far = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        moved[far] = moved[near]
        if not joint.coordinates or (near == WORLD and joint.kind.is_free):
            continue
        group = groups.get(joint.name)
        unit = moved[far] = group or joint.name
        if unit not in units:
            names = [group] if group else [joint.name, far]
            units[unit] = _Unit([_own(each) for each in names], moved[near])
        if group:
            units[unit].names.append(_own(joint.name))
    return units


def _own(name: str) -> str:
    return name.rpartition("/")[2]


def _limb(name: str, told: list[Told], above: _Limb | None) -> _Limb | None:
    """The limb of a unit by what its names tell and by the limb of what carries it."""
    owner = name[: len(name) - len(_own(name))]
    own = next((each for each in told if each.kind), None)
    over = above.told if above else Told()
    if own is not None:
        if own.kind not in _SIDED:
            return _Limb(Told(own.kind), owner)
        side = own.side or over.side
        place = own.place or (over.place if own.kind == "leg" else "")
        finger = own.finger or (over.finger if own.kind == "hand" else "")
        return _Limb(Told(own.kind, side, place, finger), owner)
    side = next((each.side for each in told if each.side), "")
    return above if side in ("", over.side) or over.kind in _BOTH_SIDES else None


def _give_to_spine(limbs: dict[str, _Limb | None]) -> None:
    """What has no side of arms or legs that have sides carries both of them."""
    sided = {(limb.owner, limb.told.kind) for limb in limbs.values() if limb and limb.told.side}
    for unit, limb in limbs.items():
        if limb is None or limb.told.side or limb.told.kind not in _NUMBERED:
            continue
        if (limb.owner, limb.told.kind) in sided:
            limbs[unit] = _Limb(Told("spine"), limb.owner)


def _number(
    units: Mapping[str, _Unit], limbs: Mapping[str, _Limb | None], names: dict[str, str]
) -> None:
    """Tell apart limbs of no side that hang on different places."""
    first: dict[str, str] = {}
    """The unit with which the limb of each begins."""
    for unit, name in names.items():
        carrier = units[unit].carrier
        same = carrier is not None and names.get(carrier) == name
        first[unit] = first[carrier] if carrier is not None and same else unit
    number: dict[str, dict[str, int]] = {}
    for unit, name in names.items():
        starts = number.setdefault(name, {})
        starts.setdefault(first[unit], len(starts) + 1)
    for unit, name in list(names.items()):
        limb = limbs[unit]
        if limb and limb.told.kind in _NUMBERED and not limb.told.side and len(number[name]) > 1:
            names[unit] = f"{name}_{number[name][first[unit]]}"


def _branch(units: Mapping[str, _Unit], names: dict[str, str]) -> None:
    """Name what is left: the trunk, and the branches beyond it."""
    left = [unit for unit in units if unit not in names]
    carried: dict[str, set[str]] = {unit: set() for unit in left}
    for unit in reversed(list(units)):
        carrier = units[unit].carrier
        if carrier in carried and len(carried[carrier]) < 2:  # more would change nothing
            carried[carrier] |= (carried[unit] or {unit}) if unit in carried else {names[unit]}
    branch: dict[str, str] = {}
    """The unit with which the branch of each begins."""
    for unit in left:
        if len(carried[unit]) < 2 and not any(_own(each) == "spine" for each in carried[unit]):
            carrier = units[unit].carrier
            branch[unit] = branch.get(carrier or "", unit)
    number = {start: i for i, start in enumerate(dict.fromkeys(branch.values()), 1)}
    for unit in left:
        owner = unit[: len(unit) - len(_own(unit))]
        if unit not in branch:
            names[unit] = f"{owner}trunk"
        elif len(number) == 1:
            names[unit] = f"{owner}chain"
        else:
            names[unit] = f"{owner}branch_{number[branch[unit]]}"


def _gathered(figure: Figure, names: Mapping[str, str]) -> Limbs:
    """Coordinates by limb, both in the order of q."""
    result: dict[str, list[str]] = {}
    for coordinate in figure.coordinates:
        name = names.get(coordinate.rpartition(".")[0])
        if name is not None:
            result.setdefault(name, []).append(coordinate)
    return ReadOnlyDict({name: tuple(each) for name, each in result.items()})
