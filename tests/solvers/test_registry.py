"""Methods by name, with options of their own."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from subprocess import run

import numpy as np
import pytest

import poise
from poise import PoiseError
from poise.solvers import METHODS, solver
from poise.solvers.method import ABILITIES
from poise.solvers.outcome import Ending
from poise.solvers.problem import Wish, pack
from poise.solvers.registry import module_of
from poise.tasks import Position, Rest


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_there_and_solves(method: str) -> None:
    chain = poise.chain(4, length=0.25)
    start = np.full(4, 0.2)
    problem = pack(chain, chain.posture(start), [Wish("tip", Position("tip", (0.6, 0, 0.3)), 1)])
    outcome = solver(method)(problem, start, tolerance=1e-3, max_iterations=2000, max_seconds=None)
    assert outcome.status == "solved"
    assert chain.place(outcome.q)["tip"].position == pytest.approx([0.6, 0.0, 0.3], abs=1e-3)
    assert outcome.note == ""


def test_every_method_has_a_file_of_its_own_with_a_record() -> None:
    for name, method in METHODS.items():
        assert method.name == name
        assert method is module_of(name).METHOD
        options = inspect.signature(module_of(name).solve).parameters
        assert method.is_warm == ("warm" in options)
        assert method.asks_for_step == ("previous" in options)


def test_asking_which_methods_there_are_imports_none_and_a_solve_only_its_own() -> None:
    program = """
import sys
import poise
from poise.solvers import METHODS, DEFAULT
def imported():
    return {name for name in METHODS if f"poise.solvers.{name}" in sys.modules}
assert "dls" in METHODS and len(list(METHODS)) == 11 and not imported() - {DEFAULT}
scene = poise.Scene(poise.chain(3))
scene.add(poise.tasks.Position("tip", (0.1, 0.0, 0.2)))
scene.solve()
assert imported() == {DEFAULT}, imported()
"""
    run([sys.executable, "-c", program], check=True)


def test_the_table_of_methods_in_the_docs_says_what_the_records_say() -> None:
    more = [*ABILITIES.values(), "limits", "goes on", "crowds"]
    heads = ["method", "what it is", "priorities", *more]
    rows = [heads, ["---"] * len(heads)]
    for name, method in METHODS.items():
        answers = (method.answer(ability) for ability in ABILITIES)
        flags = ("yes" if each else "no" for each in (method.is_warm, method.is_for_crowds))
        what = f"{method.summary}, {method.source}"
        rows.append([f"`{name}`", what, method.priorities, *answers, method.limits, *flags])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    page = Path(__file__).parents[2] / "docs" / "methods.md"
    assert table in page.read_text(encoding="utf-8"), f"the table should be:\n{table}"


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


def test_a_method_without_priorities_says_so_where_there_are_several() -> None:
    chain = poise.chain(3)
    one = [Wish(str(i), Position("tip", (0.1, 0, 0)), 2) for i in range(2)]
    assert METHODS["nlp"].note(pack(chain, chain.rest(), one)) == ""
    wishes = [Wish(str(i), Position("tip", (0.1, 0, 0)), i) for i in (1, 2, 5)]
    three = pack(chain, chain.rest(), wishes)
    assert METHODS["dls"].note(three) == (
        "dls knows no priorities: 1, 2 and 5 were solved as one weighted sum"
    )
    assert METHODS["partition"].note(three) == ""


def test_an_option_may_change_what_a_method_takes() -> None:
    chain = poise.chain(3)
    tip = [Wish("tip", Position("tip", (0.2, 0, 0.1)), 1)]
    problem = pack(chain, chain.rest(), tip, [(Rest(), 1.0)])
    ending: Ending = {"tolerance": 1e-3, "max_iterations": 50, "max_seconds": None}
    assert solver("pinv")(problem, np.full(3, 0.1), **ending).status == "solved"
    with pytest.raises(PoiseError, match=r"^pinv takes no criteria; lex, priority, nlp and pinv "):
        solver("pinv", limits="added")(problem, np.full(3, 0.1), **ending)
    assert METHODS["pinv"].answer("takes_criteria") == 'yes; refused with limits="added"'
