import numpy as np
import pytest

from poise.errors import PoiseError
from poise.models import chain


@pytest.mark.parametrize(("joint", "each"), [("hinge", 1), ("swing", 2), ("ball", 3)])
def test_a_chain_has_so_many_joints_of_the_kind_that_was_asked_for(joint: str, each: int) -> None:
    figure = chain(7, joint=joint)
    assert figure.n == 7 * each
    assert len(figure.segments) == 8
    assert chain(7, joint=joint, root="free").n == 7 * each + 6


def test_links_lie_along_x_at_rest() -> None:
    figure = chain(20, length=0.1)
    where = figure.place(figure.rest())
    np.testing.assert_allclose(where["tip"].position, [2.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(where["link_5"].position, [0.4, 0.0, 0.0], atol=1e-12)


def test_hinges_turn_about_y() -> None:
    figure = chain(4, length=0.5)
    posture = figure.rest()
    posture["joint_3"] = np.pi / 2
    tip = figure.place(posture)["tip"].position
    np.testing.assert_allclose(tip, [1.0, 0.0, -1.0], atol=1e-12)


@pytest.mark.parametrize("joint", ["hinge", "swing", "ball"])
def test_without_a_limit_a_chain_bends_as_it_likes_and_with_one_no_further(joint: str) -> None:
    bent = np.full(chain(3, joint=joint).n, 0.9)
    assert chain(3, joint=joint).within_limits(bent)
    limited = chain(3, joint=joint, limit=0.5)
    assert not limited.within_limits(bent)
    assert limited.within_limits(np.full(limited.n, 0.3))


def test_all_links_weigh_the_same() -> None:
    figure = chain(3, length=0.2)
    masses = [figure.segments[f"link_{i}"].mass_properties()[0] for i in (1, 2, 3)]
    assert masses[0] > 0
    assert masses == [masses[0]] * 3


@pytest.mark.parametrize("n", [0, -2, 2.5, "many", True])
def test_the_number_of_links_must_be_a_positive_integer(n: object) -> None:
    with pytest.raises(PoiseError, match=r"1, 2, …"):
        chain(n)  # type: ignore[arg-type]


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(PoiseError, match="length"):
        chain(3, length=-0.1)
    with pytest.raises(PoiseError, match="did you mean 'ball'"):
        chain(3, joint="balls")
    with pytest.raises(PoiseError, match="fixed"):
        chain(3, root="floating")
    with pytest.raises(PoiseError, match="limit"):
        chain(3, joint="ball", limit=3.0)
