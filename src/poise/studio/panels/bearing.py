"""Fields of supports and of applied forces, wherever they are shown."""

from __future__ import annotations

from typing import Any

from poise.statics.loads import Load, Support
from poise.studio.panels.desk import Desk
from poise.studio.panels.widgets import NumberField, VectorField


class SupportFields:
    """The share of a support in what is to be balanced, and its friction."""

    def __init__(self, desk: Desk, site: str, support: Support, where: str = "") -> None:
        """Build them beside each other; `where` tells them from others on the page."""
        self._ratio, self._friction = (
            NumberField(
                getattr(support, name),
                lambda value, name=name: desk.do("edit_support", site=site, **{name: value}),
                step=0.05,
                least=least,
                prefix=prefix,
                width=width,
                marker=f"{where}{name}-{site}",
                name=f"{name} of {site}",
            )
            for name, prefix, width, least in (
                ("ratio", "ratio", "92px", None),
                ("friction", "μ", "72px", 0.001),
            )
        )

    def show(self, support: Support) -> None:
        """Show other values."""
        self._ratio.show(support.ratio)
        self._friction.show(support.friction)


class LoadFields:
    """A force in newtons and a torque in newton-metres that act on the figure."""

    def __init__(self, desk: Desk, name: str, load: Load, where: str = "") -> None:
        """Build them below each other; `where` tells them from others on the page."""
        self._fields: dict[str, Any] = {
            what: VectorField(
                getattr(load, what),
                lambda value, what=what: desk.do("edit_load", name=name, **{what: value}),
                unit=unit,
                digits=digits,
                step=step,
                marker=f"{where}{what}-{name}",
            )
            for what, unit, digits, step in (("force", "N", 1, 5), ("torque", "N·m", 2, 1))
        }

    def show(self, load: Load) -> None:
        """Show another force."""
        for what, field in self._fields.items():
            field.show(getattr(load, what))
