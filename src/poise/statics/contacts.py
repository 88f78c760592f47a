"""Contact forces: what supports can bear, found rather than told.

A support pushes at every corner of its outline (of a site without one, at its point) with a force
in a friction cone. The cone is taken as a pyramid of 16 sides inside it, so that what is found is
possible, and at most 1.9 % of the friction is given away. Forces are then sums of the pyramids'
edges with factors that are not negative, balance is linear in these, and so is what joints hold:
the least effort is a problem of non-negative least squares, the greatest push a linear program, and
SciPy has a well-kept solver for each; an exact cone would need another one for those 1.9 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.errors import PoiseError
from poise.figure import Figure, Placements, Posture
from poise.statics.answers import ContactForce, Distribution, Strongest
from poise.statics.components import Component, Law, components_of, held
from poise.statics.levers import Levers
from poise.statics.loads import Load, Support, weight_of
from poise.statics.programs import least_squares_program, linear_program
from poise.statics.strength import Strengths

Values = NDArray[np.float64]

SIDES = 16
"""Of the pyramid in a friction cone."""
_SLIGHT = 1e-4
"""How much the forces themselves count beside the effort: enough that there is one answer."""


class Contacts:
    """A posture with its supports, ready to be asked about forces."""

    def __init__(
        self,
        figure: Figure,
        posture: Posture | Values,
        segments: Sequence[str],
        supports: Sequence[Support],
        applied: Sequence[Load],
        strengths: Strengths,
    ) -> None:
        """Take corners and levers of one figure (its segments) from a posture."""
        if not supports:
            raise PoiseError(
                "there is no support",
                code=': name what the figure stands on, such as scene.forces.support("left_foot")',
                remedy="support",
            )
        self._figure = figure
        self._q = figure.q_of(posture)
        self._places = figure.place(self._q)
        self._applied = list(applied)
        own = set(segments)
        parts = components_of(figure)
        known = [c for c in parts if c.full_name in strengths and _is_of(c, figure, own)]
        self._bounded = bool(known)
        self._components = known or [c for c in parts if _is_of(c, figure, own)]
        self._levers = Levers(figure, self._q, self._components)
        self._strong = np.array(
            [
                [law.at(angle) for law in strengths.laws(c) or (Law(1.0), Law(1.0))]
                for c, angle in zip(self._components, self._levers.angles, strict=True)
            ]
        ).reshape(-1, 2)
        self._weight = weight_of(figure, segments)
        self._center = _center(figure, self._q, self._places, segments)
        self._base = held(figure, self._q, self._components, self._applied)
        self._wrench = _wrench(self._weight, self._center, self._center)
        for load in self._applied:
            self._wrench += self._load_wrench(load)
        corners = [
            (support, corner) for support in supports for corner in _corners(figure, support)
        ]
        self._corners = corners
        self._points = np.array(
            [self._places[s.site].apply(np.array(c)) for s, c in corners]
        ).reshape(-1, 3)

    def distribute(self) -> Distribution:
        """The forces of the supports that balance all with the least effort.

        Where no forces do, those that come nearest: what is lacking, in N and N·m, is least in sum.
        """
        rays, owner = self._rays(1.0)
        wrenches, levers = self._along(rays, owner)
        unit = max(-float(self._weight[2]), 1.0)
        count = rays.shape[0]
        # What is lacking: the sum of its components, over twelve columns.
        slack = np.hstack([np.eye(6), -np.eye(6)])
        rows = np.hstack([wrenches, slack])
        found = linear_program(
            np.concatenate([np.zeros(count), np.ones(12)]), rows, -self._wrench / unit
        )
        assert found is not None
        lacks = unit * (slack @ found.x[count:])
        lacks[np.abs(lacks) < 1e-7 * unit] = 0.0
        balance = -self._wrench / unit - lacks / unit
        strong = self._strong / unit
        several = len(self._components)
        # Moments in units of their strength, so that all columns weigh alike.
        cost = np.concatenate([np.full(count, _SLIGHT), np.ones(2 * several)])
        rows = np.block(
            [
                [wrenches, np.zeros((6, 2 * several))],
                [levers, -np.diag(strong[:, 0]), np.diag(strong[:, 1])],
            ]
        )
        right = np.concatenate([balance, -self._base / unit])
        factors = unit * least_squares_program(cost, rows, right)[:count]
        contacts: list[ContactForce] = []
        for i, (support, corner) in enumerate(self._corners):
            x, y, z = (factors[owner == i] @ rays[owner == i]).tolist()
            load = Load(support.site, force=(x, y, z), point=corner)
            px, py, pz = self._points[i].tolist()
            contacts.append(ContactForce(support.site, (px, py, pz), (x, y, z), load))
        moments = self._base + levers @ factors
        limit = np.where(moments >= 0, self._strong[:, 0], self._strong[:, 1])
        return Distribution(
            tuple(contacts),
            (*self._applied, *(each.load for each in contacts if any(each.force))),
            _triple(lacks[:3]),
            _triple(lacks[3:]),
            float(np.sum((moments / limit) ** 2)),
        )

    def strongest(self, site: str, direction: Vec3, *, joints: bool = True) -> Strongest:
        """How hard the figure can push at a site in a direction, instead of what is applied there.

        Args:
            site: where.
            direction: in which it pushes; what it feels is the opposite.
            joints: whether joints may give, too; else only slipping and tipping count.
        """
        bounded = joints and self._bounded
        best, rows = self._greatest(site, direction, 1.0, bounded)
        if best is None:
            stands = bounded and self._greatest(site, direction, 1.0, False)[0] is not None
            word = "too weak" if stands else "cannot stand"
            return Strongest(site, direction, float("nan"), word)
        if not np.isfinite(best):
            return Strongest(site, direction, float("inf"), "nothing")
        if rows:
            names = tuple(self._components[i].full_name for i in rows)
            return Strongest(site, direction, best, "joint", names)
        rough, _ = self._greatest(site, direction, 100.0, False)
        slips = rough is not None and rough > 1.001 * best + 1e-6
        return Strongest(site, direction, best, "slips" if slips else "tips")

    def _greatest(
        self, site: str, direction: Vec3, friction: float, bounded: bool
    ) -> tuple[float | None, list[int]]:
        """The greatest push (N), and the components that are at their strength."""
        rays, owner = self._rays(friction)
        wrenches, levers = self._along(rays, owner)
        unit = max(-float(self._weight[2]), 1.0)
        # The push takes the place of what is applied there.
        others = [load for load in self._applied if load.site != site]
        base = held(self._figure, self._q, self._components, others)
        wrench = _wrench(self._weight, self._center, self._center)
        for load in others:
            wrench += self._load_wrench(load)
        x, y, z = direction
        pushed = Load(site, force=(-x, -y, -z))
        columns = np.column_stack([wrenches, self._load_wrench(pushed)])
        cost = np.zeros(columns.shape[1])
        cost[-1] = -1.0
        ranges = lower = upper = None
        if bounded:
            node, _ = self._figure.frame(site)
            at = self._places[site].position
            lever = self._levers.of(node, at) @ np.array([-x, -y, -z])
            ranges = np.column_stack([levers, lever])
            lower = (-self._strong[:, 1] - base) / unit
            upper = (self._strong[:, 0] - base) / unit
        found = linear_program(cost, columns, -wrench / unit, ranges, lower, upper)
        if found is None:
            return None, []
        if found.is_unbounded:
            return float("inf"), []
        prices = found.lower_price + found.upper_price
        return unit * float(found.x[-1]), np.flatnonzero(prices > 1e-9).tolist()

    def _rays(self, friction: float) -> tuple[Values, NDArray[np.int64]]:
        """The edges of all pyramids (k, 3), each pushing with 1 N, and the corner of each."""
        turns = np.arange(SIDES) * (2 * np.pi / SIDES)
        rays: list[Values] = []
        for support, _ in self._corners:
            frame = self._places[support.site].rotation
            across = np.outer(np.cos(turns), frame[:, 0]) + np.outer(np.sin(turns), frame[:, 1])
            rays.append(-frame[:, 2] + friction * support.friction * across)
        owner = np.repeat(np.arange(len(rays)), SIDES)
        return np.concatenate(rays), owner

    def _along(self, rays: Values, owner: NDArray[np.int64]) -> tuple[Values, Values]:
        """Wrenches (6, k) of all edges, and what joints hold of them (c, k)."""
        arms = self._points[owner] - self._center
        wrenches = np.vstack([rays.T, np.cross(arms, rays).T])
        levers = np.empty((len(self._components), len(rays)))
        for i, (support, _) in enumerate(self._corners):
            node, _ = self._figure.frame(support.site)
            levers[:, owner == i] = self._levers.of(node, self._points[i]) @ rays[owner == i].T
        return wrenches, levers

    def _load_wrench(self, load: Load) -> Values:
        at = self._places[load.site].apply(np.array(load.point))
        result = _wrench(np.array(load.force), at, self._center)
        result[3:] += load.torque
        return result


def _is_of(component: Component, figure: Figure, segments: set[str]) -> bool:
    return figure.joints[component.joint].child in segments


def _corners(figure: Figure, support: Support) -> list[Vec3]:
    site = figure.sites.get(support.site)
    if site is None or not site.outline:
        return [(0.0, 0.0, 0.0)]
    return [(x, y, 0.0) for x, y in site.outline]


def _center(figure: Figure, q: Values, places: Placements, segments: Sequence[str]) -> Values:
    if len(segments) == len(figure.segments):
        return figure.center_of_mass(q)
    total, moment = 0.0, np.zeros(3)
    for name in segments:
        mass, center, _ = figure.segments[name].mass_properties()
        total += mass
        moment += mass * places.segment(name).apply(center)
    if total <= 0:
        raise PoiseError(f"forces need masses, and the figure {figure.name!r} has none")
    return moment / total


def _wrench(force: Values, at: Values, center: Values) -> Values:
    return np.concatenate([force, np.cross(at - center, force)])


def _triple(values: Values) -> Vec3:
    x, y, z = values.tolist()
    return (x, y, z)
