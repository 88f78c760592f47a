"""Methods by name, with options of their own."""

from __future__ import annotations

import importlib.util
import re

import numpy as np
import pytest

import poise
from poise import PoiseError
from poise.solvers import METHODS, solver
from poise.solvers.outcome import weighed_as_one
from poise.solvers.problem import Wish, pack
from poise.tasks import Position


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_there_and_solves(method: str) -> None:
    chain = poise.chain(4, length=0.25)
    start = np.full(4, 0.2)
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0.6, 0, 0.3)), 1)])
    outcome = solver(method)(problem, start, tolerance=1e-3, max_iterations=2000, max_seconds=None)
    assert outcome.status == "solved"
    assert chain.place(outcome.q)["tip"].position == pytest.approx([0.6, 0.0, 0.3], abs=1e-3)
    assert outcome.note == ""


def test_every_method_has_a_module_of_its_own() -> None:
    for method in METHODS.values():
        assert importlib.util.find_spec(method.module) is not None


def test_options_reach_the_method() -> None:
    chain = poise.chain(3)
    with pytest.raises(PoiseError, match="there is no update 'none'"):
        solver("nlp", update="none")(
            pack(chain, chain.rest(), []),
            chain.rest().q,
            tolerance=1e-4,
            max_iterations=1,
            max_seconds=None,
        )


@pytest.mark.parametrize(
    ("method", "option", "words"),
    [
        (
            "nlp",
            "updat",
            "there is no nlp option 'updat'; did you mean 'update'? There are: update",
        ),
        ("projected", "tolerance", "there is no projected option 'tolerance'"),
    ],
)
def test_an_option_that_a_method_does_not_know_is_refused(
    method: str, option: str, words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}"):
        solver(method, **{option: 1})


def test_a_problem_with_one_priority_needs_no_note() -> None:
    chain = poise.chain(3)
    one = [Wish(str(i), Position("tip", (0.1, 0, 0)), 2) for i in range(2)]
    assert weighed_as_one(pack(chain, chain.rest(), one), "nlp") == ""
    three = [Wish(str(i), Position("tip", (0.1, 0, 0)), i) for i in (1, 2, 5)]
    assert weighed_as_one(pack(chain, chain.rest(), three), "dls") == (
        "dls knows no priorities: 1, 2 and 5 were solved as one weighted sum"
    )
