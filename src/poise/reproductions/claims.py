"""What a paper says of an example, and what came out here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

Report = Callable[[str, float], None]
"""Called with what is being done and the share of the whole that is done, from 0 to 1."""


class Kind(StrEnum):
    """Whose word a row is, and what it is about."""

    NUMBER = "number"
    """A claim of the paper, with the number that it publishes."""
    WORDS = "words"
    """A claim of the paper, which has words for it and no number."""
    SETUP = "set-up"
    """How the example is set up, as published: nothing that could come out otherwise."""
    TIME = "time"
    """A time beside that of another machine; a slower one is no mistake."""
    OURS = "ours"
    """A check of ours, of which the paper says nothing."""


@dataclass(frozen=True)
class Claim:
    """One row: what should be, beside what this library finds.

    Attributes:
        kind: whose word it is.
        text: what is claimed, a sentence without a full stop; unique within its example.
        published: the paper's number with its unit, or a few of its words; empty for ours.
        ours: the number found here, with its unit.
        holds: whether what was found is what is claimed.
    """

    kind: Kind
    text: str
    published: str
    ours: str
    holds: bool

    def __post_init__(self) -> None:
        """A verdict of numpy's becomes Python's own, which JSON knows."""
        object.__setattr__(self, "holds", bool(self.holds))

    @classmethod
    def number(cls, text: str, published: str, ours: str, holds: bool) -> Claim:
        """What the paper claims with a number."""
        return cls(Kind.NUMBER, text, published, ours, holds)

    @classmethod
    def words(cls, text: str, quote: str, ours: str, holds: bool) -> Claim:
        """What the paper claims in words, of which some are quoted."""
        return cls(Kind.WORDS, text, quote, ours, holds)

    @classmethod
    def setup(cls, text: str, published: str, ours: str, holds: bool) -> Claim:
        """How the example is set up."""
        return cls(Kind.SETUP, text, published, ours, holds)

    @classmethod
    def time(cls, text: str, published: str, ours: str, holds: bool) -> Claim:
        """A time beside a published one."""
        return cls(Kind.TIME, text, published, ours, holds)

    @classmethod
    def check(cls, text: str, ours: str, holds: bool) -> Claim:
        """A check of ours."""
        return cls(Kind.OURS, text, "", ours, holds)

    @property
    def of_paper(self) -> bool:
        """Whether the paper claims it: only such rows are counted."""
        return self.kind in (Kind.NUMBER, Kind.WORDS)

    @property
    def said(self) -> str:
        """What the column of what is published says."""
        if self.kind is Kind.OURS:
            return "ours"
        return f"in words: “{self.published}”" if self.kind is Kind.WORDS else self.published


@dataclass(frozen=True)
class Result:
    """All rows of an example, and the pictures that were written.

    Attributes:
        claims: the rows.
        pictures: where they are.
        source: what it was run on, such as a recorded motion; empty where nothing is to choose.
    """

    claims: tuple[Claim, ...]
    pictures: tuple[Path, ...] = ()
    source: str = ""

    @property
    def holds(self) -> bool:
        """Whether every row holds, but for times."""
        return all(claim.holds for claim in self.claims if claim.kind is not Kind.TIME)

    @property
    def tally(self) -> Tally:
        """How many of the paper's claims hold."""
        return Tally.of([self])


@dataclass(frozen=True)
class Tally:
    """How many of the papers' claims hold; rows that the papers do not claim are not counted."""

    held: int
    claims: int

    @classmethod
    def of(cls, results: Iterable[Result]) -> Tally:
        """Of several results together."""
        verdicts = [claim.holds for each in results for claim in each.claims if claim.of_paper]
        return cls(sum(verdicts), len(verdicts))

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.held} of {self.claims}"


@dataclass(frozen=True)
class Reproduction:
    """A published example that can be run again.

    Attributes:
        name: such as `1989-fig-4`: the paper's year and its figure.
        paper: the page under docs/papers/ that it belongs to, such as `1989-jack`.
        title: what it shows.
        run: computes it. Pictures are written to the folder, whose name they bear, or none where
            it is None; `report` is told how far the work is.
        unmet: the rows that are known not to hold, by their text, and why.
        timed: whether what it measures is time, and so differs from run to run.
    """

    name: str
    paper: str
    title: str
    run: Callable[[Path | None, Report], Result]
    unmet: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    timed: bool = False

    def reason(self, claim: Claim) -> str:
        """Why a row does not hold, as far as is known."""
        return self.unmet.get(claim.text, "not known: it held where this was written")


def silent(_doing: str, _done: float) -> None:
    """A `report` for those who do not want to know."""
