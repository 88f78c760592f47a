"""Figure files of our own, beside those of others: YAML with the top key `figure`."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import numpy as np

from poise.documents import read as read_document
from poise.figure.files import figure_from, save
from poise.formats.leaving import FIGURE, NAMED_POSTURES, SHOWN_POSTURE, left_out
from poise.formats.reading import SHOWN, Reading
from poise.formats.within import within


def read(path: Path) -> Reading:
    """Read a figure file."""
    document = read_document(path)
    if isinstance(document.data, dict) and "scene" in document.data:
        what = "this is a scene, not a figure"
        raise document.error(("scene",), what)
    figure = figure_from(document)
    postures = {name: figure.posture(q) for name, q in figure.postures.items()}
    return Reading(figure, postures.pop(SHOWN, None), postures)


def write(reading: Reading, path: Path) -> tuple[str, ...]:
    """Write a figure file, with its postures by name; those that break limits are clamped.

    Returns:
        Notes about what the file does not hold.
    """
    figure = copy(reading.figure)
    vars(figure)["postures"] = dict(figure.postures)  # its parts are shared, not its postures
    notes = left_out(reading, "a figure file", (*FIGURE, NAMED_POSTURES, SHOWN_POSTURE))
    given = {name: posture.q for name, posture in reading.postures.items()}
    if reading.posture is not None:
        other = given.get(SHOWN, figure.postures.get(SHOWN))
        if other is not None and not np.array_equal(other, reading.posture.q):
            notes.append(f"the posture named {SHOWN!r} gives way to the one that is shown")
        given[SHOWN] = reading.posture.q
    for name, q in given.items():
        kept = within(figure, q)
        if kept is None:
            notes.append(f"the posture {name!r} is left out: none within all limits is near it")
        else:
            figure.postures[name] = kept
            if kept is not q:
                notes.append(f"the posture {name!r} breaks limits: it is written clamped")
    save(figure, path)
    return tuple(notes)
