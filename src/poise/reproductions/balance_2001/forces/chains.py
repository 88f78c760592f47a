"""Figs. 6.5–6.9: chains of ten links in the plane under forces, and the torques in their joints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from poise import tasks as t
from poise.figure import Posture
from poise.models import chain
from poise.reproductions.balance_2001.forces.statics import (
    BALANCED,
    TIGHT,
    in_equilibrium,
    load_of,
    unbalanced,
)
from poise.reproductions.claims import Claim, Report, Result
from poise.reproductions.measures import millimetres
from poise.scene import Scene, Solution
from poise.statics.loads import GRAVITY

LINKS, LENGTH = 10, 0.2
_HELD = 1e-4
"""The tip keeps its place within this (m)."""

Shown = Sequence[tuple[Scene, Posture, str]]
"""What is drawn: a scene, whose forces are those of the picture, a posture, and a title."""


def standing_chain(force: Sequence[float] = (0.0, 0.0, 0.0)) -> Scene:
    """A chain that stands up from its base, a little bent, with a force (N) on its tip."""
    scene = Scene(chain(LINKS, length=LENGTH, root="fixed"), natural=False)
    posture = scene.posture.copy()
    posture.q[:] = np.where(np.arange(LINKS) % 2, 0.5, -0.3)
    posture.q[0] = -np.pi / 2 + 0.2
    scene.posture = posture
    scene.forces.support("base", ratio=1.0)
    if any(force):
        scene.forces.apply("tip", force=force)
    return scene


def arch(left: float, *, effort: bool = False, lift: float = 0.0) -> tuple[Scene, Solution]:
    """A chain that stands on both ends, of which the base bears so much of its weight.

    Args:
        left: the share of the base.
        effort: whether torques are minimised.
        lift: how high the end of the sixth link is to be (m); 0 leaves it free.
    """
    scene = Scene(chain(LINKS, length=LENGTH, root="fixed"), natural=False)
    posture = scene.posture.copy()
    posture.q[:] = np.deg2rad(150.0) / (LINKS - 1)
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
    return scene, scene.solve(**TIGHT)


# single support ----------------------------------------------------------------------------------

_TIPS = ((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (-6.0, 0.0, 0.0), (4.0, 0.0, -10.0))
"""Forces on the tip in Fig. 6.5 (N)."""


def tip_forces(folder: Path | None, report: Report) -> Result:
    """Fig. 6.5: a chain adapts to forces on its tip, one after the other."""
    shown: list[tuple[Scene, Posture, str]] = []
    start: Posture | None = None
    for i, force in enumerate(_TIPS):
        report("solving", i / len(_TIPS))
        scene = standing_chain(force)
        scene.posture = start or scene.posture
        scene.add(t.Equilibrium(), priority=1)
        start = scene.solve(**TIGHT).posture
        shown.append((scene, start, f"{_newtons(force)} at the tip"))
    worst = max(unbalanced(scene, posture) for scene, posture, _ in shown)
    leans = [float(posture.figure.center_of_mass(posture)[0]) for _, posture, _ in shown]
    claims = (
        Claim.words(
            f"the posture is adapted to every tip force so that moments vanish to {BALANCED:g} N·m",
            "the system adapts the posture in order to satisfy the static equilibrium condition",
            f"{worst:.1g} N·m left, of {len(_TIPS)} forces",
            worst < BALANCED,
        ),
        Claim.check(
            "the chain leans against the force",
            f"centre of mass at {leans[1]:.2f}, {leans[0]:.2f}, {leans[2]:.2f} m for 6, 0, −6 N",
            leans[1] < leans[0] - 0.01 and leans[2] > leans[0] + 0.01,
        ),
    )
    return Result(claims, _drawn(folder, "2001-fig-6.5", shown))


def torques_shown(folder: Path | None, report: Report) -> Result:
    """Fig. 6.6: a posture without a force at its tip takes the least torques."""
    shown: list[tuple[Scene, Posture, str]] = []
    for i, force in enumerate(((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (0.0, 0.0, -30.0))):
        report("solving", i / 3)
        scene = standing_chain(force)
        scene.add(t.Equilibrium(), priority=1)
        posture = scene.solve(**TIGHT).posture
        shown.append((scene, posture, f"{_newtons(force)} at the tip"))
    loads = [load_of(scene, posture) for scene, posture, _ in shown]
    claims = (
        Claim.setup("the chain has so many revolute joints", "10", str(LINKS), LINKS == 10),
        Claim.words(
            "without a force at the tip the posture requires less joint torques than two with one",
            "the posture on the left globally requires less joint torques than the two other "
            "postures, since no force is applied at the tip",
            f"Σ τ² = {_listed(loads)} (N·m)²",
            loads[0] < min(loads[1:]),
        ),
        *(in_equilibrium(f"with {title} it is", scene, posture) for scene, posture, title in shown),
    )
    return Result(claims, _drawn(folder, "2001-fig-6.6", shown))


def spared_tip(folder: Path | None, report: Report) -> Result:
    """Fig. 6.8: torques are minimised under equilibrium and a position of the tip."""
    scene = standing_chain((6.0, 0.0, 0.0))
    scene.add(t.Position("tip", (-0.3, 0.0, 1.2)), priority=1)
    scene.add(t.Equilibrium(), priority=2)
    report("solving", 0.0)
    before = scene.solve(**TIGHT)
    scene.posture = before.posture
    scene.add(t.Effort())
    report("sparing the joints", 0.5)
    after = scene.solve(**TIGHT)
    loads = [load_of(scene, each.posture) for each in (before, after)]
    tip = max(float(each.tasks[0].error) for each in (before, after))
    lean = [np.rad2deg(misaligned(scene, each.posture)) for each in (before, after)]
    claims = (
        Claim.words(
            "the posture obtained by minimisation is more efficient",
            "obtained by minimization … thus is more efficient",
            f"Σ τ² = {_listed(loads)} (N·m)², {100 * (1 - loads[1] / loads[0]):.0f} % less",
            loads[1] < loads[0],
        ),
        Claim.words(
            f"both are under the static equilibrium constraint, to {BALANCED:g} N·m, and the tip "
            "keeps its position",
            "under the static equilibrium constraint and a tip position constraint",
            f"{max(unbalanced(scene, s.posture) for s in (before, after)):.1g} N·m left, the tip "
            f"{millimetres(tip)} off",
            tip < _HELD and max(unbalanced(scene, s.posture) for s in (before, after)) < BALANCED,
        ),
        Claim.words(
            "the links align themselves with the force that they pass on",
            "the links tend to align themselves in the direction of force exertion",
            f"{lean[1]:.0f}° from it in the mean, before {lean[0]:.0f}°",
            lean[1] < lean[0],
        ),
    )
    shown = (
        (scene, before.posture, f"A  Σ τ² = {loads[0]:.3g} (N·m)²"),
        (scene, after.posture, f"B  Σ τ² = {loads[1]:.3g} (N·m)², minimised"),
    )
    return Result(claims, _drawn(folder, "2001-fig-6.8", shown))


def misaligned(scene: Scene, posture: Posture) -> float:
    """The mean angle (rad) between the links of a chain and the line of the force in each.

    A link passes on what acts beyond its joint: the load on the tip and the weight of all links
    from it on.
    """
    figure = posture.figure
    places = figure.place(posture)
    passed = np.sum([load.force for load in scene.forces.applied.values()], axis=0, initial=0.0)
    passed = np.broadcast_to(passed, 3).copy()
    angles: list[float] = []
    for i in range(LINKS, 0, -1):
        name = f"link_{i}"
        passed[2] -= GRAVITY * figure.segments[name].mass_properties()[0]
        along = places[name].rotation[:, 0]
        angles.append(float(np.arccos(min(1.0, abs(along @ passed) / np.linalg.norm(passed)))))
    return float(np.mean(angles))


# double support ----------------------------------------------------------------------------------


def double_support(folder: Path | None, report: Report) -> Result:
    """Fig. 6.7: reaction forces shape the chain, and the root does not matter."""
    shown: list[tuple[Scene, Posture, str]] = []
    for i, left in enumerate((0.5, 0.6, 0.4)):
        report("solving", i / 3)
        scene, solution = arch(left)
        title = f"{100 * left:.0f} % of the weight on the base"
        shown.append((scene, solution.posture, title))
    even, more, less = (float(p.figure.center_of_mass(p)[0]) for _, p, _ in shown)
    apart = _apart_when_rerooted(*shown[0][:2])
    claims = (
        Claim.words(
            "other reaction forces result in other configurations: the centre of mass shifts to "
            "the end that bears more",
            "Different configurations … resulting from different reaction forces",
            f"{more:.3f}, {even:.3f}, {less:.3f} m from the base, which bears 60, 50, 40 %",
            more < even < less,
        ),
        Claim.words(
            "the root may be set on either supporting site: torques are the same",
            "indifferently set on either supporting site, since the torque computation is not "
            "affected by this choice",
            f"at most {apart:.0e} N·m apart",
            apart < BALANCED,
        ),
        *(in_equilibrium(f"with {title} it is", scene, posture) for scene, posture, title in shown),
    )
    return Result(claims, _drawn(folder, "2001-fig-6.7", shown))


def _apart_when_rerooted(scene: Scene, posture: Posture) -> float:
    """By how much torques differ (N·m) when the chain is rooted at its other end."""
    other, there = posture.figure.rooted_at(f"link_{LINKS}", posture)
    moved = Scene(other, natural=False)
    moved.posture = there
    for site, support in scene.forces.supports.items():
        moved.forces.support(site, ratio=support.ratio)
    here, again = scene.forces.torques(posture), moved.forces.torques()
    return max(
        abs(a.value - b.value)
        for name, joint in here.items()
        for a, b in zip(joint.components, again[name].components, strict=True)
    )


def spared_arch(folder: Path | None, report: Report) -> Result:
    """Fig. 6.9: of three configurations in double support the minimised one is the best."""
    report("solving", 0.0)
    scene, first = arch(0.5)
    _, second = arch(0.5, lift=0.35)
    report("sparing the joints", 0.6)
    _, third = arch(0.5, effort=True)
    loads = [load_of(scene, each.posture) for each in (first, second, third)]
    claims = (
        Claim.words(
            "the posture that minimises torques is the most efficient of three",
            "obtained by minimization … thus is the most efficient",
            f"Σ τ² = {_listed(loads)} (N·m)², the last minimised, "
            f"{100 * (1 - loads[2] / min(loads[:2])):.0f} % less than the better of the others",
            loads[2] < min(loads[:2]),
        ),
        in_equilibrium("all three are", scene, first.posture, second.posture, third.posture),
    )
    shown = [
        (scene, each.posture, f"{letter}  Σ τ² = {load:.3g} (N·m)²")
        for letter, each, load in zip("ABC", (first, second, third), loads, strict=True)
    ]
    return Result(claims, _drawn(folder, "2001-fig-6.9", shown))


# words and pictures ------------------------------------------------------------------------------


def _newtons(force: Sequence[float]) -> str:
    x, _, z = force
    parts = [f"{abs(x):g} N {'to the right' if x > 0 else 'to the left'}"] if x else []
    parts += [f"{abs(z):g} N {'up' if z > 0 else 'down'}"] if z else []
    return ", ".join(parts) or "no force"


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{each:.3g}" for each in values)


def _drawn(folder: Path | None, name: str, shown: Shown) -> tuple[Path, ...]:
    """The chains side by side, forces and torques of all at one scale."""
    if folder is None:
        return ()
    from poise.reproductions.balance_2001.forces.arcs import Loaded, draw_loaded, reach_of
    from poise.reproductions.balance_2001.sheets import Sheet, framing

    chains = [Loaded.of(scene, posture) for scene, posture, _ in shown]
    sheet = Sheet(len(chains), size=(11.2 / len(chains), 3.6))
    draw_loaded(sheet.panels, chains)
    view = framing([each.posture for each in chains], reach_of(chains))
    for panel, (_, _, title) in zip(sheet.panels, shown, strict=True):
        panel.title(title)
        panel.picture(view, 0.15)
    return (sheet.save(folder, name),)
