"""Figures with props: the same coordinates, more segments and sites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from poise import kernel
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.figure import Figure
from poise.figure.kinds import Fixed
from poise.figure.limbs import Limbs
from poise.figure.overlaps import Overlaps
from poise.figure.packing import Packed
from poise.figure.parts import WORLD, Joint, Segment, Site, renamed
from poise.figure.props import Prop
from poise.figure.transform import Transform, rotation_vector


@dataclass(frozen=True)
class Attachment:
    """A prop on a segment, or on the ground."""

    prop: Prop
    parent: str
    """The segment that carries it; "world" for the ground."""
    place: Transform
    """The prop's frame in that segment."""
    owner: str = ""
    """Of a figure merged from several, the one that holds it: its parts are named `owner/…`."""


def attached(figure: Figure, attachments: Sequence[Attachment]) -> Figure:
    """The figure with props fixed to it; coordinates, stiffness and locks are the figure's own.

    A prop's segment has its name, its sites are called `prop/site`. What stands on the ground
    weighs nothing here: it is no part of the body whose centre of mass is meant.
    """
    if not attachments:
        return figure
    segments: list[Segment] = []
    joints: list[Joint] = []
    sites: list[Site] = []
    ghosts: list[str] = []
    for each in attachments:
        prop, first = each.prop, f"{each.owner}/" if each.owner else ""
        _check_free(figure, prop.name)
        segment = prop.segment
        if each.parent == WORLD:
            segment = replace(segment, mass=0.0, density=None, inertia=None)
        segments.append(renamed(segment, first + prop.name))
        if not prop.solid:
            ghosts.append(first + prop.name)
        position, rotation = each.place.position, rotation_vector(each.place.rotation)
        joint = Joint(
            prop.name,
            Fixed(),
            each.parent,
            prop.name,
            tuple(position.tolist()),
            tuple(rotation.tolist()),
        )
        joints.append(renamed(joint, first + prop.name, child=first + prop.name))
        sites += [
            renamed(site, f"{prop.name}/{site.name}", segment=first + prop.name)
            for site in prop.sites
        ]
        if first:  # the prop goes by its own name whoever holds it
            sites.append(renamed(Site(prop.name, prop.name), prop.name, segment=first + prop.name))
    return Extended(figure, segments, joints, sites, ghosts)


def with_sites(figure: Figure, sites: Iterable[Site]) -> Figure:
    """The figure with more sites; coordinates, stiffness and locks are the figure's own."""
    return Extended(figure, sites=sites)


@closed
class Extended(Figure):
    """A figure with more segments and sites that shares all else with the one it was made from.

    Stiffness, locks and named postures are the same objects: what is set on one holds for both.
    """

    def __init__(
        self,
        figure: Figure,
        segments: Iterable[Segment] = (),
        joints: Iterable[Joint] = (),
        sites: Iterable[Site] = (),
        ghosts: Iterable[str] = (),
    ) -> None:
        """Add parts that bring no coordinates."""
        super().__init__(
            figure.name,
            [*figure.segments.values(), *segments],
            [*figure.joints.values(), *joints],
            sites=[*figure.sites.values(), *sites],
            couplings=list(figure.couplings.values()),
            groups=list(figure.groups.values()),
            limbs=figure.stated_limbs,
            description=figure.description,
        )
        self._original = figure
        self._ghosts = figure.ghosts | set(ghosts)
        self._added = [joint for name, joint in self.joints.items() if name not in figure.joints]
        masses = [self.segments[joint.child].mass_properties()[0] for joint in self._added]
        self._weighs = sum(masses) > 0
        self.skin, self.recipe = figure.skin, figure.recipe
        vars(self).update(postures=figure.postures, stiffness=figure.stiffness)
        self._locked = figure._locked
        self._vouched = figure._vouched

    @property
    def ghosts(self) -> frozenset[str]:
        """The segments that collide with nothing: props that are not solid."""
        return self._ghosts

    @cached_property
    def overlaps(self) -> Overlaps:
        """Those of the figure: props that it holds are no part of its design."""
        return self._original.overlaps

    @property
    def limbs(self) -> Limbs:
        """Those of the figure; added parts do not move by themselves."""
        return self._original.limbs

    @property
    def packed(self) -> Packed:
        """The flat form; what weighs nothing is only a name for a place on what is there."""
        if self._weighs:
            return super().packed
        if self._packed is None:
            packed = self._original.packed
            segments, joints = dict(packed.segments), dict(packed.joints)
            for joint in self._added:
                node, place = segments[joint.parent]
                joints[joint.name] = node, place @ joint.before
                segments[joint.child] = node, place @ joint.before
            self._packed = replace(packed, segments=segments, joints=joints)
        return self._packed

    @cached_property
    def bounds(self) -> kernel.limits.bounds.Bounds:
        """Limits and couplings; added parts have none."""
        return self._original.bounds


def _check_free(figure: Figure, name: str) -> None:
    kinds = {
        "segment": figure.segments,
        "joint": figure.joints,
        "group": figure.groups,
        "site": figure.sites,
    }
    for kind, names in kinds.items():
        if name in names:
            raise PoiseError(
                f"a prop cannot be named {name!r}: {figure.name!r} has a {kind} of that name",
                code="; give the prop another, such as poise.box(…, name='parcel')",
                remedy="name",
            )
