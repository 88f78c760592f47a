"""Where figures come from: a scene file names them rather than writing them out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import poise
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure


@closed
@dataclass(frozen=True)
class Origin:
    """A ready figure with its arguments, as `poise.human(stature=1.68)`, or a figure file."""

    ready: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    file: Path | None = None

    def build(self) -> Figure:
        """Make the figure, or read it."""
        if self.file is not None:
            return poise.load(self.file)
        builders = ready_figures()
        if self.ready is None or self.ready not in builders:
            raise unknown_name("ready figure", self.ready, builders)
        builder = builders[self.ready]
        known = inspect.signature(builder).parameters
        for argument in self.arguments:
            if argument not in known:
                raise unknown_name("argument", argument, known, f"ready figure {self.ready!r}")
        for name, parameter in known.items():
            if parameter.default is parameter.empty and name not in self.arguments:
                raise PoiseError(f"the ready figure {self.ready!r} needs the argument {name!r}")
        try:
            return builder(**self.arguments)
        except TypeError as error:
            raise PoiseError(f"the ready figure {self.ready!r}: {error}") from None


def ready_figures() -> Mapping[str, Callable[..., Figure]]:
    """What makes each ready figure, by name."""
    from poise import models  # here, so that a scene does not wait for all of them

    names = [entry.function for entry in models.catalogue()]
    return MappingProxyType({name: getattr(models, name) for name in names})


def origin_of(figure: Figure, told: Origin | None) -> tuple[Origin, Figure] | None:
    """The origin that gives just this figure, and what it gives; None where there is none.

    Args:
        figure: as it was given to a scene.
        told: where it is said to come from; what is said is tried first, then its recipe.
    """
    recipe = figure.recipe
    made = [Origin(recipe.function, recipe.arguments)] if recipe else []
    for origin in ([told] if told else []) + made:
        try:
            fresh = origin.build()
        except PoiseError:  # a file that is gone, arguments that are missing
            continue
        if _same_structure(figure, fresh):
            return origin, fresh
    return None


def _same_structure(figure: Figure, fresh: Figure) -> bool:
    """Whether a figure has the same parts; it may have more sites."""
    return (
        figure.name == fresh.name
        and figure.segments == fresh.segments
        and figure.joints == fresh.joints
        and figure.couplings == fresh.couplings
        and figure.groups == fresh.groups
        and figure.limbs == fresh.limbs
        and all(figure.sites.get(name) == site for name, site in fresh.sites.items())
    )
