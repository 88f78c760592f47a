"""The same figure in pinocchio and in MuJoCo, for comparison.

Both know hinges, sliders, balls and free joints. An elbow is two hinges there, and a swing a ball
of which only some velocities are used. Their balls are turned by quaternions and driven by angular
velocities in the moving frame, so a velocity of our coordinates is first made one of theirs, by
the derivative of the matrix exponential (scipy's), not by our own formulas.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pinocchio
from numpy.typing import NDArray
from scipy.linalg import expm, expm_frechet

from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Elbow, Free, Hinge, JointKind, Slider, Swing
from poise.figure.packing import crossings
from poise.figure.parts import Joint
from poise.figure.transform import IDENTITY, Transform, quaternion, rotation_to

Values = NDArray[np.float64]


def skew(v: Values) -> Values:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def turning(kind: Ball | Swing | Free, values: Values, rates: Values) -> tuple[Values, Values]:
    """The rotation of a kind that turns, and its angular velocity in the moving frame."""
    M: Any
    dM: Any
    if isinstance(kind, Free) or (isinstance(kind, Ball) and kind.chart == "rotation_vector"):
        M, dM = expm_frechet(skew(values[-3:]), skew(rates[-3:]))
    else:
        s, v = np.array([*values[:2], 0.0]), np.array([*rates[:2], 0.0])
        M, dM = expm_frechet(skew(s), skew(v))
        if isinstance(kind, Ball):
            T, dT = expm_frechet(
                skew(np.array([0, 0, values[2]])), skew(np.array([0, 0, rates[2]]))
            )
            M, dM = M @ T, dM @ T + M @ dT
    if not isinstance(kind, Free):
        frame = rotation_to(kind.axis)
        zero = expm(skew(np.array(kind.zero)))
        M, dM = zero @ frame @ M @ frame.T, zero @ frame @ dM @ frame.T
    W = M.T @ dM
    return M, np.array([W[2, 1], W[0, 2], W[1, 0]])


class Pinocchio:
    """A figure in pinocchio."""

    def __init__(self, figure: Figure) -> None:
        """Build the model, a frame for each segment."""
        self.figure = figure
        model: Any = pinocchio.Model()
        self._at: dict[str, tuple[int, Transform]] = {"world": (0, IDENTITY)}
        self._joints: list[tuple[Joint, list[int]]] = []
        self._ground_mass, self._ground_moment = 0.0, np.zeros(3)
        for joint, _ in crossings(list(figure.joints.values())):
            parent, place = self._at[joint.parent]
            before, ids = place @ joint.before, list[int]()
            for link in _links(joint.kind):
                parent = model.addJoint(parent, link, _se3(before), f"{joint.name}_{len(ids)}")
                before = IDENTITY
                ids.append(parent)
            after = before @ joint.after
            self._at[joint.child] = (parent, after)
            self._joints.append((joint, ids))
            mass, center, inertia = figure.segments[joint.child].mass_properties()
            if parent == 0:
                self._ground_mass += mass
                self._ground_moment += mass * after.apply(center)
            body = pinocchio.Inertia(mass, center, inertia)
            model.appendBodyToJoint(parent, body, _se3(after))
            kind = pinocchio.FrameType.OP_FRAME
            model.addFrame(pinocchio.Frame(joint.child, parent, 0, _se3(after), kind))
        self.model, self.data = model, model.createData()

    def move(self, values: Values, rates: Values) -> None:
        """Take over coordinates of the figure, and their velocity."""
        model = self.model
        q, self.v = pinocchio.neutral(model), np.zeros(model.nv)
        for joint, ids in self._joints:
            span = self.figure.span(joint.name)
            x, dx = values[span], rates[span]
            if isinstance(joint.kind, (Ball, Swing, Free)):
                rotation, spin = turning(joint.kind, x, dx)
                w, i, j, k = quaternion(rotation).tolist()
                at, to = model.joints[ids[0]].idx_q, model.joints[ids[0]].idx_v
                if isinstance(joint.kind, Free):
                    q[at : at + 7] = [*x[:3], i, j, k, w]
                    self.v[to : to + 6] = [*(rotation.T @ dx[:3]), *spin]
                else:
                    q[at : at + 4] = [i, j, k, w]
                    self.v[to : to + 3] = spin
            else:
                for each, value, rate in zip(ids, x, dx, strict=True):
                    q[model.joints[each].idx_q] = value
                    self.v[model.joints[each].idx_v] = rate
        self.q = q
        pinocchio.computeJointJacobians(model, self.data, q)
        pinocchio.updateFramePlacements(model, self.data)
        self._center_rows = pinocchio.jacobianCenterOfMass(model, self.data, q)

    def place(self, segment: str) -> tuple[Values, Values]:
        """Rotation and position of a segment."""
        frame = self.data.oMf[self.model.getFrameId(segment)]
        return frame.rotation, frame.translation

    def velocity(self, segment: str) -> Values:
        """Velocity of a segment's origin, and its angular velocity, in the world's axes."""
        frame = self.model.getFrameId(segment)
        axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rows = pinocchio.getFrameJacobian(self.model, self.data, frame, axes)
        return rows.reshape(6, -1) @ self.v  # a single column comes as a vector

    def center(self) -> tuple[Values, Values]:
        """Centre of mass and its velocity; pinocchio itself leaves out what stands still."""
        mass = self.data.mass[0]
        share = mass / (mass + self._ground_mass)
        still = self._ground_moment / (mass + self._ground_mass)
        return share * self.data.com[0] + still, share * self._center_rows.reshape(3, -1) @ self.v


def _links(kind: JointKind) -> list[Any]:
    if isinstance(kind, Hinge):
        return [pinocchio.JointModelRevoluteUnaligned(np.array(kind.axis))]
    if isinstance(kind, Slider):
        return [pinocchio.JointModelPrismaticUnaligned(np.array(kind.axis))]
    if isinstance(kind, Elbow):
        axes = (kind.flexion_axis, kind.twist_axis)
        return [pinocchio.JointModelRevoluteUnaligned(np.array(axis)) for axis in axes]
    if isinstance(kind, (Ball, Swing)):
        return [pinocchio.JointModelSpherical()]
    return [pinocchio.JointModelFreeFlyer()] if isinstance(kind, Free) else []


def _se3(place: Transform) -> Any:
    return pinocchio.SE3(place.rotation, place.position)


class MuJoCo:
    """A figure in MuJoCo; there only bodies on the ground are free, others slide and turn."""

    def __init__(self, figure: Figure) -> None:
        """Build the model: a body for each joint, a site for each segment."""
        self.figure = figure
        spec = mujoco.MjSpec()
        at: dict[str, tuple[Any, Transform]] = {"world": (spec.worldbody, IDENTITY)}
        self._joints = [joint for joint, _ in crossings(list(figure.joints.values()))]
        for joint in self._joints:
            parent, place = at[joint.parent]
            before, after = place @ joint.before, joint.after
            mass, center, inertia = figure.segments[joint.child].mass_properties()
            turned = after.rotation @ inertia @ after.rotation.T
            body = parent.add_body(
                pos=before.position,
                quat=quaternion(before.rotation),
                mass=mass,
                ipos=after.apply(center),
                fullinertia=turned[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)],
                explicitinertial=True,
            )
            kind, types = joint.kind, mujoco.mjtJoint
            if isinstance(kind, Free) and joint.parent == "world":
                body.add_freejoint(name=f"{joint.name}_0")
            else:
                for i, (type_, axis) in enumerate(_mujoco_links(kind, types)):
                    body.add_joint(name=f"{joint.name}_{i}", type=type_, axis=axis)
            body.add_site(name=joint.child, pos=after.position, quat=quaternion(after.rotation))
            at[joint.child] = (body, after)
        self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)

    def move(self, values: Values, rates: Values) -> None:
        """Take over coordinates of the figure, and their velocity."""
        model, data = self.model, self.data
        self.v = np.zeros(model.nv)
        for joint in self._joints:
            span = self.figure.span(joint.name)
            x, dx, kind = values[span], rates[span], joint.kind
            if isinstance(kind, Free) and joint.parent == "world":
                rotation, spin = turning(kind, x, dx)
                here = joint.before @ Transform(rotation, x[:3])
                at, to = self._places(f"{joint.name}_0")
                data.qpos[at : at + 7] = [*here.position, *quaternion(here.rotation)]
                self.v[to : to + 6] = [*(joint.before.rotation @ dx[:3]), *spin]
                continue
            if isinstance(kind, (Ball, Swing, Free)):
                rotation, spin = turning(kind, x, dx)
                straight = 3 if isinstance(kind, Free) else 0
                at, to = self._places(f"{joint.name}_{straight}")
                data.qpos[at : at + 4] = quaternion(rotation)
                self.v[to : to + 3] = spin
                x, dx = x[:straight], dx[:straight]
            for i, (value, rate) in enumerate(zip(x, dx, strict=True)):
                at, to = self._places(f"{joint.name}_{i}")
                data.qpos[at], self.v[to] = value, rate
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)

    def _places(self, name: str) -> tuple[int, int]:
        joint = self.model.joint(name).id
        return int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])

    def place(self, segment: str) -> tuple[Values, Values]:
        """Rotation and position of a segment."""
        site = self.data.site(segment)
        return site.xmat.reshape(3, 3), site.xpos

    def velocity(self, segment: str) -> Values:
        """Velocity of a segment's origin, and its angular velocity, in the world's axes."""
        rows = np.zeros((6, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, rows[:3], rows[3:], self.model.site(segment).id)
        return rows @ self.v

    def center(self) -> tuple[Values, Values]:
        """Centre of mass and its velocity."""
        rows = np.zeros((3, self.model.nv))
        mujoco.mj_jacSubtreeCom(self.model, self.data, rows, 0)
        return self.data.subtree_com[0], rows @ self.v


def _mujoco_links(kind: JointKind, types: Any) -> list[tuple[Any, Any]]:
    if isinstance(kind, Hinge):
        return [(types.mjJNT_HINGE, kind.axis)]
    if isinstance(kind, Slider):
        return [(types.mjJNT_SLIDE, kind.axis)]
    if isinstance(kind, Elbow):
        return [(types.mjJNT_HINGE, kind.flexion_axis), (types.mjJNT_HINGE, kind.twist_axis)]
    if isinstance(kind, (Ball, Swing)):
        return [(types.mjJNT_BALL, (0, 0, 1))]
    if isinstance(kind, Free):
        return [(types.mjJNT_SLIDE, axis) for axis in np.eye(3)] + [(types.mjJNT_BALL, (0, 0, 1))]
    return []
