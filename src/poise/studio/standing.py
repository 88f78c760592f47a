"""Where figures stand: brought to rest, mirrored, and held there by their pins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poise.figure import Transform
from poise.figure.placements import Placements
from poise.scene import Handle
from poise.studio.document import Document, Stood
from poise.studio.sides import other_side
from poise.studio.symmetry import Mirror, root_of
from poise.tasks import Frame, Orientation, Position
from poise.tasks.task import rides


def rest(document: Document, figure: str | None) -> None:
    """Bring a figure, or all, to rest where it stands.

    As long as the same pins and goals hold it, and where none does as long as nothing else moves
    it, it is put to the same place each time: what comes of it is then the same to the last bit.
    Pins and goals that went along with a pose, and stayed there, go back to where they were.
    """
    for name in _chosen(document, figure):
        for handle in holding(document, name):
            if (origin := _origin(document, handle)) is not handle.wanted:
                handle.wanted = origin
        posture = document.scene.postures[name]
        held = tuple(each.wanted for each in holding(document, name) if each.enabled)
        before = document.stood.get(name)
        if before is None or not _same(before.held, held):
            frame = (_midway(document, name) or Mirror.through(posture)).frame
            before = Stood(frame, held)  # type: ignore[arg-type]  # tasks
        document.stood[name] = before
        document.scene.postures = {name: Mirror(before.frame).stood(posture.figure.rest())}


def mirror(document: Document, figure: str | None) -> None:
    """Let left and right change places, of a figure or of all, with the pins and goals of each.

    For the mirror see `plane`.
    """
    for name in _chosen(document, figure):
        scene = document.scene
        posture, before = scene.postures[name], scene.places
        through = plane(document, name)
        scene.postures = {name: posture.figure.clamp(through.flipped(posture))}
        _exchange(document, list(holding(document, name)), through, before, scene.places)


def plane(document: Document, figure: str) -> Mirror:
    """The mirror of a figure where it stands.

    It is the upright plane midway between its pinned feet, along their mean heading; where no two
    feet are pinned, that through the middle of the trunk along the way that it faces; and of a
    figure with a fixed root, the plane y = 0 of the world.
    """
    posture = document.scene.postures[figure]
    if not root_of(posture.figure).kind.is_free:
        return Mirror(Transform.make())
    return _midway(document, figure) or Mirror.through(posture)


def pin_again(document: Document, figure: str) -> None:
    """Let a figure's pins hold it where it is now."""
    for handle in holding(document, figure):
        if handle.priority == 1:
            handle.wanted = replace(handle.wanted, target=None)  # type: ignore[call-arg]


def carry(document: Document, before: Placements) -> None:
    """Let pins and goals that are on hold the sites that have moved where these are now.

    Args:
        document: after the figures have moved.
        before: where everything was.
    """
    after = document.scene.places
    for name in document.scene.figures:
        for handle in holding(document, name):
            wanted: Any = handle.wanted
            if not handle.enabled or rides(getattr(wanted, "frame", None)):
                continue
            old, new = before[wanted.site], after[wanted.site]
            has_turned = not np.array_equal(old.rotation, new.rotation)
            if has_turned or not np.array_equal(old.position, new.position):
                origin = _origin(document, handle)
                handle.wanted = replace(wanted, target=None)
                _remember(document, handle, origin)


def holding(document: Document, figure: str) -> Iterator[Handle]:
    """The pins and goals of a figure: a site's place, rotation or both, given in the world."""
    for handle in document.scene.handles.values():
        wanted: Any = handle.wanted
        if not isinstance(wanted, (Frame, Orientation, Position)) or rides(wanted.target):
            continue
        if wanted.site.partition("/")[0] in document.scene.props:
            continue
        if document.figure_of(wanted.site)[0] == figure:
            yield handle


def _origin(document: Document, handle: Handle) -> Any:
    """What a pin or goal was before it went along with a pose; else what it is."""
    found = (before for now, before in document.carried if now is handle.wanted)
    return next(found, handle.wanted)


def _remember(document: Document, handle: Handle, origin: Any) -> None:
    """Let rest bring back what a pin or goal was; what is no longer wanted is forgotten."""
    wanted: Any = handle.wanted
    known = {id(each.wanted) for each in document.scene.handles.values()}
    kept = (pair for pair in document.carried if id(pair[0]) in known)
    document.carried = (*kept, (wanted, origin))


def _midway(document: Document, figure: str) -> Mirror | None:
    """The mirror between the feet that are pinned to the ground on both sides, if there are any.

    Its frame is where the world's axes are when the rest posture stands on these pins: exactly
    where they are to each other as at rest, in the mean elsewhere.
    """
    chosen = document.scene.figures[figure]
    soles = {site.name for site in chosen.sites.values() if site.outline}
    feet = {
        document.figure_of(site)[1]: handle.wanted.target  # type: ignore[attr-defined]
        for handle in holding(document, figure)
        if handle.enabled and handle.priority == 1 and isinstance(handle.wanted, Frame)
        for site in handle.wanted.held()
        if document.figure_of(site)[1] in soles
    }
    pairs = [name for name in feet if other_side(name) in feet.keys() - {name}]
    rest = chosen.place(chosen.rest())
    turns = sum((feet[name].rotation @ rest[name].rotation.T for name in pairs), np.zeros((3, 3)))
    ahead = np.array([turns[0, 0] + turns[1, 1], turns[1, 0] - turns[0, 1]])
    if np.hypot(*ahead) < len(pairs) or not pairs:  # they point apart
        return None
    turn = Transform.make((0.0, 0.0, 0.0), (0.0, 0.0, np.arctan2(ahead[1], ahead[0]))).rotation
    to, home = (np.mean([at[name].position for name in pairs], axis=0) for at in (feet, rest))
    return Mirror(Transform(turn, to - turn @ home))


def _chosen(document: Document, figure: str | None) -> list[str]:
    return [document.posture_of(figure)[0]] if figure else list(document.scene.figures)


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether both are the very same objects; tasks do not change, others take their place."""
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


def _exchange(
    document: Document,
    handles: Sequence[Handle],
    through: Mirror,
    before: Placements,
    after: Placements,
) -> None:
    """Give each pin and goal to the other side's site, at its image."""
    images: list[tuple[Handle, str, dict[str, Any], Any]] = []
    by_name = {each.name: each for each in handles}

    def image(wanted: Any, partner: str) -> Any:
        target = _image(wanted, through, before[wanted.site], after[partner])
        return replace(wanted, site=partner, target=target)

    for handle in handles:
        wanted: Any = handle.wanted
        site, partner = wanted.site, other_side(wanted.site)
        if partner not in after or is_partial(wanted):
            continue
        joints = handle.joints and tuple(_partner_joint(document, each) for each in handle.joints)
        about = {
            "wanted": image(wanted, partner),
            "priority": handle.priority,
            "weight": handle.weight,
            "enabled": handle.enabled,
            "joints": joints,
        }
        origin = _origin(document, handle)
        old = None if origin is wanted else image(origin, partner)
        name = handle.name.replace(site, partner)
        owner = by_name.get(name)
        if owner is None and name not in document.scene.handles:
            document.renamed["task", handle.name] = name
            images.append((handle, name, about, old))
        elif owner is not None and getattr(owner.wanted, "site", None) == partner:
            images.append((owner, name, about, old))
        else:
            images.append((handle, handle.name, about, old))
    for handle, name, about, old in images:
        for attribute, value in about.items():
            setattr(handle, attribute, value)
        if old is not None:
            _remember(document, handle, old)
        if handle.name != name:
            handle.name = name


def is_partial(wanted: Any) -> bool:
    """Whether it is about some axes only, or those of a site: a mirror would turn them."""
    return isinstance(wanted, Position) and (rides(wanted.frame) or set(wanted.axes) != set("xyz"))


def _image(wanted: Any, through: Mirror, before: Transform, after: Transform) -> Any:
    target = wanted.target
    if isinstance(wanted, Frame):
        return through.image(target, before, after)
    if isinstance(wanted, Orientation):
        place = Transform(np.array(target), before.position)
        return through.image(place, before, after).rotation
    return through.image(Transform(before.rotation, np.array(target)), before, after).position


def _partner_joint(document: Document, name: str) -> str:
    whole, partner = document.whole, other_side(name)
    return partner if partner in {*whole.joints, *whole.groups, *whole.coordinates} else name
