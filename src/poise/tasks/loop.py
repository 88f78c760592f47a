"""Sites that belong together: closed chains, held hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from poise.closed import closed
from poise.errors import PoiseError
from poise.kernel.residuals import orientation, position
from poise.kernel.residuals.kinds import LOOP, ORIENTATION
from poise.tasks.task import Block, Context, TurningTask, named


@closed
@dataclass(frozen=True)
class Loop(TurningTask):
    """Bring two sites together, of one figure or of two.

    `match` says what coincides: "position" (three rows, metres), "orientation" (three rows,
    radians times metres per radian) or "both" (six, with half the weight on each). Neither site
    is the goal of the other: both move. At an orientation difference of π the axis is ambiguous.

    Thesis 7.3.1; Zhao & Badler 1994, section 9.
    """

    has_target: ClassVar[bool] = False
    site: str
    other: str
    match: Literal["position", "orientation", "both"] = field(default="position", kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        named(self.site, "the first site of a Loop")
        named(self.other, "the second site of a Loop")
        if self.match not in ("position", "orientation", "both"):
            raise PoiseError(
                f"match must be 'position', 'orientation' or 'both', not {self.match!r}"
            )
        if self.site == self.other:
            raise PoiseError(f"a Loop needs two sites, not {self.site!r} twice")

    def sites(self) -> Sequence[str]:
        """Both sites."""
        return (self.site, self.other)

    def blocks(self, context: Context) -> list[Block]:
        """A gap, a turn, or both."""
        (node, place), (other, there) = context.site(self.site), context.site(self.other)
        share = 0.5 if self.match == "both" else 1.0
        blocks: list[Block] = []
        if self.match != "orientation":
            values = position.packed(place.position, there.position, np.eye(3))
            blocks.append(Block(LOOP, 3, values, node, other, share=share))
        if self.match != "position":
            values = orientation.packed(place.rotation, there.rotation)
            blocks.append(Block(ORIENTATION, 3, values, node, other, share=share, unit="rad"))
        return blocks
