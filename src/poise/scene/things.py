"""Props in a scene: held by a figure, or standing in the world."""

from __future__ import annotations

from dataclasses import dataclass

from poise.closed import closed
from poise.figure import Transform
from poise.figure.props import Prop


@closed
@dataclass(frozen=True, eq=False)
class Thing:
    """A prop and where it is; a scene gives another one when it is moved, held or released."""

    prop: Prop
    place: Transform
    """Its frame: in the world, or in that of the site which holds it."""
    figure: str | None = None
    """The figure that holds it; None while it stands in the world."""
    site: str | None = None
    """The site, segment or joint of that figure which holds it."""

    @property
    def is_held(self) -> bool:
        """Whether a figure holds it."""
        return self.figure is not None

    def __repr__(self) -> str:
        """The name, and where it is."""
        if self.is_held:
            return f"<Thing {self.prop.name!r}: held by {self.figure}/{self.site}>"
        x, y, z = self.place.position.tolist()
        return f"<Thing {self.prop.name!r}: at ({x:.3g}, {y:.3g}, {z:.3g})>"
