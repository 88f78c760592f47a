"""The gallery of everyday goals; what it shows is for people to judge."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import poise
from poise.solvers import lex

DOCS = Path(__file__).parents[2] / "docs"


def test_every_goal_is_a_scene_of_a_person_in_balance(gallery: ModuleType) -> None:
    woman = gallery.human("woman-162")
    for goal in gallery.GOALS:
        scene = gallery.scene_of(goal, woman)
        kinds = [type(task).__name__ for task in scene.solve().wanted.values()]
        assert "Balance" in kinds, goal
        assert "Aim" in kinds, goal
        assert kinds.count("Frame") >= 1, goal


def test_places_on_the_body_grow_with_the_person(gallery: ModuleType) -> None:
    small, tall = (gallery.Person(gallery.human(name)) for name in ("woman-162", "man-190"))
    assert small.size == pytest.approx(1.62 / 1.75, abs=1e-3)
    assert tall.size == pytest.approx(1.90 / 1.75, abs=1e-3)


def test_numbers_at_rest_are_nothing(gallery: ModuleType) -> None:
    person = gallery.Person(poise.human())
    person.stand()
    numbers = gallery.numbers_of(person.scene.solve())
    assert numbers.lean < 1.0
    # The centre of mass at rest is 31 mm behind the middle of the soles, to which it is drawn.
    assert numbers.head < 0.025
    assert numbers.missed == ()


def test_numbers_say_what_is_not_met(gallery: ModuleType) -> None:
    person = gallery.Person(poise.human())
    person.stand()
    person.bring("right_hand", (3.0, 0.0, 1.0))
    numbers = gallery.numbers_of(person.scene.solve(restarts=0))
    assert numbers.lean > 20.0
    assert len(numbers.missed) == 1
    assert numbers.missed[0].startswith("right_hand ")
    assert "not met: right_hand" in numbers.lines()[-1]


def test_a_sheet_of_two_goals_is_drawn(gallery: ModuleType, tmp_path: Path) -> None:
    arguments = ["trial", "hip", "knock", "--folder", str(tmp_path), "--people", "man-175"]
    assert gallery.main(arguments) == 0
    from PIL import Image

    image = np.asarray(Image.open(tmp_path / "gallery-trial-man-175.png").convert("RGB"))
    assert image.shape[1] == 2 * gallery.CELL[0]
    assert image.std() > 10.0


def test_a_goal_that_is_not_there_is_refused(
    gallery: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        gallery.main(["trial", "chins"])
    assert "there is no goal 'chins'" in capsys.readouterr().err


def test_before_is_without_natural_and_after_is_as_scenes_are_made(gallery: ModuleType) -> None:
    woman = gallery.human("woman-162")
    assert gallery.scene_of("chin", woman).natural is poise.Scene(woman).natural is True
    assert gallery.scene_of("chin", woman, natural=False).natural is False


def test_a_sheet_of_after_is_called_as_the_page_shows_it(gallery: ModuleType) -> None:
    page = (DOCS / "natural.md").read_text(encoding="utf-8")
    for person in gallery.PEOPLE:
        assert f"(pictures/{gallery.file_name('after', person)})" in page
    assert gallery.file_name("before", "man-175") == "gallery-before-man-175.png"


@pytest.mark.parametrize("goal", ["belly", "shelf-18", "look-behind", "floor-both", "knock"])
def test_a_nudge_finds_nothing_more_natural_near_by(gallery: ModuleType, goal: str) -> None:
    """What rested on a saddle, or in a slow valley, was up to a tenth above what a nudge found."""
    man = gallery.human("man-175")
    solution = gallery.scene_of(goal, man).solve(restarts=0)
    problem = solution._problem.twin()
    criteria = len(problem.level_priorities)
    before = problem.levels(solution._outcome.residual)[criteria]
    rng = np.random.default_rng(3)
    for _ in range(3):
        nudged = man.clamp(solution.posture.with_q(solution.q + rng.normal(0.0, 1e-3, man.n))).q
        found = lex.solve(problem, nudged, tolerance=1e-4, max_iterations=200, max_seconds=None)
        assert problem.levels(found.residual)[criteria] > 0.985 * before
