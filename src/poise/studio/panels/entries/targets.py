"""What a task wants: a point, a rotation, a place, or a site that it rides on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.figure.transform import rotation_vector
from poise.scene.files.values import read_rotation
from poise.studio.panels.entries.entry import ZERO, numbers_of
from poise.studio.panels.entries.modes import Modes
from poise.studio.panels.names import places
from poise.studio.panels.widgets import VectorField


class Target(Modes):
    """A value that is open, numbers, or the name of a site."""

    def mode_of(self, value: Any) -> str:
        """Open, numbers, or a name."""
        return "here" if value is None else "on" if isinstance(value, str) else "at"

    def start(self, mode: str) -> Any:
        """The first value of a sort: numbers begin where the task's site is now."""
        if mode == "here":
            return None
        if mode == "on":
            own = self.site()
            return next((name for name in places(self.desk.session) if name != own), None)
        position, rotation = list(ZERO), list(ZERO)
        site: str | None = self.site()
        if site is not None and site in places(self.desk.session):
            place = self.desk.context.places[site]
            position = [round(each, 4) for each in place.position.tolist()]
            turn = np.rad2deg(rotation_vector(place.rotation)).tolist()
            rotation = [round(each, 3) for each in turn]
        return self.numbers(position, rotation)

    @abstractmethod
    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """The value of a place (m, degrees)."""


class PointEntry(Target):
    """A point in the world (m), the place where the site is now, or another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "where it is now", "at": "a point", "on": "on another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return position

    def fill(self, mode: str) -> Any:
        """Three numbers, or a name."""
        if mode == "at":
            return VectorField(numbers_of(self.kept), self.take, marker=self.marker, step=0.01)
        return self.site_field() if mode == "on" else None

    def refresh(self, value: Any) -> None:
        """Show another point without making the fields anew."""
        if self.mode == "at":
            self._fields.show(numbers_of(value))
        else:
            super().refresh(value)


class RotationEntry(Target):
    """A rotation vector in degrees, the present rotation, or that of another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "as it is now", "at": "a rotation", "on": "that of another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return {"rotation": rotation}

    def fill(self, mode: str) -> Any:
        """Three angles, or a name."""
        if mode == "at":
            return VectorField(
                _turn(self.kept),
                lambda value: self.take({"rotation": value}),
                unit="°",
                digits=2,
                step=5,
                marker=self.marker,
            )
        return self.site_field() if mode == "on" else None


class PlaceEntry(Target):
    """A point and a rotation, the present place, or another site."""

    def sorts(self) -> dict[str, str]:
        """What it can be."""
        return {"here": "where it is now", "at": "a place", "on": "on another site"}

    def numbers(self, position: list[float], rotation: list[float]) -> Any:
        """As files have it."""
        return {"position": position, "rotation": rotation}

    def fill(self, mode: str) -> Any:
        """Six numbers, or a name."""
        if mode == "on":
            return self.site_field()
        if mode == "here":
            return None
        position = VectorField(
            numbers_of(_position(self.kept)),
            lambda value: self.take({**self._turned(), "position": value}),
            step=0.01,
            marker=self.marker,
        )
        rotation = VectorField(
            _turn(self.kept),
            lambda value: self.take({"position": _position(self.kept), "rotation": value}),
            unit="°",
            digits=2,
            step=5,
            marker=f"{self.marker}-rotation",
        )
        return position, rotation

    def refresh(self, value: Any) -> None:
        """Show another place without making the fields anew."""
        if self.mode == "at":
            self._fields[0].show(numbers_of(_position(value)))
            self._fields[1].show(_turn(value))
        else:
            super().refresh(value)

    def _turned(self) -> dict[str, Any]:
        """The present turn, as it is written: a matrix stays one."""
        if isinstance(self.kept, Mapping):
            return {key: value for key, value in self.kept.items() if key != "position"}
        return {}


def _position(value: Any) -> Any:
    return value.get("position", list(ZERO)) if isinstance(value, Mapping) else value


def _turn(value: Any) -> list[float]:
    """A rotation vector in degrees, of whatever a file has for it."""
    if not isinstance(value, Mapping):
        return list(ZERO)
    for key in ("rotation", "quaternion", "matrix"):
        if key in value:
            return np.rad2deg(rotation_vector(read_rotation(key, value[key]))).tolist()
    return list(ZERO)
