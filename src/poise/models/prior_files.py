"""Files of posture priors, as `poise prior fit` writes them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from poise.documents import Part, must_be, read, validated
from poise.errors import PoiseError
from poise.models.prior import Prior, prior_from

_Share = Annotated[float, Field(gt=0, le=1), must_be("a number greater than 0, at most 1")]


class _StancePart(Part):
    """A stance: a Gaussian."""

    share: _Share
    favour: float
    mean: str
    precision: str


class _PriorPart(Part):
    """Stances over features."""

    made: dict[str, Any]
    features: str
    stances: dict[str, _StancePart]


class _PriorFile(Part):
    """A file of a prior."""

    prior: _PriorPart


def read_prior(path: str | Path) -> Prior:
    """The prior of a file, which is read again when the file has changed."""
    if not isinstance(path, (str, Path)) or not str(path):
        raise PoiseError(f"the file of a prior must be a path, not {path!r}")
    where = Path(path).absolute()
    try:
        state = where.stat()
    except (OSError, ValueError):
        read(path)  # says what is wrong with the path
        raise
    return _read(where, str(path), (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=16)
def _read(where: Path, called: str, state: tuple[int, int]) -> Prior:
    """The prior of a file in a state, by its time and size; messages call it as it was called."""
    document = read(called)
    data = document.data
    if not isinstance(data, dict) or "prior" not in data:
        keys = ", ".join(map(str, data)) if isinstance(data, dict) else ""
        found = f"the keys {keys}" if keys else "no keys"
        raise PoiseError(
            f"{called} is no prior: it has {found}, and needs 'prior'; `poise prior fit` writes one"
        )
    validated(document, _PriorFile)
    with document.at("prior"):
        return replace(prior_from(data["prior"]), file=where)
