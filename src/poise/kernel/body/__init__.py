"""The body: a figure as flat arrays, where its parts are, how they move, what they weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.body import bends as bends
    from poise.kernel.body import kinematics as kinematics
    from poise.kernel.body import masses as masses
    from poise.kernel.body import rotations as rotations
    from poise.kernel.body import tree as tree
    from poise.kernel.body import trigonometry as trigonometry
    from poise.kernel.body import vectors as vectors

__getattr__, __dir__ = lazily(__name__, __path__)
