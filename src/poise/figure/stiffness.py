"""How reluctant a figure's coordinates are to move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from poise.checking import number
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure.naming import movable

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Values = NDArray[np.float64]


@closed
class Stiffness:
    """How reluctant coordinates are to move: 0 free, towards 1 (not reached) rigid.

    Set by the name of a joint, group, limb or coordinate: `figure.stiffness["spine"] = 0.5`. It is
    a metric on a solver's step, never a removal: a stiff joint moves when it must. For no motion at
    all there is `figure.lock`. Zhao & Badler 1994, section 11.

    `dict(figure.stiffness)` has all joints and groups that have coordinates of their own;
    `figure.stiffness.values` (n,) is that of each coordinate.
    """

    values: Final[Values]

    def __init__(self, figure: Figure, values: Values | None = None) -> None:
        """All free, unless values (n,) are given, which are copied."""
        self._figure = figure
        self.values = np.zeros(figure.n) if values is None else values.copy()

    def __getitem__(self, name: str) -> float:
        """The stiffness of a joint, group, limb or coordinate: the greatest of its coordinates'."""
        values = self.values[self._figure.indices(name, "ask for that of {group}")]
        return float(values.max()) if values.size else 0.0

    def __setitem__(self, name: str, value: float) -> None:
        """Set it for all coordinates of a joint, group or limb, or for one coordinate."""
        meant = self._figure.indices(name, "set that of {group}")
        stiffness = number(value, f"the stiffness of {name!r}", least=0)
        if stiffness >= 1:
            raise PoiseError(
                f"the stiffness of {name!r} must be below 1, not {stiffness:g}; "
                f"to keep it from moving at all, lock({name!r})"
            )
        self.values[meant] = stiffness

    def __iter__(self) -> Iterator[str]:
        """Names of groups and joints with coordinates of their own."""
        return iter(movable(self._figure))

    def __len__(self) -> int:
        """How many these are."""
        return len(movable(self._figure))

    def __contains__(self, name: object) -> bool:
        """Whether there is such a joint, group, limb or coordinate; asking does not raise."""
        figure = self._figure
        return name in figure.coordinates or name in figure.limbs or name in movable(figure)

    def keys(self) -> list[str]:
        """Names of groups and joints with coordinates of their own."""
        return list(self)

    def items(self) -> list[tuple[str, float]]:
        """These names with their stiffness."""
        return [(name, self[name]) for name in self]

    def __repr__(self) -> str:
        """What is stiff."""
        stiff = ", ".join(f"{name} {value:g}" for name, value in self.items() if value)
        rest = "all else 0" if stiff else "all 0"
        return f"<Stiffness of {self._figure.name!r}: {stiff}{', ' if stiff else ''}{rest}>"
