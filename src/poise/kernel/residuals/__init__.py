"""What tasks want: residuals of every kind of block, with first and second derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.residuals import blocks as blocks
    from poise.kernel.residuals import curvature as curvature
    from poise.kernel.residuals import custom as custom
    from poise.kernel.residuals import effort_curvature as effort_curvature
    from poise.kernel.residuals import evaluation as evaluation
    from poise.kernel.residuals import gradients as gradients
    from poise.kernel.residuals import points as points
    from poise.kernel.residuals import sizes as sizes
    from poise.kernel.residuals import statics as statics
    from poise.kernel.residuals import supports as supports
    from poise.kernel.residuals import touching as touching
    from poise.kernel.residuals import turns as turns

__getattr__, __dir__ = lazily(__name__, __path__)
