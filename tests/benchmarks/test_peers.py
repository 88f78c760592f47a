"""What of the comparison with other solvers needs none of them."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lines import Worker
from peers.asked import Coordinates, Problem
from peers.environments import Environment, UnavailableError, find_python, interpreter
from peers.loop import repeated
from peers.ours import Kernel
from peers.person import FEET, FRAMES, anywhere, motion, person, places_of
from peers.running import Here, There, begun, exported, matrices
from peers.worker import Asked, Desk, RefusedError, Values

NEEDED = Environment("nothing", (3, 12), ("no-such-package==1.0",))


class Stays:
    """A solver that puts its root where the first goal is, and nothing else."""

    def __init__(self, asked: Asked) -> None:
        if asked.first:
            raise RefusedError("it has no ranks")
        self._frames = len(asked.frames)

    def start(self, posture: Values) -> None:
        self._posture = posture.copy()

    def solve(self, goals: Values) -> None:
        self._posture[:3] += goals[0, :3, 3]

    def posture(self) -> Values:
        return self._posture.copy()

    def places(self) -> Values:
        return np.tile(np.eye(4), (self._frames, 1, 1))


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    folder = tmp_path_factory.mktemp("person")
    return Problem(person(folder), folder, FRAMES, (), turns=False, warm=True, cap=20)


def test_a_problem_crosses_to_those_without_poise_whole(track: Problem) -> None:
    handed = exported(track)
    assert Asked.read(json.loads(json.dumps(handed.document()))) == handed
    assert len(handed.joints) == track.figure.n - 6 == 48
    for name in ("person.xml", "person.urdf", "floating.urdf"):
        assert (track.folder / name).stat().st_size > 0


def test_goals_cross_as_matrices(track: Problem) -> None:
    goals = motion(track.figure)
    array = matrices(goals, FRAMES)
    assert array.shape == (60, 6, 4, 4)
    assert np.array_equal(array[7, 2, :3, 3], goals[7]["left_foot_goal"].position)
    assert np.array_equal(array[7, 2, :3, :3], goals[7]["left_foot_goal"].rotation)
    assert np.array_equal(array[7, 2, 3], [0.0, 0.0, 0.0, 1.0])


def test_postures_cross_there_and_back(track: Problem) -> None:
    figure = track.figure
    at = {name: 7 + i for i, name in enumerate(exported(track).joints)}
    coordinates = Coordinates(figure, at, real_first=True)
    rng = np.random.default_rng(0)
    q = figure.clamp(figure.rest().q + rng.uniform(-0.5, 0.5, figure.n)).q
    assert np.allclose(coordinates.ours(coordinates.theirs(q)), q, atol=1e-12)


@pytest.mark.parametrize(("warm", "ends"), [(True, [1.0, 3.0]), (False, [1.0, 2.0])])
def test_a_run_starts_from_the_posture_before_or_from_the_start(
    track: Problem, tmp_path: Path, warm: bool, ends: list[float]
) -> None:
    desk = Desk(Stays)
    handed = exported(replace(track, warm=warm))
    assert desk.reply({"do": "take", "problem": handed.document()}) == {}
    goals = np.tile(np.eye(4), (2, 6, 1, 1))
    goals[:, 0, 0, 3] = 1.0, 2.0
    np.save(tmp_path / "goals.npy", goals)
    np.save(tmp_path / "starts.npy", np.zeros((2, 55)))
    paths = {name: str(tmp_path / f"{name}.npy") for name in ("goals", "starts", "postures")}
    answer = desk.reply({"do": "run", **paths})
    assert len(answer["seconds"]) == 2
    assert np.load(paths["postures"])[:, 0].tolist() == ends


def test_a_solver_may_refuse_a_kind_of_problem(track: Problem) -> None:
    handed = exported(replace(track, first=FEET))
    answer = Desk(Stays).reply({"do": "take", "problem": handed.document()})
    assert answer == {"refused": "it has no ranks"}


def test_a_run_without_a_problem_is_an_error() -> None:
    with pytest.raises(ValueError, match="no problem has been given"):
        Desk(Stays).reply({"do": "run"})


STAYS = """
from peers.worker import serve
from tests.benchmarks.test_peers import Stays
serve(Stays)
"""


def test_a_pass_in_a_worker_comes_back_in_our_coordinates(track: Problem, tmp_path: Path) -> None:
    (tmp_path / "stays.py").write_text(STAYS, encoding="utf-8")
    root = Path(__file__).parents[2]
    paths = [tmp_path, root, root / "src"]
    goals = motion(track.figure)[:3]
    with Worker(Path(sys.executable), "stays", paths=paths) as worker:
        done = There(worker, track).run(goals)
        assert There(worker, track).places(done.q[0]).keys() == set(FRAMES)
    rest = track.figure.rest().q
    moved = np.cumsum([goal[FRAMES[0]].position for goal in goals], axis=0)
    assert np.allclose(done.q[:, :3], rest[:3] + moved)
    assert np.allclose(done.q[:, 3:], rest[3:])
    assert done.seconds.shape == (3,)


def test_problems_may_start_from_postures_of_their_own(track: Problem) -> None:
    goals, starts = anywhere(track.figure, 0, 2, human=True)
    cold = replace(track, warm=False)
    assert np.array_equal(begun(cold, 2, starts), starts)
    assert np.array_equal(begun(cold, 2, None)[1], track.figure.rest().q)
    with pytest.raises(ValueError, match="for 2 problems"):
        begun(cold, 2, starts[:1])
    with pytest.raises(ValueError, match="warm"):
        begun(track, 2, starts)
    own = [places_of(track.figure, start) for start in starts]
    done = Here(Kernel, cold).run(own, starts)
    assert np.allclose(done.q, starts)  # each is at its goals already
    assert not np.allclose(Here(Kernel, cold).run(goals, starts).q, starts)


def test_the_loop_ends_when_nothing_is_gained_or_all_is_met() -> None:
    errors = iter([1.0, 0.5, 0.5, 0.5, 0.5, 0.1])
    steps: list[int] = []
    repeated(lambda: steps.append(1), lambda: next(errors), cap=20)
    assert len(steps) == 4
    steps.clear()
    repeated(lambda: steps.append(1), lambda: 1e-5, cap=20)
    assert not steps


def test_without_its_python_a_peer_is_left_out_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match=r"^no Python 3\.12 on the PATH or in ~/\.pyenv"):
        interpreter(NEEDED, folder=tmp_path, find=lambda version: None)


def test_what_fails_on_the_way_says_its_last_line(tmp_path: Path) -> None:
    broken = program(tmp_path / "python", "echo first >&2; echo 'disk is full' >&2; exit 1")
    with pytest.raises(UnavailableError, match=r"^venv failed: disk is full$"):
        interpreter(NEEDED, folder=tmp_path / "peers", find=lambda version: broken)


def test_an_environment_is_used_again_while_its_requirements_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "nothing" / "bin").mkdir(parents=True)
    python = program(tmp_path / "nothing" / "bin" / "python", "exit 0")
    stamp = tmp_path / "nothing" / "installed.txt"
    stamp.write_text("no-such-package==1.0\n", encoding="utf-8")
    assert interpreter(NEEDED, folder=tmp_path, find=lambda version: None) == python
    stamp.write_text("no-such-package==0.9\n", encoding="utf-8")
    with pytest.raises(UnavailableError):
        interpreter(NEEDED, folder=tmp_path, find=lambda version: None)


def test_a_shim_that_does_not_run_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "python9.9", "exit 127")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_python((9, 9)) is None
    program(tmp_path / "python9.9", "exit 0")
    assert find_python((9, 9)) == tmp_path / "python9.9"


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
