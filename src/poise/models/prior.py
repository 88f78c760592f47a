"""The posture prior: how the joints of people go together, fitted to motion capture.

A few stances (standing, crouching, low, striding), each a Gaussian over the same features: the
coordinates of the person whose spine and shoulders are grouped, without the root, and the up
direction in the pelvis' frame, of which x and y are enough. Where a person stands and which way
it faces is no feature. The numbers are the table `prior`, written by `poise prior fit`.

`prior_of(figure)` brings them to a figure: any person of `poise.human`, and skeletons from files
that have its joints (`humanoids.is_humanoid`).

- Coordinates that the table names are taken as they are: they are angles, and need no size.
- Where spine or shoulders are independent, members move as their group would, q = q0 + S p: the
  parameters p are read from the members (weighted least squares) and have the table's Gaussian,
  so that members which move together cost what their group costs. What a member deviates from its
  group has a spread of its own, `OWN_SPREAD` times the root of its share. Where some members are
  missing (a vertebra made rigid), which then stay at rest, the parameters are read from the others.
- A trunk of one to three balls is read in the same way: each does its part of what the spine does.
- What the table does not know, such as fingers, stays about the rest posture, with the spread
  `UNKNOWN_SPREAD`.
- A feature that a figure lacks (a knee made rigid, or a parameter that no member of its group is
  left to tell) is left out: the Gaussian of the others, whatever it would be. Coordinates that are
  only locked are features like others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.laws import Group
from poise.models.human import human
from poise.models.humanoids import is_humanoid, names_of_person, trunk_law, trunk_of
from poise.models.poses import is_person
from poise.models.tables import table

Values = NDArray[np.float64]

UP = ("up_x", "up_y")
"""The last two features: the up direction in the frame of the pelvis."""
PELVIS = "pelvis"
"""The segment in whose frame the up direction is taken."""
OWN_SPREAD = {"spine": 0.05, "left_shoulder_complex": 0.1, "right_shoulder_complex": 0.1}
"""Standard deviation (rad) of a member from what its group would do, at a share of one.

Set by hand: a vertebra, with a share of about 0.06, deviates by 0.7°, a clavicle by 2.5°. No
captured centre lies within the spine, so the data say nothing about it.
"""
UNKNOWN_SPREAD = 0.3
"""Standard deviation (rad) of coordinates that the table does not know, about rest; by hand."""


@closed
@dataclass(frozen=True, eq=False)
class Gaussian:
    """A stance as the table has it.

    Attributes:
        name: such as "stand".
        share: of the frames that it was fitted to, 0 to 1.
        favour: nats by which it is preferred beyond its share.
        mean: (m,) of the features; radians, and the up direction's numbers.
        precision: (m, m) the inverse of their covariance, positive definite.
    """

    name: str
    share: float
    favour: float
    mean: Values
    precision: Values


@closed
@dataclass(frozen=True, eq=False)
class Stance:
    """A stance on a figure: the log-likelihood of features f is log_weight − ½ ‖rows (f − mean)‖².

    Attributes:
        name: such as "stand".
        log_weight: all that does not depend on the posture: how usual the stance is, and the
            Gaussian's normaliser (½ log of the precision's determinant), in nats. The constant
            (2π)^(m/2), the same for all stances, is left out.
        mean: (m,) of the features.
        rows: (r, m), with rowsᵀ rows the precision; upper triangular, r = m.
    """

    name: str
    log_weight: float
    mean: Values
    rows: Values


@closed
@dataclass(frozen=True, eq=False)
class FigurePrior:
    """The prior on a figure. Features are the coordinates at `indices`, then up_x and up_y.

    Attributes:
        stances: the stances, the favoured one first.
        indices: (m − 2,) which coordinates of the figure: all but the root's.
        node: the segment in whose frame the up direction is taken.
    """

    stances: tuple[Stance, ...]
    indices: NDArray[np.int64]
    node: str = PELVIS

    def features(self, posture: Posture) -> Values:
        """The features (m,) of a posture of the figure."""
        up = posture.figure.place(posture).segment(self.node).rotation[2, :2]
        return np.concatenate([posture.q[self.indices], up])

    def log_likelihoods(self, posture: Posture) -> dict[str, float]:
        """By stance, in nats, but for a constant that is the same for all."""
        features = self.features(posture)
        found: dict[str, float] = {}
        for each in self.stances:
            off = each.rows @ (features - each.mean)
            found[each.name] = each.log_weight - 0.5 * float(off @ off)
        return found

    def likeliest(self, posture: Posture) -> Stance:
        """The stance under which a posture is likeliest; the first of equals."""
        scores = self.log_likelihoods(posture)
        return max(self.stances, key=lambda each: scores[each.name])


@closed
@dataclass(frozen=True, eq=False)
class Prior:
    """Stances over features, as a file has them.

    Attributes:
        features: names (m,): coordinates of the grouped person, then "up_x" and "up_y".
        stances: by `Gaussian.name`, the favoured one first.
        made: where it is from: plain data for people to read.
        file: that it was read from, where it was (`prior_files.read_prior`).
    """

    features: tuple[str, ...]
    stances: tuple[Gaussian, ...]
    made: Mapping[str, Any]
    file: Path | None = None

    def __post_init__(self) -> None:
        """Check names, sizes, and that precisions are positive definite."""
        known = [*_reference().coordinates, *UP]
        for name in self.features:
            if name not in known:
                raise unknown_name("feature", name, known)
        if self.features[-2:] != UP or len(set(self.features)) != len(self.features):
            raise PoiseError("features of a prior must be different, and end with up_x and up_y")
        if not self.stances:
            raise PoiseError("a prior needs at least one stance")
        for each in self.stances:
            _check(each, len(self.features))

    @cached_property
    def _mapped(self) -> Any:
        """What `on` does, by what it depends on: persons of all sizes share a few answers."""
        return lru_cache(maxsize=32)(self._on)

    def __getstate__(self) -> dict[str, Any]:
        """All but the answers that are kept, which cannot be pickled."""
        return {key: value for key, value in vars(self).items() if key != "_mapped"}

    def on(self, figure: Figure) -> FigurePrior | None:
        """The prior on a person with any spine, shoulders and hands, or a humanoid; else None."""
        if not isinstance(figure, Figure):
            raise PoiseError(f"a prior is brought to a figure, not to {figure!r}")
        if not is_person(figure) and not is_humanoid(figure):
            return None
        free = np.flatnonzero(~figure.root_coordinates)
        names = names_of_person([figure.coordinates[i] for i in free])
        rest = zip(names, figure.rest().q[free].tolist(), strict=True)
        at = tuple(0.0 if name in self.features else value for name, value in rest)
        return FigurePrior(self._mapped(names, at), free)

    def _on(self, names: tuple[str, ...], rest: tuple[float, ...]) -> tuple[Stance, ...]:
        reading = _read(self.features, names, rest)
        return tuple(reading.stance(each) for each in self.stances)

    def starts(self, figure: Figure) -> dict[str, Posture]:
        """A valid posture for each stance: its mean on the floor z = 0, facing +x.

        Both feet are on the floor, flat where the stance allows it. There is none for a figure
        that is no person; where the root is fixed, it stays, and so does what is on the floor.
        """
        from poise.models.prior_starts import started

        prior = self.on(figure)
        if prior is None or not is_person(figure):
            return {}  # of a humanoid nobody knows the soles
        return {each.name: started(figure, prior, each) for each in prior.stances}


def prior_of(figure: Figure) -> FigurePrior | None:
    """The prior that comes with poise, on a figure; None where the figure is no person."""
    return shipped().on(figure)


@cache
def shipped() -> Prior:
    """The prior that comes with poise: the table `prior`."""
    return prior_from(table("prior")["prior"])


def prior_from(data: Mapping[str, Any]) -> Prior:
    """A prior from what its file has under the key `prior`."""
    features = tuple(data["features"].split())
    stances: list[Gaussian] = []
    for name, row in data["stances"].items():
        mean = _parsed(row["mean"], name, "mean")
        lower = np.zeros((len(features), len(features)))
        numbers = _parsed(row["precision"], name, "precision")
        places = np.tril_indices(len(features))
        if len(numbers) != len(places[0]):
            raise PoiseError(
                f"the precision of the stance {name!r} must be {len(places[0])} numbers, the lower "
                f"half of {len(features)} rows, not {len(numbers)}"
            )
        lower[places] = numbers
        precision = lower + np.tril(lower, -1).T
        stances.append(Gaussian(name, float(row["share"]), float(row["favour"]), mean, precision))
    return Prior(features, tuple(stances), data["made"])


def _parsed(text: str, stance: str, what: str) -> Values:
    """The numbers of a text."""
    try:
        return np.array(text.split(), np.float64)
    except ValueError as error:
        raise PoiseError(f"the {what} of the stance {stance!r} must be numbers: {error}") from None


def prior_text(prior: Prior) -> str:
    """A prior as its file has it: YAML, with six digits of each number."""
    from poise.documents import yaml_text

    lines = [*_HEAD, "prior:"]
    made = yaml_text({"made": dict(prior.made)})
    lines += [f"  {line}".rstrip() for line in made.splitlines()]
    lines.append("  features: >-")
    lines += [
        f"    {' '.join(prior.features[i : i + 4])}" for i in range(0, len(prior.features), 4)
    ]
    lines.append("  stances:")
    for each in prior.stances:
        lines += [f"    {each.name}:", f"      share: {each.share:.4f}"]
        lines += [f"      favour: {each.favour:g}", "      mean: >-"]
        lines += [f"        {line}" for line in _wrapped(each.mean)]
        lines.append("      precision: |-")
        lines += [" " * 8 + _numbers(row[: i + 1]) for i, row in enumerate(each.precision)]
    return "\n".join(lines) + "\n"


_HEAD = (
    "# How the joints of people go together: the posture prior (models/prior.py).",
    "#",
    "# Written by `poise prior fit`; not to be edited by hand. Each stance is a Gaussian over",
    "# features: coordinates of poise.human() (rad), and the up direction in the pelvis' frame.",
    "#   share: of the frames fitted; favour: nats by which it is preferred beyond that.",
    "#   mean: of the features in their order.",
    "#   precision: the inverse covariance, 1/rad²; its lower half, a line for each feature.",
)


def _wrapped(values: Values, most: int = 10) -> list[str]:
    return [_numbers(values[i : i + most]) for i in range(0, len(values), most)]


def _numbers(values: Values) -> str:
    return " ".join("0" if value == 0 else f"{value:.6g}" for value in values.tolist())


def _check(stance: Gaussian, count: int) -> None:
    """Refuse wrong sizes and what is no precision."""
    where = f"of the stance {stance.name!r}"
    if stance.mean.shape != (count,) or stance.precision.shape != (count, count):
        raise PoiseError(f"mean and precision {where} must be of {count} features")
    if not (np.isfinite(stance.mean).all() and np.isfinite(stance.precision).all()):
        raise PoiseError(f"the numbers {where} must be finite")
    if not 0 < stance.share <= 1 or not np.isfinite(stance.favour):
        raise PoiseError(f"the share {where} must be above 0 and at most 1, its favour finite")
    try:
        np.linalg.cholesky(stance.precision)
    except np.linalg.LinAlgError:
        raise PoiseError(f"the precision {where} is not positive definite") from None


@cache
def _reference() -> Figure:
    """The person whose coordinates the features are."""
    return human()


class _Reading(NamedTuple):
    """How the features of a figure are read as those of the table.

    table features that the figure has = matrix (figure features − offset).
    """

    kept: list[int]
    """Which of the table's features the figure has, (k,)."""
    matrix: Values
    """(k, m)."""
    offset: Values
    """(m,) what members of a group are at when its parameters are zero; rest, where unknown."""
    back: Values
    """(m, k) figure features − offset = back · table features, where all move as groups do."""
    own: Values
    """(m, m) precision of what the table does not say."""

    def stance(self, gaussian: Gaussian) -> Stance:
        """A stance of the table on the figure."""
        mean, precision = gaussian.mean[self.kept], gaussian.precision
        if len(self.kept) < len(precision):
            block = np.ix_(self.kept, self.kept)
            precision = np.linalg.inv(np.linalg.inv(precision)[block])
        whole = self.matrix.T @ precision @ self.matrix + self.own
        rows: Values = np.ascontiguousarray(np.linalg.cholesky(whole).T, np.float64)
        usual = float(np.log(gaussian.share)) + gaussian.favour
        log_weight = usual + float(np.log(np.diag(rows)).sum())
        return Stance(gaussian.name, log_weight, self.offset + self.back @ mean, rows)


def _read(features: Sequence[str], names: tuple[str, ...], rest: tuple[float, ...]) -> _Reading:
    """How the coordinates of a figure, by name, and its up direction are read."""
    own_names = [*names, *UP]
    place = {name: i for i, name in enumerate(own_names)}
    offset = np.array([*rest, 0.0, 0.0])
    matrix = np.zeros((len(features), len(own_names)))
    back = np.zeros((len(own_names), len(features)))
    own = np.zeros((len(own_names), len(own_names)))
    known: set[str] = set()
    for i, name in enumerate(features):
        if name in place:
            matrix[i, place[name]] = back[place[name], i] = 1.0
            known.add(name)
    for law in _laws(names):
        present = [i for i, each in enumerate(law.members) if each in place]
        if not present or not all(each in features for each in law.parameters):
            continue
        start, shares = law.start[present], law.shares[present]
        told = _told(shares)
        columns = [features.index(law.parameters[i]) for i in told]
        members = [place[law.members[i]] for i in present]
        precision = np.diag(1.0 / (OWN_SPREAD[law.group] ** 2 * np.abs(shares).sum(1)))
        shares = shares[:, told]
        inverse = np.linalg.solve(shares.T @ precision @ shares, shares.T @ precision)
        rest_of = np.eye(len(members)) - shares @ inverse
        matrix[np.ix_(columns, members)] = inverse
        back[np.ix_(members, columns)] = shares
        own[np.ix_(members, members)] = rest_of.T @ precision @ rest_of
        offset[members] = start
        known.update(law.members)
    for name in names:
        if name not in known:
            own[place[name], place[name]] = UNKNOWN_SPREAD**-2
    kept = [i for i in range(len(features)) if matrix[i].any()]
    return _Reading(kept, matrix[kept], offset, back[:, kept], own)


def _told(shares: Values) -> list[int]:
    """Which parameters can be read from members with these shares (k, p): the first of rank."""
    found: list[int] = []
    for i in range(shares.shape[1]):
        if np.linalg.matrix_rank(shares[:, [*found, i]]) > len(found):
            found.append(i)
    return found


class _Law(NamedTuple):
    """How the members of a group move with its parameters: start + shares · parameters."""

    group: str
    parameters: list[str]
    """(p,) coordinates of the person."""
    members: list[str]
    """(k,) coordinates of a figure."""
    start: Values
    """(k,)"""
    shares: Values
    """(k, p)"""


def _laws(names: Sequence[str]) -> list[_Law]:
    """Those of the person's groups, and that of a trunk of balls among these coordinates."""
    found = [_law(group) for group in _reference().groups.values()]
    balls = trunk_of(names)
    if balls:
        members, shares = trunk_law(balls)
        parameters = [f"spine.{each}" for each in ("flexion", "lateral", "axial")]
        found.append(_Law("spine", parameters, members, np.zeros(len(members)), shares))
    return found


def _law(group: Group) -> _Law:
    """A group whose members move linearly."""
    parameters, members = list(group.parameters), list(group.terms)
    start, shares = np.zeros(len(members)), np.zeros((len(members), len(parameters)))
    for i, sums in enumerate(group.terms.values()):
        for term in sums:
            if not term.powers:
                start[i] += term.factor
            for parameter in term.powers:
                shares[i, parameters.index(parameter)] += term.factor
    names = [f"{group.name}.{each}" for each in parameters]
    return _Law(group.name, names, members, start, shares)
