"""What supports bear and what joints hold, for panels and overlays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.scene import Scene
from poise.scene.solving import context_of
from poise.statics.contacts import Distribution
from poise.statics.loads import Load, Reaction, reactions
from poise.statics.torques import Torques, torques_of
from poise.tasks import Effort, Equilibrium

Values = NDArray[np.float64]

ROUNDS = 3
"""So often at most a posture and the contact forces that it depends on are found in turn."""


@dataclass(frozen=True, eq=False)
class Statics:
    """The forces of a scene in a posture; asked for, they are computed, and then kept.

    All raise a `PoiseError` where nothing supports a figure, or ratios do not add up to 1.
    """

    scene: Scene
    """In that posture; a copy, so that it stays as it is."""
    computed: bool = False
    """Whether contact forces are computed rather than shared by ratio."""

    @cached_property
    def contacts(self) -> dict[str, Distribution]:
        """What the corners of supports bear, by figure; nothing where it is shared by ratio."""
        return distributed(self.scene) if self.computed else {}

    @cached_property
    def loads(self) -> tuple[Load, ...]:
        """What supports bear: at their corners where it is computed, else at their middles."""
        if self.computed:
            return tuple(
                each.load
                for found in self.contacts.values()
                for each in found.contacts
                if any(each.force)
            )
        return tuple(Load(each.site, force=each.force) for each in self.scene.forces.reactions())

    @cached_property
    def reactions(self) -> dict[str, Reaction]:
        """What each support bears in all, by site, and whether it slips."""
        if not self.computed:
            return {each.site: each for each in self.scene.forces.reactions()}
        supports = list(self.scene.forces.supports.values())
        found = reactions(supports, list(self.loads), self.scene.places)
        return {each.site: each for each in found}

    @cached_property
    def torques(self) -> Torques:
        """What each joint holds, the weakest first."""
        if not self.computed:
            return self.scene.forces.torques()
        context = context_of(self.scene)
        loads = [load for each in self.contacts.values() for load in each.loads]
        loads = list(dict.fromkeys(loads))
        return torques_of(context.figure, context.posture, loads, context.acting.strengths)

    @cached_property
    def sentence(self) -> str:
        """What a person should know: what cannot be balanced, what slips, the hardest joint."""
        for name, found in self.contacts.items():
            if not found.is_feasible:
                whose = f" {name}" if self.scene.has_several else ""
                lacking = str(found).splitlines()[-1]
                return f"these supports{whose} {lacking}"
        slips = [site for site, each in self.reactions.items() if not each.holds]
        if slips:
            return f"{', '.join(slips)} would slip or pull"
        known = [each for each in self.torques.values() if each.share is not None]
        if not known:
            return "no joint has a known strength"
        hardest = max(known, key=lambda each: each.share or 0.0)
        return f"the hardest: {hardest.joint}, {100 * (hardest.share or 0.0):.0f} % of its strength"


def distributed(scene: Scene) -> dict[str, Distribution]:
    """The contact forces of every figure that something supports."""
    if not scene.forces.supports:
        raise PoiseError("nothing supports the figure: add a support first")
    if not scene.has_several:
        name = next(iter(scene.figures))
        return {name: scene.forces.distribute()}
    owners = dict.fromkeys(site.partition("/")[0] for site in scene.forces.supports)
    return {name: scene.forces.distribute(figure=name) for name in owners}


def matters(scene: Scene) -> bool:
    """Whether a posture depends on what supports bear."""
    wanted = [each.wanted for each in scene.handles.values() if each.enabled]
    return any(isinstance(each, (Effort, Equilibrium)) for each in wanted)


def bear_computed(scene: Scene) -> bool:
    """Let supports bear what is computed for the scene's posture; False where that is nothing.

    Forces that do not balance the figures are not taken.
    """
    found = distributed(scene)
    if not all(each.is_feasible for each in found.values()):
        scene.forces.use(None)
        return False
    loads = [each.load for d in found.values() for each in d.contacts if any(each.force)]
    scene.forces.use(loads)
    return True
