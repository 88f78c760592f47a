"""The error of every task, told from where everything is: what a report must agree with.

Nothing here uses the kernels' residuals. A task about which this knows nothing raises.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

from poise import tasks
from poise.scene.solution import Solution
from poise.scene.solving import context_of
from poise.statics.loads import GRAVITY

UP = np.array([0.0, 0.0, 1.0])
_TURNING = (tasks.Orientation, tasks.Aim)


def errors(task: tasks.Task, solution: Solution) -> list[list[float]]:
    """What each part of a task's error may be, in metres, radians or N·m; empty for unknown.

    Mostly one number; of `Any`, one for each member, and nothing where members have other units.
    """
    return _ERRORS[type(task)](task, solution)


def _one(value: Any) -> list[list[float]]:
    return [[float(value)]]


def _angle(first: Any, second: Any) -> float:
    return float(Rotation.from_matrix(np.asarray(first) @ np.asarray(second).T).magnitude())


def _between(a: Any, b: Any) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b)))


def _offset(task: Any, places: Any) -> np.ndarray:
    """The site less the target, in the axes in which the task's directions are given."""
    at = places[task.site].position
    if isinstance(task.frame, str):
        frame = places[task.frame]
        return frame.rotation.T @ (at - frame.position) - np.array(task.target)
    if isinstance(task.target, str):
        return at - places[task.target].position
    return at - np.array(task.target)


def _position(task: Any, solution: Solution) -> list[list[float]]:
    off = _offset(task, solution.places)
    if task.frame is not None and not isinstance(task.frame, str):
        off = np.array(task.frame).T @ off
    return _one(np.linalg.norm([off["xyz".index(axis)] for axis in task.axes]))


def _line(task: Any, solution: Solution) -> list[list[float]]:
    return _one(np.linalg.norm(np.cross(_offset(task, solution.places), task.direction)))


def _plane(task: Any, solution: Solution) -> list[list[float]]:
    return _one(abs(_offset(task, solution.places) @ np.array(task.normal)))


def _half_space(task: Any, solution: Solution) -> list[list[float]]:
    return _one(max(0.0, -_offset(task, solution.places) @ np.array(task.normal)))


def _orientation(task: Any, solution: Solution) -> list[list[float]]:
    places = solution.places
    own = places[task.site].rotation
    goal = places[task.target].rotation if isinstance(task.target, str) else np.array(task.target)
    if task.form == "vectors":
        x, y = own[:, 0] - goal[:, 0], own[:, 1] - goal[:, 1]
        return _one(np.sqrt(task.cx**2 * (x @ x) + task.cy**2 * (y @ y)))
    if task.free is not None:
        column = "xyz".index(task.free)
        return _one(_between(own[:, column], goal[:, column]))
    return _one(_angle(own, goal))


def _frame(task: Any, solution: Solution) -> list[list[float]]:
    places = solution.places
    own = places[task.site]
    goal = places[task.target] if isinstance(task.target, str) else task.target
    away = float(np.linalg.norm(own.position - goal.position))
    return [[away], [_angle(own.rotation, goal.rotation)]]


def _aim(task: Any, solution: Solution) -> list[list[float]]:
    own = solution.places[task.site]
    target = task.target
    goal = solution.places[target].position if isinstance(target, str) else np.array(target)
    return _one(_between(goal - own.position, own.rotation @ np.array(task.axis)))


def _loop(task: Any, solution: Solution) -> list[list[float]]:
    one, other = solution.places[task.site], solution.places[task.other]
    away = [float(np.linalg.norm(one.position - other.position))]
    turned = [_angle(one.rotation, other.rotation)]
    parts = {"position": [away], "orientation": [turned], "both": [away, turned]}
    return parts[task.match]


def _contact(task: Any, solution: Solution) -> list[list[float]]:
    own = solution.places[task.site]
    point = task.target if task.turn else task.target.position
    off = own.position - np.array(point)
    away = abs(off @ np.array(task.normal)) if task.slide else np.linalg.norm(off)
    if task.turn:
        return [[float(away)], [_between(own.rotation[:, 2], -np.array(task.normal))]]
    return [[float(away)], [_angle(own.rotation, task.target.rotation)]]


def _surface(task: Any, solution: Solution) -> list[list[float]]:
    at = solution.places[task.site].position
    if isinstance(task.frame, str):
        frame = solution.places[task.frame]
        at = frame.rotation.T @ (at - frame.position)
    shape = task.ellipsoid
    turn = Rotation.from_rotvec(shape.rotation).as_matrix()
    y, radii = np.abs(turn.T @ (at - np.array(shape.center))), np.array(shape.radii)
    if y.min() < 1e-6:
        return []  # on a plane of symmetry several points may be nearest

    def sum_less_one(t: float) -> float:
        return float(np.sum((radii * y / (t + radii**2)) ** 2) - 1.0)

    low, high = -(radii.min() ** 2) + 1e-12, float(radii.max() * np.linalg.norm(y)) + 1.0
    t = brentq(sum_less_one, low, high, xtol=1e-15)
    nearest = radii**2 * y / (t + radii**2)
    sign = 1.0 if np.sum((y / radii) ** 2) > 1 else -1.0
    return _one(abs(sign * np.linalg.norm(y - nearest) - task.distance))


def _bodies(figure: str | None, solution: Solution) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Mass, centre and inertia in world axes of each segment."""
    context = context_of(solution)
    bodies: list[tuple[float, np.ndarray, np.ndarray]] = []
    for name in context.members(figure):
        mass, center, inertia = context.figure.segments[name].mass_properties()
        place = context.places.segment(name)
        turned = place.rotation @ inertia @ place.rotation.T
        bodies.append((mass, place.apply(center), turned))
    return bodies


def _center(figure: str | None, solution: Solution) -> np.ndarray:
    bodies = _bodies(figure, solution)
    total = sum(mass for mass, _, _ in bodies)
    return np.sum([mass * at for mass, at, _ in bodies], axis=0) / total


def _center_of_mass(task: Any, solution: Solution) -> list[list[float]]:
    off = _center(task.figure, solution) - np.array(task.target)
    if task.frame is not None:
        off = np.array(task.frame).T @ off
    return _one(np.linalg.norm([off["xyz".index(axis)] for axis in task.axes]))


def _inertia(task: Any, solution: Solution) -> list[list[float]]:
    axis, center = np.array(task.axis), _center(task.figure, solution)
    total = moment = 0.0
    for mass, at, inertia in _bodies(task.figure, solution):
        across = np.cross(axis, at - center)
        moment += float(axis @ inertia @ axis + mass * across @ across)
        total += mass
    return _one(abs(np.sqrt(moment / total) - task.target))


def _balance(task: Any, solution: Solution) -> list[list[float]]:
    context = context_of(solution)
    squares: list[float] = []
    for owner, names in task.standing(context).items():
        points = np.array(
            [
                context.places[name].apply((x, y, 0.0))[:2]
                for name in names
                for x, y in context.figure.sites[name].outline
            ]
        )
        try:
            hull = ConvexHull(points)
        except QhullError:
            return []
        width = -max(float((hull.equations[:, :2] @ points.T).min()), -1.0)
        length = float(np.linalg.norm(np.ptp(points, axis=0)))
        if hull.volume < 0.15 * length**2 or width < 1e-6:
            return []  # a thin hull has its ends watched, too
        sides = np.unique(np.round(hull.equations, 9), axis=0)
        lacks = sides @ [*_center(owner, solution)[:2], 1.0] + task.margin
        squares += [float(max(0.0, lack)) ** 2 for lack in lacks]
    return _one(np.sqrt(sum(squares))) if len(task.standing(context)) == 1 else []


def _equilibrium(task: Any, solution: Solution) -> list[list[float]]:
    context = context_of(solution)
    if not context.is_single:
        return []
    moment = np.zeros(3)
    figure = context.figure
    for load in context.acting.loads(figure, list(figure.segments), figure.name):
        at = context.places[load.site].apply(load.point)
        moment += np.cross(at, load.force) + np.array(load.torque)
    for mass, at, _ in _bodies(None, solution):
        moment += np.cross(at, -mass * GRAVITY * UP)
    return _one(np.linalg.norm(moment))


def _faces(task: Any, solution: Solution) -> np.ndarray:
    at = solution.places[task.site].position
    if isinstance(task.frame, str):
        frame = solution.places[task.frame]
        at = frame.rotation.T @ (at - frame.position)
    return np.array(task.convex.normals) @ at - np.array(task.convex.offsets)


def _inside(task: Any, solution: Solution) -> list[list[float]]:
    return _one(np.linalg.norm(np.maximum(_faces(task, solution) + task.margin, 0.0)))


def _outside(task: Any, solution: Solution) -> list[list[float]]:
    return _one(max(0.0, task.margin - _faces(task, solution).max()))


def _any(task: Any, solution: Solution) -> list[list[float]]:
    """The error of any member, that of an `Aim` among others as a chord; unknown in mixed units."""
    found = [errors(member, solution) for member in task.members]
    turning = [isinstance(member, _TURNING) for member in task.members]
    if not all(found) or any(turning) != all(turning):
        return []
    values = [each[0][0] for each in found]
    if not all(isinstance(member, tasks.Aim) for member in task.members):
        is_aim = [isinstance(member, tasks.Aim) for member in task.members]
        values = [2 * np.sin(v / 2) if aim else v for v, aim in zip(values, is_aim, strict=True)]
    return [values]


def _custom(task: Any, solution: Solution) -> list[list[float]]:
    context = context_of(solution)
    return _one(np.linalg.norm(task.residual(context.posture, context.places)))


_ERRORS: dict[type, Any] = {
    tasks.Aim: _aim,
    tasks.Any: _any,
    tasks.Balance: _balance,
    tasks.CenterOfMass: _center_of_mass,
    tasks.Contact: _contact,
    tasks.Custom: _custom,
    tasks.Equilibrium: _equilibrium,
    tasks.Frame: _frame,
    tasks.HalfSpace: _half_space,
    tasks.Inertia: _inertia,
    tasks.Inside: _inside,
    tasks.Line: _line,
    tasks.Loop: _loop,
    tasks.Orientation: _orientation,
    tasks.Outside: _outside,
    tasks.Plane: _plane,
    tasks.Position: _position,
    tasks.Surface: _surface,
}
