"""The balance of a posture by plain means, one unit load after the other, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import Scene
from poise.scene.solving import context_of
from poise.statics.components import components_of, held
from poise.statics.loads import GRAVITY, Load

Values = NDArray[np.float64]
SIDES = 16


class Balance:
    """What the supports of a scene's one figure can do, without `statics.contacts`."""

    def __init__(self, scene: Scene, without: str | None = None) -> None:
        """Take the loads that are applied, but for those on one site."""
        self.scene = scene
        self.figure, self.q = context_of(scene).figure, context_of(scene).posture
        self.places = self.figure.place(self.q)
        self.center = self.figure.center_of_mass(self.q)
        self.weight = GRAVITY * self.figure.mass
        strengths = scene.forces.acting.strengths
        self.components = [c for c in components_of(self.figure) if c.full_name in strengths]
        applied = [each for each in scene.forces.applied.values() if each.site != without]
        self.base = held(self.figure, self.q, self.components, applied)
        self.alone = held(self.figure, self.q, self.components, [])
        self.wrench = np.array([0.0, 0.0, -self.weight, 0.0, 0.0, 0.0])
        for load in applied:
            self.wrench += self.of(load)[0]
        angles = {c: self.q.angles(c.joint)[c.name] for c in self.components}
        self.strong = np.array(
            [[law.at(angles[c]) for law in strengths.laws(c) or ()] for c in self.components]
        )

    def of(self, load: Load) -> tuple[Values, Values]:
        """The wrench (6,) of a load about the centre of mass, and what components hold of it."""
        at = self.places[load.site].apply(np.array(load.point))
        moment = np.cross(at - self.center, load.force) + load.torque
        change = held(self.figure, self.q, self.components, [load]) - self.alone
        return np.array([*load.force, *moment]), change

    def edges(self) -> tuple[Values, Values]:
        """Wrenches (6, k) of the edges of all pyramids of friction, and what is held (c, k)."""
        wrenches, levers = list[Values](), list[Values]()
        for site, support in self.scene.forces.supports.items():
            frame = self.places[site].rotation
            for x, y in self.figure.sites[site].outline:
                units = [
                    self.of(Load(site, force=tuple(unit), point=(x, y, 0.0)))  # type: ignore[arg-type]
                    for unit in np.eye(3)
                ]
                for turn in np.arange(SIDES) * (2 * np.pi / SIDES):
                    across = np.cos(turn) * frame[:, 0] + np.sin(turn) * frame[:, 1]
                    edge = support.friction * across - frame[:, 2]
                    wrenches.append(np.array([w for w, _ in units]).T @ edge)
                    levers.append(np.array([held for _, held in units]).T @ edge)
        return np.array(wrenches).T, np.array(levers).T
