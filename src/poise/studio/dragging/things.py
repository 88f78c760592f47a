"""Dragging props, and the arrows of forces."""

from __future__ import annotations

import numpy as np

from poise.errors import unknown_name
from poise.figure import Transform
from poise.studio.document import Document
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.motion import Motion


class ThingDrag(Drag):
    """A prop, moved or turned; what is about it follows."""

    moves_props = True

    def __init__(self, document: Document, prop: str) -> None:
        """Take hold of a prop; one that is held moves within the hand."""
        scene = document.scene.copy()
        if prop not in scene.props:
            raise unknown_name("prop", prop, scene.props)
        super().__init__(f"move {prop}", scene)
        self._prop = prop

    def _aim(self, motion: Motion) -> None:
        scene = self.scene
        scene.q = self.q
        thing, places = scene.props[self._prop], scene.places
        place = motion.place(places[self._prop])
        self._moved += _distance(places[self._prop], place)
        if thing.figure is None or thing.site is None:
            scene.place(self._prop, place)
        else:
            site = f"{thing.figure}/{thing.site}" if scene.has_several else thing.site
            scene.hold(self._prop, site, at=places[site].inverse() @ place)
        self._work.pack()


def _distance(before: Transform, after: Transform) -> float:
    """How far a place has moved: the sum of its numbers' changes (m, of rotations about rad)."""
    turned = np.abs(after.rotation - before.rotation).sum()
    return float(np.abs(after.position - before.position).sum() + turned)


class ForceDrag(Drag):
    """An applied force whose arrow is dragged by its head: its vector in newtons."""

    def __init__(self, document: Document, force: str) -> None:
        """Take hold of an applied force."""
        scene = document.scene.copy()
        if force not in scene.forces.applied:
            raise unknown_name("applied force", force, scene.forces.applied)
        super().__init__(f"change the force {force}", scene)
        self._name = force

    def _aim(self, motion: Motion) -> None:
        """Take another vector (N), given as the event's point."""
        if motion.point is None:
            return
        forces = self.scene.forces
        load = forces.applied[self._name]
        forces.apply(
            load.site, force=motion.point, torque=load.torque, point=load.point, name=self._name
        )
        self._work.pack()
