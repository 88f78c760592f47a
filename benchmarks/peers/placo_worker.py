"""placo: tasks "hard" and "soft", a regularisation, limits of joints and of their steps."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from peers.loop import METRES_PER_RADIAN, repeated
from peers.worker import Asked, Values, serve

STEP_SECONDS = 0.01
"""What placo calls dt."""
STEP = 0.2
"""Radians that joints may turn in a step, by limits of velocity; without, it diverges."""


class Placo:
    """placo with one problem."""

    def __init__(self, asked: Asked) -> None:
        placo: Any = import_module("placo")  # in this worker's environment only
        self._log: Any = import_module("pinocchio").log3
        self._asked = asked
        path = str(asked.folder / "person.urdf")
        self._robot = placo.RobotWrapper(path, placo.Flags.ignore_collisions)
        self._at = [self._robot.get_joint_offset(name) for name in asked.joints]
        self._solver = self._robot.make_solver()
        self._solver.enable_joint_limits(True)
        self._solver.enable_velocity_limits(True)
        self._solver.dt = STEP_SECONDS
        self._robot.set_velocity_limits(STEP / STEP_SECONDS)
        self._solver.add_regularization_task(1.0 if asked.first else 1e-4)
        self._points: list[Any] = []
        self._turns: list[Any] = []
        for frame in asked.frames:
            rank = "hard" if frame in asked.first else "soft"
            point = self._solver.add_position_task(frame, np.zeros(3))
            point.configure(frame, rank, 1.0)
            self._points.append(point)
            if asked.turns:
                turn = self._solver.add_orientation_task(frame, np.eye(3))
                turn.configure(f"{frame}_turn", rank, METRES_PER_RADIAN**2)
                self._turns.append(turn)

    def start(self, posture: Values) -> None:
        theirs = np.zeros(7 + len(self._at))
        theirs[:3] = posture[:3]
        theirs[[6, 3, 4, 5]] = posture[3:7]
        theirs[self._at] = posture[7:]
        self._robot.state.q = theirs
        self._robot.update_kinematics()

    def solve(self, goals: Values) -> None:
        self._goals = goals
        for task, goal in zip(self._points, goals, strict=True):
            task.target_world = goal[:3, 3]
        if self._turns:
            for task, goal in zip(self._turns, goals, strict=True):
                task.R_world_frame = goal[:3, :3]
        try:
            repeated(self._step, self._error, self._asked.cap)
        except RuntimeError:  # its QP is infeasible
            return  # where it stands is its answer

    def _step(self) -> None:
        self._solver.solve(True)
        self._robot.update_kinematics()

    def _error(self) -> float:
        worst = 0.0
        for frame, goal in zip(self._asked.frames, self._goals, strict=True):
            there = self._robot.get_T_world_frame(frame)
            worst = max(worst, float(np.linalg.norm(goal[:3, 3] - there[:3, 3])))
            if self._turns:
                turn = self._log(there[:3, :3].T @ goal[:3, :3])
                worst = max(worst, METRES_PER_RADIAN * float(np.linalg.norm(turn)))
        return worst

    def posture(self) -> Values:
        q = np.array(self._robot.state.q)
        return np.concatenate([q[:3], q[[6, 3, 4, 5]], q[self._at]])

    def places(self) -> Values:
        return np.array([self._robot.get_T_world_frame(frame) for frame in self._asked.frames])


if __name__ == "__main__":
    serve(Placo)
