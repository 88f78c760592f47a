"""Pulling an angle of a joint along."""

from __future__ import annotations

import numpy as np

from poise.errors import unknown_name
from poise.figure.naming import driver
from poise.studio import poses
from poise.studio.document import Document
from poise.studio.dragging.drag import Drag
from poise.studio.dragging.motion import Motion


class AngleDrag(Drag):
    """An angle of a joint or group as clinicians name it, pulled to values (rad, of sliders m).

    The whole joint stays as it is set while all tasks are met as well as they can be without it.
    """

    only_posture = True

    def __init__(self, document: Document, joint: str, angle: str) -> None:
        """Take hold of an angle."""
        figure, own = document.figure_of(joint)
        posture = document.scene.postures[figure]
        if own not in posture.figure.joints and own not in posture.figure.groups:
            raise unknown_name("joint", joint, document.whole.joints)
        angles = posture.angles(own)
        if angle not in angles:
            raise unknown_name("angle", angle, angles, f"{joint!r}")
        scene = document.scene.copy()
        if scene.natural:
            scene.natural = False  # others only react: what is set draws none of them along
        super().__init__(f"set {joint}", scene, stays=False)
        group = driver(posture.figure, own)
        self._joint, self._angle = joint, angle
        self._held = joint.removesuffix(own) + (group.name if group else own)
        self._document = document.copy()
        self._moving = np.ones(document.whole.n)

    def _aim(self, motion: Motion) -> None:
        if motion.value is None:
            return
        document, whole = self._document, self._document.whole
        before = document.scene.q = self.q
        moved = poses.set_angles(document, self._joint, {self._angle: motion.value})
        self._work.q = document.scene.q
        self._moved += float(np.abs(self.q - before).max(initial=0.0))
        moving = self._moving.copy()
        moving[whole.span(self._held)] = 0.0
        moving[[whole.index(name) for name in moved]] = 0.0
        if not np.array_equal(moving, self._moving):
            self._moving = moving
            self._work.let_move(moving)

    def held(self) -> tuple[str, ...]:
        """What was set."""
        names = self._document.whole.coordinates
        return tuple(names[i] for i in np.flatnonzero(self._moving == 0.0))

    def finish(self, document: Document) -> None:
        """The posture stays."""
        document.scene.q = self.q
        document.chosen = self.q.copy()
