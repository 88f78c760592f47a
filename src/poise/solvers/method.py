"""What a method is and what it can do, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from poise.errors import PoiseError, unknown_name
from poise.solvers.problem import Problem

ONE_SUM = "one weighted sum"
"""How priorities count with a method that has none."""

ABILITIES = {
    "takes_one_sided": "one-sided tasks",
    "takes_criteria": "criteria",
    "takes_rows": "Effort",
}
"""What a method may refuse, by the fields of its record."""


class RefusedError(PoiseError):
    """A method cannot take a problem; the message says why, and what can be done."""


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
    recruits_by_task: bool = False
    """Whether a task is achieved by the joints that it names, and not by those of other tasks."""
    takes_one_sided: bool = False
    """Whether tasks may be inequalities, such as `HalfSpace` and `Balance`."""
    takes_criteria: bool = False
    """Whether criteria draw the coordinates with the freedom that tasks leave."""
    takes_rows: bool = False
    """Whether criteria may have rows of their own (`Effort`), which come after all tasks."""
    is_warm: bool = False
    """Whether its `solve` can be `warm`: go on with what the last solve of a problem has left."""
    takes_window: bool = False
    """Whether its `solve` can keep coordinates in a `window` about the start."""
    asks_for_step: bool = False
    """Whether its `solve` is to be told the step before, `previous`, of a motion."""
    is_for_crowds: bool = False
    """Whether its cost grows with the number of figures, where they touch in few places."""
    phases: tuple[str, ...] = ("step",)
    """What an iteration may be for, by the numbers in a trace."""
    variants: Mapping[tuple[str, str], Mapping[str, bool]] = field(default_factory=dict, hash=False)
    """By an option of its own and a value of that option: which `ABILITIES` the value changes."""

    def __post_init__(self) -> None:
        """Raise for a record without words, or with a variant that changes no ability."""
        for each in ("name", "summary", "source", "limits", "priorities"):
            if not getattr(self, each):
                raise PoiseError(f"the record of method {self.name!r} needs words for its {each}")
        for other in self.variants.values():
            for ability in other:
                if ability not in ABILITIES:
                    raise unknown_name("ability of a method", ability, ABILITIES, self.name)

    def with_options(self, options: Mapping[str, Any]) -> Method:
        """What it can do with options of its own; a later variant goes before an earlier one."""
        changes: dict[str, Any] = {}
        for option, value in self._chosen(options):
            changes |= self.variants[option, value]
        return replace(self, **changes) if changes else self

    def _chosen(self, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The variants that options choose."""
        given = options.get
        return [
            (option, value)
            for option, value in self.variants
            if isinstance(given(option), str) and given(option) == value
        ]

    def called(self, ability: str, options: Mapping[str, Any]) -> str:
        """Its name, and with it those of some options on which an ability depends."""
        return f"{self.name}{self._deciding(ability, options, ' with ')}"

    def ways(self, ability: str, refused: Mapping[str, Any] | None = None) -> list[str]:
        """The ways to use it that have an ability: by itself, or with which option.

        Args:
            ability: one of `ABILITIES`.
            refused: options with which it has just been refused.
        """
        if getattr(self, ability):
            return [f"{self.name}{self._deciding(ability, refused or {}, ' without ')}"]
        able = [each for each, other in self.variants.items() if other.get(ability)]
        return [f"{self.name} with {_written(each)}" for each in able]

    def _deciding(self, ability: str, options: Mapping[str, Any], joined: str) -> str:
        """Those of some options on which an ability depends, after a word; empty without any."""
        deciding = [each for each in self._chosen(options) if ability in self.variants[each]]
        return joined + in_words(map(_written, deciding)) if deciding else ""

    @property
    def takes_all(self) -> bool:
        """Whether it refuses nothing."""
        return all(getattr(self, each) for each in ABILITIES)

    @property
    def description(self) -> str:
        """A few sentences for a person who chooses among methods."""
        told = {word: self.answer(ability) for ability, word in ABILITIES.items()}
        parts = [f"{self.summary}, {self.source}", f"priorities: {self.priorities}"]
        if all(answer == "yes" for answer in told.values()):
            parts.append("takes all that can be wanted")
        else:
            parts += [f"{word}: {answer}" for word, answer in told.items()]
        return " ".join(f"{each[0].upper()}{each[1:]}." for each in parts)

    def answer(self, ability: str) -> str:
        """Whether it takes something, one of `ABILITIES`: yes, or refused."""
        words = "yes" if getattr(self, ability) else "refused"
        for variant, other in self.variants.items():
            if ability in other:
                words += f"; {'yes' if other[ability] else 'refused'} with {_written(variant)}"
        return words

    def note(self, problem: Problem) -> str:
        """What a person should know of priorities and joints that do not count; mostly nothing."""
        told: list[str] = []
        if self.priorities == ONE_SUM and len(problem.priorities) > 1:
            listed = in_words(problem.priorities)
            told.append(
                f"{self.name} knows no priorities: {listed} were solved as one weighted sum"
            )
        if not self.recruits_by_task and problem.is_restricted:
            told.append(f"{self.name} lets every task move all joints that any task names")
        return "; ".join(told)


def _written(variant: tuple[str, str]) -> str:
    """An option with its value, as a call has it."""
    option, value = variant
    return f'{option}="{value}"'


def in_words(names: Iterable[object], last: str = "and") -> str:
    """Several as a person lists them: a, b and c."""
    *most, end = map(str, names)
    return f"{', '.join(most)} {last} {end}" if most else end
