"""Scenes, and all that hangs on them, sent to other processes and copied."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise import tasks as t
from poise.figure import Figure
from poise.models import catalogue
from poise.scene import Solution

ENTRIES = {entry.name: entry.build for entry in catalogue()}
PATH = [(0.4, -0.2, 1.1 + 0.02 * i) for i in range(3)]


def level(posture: poise.Posture, places: Any) -> list[float]:
    """What a custom task asks: both hands at the same height."""
    return [places["left_hand"].position[2] - places["right_hand"].position[2] - 0.1]


def standing(*more: t.Task) -> Scene:
    scene = Scene(poise.human())
    scene.add(t.Frame("left_foot"))
    scene.add(t.Frame("right_foot"))
    scene.add(t.Balance(), priority=2)
    scene.add(t.Position("right_hand", (0.4, -0.2, 1.1)), priority=3, name="reach")
    for task in more:
        scene.add(task, priority=4)
    scene.add(t.Rest(scene.posture), weight=0.1)
    scene.hold(poise.box(0.2, 0.2, 0.2, mass=2.0), "left_hand")
    scene.place(poise.sphere(0.1, name="ball"), (1.0, 0.0, 0.1))
    scene.forces.support("left_foot", ratio=0.5)
    scene.forces.support("right_foot", ratio=0.5)
    scene.forces.apply("right_hand", force=(-20.0, 0.0, 0.0))
    return scene


def sent(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


WAYS: dict[str, Callable[[Any], Any]] = {"pickled": sent, "deep copy": copy.deepcopy}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def same_solution(one: Solution, other: Solution) -> None:
    assert one.q.tobytes() == other.q.tobytes()
    assert (one.status, one.iterations, one.notes) == (other.status, other.iterations, other.notes)
    assert [str(report) for report in one.tasks] == [str(report) for report in other.tasks]


@ways
@pytest.mark.parametrize("name", ENTRIES)
def test_every_ready_figure_comes_back_as_it_was(name: str, way: Callable[[Any], Any]) -> None:
    figure = ENTRIES[name]()
    joint = next(iter(figure.stiffness))
    figure.stiffness[joint] = 0.25
    figure.lock(joint)
    assert figure.bounds is not None  # made when it is first asked for
    again: Figure = way(figure)
    assert again is not figure
    assert again.coordinates == figure.coordinates
    assert again.joints == figure.joints
    assert again.segments == figure.segments
    assert again.recipe == figure.recipe
    assert again.locked_names == figure.locked_names
    assert dict(again.stiffness) == dict(figure.stiffness)
    for one, other in zip(
        figure.place(figure.rest()).values(), again.place(again.rest()).values(), strict=True
    ):
        assert one.position.tobytes() == other.position.tobytes()
        assert one.rotation.tobytes() == other.rotation.tobytes()
    for limits in (again.lower, again.upper):
        with pytest.raises(ValueError, match="read-only"):
            limits[:] = 0.0
    again.unlock()
    again.stiffness[joint] = 0.0
    assert figure.locked_names
    assert figure.stiffness[joint] == 0.25


@pytest.mark.parametrize("name", ENTRIES)
def test_a_scene_of_any_ready_figure_solves_to_the_same_bits_after_pickling(name: str) -> None:
    figure = ENTRIES[name]()
    scene = Scene(figure)
    site = list(figure.sites or figure.segments)[-1]
    goal = scene.places[site].position + (0.05, 0.02, 0.04)
    scene.add(t.Position(site, goal), name="reach")
    scene.add(t.Rest(), weight=0.1)
    again = sent(scene)
    found = scene.solve()
    same_solution(found, again.solve())
    same_solution(found, sent(found))
    assert again.figure.coordinates == figure.coordinates
    assert again.figure is not figure


@ways
def test_a_scene_comes_back_whole_and_goes_its_own_way(way: Callable[[Any], Any]) -> None:
    scene = standing()
    again = way(scene)
    same_solution(scene.solve(), again.solve())
    assert [repr(each) for each in again.handles.values()] == list(
        map(repr, scene.handles.values())
    )
    assert again.forces.supports == scene.forces.supports
    again.handles["reach"].target = (0.5, -0.1, 1.2)
    again.forces.clear()
    again.release("box")
    again.figure.lock("neck")
    assert scene.handles["reach"].target == (0.4, -0.2, 1.1)
    assert scene.forces.supports
    assert scene.props["box"].is_held
    assert not scene.figure.locked_names
    assert np.allclose(again.solve().places["right_hand"].position, (0.5, -0.1, 1.2), atol=1e-3)
    scene.posture = scene.solve().posture  # a scene that has been solved, at its solution
    same_solution(way(scene).solve(), scene.solve())


def test_several_figures_come_back_with_what_they_share() -> None:
    pair = Scene({"anna": poise.human(sex="female"), "ben": poise.human()})
    pair.stand("ben", position=(0.8, 0.0, 0.0), heading=np.pi)
    pair.add(t.Loop("anna/right_hand", "ben/right_hand"), priority=2)
    pair.add(t.Rest(pair.postures["ben"]))
    again = sent(pair)
    same_solution(pair.solve(), again.solve())
    assert again.handles["rest"].posture.figure is again.given["ben"]


def test_a_shallow_copy_of_a_scene_has_handles_and_forces_of_its_own() -> None:
    scene = standing()
    other = copy.copy(scene)
    other.handles["reach"].target = (0.5, -0.1, 1.2)
    other.handles["balance"].remove()
    other.forces.clear()
    assert scene.handles["reach"].target == (0.4, -0.2, 1.1)
    assert "balance" in scene.handles
    assert scene.forces.supports
    posture = scene.posture
    copy.copy(posture)["left_knee"] = 0.5
    assert posture["left_knee"] != 0.5
    copy.copy(scene.figure).lock("neck")
    assert not scene.figure.locked_names


def test_a_handle_is_copied_with_its_scene_only() -> None:
    scene = standing()
    handle = scene.handles["reach"]
    for alone in (copy.copy, copy.deepcopy):
        with pytest.raises(PoiseError, match=r"scene\.copy\(\), and its handles\['reach'\]"):
            alone(handle)
    for things in ([handle, scene], [scene, handle]):
        again = copy.deepcopy(things)
        other = next(each for each in again if isinstance(each, Scene))
        reach = next(each for each in again if not isinstance(each, Scene))
        assert other.handles["reach"] is reach
        reach.target = (0.5, -0.1, 1.2)
        assert other.assess().wanted != scene.assess().wanted
    assert handle.target == (0.4, -0.2, 1.1)
    handle.remove()
    with pytest.raises(PoiseError, match="was removed from its scene"):
        copy.deepcopy([handle])[0].weight = 2.0


@pytest.fixture(scope="module")
def things() -> dict[str, Any]:
    """One of everything that a scene gives."""
    scene = standing(t.Custom(level, 1))
    solution, many = scene.solve(), scene.solve_many({"reach": PATH})
    moves = scene.animate({"reach": PATH})
    return {
        "scene": scene,
        "solution": solution,
        "solutions": many,
        "animation": moves,
        "clip": moves.clip,
        "figure": scene.figure,
        "posture": solution.posture,
        "postures": scene.postures,
        "placements": solution.places,
        "transform": solution.places["left_hand"],
        "handle": scene.handles["reach"],
        "handles": scene.handles,
        "report": solution.tasks[-1],
        "obstruction": solution.tasks[-1].obstruction,
        "options": scene.options,
        "forces": scene.forces,
        "supports": scene.forces.supports,
        "reactions": scene.forces.reactions(),
        "torques": solution.torques(),
        "distribution": scene.forces.distribute(),
        "strongest": scene.forces.strongest("right_hand", "x"),
        "diagram": scene.forces.diagram("right_hand", directions=4),
        "strengths": scene.forces.acting.strengths,
        "stiffness": scene.figure.stiffness,
        "props": scene.props,
        "prop": scene.props["box"].prop,
        "wanted": solution.wanted,
        "origin": poise.scene.Origin("human"),
        "builder": poise.Builder("arm"),
    }


NAMES = (
    *("scene", "solution", "solutions", "animation", "clip", "figure", "posture", "postures"),
    *("placements", "transform", "handle", "handles", "report", "obstruction", "options"),
    *("forces", "supports", "reactions", "torques", "distribution", "strongest", "diagram"),
    *("strengths", "stiffness", "props", "prop", "wanted", "origin", "builder"),
)


@ways
@pytest.mark.parametrize("name", NAMES)
def test_everything_public_comes_back(
    things: dict[str, Any], name: str, way: Callable[[Any], Any]
) -> None:
    thing = things[name]
    again = way([thing])[0]
    assert type(again) is type(thing)
    assert repr(again) == repr(thing)
    assert str(again) == str(thing)


def test_results_come_back_with_every_number(things: dict[str, Any]) -> None:
    many, moves = sent(things["solutions"]), sent(things["animation"])
    assert many.q.tobytes() == things["solutions"].q.tobytes()
    assert many.errors.tobytes() == things["solutions"].errors.tobytes()
    same_solution(many[1], things["solutions"][1])
    assert moves.clip.q.tobytes() == things["clip"].q.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        sent(things["clip"]).q[:] = 0.0
    assert sent(things["handle"]).target == things["handle"].target


@ways
@pytest.mark.parametrize("tasks", ["alone", "among others"])
def test_a_custom_task_is_asked_at_its_address_in_this_process(
    tasks: str, way: Callable[[Any], Any]
) -> None:
    custom = t.Custom(level, 1)
    unmet = t.Position("right_hand", (5.0, 0.0, 1.0))
    scene = Scene(poise.human())
    scene.add(t.Frame("left_foot"))
    scene.add(custom if tasks == "alone" else t.Any([custom, t.Position("head", (0, 0, 9))]))
    scene.add(unmet, priority=2)
    found = scene.solve(max_iterations=20)
    again = way(found)
    del scene
    assert again._problem.kept[0] is not found._problem.kept[0]
    addresses = [
        each._problem.blocks.block[2:, 2].tolist() + each._problem.blocks.values.tolist()
        for each in (found, again)
    ]
    assert addresses[0] != addresses[1]  # so that what follows asks the new one
    same_solution(found, again)


def test_a_custom_task_that_no_other_process_could_find_says_so() -> None:
    scene = standing(t.Custom(lambda posture, places: [0.0], 1))
    with pytest.raises(PoiseError, match=r"cannot be pickled: .*<lambda>.* top of a module"):
        pickle.dumps(scene)
    with pytest.raises(PoiseError, match="cannot be pickled"):
        pickle.dumps(scene.solve(max_iterations=1))
    same_solution(copy.deepcopy(scene).solve(), scene.solve())


def fails(posture: poise.Posture, places: Any) -> list[float]:
    """A custom task that can be added, and fails when the figure moves."""
    if abs(posture.q).sum() > 1e-3 and places["tip"].position[2] != 0.0:
        raise ValueError("no such posture")
    return [places["tip"].position[2] - 0.1]


def test_errors_come_back_from_other_processes() -> None:
    scene = Scene(poise.chain(3))
    scene.add(t.Custom(fails, 1))
    with pytest.raises(PoiseError, match="no such posture") as failure:
        scene.solve()
    with pytest.raises(PoiseError, match="nothing supports") as unsupported:
        Scene(poise.human()).forces.torques()
    with pytest.raises(PoiseError, match="wieght") as closed:
        scene.handles["custom"].wieght = 2
    for error in (failure.value, unsupported.value, closed.value):
        again = sent(error)
        assert type(again) is type(error)
        assert str(again) == str(error)


def test_scenes_are_solved_in_spawned_processes() -> None:
    scene = standing(t.Custom(level, 1))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        found = pool.submit(Scene.solve, scene).result(timeout=300)
        moves = pool.submit(Scene.animate, scene, {"reach": PATH}).result(timeout=300)
    # Code that a process compiled itself rounds otherwise than the same code from the cache.
    here = scene.solve()
    assert (found.status, found.met) == (here.status, here.met)
    np.testing.assert_allclose(found.q, here.q, atol=1e-5)
    again = scene.animate({"reach": PATH}).clip.q
    np.testing.assert_allclose(moves.clip.q, again, atol=1e-5)
    scene.posture = found.posture  # the figure is another object, with the same coordinates
    assert scene.assess().met == found.met
