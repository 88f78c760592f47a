"""Forward kinematics and Jacobians: time against the marks, against pinocchio, and against n.

The figure has 71 coordinates: a free root, 21 balls with the swing-twist chart, two hinges, on
a tree like a person's; beside it stand a published figure and the ready human, whose spine and
shoulders are driven by groups. Our times are those inside compiled code, from the coordinates
(sines, cosines and charts included). Pinocchio is called from Python, as its users do, and starts
from ready quaternions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio
from loops.repeats import repeat_all, repeat_place
from timing import least_seconds, show

from poise.checking import AXES
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.kinds import Ball, Hinge
from poise.kernel.body.tree import state as room
from poise.models.human import human
from poise.models.published import person_of_71

# Name, parent, offset in metres. Every joint but the elbows is a ball.
PERSON = [
    ("spine_1", "root", (0.0, 0.0, 0.10)),
    ("spine_2", "spine_1", (0.0, 0.0, 0.14)),
    ("spine_3", "spine_2", (0.0, 0.0, 0.14)),
    ("neck", "spine_3", (0.0, 0.0, 0.18)),
    ("head", "neck", (0.02, 0.0, 0.10)),
    ("left_clavicle", "spine_3", (0.0, 0.03, 0.14)),
    ("left_shoulder", "left_clavicle", (0.0, 0.15, 0.0)),
    ("left_elbow", "left_shoulder", (0.0, 0.0, -0.29)),
    ("left_wrist", "left_elbow", (0.0, 0.0, -0.25)),
    ("left_hand", "left_wrist", (0.0, 0.0, -0.08)),
    ("right_clavicle", "spine_3", (0.0, -0.03, 0.14)),
    ("right_shoulder", "right_clavicle", (0.0, -0.15, 0.0)),
    ("right_elbow", "right_shoulder", (0.0, 0.0, -0.29)),
    ("right_wrist", "right_elbow", (0.0, 0.0, -0.25)),
    ("right_hand", "right_wrist", (0.0, 0.0, -0.08)),
    ("left_hip", "root", (0.0, 0.09, -0.05)),
    ("left_knee", "left_hip", (0.0, 0.0, -0.43)),
    ("left_ankle", "left_knee", (0.0, 0.0, -0.42)),
    ("left_toes", "left_ankle", (0.15, 0.0, -0.06)),
    ("right_hip", "root", (0.0, -0.09, -0.05)),
    ("right_knee", "right_hip", (0.0, 0.0, -0.43)),
    ("right_ankle", "right_knee", (0.0, 0.0, -0.42)),
    ("right_toes", "right_ankle", (0.15, 0.0, -0.06)),
]
ELBOWS = ("left_elbow", "right_elbow")
POINTS = ("left_hand", "right_hand", "left_ankle", "right_ankle", "head", "spine_3")
TURNS = ("left_ankle", "right_ankle")
MASS, CENTER, INERTIA = 3.0, (0.01, 0.0, -0.05), np.diag([0.02, 0.02, 0.005])


def person() -> Figure:
    """The figure of 71 coordinates."""
    builder = Builder("person")
    builder.segment("root", mass=MASS, center=CENTER, inertia=INERTIA)
    builder.root("root")
    for name, parent, offset in PERSON:
        builder.segment(name, mass=MASS, center=CENTER, inertia=INERTIA)
        kind = Hinge(AXES["y"]) if name in ELBOWS else Ball(chart="swing_twist")
        builder.joint(f"{name}_joint", kind, parent, name, offset)
    return builder.build()


def chain(links: int) -> Figure:
    """Hinges about x, y and z in turn, links of 0.1 m."""
    builder = Builder("chain")
    builder.segment("link_0")
    builder.root("link_0", "fixed")
    for i in range(1, links + 1):
        builder.segment(f"link_{i}", mass=1.0, center=(0.05, 0.0, 0.0))
        builder.joint(
            f"joint_{i}", Hinge(AXES["xyz"[i % 3]]), f"link_{i - 1}", f"link_{i}", (0.1, 0, 0)
        )
    return builder.build()


def ours(figure: Figure, points: tuple[str, ...], turns: tuple[str, ...]) -> tuple[float, float]:
    """Seconds for the placements, and for placements, Jacobians and centre of mass in all."""
    tree = figure.packed.tree
    state = room(tree)
    q = np.random.default_rng(1).uniform(-0.5, 0.5, figure.n)
    count = max(20, 100_000 // figure.n)
    placing = least_seconds(lambda: repeat_place(tree, q, state, count), inner=count)
    nodes = np.array([figure.frame(name)[0] for name in points], np.int64)
    turned = np.array([figure.frame(name)[0] for name in turns], np.int64)
    rows = np.zeros((3 * (nodes.size + turned.size + 1), figure.n))
    local, point = np.array([0.0, 0.0, -0.1]), np.zeros(3)
    in_all = least_seconds(
        lambda: repeat_all(tree, q, state, nodes, turned, local, point, rows, count), inner=count
    )
    return placing, in_all


def theirs() -> tuple[float, float]:
    """The same of pinocchio on the same tree."""
    model: Any = pinocchio.Model()
    inertia = pinocchio.Inertia(MASS, np.array(CENTER), INERTIA)
    here = pinocchio.SE3.Identity()
    joints = {"root": model.addJoint(0, pinocchio.JointModelFreeFlyer(), here, "root")}
    model.appendBodyToJoint(joints["root"], inertia, here)
    for name, parent, offset in PERSON:
        kind = pinocchio.JointModelRY() if name in ELBOWS else pinocchio.JointModelSpherical()
        place = pinocchio.SE3(np.eye(3), np.array(offset))
        joints[name] = model.addJoint(joints[parent], kind, place, name)
        model.appendBodyToJoint(joints[name], inertia, here)
    tip = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, -0.1]))
    for name in POINTS:
        frame = pinocchio.Frame(f"{name}_tip", joints[name], 0, tip, pinocchio.FrameType.OP_FRAME)
        model.addFrame(frame)
    frames = [model.getFrameId(f"{name}_tip") for name in (*POINTS, *TURNS)]
    data = model.createData()
    q = pinocchio.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
    axes = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED

    def placing() -> None:
        pinocchio.forwardKinematics(model, data, q)
        pinocchio.updateFramePlacements(model, data)

    def in_all() -> None:
        pinocchio.computeJointJacobians(model, data, q)
        for frame in frames:
            pinocchio.getFrameJacobian(model, data, frame, axes)
        pinocchio.jacobianCenterOfMass(model, data, q)

    return least_seconds(placing, repeats=20_000), least_seconds(in_all, repeats=20_000)


def main() -> None:
    """Print the table."""
    figure = person()
    rows: list[tuple[str, ...] | None] = [
        (what, f"{mine * 1e6:.2f}", f"{mark:.1f}", f"{other * 1e6:.2f}", f"{other / mine:.1f}")
        for what, mine, mark, other in zip(
            ("n = 71: placing", "n = 71: in all"),
            ours(figure, POINTS, TURNS),
            (1.5, 3.5),
            theirs(),
            strict=True,
        )
    ]
    hands = ("left_hand", "right_hand", "left_foot", "right_foot", "eyes", "head_top")
    for each in (person_of_71(), human()):
        times = ours(each, hands, ("left_foot", "right_foot"))
        for what, seconds in zip(("placing", "in all"), times, strict=True):
            rows.append((f"{each.name}, n = {each.n}: {what}", f"{seconds * 1e6:.2f}", "", "", ""))
    sizes = [10, 20, 50, 100, 200, 500, 1000]
    times = np.array([ours(chain(n), (f"link_{n}",), ()) for n in sizes])
    for i, what in enumerate(("placing", "in all")):
        rows.append(None)
        rows += [
            (f"chain of {n}: {what}", f"{t * 1e6:.2f}", "", "", "")
            for n, t in zip(sizes, times[:, i], strict=True)
        ]
        # Below a hundred what a call costs by itself still shows.
        slope = np.polyfit(np.log(sizes[3:]), np.log(times[3:, i]), 1)[0]
        rows.append((f"chains of 100 to 1000: {what} grows as n^", f"{slope:.2f}", "", "", ""))
    show(
        "Kinematics, least of many runs. Placing: from coordinates. In all: with Jacobians of 6 "
        "positions, 2 orientations (chains: 1 position) and the centre of mass",
        ("", "poise (µs)", "mark (µs)", "pinocchio from Python (µs)", "ratio"),
        rows,
    )


if __name__ == "__main__":
    main()
