"""A pelvis dragged where it cannot be: it comes as near as a person would, and comes back."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.models import human
from poise.scene import Scene
from poise.studio.anchoring import anchored
from poise.studio.document import Document
from poise.studio.dragging import Motion, PointDrag
from poise.studio.dragging.compromise import DRAWN, Compromise
from poise.studio.dragging.grabbed import DRAG, Grabbed
from poise.tasks import Balance, Frame, Rest

Values = NDArray[np.float64]

STEP = 0.01
"""Metres of the pointer in one event."""
STILL = 120
"""So many events at most the pointer stands still."""


class Way(NamedTuple):
    """A drag there and back."""

    postures: Values
    """(k + 1, n), the first before any event."""
    lags: Values
    """(k,) how far the point was from the pointer (m)."""


def there_and_back(document: Document, segment: str, to: tuple[float, float, float]) -> Way:
    drag = PointDrag(document, segment, (0.0, 0.0, 0.0))
    start, whole = np.array(drag.trace[0]), document.whole
    count = round(float(np.linalg.norm(to)) / STEP)
    out = np.linspace(0.0, 1.0, count + 1)[1:, None] * np.array(to)
    postures, lags = [drag.q.copy()], list[float]()

    def event(offset: Values) -> bool:
        x, y, z = (start + offset).tolist()
        drag.aim(Motion((x, y, z), None, len(postures)))
        is_there = drag.step()
        postures.append(drag.q.copy())
        at = whole.place(drag.q).segment(segment).apply((0.0, 0.0, 0.0))
        lags.append(float(np.linalg.norm(at - start - offset)))
        return is_there

    for way in (out, np.concatenate([out[-2::-1], np.zeros((1, 3))])):
        for offset in way:
            event(offset)
        for _ in range(STILL):
            if event(way[-1]):
                break
    return Way(np.array(postures), np.array(lags))


def places(document: Document, postures: Values) -> Values:
    """Where all segments are: (k, segments, 3)."""
    whole = document.whole
    return np.array(
        [[whole.place(q).segment(name).position for name in whole.segments] for q in postures]
    )


def column(document: Document, postures: Values, name: str) -> Values:
    return np.rad2deg(postures[:, document.whole.index(name)])


@pytest.mark.parametrize(
    ("to", "most"),
    [
        # The ankles are at their stops: the pelvis goes on an arc about the knees.
        pytest.param((-0.30, 0.0, -0.45), 0.08, id="back and down"),
        # On that arc no posture is nearer than 23 cm to the end of the pointer's way.
        pytest.param((0.0, 0.0, -0.50), 0.33, id="straight down"),
    ],
)
def test_a_pelvis_dragged_down_squats_evenly_and_comes_back(
    to: tuple[float, float, float], most: float
) -> None:
    document = Document.new()
    way = there_and_back(document, "pelvis", to)
    left, right = (column(document, way.postures, f"{s}_knee.flexion") for s in ("left", "right"))
    assert max(left) > 90, "it squats"
    assert np.abs(left - right).max() < 5
    assert np.abs(column(document, way.postures, "root.ry")).max() < 20, "and does not bow"
    assert way.lags.max() < most
    parts = places(document, way.postures)
    assert np.linalg.norm(np.diff(parts, axis=0), axis=2).max() < 0.05
    assert np.linalg.norm(parts[-1] - parts[0], axis=1).max() < 1e-3


def test_a_goal_is_a_criterion_that_outweighs_the_others_by_a_set_measure() -> None:
    scene = Scene(human())
    scene.add(Frame("left_foot"), priority=1)
    scene.add(Frame("right_foot"), priority=1)
    scene.add(Balance(), priority=2)
    at = scene.places.segment("pelvis").position
    x, y, z = at.tolist()
    task = Grabbed("pelvis", (0.0, 0.0, 0.0), (x, y, z))
    scene.add(task, priority=3, name=DRAG)
    work = anchored(scene, scene.q, np.ones(scene.q.size))
    compromise = Compromise(work, {DRAG: task}, None)
    assert DRAG in work.handles, "the scene is left as it was"
    assert compromise.cost_at(scene.q, 1e-7) == pytest.approx(0.0, abs=1e-12)
    compromise.aim({DRAG: task.at((x, y, z - 0.1))})
    # Nothing but the goal is left: half the square of 10 cm.
    assert compromise.cost_at(scene.q, 1e-7) == pytest.approx(0.5 * 0.1**2)
    # A criterion of weight 1 weighs as much against the goal as one radian against 1/√DRAWN m.
    bent = scene.q
    bent[scene.figure.index("spine.flexion")] += 1.0
    work.add(Rest(scene.figure.posture(bent)), weight=1.0)
    weighed = Compromise(work, {DRAG: task}, None)
    assert weighed.cost_at(scene.q, 1e-7) == pytest.approx(0.5 / DRAWN)
