"""What each kind of block depends on, and what becomes of a kind that nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.kernel.residuals.test_criteria_kinds import Drawn
from tests.tasks.residual import Residual

import poise
from poise import PoiseError, Scene, kernel
from poise import tasks as t
from poise.figure import Ellipsoid
from poise.kernel.failures import UnknownBlockError
from poise.kernel.residuals import blocks, kinds, natural, springs, touching
from poise.scene.solving import prepare
from poise.solvers.contacts import Contacts
from poise.solvers.problem import Problem
from poise.tasks.task import Block

PERSON = poise.human()
LAST = kinds.AVOID
ANNA, BOTH, ALL = {"anna"}, {"anna", "ben"}, {"anna", "ben", "carl"}


def _height(posture: poise.Posture, places: poise.Placements) -> list[float]:
    return [places["anna/head"].position[2] - places["ben/head"].position[2]]


def _held(name: str) -> t.Criterion:
    """A criterion of random numbers about the coordinates of one figure."""
    rng = np.random.default_rng(1)
    whole = problem_of().figure
    own = np.array([i for i, each in enumerate(whole.coordinates) if each.startswith(f"{name}/")])
    node, place = whole.frame(f"{name}/pelvis")
    mean, rows = rng.normal(size=own.size + 2), rng.normal(size=(4, own.size + 2))
    values = natural.packed(place.rotation.T[:2], own, mean, rows)
    return Drawn((Block(kinds.NATURAL, 4, values, node=node),))


def _drawn() -> t.Criterion:
    """Springs as rows."""
    n = problem_of().figure.n
    values = springs.packed(np.arange(n), np.zeros(n), np.zeros(n), np.ones(n))
    return Drawn((Block(kinds.SPRINGS, n, values),))


CASES: dict[int, tuple[Callable[[], t.Task | t.Criterion], set[str]]] = {
    kinds.POSITION: (lambda: t.Position("anna/left_hand", (0.3, 0.2, 1.1)), ANNA),
    kinds.CENTER_OF_MASS: (lambda: t.CenterOfMass((0, 0, 1)), ALL),
    kinds.LOOP: (lambda: t.Loop("anna/left_hand", "ben/right_hand"), BOTH),
    kinds.ORIENTATION: (lambda: t.Orientation("anna/left_hand", np.eye(3)), ANNA),
    kinds.ORIENTATION_AXIS: (lambda: t.Orientation("anna/left_hand", np.eye(3), free="x"), ANNA),
    kinds.ORIENTATION_VECTORS: (
        lambda: t.Orientation("anna/left_hand", np.eye(3), form="vectors"),
        ANNA,
    ),
    kinds.AIM: (lambda: t.Aim("anna/eyes", "ben/left_hand"), BOTH),
    kinds.BALANCE: (
        lambda: t.Balance(supports=("anna/left_foot", "anna/right_foot"), figure="anna"),
        ANNA,
    ),
    kinds.FRAMED: (lambda: t.Position("anna/left_hand", (0, 0, 0.3), frame="ben/chest"), BOTH),
    kinds.CENTER_OF_PART: (lambda: t.CenterOfMass((0, 0, 1), figure="anna"), ANNA),
    kinds.OUTSIDE: (
        lambda: t.Outside("anna/left_hand", t.Convex.box((0, 0, 1), (2, 3, 4))),
        ANNA,
    ),
    kinds.SURFACE: (
        lambda: t.Surface("anna/left_hand", Ellipsoid((0, 0, 1), (0.2, 0.3, 0.4))),
        ANNA,
    ),
    kinds.INERTIA: (lambda: t.Inertia("y", 0.3, figure="anna"), ANNA),
    kinds.CHOICE: (
        lambda: t.Any([t.Aim("anna/eyes", (1, 0, 2)), t.Loop("anna/left_hand", "ben/left_hand")]),
        BOTH,
    ),
    kinds.CUSTOM: (lambda: t.Custom(_height, 1), ALL),
    kinds.EQUILIBRIUM: (lambda: t.Equilibrium(figure="anna"), ANNA),
    kinds.EFFORT: (lambda: t.Effort(), ALL),
    kinds.SPRINGS: (_drawn, ALL),
    kinds.NATURAL: (lambda: _held("anna"), ANNA),
    kinds.MID_SUPPORT: (
        lambda: t.MidSupport(supports=("anna/left_foot", "anna/right_foot"), figure="anna"),
        ANNA,
    ),
    kinds.AVOID: (lambda: t.AvoidSelf(), ALL),
}
"""For each kind a task or criterion of it, and the figures that it depends on."""


def problem_of(*wanted: t.Task | t.Criterion) -> Problem:
    scene = Scene({"anna": PERSON, "ben": PERSON, "carl": PERSON}, natural=False)
    for i, name in enumerate(scene.figures):
        scene.stand(name, (0.0, 1.0 * i, 0.0))
        for side in ("left", "right"):
            scene.forces.support(f"{name}/{side}_foot", ratio=0.5)
        scene.forces.apply(f"{name}/left_hand", force=(20.0, 0.0, -10.0), name=f"pull {name}")
    for each in wanted:
        scene.add(each)
    return prepare(scene).problem


def test_every_kind_of_block_is_here_and_known() -> None:
    known = set(range(LAST + 1))
    assert CASES.keys() == known
    assert kinds.KINDS.keys() == known - {kinds.CHOICE}


def test_the_number_of_a_kind_is_called_as_its_file() -> None:
    folder = Path(kinds.__file__).parent
    numbers = {
        name: each for name, each in vars(kinds).items() if name.isupper() and name != "KINDS"
    }
    assert sorted(numbers.values()) == list(range(len(CASES)))
    without = {name for name in numbers if not (folder / f"{name.lower()}.py").is_file()}
    assert without == {"CENTER_OF_PART"}
    for kind, (make, _) in CASES.items():
        assert kind in {head.kind for head in touching.heads(problem_of(make()).blocks)}


@pytest.mark.parametrize("kind", CASES)
def test_a_block_moves_with_the_figures_that_it_is_said_to_depend_on(kind: int) -> None:
    make, expected = CASES[kind]
    problem = problem_of(make())
    contacts = Contacts(problem)
    touched = set().union(*(contacts.groups[g] for g in contacts.group_of_row))
    names = list(problem.figure.coordinates)
    owner = [name.partition("/")[0] for name in names]
    figures = {owner[int(i)] for i in np.flatnonzero(np.isin(contacts.figure_of, list(touched)))}
    assert figures == expected
    rng = np.random.default_rng(kind)
    q = problem.figure.rest().q + rng.normal(0.0, 0.2, problem.figure.n)
    moving = np.flatnonzero(Residual(problem).jacobian(q).any(axis=0))
    assert {owner[int(i)] for i in moving} <= expected


def test_a_function_that_may_be_chosen_has_all_coordinates_as_columns() -> None:
    choice = t.Any(
        [t.Custom(_height, 1), t.Surface("anna/left_hand", Ellipsoid((0, 0, 1), (1, 1, 1)))]
    )
    assert Contacts(problem_of(choice)).is_plain
    assert Contacts(problem_of(t.Custom(_height, 1))).is_plain
    assert not Contacts(problem_of(t.Position("anna/left_hand", (0, 0, 1)))).is_plain


def test_a_kind_that_nobody_knows_is_an_error_everywhere() -> None:
    problem = problem_of(t.Position("anna/left_hand", (0.3, 0.2, 1.1)))
    unknown = problem.blocks.block.copy()
    unknown[0, blocks.KIND] = LAST + 1
    problem.blocks = problem.blocks._replace(block=unknown)
    q = problem.figure.rest().q
    with pytest.raises(UnknownBlockError, match=r"of no kind that .*kinds lists"):
        Residual(problem)(q)
    with pytest.raises(PoiseError, match=f"there is no kind of block {LAST + 1}"):
        Contacts(problem)
    # A gradient forms the Jacobian of what it cannot sweep.
    parts = kernel.residuals.gradients.potential(problem.blocks)
    assert parts.formed.block[0, blocks.KIND] == LAST + 1
