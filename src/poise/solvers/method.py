"""What a method is and what it can do, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from poise.solvers.problem import Problem

ONE_SUM = "one weighted sum"
"""How priorities count with a method that has none."""

ABILITIES = {
    "takes_one_sided": "one-sided tasks",
    "takes_criteria": "criteria",
    "takes_effort": "Effort",
}
"""What a method may refuse, by the fields of its record."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """What a method is, and what it can do.

    Each solver's file has one, `METHOD`. Errors, the table in docs/methods.md and the studio say
    what stands here, and solves are refused by it. What every method does is not in it: limits,
    couplings, locks, stiffness, and several figures in one scene.
    """

    name: str
    summary: str
    """What it is, in a few words."""
    source: str
    """Whose it is: a paper, or "ours"."""
    limits: str
    """When a posture is brought within its limits."""
    priorities: str = ONE_SUM
    """How priorities count."""
    takes_one_sided: bool = False
    """Whether tasks may be inequalities, such as `HalfSpace` and `Balance`."""
    takes_criteria: bool = False
    """Whether criteria draw the coordinates with the freedom that tasks leave."""
    takes_effort: bool = False
    """Whether criteria with rows of their own (`Effort`) can come after all tasks."""
    is_warm: bool = False
    """Whether its `solve` can be `warm`: go on with what the last solve of a problem has left."""
    asks_for_step: bool = False
    """Whether its `solve` is to be told the step before, `previous`, of a motion."""
    is_for_crowds: bool = False
    """Whether its cost grows with the number of figures, where they touch in few places."""
    phases: tuple[str, ...] = ("step",)
    """What an iteration may be for, by the numbers in a trace."""
    variants: Mapping[tuple[str, str], Mapping[str, bool]] | None = None
    """What else than that it takes with some value of an option of its own."""

    def with_options(self, options: Mapping[str, Any]) -> Method:
        """What it can do with options of its own."""
        for (option, value), other in (self.variants or {}).items():
            given = options.get(option)
            if isinstance(given, str) and given == value:
                return replace(self, **other)
        return self

    @property
    def takes_all(self) -> bool:
        """Whether it refuses nothing."""
        return all(getattr(self, each) for each in ABILITIES)

    @property
    def description(self) -> str:
        """Two or three sentences for a person who chooses among methods."""
        refused = [word for field, word in ABILITIES.items() if not getattr(self, field)]
        what = f"{self.summary[0].upper()}{self.summary[1:]}, {self.source}."
        told = f"no {in_words(refused, 'or')}" if refused else "all that can be wanted"
        return f"{what} Priorities: {self.priorities}. Takes {told}."

    def answer(self, ability: str) -> str:
        """Whether it takes something, one of `ABILITIES`: yes, or refused."""
        words = "yes" if getattr(self, ability) else "refused"
        for (option, value), other in (self.variants or {}).items():
            if ability in other:
                words += f'; {"yes" if other[ability] else "refused"} with {option}="{value}"'
        return words

    def note(self, problem: Problem) -> str:
        """What a person should know of priorities that do not count; mostly nothing."""
        if self.priorities != ONE_SUM or len(problem.priorities) < 2:
            return ""
        listed = in_words(problem.priorities)
        return f"{self.name} knows no priorities: {listed} were solved as one weighted sum"


def in_words(names: Iterable[object], last: str = "and") -> str:
    """Several as a person lists them: a, b and c."""
    *most, end = map(str, names)
    return f"{', '.join(most)} {last} {end}" if most else end
