"""The inner step: least squares in strict order of levels, with inequalities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.hierarchy import active as active
    from poise.kernel.hierarchy import arrays as arrays
    from poise.kernel.hierarchy import factor as factor
    from poise.kernel.hierarchy import householder as householder
    from poise.kernel.hierarchy import orthonormal as orthonormal
    from poise.kernel.hierarchy import step as step

__getattr__, __dir__ = lazily(__name__, __path__)
