"""Reachable goals that are counted: a few of each kind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import reachable
from peers.person import FRAMES, RANGES, anywhere, person, ranges
from postures import MOVED, TURNED, random_posture, seeds

import poise
from poise import Scene, tasks
from poise.figure import Figure
from poise.figure.kinds import Free
from poise.figure.transform import rotation_vector


@pytest.fixture(scope="module")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Figure:
    return person(tmp_path_factory.mktemp("person"))


def test_random_postures_keep_limits_and_the_root_near_rest() -> None:
    human, rng = poise.human(), np.random.default_rng(0)
    root = human.root_coordinates
    rest = Free().motion(human.rest().q[root])
    turns: list[float] = []
    for _ in range(50):
        posture = random_posture(human, rng)
        assert human.within_limits(posture)
        place = Free().motion(posture.q[root])
        assert np.abs(place.position - rest.position).max() <= MOVED
        turns.append(float(np.linalg.norm(rotation_vector(place.rotation @ rest.rotation.T))))
    assert 0.5 * TURNED < max(turns) <= TURNED + 1e-9


def test_random_postures_reach_from_one_end_of_a_limit_to_the_other() -> None:
    hand, rng = poise.hand(), np.random.default_rng(0)
    drawn = np.array([random_posture(hand, rng).q for _ in range(200)])
    at = hand.index("right_index_pip.flexion")
    least, most = drawn[:, at].min(), drawn[:, at].max()
    assert most - least > 0.9 * (hand.upper[at] - hand.lower[at])


def test_the_root_of_a_hand_that_is_held_stays() -> None:
    hand = poise.hand()
    posture = random_posture(hand, np.random.default_rng(0))
    rest = hand.place(hand.rest())["right_hand"].position
    assert np.array_equal(hand.place(posture)["right_hand"].position, rest)


def test_seeds_are_written_as_ranges_or_lists() -> None:
    assert seeds("100-104") == [100, 101, 102, 103, 104]
    assert seeds("3,7-8") == [3, 7, 8]


def test_a_persons_ranges_are_mirrored(figure: Figure) -> None:
    lower, upper = ranges(figure)
    for name in RANGES:
        left, right = (figure.index(f"{side}_{name}.angle") for side in ("left", "right"))
        sign = 1.0 if name.endswith("y") else -1.0
        assert np.isclose(lower[left], min(sign * lower[right], sign * upper[right]))
        assert figure.lower[left] <= lower[left] < upper[left] <= figure.upper[left]


def test_goals_and_starts_are_those_of_the_seed(figure: Figure) -> None:
    goals, starts = anywhere(figure, 7, 3, human=True)
    again, _ = anywhere(figure, 7, 2, human=True)
    assert starts.shape == (3, figure.n)
    assert set(goals[0]) == set(FRAMES)
    assert np.array_equal(goals[1]["pelvis"].position, again[1]["pelvis"].position)
    assert not np.allclose(goals[0]["pelvis"].position, goals[1]["pelvis"].position)
    lower, upper = ranges(figure)
    inner = ~figure.root_coordinates
    assert ((starts >= lower) & (starts <= upper))[:, inner].all()


def test_a_cold_start_at_the_goals_is_met_at_once(figure: Figure) -> None:
    scene = reachable.six_positions(figure)
    row = reachable.ended(scene, repeats=2)
    assert row.met
    assert row.status == "solved"
    assert row.seconds > 0.0


@pytest.mark.parametrize("from_rest", [True, False])
def test_cold_starts_are_counted(figure: Figure, from_rest: bool) -> None:
    rows = reachable.cold(figure, 0, 4, from_rest=from_rest)
    said = reachable.cold_row("some", rows)
    assert said[:3] == ["some", "4", f"{sum(row.met for row in rows) / 4:.1%}"]
    for row in rows:
        assert row.met == (row.error <= 1e-4)


def test_goals_of_a_random_posture_are_met_where_the_start_is_that_posture() -> None:
    hand = poise.hand()
    sites = reachable.candidates("hand", hand)
    assert "right_index_tip" in sites
    assert "right_palm" not in sites  # it never moves
    posture = random_posture(hand, np.random.default_rng(5))
    (wanted,) = reachable.random_goals(hand, sites, 5, 1, frames=True)
    scene = Scene(hand)
    scene.posture = posture
    for task in wanted:
        scene.add(task)
    assert reachable.found(scene) == (True, True, True, 0.0)


def test_what_nobody_can_reach_is_met_by_no_start() -> None:
    scene = Scene(poise.chain(3, length=0.1))
    scene.add(tasks.Position(next(iter(scene.figure.sites)), (5.0, 0.0, 0.0)))
    row = reachable.found(scene)
    assert row[:3] == (False, False, False)
    assert row.error > 4.0


def test_hands_are_asked_for_on_their_own_sides() -> None:
    even, uneven = reachable.even_goals(), reachable.uneven_goals(0, 5)
    assert len(even) == 75
    assert len(uneven) == 5
    for hands in [*even, *uneven]:
        assert hands["left_hand"][1] > 0 > hands["right_hand"][1]
        assert all(0.05 <= place[2] <= 0.7 for place in hands.values())


def test_a_tall_man_reaches_what_is_right_before_him() -> None:
    near = {"left_hand": np.array([0.3, 0.2, 0.7]), "right_hand": np.array([0.3, -0.2, 0.7])}
    (row,) = reachable.low(poise.human(), [near])
    assert row.many
    assert reachable.low_row("a man", [row])[1:3] == ["1", "0"]


def test_sections_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert reachable.main(["goals", "--only", "hand", "--count", "3", "--seeds", "0"]) == 0
    out = capsys.readouterr().out
    assert "hand, positions" in out
    assert "hand, frames" in out
    with pytest.raises(SystemExit):
        reachable.main(["colds"])
    assert "there is no section 'colds'" in capsys.readouterr().err


def test_the_tips_of_the_shadow_hand_are_at_the_ends_of_its_fingers(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POISE_DATA", str(data))
    hand = reachable.shadow_hand()
    assert hand is not None
    tips = reachable.candidates("shadow_hand", hand)
    assert tips == ["ff_tip", "mf_tip", "rf_tip", "lf_tip", "th_tip"]
    places = hand.place(hand.rest())
    wrist = places["rh_wrist"].position
    for finger in ("ff", "mf", "rf", "lf"):
        tip, middle = places[f"{finger}_tip"].position, places[f"rh_{finger}middle"].position
        assert np.linalg.norm(tip - wrist) > np.linalg.norm(middle - wrist)
    rows = reachable.goals("shadow_hand", hand, 0, 3)
    assert all(row.many for row in rows)


def test_robots_are_left_out_where_there_is_no_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POISE_DATA", str(tmp_path))
    assert reachable.main(["goals", "--only", "panda", "--count", "1", "--seeds", "0"]) == 0
    assert "panda is left out" in capsys.readouterr().out
