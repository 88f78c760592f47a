"""Baerlocher 2001, *Inverse Kinematics Techniques for … Articulated Figures* (thesis).

Chapter 5 on chains in the plane, chapter 6 on forces, chapter 7 on bodies. The thesis describes
its examples in words and pictures, mostly without numbers: sizes and goals are chosen here by its
words. Unless a claim says otherwise they are solved by `priority`, the thesis' method, or by its
bare steps; those with forces by `lex`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from poise.reproductions.balance_2001.anatomy import hip_and_knee, loop, scapula
from poise.reproductions.balance_2001.beam import fly
from poise.reproductions.balance_2001.comparison import (
    moving_the_main_goal,
    moving_the_secondary_goal,
    out_of_reach,
)
from poise.reproductions.balance_2001.constraints import circle, two_limits
from poise.reproductions.balance_2001.cost import step_costs
from poise.reproductions.balance_2001.forces.chains import (
    double_support,
    spared_arch,
    spared_tip,
    tip_forces,
    torques_shown,
)
from poise.reproductions.balance_2001.forces.exertion import (
    load_and_pull,
    pushing,
    twisting,
    weight_shared,
)
from poise.reproductions.balance_2001.forces.hierarchy import flexing, full_hierarchy
from poise.reproductions.balance_2001.forces.reach import chain_reach, hands_reach
from poise.reproductions.balance_2001.formulations import one_step
from poise.reproductions.balance_2001.inertia import closed_chain, curling_up
from poise.reproductions.balance_2001.semantics import two_priorities
from poise.reproductions.balance_2001.strategies import conflicts
from poise.reproductions.balance_2001.weights import five_tasks, overconstrained, unequal_errors
from poise.reproductions.claims import Report, Reproduction, Result


def _example(
    name: str,
    title: str,
    run: Callable[[Path | None, Report], Result],
    unmet: Mapping[str, str] | None = None,
    *,
    timed: bool = False,
) -> Reproduction:
    return Reproduction(f"2001-{name}", "2001-balance", title, run, unmet or {}, timed)


_NEITHER = {
    "the first cannot be satisfied, nor the second while the first is at its best: the error of "
    "the first is locally minimised, and that of the second under it": "where the first task is "
    "stretched towards a goal out of reach, the freedom of the second costs it only a second-order "
    "amount, which no projector sees; `lex` was made for that"
}
_COST = {
    "C: with m < n the cost is linear in m (power 1 ± 0.25)": "singular values are found here by "
    "turning pairs of rows against each other, and there are about m²/2 pairs"
}
_SCAPULA = {
    "other tasks, like the hand's position, are still done": "behind the back `priority` keeps the "
    "scapula in its place and stalls short of a goal that `lex` reaches"
}
_KNEES = {
    "so they are by `priority`, the thesis' method": "hips stay below the limit and the back bends "
    "instead, so that the coupling and the task are met in another posture"
}
_CURLED = {
    "F: in the end the body is completely curled up": "from the elongated posture the moment of "
    "inertia falls fastest by folding at the hips, and so the sequence ends folded with straight "
    "legs: a minimum, but not the least"
}
_UNSEEN = {
    "F: there are places that the gaze cannot follow; the figure then adopts the closest possible "
    "posture": "hips, back, neck and head together let our figure look at every place that was "
    "tried, over its shoulder or bent over; the ranges are those of single joints, and people "
    "cannot use all of them at once"
}

EXAMPLES = (
    _example("fig-5.1", "many tasks on two joints", overconstrained),
    _example("fig-5.2", "five tasks on twenty joints", five_tasks),
    _example("fig-5.3", "equal weights, unequal errors", unequal_errors),
    _example("fig-5.4", "weights, divided joints, priorities", conflicts),
    _example("fig-5.5-5.8", "one step by both formulations", one_step),
    _example("test-1", "5.3.5, test 1: the main goal is moved", moving_the_main_goal),
    _example("fig-5.10", "5.3.5, test 2: the secondary goal is moved", moving_the_secondary_goal),
    _example("fig-5.9", "5.3.5, test 3: a goal out of reach", out_of_reach),
    _example("fig-5.13", "what two priorities mean", two_priorities, _NEITHER),
    _example("fig-5.14", "what a step costs", step_costs, _COST, timed=True),
    _example("fig-5.17", "two linear limits in one step", two_limits),
    _example("fig-5.18", "a curved constraint", circle),
    _example("fig-6.5", "a chain under forces on its tip", tip_forces),
    _example("fig-6.6", "torques with and without a force", torques_shown),
    _example("fig-6.7", "a chain in double support", double_support),
    _example("fig-6.8", "torques minimised, tip held", spared_tip),
    _example("fig-6.9", "torques minimised, double support", spared_arch),
    _example("fig-7.3", "the scapula on the thorax", scapula, _SCAPULA),
    _example("fig-7.4", "hip and knee are coupled", hip_and_knee, _KNEES),
    _example("fig-7.5", "a loop that holds", loop),
    _example("fig-7.7", "the inertia of a closed chain", closed_chain),
    _example("fig-7.8", "a person stretches and curls up", curling_up, _CURLED),
    _example("fig-7.9", "the reachable space of a balanced chain", chain_reach),
    _example("fig-7.10", "the reachable space of both hands", hands_reach),
    _example("fig-7.11-7.12", "a fly, seen from a beam", fly, _UNSEEN),
    _example("fig-7.13", "Table 7.1, without the obstacle", full_hierarchy),
    _example("fig-7.14", "flexing under tasks", flexing),
    _example("fig-7.15", "the weight is shared out", weight_shared),
    _example("fig-7.16", "a load and a pull", load_and_pull),
    _example("fig-7.17", "a push with both hands", pushing),
    _example("fig-7.18", "a twist, with the feet's forces found", twisting),
)
