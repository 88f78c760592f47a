"""The bodies of a compiled MuJoCo model as segments, joints and sites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.checking import SHORTEST
from poise.figure.kinds import EVERYTHING, Ball, Fixed, Free, Hinge, Interval, JointKind, Slider
from poise.figure.limits import Angle
from poise.figure.parts import WORLD, Joint, Segment, Site
from poise.figure.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from poise.figure.transform import IDENTITY, Transform, rotation_matrix
from poise.formats.hostile import Names, short
from poise.formats.mjcf.merging import Euler, merged
from poise.formats.placing import color_text, from_quaternion, parted, unless_endless, weighed

Values = NDArray[np.float64]

GROUND = "ground"
"""The segment that stands for MuJoCo's world where sites or loops are fixed to it."""

FREE, BALL, SLIDE, HINGE = range(4)
"""MuJoCo's types of joint."""
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
"""MuJoCo's types of geom."""

_NOTHING = 1e-13  # kg or kg·m²: what the prepass gives to bodies without mass, and some more
_NO_COLOR = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's default, which a material replaces


@dataclass(frozen=True)
class Step:
    """One joint on the way from a body's parent to the body.

    The child is at `before · motion · after` in the frame that the step before has reached.
    """

    name: str
    kind: JointKind
    before: Transform
    after: Transform
    address: int = 0
    """Where its numbers begin in qpos."""
    euler: Euler | None = None
    """The three hinges that it stands for, if it does."""

    def values(self, qpos: Values) -> Values:
        """Its coordinates."""
        at = self.address
        if self.euler is not None:
            return self.kind.values(Transform.turn(self.euler.rotation(qpos[at : at + 3])))
        if self.kind.spherical is not None:
            return self.kind.values(Transform.turn(from_quaternion(qpos[at : at + 4])))
        if self.kind.is_free:
            turn = from_quaternion(qpos[at + 3 : at + 7])
            return self.kind.values(Transform(turn, np.array(qpos[at : at + 3])))
        return qpos[at : at + len(self.kind.coordinates)]


@dataclass(frozen=True)
class Body:
    """What one body became."""

    segments: Sequence[Segment]
    joints: Sequence[Joint]
    steps: Sequence[Step]

    def values(self, qpos: Values) -> Iterator[tuple[str, Values]]:
        """The coordinates of each of its joints, by name, from MuJoCo's."""
        return ((step.name, step.values(qpos)) for step in self.steps)


class Tree:
    """All bodies but the world, with their sites.

    Attributes:
        bodies: in MuJoCo's order, parents first.
        sites: named frames; loops may add some.
        uses_ground: whether something is fixed to the world, so that it needs a segment.
        notes: what was left out.
    """

    def __init__(self, model: Any, *, balls: bool) -> None:
        """Read all bodies.

        Args:
            model: MuJoCo's model.
            balls: whether three hinges that meet in a point become a ball.
        """
        self._model = model
        self._balls = balls
        self._bound = _bound_joints(model)
        self._joint_names = Names()
        self._site_names = Names()
        names = Names(WORLD)
        self._names = [names.fresh(_named(model.body(i), "body", i)) for i in range(1, model.nbody)]
        self._names.insert(0, names.fresh(GROUND))
        self._segment_names = names
        self.notes: list[str] = []
        self.uses_ground = False
        self._scalar: dict[int, str] = {}
        self._left_out = {"planes": 0, "meshes": 0, "specks": 0}
        self.bodies = [self._body(i) for i in range(1, model.nbody)]
        self.sites: list[Site] = []
        self._site_of: dict[int, str] = {}
        for i in range(model.nsite):
            place = Transform(from_quaternion(model.site_quat[i]), np.array(model.site_pos[i]))
            name = model.site(i).name or f"{self._names[model.site_bodyid[i]]}_site"
            self._site_of[i] = self.add_site(name, int(model.site_bodyid[i]), place)
        self._tell()

    def name(self, body: int) -> str:
        """The segment of a body; of the world, the ground."""
        return self._names[body]

    def site(self, index: int) -> str:
        """Our name for a site of MuJoCo's."""
        return self._site_of[index]

    def coordinate(self, joint: int) -> str:
        """The coordinate of a hinge or slide joint that something binds."""
        return self._scalar[joint]

    def add_site(self, name: str, body: int, place: Transform) -> str:
        """Name a frame on a body, and return the name that it got."""
        self.uses_ground = self.uses_ground or body == 0
        ours = self._site_names.fresh(name)
        self.sites.append(Site(ours, self._names[body], *parted(place)))
        return ours

    def ground_joint(self) -> Joint:
        """What holds the ground's segment."""
        return Joint(self._joint_names.fresh(GROUND), Fixed(), WORLD, self._names[0])

    # bodies --------------------------------------------------------------------------------

    def _body(self, i: int) -> Body:
        model = self._model
        own = self._segment(i)
        parent = self._names[model.body_parentid[i]] if model.body_parentid[i] else WORLD
        steps = self._steps(i)
        segments: list[Segment] = []
        joints: list[Joint] = []
        for step in steps:
            child = own
            if step is not steps[-1]:
                child = Segment(self._segment_names.fresh(f"{own.name}_{step.name}"))
            segments.append(child)
            joints.append(
                Joint(
                    step.name,
                    step.kind,
                    parent,
                    child.name,
                    *parted(step.before),
                    *parted(step.after),
                )
            )
            parent = child.name
        return Body(segments, joints, steps)

    def _steps(self, i: int) -> list[Step]:
        """The joints of a body in turn; one that does not move if it has none."""
        model = self._model
        start = Transform(from_quaternion(model.body_quat[i]), np.array(model.body_pos[i]))
        first, count = int(model.body_jntadr[i]), int(model.body_jntnum[i])
        if not count:
            return [Step(self._joint_names.fresh(self._names[i]), Fixed(), start, IDENTITY)]
        steps: list[Step] = []
        j = first
        while j < first + count:
            run = list(range(j, j + 3))
            euler = None
            if self._balls and run[-1] < first + count and not self._bound & set(run):
                euler = merged(model, run)
            if euler is not None:
                steps.append(self._ball(i, run, euler, start))
            else:
                steps.append(self._joint(j, start))
            j += 3 if euler is not None else 1
            start = IDENTITY
        return steps

    def _joint(self, j: int, start: Transform) -> Step:
        model = self._model
        kind = int(model.jnt_type[j])
        address = int(model.jnt_qposadr[j])
        body = self._names[model.jnt_bodyid[j]]
        name = self._joint_names.fresh(model.joint(j).name or f"{body}_joint")
        pivot = Transform(np.eye(3), np.array(model.jnt_pos[j]))
        if kind == FREE:  # its numbers are places in the world, not from where the body starts
            return Step(name, Free(), IDENTITY, IDENTITY, address)
        if kind == BALL:
            widest = float(model.jnt_range[j][1]) if model.jnt_limited[j] else np.inf
            ball = Ball(angle=Angle(widest) if widest < np.pi else None)
            return Step(name, ball, start @ pivot, pivot.inverse(), address)
        axis, reference = np.array(model.jnt_axis[j]), float(model.qpos0[address])
        limits: Interval = EVERYTHING
        if model.jnt_limited[j]:
            limits = unless_endless(*model.jnt_range[j].tolist())
        x, y, z = axis.tolist()
        if kind == SLIDE:
            back = Transform(np.eye(3), -reference * axis)
            self._scalar[j] = f"{name}.distance"
            return Step(name, Slider((x, y, z), limits), start, back, address)
        back = Transform.turn(rotation_matrix(-reference * axis)) @ pivot.inverse()
        self._scalar[j] = f"{name}.angle"
        return Step(name, Hinge((x, y, z), limits), start @ pivot, back, address)

    def _ball(self, i: int, run: list[int], euler: Euler, start: Transform) -> Step:
        """Three hinges as one ball."""
        model = self._model
        common = _common_start([model.joint(j).name for j in run])
        name = self._joint_names.fresh(common or self._names[i])
        kind, complete = euler.ball()
        if not complete:
            self.notes.append(f"ball {short(name)}: limits that no ball can have were left out")
        pivot = Transform(np.eye(3), np.array(model.jnt_pos[run[0]]))
        address = int(model.jnt_qposadr[run[0]])
        return Step(name, kind, start @ pivot, pivot.inverse(), address, euler)

    # masses and shapes ---------------------------------------------------------------------

    def _segment(self, i: int) -> Segment:
        model = self._model
        shapes, color = self._shapes(i)
        mass = float(model.body_mass[i])
        if mass <= _NOTHING:
            return Segment(self._names[i], shapes=shapes, color=color)
        axes = from_quaternion(model.body_iquat[i])
        moments = np.where(model.body_inertia[i] > _NOTHING, model.body_inertia[i], 0.0)
        tensor = axes @ np.diag(moments) @ axes.T
        return weighed(self._names[i], mass, model.body_ipos[i], tensor, shapes, color, self.notes)

    def _shapes(self, i: int) -> tuple[tuple[Shape, ...], str | None]:
        """The shapes of a body, and the colour of the first."""
        model = self._model
        first, count = int(model.body_geomadr[i]), int(model.body_geomnum[i])
        geoms = list(range(first, first + count))
        colliding = [g for g in geoms if model.geom_contype[g] or model.geom_conaffinity[g]]
        solid = {SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX}
        if not any(int(model.geom_type[g]) in solid for g in colliding):
            colliding = geoms
        shapes: list[Shape] = []
        for g in colliding:
            kind = int(model.geom_type[g])
            if kind not in solid:
                self._left_out["meshes" if kind == MESH else "planes"] += 1
            elif model.geom_size[g][: _SIZES[kind]].min() < SHORTEST:
                self._left_out["specks"] += 1
            else:
                shapes.append(self._shape(g, kind))
        colors = [self._color(g) for g in geoms]
        return tuple(shapes), next((each for each in colors if each), None)

    def _shape(self, g: int, kind: int) -> Shape:
        model = self._model
        place = Transform(from_quaternion(model.geom_quat[g]), np.array(model.geom_pos[g]))
        center, rotation = parted(place)
        a, b, c = model.geom_size[g].tolist()
        if kind == SPHERE:
            return Sphere(center, a)
        if kind == ELLIPSOID:
            return Ellipsoid(center, (a, b, c), rotation)
        if kind == BOX:
            return Box(center, (2 * a, 2 * b, 2 * c), rotation)
        ends = place.apply([[0, 0, -b], [0, 0, b]]).tolist()
        make = Capsule if kind == CAPSULE else Cylinder
        return make(tuple(ends[0]), tuple(ends[1]), a)

    def _color(self, g: int) -> str | None:
        model = self._model
        rgba = model.geom_rgba[g]
        material = int(model.geom_matid[g])
        if np.allclose(rgba, _NO_COLOR):
            if material < 0:
                return None
            rgba = model.mat_rgba[material]
        red, green, blue = rgba[:3].tolist()
        return color_text(red, green, blue)

    def _tell(self) -> None:
        model = self._model
        self.notes += self._segment_names.notes("bodies")
        self.notes += self._joint_names.notes("joints")
        self.notes += self._site_names.notes("sites")
        scenery = int(model.body_geomnum[0])
        if scenery:
            self.notes.append(f"geoms of the world, such as its floor, left out: {scenery}")
        for what, count in self._left_out.items():
            if count:
                why = "too small to be shapes" if what == "specks" else "no shapes of ours"
                self.notes.append(f"geoms left out, {what}, {why}: {count}")


_SIZES = {SPHERE: 1, CAPSULE: 2, CYLINDER: 2, ELLIPSOID: 3, BOX: 3}


def _bound_joints(model: Any) -> set[int]:
    """Joints that equalities or tendons bind, so that they must keep their coordinates."""
    import mujoco

    module: Any = mujoco
    is_joint = model.wrap_type == int(module.mjtWrap.mjWRAP_JOINT)
    bound = set(model.wrap_objid[is_joint].tolist())
    equal = model.eq_type == int(module.mjtEq.mjEQ_JOINT)
    return bound | set(model.eq_obj1id[equal].tolist()) | set(model.eq_obj2id[equal].tolist())


def _named(view: Any, kind: str, i: int) -> str:
    return view.name or f"{kind}_{i}"


def _common_start(names: list[str]) -> str:
    """What names begin with, all of them: "left_hip" of left_hip_x, left_hip_y, left_hip_z."""
    shortest = min(names, key=len)
    same = [i for i in range(len(shortest)) if len({name[i] for name in names}) > 1]
    return shortest[: same[0] if same else len(shortest)].rstrip("_- .:")
