"""momentum: Gauss-Newton steps in single precision.

Limits are a penalty, and there are weights but no ranks. It counts in centimetres. A step here is a
call of its solver, which by default is two steps of Gauss and Newton.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.loop import METRES_PER_RADIAN, repeated
from peers.worker import Asked, RefusedError, Values, serve

CENTIMETRES = 100.0
DAMPING, COLD_DAMPING = 0.01, 0.5
"""`regularization`; from far away it diverges with less, or without a line search."""
TURNS_WEIGHT, TURNS_ITERATIONS = 4.0, 4
"""For rotations; its default weight counts them about as we do, and then they come slowly."""
ROOT = ("root_tx", "root_ty", "root_tz", "root_rx", "root_ry", "root_rz")


class Momentum:
    """momentum with one problem."""

    def __init__(self, asked: Asked) -> None:
        if asked.first:
            raise RefusedError("momentum has weights, no ranks")
        self._geometry: Any = import_module("pymomentum.geometry")
        solver2: Any = import_module("pymomentum.solver2")
        self._rotation: Any = import_module("scipy.spatial.transform").Rotation
        self._asked = asked
        self._character = self._geometry.Character.load_urdf(str(asked.folder / "floating.urdf"))
        transform = self._character.parameter_transform
        names = list(transform.names)
        self._root = [names.index(name) for name in ROOT]
        self._at = [names.index(name) for name in asked.joints]
        joints = list(self._character.skeleton.joint_names)
        self._frames = np.array([joints.index(frame) for frame in asked.frames], dtype=np.int32)
        self._pelvis = joints.index("pelvis")
        # A unit of a translation of the root is some centimetres.
        matrix = np.asarray(transform.transform)
        self._unit = float(np.abs(matrix[:, self._root[0]]).max())
        self._points = solver2.PositionErrorFunction(self._character)
        parts = [self._points, solver2.LimitErrorFunction(self._character)]
        self._turns: Any = None
        if asked.turns:
            self._turns = solver2.OrientationErrorFunction(self._character, weight=TURNS_WEIGHT)
            parts.append(self._turns)
        function = solver2.SkeletonSolverFunction(self._character, parts)
        options = solver2.GaussNewtonSolverOptions()
        options.regularization = DAMPING if asked.warm else COLD_DAMPING
        options.do_line_search = not asked.warm
        if asked.turns:
            options.max_iterations = TURNS_ITERATIONS
        self._solver = solver2.GaussNewtonSolver(function, options)

    def start(self, posture: Values) -> None:
        # Its Euler angles are about z, then y, then x, each in the axes that have turned.
        turn = self._rotation.from_quat(posture[[4, 5, 6, 3]]).as_euler("ZYX")
        self._values = np.zeros(6 + len(self._at))
        self._values[self._root[:3]] = CENTIMETRES * posture[:3] / self._unit
        self._values[self._root[3:]] = turn[::-1]
        self._values[self._at] = posture[7:]

    def solve(self, goals: Values) -> None:
        self._values = self._values.astype(np.float32)
        self._goals = (CENTIMETRES * goals[:, :3, 3]).astype(np.float32)
        self._points.clear_constraints()
        self._points.add_constraints(self._frames, target=self._goals)
        if self._turns is not None:
            quaternions = self._rotation.from_matrix(goals[:, :3, :3]).as_quat()
            self._quaternions = quaternions.astype(np.float32)
            self._turns.clear_constraints()
            self._turns.add_constraints(self._quaternions, self._frames)
        repeated(self._step, self._error, self._asked.cap)

    def _step(self) -> None:
        self._values = self._solver.solve(self._values)

    def _state(self) -> NDArray[Any]:
        """(joints, 8): x y z, a quaternion x y z w, and a scale."""
        return self._geometry.model_parameters_to_skeleton_state(self._character, self._values)

    def _error(self) -> float:
        there = self._state()[self._frames]
        worst = float(np.linalg.norm(there[:, :3] - self._goals, axis=1).max()) / CENTIMETRES
        if self._turns is None:
            return worst
        # Twice the distance of quaternions is the angle, for small ones; either sign is meant.
        ends = [np.linalg.norm(there[:, 3:7] + s * self._quaternions, axis=1) for s in (1, -1)]
        return max(worst, METRES_PER_RADIAN * 2.0 * float(np.minimum(*ends).max()))

    def posture(self) -> Values:
        self._values = np.asarray(self._values, dtype=np.float64)
        pelvis = self._state()[self._pelvis]
        place = pelvis[:3] / CENTIMETRES
        return np.concatenate([place, pelvis[[6, 3, 4, 5]], self._values[self._at]])

    def places(self) -> Values:
        state = self._state()[self._frames]
        result = np.tile(np.eye(4), (len(state), 1, 1))
        result[:, :3, :3] = self._rotation.from_quat(state[:, 3:7]).as_matrix()
        result[:, :3, 3] = state[:, :3] / CENTIMETRES
        return result


if __name__ == "__main__":
    serve(Momentum)
