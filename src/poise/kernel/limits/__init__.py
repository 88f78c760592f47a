"""What a posture may never break: boxes, regions of swings, twists, couplings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.limits import arrays as arrays
    from poise.kernel.limits import boundaries as boundaries
    from poise.kernel.limits import bounds as bounds
    from poise.kernel.limits import curvature as curvature
    from poise.kernel.limits import joint as joint
    from poise.kernel.limits import projection as projection
    from poise.kernel.limits import rows as rows
    from poise.kernel.limits import swings as swings

__getattr__, __dir__ = lazily(__name__, __path__)
