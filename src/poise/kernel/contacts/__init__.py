"""Contacts: how far convex shapes are apart or inside each other, where, and which way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.contacts import curvature as curvature
    from poise.kernel.contacts import depth as depth
    from poise.kernel.contacts import distance as distance
    from poise.kernel.contacts import ellipsoids as ellipsoids
    from poise.kernel.contacts import gjk as gjk
    from poise.kernel.contacts import half_spaces as half_spaces
    from poise.kernel.contacts import pairs as pairs
    from poise.kernel.contacts import points as points
    from poise.kernel.contacts import rods as rods
    from poise.kernel.contacts import segments as segments
    from poise.kernel.contacts import shapes as shapes
    from poise.kernel.contacts import simplex as simplex
    from poise.kernel.contacts import supports as supports
    from poise.kernel.contacts import workspace as workspace

__getattr__, __dir__ = lazily(__name__, __path__)
