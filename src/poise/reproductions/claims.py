"""What a paper says of an example, and what came out here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NOT_STATED = "not stated"
"""The published number where the paper gives none."""

Report = Callable[[str, float], None]
"""Called with what is being done and the share of the whole that is done, from 0 to 1."""


@dataclass(frozen=True)
class Claim:
    """One statement of a paper beside what this library finds.

    Attributes:
        text: what is claimed, a sentence without a full stop; unique within its example.
        published: the paper's number with its unit, or `NOT_STATED`.
        ours: the number found here, with its unit.
        holds: whether what was found is what is claimed.
    """

    text: str
    published: str
    ours: str
    holds: bool

    def __post_init__(self) -> None:
        """A verdict of numpy's becomes Python's own, which JSON knows."""
        object.__setattr__(self, "holds", bool(self.holds))


@dataclass(frozen=True)
class Result:
    """All claims of an example, and the pictures that were written."""

    claims: tuple[Claim, ...]
    pictures: tuple[Path, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(claim.holds for claim in self.claims)


@dataclass(frozen=True)
class Reproduction:
    """A published example that can be run again.

    Attributes:
        name: such as `1989-fig-4`: the paper's year and its figure.
        paper: the page under docs/papers/ that it belongs to, such as `1989-jack`.
        title: what it shows.
        run: computes it. Pictures are written to the folder, whose name they bear, or none where
            it is None; `report` is told how far the work is.
    """

    name: str
    paper: str
    title: str
    run: Callable[[Path | None, Report], Result]


def silent(_doing: str, _done: float) -> None:
    """A `report` for those who do not want to know."""
