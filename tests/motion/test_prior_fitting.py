"""The posture prior, fitted to postures that are made here."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import poise
from poise.figure.polygons import planar_middle
from poise.models.prior import Prior
from poise.motion.prior_fitting import BY_HAND, FEWEST, Observed, fit_prior, provenance

POSES = {"standing": "stand", "squatting": "low", "walking": "stride"}


def around(pose: str, count: int, seed: int = 1) -> NDArray[np.float64]:
    """Postures near a pose, anywhere and facing anything."""
    figure, rng = poise.human(), np.random.default_rng(seed)
    q = np.tile(poise.models.pose(figure, pose).q, (count, 1))
    q[:, ~figure.root_coordinates] += rng.normal(scale=0.01, size=(count, figure.n - 6))
    q[:, :2] += rng.normal(size=(count, 2))
    return q


def fitted() -> Prior:
    motions = [around(pose, 2 * FEWEST, seed) for seed, pose in enumerate(POSES)]
    return fit_prior(motions, {"source": "made here"}).prior


@pytest.mark.parametrize("pose", POSES)
def test_stances_are_known_by_feet_knees_and_pelvis(pose: str) -> None:
    seen = Observed.of(poise.human(), around(pose, 3))
    assert [name for name, mask in seen.stances.items() if mask.all()] == [POSES[pose]]
    assert not any(mask.any() for name, mask in seen.stances.items() if name != POSES[pose])


def test_knees_that_are_bent_on_flat_feet_crouch() -> None:
    figure = poise.human()
    bent = figure.rest().blend(poise.models.pose(figure, "squatting"), 0.35)
    assert Observed.of(figure, bent.q[None]).stances["crouch"].all()


def test_one_who_lies_has_no_stance() -> None:
    seen = Observed.of(poise.human(), around("lying", 2))
    assert not any(mask.any() for mask in seen.stances.values())


def test_standing_has_the_rest_posture_as_its_mean_and_others_the_data() -> None:
    figure, prior = poise.human(), fitted()
    by_name = {each.name: each for each in prior.stances}
    assert list(by_name) == ["stand", "low", "stride"]  # no frame crouches
    np.testing.assert_array_equal(by_name["stand"].mean[:-2], figure.rest().q[6:])
    knee = prior.features.index("left_knee.flexion")
    squatting = poise.models.pose(figure, "squatting")["left_knee.flexion"]
    assert by_name["low"].mean[knee] == pytest.approx(squatting, abs=0.02)
    assert sum(each.share for each in prior.stances) == pytest.approx(1.0)
    assert by_name["stand"].favour > by_name["low"].favour == 0


def test_limbs_are_independent_given_trunk_and_tilt() -> None:
    prior = fitted()
    arms = [
        [i for i, name in enumerate(prior.features) if name.startswith(f"{side}_{part}")]
        for side in ("left", "right")
        for part in ("shoulder", "elbow", "wrist")
    ]
    left, right = [*arms[0], *arms[1], *arms[2]], [*arms[3], *arms[4], *arms[5]]
    legs = [i for i, name in enumerate(prior.features) if "_hip." in name or "_knee." in name]
    head = [i for i, name in enumerate(prior.features) if name.startswith(("neck.", "head."))]
    for stance in prior.stances:
        for one, other in ((left, right), (left, legs), (right, head), (legs, head)):
            assert not stance.precision[np.ix_(one, other)].any()
        assert stance.precision[np.ix_(left, left)].any()


def test_the_mirror_image_is_as_likely() -> None:
    figure, prior = poise.human(), fitted()
    mapped = prior.on(figure)
    assert mapped is not None
    posture = poise.models.pose(figure, "walking")
    posture["spine.axial"] = 0.2
    for name, value in mapped.log_likelihoods(posture).items():
        assert mapped.log_likelihoods(posture.mirrored())[name] == pytest.approx(value)


def test_what_joint_centres_do_not_show_has_spreads_set_by_hand() -> None:
    prior = fitted()
    place = prior.features.index("left_elbow.pronation")
    rest = poise.human().rest()["left_elbow.pronation"]
    for stance in prior.stances:
        spread = np.sqrt(np.linalg.inv(stance.precision)[place, place])
        assert spread == pytest.approx(BY_HAND["elbow.pronation"], rel=1e-6)
        assert stance.mean[place] == pytest.approx(rest)


def test_too_few_postures_are_refused() -> None:
    with pytest.raises(poise.PoiseError, match="there are none"):
        fit_prior([], {})
    with pytest.raises(poise.PoiseError, match=f"a stance needs {FEWEST} frames"):
        fit_prior([around("lying", 3)], {})


def test_provenance_counts_clips_and_names_subjects() -> None:
    made = provenance(["10_02", "02_01", "02_03"], 60, 0.0123, source="us")
    assert made["source"] == "us"
    assert made["subjects"] == "02 10"
    assert (made["clips"], made["frames"], made["tracking_error_mm"]) == (3, 60, 12.3)


def test_how_far_the_centre_of_mass_is_from_the_middle_of_flat_feet_is_told() -> None:
    figure = poise.human()
    q = around("standing", FEWEST)
    seen = Observed.of(figure, q)
    assert seen.flat.all()
    posture = figure.posture(q[7])
    places = figure.place(posture)
    soles = [
        places[f"{side}_foot"].apply(
            (*planar_middle(np.array(figure.sites[f"{side}_foot"].outline)), 0.0)
        )
        for side in ("left", "right")
    ]
    off = figure.center_of_mass(posture) - np.mean(soles, axis=0)
    np.testing.assert_allclose(seen.off_middle[7], off[:2], atol=1e-12)
    spread = fit_prior([q, around("walking", FEWEST)], {}).center_spread  # no stride is flat
    assert spread == pytest.approx(np.sqrt((seen.off_middle**2).mean()), rel=1e-12)
