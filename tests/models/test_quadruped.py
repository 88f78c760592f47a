import numpy as np
import pytest

from poise.errors import PoiseError
from poise.models import quadruped

PAWS = [f"{side}_{end}_paw" for side in ("left", "right") for end in ("front", "hind")]


def test_a_quadruped_has_60_coordinates_with_a_free_root() -> None:
    assert quadruped().n == 60
    assert quadruped(root="fixed").n == 54


def test_it_stands_on_four_paws_with_its_weight_between_them() -> None:
    figure = quadruped()
    where = figure.place(figure.rest())
    paws = np.array([where[paw].position for paw in PAWS])
    np.testing.assert_allclose(paws[:, 2], 0.0, atol=1e-12)
    center = figure.center_of_mass(figure.rest())
    assert paws[:, 0].min() < center[0] < paws[:, 0].max()
    assert where["nose"].position[0] > paws[:, 0].max()
    assert where["tail_tip"].position[0] < paws[:, 0].min()


def test_the_height_is_that_of_the_withers() -> None:
    figure = quadruped(0.9)
    assert figure.place(figure.rest())["withers"].position[2] == pytest.approx(0.9)
    assert figure.mass == pytest.approx(quadruped(0.6).mass * 1.5**3)


@pytest.mark.parametrize("paw", PAWS)
def test_a_paw_can_be_lifted_within_the_limits(paw: str) -> None:
    side, end, _ = paw.split("_")
    figure = quadruped()
    posture = figure.rest()
    if end == "front":
        posture[f"{side}_elbow"], posture[f"{side}_carpus"] = np.deg2rad([60, 60])
    else:
        posture[f"{side}_stifle"], posture[f"{side}_hock"] = np.deg2rad([50, 50])
    assert figure.within_limits(posture)
    assert figure.place(posture)[paw].position[2] > 0.05


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(PoiseError, match="height"):
        quadruped(-1)
    with pytest.raises(PoiseError, match="'free' or 'fixed'"):
        quadruped(root="ground")
