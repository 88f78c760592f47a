"""What a file of another world holds, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.figure import Figure, Posture
    from poise.figure.skin import Skin
    from poise.motion import Clip
    from poise.scene.things import Thing
    from poise.tasks import Task


SHOWN = "shown"
"""The name of the posture that a file shows, where it keeps it among named ones."""


@dataclass(frozen=True)
class Reading:
    """What was read from a file, or is to be written to one.

    All of it is in metres, kilograms and radians, z up, x forward, y left. Postures and clips
    are of the figure itself.

    Attributes:
        figure: the figure.
        posture: the posture that the file shows, if it shows one.
        postures: named postures, such as the key frames of MJCF.
        clips: motions by name, in the order of the file.
        loops: tasks that close the figure's loops.
        skin: the surface that moves with the figure, if there is one.
        notes: what was guessed or left out, one plain sentence each.
        props: what stands in the world of a scene that is written, by name; what a figure holds is
            a part of it.
    """

    figure: Figure
    posture: Posture | None = None
    postures: Mapping[str, Posture] = field(default_factory=dict[str, "Posture"])
    clips: Mapping[str, Clip] = field(default_factory=dict[str, "Clip"])
    loops: tuple[Task, ...] = ()
    skin: Skin | None = None
    notes: tuple[str, ...] = ()
    props: Mapping[str, Thing] = field(default_factory=dict[str, "Thing"])
