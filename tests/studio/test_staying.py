"""What a drag leaves alone: nothing pops, what is posed stays, and the way back leads back."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.studio.pages import Page

import poise
from poise.figure.props import box
from poise.scene import Scene
from poise.studio.document import Document
from poise.studio.dragging import Motion, PointDrag
from poise.studio.dragging.parts import Parts
from poise.studio.settling import settled
from poise.tasks import Balance, Frame, Position

Values = NDArray[np.float64]
Point = tuple[float, float, float]

STEP = 0.01
FAR = 0.05
PALM: Point = (0.0, 0.0, -0.08)


def events(drag: PointDrag, offsets: Values) -> Values:
    """Coordinates (k + 1, n) as the pointer goes along offsets (k, 3) from where it began."""
    start, postures = np.array(drag.trace[0]), [drag.q.copy()]
    for i, offset in enumerate(offsets, 1):
        x, y, z = (start + offset).tolist()
        drag.aim(Motion((x, y, z), None, i))
        drag.step()
        postures.append(drag.q.copy())
    return np.array(postures)


def there(to: Point) -> Values:
    """Offsets by a centimetre each."""
    length = float(np.linalg.norm(to))
    return np.linspace(0.0, 1.0, round(length / STEP) + 1)[1:, None] * np.array(to)


def and_back(way: Values) -> Values:
    """The same way back, and a moment of rest at the start."""
    return np.concatenate([way, way[-2::-1], np.zeros((60, 3))])


def farthest(document: Document, one: Values, other: Values) -> float:
    """How far (m) any part is in one posture from where it is in another."""
    return Parts(document.whole).farthest(one, other)


def site(document: Document, name: str, q: Values) -> Values:
    return document.whole.place(q)[name].position


@pytest.mark.parametrize(
    ("segment", "point", "to"),
    [
        ("right_hand", PALM, (0.40, 0.10, -0.55)),
        ("right_hand", PALM, (0.9, 0.2, 0.6)),  # out of reach
        ("head", (0.0, 0.0, 0.0), (0.25, 0.0, -0.4)),
        ("pelvis", (0.0, 0.0, 0.0), (0.15, 0.0, -0.1)),
    ],
)
def test_no_part_moves_farther_than_five_centimetres_for_one(
    segment: str, point: Point, to: Point
) -> None:
    document = Document.new()
    postures = events(PointDrag(document, segment, point), and_back(there(to)))
    assert max(farthest(document, a, b) for a, b in pairwise(postures)) <= FAR


@pytest.mark.parametrize("to", [(0.12, 0.19, 0.28), (0.40, 0.10, -0.55), (0.3, 0.3, 0.4)])
def test_the_way_back_leads_back(to: Point) -> None:
    document = Document.new()
    postures = events(PointDrag(document, "right_hand", PALM), and_back(there(to)))
    assert farthest(document, postures[0], postures[len(there(to))]) > 0.2
    assert farthest(document, postures[0], postures[-1]) < 1e-3


def test_a_hand_from_the_hip_to_the_belly_leaves_the_head_where_it_is() -> None:
    document = Document.new()
    postures = events(PointDrag(document, "right_hand", PALM), there((0.12, 0.19, 0.28)))
    moved = site(document, "head_top", postures[-1]) - site(document, "head_top", postures[0])
    assert np.linalg.norm(moved) < 0.03


def test_a_hand_to_the_floor_bends_back_and_knees() -> None:
    document = Document.new()
    postures = events(PointDrag(document, "right_hand", PALM), there((0.40, 0.10, -0.60)))
    posture = document.whole.posture(postures[-1])
    assert posture.angles("spine")["flexion"] > 0.3
    assert min(posture.angles(f"{side}_knee")["flexion"] for side in ("left", "right")) > 0.5


def test_an_arm_that_was_posed_stays_raised() -> None:
    document = Document.new()
    raised = PointDrag(document, "left_hand", PALM, mode="limb")
    events(raised, np.concatenate([there((0.5, 0.1, 0.9)), np.tile([0.5, 0.1, 0.9], (60, 1))]))
    raised.finish(document)
    assert site(document, "left_hand", document.scene.q)[2] > 1.3
    drag = PointDrag(document, "right_hand", PALM)
    postures = events(drag, there((0.2, 0.15, 0.3)))
    assert turned(document, postures[0], postures[-1]) < 0.05


def turned(document: Document, one: Values, other: Values) -> float:
    """How far (rad) any joint of the left arm is turned from one posture to another."""
    arm = document.whole.indices("left_arm")
    return float(np.abs(one[arm] - other[arm]).max())


def test_a_pointer_that_stands_still_moves_nothing() -> None:
    document = Document.new()
    drag = PointDrag(document, "right_hand", PALM)
    out = there((0.3, 0.1, 0.3))
    postures = events(drag, np.concatenate([out, np.tile(out[-1], (80, 1))]))
    assert farthest(document, postures[-1], postures[-20]) < 1e-6
    assert drag.step()


def test_a_release_changes_nothing_and_neither_does_an_edit_that_does_not_concern_it(
    page: Page,
) -> None:
    session = page.session
    start = session.scene.places.segment("right_hand").apply(PALM)
    page.do("grab", segment="right_hand", point=list(PALM))
    page.drag([(start + share * np.array([0.3, 0.1, 0.4])).tolist() for share in (0.3, 0.6, 1.0)])
    assert session._drag is not None
    dragged = session._drag.q.copy()
    page.do("release")
    assert session.wait(60)
    document = Document(session.scene)
    assert farthest(document, dragged, session.scene.q) < 2e-3
    before = session.scene.q.copy()
    page.do("keep_balance", on=False)
    page.do("keep_balance", on=True)
    assert session.wait(60)
    assert farthest(document, before, session.scene.q) < 2e-3


def test_a_posture_that_nobody_chose_is_found_as_a_scene_finds_it() -> None:
    document = Document.new()
    assert document.scene.natural
    document.scene.add(Position("right_hand", (0.45, -0.2, 0.3)), priority=3)
    expected = document.scene.solve().posture.q.copy()
    found = settled(document.scene, (), contact_forces=False, lock=threading.RLock())
    assert farthest(document, found.posture.q.copy(), expected) < 1e-3


def test_settling_keeps_to_a_posture_that_was_chosen() -> None:
    document = Document.new()
    raised = PointDrag(document, "left_hand", PALM, mode="limb")
    events(raised, np.concatenate([there((0.5, 0.1, 0.9)), np.tile([0.5, 0.1, 0.9], (60, 1))]))
    raised.finish(document)
    before = document.scene.q.copy()
    document.scene.add(Position("right_hand", (0.35, -0.2, 1.1)), priority=3)
    found: dict[str, float] = {}
    for name, chosen in (("chosen", document.chosen), ("nobody's", None)):
        scene = document.scene.copy()
        settled(scene, (), contact_forces=False, lock=threading.RLock(), chosen=chosen)
        found[name] = turned(document, before, scene.q)
    assert found["chosen"] < 0.1
    assert found["nobody's"] > 0.5, "without it Natural would let the arm sink"


@pytest.mark.parametrize("kind", ["robot", "quadruped", "hand"])
def test_figures_that_are_no_persons_go_back_too(kind: str) -> None:
    made = {"robot": lambda: poise.chain(7), "quadruped": poise.quadruped, "hand": poise.hand}
    figure = made[kind]()
    document = Document(Scene(figure))
    segment = list(figure.segments)[-1]
    drag = PointDrag(document, segment, (0.0, 0.0, 0.0))
    postures = events(drag, and_back(there((0.02, 0.02, 0.03))))
    assert farthest(document, postures[0], postures[4]) > 0.01
    assert farthest(document, postures[0], postures[-1]) < 1e-3


def test_of_two_persons_only_the_one_that_is_dragged_moves() -> None:
    scene = Scene({"one": poise.human(), "two": poise.human()})
    for who in ("one", "two"):
        for foot in ("left_foot", "right_foot"):
            scene.add(Frame(f"{who}/{foot}"), priority=1)
        scene.add(Balance(figure=who), priority=2)
    scene.place(box(0.1, 0.1, 0.1), (2.0, 0.0, 0.0))
    document = Document(scene)
    postures = events(PointDrag(document, "one/right_hand", PALM), and_back(there((0.2, 0.1, 0.3))))
    moved = np.abs(postures - postures[0]).max(axis=0)
    names = document.coordinates()
    assert max(moved[i] for i, name in enumerate(names) if name.startswith("two/")) < 1e-4
    assert max(moved[i] for i, name in enumerate(names) if name.startswith("one/")) > 0.3
    assert farthest(document, postures[0], postures[-1]) < 1e-3


def test_with_live_symmetry_both_hands_go_there_and_back() -> None:
    document = Document.new()
    document.symmetric = True
    way = there((0.2, 0.1, 0.3))
    postures = events(PointDrag(document, "right_hand", PALM), and_back(way))
    hands = [site(document, f"{side}_hand", postures[len(way)]) for side in ("left", "right")]
    assert np.allclose(hands[0] * (1, -1, 1), hands[1], atol=2e-3)
    assert farthest(document, postures[0], postures[-1]) < 1e-3
