import numpy as np
import pytest

from poise.errors import PoiseError
from poise.figure import Hinge
from poise.models import planar_person


def test_a_planar_person_has_twelve_hinges_with_limits() -> None:
    figure = planar_person()
    assert figure.n == 12
    assert np.isfinite(figure.lower).all()
    assert np.isfinite(figure.upper).all()
    assert all(
        isinstance(joint.kind, Hinge) and np.abs(joint.kind.axis).tolist() == [0, 1, 0]
        for joint in figure.joints.values()
        if joint.coordinates
    )


def test_it_stays_in_its_plane_whatever_its_posture() -> None:
    figure = planar_person()
    generator = np.random.default_rng(3)
    for _ in range(20):
        posture = figure.posture(generator.uniform(figure.lower, figure.upper))
        where = figure.place(posture)
        for site in figure.sites:
            assert where[site].position[1] == pytest.approx(0.0, abs=1e-12)
        assert figure.center_of_mass(posture)[1] == pytest.approx(0.0, abs=1e-12)


def test_all_parts_are_of_one_density() -> None:
    figure = planar_person()
    assert {segment.density for segment in figure.segments.values()} == {1000.0}
    assert 60 < figure.mass < 90


def test_it_is_as_tall_as_asked_for() -> None:
    figure = planar_person(1.6)
    assert figure.place(figure.rest())["head_top"].position[2] == pytest.approx(1.6)


@pytest.mark.parametrize(
    ("joint", "site", "forward"),
    [
        ("ankle", "knee", True),  # dorsiflexion takes the shank forward over the foot
        ("knee", "hip", False),
        ("hip", "head_top", True),
        ("waist", "head_top", True),
        ("shoulder", "elbow", True),
        ("elbow", "hand", True),
    ],
)
def test_flexion_goes_the_way_that_people_flex(joint: str, site: str, forward: bool) -> None:
    figure = planar_person()
    posture = figure.rest()
    before = figure.place(posture)[site].position[0]
    posture[joint] = float(posture[joint]) + 0.2
    after = figure.place(posture)[site].position[0]
    assert (after > before) == forward


def test_rising_on_the_toes_lifts_the_heel() -> None:
    figure = planar_person()
    posture = figure.rest()
    posture["toe"] = 0.5
    where = figure.place(posture)
    assert where["foot"].position[2] > 0.03
    np.testing.assert_allclose(where["toes"].position[2], 0.0, atol=1e-12)


def test_curling_up_makes_the_moment_of_inertia_small() -> None:
    figure = planar_person()
    curled = figure.posture(figure.upper)
    assert figure.inertia(curled, "y") < 0.5 * figure.inertia(figure.rest(), "y")


def test_a_stature_must_be_positive() -> None:
    with pytest.raises(PoiseError, match="stature"):
        planar_person(0)
