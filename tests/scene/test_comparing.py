"""The same scene by several methods, side by side."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, tasks
from poise.solvers import METHODS


@pytest.fixture
def scene() -> poise.Scene:
    scene = poise.Scene(poise.chain(5, 0.2))
    scene.posture = np.full(5, -0.3)
    scene.add(tasks.Position("link_3", (0.3, 0.0, 0.15)), priority=1, name="elbow")
    scene.add(tasks.Position("tip", (3.0, 0.0, 0.0)), priority=2, name="far")
    return scene


def test_each_method_gives_what_its_own_solve_gives(scene: poise.Scene) -> None:
    before = scene.posture.q.copy()
    compared = poise.compare(scene, ["lex", "priority", "nlp"], repeats=2)
    assert [row.method for row in compared] == ["lex", "priority", "nlp"]
    for row in compared:
        alone = scene.solve(row.method, warm=False)
        assert row.solution is not None
        assert np.array_equal(row.solution.q, alone.q)
        assert row.met == sum(each.met for each in alone.tasks)
        assert row.violation <= 1e-9
        assert 0.0 < row.seconds <= row.solution.seconds
        assert len(row.errors) == 2
    assert np.array_equal(scene.posture.q, before)
    assert compared["lex"].met == 1
    assert compared["lex"].errors[0] <= 1e-4
    far = scene.solve().tasks["far"].error
    assert compared["lex"].errors[1] == pytest.approx(far, rel=1e-6)


def test_a_table_has_a_line_for_each_method(scene: poise.Scene) -> None:
    compared = poise.compare(scene, list(METHODS), repeats=1)
    head, *lines = str(compared).splitlines()
    assert head.split("  ")[0] == "method"
    for row, line in zip(compared, lines, strict=False):
        assert line.startswith(row.method)
        assert "1/2" in line or "0/2" in line
        assert "kept" in line
    assert repr(compared).startswith("<Comparison of lex, priority")
    assert len(compared) == len(METHODS)
    assert len(compared[1:3]) == 2


def test_a_method_that_refuses_the_scene_says_why(scene: poise.Scene) -> None:
    scene.add(tasks.HalfSpace("tip", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), name="above")
    compared = poise.compare(scene, ["lex", "dls"], repeats=1)
    row = compared["dls"]
    assert row.solution is None
    assert "one-sided" in row.refusal
    assert math.isnan(row.seconds)
    assert (row.met, row.errors, row.violation) == (0, (), 0.0)
    assert "dls     refused" in str(compared)
    assert str(compared).splitlines()[-1] == row.refusal
    assert row.refusal.startswith("dls takes no one-sided tasks")


def test_a_table_names_the_priorities_and_has_numbers_to_the_right(scene: poise.Scene) -> None:
    scene.add(tasks.Position("link_2", (0.0, 0.0, 9.0)), priority=12)
    compared = poise.compare(scene, ["lex", "nlp"], repeats=1)
    head, *lines = str(compared).splitlines()
    columns = re.split(r"  +", head)
    numbers = [f"error {priority} (mm)" for priority in (1, 2, 12)]
    assert columns == ["method", "ended", "met", *numbers, "limits", "iterations", "ms"]
    for row, line in zip(compared, lines, strict=True):
        assert row.solution is not None
        for name, error in zip(numbers, row.errors, strict=True):
            end = head.index(name) + len(name)
            assert line[:end].endswith(f" {1e3 * error:.3g}")
        end = head.index("iterations") + len("iterations")
        assert line[:end].endswith(f" {row.solution.iterations}")


def test_one_method_may_be_named_by_itself(scene: poise.Scene) -> None:
    assert [row.method for row in poise.compare(scene, "lex", repeats=1)] == ["lex"]


def test_what_any_method_takes_may_be_given_by_method_too(scene: poise.Scene) -> None:
    options = {"max_iterations": 1, "tolerance": 1e-3, "max_seconds": 60.0, "trace": True}
    compared = poise.compare(scene, {"lex": {}, "nlp": options}, repeats=1)
    lex, nlp = (row.solution for row in compared)
    assert lex is not None
    assert nlp is not None
    assert lex.iterations > 1
    assert lex.trace is None
    assert nlp.iterations == 1
    assert nlp.trace is not None
    assert nlp.trace.tolerance == 1e-3


@pytest.mark.parametrize(
    "name", ["max_iterations", "tolerance", "max_seconds", "trace", "limits", "formulation"]
)
def test_an_option_for_all_methods_at_once_is_refused_and_the_mapping_named(
    scene: poise.Scene, name: str
) -> None:
    words = (
        f"compare takes no {name} for all methods at once: options are given by method, "
        'in a mapping such as {"priority": {"formulation": "cascaded"}}'
    )
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        poise.compare(scene, ["lex", "nlp"], **{name: 3})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "lex"}, "compare: there is no argument 'method'; did you mean 'methods'?"),
        ({"repeat": 3}, "compare: there is no argument 'repeat'; did you mean 'repeats'?"),
        ({"warm": False}, "compare takes no warm: every solve begins from nothing"),
        ({"restarts": 3}, "compare takes no restarts: every solve is from the scene's posture"),
    ],
)
def test_other_arguments_are_refused_in_words(
    scene: poise.Scene, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}"):
        poise.compare(scene, ["lex"], **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_iterations": 0}, "max_iterations must be an integer from 1 on, not 0"),
        ({"max_iteration": 3}, "there is no nlp option 'max_iteration'; did you mean"),
        ({"trace": 1}, "trace must be True or False, not 1"),
        ({"warm": True}, "compare takes no warm for 'nlp': every solve begins from nothing"),
    ],
)
def test_options_by_method_are_checked_before_anything_is_solved(
    scene: poise.Scene, options: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poise.Scene, "solve", None)
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}"):
        poise.compare(scene, {"lex": {}, "nlp": options})


def test_options_are_given_by_method(scene: poise.Scene) -> None:
    both = poise.compare(scene, {"priority": {"formulation": "cascaded"}}, repeats=1)
    alone = scene.solve("priority", formulation="cascaded", warm=False, restarts=0)
    assert both[0].solution is not None
    assert np.array_equal(both[0].solution.q, alone.q)


def test_names_may_be_given_in_any_row_of_them(scene: poise.Scene) -> None:
    for names in (("lex", "nlp"), (each for each in ("lex", "nlp")), np.array(["lex", "nlp"])):
        compared = poise.compare(scene, names, repeats=1)
        assert [row.method for row in compared] == ["lex", "nlp"]
    every = poise.compare(scene, METHODS, repeats=1)
    assert [row.method for row in every] == list(METHODS)
    assert every["pinv"].solution is not None


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        ({"lex": None}, "options by name, such as {} for none, for 'lex', not None"),
        ({"lex": {1: 2}}, "options by name, such as {} for none, for 'lex', not {1: 2}"),
        (5, "the names of methods, at least one, not 5"),
        ((each for each in ()), "the names of methods, at least one, not"),
        (np.array([]), "the names of methods, at least one, not"),
        ([["lex"]], r"the names of methods, such as 'lex', not ['lex']"),
        (["lex", "nlp", "lex"], "each method once, and 'lex' is there twice"),
    ],
)
def test_what_names_no_methods_is_refused_in_words(
    scene: poise.Scene, methods: Any, words: str
) -> None:
    with pytest.raises(PoiseError, match=f"^compare takes {re.escape(words)}"):
        poise.compare(scene, methods)


def test_only_a_method_that_cannot_take_the_scene_is_listed_as_refusing_it(
    scene: poise.Scene,
) -> None:
    with pytest.raises(PoiseError, match=r"^there is no formulation 'nonsense'"):
        poise.compare(scene, {"priority": {"formulation": "nonsense"}})
    scene.add(tasks.Rest())
    options = {"pinv": {"limits": "added"}, "lex": {}}
    compared = poise.compare(scene, options, repeats=1)
    assert compared["pinv"].refusal.startswith('pinv with limits="added" takes no criteria')
    assert compared["lex"].refusal == ""


def test_bad_input_is_refused_before_anything_is_solved(scene: poise.Scene) -> None:
    with pytest.raises(PoiseError, match="there is no method 'lexx'; did you mean 'lex'"):
        poise.compare(scene, ["lexx"])
    with pytest.raises(PoiseError, match="priority option 'formulations'"):
        poise.compare(scene, {"priority": {"formulations": "cascaded"}})
    with pytest.raises(PoiseError, match="at least one"):
        poise.compare(scene, [])
    with pytest.raises(PoiseError, match="takes a Scene"):
        poise.compare(poise.chain(2), ["lex"])  # type: ignore[arg-type]
    with pytest.raises(PoiseError, match="repeats must be an integer from 1 on"):
        poise.compare(scene, ["lex"], repeats=0)
    words = "^there is no method 'nlp' in this comparison; there are: lex, dls$"
    with pytest.raises(PoiseError, match=words):
        assert poise.compare(scene, ["lex", "dls"], repeats=1)["nlp"]
