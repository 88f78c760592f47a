"""How likely the postures of a scene's persons are, from what models know of people."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from poise.figure import Figure
from poise.tasks.task import PosturePrior

IS_NATURAL = True
"""Whether persons hold themselves as people do unless a scene says otherwise."""

_known: WeakKeyDictionary[Figure, PosturePrior | None] = WeakKeyDictionary()


def priors_of(figures: Mapping[str, Figure]) -> Mapping[str, PosturePrior]:
    """The priors of those figures that are persons, by name."""
    found = {name: _prior(figure) for name, figure in figures.items()}
    return {name: each for name, each in found.items() if each is not None}


def is_natural_by_itself(figures: Mapping[str, Figure]) -> bool:
    """What `Scene.natural` is where nobody has said anything: whether there is a person."""
    return IS_NATURAL and bool(priors_of(figures))


def _prior(figure: Figure) -> PosturePrior | None:
    """The prior of a figure, looked up once; None where it is no person."""
    if figure not in _known:
        from poise.models.poses import is_person  # here, so that a scene does not wait for them

        prior: PosturePrior | None = None
        if is_person(figure):
            from poise.models.prior import prior_of

            prior = prior_of(figure)
        _known[figure] = prior
    return _known[figure]
