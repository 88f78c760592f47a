"""The centre of mass drawn over the middle of the support, by itself and by default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, tasks
from poise.figure import Figure
from poise.figure.polygons import planar_middle
from poise.scene import Solution
from poise.scene.priors import NATURAL_WEIGHT
from poise.tasks.mid_support import SPREAD
from poise.tasks.natural import RADIANS

FEET = ("left_foot", "right_foot")


def standing(figure: Figure, *wanted: tasks.Task, natural: bool = False) -> poise.Scene:
    scene = poise.Scene(figure, natural=natural)
    for foot in FEET:
        scene.add(tasks.Frame(foot), priority=1)
    for each in wanted:
        scene.add(each, priority=2)
    return scene


def off_middle(figure: Figure, solution: Solution, feet: tuple[str, ...] = FEET) -> float:
    """How far the centre of mass is from the mean of the middles of the soles, by another way."""
    places = figure.place(solution.posture)
    middles = [
        places[foot].apply((*planar_middle(np.array(figure.sites[foot].outline)), 0.0))
        for foot in feet
    ]
    center = figure.center_of_mass(solution.posture)
    return float(np.linalg.norm((center - np.mean(middles, axis=0))[:2]))


def test_the_middle_of_a_polygon_is_that_of_its_area() -> None:
    corner = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], float)  # 3·1 and 1·2
    expected = (3 * np.array([1.5, 0.5]) + 2 * np.array([0.5, 2.0])) / 5
    np.testing.assert_allclose(planar_middle(corner), expected)
    np.testing.assert_allclose(planar_middle(corner + 1e3), expected + 1e3)


def test_where_nothing_else_is_asked_the_centre_of_mass_comes_over_the_middle() -> None:
    person = poise.human()
    scene = standing(person)
    assert off_middle(person, scene.solve()) > 0.02
    scene.add(tasks.MidSupport())
    assert off_middle(person, scene.solve()) < 1e-4


def test_it_is_traded_with_other_criteria_by_weight() -> None:
    person = poise.human()
    scene = standing(person)
    scene.add(tasks.Rest())
    drawn = scene.add(tasks.MidSupport(), weight=0.01)
    found: list[float] = []
    for weight in (0.01, 0.1, 1.0):
        drawn.weight = weight
        found.append(off_middle(person, scene.solve()))
    assert found[0] > 1.2 * found[1] > 1.2**2 * found[2] > 1e-4


def test_persons_with_balance_are_drawn_by_default_and_others_are_not() -> None:
    def rows(scene: poise.Scene) -> int:
        return scene._problem().blocks.inequality.size

    person = poise.human()
    natural, balanced = standing(person, natural=True), standing(person, tasks.Balance())
    plain = rows(standing(person))
    both = standing(person, tasks.Balance(), natural=True)
    assert rows(both) == rows(balanced) + rows(natural) - plain + 2
    both.tasks["balance"].enabled = False
    assert rows(both) == rows(natural)
    both.tasks["balance"].enabled = True
    own = both.add(tasks.MidSupport())
    assert rows(both) == rows(balanced) + rows(natural) - plain + 2  # one, not two
    own.remove()
    assert off_middle(person, both.solve()) < 0.7 * off_middle(person, natural.solve())
    dog = poise.Scene(poise.quadruped())
    dog.add(tasks.Frame("left_hind_paw"))
    before = rows(dog)
    dog.add(tasks.Balance(supports=("left_hind_paw", "right_hind_paw")))
    assert dog._problem().without is None
    assert rows(dog) > before


def test_it_has_the_weight_of_natural() -> None:
    scene = standing(poise.human(), tasks.Balance(), natural=True)
    factors = scene._problem().blocks.factor[-2:, 1]
    assert factors[1] / factors[0] == pytest.approx(1.0 / SPREAD)
    assert factors[0] == pytest.approx(RADIANS)  # the greatest weight of a level becomes 1
    scene.add(tasks.Rest(), weight=1.0)
    assert scene._problem().blocks.factor[-2, 1] == pytest.approx(RADIANS * NATURAL_WEIGHT**0.5)


def test_each_person_is_drawn_over_its_own_supports() -> None:
    scene = poise.Scene({"anna": poise.human(), "ben": poise.human(), "dog": poise.quadruped()})
    for name in ("anna/left_foot", "ben/left_foot", "ben/right_foot", "dog/left_hind_paw"):
        scene.add(tasks.Frame(name), priority=1)
    scene.add(tasks.Balance(figure="ben"), priority=2)
    heads = scene._problem()
    before = heads.blocks.block.shape[0]
    scene.add(tasks.Balance(figure="anna", supports="anna/right_foot"), priority=2)
    assert scene._problem().blocks.block.shape[0] == before + 2  # balance, and its criterion
    scene.add(tasks.Balance(figure="dog"), priority=2)
    assert scene._problem().blocks.block.shape[0] == before + 3  # no person


def test_methods_without_rows_leave_it_out() -> None:
    scene = standing(poise.human(), tasks.Position("right_hand", (0.4, -0.2, 1.2)), natural=True)
    scene.add(tasks.Balance(supports=FEET), priority=2)
    solution = scene.solve("nlp")
    assert "Natural is left out by nlp" in " ".join(solution.notes)
    added = standing(poise.human())
    added.add(tasks.MidSupport())
    with pytest.raises(PoiseError, match="the criterion MidSupport needs a method with levels"):
        added.solve("nlp")


def test_bad_supports_are_refused() -> None:
    scene = poise.Scene(poise.human())
    with pytest.raises(PoiseError, match="'head' has no outline to stand on"):
        scene.add(tasks.MidSupport(supports="head"))
    with pytest.raises(PoiseError, match="supports must be names of sites, not 3"):
        tasks.MidSupport(supports=3)
    scene.add(tasks.MidSupport())
    with pytest.raises(PoiseError, match=r"^MidSupport has nothing to stand on: hold a site"):
        scene.solve()


def test_balance_keeps_two_centimetres_inside_the_edge_by_default(tmp_path: Path) -> None:
    assert tasks.Balance().margin == 0.02
    old = tmp_path / "old.yaml"
    old.write_text(
        "scene:\n  figure: human\n  tasks:\n    - frame: left_foot\n    - balance\n"
        "    - {balance: {supports: left_foot}, name: named}\n"
        "    - {balance: {margin: 0.03}, name: given}\n"
        "    - any: {tasks: [{balance: {supports: left_foot}}, {position: head}]}\n"
        "      name: within\n",
        encoding="utf-8",
    )
    scene = poise.Scene.load(old)
    margins = [scene.tasks[name].wanted.margin for name in ("balance", "named", "given")]
    assert margins == [0.0, 0.0, 0.03]
    assert scene.tasks["within"].wanted.tasks[0].margin == 0.0
    scene.add(tasks.Balance(supports="left_foot"), name="new")
    scene.add(tasks.MidSupport(supports="left_foot"))
    new = tmp_path / "new.yaml"
    scene.save(new)
    again = poise.Scene.load(new)
    for name in ("balance", "named", "given", "new", "mid_support"):
        assert again.tasks[name].wanted == scene.tasks[name].wanted
    text = old.read_text(encoding="utf-8").replace("scene:\n", "scene:\n  version: 2\n", 1)
    old.write_text(text, encoding="utf-8")
    assert poise.Scene.load(old).tasks["balance"].wanted.margin == 0.02
