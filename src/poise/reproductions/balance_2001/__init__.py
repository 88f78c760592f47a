"""Baerlocher 2001, *Inverse Kinematics Techniques for … Articulated Figures* (thesis).

Chapter 5 on chains in the plane, chapter 7 on bodies. The thesis describes its examples in words
and pictures, mostly without numbers: sizes and goals are chosen here by its words. Unless a
claim says otherwise they are solved by `priority`, the thesis' method, or by its bare steps.
"""

from __future__ import annotations

from poise.reproductions.balance_2001.anatomy import hip_and_knee, loop, scapula
from poise.reproductions.balance_2001.beam import fly
from poise.reproductions.balance_2001.comparison import (
    moving_the_main_goal,
    moving_the_secondary_goal,
    out_of_reach,
)
from poise.reproductions.balance_2001.constraints import circle, two_limits
from poise.reproductions.balance_2001.cost import step_costs
from poise.reproductions.balance_2001.formulations import one_step
from poise.reproductions.balance_2001.inertia import closed_chain, curling_up
from poise.reproductions.balance_2001.semantics import two_priorities
from poise.reproductions.balance_2001.strategies import conflicts
from poise.reproductions.balance_2001.weights import five_tasks, overconstrained, unequal_errors
from poise.reproductions.claims import Reproduction

_PAPER = "2001-balance"

EXAMPLES = (
    Reproduction("2001-fig-5.1", _PAPER, "many tasks on two joints", overconstrained),
    Reproduction("2001-fig-5.2", _PAPER, "five tasks on twenty joints", five_tasks),
    Reproduction("2001-fig-5.3", _PAPER, "equal weights, unequal errors", unequal_errors),
    Reproduction("2001-fig-5.4", _PAPER, "weights, divided joints, priorities", conflicts),
    Reproduction("2001-fig-5.5-5.8", _PAPER, "one step by both formulations", one_step),
    Reproduction(
        "2001-test-1", _PAPER, "5.3.5, test 1: the main goal is moved", moving_the_main_goal
    ),
    Reproduction(
        "2001-fig-5.10",
        _PAPER,
        "5.3.5, test 2: the secondary goal is moved",
        moving_the_secondary_goal,
    ),
    Reproduction("2001-fig-5.9", _PAPER, "5.3.5, test 3: a goal out of reach", out_of_reach),
    Reproduction("2001-fig-5.13", _PAPER, "what two priorities mean", two_priorities),
    Reproduction("2001-fig-5.14", _PAPER, "what a step costs", step_costs),
    Reproduction("2001-fig-5.17", _PAPER, "two linear limits in one step", two_limits),
    Reproduction("2001-fig-5.18", _PAPER, "a curved constraint", circle),
    Reproduction("2001-fig-7.3", _PAPER, "the scapula on the thorax", scapula),
    Reproduction("2001-fig-7.4", _PAPER, "hip and knee are coupled", hip_and_knee),
    Reproduction("2001-fig-7.5", _PAPER, "a loop that holds", loop),
    Reproduction("2001-fig-7.7", _PAPER, "the inertia of a closed chain", closed_chain),
    Reproduction("2001-fig-7.8", _PAPER, "a person stretches and curls up", curling_up),
    Reproduction("2001-fig-7.11-7.12", _PAPER, "a fly, seen from a beam", fly),
)
