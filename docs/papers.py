"""Run the papers' examples again, and write the pages under docs/papers/ from what came out.

Usage: `python docs/papers.py [NAME …]`: all examples, or those named; pages are always written
from all results that are kept. What is written by hand is in docs/papers/notes/.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import yaml
from draw import write
from PIL import Image as Pillow

from poise.reproductions.claims import Reproduction, Result, silent
from poise.reproductions.keeping import keep, kept
from poise.reproductions.pages import Notes, page
from poise.reproductions.registry import REPRODUCTIONS, reproduction

FOLDER = Path(__file__).parent / "papers"
RESULTS, PICTURES, NOTES = FOLDER / "results", FOLDER / "pictures", FOLDER / "notes"


def pages() -> dict[Path, str]:
    """The text of every page, from the results that are kept."""
    found: dict[str, dict[Reproduction, Result]] = {}
    for example in REPRODUCTIONS.values():
        result = kept(example, RESULTS)
        if result is not None:
            found.setdefault(example.paper, {})[example] = result
    texts: dict[Path, str] = {}
    for paper, results in found.items():
        source = NOTES / f"{paper}.yaml"
        notes = Notes.read(yaml.safe_load(source.read_text(encoding="utf-8")), str(source))
        texts[FOLDER / f"{paper}.md"] = page(notes, results)
    return texts


def main(names: list[str]) -> None:
    """Run examples by name, without names all, and write the pages."""
    for folder in (RESULTS, PICTURES):
        folder.mkdir(parents=True, exist_ok=True)
    for example in [reproduction(name) for name in names] or REPRODUCTIONS.values():
        begin = time.perf_counter()
        result = example.run(PICTURES, silent)
        for path in result.pictures:
            write(np.asarray(Pillow.open(path).convert("RGB")), path)
        keep(example, result, RESULTS)
        took = time.perf_counter() - begin
        print(f"{example.name}: {result.tally} claims hold, {took:.1f} s", flush=True)
        for claim in result.claims:
            if not claim.holds and claim.text not in example.unmet:
                print(f"  does not hold, and nothing says why: {claim.text}: {claim.ours}")
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(path.name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
