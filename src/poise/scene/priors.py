"""What a scene knows of its persons: how likely postures are, and the criteria that it adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from poise.figure import Figure
from poise.tasks.balance import Balance
from poise.tasks.mid_support import MidSupport
from poise.tasks.natural import Natural
from poise.tasks.task import Context, Criterion, PosturePrior, Task

IS_NATURAL = True
"""Whether persons hold themselves as people do unless a scene says otherwise."""

NATURAL_WEIGHT = 0.01
"""The weight of that among criteria: those that are added, of weight 1 by default, say more."""

_known: WeakKeyDictionary[Figure, PosturePrior | None] = WeakKeyDictionary()


def priors_of(figures: Mapping[str, Figure]) -> Mapping[str, PosturePrior]:
    """The priors of those figures that are persons, by name."""
    found = {name: _prior(figure) for name, figure in figures.items()}
    return {name: each for name, each in found.items() if each is not None}


def is_natural_by_itself(figures: Mapping[str, Figure]) -> bool:
    """What `Scene.natural` is where nobody has said anything: whether there is a person."""
    return IS_NATURAL and bool(priors_of(figures))


def with_prior_read(natural: Natural) -> Natural:
    """The criterion with its prior in place of the file that it names."""
    if not isinstance(natural.prior, str):
        return natural
    from poise.models.prior_files import read_prior

    return replace(natural, prior=read_prior(natural.prior))


def usual_criteria(
    context: Context, tasks: Iterable[Task], criteria: Sequence[tuple[Criterion, float]]
) -> list[tuple[Criterion, float]]:
    """The criteria that a scene adds for its persons, with their weights.

    `Natural`, unless one was added; and for each person whose balance is a task `MidSupport` over
    the same supports, unless that was added. It has the weight of the person's `Natural`.

    Args:
        context: with what tasks hold.
        tasks: those of the scene that count.
        criteria: those that were added, with their weights.
    """
    usual: list[tuple[Criterion, float]] = []
    if not any(isinstance(each, Natural) for each, _ in criteria):
        usual.append((Natural(), NATURAL_WEIGHT))
    drawn = [each for each, _ in criteria if isinstance(each, MidSupport)]
    for task in tasks:
        if not isinstance(task, Balance):
            continue
        for owner, names in task.standing(context).items():
            is_person = owner in context.priors if owner is not None else bool(context.priors)
            if is_person and not any(owner in each.standing(context) for each in drawn):
                drawn.append(MidSupport(supports=names, figure=owner))
                usual.append((drawn[-1], _natural_weight(owner, [*criteria, *usual])))
    return usual


def _natural_weight(owner: str | None, criteria: Iterable[tuple[Criterion, float]]) -> float:
    """The weight of a person's `Natural`, or what it would be."""
    for each, weight in criteria:
        if isinstance(each, Natural) and (owner is None or each.figure in (None, owner)):
            return weight
    return NATURAL_WEIGHT


def _prior(figure: Figure) -> PosturePrior | None:
    """The prior of a figure, looked up once; None where it is no person."""
    if figure not in _known:
        # Here, so that a scene does not wait for them.
        from poise.models.humanoids import is_humanoid
        from poise.models.poses import is_person

        prior: PosturePrior | None = None
        if is_person(figure) or is_humanoid(figure):
            from poise.models.prior import prior_of

            prior = prior_of(figure)
        _known[figure] = prior
    return _known[figure]
