"""Baerlocher 2001, chapter 6 and sections 7.3.4 and 7.3.8: postures under forces.

The thesis shows pictures without numbers: sizes and forces are chosen here by its words, and
its words are what is claimed. A chain stands on its base, a human on its feet. Where torques are
minimised it is by `priority`, the thesis' method, since `lex` stalls on these chains (229 to 229
(N·m)² in Fig. 6.8, where 2.68 are possible); elsewhere by `lex`. Tolerances are such that
equilibrium is met to 0.01 N·m.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import poise
from poise import tasks as t
from poise.figure import Posture
from poise.reproductions.claims import NOT_STATED, Claim, Report, Reproduction, Result
from poise.scene import Scene, Solution

PAPER = "2001-baerlocher-forces"
_TIGHT: dict[str, Any] = {"tolerance": 1e-6, "max_iterations": 1000}
_THESIS: dict[str, Any] = {"method": "priority", "tolerance": 1e-5, "max_iterations": 3000}
_BALANCED = 0.01
"""A posture is in equilibrium where moments are below this (N·m)."""
_FRICTION = 0.6

Values = NDArray[np.float64]


# what several examples measure -------------------------------------------------------------------


def unbalanced(scene: Scene, posture: Posture) -> float:
    """The moment that is left of all forces in a posture (N·m), summed anew from its places."""
    figure = posture.figure
    places, center = figure.place(posture), figure.center_of_mass(posture)
    loads = scene.forces.acting.loads(figure, list(figure.segments), figure.name)
    moment = np.zeros(3)
    for load in loads:
        at = places[load.site].apply(np.array(load.point))
        moment += np.cross(at - center, load.force) + load.torque
    return float(np.linalg.norm(moment))


def in_equilibrium(what: str, scene: Scene, *postures: Posture) -> Claim:
    """All postures are in static equilibrium."""
    worst = max(unbalanced(scene, posture) for posture in postures)
    text = f"{what} in static equilibrium"
    return Claim(text, "yes", f"{worst:.2g} N·m left", worst < _BALANCED)


def does_not_slip(scene: Scene, posture: Posture) -> Claim:
    """What supports bear lies within their friction cones."""
    needed = max(each.needed for each in scene.forces.reactions(posture))
    ours = f"needs {needed:.2f} of {_FRICTION}"
    return Claim(
        "the feet's forces lie within their friction cones", "yes", ours, needed <= _FRICTION
    )


def bent_chain(root: str, links: int = 10) -> Scene:
    """A chain that stands up from its base, a little bent."""
    scene = Scene(poise.chain(links, length=0.2, root="fixed"))
    posture = scene.posture.copy()
    posture.q[:] = np.where(np.arange(links) % 2, 0.5, -0.3)
    posture.q[0] = -np.pi / 2 + 0.2
    scene.posture = posture
    scene.forces.support(root, ratio=1.0)
    return scene


def holding(scene: Scene, posture: Posture) -> float:
    """Σ τ² of a chain, in (N·m)²: its joints have no strengths."""
    moments = scene.forces.torques(posture).components
    return float(sum(each.value**2 for each in moments))


# chapter 6, chains -------------------------------------------------------------------------------

_TIPS = ((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (-6.0, 0.0, 0.0), (4.0, 0.0, -10.0))
"""Forces on the tip (N)."""


def fig_6_5(folder: Path | None, report: Report) -> Result:
    """A chain adapts to forces on its tip."""
    scene = bent_chain("base")
    scene.add(t.Equilibrium(), priority=1)
    leans: list[float] = []
    worst = 0.0
    for i, force in enumerate(_TIPS):
        report("solving", i / len(_TIPS))
        scene.forces.apply("tip", force=force)
        solution = scene.solve(**_TIGHT)
        worst = max(worst, unbalanced(scene, solution.posture))
        leans.append(float(solution.posture.figure.center_of_mass(solution.posture)[0]))
        scene.posture = solution.posture
    text = "the posture is adapted to every tip force so that it is in static equilibrium"
    against = leans[1] < leans[0] - 0.01 and leans[2] > leans[0] + 0.01
    return Result(
        (
            Claim(text, "yes", f"{worst:.2g} N·m left", worst < _BALANCED),
            Claim(
                "the chain leans against the force",
                NOT_STATED,
                f"centre of mass at {leans[1]:.2f}, {leans[0]:.2f}, {leans[2]:.2f} m "
                "for 6, 0, -6 N",
                against,
            ),
        )
    )


def fig_6_6(folder: Path | None, report: Report) -> Result:
    """A posture without a tip force takes the least torques."""
    scene = bent_chain("base")
    scene.add(t.Equilibrium(), priority=1)
    efforts: list[float] = []
    for i, force in enumerate(((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (0.0, 0.0, -30.0))):
        report("solving", i / 3)
        scene.forces.apply("tip", force=force)
        efforts.append(holding(scene, scene.solve(**_TIGHT).posture))
    ours = ", ".join(f"{each:.3g}" for each in efforts) + " (N·m)²"
    text = "without a force at the tip the posture requires less joint torques than with one"
    return Result((Claim(text, "yes", ours, efforts[0] < min(efforts[1:])),))


def arch(left: float, *, effort: bool = False, lift: float = 0.0) -> tuple[Scene, Solution]:
    """A chain that stands on both ends, of which one bears so much of its weight."""
    scene = Scene(poise.chain(10, length=0.2, root="fixed"))
    posture = scene.posture.copy()
    bend = np.deg2rad(150.0) / 9
    posture.q[:] = bend
    posture.q[0] = -np.deg2rad(75.0)
    scene.posture = posture
    scene.forces.support("base", ratio=left)
    scene.forces.support("tip", ratio=1.0 - left)
    scene.add(t.Position("tip", (1.5, 0.0, 0.0)), priority=1)
    scene.add(t.Equilibrium(), priority=2)
    if lift:
        scene.add(t.Position("link_6", (0.7, 0.0, lift), axes="z"), priority=3)
    if effort:
        scene.add(t.Effort())
    return scene, scene.solve(**(_THESIS if effort else _TIGHT))


def fig_6_7(folder: Path | None, report: Report) -> Result:
    """Double support: reaction forces shape the chain, and the root does not matter."""
    claims: list[Claim] = []
    centers: list[float] = []
    for i, left in enumerate((0.5, 0.6, 0.4)):
        report("solving", i / 3)
        scene, solution = arch(left)
        posture = solution.posture
        centers.append(float(posture.figure.center_of_mass(posture)[0]))
        claims.append(
            in_equilibrium(f"with {left:g} of the weight on the base it is", scene, posture)
        )
    shifts = centers[1] < centers[0] < centers[2]
    ours = ", ".join(f"{each:.3f}" for each in (centers[1], centers[0], centers[2])) + " m"
    claims.append(
        Claim(
            "other reaction forces result in other configurations: the centre of mass shifts "
            "to the end that bears more",
            "yes",
            ours,
            shifts,
        )
    )
    scene, solution = arch(0.5)
    other, there = solution.posture.figure.rooted_at("link_10", solution.posture)
    moved = Scene(other)
    moved.posture = there
    moved.forces.support("base", ratio=0.5)
    moved.forces.support("tip", ratio=0.5)
    here, again = scene.forces.torques(solution.posture), moved.forces.torques()
    apart = max(
        abs(a.value - b.value)
        for name, joint in here.items()
        for a, b in zip(joint.components, again[name].components, strict=True)
    )
    text = "the root may be set on either supporting site: torques are not affected"
    claims.append(Claim(text, "yes", f"{apart:.1g} N·m apart", apart < 1e-4))
    return Result(tuple(claims))


def fig_6_8(folder: Path | None, report: Report) -> Result:
    """Torques are minimised under equilibrium and a tip position."""
    scene = bent_chain("base")
    scene.forces.apply("tip", force=(6.0, 0.0, 0.0))
    scene.add(t.Position("tip", (-0.3, 0.0, 1.2)), priority=1)
    scene.add(t.Equilibrium(), priority=2)
    report("solving", 0.0)
    before = scene.solve(**_TIGHT)
    scene.posture = before.posture
    scene.add(t.Effort())
    report("sparing the joints", 0.5)
    after = scene.solve(**_THESIS)
    return Result(_spared(scene, before, after))


def fig_6_9(folder: Path | None, report: Report) -> Result:
    """Of three configurations in double support the minimised one is the most efficient."""
    report("solving", 0.0)
    scene, first = arch(0.5)
    _, second = arch(0.5, lift=0.35)
    report("sparing the joints", 0.6)
    scene, third = arch(0.5, effort=True)
    efforts = [holding(scene, each.posture) for each in (first, second, third)]
    ours = ", ".join(f"{each:.3g}" for each in efforts) + " (N·m)²"
    text = "the posture that minimises torques is the most efficient of three"
    return Result(
        (
            Claim(text, "yes", ours, efforts[2] < min(efforts[:2])),
            in_equilibrium("all three are", scene, first.posture, second.posture, third.posture),
        )
    )


def _spared(scene: Scene, before: Solution, after: Solution) -> tuple[Claim, ...]:
    efforts = [holding(scene, each.posture) for each in (before, after)]
    tip = max(float(each.tasks[0].error) for each in (before, after))
    return (
        Claim(
            "the posture obtained by minimisation is more efficient",
            "yes",
            f"{efforts[0]:.3g} to {efforts[1]:.3g} (N·m)²",
            efforts[1] < efforts[0],
        ),
        in_equilibrium("both are", scene, before.posture, after.posture),
        Claim("the tip keeps its position", "yes", f"{1e3 * tip:.2g} mm", tip < 1e-4),
    )


# chapter 7, people -------------------------------------------------------------------------------


def stander(left: float = 0.5) -> Scene:
    """A man on both feet, of which the left bears so much."""
    scene = Scene(poise.human())
    for side, ratio in (("left", left), ("right", 1.0 - left)):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.forces.support(f"{side}_foot", ratio=ratio, friction=_FRICTION)
    scene.add(t.Equilibrium(), priority=2)
    scene.add(t.Rest())
    return scene


def fig_7_9(folder: Path | None, report: Report) -> Result:
    """How far the tip of a chain reaches while its centre of mass stays above the base."""
    scene = bent_chain("base")
    scene.forces.clear()
    scene.add(t.CenterOfMass((0.0, 0.0, 0.0), axes="x"), priority=1)
    tip = scene.add(t.Position("tip", (0.0, 0.0, 1.0), axes="xz"), priority=2)
    reached: list[Values] = []
    off = 0.0
    angles = np.linspace(0.0, np.pi, 13)
    for i, angle in enumerate(angles):
        report("reaching", i / len(angles))
        tip.target = (3.0 * np.cos(angle), 0.0, 3.0 * np.sin(angle))
        solution = scene.solve(max_iterations=1000)
        off = max(off, float(solution.tasks[0].error))
        reached.append(solution.places["tip"].position)
    sides = np.array(reached)[:, 0]
    top = max(float(each[2]) for each in reached)
    return Result(
        (
            Claim(
                "the chain is kept in static equilibrium all the while",
                "yes",
                f"{1e3 * off:.2g} mm off",
                off < 1e-4,
            ),
            Claim(
                "the boundary is that of balance, not of the chain's length",
                NOT_STATED,
                f"{sides.max():.2f} m to the side, {top:.2f} m up, of 2 m",
                0.5 < sides.max() < 1.9 and top > 1.95,
            ),
            Claim(
                "the space is alike on both sides",
                NOT_STATED,
                f"{sides.max():.2f} and {-sides.min():.2f} m",
                abs(sides.max() + sides.min()) < 0.03,
            ),
        )
    )


def fig_7_10(folder: Path | None, report: Report) -> Result:
    """How far both hands together reach in the sagittal plane, in balance."""
    scene = Scene(poise.human())
    for side in ("left", "right"):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
    scene.add(t.Balance(), priority=2)
    scene.add(t.Loop("left_hand", "right_hand"), priority=2, name="together")
    hand = scene.add(t.Position("right_hand", (0.4, 0.0, 1.2)), priority=3, name="reach")
    scene.posture = scene.solve().posture
    met, far = True, list[float]()
    for i, angle in enumerate(np.deg2rad((-60, -30, 0, 30, 60, 90))):
        report("reaching", i / 6)
        hand.target = (2.0 * np.cos(angle), 0.0, 1.2 + 2.0 * np.sin(angle))
        solution = scene.solve(max_iterations=500)
        met &= all(each.met for each in solution.tasks if each.name != "reach")
        far.append(float(solution.places["right_hand"].position[0]))
    return Result(
        (
            Claim(
                "hands stay together and the figure in balance all the while",
                "yes",
                "yes" if met else "no",
                met,
            ),
            Claim(
                "the reachable space is explored",
                NOT_STATED,
                f"up to {max(far):.2f} m ahead",
                max(far) > 0.6,
            ),
        )
    )


def fig_7_13(folder: Path | None, report: Report) -> Result:
    """A hierarchy of tasks, Table 7.1 without its obstacle."""
    scene = Scene(poise.human())
    for side in ("left", "right"):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
    scene.add(t.Balance(), priority=2)
    look = scene.add(t.Aim("eyes", (0.5, -0.2, 1.2)), priority=3, name="look")
    reach = scene.add(t.Position("right_hand", (0.5, -0.2, 1.2)), priority=4, name="reach")
    report("near", 0.0)
    near = scene.solve()
    look.target = reach.target = (1.6, -0.2, 0.9)
    report("far", 0.5)
    far = scene.solve(max_iterations=1000)
    verdicts = {each.name: each for each in far.tasks}
    kept = all(each.met for each in far.tasks if each.name != "reach")
    return Result(
        (
            Claim(
                "a posture satisfies all tasks while the ball is near",
                "yes",
                "yes" if near.met else "no",
                near.met,
            ),
            Claim(
                "with the ball away it is no longer reached",
                "yes",
                f"{1e3 * verdicts['reach'].error:.0f} mm short",
                not verdicts["reach"].met,
            ),
            Claim(
                "balance is ensured, and feet and gaze, by their higher priority",
                "yes",
                "yes" if kept else "no",
                kept,
            ),
        )
    )


def fig_7_14(folder: Path | None, report: Report) -> Result:
    """Legs flex by a criterion without disturbing tasks."""
    scene = Scene(poise.human())
    for side, y in (("left", 0.12), ("right", -0.12)):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.add(t.Position(f"{side}_hand", (0.45, y, 1.1)), priority=3)
    scene.add(t.Balance(margin=0.02), priority=2)
    scene.add(t.Aim("eyes", (0.45, 0.0, 1.1)), priority=3, name="look")
    report("solving", 0.0)
    before = scene.solve()
    scene.posture = before.posture
    scene.add(t.Flexion(["left_knee", "right_knee"], 0.6))
    report("flexing", 0.5)
    after = scene.solve(max_iterations=1000)
    knees = [float(np.rad2deg(each.posture["left_knee"])) for each in (before, after)]
    return Result(
        (
            Claim(
                "the figure flexes its legs",
                "yes",
                f"knees {knees[0]:.0f}° to {knees[1]:.0f}°",
                knees[1] > knees[0] + 15,
            ),
            Claim(
                "balance, feet, hands and gaze are kept",
                "yes",
                "yes" if after.met else "no",
                after.met,
            ),
        )
    )


def fig_7_15(folder: Path | None, report: Report) -> Result:
    """Weight on both feet, and mainly on the right."""
    centers: list[float] = []
    claims: list[Claim] = []
    for i, left in enumerate((0.5, 0.1)):
        report("solving", i / 2)
        scene = stander(left)
        posture = scene.solve(**_TIGHT).posture
        centers.append(float(posture.figure.center_of_mass(posture)[1]))
        claims.append(in_equilibrium(f"with {left:g} on the left foot it is", scene, posture))
    feet = stander().places
    left, right = (float(feet[f"{side}_foot"].position[1]) for side in ("left", "right"))
    wanted = 0.1 * left + 0.9 * right
    claims.append(
        Claim(
            "the centre of mass is displaced over the foot that bears more",
            "yes",
            f"{1e3 * (centers[0] - centers[1]):.0f} mm to the right",
            abs(centers[1] - wanted) < 1e-3 and abs(centers[0]) < 1e-3,
        )
    )
    return Result(tuple(claims))


def fig_7_16(folder: Path | None, report: Report) -> Result:
    """The right hand on a plane: no force, a load, a pull, and a look at the hand."""
    scene = stander(0.1)
    where = scene.places["right_hand"].position
    scene.add(t.Plane("right_hand", (0.35, where[1], 1.1), normal="x"), priority=3, name="plane")
    centers: list[Values] = []
    hands: list[Values] = []
    claims: list[Claim] = []
    cases = (("A", (0.0, 0.0, 0.0)), ("B", (0.0, 0.0, -100.0)), ("C", (60.0, 0.0, 0.0)))
    for i, (name, force) in enumerate(cases):
        report(name, i / 4)
        scene.forces.apply("right_hand", force=force)
        solution = scene.solve(**_TIGHT)
        posture = solution.posture
        centers.append(posture.figure.center_of_mass(posture))
        hands.append(solution.places["right_hand"].position)
        claims += [
            in_equilibrium(f"{name} is", scene, posture),
            Claim(
                f"the hand of {name} lies on the plane",
                "yes",
                f"{1e3 * abs(hands[-1][0] - 0.35):.2g} mm off",
                abs(hands[-1][0] - 0.35) < 1e-4,
            ),
        ]
    claims += [
        Claim(
            "with a load the body moves away from it (B)",
            NOT_STATED,
            f"{1e3 * (centers[0][0] - centers[1][0]):.0f} mm back",
            centers[1][0] < centers[0][0] - 0.01,
        ),
        Claim(
            "who pulls leans back (C)",
            NOT_STATED,
            f"{1e3 * (centers[0][0] - centers[2][0]):.0f} mm back",
            centers[2][0] < centers[0][0] - 0.02,
        ),
        Claim(
            "the hand is free to move on the plane, and has",
            "yes",
            f"{1e3 * np.linalg.norm(hands[2] - hands[0]):.0f} mm",
            bool(np.linalg.norm(hands[2] - hands[0]) > 0.01),
        ),
    ]
    scene.add(t.Aim("eyes", "right_hand"), priority=4, name="look")
    report("D", 0.8)
    solution = scene.solve(**_TIGHT)
    claims += [
        Claim(
            "in D the figure looks at the hand",
            "yes",
            f"{np.rad2deg(solution.tasks[-1].error):.2g}°",
            solution.tasks[-1].met,
        ),
        in_equilibrium("D is", scene, solution.posture),
        does_not_slip(scene, solution.posture),
    ]
    return Result(tuple(claims))


def fig_7_17(folder: Path | None, report: Report) -> Result:
    """Pushing a heavy object with both hands."""
    centers: list[float] = []
    claims: list[Claim] = []
    for i, push in enumerate((0.0, 60.0)):
        report("solving", i / 2)
        scene = stander()
        for side, y in (("left", 0.2), ("right", -0.2)):
            scene.add(t.Position(f"{side}_hand", (0.55, y, 1.2)), priority=3)
            scene.forces.apply(f"{side}_hand", force=(-push, 0.0, 0.0))
        solution = scene.solve(**_TIGHT)
        posture = solution.posture
        centers.append(float(posture.figure.center_of_mass(posture)[0]))
        if push:
            claims += [
                Claim(
                    "feet are on the floor and hands on the object",
                    "yes",
                    "yes" if solution.met else "no",
                    solution.met,
                ),
                in_equilibrium("the figure is", scene, posture),
                does_not_slip(scene, posture),
            ]
    gained = centers[1] - centers[0]
    claims.append(
        Claim(
            "the centre of mass heads towards the object",
            "yes",
            f"{1e3 * gained:.0f} mm",
            gained > 0.05,
        )
    )
    return Result(tuple(claims))


def fig_7_18(folder: Path | None, report: Report) -> Result:
    """Twisting a heavy object: what the feet bear is found, not told."""
    scene = Scene(poise.human())
    for side, y in (("left", 0.25), ("right", -0.25)):
        scene.add(t.Frame(f"{side}_foot"), priority=1)
        scene.forces.support(f"{side}_foot", ratio=0.5, friction=_FRICTION)
        scene.add(t.Position(f"{side}_hand", (0.4, y, 1.1)), priority=3)
        # Who turns it anti-clockwise pushes with the right hand and pulls with the left.
        push = -40.0 if side == "right" else 40.0
        scene.forces.apply(f"{side}_hand", force=(push, 0.0, 0.0))
    scene.add(t.Aim("eyes", (0.4, 0.0, 1.1)), priority=4, name="look")
    balance = scene.add(t.Balance(margin=0.02), priority=2)
    scene.add(t.Rest())
    report("standing", 0.0)
    scene.posture = scene.solve().posture
    balance.remove()
    scene.add(t.Equilibrium(), priority=2)
    solution = told = scene.solve(max_iterations=400)
    by_ratio = {each.name: each for each in told.tasks}
    for i in range(4):
        report("finding the feet's forces", 0.2 + 0.2 * i)
        scene.forces.use(scene.forces.distribute())
        solution = scene.solve(**_TIGHT)
        scene.posture = solution.posture
    posture = solution.posture
    found = scene.forces.distribute()
    twist = sum(
        float(np.cross(scene.places[c.site].apply(np.array(c.load.point)), c.force)[2])
        for c in found.contacts
    )
    ratios_fail = not (by_ratio["equilibrium"].met and told.met)
    return Result(
        (
            Claim(
                "with forces by ratio alone hands and equilibrium are in conflict",
                "yes",
                "yes" if ratios_fail else "no",
                ratios_fail,
            ),
            Claim(
                "horizontal forces of the feet that compensate the hands' torque are found",
                "not by the thesis",
                f"{abs(twist):.1f} N·m of {40.0 * 0.5:.0f}",
                found.is_feasible and abs(abs(twist) - 20.0) < 0.1,
            ),
            Claim(
                "hands are on the object's corners, eyes on it",
                "yes",
                "yes" if solution.met else "no",
                solution.met,
            ),
            in_equilibrium("the figure is", scene, posture),
            does_not_slip(scene, posture),
        )
    )


def _example(name: str, title: str, run: Any) -> Reproduction:
    return Reproduction(f"2001-{name}", PAPER, title, run)


EXAMPLES = (
    _example("fig-6-5", "a chain under forces on its tip", fig_6_5),
    _example("fig-6-6", "torques with and without a force", fig_6_6),
    _example("fig-6-7", "a chain in double support", fig_6_7),
    _example("fig-6-8", "torques minimised, tip held", fig_6_8),
    _example("fig-6-9", "torques minimised, double support", fig_6_9),
    _example("fig-7-9", "the reachable space of a balanced chain", fig_7_9),
    _example("fig-7-10", "the reachable space of both hands", fig_7_10),
    _example("fig-7-13", "a hierarchy of tasks, without the obstacle", fig_7_13),
    _example("fig-7-14", "flexing under tasks", fig_7_14),
    _example("fig-7-15", "distribution of weight", fig_7_15),
    _example("fig-7-16", "a load and a pull", fig_7_16),
    _example("fig-7-17", "a push with both hands", fig_7_17),
    _example("fig-7-18", "a twist, with the feet's forces found", fig_7_18),
)
