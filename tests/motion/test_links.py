"""Segments placed over a whole clip are where the kernel places them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.random_figures import grouped, random_figure

from poise.motion.links import links, placed

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.booleans())
def test_segments_are_where_the_kernel_has_them(seed: int, with_groups: bool) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 6)
    if with_groups and sum(bool(j.coordinates) for j in figure.joints.values()) > 2:
        figure = grouped(rng, figure, degree=2)
    q = rng.normal(size=(3, figure.n)) * 0.5
    found = placed(figure, q)
    assert found.keys() == figure.segments.keys()
    for i, each in enumerate(q):
        where = figure.place(each)
        for name, (rotations, positions) in found.items():
            np.testing.assert_allclose(positions[i], where.segment(name).position, atol=1e-12)
            np.testing.assert_allclose(rotations[i], where.segment(name).rotation, atol=1e-12)


@given(SEEDS)
def test_a_figure_that_was_rerooted_is_where_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = random_figure(rng, 5, chain=True)
    posture = figure.posture(rng.normal(size=figure.n) * 0.5)
    other, there = figure.rooted_at("s4", posture)
    before, after = placed(figure, posture.q[None]), placed(other, there.q[None])
    for name, (rotations, positions) in before.items():
        np.testing.assert_allclose(after[name][1], positions, atol=1e-10)
        np.testing.assert_allclose(after[name][0], rotations, atol=1e-10)


def test_parents_come_before_children() -> None:
    figure = random_figure(np.random.default_rng(3), 9)
    seen = {"world"}
    for link in links(figure, np.zeros((1, figure.n))):
        assert link.parent in seen
        seen.add(link.segment)
