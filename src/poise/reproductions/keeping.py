"""Results kept in a folder as NAME.json, for the list of examples and for the pages."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from poise.documents import write
from poise.errors import PoiseError
from poise.reproductions.claims import Claim, Kind, Reproduction, Result


def answer(example: Reproduction, result: Result) -> dict[str, Any]:
    """What a program wants to know; pictures by their names."""
    return {
        "name": example.name,
        "paper": example.paper,
        "title": example.title,
        "source": result.source,
        "held": result.tally.held,
        "claimed": result.tally.claims,
        "claims": [_row(example, claim) for claim in result.claims],
        "pictures": [path.name for path in result.pictures],
    }


def _row(example: Reproduction, claim: Claim) -> dict[str, Any]:
    row = asdict(claim)
    return row if claim.holds else {**row, "reason": example.reason(claim)}


def keep(example: Reproduction, result: Result, folder: Path) -> Path:
    """Write a result to its file; a half-written one is never left under the name."""
    path = folder / f"{example.name}.json"
    text = json.dumps(answer(example, result), ensure_ascii=False, indent=2) + "\n"
    write(path, text)
    return path


def kept(example: Reproduction, folder: Path) -> Result | None:
    """The result that a folder keeps, or None where it has none.

    Raises:
        PoiseError: the file is there and is not what `keep` writes.
    """
    path = folder / f"{example.name}.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        claims = tuple(
            Claim(
                Kind(c["kind"]),
                str(c["text"]),
                str(c["published"]),
                str(c["ours"]),
                c["holds"] is True,
            )
            for c in found["claims"]
        )
        pictures = tuple(folder / str(name) for name in found["pictures"])
        return Result(claims, pictures, str(found["source"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PoiseError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError):
        raise PoiseError(
            f"{path} is not a result of `poise reproduce {example.name}`; remove it or run that"
        ) from None
