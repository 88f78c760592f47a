"""Solvers that live in the environment of poise, each used as its documentation shows.

Their settings are those which did best here of what their documentation and examples offer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from peers.asked import Coordinates, Goals, Problem, Solver, Values
from peers.loop import METRES_PER_RADIAN, repeated
from peers.ours import Kernel, Scene
from poise.figure import Transform
from poise.figure.transform import rotation_vector

STEP_SECONDS = 0.01
"""What the peers call dt; the limits of velocity in the file allow 10 rad in it."""
DAMPING = 1e-6
"""Of the QPs of pink and mink; with their default, 1e-12, these are singular here."""
UNREACHABLE_DAMPING = 1.0
"""`lm_damping` of pink and mink where goals are out of reach: without it they are thrown about."""


def _pinocchio(problem: Problem) -> tuple[Any, Coordinates]:
    import pinocchio

    path = str(problem.folder / "person.urdf")
    model = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer())
    at = {name: model.joints[i].idx_q for i, name in enumerate(model.names)}
    return model, Coordinates(problem.figure, at, real_first=False)


def _size(error: Values, turns: bool) -> float:
    """The greater of a miss in metres and one in radians, which counts half a metre each."""
    miss = float(np.linalg.norm(error[:3]))
    turn = float(np.linalg.norm(error[3:])) if turns else 0.0
    return max(miss, METRES_PER_RADIAN * turn)


class _FrameTasks:
    """What pink and mink have in common: a frame task for each goal, some of them equalities."""

    _problem: Problem
    _coordinates: Coordinates
    _at: Any
    """Their configuration."""

    def _take(self, problem: Problem, make: Callable[..., Any]) -> None:
        """Make the tasks.

        Args:
            problem: what is asked.
            make: a task from a frame, its costs of position and of turning, and `lm_damping`.
        """
        self._problem = problem
        turn = METRES_PER_RADIAN if problem.turns else 0.0
        damping = UNREACHABLE_DAMPING if problem.first else 0.0
        self._tasks = {
            frame: make(frame, 1.0, turn, lm_damping=damping) for frame in problem.frames
        }
        self._soft = [each for f, each in self._tasks.items() if f not in problem.first]
        self._hard: list[Any] = [_Point(self._tasks[frame]) for frame in problem.first]

    def _error(self) -> float:
        errors = (task.compute_error(self._at) for task in self._tasks.values())
        return max(_size(error, self._problem.turns) for error in errors)

    @property
    def q(self) -> Values:
        return self._coordinates.ours(self._at.q)


class Pink(_FrameTasks):
    """pink: QPs by daqp, its own limits; what comes first is an equality of the QP."""

    def __init__(self, problem: Problem) -> None:
        import pink
        import pinocchio
        from pink.tasks import FrameTask

        self._pink, self._se3 = pink, pinocchio.SE3
        self._model, self._coordinates = _pinocchio(problem)
        self._data = self._model.createData()
        self._take(problem, FrameTask)
        self.start(problem.figure.rest().q)

    def start(self, q: Values) -> None:
        theirs = self._coordinates.theirs(q)
        self._at = self._pink.Configuration(self._model, self._data, theirs)

    def solve(self, goals: Goals) -> None:
        for frame, task in self._tasks.items():
            task.set_target(self._se3(goals[frame].rotation, goals[frame].position))
        try:
            repeated(self._step, self._error, self._problem.cap)
        except self._pink.exceptions.NoSolutionFound:
            return  # where it stands is its answer

    def _step(self) -> None:
        velocity = self._pink.solve_ik(
            self._at,
            self._soft,
            STEP_SECONDS,
            solver="daqp",
            damping=DAMPING,
            constraints=self._hard,
            safety_break=False,
        )
        self._at.integrate_inplace(velocity, STEP_SECONDS)

    def place(self, frame: str) -> Transform:
        there = self._at.get_transform_frame_to_world(frame)
        return Transform(there.rotation, there.translation)


class _Point:
    """The position rows of a frame task of pink or mink, to be an equality without the others."""

    def __init__(self, task: Any) -> None:
        self._task = task
        self.gain = task.gain

    def compute_jacobian(self, configuration: Any) -> Values:
        return self._task.compute_jacobian(configuration)[:3]

    def compute_error(self, configuration: Any) -> Values:
        return self._task.compute_error(configuration)[:3]


class Mink(_FrameTasks):
    """mink: as pink, on MuJoCo."""

    def __init__(self, problem: Problem) -> None:
        import mink
        import mujoco

        self._mink = mink
        model = mujoco.MjModel.from_xml_path(str(problem.folder / "person.xml"))
        at = {model.joint(i).name: int(model.jnt_qposadr[i]) for i in range(model.njnt)}
        self._coordinates = Coordinates(problem.figure, at, real_first=True)
        self._at = mink.Configuration(model)
        self._take(
            problem, lambda frame, *costs, **more: mink.FrameTask(frame, "body", *costs, **more)
        )
        self._limits = [mink.ConfigurationLimit(model)]
        self.start(problem.figure.rest().q)

    def start(self, q: Values) -> None:
        self._at.update(self._coordinates.theirs(q))

    def solve(self, goals: Goals) -> None:
        mink = self._mink
        for frame, task in self._tasks.items():
            turn = mink.SO3.from_matrix(goals[frame].rotation)
            task.set_target(mink.SE3.from_rotation_and_translation(turn, goals[frame].position))
        try:
            repeated(self._step, self._error, self._problem.cap)
        except mink.NoSolutionFound:
            return  # where it stands is its answer

    def _step(self) -> None:
        velocity = self._mink.solve_ik(
            self._at,
            self._soft,
            STEP_SECONDS,
            "daqp",
            damping=DAMPING,
            limits=self._limits,
            constraints=self._hard,
        )
        self._at.integrate_inplace(velocity, STEP_SECONDS)

    def place(self, frame: str) -> Transform:
        there = self._at.get_transform_frame_to_world(frame, "body").as_matrix()
        return Transform(there[:3, :3], there[:3, 3])


class DampedLeastSquares:
    """The textbook in numpy, on pinocchio's Jacobians: damped steps, clamped to the limits.

    The damping is the squared error and a little (Sugihara 2011). What comes second moves in the
    null space of what comes first. Joints that a step would push out of their limits are left out
    of the step that is then taken instead.
    """

    def __init__(self, problem: Problem) -> None:
        import pinocchio

        self._pinocchio: Any = pinocchio
        self._problem = problem
        self._model, self._coordinates = _pinocchio(problem)
        self._data = self._model.createData()
        self._ids = {frame: self._model.getFrameId(frame) for frame in problem.frames}
        second = [frame for frame in problem.frames if frame not in problem.first]
        self._levels = [list(problem.first), second] if problem.first else [second]
        self.start(problem.figure.rest().q)

    def start(self, q: Values) -> None:
        self._q = self._coordinates.theirs(q)
        self._pinocchio.computeJointJacobians(self._model, self._data, self._q)
        self._pinocchio.updateFramePlacements(self._model, self._data)

    def solve(self, goals: Goals) -> None:
        self._goals = goals
        repeated(self._step, self._error, self._problem.cap)

    def _errors(self, frames: Sequence[str]) -> Values:
        """Rows (k, 3) or (k, 6): the way to each goal, the turn in metres."""
        rows = []
        for frame in frames:
            there = self._data.oMf[self._ids[frame]]
            goal = self._goals[frame]
            row = goal.position - there.translation
            if self._problem.turns:
                turn = rotation_vector(goal.rotation @ there.rotation.T)
                row = np.concatenate([row, METRES_PER_RADIAN * turn])
            rows.append(row)
        return np.array(rows)

    def _rows(self, frames: Sequence[str]) -> Values:
        axes = self._pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
        blocks = []
        for frame in frames:
            J = self._pinocchio.getFrameJacobian(self._model, self._data, self._ids[frame], axes)
            blocks.append(J[:3])
            if self._problem.turns:
                blocks.append(METRES_PER_RADIAN * J[3:])
        return np.vstack(blocks)

    def _step(self) -> None:
        levels = [(self._rows(f), self._errors(f).ravel()) for f in self._levels]
        moves = np.ones(self._model.nv)
        joints = slice(6, None)
        low = self._model.lowerPositionLimit[7:] - self._q[7:]
        high = self._model.upperPositionLimit[7:] - self._q[7:]
        step = self._damped(levels, moves)
        for _ in range(3):
            out = (step[joints] > high) | (step[joints] < low)
            if not out.any():
                break
            moves[joints][out] = 0.0
            step = self._damped(levels, moves)
        step[joints] = np.clip(step[joints], low, high)
        self._q = self._pinocchio.integrate(self._model, self._q, step)
        self._pinocchio.computeJointJacobians(self._model, self._data, self._q)
        self._pinocchio.updateFramePlacements(self._model, self._data)

    @staticmethod
    def _damped(levels: Sequence[tuple[Values, Values]], moves: Values) -> Values:
        step = np.zeros(moves.size)
        free = np.diag(moves)
        for J, error in levels:
            rows, left = J @ free, error - J @ step
            gram = rows @ rows.T
            damping = float(left @ left) + 1e-6
            step += rows.T @ np.linalg.solve(gram + damping * np.eye(len(rows)), left)
            free = free - np.linalg.pinv(rows, rcond=1e-4) @ rows @ free
        return step

    def _error(self) -> float:
        errors = self._errors(self._problem.frames)
        parts = errors.reshape(len(errors), -1, 3)
        return float(np.linalg.norm(parts, axis=2).max())

    @property
    def q(self) -> Values:
        return self._coordinates.ours(self._q)

    def place(self, frame: str) -> Transform:
        there = self._data.oMf[self._ids[frame]]
        return Transform(there.rotation, there.translation)


SOLVERS: dict[str, type[Solver]] = {
    "poise, packed": Kernel,
    "poise, Scene": Scene,
    "mink, daqp": Mink,
    "pink, daqp": Pink,
    "numpy, damped": DampedLeastSquares,
}
_NEEDS = {"mink, daqp": "mink", "pink, daqp": "pink", "numpy, damped": "pinocchio"}


def installed() -> tuple[dict[str, type[Solver]], list[str]]:
    """The solvers that are here, and the names of those that are not."""
    missing = [name for name, module in _NEEDS.items() if find_spec(module) is None]
    return {name: each for name, each in SOLVERS.items() if name not in missing}, missing
