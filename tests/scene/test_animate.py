"""Scenes whose targets move, and scenes of several figures by every method."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise.figure import Transform
from poise.models import chain, human, quadruped
from poise.models.published import person_of_63
from poise.motion import Clip
from poise.reproductions.lpik_2005.scenes import ring
from poise.tasks import Frame, HalfSpace, Loop, Position

ARM = chain(5, 0.25, "ball", limit=1.2)
PERSON = person_of_63()


def arms(count: int = 3) -> Scene:
    """Arms with roots in one point that hold each other by their tips, one after the other."""
    scene = Scene({f"p{i}": ARM for i in range(count)})
    rng = np.random.default_rng(1)
    scene.postures = {name: ARM.clamp(rng.uniform(-0.3, 0.3, ARM.n)) for name in scene.figures}
    for i in range(count - 1):
        scene.add(Loop(f"p{i}/tip", f"p{i + 1}/tip"), name=f"hands {i}")
    return scene


def wave(scene: Scene, site: str, frames: int = 20, size: float = 0.06) -> np.ndarray:
    phase = np.linspace(0, 2 * np.pi, frames)
    return scene.places[site].position + size * np.sin(phase)[:, None] * [0.1, 0.8, 0.6]


# what comes out ----------------------------------------------------------------------------


def test_every_figure_has_a_clip() -> None:
    scene = arms()
    before = {name: posture.q.copy() for name, posture in scene.postures.items()}
    path = wave(scene, "p0/link_4")
    moves = scene.animate({"p0/link_4": path}, fps=30)
    assert list(moves) == ["p0", "p1", "p2"]
    assert len(moves) == 3
    for name, clip in moves.items():
        assert isinstance(clip, Clip)
        assert clip.figure is scene.figures[name]
        assert (clip.frames, clip.fps, clip.name) == (20, 30.0, name)
        np.testing.assert_array_equal(scene.postures[name].q, before[name])
        assert all(ARM.within_limits(posture) for posture in clip)
    assert moves.solutions.met.all()
    for i, place in enumerate(path):
        here = ARM.place(moves["p0"][i])
        assert np.linalg.norm(here["link_4"].position - place) <= 1e-4
        gap = here["tip"].position - ARM.place(moves["p1"][i])["tip"].position
        assert np.linalg.norm(gap) <= 1e-4
    assert "20 frames, of which 20 meet every task" in repr(moves)
    with pytest.raises(PoiseError, match="several figures"):
        _ = moves.clip
    with pytest.raises(PoiseError, match="there is no figure 'p7'"):
        _ = moves["p7"]


def test_all_figures_go_into_one_file_with_what_they_hold(tmp_path: Path) -> None:
    scene = arms(2)
    scene.hold(poise.box(0.1, 0.1, 0.1, mass=0.2, name="parcel"), "p1/link_3")
    moves = scene.animate({"p0/link_4": wave(scene, "p0/link_4", 5)}, fps=24)
    both = moves.together
    assert (both.frames, both.fps, both.name) == (5, 24.0, "p0 and p1")
    np.testing.assert_array_equal(both.q, moves.solutions.q)
    assert "p1/link_3" in both.figure.segments
    there = both.figure.place(both[3])
    for name, clip in moves.items():
        here = clip.figure.place(clip[3])
        np.testing.assert_allclose(there[f"{name}/tip"].position, here["tip"].position, atol=1e-12)
    moves.save(tmp_path / "both.glb")
    read = poise.load_clip(tmp_path / "both.glb")
    assert (read.frames, read.fps) == (5, pytest.approx(24.0))
    names = set(read.figure.segments)
    assert {"p0_link_3", "p1_link_3"} <= names
    assert any("parcel" in name for name in names)
    # Of one figure alone it is that one's own.
    alone = Scene(ARM).animate({"tip": [(0.9, 0.2, 0.3)] * 2})
    assert alone.together.figure is alone.clip.figure


def test_a_site_is_driven_for_the_time_only_and_a_task_by_its_name() -> None:
    scene = Scene(ARM)
    scene.posture = np.full(ARM.n, 0.15)
    tip = scene.add(Position("tip"), priority=1, name="reach")
    target = np.array(tip.target)
    moves = scene.animate({"reach": wave(scene, "tip"), "link_3": wave(scene, "link_3", size=0.0)})
    assert list(scene.handles) == ["reach"]
    np.testing.assert_array_equal(tip.target, target)
    assert moves.solutions.names == ("reach", "link_3")
    assert moves.clip.frames == 20
    assert moves.solutions[3].tasks[1].priority == 1
    # A solve afterwards is as before.
    assert scene.solve().met


def test_paths_may_be_points_turns_or_places() -> None:
    scene = Scene(human(), natural=False)
    scene.add(Frame("left_foot"))
    there = scene.places["right_hand"]
    turns = [Transform.make((0, 0, 0), (0, 0, a)).rotation @ there.rotation for a in (0.0, 0.1)]
    places = [Transform.make((0, 0, z)) @ there for z in (0.0, 0.02)]
    for path, rows in (([there.position] * 2, 3), (turns, 3), (places, 6)):
        moves = scene.animate({"right_hand": path}, "lagrange")
        assert moves.solutions.met.all()
        assert moves.solutions._residual.shape[1] == 6 + rows


@pytest.mark.parametrize("method", ["lex", "priority", "nlp", "lp", "lagrange", "pinv"])
def test_methods_animate_and_keep_contacts(method: str) -> None:
    scene = arms()
    own: dict[str, Any] = {"limits": "added"} if method == "pinv" else {}
    moves = scene.animate({"p0/link_4": wave(scene, "p0/link_4", 10)}, method, **own)
    assert moves.solutions.met.all()
    # Without a jump from frame to frame.
    assert np.abs(np.diff(moves.solutions.q, axis=0)).max() < 0.3


def test_progress_is_told_after_each_frame(capsys: pytest.CaptureFixture[str]) -> None:
    scene, calls = arms(2), list[tuple[int, int]]()
    path = {"p0/link_4": wave(scene, "p0/link_4", 4)}
    scene.animate(path, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    scene.animate(path, progress=True)
    assert capsys.readouterr().out == ""


def test_the_smoothing_term_knows_the_step_before() -> None:
    scene = Scene(PERSON)
    for foot in ("left_foot", "right_foot"):
        scene.add(Position(foot))
    start = scene.places["right_hand"].position
    path = start + np.linspace(0, 0.35, 40)[:, None] * np.array([1.0, 0.0, 0.6])

    def roughness(**own: Any) -> float:
        q = scene.animate({"right_hand": path}, "lp", **own).solutions.q
        return float(np.abs(np.diff(q[1:], 3, axis=0)).sum())

    assert roughness(alpha=1.0) < 0.6 * roughness(alpha=0.0)


def test_what_methods_say_of_frames_is_kept_once() -> None:
    scene = Scene(ARM)
    scene.posture = np.full(ARM.n, 0.15)
    scene.add(Position("link_2"), name="here")
    far = scene.places["tip"].position + np.linspace(0, 3, 6)[:, None] * [1.0, 0, 0]
    moves = scene.animate({"tip": far}, "lp")
    assert not moves.solutions.met.all()
    assert len(moves.notes) == len(set(moves.notes)) >= 1
    assert any("'tip' gave way" in note for note in moves.notes)


# many figures ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["lagrange", "lp"])
def test_a_ring_holds_hands_to_a_tenth_of_a_millimetre(method: str) -> None:
    scene = ring(4)
    lower = np.array([0.0, 0.0, -0.06])  # legs are straight at rest
    sites = [f"p{i}/upper_back" for i in range(4)]
    paths = {site: wave(scene, site, 12, 0.04) + lower for site in sites}
    moves = scene.animate(paths, method)
    assert moves.solutions.met.all()
    assert moves.solutions.errors.max() <= 1e-4
    for clip in moves.values():
        assert all(PERSON.within_limits(posture) for posture in clip)


@pytest.mark.parametrize("method", ["lagrange", "lp", "lex"])
def test_a_person_joins_the_ring_and_leaves_it(method: str) -> None:
    scene = ring(4)
    newcomer = 3
    for name in ("hands 2", "hands 3"):
        scene.handles[name].enabled = False
    closed = scene.add(Loop("p2/right_hand", "p0/left_hand"), name="closed")
    scene.postures = _held(scene, method, 3)
    closed.enabled = False  # p3 comes between p2 and p0
    for name in ("hands 2", "hands 3"):
        scene.handles[name].enabled = True
    scene.postures = _held(scene, method, 4)
    for name in ("hands 2", "hands 3"):
        scene.handles[name].remove()
    closed.enabled = True
    apart = _held(scene, method, 3)
    left = scene.postures[f"p{newcomer}"].q  # its feet may still be set right by a hair
    np.testing.assert_allclose(apart[f"p{newcomer}"].q, left, atol=1e-4)


def _held(scene: Scene, method: str, contacts: int) -> Any:
    solution = scene.solve(method)
    assert solution.met
    loops = [name for name, task in solution.wanted.items() if isinstance(task, Loop)]
    assert len(loops) == contacts
    return solution.postures


@pytest.mark.parametrize("method", ["lex", "priority", "nlp", "lagrange", "lp"])
def test_figures_of_different_kinds_are_one_problem(method: str) -> None:
    scene = Scene({"person": human(), "dog": quadruped(), "lead": chain(6, 0.2, "ball")})
    scene.stand("person", (0.0, 0.6, 0.0))
    scene.stand("dog", (0.3, -0.5, 0.0))
    scene.postures = {"lead": np.full(18, 0.1)}
    scene.add(Frame("person/left_foot"), priority=1)
    scene.add(Position("dog/left_hind_paw"), priority=1)
    scene.add(Loop("person/right_hand", "lead/link_4"), priority=1, name="hold")
    scene.add(Loop("dog/nose", "lead/tip"), priority=1, name="leash")
    scene.add(HalfSpace("dog/nose", (0, 0, 0.05), normal=(0, 0, 1)), priority=1, name="floor")
    solution = scene.solve(method, max_iterations=1000)
    assert solution.met
    for name, posture in solution.postures.items():
        assert scene.figures[name].within_limits(posture)


@pytest.mark.parametrize("method", ["lex", "priority"])
def test_priorities_go_across_figures(method: str) -> None:
    scene = Scene({"one": ARM, "two": ARM})
    scene.postures = {"one": np.full(ARM.n, 0.1), "two": np.full(ARM.n, 0.2)}
    scene.add(Position("two/tip", (0.8, -0.4, 0.2)), priority=3, name="last")
    scene.add(Loop("one/tip", "two/tip"), priority=1, name="contact")
    scene.add(Position("one/tip", (0.8, 0.4, 0.2)), priority=2, name="first")
    solution = scene.solve(method)
    errors = {report.name: report.error for report in solution.tasks}
    assert errors["contact"] < 1e-4
    assert errors["first"] < 1e-4
    assert errors["last"] == pytest.approx(0.8, abs=1e-3)


# what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "own", "message"),
    [
        ({}, {}, "targets must be given by the names of tasks or sites, not as {}"),
        ({"p0/tipp": [(0, 0, 0)]}, {}, "there is no task or site 'p0/tipp'; did you mean 'p0/tip'"),
        ({"p0/tip": 3}, {}, "the path of 'p0/tip' must be points (k, 3), frames (k, 4, 4)"),
        ({"p0/tip": [(0, 0)]}, {}, "the path of 'p0/tip' must be points (k, 3), frames (k, 4, 4)"),
        ({"hands 0": [(0, 0, 0)]}, {}, "'hands 0' is a Loop, which has no target"),
        (
            {"p0/tip": [(0, 0, 0)], "p1/link_2": [(0, 0, 0)] * 2},
            {},
            "there must be as many targets for each task, not 1 for 'p0/tip', 2 for 'p1/link_2'",
        ),
        ({"p0/tip": np.zeros((0, 3))}, {}, "an animation needs at least one frame"),
        ({"p0/tip": [(0, 0, np.nan)]}, {}, "target 0 of 'p0/tip'"),
        ({"p0/tip": [(0, 0, 0)]}, {"fps": 0}, "the frames per second must be greater than 0"),
        ({"p0/tip": [(0, 0, 0)]}, {"method": "lpp"}, "there is no method 'lpp'"),
        ({"p0/tip": [(0, 0, 0)]}, {"speed": 1}, "there is no lex option 'speed'"),
        ({"p0/tip": [(0, 0, 0)]}, {"progress": 3}, "progress must be True, False or a function"),
    ],
)
def test_what_cannot_be_animated_is_said(
    targets: dict[str, Any], own: dict[str, Any], message: str
) -> None:
    scene = arms(2)
    with pytest.raises(PoiseError, match=re.escape(message)):
        scene.animate(targets, **own)
    assert list(scene.handles) == ["hands 0"]


def test_restarts_would_jump() -> None:
    scene = arms(2)
    scene.options = poise.scene.Options(restarts=3)
    with pytest.raises(PoiseError, match="restarts would make a motion jump"):
        scene.animate({"p0/tip": [(0.5, 0, 0)]})
