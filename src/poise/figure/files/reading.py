"""A figure from a figure file, part by part, with errors that say which line is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poise.checking import array, label
from poise.documents import Document, KeyPath, validated
from poise.errors import unknown_name
from poise.figure.assembly import coordinates_of, with_root
from poise.figure.figure import Figure
from poise.figure.files import parts
from poise.figure.files.units import (
    coupling_scales,
    distances_of,
    joint_distances,
    parameter_distances,
    radians,
    scale,
    term_scale,
)
from poise.figure.kinds import KINDS
from poise.figure.limbs import checked_limbs, stating
from poise.figure.limits import (
    Angle,
    PlanarPolygon,
    SphericalEllipse,
    SphericalPolygon,
    SwingLimit,
    Twist,
    TwistLimit,
    TwistTable,
)
from poise.figure.parts import (
    WORLD,
    Coupling,
    Group,
    Joint,
    Monomial,
    Segment,
    Site,
    joined_name,
    renamed,
)
from poise.figure.posture import put_angles
from poise.figure.shapes import SHAPES, Shape

_SHAPES = {name.replace(" ", "_"): shape for name, shape in SHAPES.items()}


def figure_from(document: Document) -> Figure:
    """The figure that a document describes."""
    part = validated(document, parts.FigureFile).figure
    with document.at("figure", "name"):
        name = label(Path(document.name).stem if part.name is None else part.name, "figure")
    segments = _segments(document, part)
    joints = _joints(document, part)
    sites = _sites(document, part)
    with document.at("figure", "joints"):
        joints = with_root(name, {segment.name: segment for segment in segments}, joints)
    groups = _groups(document, part, joints)
    with document.at("figure", "groups"):
        coordinates, _, _ = coordinates_of(joints, groups)
    distances = distances_of(joints, groups)
    couplings = _couplings(document, part, coordinates, distances)
    with document.at("figure"):
        figure = Figure(
            name,
            segments,
            joints,
            sites=sites,
            couplings=couplings,
            groups=groups,
            description=part.description,
        )
    if part.limbs is not None:
        figure = _with_limbs(document, figure, part.limbs)
    for posture in part.postures:
        _take_posture(document, figure, posture, part.postures[posture], distances)
    for i, locked in enumerate(part.locked):
        with document.at("figure", "locked", i):
            figure.lock(locked)
    for each, stiffness in part.stiffness.items():
        with document.at("figure", "stiffness", each):
            figure.stiffness[each] = stiffness
    return figure


def _own_name(document: Document, here: KeyPath, what: str) -> str:
    """The plain name of a part; before it may stand that of a prop or a figure, and a "/"."""
    name = str(here[-1])
    with document.at(*here):
        return joined_name(name, what).rpartition("/")[2]


def _segments(document: Document, figure: parts.FigurePart) -> list[Segment]:
    result: list[Segment] = []
    for name, part in figure.segments.items():
        here = ("figure", "segments", name)
        own = _own_name(document, here, "segment")
        shapes: list[Shape] = []
        for i, shape in enumerate(part.shapes):
            key, values = shape.chosen
            with document.at(*here, "shapes", i, key):
                shapes.append(_SHAPES[key](**dict(values)))
        inertia: Any = part.inertia
        if inertia is not None and not isinstance(inertia[0], tuple):
            inertia = np.diag(inertia)
        with document.at(*here):
            segment = Segment(
                own, part.mass, part.center, inertia, tuple(shapes), part.density, part.color
            )
        result.append(renamed(segment, name))
    return result


def _joints(document: Document, figure: parts.FigurePart) -> list[Joint]:
    result: list[Joint] = []
    for name, part in figure.joints.items():
        here = ("figure", "joints", name)
        plain = _own_name(document, here, "joint")
        for end in ("parent", "child"):
            segment = getattr(part, end)
            if segment not in figure.segments and (end, segment) != ("parent", WORLD):
                where = document.where((*here, end))
                allowed = [*figure.segments, WORLD] if end == "parent" else figure.segments
                raise unknown_name("segment", segment, allowed, where)
        shared = parts.JointPart.model_fields
        common = {key: value for key, value in part if key in shared}
        own = {key: value for key, value in part if key not in shared}
        clinical = own.pop("clinical", {})
        kind = KINDS[common.pop("kind")]
        for entry in parts.entries_of(kind):
            key, sort = entry.name, entry.metadata["sort"]
            if sort == "swing_limits":
                own[key] = _swing_limits(document, (*here, key), own[key])
            elif sort == "twist_limit":
                own[key] = _twist_limit(document, (*here, key), own[key], own.pop(f"{key}_table"))
            elif sort == "angle":
                own[key] = own[key] and Angle(own[key])
        with document.at(*here):
            joint = Joint(plain, kind(**own), clinical=clinical, **common)
        result.append(renamed(joint, name))
    return result


def _swing_limits(
    document: Document, here: tuple[str, ...], given: Sequence[parts.SwingLimitPart]
) -> tuple[SwingLimit, ...]:
    swing: list[SwingLimit] = []
    for i, each in enumerate(given):
        key, value = each.chosen
        with document.at(*here, i, key):
            if key == "spherical_ellipse":
                swing.append(SphericalEllipse(**dict(value)))
            elif key == "spherical_polygon":
                swing.append(SphericalPolygon(value))
            else:
                swing.append(PlanarPolygon(value))
    return tuple(swing)


def _twist_limit(
    document: Document,
    here: tuple[str, ...],
    twist: parts.TwistPart | None,
    table: parts.TwistTablePart | None,
) -> TwistLimit | None:
    *joint, key = here
    there = (*joint, f"{key}_table")
    if twist and table:
        raise document.error(there, f"give this or {key}, not both")
    if table:
        with document.at(*there):
            return TwistTable(**dict(table))
    with document.at(*here):
        return twist and Twist(**dict(twist))


def _sites(document: Document, figure: parts.FigurePart) -> list[Site]:
    result: list[Site] = []
    for name, part in figure.sites.items():
        here = ("figure", "sites", name)
        own = _own_name(document, here, "site")
        if part.segment not in figure.segments:
            where = document.where((*here, "segment"))
            raise unknown_name("segment", part.segment, figure.segments, where)
        with document.at(*here):
            site = Site(own, part.segment, part.position, part.rotation, part.outline)
        result.append(renamed(site, name))
    return result


def _groups(document: Document, figure: parts.FigurePart, joints: Sequence[Joint]) -> list[Group]:
    coordinates = joint_distances(joints)
    result: list[Group] = []
    for name, part in figure.groups.items():
        here = ("figure", "groups", name)
        own = _own_name(document, here, "group")
        terms: dict[str, list[tuple[float, dict[str, int]]]] = {}
        for member, given in part.members.items():
            if member not in coordinates:
                where = document.where((*here, "members", member))
                raise unknown_name("coordinate", member, coordinates, where)
            if isinstance(given, dict):
                terms[member] = [(factor, {p: 1}) for p, factor in given.items()]
            else:
                terms[member] = [(term.factor, term.powers) for term in given]
            for parameter in [p for _, powers in terms[member] for p in powers]:
                if parameter not in part.parameters:
                    where = document.where((*here, "members", member))
                    raise unknown_name("parameter", parameter, part.parameters, where)
        powers = {member: [p for _, p in each] for member, each in terms.items()}
        far = parameter_distances(part.parameters, powers, coordinates)
        limits = {
            parameter: ends if far[parameter] else radians(ends)
            for parameter, ends in part.parameters.items()
        }
        with document.at(*here):
            members = {
                member: tuple(
                    Monomial(factor * term_scale(coordinates[member], p, far), p)
                    for factor, p in each
                )
                for member, each in terms.items()
            }
            group = Group(own, limits, members)
        result.append(renamed(group, name))
    return result


def _couplings(
    document: Document,
    figure: parts.FigurePart,
    coordinates: Sequence[str],
    distances: Mapping[str, bool],
) -> list[Coupling]:
    result: list[Coupling] = []
    for name, part in figure.couplings.items():
        here = ("figure", "couplings", name)
        own = _own_name(document, here, "coupling")
        for coordinate in part.terms:
            if coordinate not in coordinates:
                where = document.where((*here, "terms", coordinate))
                raise unknown_name("coordinate", coordinate, coordinates, where)
        of_factors, of_bounds = coupling_scales(part.terms, distances)
        terms = {each: factor * of_factors[each] for each, factor in part.terms.items()}
        with document.at(*here):
            coupling = Coupling(own, terms, part.lower * of_bounds, part.upper * of_bounds)
        result.append(renamed(coupling, name))
    return result


def _with_limbs(document: Document, figure: Figure, limbs: Mapping[str, list[str]]) -> Figure:
    """The figure with just the limbs that the file states."""
    here = ("figure", "limbs")
    for name, joints in limbs.items():  # one by one, for the line of what is wrong
        with document.at(*here, name):
            checked_limbs(figure, {name: joints})
    return stating(figure, limbs)


def _take_posture(
    document: Document,
    figure: Figure,
    name: str,
    values: Mapping[str, float | dict[str, float]],
    distances: Mapping[str, bool],
) -> None:
    """Add a named posture: values by coordinate, and clinical angles by joint or group."""
    here = ("figure", "postures", name)
    with document.at(*here):
        label(name, "posture")
    posture = figure.posture()
    for each, value in values.items():
        with document.at(*here, each):
            if isinstance(value, dict):
                scaled = {a: v * scale(distances.get(f"{each}.{a}")) for a, v in value.items()}
                put_angles(posture, each, scaled)
                array(posture.q, "the posture", (figure.n,))  # angles beyond all bounds are lost
            else:
                posture.q[figure.index(each)] = value * scale(distances.get(each))
    figure.postures[name] = posture.q
