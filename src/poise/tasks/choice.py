"""One of several things, whichever is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure
from poise.kernel.residuals import choice
from poise.kernel.residuals.blocks import Head
from poise.kernel.residuals.kinds import CHOICE
from poise.tasks.task import Block, Context, Task, Values, settle


@closed
@dataclass(frozen=True)
class Any(Task):
    """Do one of several tasks: the one with the least potential |e|², chosen at every posture.

    The residual is that of the chosen member, in metres, or in radians where all members are
    angles; as many rows as the longest has, the others' filled up with rows that are met. Where
    two members are equally near the residual has a kink. A member that is an inequality counts as
    nothing where it holds. What is compared is |e|², in which the angle of an `Aim` is its chord.
    Members are tasks of one part, so not `Frame`, `Contact` or a `Loop` of both; their targets stay
    as they are. A site that a member holds is no support for `Balance`.

    Zhao & Badler 1994, eq. 27.
    """

    has_target: ClassVar[bool] = False

    tasks: object

    def __post_init__(self) -> None:
        """Check the arguments."""
        given = self.tasks
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) < 2:
            raise PoiseError(f"Any takes a list of at least two tasks, not {given!r}")
        members: list[Task] = []
        for each in given:
            if not isinstance(each, Task):
                raise PoiseError(f"Any takes tasks, not {each!r}")
            if isinstance(each, Any):
                raise PoiseError("Any takes no other Any: give all its tasks to one")
            members.append(each)
        settle(self, "tasks", tuple(members))

    @property
    def members(self) -> tuple[Task, ...]:
        """The tasks to choose from."""
        return self.tasks  # type: ignore[return-value]

    def sites(self) -> Sequence[str]:
        """Those of all members."""
        return tuple(dict.fromkeys(name for each in self.members for name in each.sites()))

    def cost(self, figure: Figure) -> Sequence[str]:
        """The notes of all members, each once."""
        return tuple(dict.fromkeys(note for each in self.members for note in each.cost(figure)))

    def check(self, context: Context) -> None:
        """Every member must fit, and be of one part."""
        for each in self.members:
            each.check(context)
        self.resolved(context).blocks(context)

    def resolved(self, context: Context) -> Self:
        """What members leave open is as it is now."""
        return replace(self, tasks=tuple(each.resolved(context) for each in self.members))

    def blocks(self, context: Context) -> list[Block]:
        """One block that holds those of all members."""
        chosen: list[Block] = []
        for each in self.members:
            blocks = each.blocks(context)
            if len(blocks) != 1:
                raise PoiseError(
                    f"Any takes tasks of one part, and this {type(each).__name__} has "
                    f"{len(blocks)}; use Position or Orientation instead"
                )
            chosen += blocks
        angles = all(block.unit == "rad" for block in chosen)
        own = context.metres_per_radian
        numbers: list[Values] = []
        for task, block in zip(self.members, chosen, strict=True):
            scale = task.scale(own) if block.unit == "rad" else 1.0
            factor = scale / own if angles else scale
            head = Head(block.kind, block.node, block.other, block.values)
            numbers.append(choice.packed(head, block.rows, block.inequality, factor))
        return [
            Block(
                CHOICE,
                max(block.rows for block in chosen),
                np.concatenate(numbers),
                other=len(chosen),
                unit="rad" if angles else "m",
                inequality=all(block.inequality for block in chosen),
                corners=max(block.corners for block in chosen),
                chord=all(block.chord for block in chosen),
                keep=[block.keep for block in chosen],
            )
        ]
