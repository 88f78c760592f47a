"""A figure as the text of a figure file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from poise.documents import shortest, yaml_text
from poise.figure.figure import Figure
from poise.figure.files import parts
from poise.figure.files.units import (
    coupling_scales,
    degrees,
    distances_of,
    joint_distances,
    scale,
    term_scale,
)
from poise.figure.limbs import joints_of_limb
from poise.figure.limits import SphericalEllipse, SphericalPolygon, SwingLimit, TwistTable
from poise.figure.parts import Coupling, Group, Joint, Monomial, Segment
from poise.figure.shapes import Shape

COMMENT = """\
A figure of poise. Lengths are metres, masses kilograms, angles degrees; a rotation is a
rotation vector, axis times angle. x is forward, y left, z up."""


def figure_text(figure: Figure) -> str:
    """The figure as the text of a figure file. What has its default value is left out."""
    joints = list(figure.joints.values())
    distances = distances_of(joints, list(figure.groups.values()))
    part = parts.FigurePart.model_construct(
        name=figure.name,
        description=figure.description,
        segments={name: _segment(each) for name, each in figure.segments.items()},
        joints={name: _joint(each) for name, each in figure.joints.items()},
        sites={name: _part(parts.SitePart, each) for name, each in figure.sites.items()},
        couplings={name: _coupling(each, distances) for name, each in figure.couplings.items()},
        groups={
            name: _group(each, joint_distances(joints), distances)
            for name, each in figure.groups.items()
        },
        limbs=_limbs(figure),
        postures={
            name: {
                coordinate: shortest(value, scale(distances[coordinate]))
                for coordinate, value in zip(figure.coordinates, q.tolist(), strict=True)
                if value
            }
            for name, q in figure.postures.items()
        },
        locked=list(figure.locked_names),
        stiffness=_stiffness(figure),
    )
    data = part.model_dump(exclude_defaults=True, warnings="error")
    return yaml_text({"figure": data}, comment=COMMENT)


_Model = TypeVar("_Model", bound=parts.Part)


def _part(model: type[_Model], *sources: Any, **values: Any) -> _Model:
    """A model whose fields are given, or else attributes of the first source that has them."""
    for field in model.model_fields:
        for source in sources:
            if field not in values and hasattr(source, field):
                values[field] = getattr(source, field)
    return model.model_construct(**values)


def _segment(segment: Segment) -> parts.SegmentPart:
    inertia: Any = segment.inertia
    if inertia is not None:
        diagonal = tuple(inertia[i][i] for i in range(3))
        if not any(inertia[i][j] for i in range(3) for j in range(3) if i != j):
            inertia = diagonal
    shapes = tuple(_shape(shape) for shape in segment.shapes)
    return _part(parts.SegmentPart, segment, shapes=shapes, inertia=inertia)


def _shape(shape: Shape) -> parts.ShapePart:
    key = shape.kind.replace(" ", "_")
    chosen: dict[str, Any] = {key: _part(parts.SHAPES[key], shape)}
    return parts.ShapePart.model_construct(**chosen)


def _joint(joint: Joint) -> parts.JointPart:
    kind, values = joint.kind, dict[str, Any]()
    settled: list[str] = []
    for each in parts.entries_of(type(kind)):
        key, sort, value = each.name, each.metadata["sort"], getattr(kind, each.name)
        if sort == "swing_limits":
            values[key] = tuple(map(_swing_limit, value))
        elif sort == "angle":
            values[key] = value and value.maximum
        elif sort == "twist_limit":
            values |= {key: None, f"{key}_table": None}
            if isinstance(value, TwistTable):
                values[f"{key}_table"] = _part(parts.TwistTablePart, value)
            elif value is not None:
                values[key] = _part(parts.TwistPart, value)
        elif each.default is None:
            settled.append(key)
    for i, key in enumerate(settled):  # left out if it would be settled in the same way again
        again: Any = replace(cast("Any", kind), **dict.fromkeys(settled[i:]))
        if getattr(kind, key) == getattr(again, key):
            values[key] = None
    return _part(parts.joint_part(type(kind)), kind, joint, **values)


def _swing_limit(limit: SwingLimit) -> parts.SwingLimitPart:
    value: Any
    if isinstance(limit, SphericalEllipse):
        value = _part(parts.SphericalEllipsePart, limit)
    elif isinstance(limit, SphericalPolygon):
        value = limit.directions
    else:
        value = limit.points
    return parts.SwingLimitPart.model_construct(**{limit.kind: value})


def _coupling(coupling: Coupling, distances: Mapping[str, bool]) -> parts.CouplingPart:
    of_factors, of_bounds = coupling_scales(coupling.terms, distances)
    return parts.CouplingPart.model_construct(
        terms={each: shortest(f, of_factors[each]) for each, f in coupling.terms.items()},
        lower=shortest(coupling.lower, of_bounds),
        upper=shortest(coupling.upper, of_bounds),
    )


def _group(
    group: Group, coordinates: Mapping[str, bool], distances: Mapping[str, bool]
) -> parts.GroupPart:
    far = {parameter: distances[f"{group.name}.{parameter}"] for parameter in group.parameters}

    def factor(member: str, term: Monomial) -> float:
        return shortest(term.factor, term_scale(coordinates[member], term.powers, far))

    members: dict[str, Any] = {}
    for member, terms in group.terms.items():
        linear = [next(iter(term.powers)) for term in terms if list(term.powers.values()) == [1]]
        if len(set(linear)) == len(terms):
            members[member] = {
                parameter: factor(member, term)
                for parameter, term in zip(linear, terms, strict=True)
            }
        else:
            members[member] = tuple(
                parts.TermPart.model_construct(factor=factor(member, term), powers=term.powers)
                for term in terms
            )
    parameters = {
        parameter: ends if far[parameter] else degrees(ends)
        for parameter, ends in group.parameters.items()
    }
    return parts.GroupPart.model_construct(parameters=parameters, members=members)


def _limbs(figure: Figure) -> dict[str, list[str]] | None:
    """Those that were stated, by joints and groups where the limb has all of their coordinates."""
    if figure.stated_limbs is None:
        return None
    return {name: joints_of_limb(figure, name) for name in figure.stated_limbs}


def _stiffness(figure: Figure) -> dict[str, float]:
    """By joint or group where all its coordinates are alike, else by coordinate."""
    result: dict[str, float] = {}
    for coordinate in figure.coordinates:
        part = coordinate.split(".")[0]
        values = figure.stiffness.values[figure.span(part)]
        name = part if (values == values[0]).all() else coordinate
        if figure.stiffness[name]:
            result[name] = figure.stiffness[name]
    return result
