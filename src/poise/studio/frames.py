"""The pose frame: where all nodes are, as the page reads it.

Little-endian float32. First eight numbers: the stage's revision, the last drag event that was
heeded, the number of nodes, flags, the centre of mass (x y z, NaN where there is none), and the
frame's own number, by which what lies over the figure says of which posture it is. Then for each
node x y z and the quaternion x y z w.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.figure import Figure
from poise.scene import Scene
from poise.scene.solving import context_of

Values = NDArray[np.float64]

HEAD = 8
"""Numbers before the nodes."""
NODE = 7
"""Numbers for each node."""
DRAGGING = 1
"""The flag that someone is dragging."""
NUMBERS = 1 << 24
"""So many frames have numbers of their own: as far as float32 counts."""


class Framer:
    """Makes frames of one scene's figures and props; memory is kept from frame to frame."""

    def __init__(self, scene: Scene, revision: int) -> None:
        """Look up where the nodes are in the flat form of the figures."""
        whole = context_of(scene).figure
        self.names = list(whole.segments)
        """The nodes: all segments of the figures, then what stands in the world."""
        self.revision = revision
        self._whole = Placed(whole)
        body = scene.together.figure
        self._body = Placed(body) if body.mass > 0 else None
        places = [whole.packed.segments[name] for name in self.names]
        self._node = np.array([node for node, _ in places], np.int64)
        self._turn = np.array([place.rotation for _, place in places]).reshape(-1, 3, 3)
        self._shift = np.array([place.position for _, place in places]).reshape(-1, 3)

    def placed(self, q: Values) -> tuple[Values, Values]:
        """Where the nodes are: rotations (k, 3, 3) and positions (k, 3)."""
        rotation, position = self._whole.place(q)
        base = rotation.reshape(-1, 3, 3)[self._node]
        return base @ self._turn, position[self._node] + (base @ self._shift[..., None])[..., 0]

    def center_of_mass(self, q: Values) -> Values | None:
        """That of all figures with what they hold; None where there is no mass."""
        return self._body.center_of_mass(q) if self._body else None

    def frame(self, q: Values, sequence: int, flags: int, number: int = 0) -> bytes:
        """The frame of a posture, by its own number."""
        rotation, position = self.placed(q)
        frame = np.zeros(HEAD + NODE * len(self.names), "<f4")
        center = self.center_of_mass(q)
        frame[:4] = self.revision, sequence, len(self.names), flags
        frame[4:7] = np.nan if center is None else center
        frame[7] = number
        nodes = frame[HEAD:].reshape(-1, NODE)
        nodes[:, :3] = position
        nodes[:, 3:] = quaternions(rotation)
        return frame.tobytes()


class Placed:
    """A figure's flat form with room for one posture."""

    def __init__(self, figure: Figure) -> None:
        """Make room for one."""
        self._tree = figure.packed.tree
        self._state = kernel.body.tree.state(self._tree)

    def place(self, q: Values) -> tuple[Values, Values]:
        """The rotations and positions of all nodes, until it is asked again."""
        kernel.body.kinematics.place(self._tree, q, self._state)
        return self._state.rotation, self._state.position

    def center_of_mass(self, q: Values) -> Values:
        """That of the figure."""
        self.place(q)
        center = np.empty(3)
        kernel.body.masses.gather(self._tree, self._state, False)
        kernel.body.masses.center_of_mass(self._tree, self._state, center)
        return center


def quaternions(rotation: Values) -> Values:
    """The unit quaternions x y z w (k, 4) of rotation matrices (k, 3, 3), all at once.

    Each from the largest of its components, so that nothing small is divided by.
    """
    r = rotation
    a, b, c = r[:, 0, 0], r[:, 1, 1], r[:, 2, 2]
    # Four times the products of each component with all others, by rows.
    rows = np.empty((len(r), 4, 4))
    rows[:, 3, 3], rows[:, 0, 0] = 1 + a + b + c, 1 + a - b - c
    rows[:, 1, 1], rows[:, 2, 2] = 1 - a + b - c, 1 - a - b + c
    rows[:, 3, 0] = rows[:, 0, 3] = r[:, 2, 1] - r[:, 1, 2]
    rows[:, 3, 1] = rows[:, 1, 3] = r[:, 0, 2] - r[:, 2, 0]
    rows[:, 3, 2] = rows[:, 2, 3] = r[:, 1, 0] - r[:, 0, 1]
    rows[:, 0, 1] = rows[:, 1, 0] = r[:, 0, 1] + r[:, 1, 0]
    rows[:, 0, 2] = rows[:, 2, 0] = r[:, 0, 2] + r[:, 2, 0]
    rows[:, 1, 2] = rows[:, 2, 1] = r[:, 1, 2] + r[:, 2, 1]
    largest = rows[:, range(4), range(4)].argmax(axis=1)
    chosen = rows[np.arange(len(r)), largest]
    return chosen / np.linalg.norm(chosen, axis=1, keepdims=True)
