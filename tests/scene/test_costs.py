"""Small inputs with a huge cost are refused before memory is asked for, or said to be slow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene, tasks
from poise.figure import Placements, Posture
from poise.models.chain import MOST_COORDINATES
from poise.solvers import lex


def test_a_chain_too_long_is_refused_with_the_memory_it_would_take() -> None:
    with pytest.raises(PoiseError, match=r"100000 links .* too many: 100000 .* 640 GB"):
        poise.chain(100_000)
    with pytest.raises(PoiseError, match=r"may have 5000 coordinates, so 1667 links .* balls"):
        poise.chain(MOST_COORDINATES // 3 + 1, joint="ball")
    assert poise.chain(1000).n == 1000


def test_a_scene_file_with_one_is_refused_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("scene:\n  figure: {ready: chain, arguments: {n: 100000}}\n", encoding="utf-8")
    with pytest.raises(PoiseError, match=r"long\.yaml, line 2.*may have 5000 coordinates"):
        Scene.load(path)


def _ladder(priorities: int) -> Scene:
    scene = Scene(poise.chain(3))
    for priority in range(1, priorities + 1):
        scene.add(tasks.Position("tip", (0.2, 0.0, 0.1)), priority=priority, name=f"{priority}")
    return scene


def test_too_many_priorities_are_refused_with_the_memory_and_how_many_are_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(PoiseError, match=r"would need .* GiB for 2000 priorities .*about \d+ prio"):
        _ladder(2000).solve()
    monkeypatch.setattr(lex, "LARGEST", 1_000_000)
    with pytest.raises(PoiseError, match="about 14 priorities") as refused:
        _ladder(20).solve()
    assert "the same priority" in str(refused.value)
    assert _ladder(14).solve().met


@pytest.mark.parametrize("method", ["lex", "priority", "nlp", "lp"])
def test_a_lack_of_memory_is_an_error_that_names_the_size(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: Any, **__: Any) -> None:
        raise MemoryError("Unable to allocate 286. GiB for an array")

    monkeypatch.setattr(f"poise.solvers.{method}.solve", none_left)
    size = r"with 3 coordinates, 6 rows and 2 priorities: Unable to allocate 286\. GiB"
    with pytest.raises(PoiseError, match=f"not enough memory for {method} {size}"):
        _ladder(2).solve(method)


def test_a_file_for_which_memory_does_not_suffice_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: Any, **__: Any) -> None:
        raise MemoryError("Unable to allocate 9.6 GiB for an array")

    Scene(poise.chain(2)).save(tmp_path / "scene.yaml")
    poise.chain(2).save(tmp_path / "chain.yaml")
    monkeypatch.setattr("poise.figure.figure.Figure.__init__", none_left)
    with pytest.raises(PoiseError, match=r"scene\.yaml' describes: Unable to allocate 9\.6 GiB"):
        Scene.load(tmp_path / "scene.yaml")
    with pytest.raises(PoiseError, match=r"chain\.yaml' holds: Unable to allocate 9\.6 GiB"):
        poise.load(tmp_path / "chain.yaml")


def _height(posture: Posture, places: Placements) -> list[float]:
    return [float(places["tip"].position[2]) - 0.1]


def test_forward_differences_ask_half_as_often() -> None:
    asked: list[int] = []

    def counted(posture: Posture, places: Placements) -> list[float]:
        asked.append(1)
        return _height(posture, places)

    times: dict[str, int] = {}
    for kind in ("central", "forward"):
        asked.clear()
        scene = Scene(poise.chain(20))
        scene.add(tasks.Custom(counted, 1, differences=kind))
        scene.assess()
        times[kind] = len(asked)
    assert times["forward"] <= 0.6 * times["central"]


@pytest.mark.parametrize("differences", ["central", "forward"])
def test_both_kinds_of_differences_solve(differences: Any) -> None:
    scene = Scene(poise.chain(5))
    scene.posture = np.full(5, 0.1)
    scene.add(tasks.Custom(_height, 1, differences=differences), name="height")
    solution = scene.solve()
    assert solution.met
    assert solution.notes == ()
    assert solution.places["tip"].position[2] == pytest.approx(0.1, abs=2e-4)


def test_a_solution_says_that_differences_of_many_coordinates_take_long() -> None:
    scene = Scene(poise.chain(40, length=0.02))
    handle = scene.add(tasks.Custom(_height, 1), name="height")
    (note,) = scene.solve(max_iterations=2).notes
    assert note == (
        "the custom task '_height' has no jacobian, so each derivative asks for it 80 times; "
        "differences='forward' asks 40 times"
    )
    handle.remove()
    scene.add(tasks.Custom(_height, 1, differences="forward"), name="height")
    (note,) = scene.solve(max_iterations=2).notes
    assert note.endswith("asks for it 40 times")


def test_other_kinds_of_differences_are_refused() -> None:
    wrong: Any = "backward"
    with pytest.raises(PoiseError, match="must be 'central' or 'forward', not 'backward'"):
        tasks.Custom(_height, 1, differences=wrong)


def test_a_choice_passes_on_what_its_members_cost_once_each() -> None:
    scene = Scene(poise.chain(40, length=0.02))
    quick = tasks.Position("tip", (0.2, 0.0, 0.1))
    slow = tasks.Custom(_height, 1)
    forward = tasks.Custom(_height, 1, differences="forward")
    scene.add(tasks.Any([quick, slow, forward, slow]), name="either")
    first, second = scene.solve(max_iterations=2).notes
    assert "asks for it 80 times; differences='forward'" in first
    assert second.endswith("asks for it 40 times")
