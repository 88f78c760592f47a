"""Units of coordinates in figure files, and of the laws between them.

Laws (groups and couplings) hold as they are written in a file, with every angle in degrees and
every distance in metres; their factors are converted accordingly. With u = π/180:

- A term F · Π p^e of a group drives a member m. In Python's units its factor is F · u^k, where k
  is 1 if m is an angle (else 0) less the powers of those p that are angles. A linear term from
  an angle to an angle is the same number in both.
- A coupling among angles has its bounds in degrees. With a distance among the terms the bounds
  are metres, and an angle's factor is metres per degree: F / u in Python.

A parameter of a group is an angle, unless it drives distances only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from poise.documents import shortest
from poise.errors import PoiseError
from poise.figure.parts import Group, Joint

DEGREE = math.pi / 180
"""One degree in radians."""


def radians(value: Any) -> Any:
    """Degrees, alone or in tuples, as radians."""
    return tuple(map(radians, value)) if isinstance(value, tuple) else value * DEGREE


def degrees(value: Any) -> Any:
    """Radians, alone or in tuples, as degrees with the shortest text."""
    return tuple(map(degrees, value)) if isinstance(value, tuple) else shortest(value, DEGREE)


def scale(is_distance: bool | None) -> float:
    """What a number in a file is multiplied with; angles are what is not a distance."""
    return 1.0 if is_distance else DEGREE


def joint_distances(joints: Sequence[Joint]) -> dict[str, bool]:
    """Whether each coordinate of the joints is a distance; else it is an angle."""
    result: dict[str, bool] = {}
    for joint in joints:
        far = [unit == "m" for unit in joint.kind.units]
        result.update(zip(joint.coordinates, far, strict=True))
    return result


def distances_of(joints: Sequence[Joint], groups: Sequence[Group]) -> dict[str, bool]:
    """The same for the groups' parameters too."""
    coordinates = joint_distances(joints)
    result = dict(coordinates)
    for group in groups:
        powers = {member: [term.powers for term in each] for member, each in group.terms.items()}
        far = parameter_distances(group.parameters, powers, coordinates)
        result |= {f"{group.name}.{parameter}": each for parameter, each in far.items()}
    return result


def parameter_distances(
    parameters: Mapping[str, Any],
    powers: Mapping[str, Sequence[Mapping[str, int]]],
    coordinates: Mapping[str, bool],
) -> dict[str, bool]:
    """Whether each parameter of a group is a distance: whether it drives distances only."""
    result: dict[str, bool] = {}
    for parameter in parameters:
        driven = [m for m, terms in powers.items() if any(parameter in term for term in terms)]
        result[parameter] = bool(driven) and all(coordinates[member] for member in driven)
    return result


def term_scale(is_distance: bool, powers: Mapping[str, int], far: Mapping[str, bool]) -> float:
    """What the factor of a group's term in a file is multiplied with."""
    of_angles = sum(power for parameter, power in powers.items() if not far[parameter])
    try:
        return DEGREE ** ((0 if is_distance else 1) - of_angles)
    except OverflowError:
        raise PoiseError(f"the powers of a term are too large: {of_angles} in all") from None


def coupling_scales(
    terms: Mapping[str, float], distances: Mapping[str, bool]
) -> tuple[dict[str, float], float]:
    """What a coupling's factors and its bounds in a file are multiplied with."""
    mixed = any(distances[each] for each in terms)
    of_factors = {each: 1 / DEGREE if mixed and not distances[each] else 1.0 for each in terms}
    return of_factors, 1.0 if mixed else DEGREE
