"""The posture prior on persons of all kinds."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import yaml

import poise
from poise.documents import parse
from poise.figure.files import figure_from, figure_text
from poise.models.prior import (
    UNKNOWN_SPREAD,
    FigurePrior,
    Prior,
    prior_from,
    prior_of,
    prior_text,
    shipped,
)

KINDS: dict[str, dict[str, Any]] = {
    "man": {},
    "small woman": {"stature": 1.52, "sex": "female"},
    "tall man": {"stature": 1.9},
    "independent spine": {"spine": "independent"},
    "independent shoulders": {"shoulders": "independent"},
    "all apart": {"spine": "independent", "shoulders": "independent", "hands": True},
}
FEET = ("left_foot", "right_foot")


def on(figure: poise.Figure) -> FigurePrior:
    prior = prior_of(figure)
    assert prior is not None
    return prior


def test_only_people_have_a_prior() -> None:
    for figure in (poise.quadruped(), poise.chain(3), poise.models.person_of_63()):
        assert prior_of(figure) is None
        assert shipped().starts(figure) == {}
    rooted, _ = poise.human().rooted_at("left_foot", poise.human().rest())
    assert prior_of(rooted) is None
    with pytest.raises(poise.PoiseError, match="brought to a figure, not to 'human'"):
        prior_of("human")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_features_are_all_coordinates_but_the_roots_and_the_up_direction(kind: str) -> None:
    figure = poise.human(**KINDS[kind])
    prior = on(figure)
    assert prior.node in figure.segments
    np.testing.assert_array_equal(prior.indices, np.arange(6, figure.n))
    posture = figure.rest()
    posture["root"] = [1.0, 2.0, 3.0, 0.0, 0.3, 0.0]  # leaning forward by 0.3 rad
    np.testing.assert_array_equal(prior.features(posture)[:-2], posture.q[6:])
    np.testing.assert_allclose(prior.features(posture)[-2:], [-np.sin(0.3), 0.0], atol=1e-12)
    for stance in prior.stances:
        assert stance.mean.shape == (figure.n - 4,)
        assert stance.rows.shape == (figure.n - 4, figure.n - 4)


@pytest.mark.parametrize("kind", KINDS)
def test_where_a_person_stands_and_faces_does_not_matter(kind: str) -> None:
    figure = poise.human(**KINDS[kind])
    here, there = figure.rest(), figure.rest()
    there["root"] = [3.0, -1.0, 0.2, 0.0, 0.0, 2.0]
    prior = on(figure)
    for name, value in prior.log_likelihoods(here).items():
        assert prior.log_likelihoods(there)[name] == pytest.approx(value)


def test_the_log_likelihood_is_that_of_a_mixture_of_gaussians() -> None:
    figure, prior = poise.human(), shipped()
    posture = poise.models.pose(figure, "walking")
    mapped = on(figure)
    features = mapped.features(posture)
    found = mapped.log_likelihoods(posture)
    for gaussian in prior.stances:
        off = features - gaussian.mean
        expected = np.log(gaussian.share) + gaussian.favour
        expected += 0.5 * np.linalg.slogdet(gaussian.precision)[1]
        expected -= 0.5 * off @ gaussian.precision @ off
        assert found[gaussian.name] == pytest.approx(expected)
    assert mapped.likeliest(posture).name == max(found, key=lambda name: found[name])


def test_a_standing_person_is_likeliest_to_stand_and_a_squatting_one_is_low() -> None:
    figure = poise.human()
    prior = on(figure)
    assert prior.likeliest(figure.rest()).name == "stand"
    assert prior.likeliest(poise.models.pose(figure, "squatting")).name == "low"


@pytest.mark.parametrize("stance", ["stand", "crouch", "low", "stride"])
def test_members_that_move_as_their_group_cost_what_the_group_costs(stance: str) -> None:
    """The difference of two postures, as the normaliser has the members' own spread."""
    grouped = poise.human()
    apart = poise.human(spine="independent", shoulders="independent", hands=True)
    costs: list[list[float]] = []
    for figure in (grouped, apart):
        prior = on(figure)
        postures = [figure.rest(), _reaching(figure)]
        costs.append([prior.log_likelihoods(each)[stance] for each in postures])
    assert np.diff(costs[1]) == pytest.approx(np.diff(costs[0]), rel=1e-6, abs=1e-6)


def _reaching(figure: poise.Figure) -> poise.Posture:
    """One posture for grouped and independent alike, by the members of the grouped person."""
    plain = poise.human()
    posture = plain.rest()
    posture["spine"] = [0.4, 0.1, -0.2]
    posture["left_shoulder_complex"] = np.array(posture["left_shoulder_complex"]) + [0.3, 0.1, -0.2]
    posture["left_knee"] = 0.4
    result = figure.rest()
    values = {**dict(zip(plain.coordinates, posture.q, strict=True)), **plain.members(posture)}
    for name in figure.coordinates:
        if name in values:
            result[name] = values[name]
    return result


def test_a_vertebra_that_leaves_its_group_costs_more() -> None:
    figure = poise.human(spine="independent")
    prior, posture = on(figure), figure.rest()
    posture["l1_l2.swing_y"] = 0.03
    posture["l2_l3.swing_y"] = -0.03
    at_rest = prior.log_likelihoods(figure.rest())["stand"]
    assert prior.log_likelihoods(posture)["stand"] < at_rest - 1.0


def test_fingers_have_a_spread_about_rest() -> None:
    figure = poise.human(hands=True)
    prior, posture = on(figure), figure.rest()
    name = "left_index_pip.flexion"
    posture[name] = float(posture[name]) + UNKNOWN_SPREAD  # type: ignore[arg-type]
    for stance, value in prior.log_likelihoods(figure.rest()).items():
        assert prior.log_likelihoods(posture)[stance] == pytest.approx(value - 0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_each_stance_has_a_valid_start_with_both_feet_on_the_floor(kind: str) -> None:
    figure = poise.human(**KINDS[kind])
    starts = shipped().starts(figure)
    assert list(starts) == [stance.name for stance in on(figure).stances]
    for posture in starts.values():
        assert figure.within_limits(posture)
        where = figure.place(posture)
        assert where["pelvis"].rotation[0, 0] > 0.7  # it faces +x
        for foot in FEET:
            assert abs(where[foot].position[2]) < 5e-3
    heights = {name: float(each["root.z"]) for name, each in starts.items()}  # type: ignore[arg-type]
    assert heights["low"] < heights["stride"] < heights["stand"]
    np.testing.assert_allclose(starts["stand"].q, figure.rest().q, atol=0.06)  # balanced


def test_starts_of_a_fixed_root_stay_where_it_is() -> None:
    figure = poise.human(root="fixed")
    for posture in shipped().starts(figure).values():
        assert figure.within_limits(posture)


def rigid(figure: poise.Figure, *joints: str) -> poise.Figure:
    """The figure with some joints made rigid and no couplings, through its file."""
    data = yaml.safe_load(figure_text(figure))["figure"]
    data["couplings"] = {}
    for name in joints:
        data["joints"][name] = {
            key: value
            for key, value in {**data["joints"][name], "kind": "fixed"}.items()
            if key in ("kind", "parent", "child", "position", "rotation")
        }
    for posture in data.get("postures", {}).values():
        for name in [each for each in posture if each.partition(".")[0] in joints]:
            del posture[name]
    return figure_from(parse(yaml.safe_dump({"figure": data}, sort_keys=False), "rigid"))


def costs(figure: poise.Figure, change: Mapping[str, float]) -> dict[str, float]:
    """By how much the log-likelihoods fall from rest where coordinates change; others stay."""
    prior, posture = on(figure), figure.rest()
    for name, value in change.items():
        if name in figure.coordinates:
            posture[name] = float(posture[name]) + value  # type: ignore[arg-type]
    before, after = (prior.log_likelihoods(each) for each in (figure.rest(), posture))
    return {name: before[name] - after[name] for name in before}


def test_a_knee_that_was_made_rigid_is_left_out_of_the_gaussian() -> None:
    figure, prior = rigid(poise.human(), "left_knee"), shipped()
    assert "left_knee.flexion" not in figure.coordinates
    mapped = on(figure)
    keep = [i for i, name in enumerate(prior.features) if name != "left_knee.flexion"]
    posture = figure.rest()
    posture["left_hip.swing_y"] = -1.2
    features = mapped.features(posture)
    found = mapped.log_likelihoods(posture)
    for gaussian in prior.stances:
        covariance = np.linalg.inv(gaussian.precision)[np.ix_(keep, keep)]
        off = features - gaussian.mean[keep]
        expected = np.log(gaussian.share) + gaussian.favour
        expected -= 0.5 * (
            np.linalg.slogdet(covariance)[1] + off @ np.linalg.solve(covariance, off)
        )
        assert found[gaussian.name] == pytest.approx(expected)


def test_a_coordinate_that_the_table_does_not_know_has_a_spread_about_rest() -> None:
    prior = shipped()
    some = tuple(name for name in prior.features if not name.startswith("left_knee"))
    keep = [prior.features.index(name) for name in some]
    fewer = [
        dataclasses.replace(
            each,
            mean=each.mean[keep],
            precision=np.linalg.inv(np.linalg.inv(each.precision)[np.ix_(keep, keep)]),
        )
        for each in prior.stances
    ]
    figure = poise.human()
    mapped = Prior(some, tuple(fewer), {}).on(figure)
    assert mapped is not None
    posture = figure.rest()
    posture["left_knee"] = UNKNOWN_SPREAD + float(figure.rest()["left_knee.flexion"])  # type: ignore[arg-type]
    for stance, value in mapped.log_likelihoods(figure.rest()).items():
        assert mapped.log_likelihoods(posture)[stance] == pytest.approx(value - 0.5)


def test_a_spine_with_a_rigid_vertebra_bends_as_readily_as_a_whole_one() -> None:
    plain = poise.human()
    bent = plain.rest()
    bent["spine"] = [0.4, 0.1, -0.2]
    start, end = plain.members(plain.rest()), plain.members(bent)
    change = {name: end[name] - start[name] for name in end}
    whole = poise.human(spine="independent")
    expected = costs(whole, change)
    assert expected["stand"] > 1.0
    assert costs(rigid(whole, "l1_l2"), change) == pytest.approx(expected, rel=1e-6)


def test_a_parameter_that_no_member_is_left_to_tell_is_left_out() -> None:
    """The twist of a rigid shoulder; the collar bone has a share in elevation and abduction."""
    figure, prior = rigid(poise.human(shoulders="independent"), "left_shoulder"), shipped()
    keep = [i for i, name in enumerate(prior.features) if name != "left_shoulder_complex.twist"]
    raised = keep.index(prior.features.index("left_shoulder_complex.elevation"))
    rest = on(poise.human()).features(poise.human().rest())[keep]
    found = costs(figure, {"left_clavicle.swing_x": 0.17 * 0.5})
    for gaussian in prior.stances:
        precision = np.linalg.inv(np.linalg.inv(gaussian.precision)[np.ix_(keep, keep)])
        expected = 0.5 * precision[raised] @ (rest - gaussian.mean[keep])
        expected += 0.125 * precision[raised, raised]
        assert found[gaussian.name] == pytest.approx(expected, abs=1e-6)


def test_a_prior_that_was_used_can_be_pickled() -> None:
    figure = poise.human(stature=1.7)
    expected = on(figure).log_likelihoods(figure.rest())
    for again in (pickle.loads(pickle.dumps(shipped())), copy.deepcopy(shipped())):
        mapped = again.on(figure)
        assert mapped is not None
        assert mapped.log_likelihoods(figure.rest()) == expected


def test_the_file_says_where_it_is_from_and_reads_back() -> None:
    prior = shipped()
    for word in ("source", "licence", "date", "command", "subjects", "frames"):
        assert prior.made[word]
    assert "mocap.cs.cmu.edu" in prior.made["licence"]
    text = prior_text(prior)
    assert len(text) < 40_000
    again = prior_from(yaml.safe_load(text)["prior"])
    for before, after in zip(prior.stances, again.stances, strict=True):
        np.testing.assert_array_equal(before.mean, after.mean)
        np.testing.assert_array_equal(before.precision, after.precision)


def test_subjects_of_the_test_clips_were_not_fitted() -> None:
    subjects = str(shipped().made["subjects"]).split()
    tested = {"05", "18", "19", "49", "62", "79", "81", "88", "111", "115", "127", "143"}
    assert not tested.intersection(subjects)


def test_wrong_numbers_are_refused() -> None:
    prior = shipped()
    stand = prior.stances[0]

    def made(**changes: Any) -> Prior:
        return Prior(prior.features, (dataclasses.replace(stand, **changes),), {})

    with pytest.raises(poise.PoiseError, match="not positive definite"):
        made(precision=-stand.precision)
    with pytest.raises(poise.PoiseError, match="must be of 38 features"):
        made(mean=stand.mean[1:])
    with pytest.raises(poise.PoiseError, match="must be finite"):
        made(mean=np.full(38, np.nan))
    with pytest.raises(poise.PoiseError, match="share of the stance 'stand' must be above 0"):
        made(share=0.0)
    with pytest.raises(poise.PoiseError, match="at least one stance"):
        Prior(prior.features, (), {})
    with pytest.raises(poise.PoiseError, match="end with up_x and up_y"):
        Prior(prior.features[::-1], prior.stances, {})
    with pytest.raises(poise.PoiseError, match=r"left_knee\.flexion"):
        Prior(("left_knees.flexion", "up_x", "up_y"), prior.stances, {})
