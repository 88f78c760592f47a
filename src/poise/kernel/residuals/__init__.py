"""What tasks want: residuals of every kind of block, with first and second derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.residuals import aim as aim
    from poise.kernel.residuals import avoid as avoid
    from poise.kernel.residuals import balance as balance
    from poise.kernel.residuals import blocks as blocks
    from poise.kernel.residuals import center_of_mass as center_of_mass
    from poise.kernel.residuals import choice as choice
    from poise.kernel.residuals import curvature as curvature
    from poise.kernel.residuals import custom as custom
    from poise.kernel.residuals import effort as effort
    from poise.kernel.residuals import effort_curvature as effort_curvature
    from poise.kernel.residuals import equilibrium as equilibrium
    from poise.kernel.residuals import evaluation as evaluation
    from poise.kernel.residuals import framed as framed
    from poise.kernel.residuals import gradients as gradients
    from poise.kernel.residuals import inertia as inertia
    from poise.kernel.residuals import kinds as kinds
    from poise.kernel.residuals import loop as loop
    from poise.kernel.residuals import mid_support as mid_support
    from poise.kernel.residuals import natural as natural
    from poise.kernel.residuals import orientation as orientation
    from poise.kernel.residuals import orientation_axis as orientation_axis
    from poise.kernel.residuals import orientation_vectors as orientation_vectors
    from poise.kernel.residuals import outside as outside
    from poise.kernel.residuals import position as position
    from poise.kernel.residuals import sites as sites
    from poise.kernel.residuals import sizes as sizes
    from poise.kernel.residuals import springs as springs
    from poise.kernel.residuals import surface as surface
    from poise.kernel.residuals import touching as touching

__getattr__, __dir__ = lazily(__name__, __path__)
