"""Figure files of our own, beside those of others: YAML with the top key `figure`."""

from __future__ import annotations

from copy import copy
from pathlib import Path

from poise.documents import read as read_document
from poise.figure.files import figure_from, save
from poise.formats.reading import Reading

SHOWN = "shown"
"""The name under which a figure file keeps the posture that a reading shows."""


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
    """Write a figure file, with its postures by name.

    Returns:
        Notes about what the file does not hold.
    """
    figure = copy(reading.figure)  # its parts are shared; only the postures are its own
    figure.postures = dict(figure.postures)
    figure.postures |= {name: posture.q for name, posture in reading.postures.items()}
    if reading.posture is not None:
        figure.postures[SHOWN] = reading.posture.q
    save(figure, path)
    there = {"motions": reading.clips, "loops": reading.loops, "the skin": reading.skin}
    missing = [what for what, value in there.items() if value]
    return (f"a figure file does not hold {', '.join(missing)}",) if missing else ()
