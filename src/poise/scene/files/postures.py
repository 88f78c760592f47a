"""Postures in scene files: values in degrees and metres, and what is not named as at rest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poise.checking import array, number
from poise.documents import shortest
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure, Posture
from poise.figure.files.units import distances_of, scale
from poise.figure.posture import put_angles


def read_posture(figure: Figure, values: Mapping[str, Any]) -> Posture:
    """A posture from values by coordinate, or clinical angles by joint or group."""
    posture = figure.rest()
    distances = _distances(figure)
    for name, value in values.items():
        if isinstance(value, Mapping):
            angles = {
                angle: number(each, f"{angle} of {name!r}")
                * scale(distances.get(f"{name}.{angle}"))
                for angle, each in value.items()
            }
            put_angles(posture, name, angles)
            array(posture.q, "the posture", (figure.n,))  # angles beyond all bounds are lost
        else:
            index = figure.index(name)
            posture.q[index] = number(value, f"the value of {name!r}") * scale(distances.get(name))
    return posture


def in_file_units(posture: Posture) -> dict[str, float]:
    """All coordinates, in degrees and metres."""
    distances = _distances(posture.figure)
    return {
        coordinate: shortest(float(value), scale(distances[coordinate]))
        for coordinate, value in zip(posture.figure.coordinates, posture.q, strict=True)
    }


def write_posture(figure: Figure, posture: Posture) -> dict[str, float]:
    """The coordinates that are not as at rest."""
    values = in_file_units(posture)
    rest = dict(zip(figure.coordinates, figure.rest().q, strict=True))
    now = dict(zip(figure.coordinates, posture.q, strict=True))
    return {each: value for each, value in values.items() if now[each] != rest[each]}


class SharedPostures:
    """Postures that tasks name, of one figure or of several, and files."""

    def __init__(
        self, figures: Mapping[str, Figure], several: bool, folder: Path | None = None
    ) -> None:
        """Take the figures by name; of several, names are `figure/name`.

        Files are seen from the folder, or from the one in which the program runs.
        """
        self._figures = figures
        self._several = several
        self._folder = folder or Path()

    def read_file(self, path: str) -> str:
        """The path of a file that the scene file names."""
        return str(self._folder / path)

    def write_file(self, path: Path) -> str:
        """A file as it is seen from the folder."""
        return Path(os.path.relpath(path, self._folder)).as_posix()

    def read(self, value: Any) -> Posture:
        """From the name of a posture, or from values by coordinate or joint."""
        if isinstance(value, str):
            figure, name = self._owner(value)
            return figure.posture(name)
        if not isinstance(value, Mapping) or (self._several and not value):
            raise PoiseError(
                f"a posture must be a name, or values by coordinate or joint, not {value!r}"
            )
        owners = [self._owner(each) for each in value]
        figures = list(dict.fromkeys(figure for figure, _ in owners))
        if len(figures) > 1:
            listed = ", ".join(name for name, each in self._figures.items() if each in figures)
            raise PoiseError(f"a posture is that of one figure, not of {listed}")
        figure = figures[0] if figures else next(iter(self._figures.values()))
        names = [name for _, name in owners]
        return read_posture(figure, dict(zip(names, value.values(), strict=True)))

    def write(self, posture: Posture) -> dict[str, float]:
        """Values by coordinate."""
        for name, figure in self._figures.items():
            if posture.figure is figure or (
                not self._several and posture.figure.coordinates == figure.coordinates
            ):
                values = write_posture(figure, posture)
                if not self._several:
                    return values
                if not values:  # at least one, or nobody knows whose it is
                    first = figure.coordinates[0]
                    unit = scale(_distances(figure)[first])
                    values = {first: shortest(float(posture.q[0]), unit)}
                return {f"{name}/{coordinate}": value for coordinate, value in values.items()}
        raise PoiseError(f"the posture of {posture.figure.name!r} is of no figure of the scene")

    def scale(self, coordinate: str) -> float:
        """What a coordinate's value in a file is multiplied with."""
        figure, own = self._owner(coordinate)
        figure.index(own)
        return scale(_distances(figure)[own])

    def _owner(self, name: str) -> tuple[Figure, str]:
        if not self._several:
            return next(iter(self._figures.values())), name
        figure, slash, own = name.partition("/")
        if not slash or figure not in self._figures:
            raise unknown_name("figure", figure, self._figures, f"{name!r} (write figure/name)")
        return self._figures[figure], own


def _distances(figure: Figure) -> dict[str, bool]:
    return distances_of(list(figure.joints.values()), list(figure.groups.values()))
