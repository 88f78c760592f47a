"""What joints hold in a scene, whichever forces are meant."""

from __future__ import annotations

from poise.errors import PoiseError
from poise.statics.acting import Acting
from poise.statics.answers import Distribution
from poise.statics.torques import Torques, torques_of
from poise.tasks.task import Context


def torques_in(context: Context, acting: Acting, forces: Distribution | None) -> Torques:
    """What the joints of all figures hold in a posture."""
    whole, q = context.figure, context.posture
    if forces is not None:
        if not isinstance(forces, Distribution):
            raise PoiseError(f"forces must be what `distribute` gave, not {forces!r}")
        return torques_of(whole, q, forces.loads, acting.strengths)
    figures = [None] if context.is_single else list(context.parts)
    loads = [
        load
        for figure in figures
        for load in acting.loads(whole, context.members(figure), repr(figure or whole.name))
    ]
    return torques_of(whole, q, loads, acting.strengths)
