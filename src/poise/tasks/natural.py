"""Holding oneself as people do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.kernel.residuals import natural
from poise.kernel.residuals.kinds import NATURAL
from poise.tasks.task import (
    Block,
    Context,
    Criterion,
    PosturePrior,
    PosturePriors,
    StanceBlock,
    Values,
    settle,
)

RADIANS = 0.25
"""One standard deviation of people counts as much as so many radians (rad) of `Rest`: about what
joints vary by in everyday postures. So weights of `Natural` and `Rest` are of the same order."""


@closed
@dataclass(frozen=True)
class Natural(Criterion):
    """Hold the figure as people hold themselves: ½ (0.25 rad)² |W (φ − μ)|², for each person.

    φ are all joint angles and the up direction as the pelvis sees it (its x and y), μ what people
    do on average, and WᵀW the inverse of how they vary, fitted to motion capture: arms, trunk and
    legs go together as they do in people. Which way a person faces and where it stands is free.

    There is a Gaussian for each of a few *stances* (standing, crouching, …). By default a solve
    begins with the first, and takes another where its result is likelier under that: tasks come
    first, then likelihood. A solve that follows targets keeps its stance until another is much
    likelier. With `stance` there is only that one.

    One standard deviation weighs as much as 0.25 rad of `Rest`, and is traded with it by weight.
    Figures that are no persons are left alone; there must be one person at least. `figure` names
    one among several figures.

    `prior` is another fit than the one that comes with poise: a file that `poise prior fit` wrote,
    or a `poise.models.prior.Prior`. A scene reads the file when it takes the criterion.
    """

    stance: str | None = None
    figure: str | None = None
    prior: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the names."""
        for value, what in ((self.stance, "stance"), (self.figure, "figure")):
            if value is not None and (not isinstance(value, str) or not value):
                raise PoiseError(f"the {what} of Natural must be a name, not {value!r}")
            settle(self, what, value)
        given = self.prior
        if isinstance(given, Path):
            given = str(given)
        is_prior = given is None or isinstance(given, str) or callable(getattr(given, "on", None))
        if not is_prior or given == "" or isinstance(given, type):
            raise PoiseError(
                f"the prior of Natural must be the path of a file, or a Prior, not {self.prior!r}"
            )
        settle(self, "prior", given)

    def springs(self, context: Context) -> tuple[Values, Values]:
        """None: what draws is in `blocks`."""
        self._chosen(context)
        return np.zeros(context.figure.n), np.zeros(context.figure.n)

    def blocks(self, context: Context) -> list[Block]:
        """A block for each person."""
        return [self._block(context, name, each) for name, each in self._chosen(context).items()]

    def _chosen(self, context: Context) -> dict[str, PosturePrior]:
        """The priors of the figures that are meant, by name."""
        chosen = dict(context.priors)
        if self.figure is not None:
            if self.figure not in context.parts:
                raise unknown_name("figure", self.figure, context.parts)
            chosen = {name: each for name, each in chosen.items() if name == self.figure}
        if not chosen:
            who = repr(self.figure or ", ".join(context.parts) or context.figure.name)
            raise PoiseError(
                f"Natural is for persons, and {who} is none",
                code="; poise.human(…) makes persons",
            )
        if self.prior is not None:
            chosen = {name: self._own(context.parts[name][0]) for name in chosen}
        for each in chosen.values():
            self._stances(each)
        return chosen

    def _own(self, figure: Figure) -> PosturePrior:
        """The given prior on a person."""
        given: str | PosturePriors = self.prior
        if isinstance(given, str):
            raise PoiseError(
                f"the prior {given!r} is read where Natural is added to a scene",
                code=": scene.add(tasks.Natural(prior=…))",
            )
        found = given.on(figure)
        if found is None:
            raise PoiseError(f"the prior of Natural is for persons, and {figure.name!r} is none")
        return found

    def _stances(self, prior: PosturePrior) -> list[Any]:
        """The stances that may be taken."""
        if self.stance is None:
            return list(prior.stances)
        named = {each.name: each for each in prior.stances}
        if self.stance not in named:
            raise unknown_name("stance", self.stance, named)
        return [named[self.stance]]

    def _block(self, context: Context, name: str, prior: PosturePrior) -> Block:
        segment = prior.node if context.is_single else f"{name}/{prior.node}"
        node, place = context.figure.packed.segments[segment]
        _, span = context.parts[name]
        indices, axes = prior.indices + span.start, place.rotation.T[:2]
        stances = tuple(
            StanceBlock(
                each.name, each.log_weight, natural.packed(axes, indices, each.mean, each.rows)
            )
            for each in self._stances(prior)
        )
        rows = len(prior.stances[0].rows)
        share, first = RADIANS * RADIANS, stances[0].values
        return Block(NATURAL, rows, first, node=node, share=share, stances=stances)
