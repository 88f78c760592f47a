"""Spoilt figure files of our own: `python -m tests.soak piece 'figure file' 50000 1`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.formats.mutating import Files, spoilt
from tests.formats.mutating import fuzz as fuzz_files
from tests.formats.skeletons import shuffled

import poise
from poise.figure.files import figure_text
from poise.formats import read

_ODD = ("figure:", "segments:", "joints: {}", "- 1", "[]", "{}", "ball", "&a", "*a", "!!python/x")


def fuzz(count: int, seed: int, data: Path | None = None) -> tuple[int, int]:
    """Read `count` spoilt files, all made from figures of ours; `data` has no such files."""
    del data
    hand = poise.human(hands=True)
    texts = [figure_text(each) for each in (poise.chain(3), poise.chain(2, joint="ball"), hand)]

    def make(rng: random.Random) -> Files:
        text = rng.choices(texts, [6, 6, 1])[0]
        if rng.random() < 0.6:
            text = shuffled(text, _ODD, rng)
        return {"spoilt.yaml": spoilt(text.encode(), rng) if rng.random() < 0.6 else text.encode()}

    sound = [{"sound.yaml": text.encode()} for text in texts]
    return fuzz_files(read, sound, make, count, seed)
