"""Methods by name, with options of their own."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError
from poise.solvers import METHODS, solver
from poise.solvers.method import ABILITIES, Method
from poise.solvers.outcome import Ending
from poise.solvers.problem import Wish, pack
from poise.solvers.registry import module_of
from poise.tasks import HalfSpace, Position, Rest


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


def test_the_table_of_phases_in_the_docs_says_what_the_records_say() -> None:
    methods: dict[tuple[str, ...], list[str]] = {}
    for name, method in METHODS.items():
        methods.setdefault(method.phases, []).append(name)
    rows = [["method", "phases"], ["---", "---"]]
    for phases, names in methods.items():
        rows.append([", ".join(f"`{each}`" for each in words) for words in (names, phases)])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    page = Path(__file__).parents[2] / "docs" / "methods.md"
    assert f"{table}\n\n" in page.read_text(encoding="utf-8"), f"the table should be:\n{table}"


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
    with pytest.raises(PoiseError) as refused:
        solver("pinv", limits="added")(problem, np.full(3, 0.1), **ending)
    assert str(refused.value) == (
        'pinv with limits="added" takes no criteria; '
        'lex, priority, nlp and pinv without limits="added" take them'
    )
    with pytest.raises(PoiseError, match=r"^dls takes no criteria; lex, priority, nlp and pinv "):
        solver("dls")(problem, np.full(3, 0.1), **ending)
    assert METHODS["pinv"].answer("takes_criteria") == 'yes; refused with limits="added"'


def test_a_refusal_names_the_option_with_which_the_method_would_take_it() -> None:
    chain = poise.chain(3)
    floor = [Wish("floor", HalfSpace("tip", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), 1)]
    problem = pack(chain, chain.rest(), floor)
    with pytest.raises(PoiseError) as refused:
        solver("pinv").check(problem)
    assert str(refused.value) == (
        "pinv takes no one-sided tasks, and 'floor' (HalfSpace) is one; "
        'lex, priority, nlp, projected, lp, lagrange and pinv with limits="added" take them'
    )
    solver("pinv", limits="added").check(problem)


def test_descriptions_tell_of_options_that_change_what_is_taken() -> None:
    assert METHODS["pinv"].description == (
        "Pseudo-inverse, Whitney 1969. Priorities: one weighted sum. "
        'One-sided tasks: refused; yes with limits="added". '
        'Criteria: yes; refused with limits="added". Effort: refused.'
    )
    assert METHODS["lex"].description.endswith("Takes all that can be wanted.")


def test_every_option_that_is_given_counts() -> None:
    plain = Method(
        name="new",
        summary="of two options",
        source="ours",
        limits="never",
        variants={
            ("form", "wide"): {"takes_one_sided": True},
            ("last", "rest"): {"takes_criteria": True},
        },
    )
    both = plain.with_options({"form": "wide", "last": "rest"})
    assert both.takes_one_sided
    assert both.takes_criteria
    assert plain.with_options({"form": "narrow"}) is plain
    assert plain.ways("takes_criteria") == ['new with last="rest"']


def test_a_record_needs_words_and_variants_that_change_an_ability() -> None:
    words: dict[str, Any] = {
        "name": "new",
        "summary": "of two options",
        "source": "ours",
        "limits": "never",
    }
    with pytest.raises(PoiseError, match="the record of method 'new' needs words for its summary"):
        Method(name="new", summary="", source="ours", limits="never")
    with pytest.raises(PoiseError, match="no ability of a method 'takes_criterion'; did you mean"):
        Method(**words, variants={("form", "wide"): {"takes_criterion": True}})


def test_methods_are_a_mapping_whose_errors_name_the_nearest() -> None:
    with pytest.raises(PoiseError, match=r"^there is no method 'lxe'; did you mean 'lex'\?"):
        METHODS["lxe"]
    with pytest.raises(KeyError):
        METHODS["lxe"]
    assert "lxe" not in METHODS
    assert ["lex"] not in METHODS  # type: ignore[operator]
    assert METHODS.get("lxe") is None
    assert METHODS.get("lex") is METHODS["lex"]


def test_records_may_be_keys() -> None:
    assert {method: name for name, method in METHODS.items()}[METHODS["pinv"]] == "pinv"
