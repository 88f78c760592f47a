"""How strong joints are: from tables for a person, or as a user says.

A strength belongs to one direction of one component (see `poise.statics.components`), such as
"left_elbow.flexion" upward (the flexors) and downward (the extensors).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from poise.checking import factor, number
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.statics.components import Component, Law, components_of
from poise.statics.loads import GRAVITY

Sex = Literal["male", "female"]

_LEAST = 0.2
"""Of its peak, no strength falls below this share however far the angle: Anderson's cosines were
measured within a part of the range only, and beyond they would reach zero."""
_OPPOSITE = {
    "flexion": "extension",
    "dorsiflexion": "plantarflexion",
    "abduction": "adduction",
    "rotation": "lateral",
    "radial_deviation": "ulnar_deviation",
    "pronation": "supination",
    "lateral": "lateral",
}
_PERCENTILE = 1.6448536269514722
"""How many standard deviations the 5th and the 95th percentile are from the mean."""
_USUAL_AGE = 21.5
_MASSES = 10.0, 300.0
"""Of people (kg)."""
_GYMNAST = 69.6 * 1.732
_SEATED = "l5_s1"
"""Where the tables' strength of the trunk is measured: the lowest joint of the spine."""


@closed
@dataclass(frozen=True)
class Spread:
    """How a strength varies among people, as a share of the mean: two half normal curves.

    Both are cut at the same median, so that three percentiles of a table are met.
    """

    below: float
    above: float

    def share_above(self, ratio: float) -> float:
        """The share of people who have at least `ratio` of the median strength."""
        width = self.below if ratio < 1 else self.above
        if width == 0:
            return 1.0 if ratio <= 1 else 0.0
        return 0.5 * math.erfc((ratio - 1) / width / math.sqrt(2))


@closed
@dataclass(frozen=True)
class Strength:
    """How strong a component is in one direction, and how that varies among people."""

    law: Law
    spread: Spread | None = None
    source: str = ""


@closed
@dataclass(frozen=True)
class Person:
    """Who is meant: tables go by sex, age (years), mass (kg) and stature (m).

    Age counts for hips, knees and ankles, between the tables' age groups, and there is nobody
    below 18 in them; body size for all but elbows, spine and the abduction and turning of
    shoulders, whose table does not tell it.
    """

    sex: Sex = "male"
    mass: float = 80.0
    stature: float = 1.75
    age: float = _USUAL_AGE

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.sex not in get_args(Sex):
            raise PoiseError(f"sex must be 'male' or 'female', not {self.sex!r}")
        for name, low, high, unit in (
            ("mass", *_MASSES, "kg"),
            ("stature", 0.8, 2.5, "m"),
            ("age", 18.0, 110.0, "years"),
        ):
            what = f"the {name} ({unit}) of a person"
            value = number(getattr(self, name), what, least=low, most=high)
            object.__setattr__(self, name, value)

    @classmethod
    def told(cls, known: Mapping[str, Any]) -> Person:
        """A person of whom some things are said, by name, and the rest is as usual."""
        names = [each.name for each in fields(cls)]
        for name in known:
            if name not in names:
                raise unknown_name("argument", name, names, "set_person")
        return cls(**known)

    @classmethod
    def of(cls, figure: Figure, **known: Any) -> Person | None:
        """Who a ready human figure is, holding nothing; None for any other, if nothing is told.

        Of any other the mass is its own, if a person can have it, unless told.
        """
        recipe = figure.recipe
        if recipe is None or recipe.function != "human":
            lightest, heaviest = _MASSES
            is_heavy = lightest <= figure.mass <= heaviest
            own: dict[str, Any] = {"mass": figure.mass} if is_heavy else {}
            return cls(**{**own, **known}) if known else None
        told: dict[str, Any] = {"sex": recipe.arguments.get("sex", "male"), "mass": figure.mass}
        usual = {"male": 1.75, "female": 1.63}[told["sex"]]
        told["stature"] = recipe.arguments.get("stature") or usual
        return cls(**{**told, **known})


@closed
class Strengths(Mapping[str, tuple[Strength, Strength]]):
    """Strengths by component, "left_elbow.flexion": upward (the angle grows) and downward."""

    def __init__(self, known: Mapping[str, tuple[Strength, Strength]] | None = None) -> None:
        """Take strengths as they are."""
        self._known = dict(known or {})

    def __repr__(self) -> str:
        """How many components."""
        return f"<Strengths of {len(self)} components>"

    def __getitem__(self, name: str) -> tuple[Strength, Strength]:
        """Both directions of a component."""
        return self._known[name]

    def __iter__(self) -> Any:
        """The components that have a strength."""
        return iter(self._known)

    def __len__(self) -> int:
        """How many components have a strength."""
        return len(self._known)

    def laws(self, component: Component) -> tuple[Law, Law] | None:
        """Both directions of a component; None where nothing is known."""
        found = self._known.get(component.full_name)
        return (found[0].law, found[1].law) if found else None

    @classmethod
    def of_person(cls, figure: Figure, person: Person, prefix: str = "") -> Strengths:
        """From the tables, for the components of a human figure (its joints may have a prefix).

        Of a joint that the tables know in part, as the hip, which they flex but do not abduct, the
        rest is taken to be as strong as its weakest direction, so that no effort hides there.
        Joints that they do not know at all have no strength.
        """
        own = [each for each in components_of(figure) if each.joint.startswith(prefix)]
        known: dict[str, tuple[Strength, Strength]] = {}
        for component in own:
            pair = _of_component(component, component.joint.removeprefix(prefix), person)
            if pair:
                known[component.full_name] = pair
        weakest: dict[str, float] = {}
        for component in own:
            for each in known.get(component.full_name, ()):
                weakest[component.joint] = min(weakest.get(component.joint, np.inf), each.law.peak)
        for component in own:
            if component.full_name not in known and component.joint in weakest:
                like = Strength(Law(weakest[component.joint]), source="as the weakest (estimate)")
                known[component.full_name] = (like, like)
        return cls(known)

    @classmethod
    def given(cls, figure: Figure, values: Mapping[str, Any]) -> Strengths:
        """As a user says: N·m (N) by joint or component, one for both directions or a pair.

        {"left_elbow.flexion": (77, 46)} are 77 N·m of the flexors and 46 of the extensors.
        """
        if not isinstance(values, Mapping):
            raise PoiseError(f"strengths must be numbers by joint or component, not {values!r}")
        components = components_of(figure)
        known: dict[str, tuple[Strength, Strength]] = {}
        for name, value in values.items():
            own = [each for each in components if name in (each.joint, each.full_name)]
            if not own:
                names = [each.full_name for each in components]
                joints = dict.fromkeys(each.joint for each in components)
                raise unknown_name("joint or component", name, [*joints, *names])
            up, down = _pair(value, name)
            known |= {each.full_name: (up, down) for each in own}
        return cls(known)

    def with_others(self, others: Mapping[str, tuple[Strength, Strength]]) -> Strengths:
        """The same with some added or replaced."""
        return Strengths({**self._known, **others})


def _pair(value: Any, name: str) -> tuple[Strength, Strength]:
    pair = value if isinstance(value, (tuple, list)) else (value, value)
    if len(pair) != 2:
        raise PoiseError(
            f"the strength of {name!r} must be a number, or one for each direction, not {value!r}"
        )
    up, down = (factor(each, f"the strength (N·m) of {name!r}") for each in pair)
    return Strength(Law(up), source="given"), Strength(Law(down), source="given")


def _of_component(
    component: Component, joint: str, person: Person
) -> tuple[Strength, Strength] | None:
    side, _, rest = joint.partition("_")
    part = rest if side in ("left", "right") else joint
    if joint == _SEATED:
        part = "spine"
    if component.name not in _OPPOSITE:
        return None
    up = "medial" if component.name == "rotation" else component.name
    pair = _looked_up(part, up, person), _looked_up(part, _OPPOSITE[component.name], person)
    return (pair[0], pair[1]) if pair[0] and pair[1] else None


def _looked_up(joint: str, direction: str, person: Person) -> Strength | None:
    """One direction, from the first table that has it."""
    return (
        _by_dynamometer(joint, direction, person)
        or _of_workers(joint, direction, person.sex)
        or _of_gymnast(joint, direction, person)
    )


def _by_dynamometer(joint: str, direction: str, person: Person) -> Strength | None:
    rows = [
        {key: float(row[key]) for key in ("age", "peak", "width", "center", "spread")}
        for row in table("dynamometer")
        if (row["joint"], row["direction"], row["sex"]) == (joint, direction, person.sex)
    ]
    if not rows:
        return None
    rows.sort(key=lambda row: row["age"])
    row = _interpolated(rows, person.age)
    peak = person.mass * GRAVITY * person.stature * row["peak"]
    law = Law(peak, row["width"], row["center"], _LEAST * peak)
    share = row["spread"] / row["peak"]
    return Strength(law, Spread(share, share), "Anderson 2007")


def _interpolated(rows: list[dict[str, float]], age: float) -> dict[str, float]:
    """Between the age groups; before the first and after the last as there."""
    if age <= rows[0]["age"]:
        return rows[0]
    for before, after in pairwise(rows):
        if age <= after["age"]:
            t = (age - before["age"]) / (after["age"] - before["age"])
            return {key: (1 - t) * before[key] + t * after[key] for key in before}
    return rows[-1]


def _of_workers(joint: str, direction: str, sex: str) -> Strength | None:
    for row in table("workers"):
        if (row["joint"], row["direction"], row["sex"]) == (joint, direction, sex):
            low, middle, high = (float(row[key]) for key in ("low", "middle", "high"))
            below, above = (middle - low) / middle, (high - middle) / middle
            spread = Spread(below / _PERCENTILE, above / _PERCENTILE)
            return Strength(Law(middle), spread, "Stobbe 1982")
    return None


def _of_gymnast(joint: str, direction: str, person: Person) -> Strength | None:
    """Scaled by body size; for women also as elbow flexion differs; spread as that, too."""
    for row in table("gymnast"):
        if (row["joint"], row["direction"]) == (joint, direction):
            like = _of_workers("elbow", "flexion", person.sex)
            men = _of_workers("elbow", "flexion", "male")
            assert like is not None
            assert men is not None
            share = like.law.peak / men.law.peak
            peak = float(row["peak"]) * share * person.mass * person.stature / _GYMNAST
            if person.sex == "female":
                # The share has the smaller body in it already.
                peak = float(row["peak"]) * share
            return Strength(Law(peak), like.spread, "RBDL gymnast, scaled (estimate)")
    return None


@cache
def table(name: str) -> list[dict[str, str]]:
    """The rows of "dynamometer", "workers" or "gymnast"; each file says where it comes from."""
    text = resources.files("poise.statics").joinpath(f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(_uncommented(text.splitlines())))


def _uncommented(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if not line.startswith("#")]
