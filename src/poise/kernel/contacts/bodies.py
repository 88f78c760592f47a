"""Which pairs of bodies are to stay apart, and those of them that are near each other now.

Every block of rows that keeps pairs apart (`residuals.avoid`) has slots, one for a row. A pair gets
one when it comes near, and keeps it: rows appear, and do not change places while a solve goes on.
Pairs are looked for anew only where a shape has moved further than a slack; in between none that
has no slot can come within reach.

No point of a shape moves further than its centre does, and its bound times how far it turns. So a
distance once computed bounds later ones from below, and is computed anew only where that bound is
within reach: `Kept.far` has it, with all that the two shapes had moved until then.
"""

import math
from typing import NamedTuple

import numpy as np

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.compiling import compiled, entry
from poise.kernel.contacts.distance import CONTACT, DISTANCE, distance
from poise.kernel.contacts.pairs import Near, Pairs, make_near, near_pairs, pair_list
from poise.kernel.contacts.shapes import HALF_SPACE, Shapes, no_shapes, place_shapes
from poise.kernel.contacts.workspace import REMEMBERED, Workspace, workspace
from poise.kernel.filling import copy
from poise.kernel.records import Numbers

REACH = 0.01
"""Metres. A pair that is no farther from what is wanted has a row. More let a step see sooner what
it comes near to; less make fewer rows."""
SLACK = 0.01
"""Metres that a shape may move before near pairs are looked for anew. More make more slots; less
make more searches."""
MOST_ROWS = 200
"""Slots of a block for each figure, at most. Where more pairs are near, the nearest have one."""


class Bodies(NamedTuple):
    """Shapes, and the pairs of them that are to stay apart; those of all blocks."""

    shapes: Shapes
    pairs: Pairs  # `allowed` is the depth allowed, less the distance wanted
    owner: Ints  # (P,) the block that each pair is of
    first_slot: Ints  # (A + 1,) the slots of each block


NO_BODIES = Bodies(
    no_shapes(),
    pair_list([], [], np.zeros(0, np.int64)),
    np.zeros(0, np.int64),
    np.zeros(1, np.int64),
)
"""Of a problem that keeps nothing apart."""


class Looked(Numbers):
    """When near pairs were last looked for."""

    is_done: bool
    """Whether they were."""


class Kept(NamedTuple):
    """What is known of pairs in one posture after another: R slots."""

    looked: Looked
    near: Near
    room: Workspace
    places: Floats2  # (S, 12) of shapes in the world
    before: Floats2  # (S, 12) where they were when near pairs were looked for
    gone: Floats  # (S,) how far a point of each may have moved in all until then, m
    moved: Floats  # (S,) and since then
    far: Floats  # (P,) what was left of each pair, and what both had gone then
    found: Ints  # (P,) near pairs
    pair: Ints  # (R,) of each slot; −1 for none
    slot: Ints  # (P,) of each pair; −1 for none
    contact: Floats2  # (R, CONTACT)
    warm: Floats2  # (R, REMEMBERED) what is remembered of a pair
    trial: Floats2  # (2, REMEMBERED) room for pairs that have no slot
    form: Floats2  # (12, 12) second derivatives of a distance


def make_kept(bodies: Bodies) -> Kept:
    """Room for what is known of bodies."""
    shapes, pairs = bodies.shapes.kind.size, bodies.owner.size
    slots = int(bodies.first_slot[-1])
    return Kept(
        looked=Looked(),
        near=make_near(bodies.pairs, SLACK),
        room=workspace(),
        places=np.zeros((shapes, 12)),
        before=np.zeros((shapes, 12)),
        gone=np.zeros(shapes),
        moved=np.zeros(shapes),
        far=np.full(pairs, -np.inf),
        found=np.zeros(pairs, np.int64),
        pair=np.full(slots, -1, np.int64),
        slot=np.full(pairs, -1, np.int64),
        contact=np.zeros((slots, CONTACT)),
        warm=np.zeros((slots, REMEMBERED)),
        trial=np.zeros((2, REMEMBERED)),
        form=np.zeros((12, 12)),
    )


@compiled
def look(bodies, kept, state):
    """Place all shapes; give slots to pairs that have come near."""
    place_shapes(bodies.shapes, state, kept.places)
    if kept.looked.is_done and not _have_moved(bodies.shapes, kept):
        return
    for i in range(kept.places.shape[0]):
        copy(kept.places[i], kept.before[i])
        kept.gone[i] += kept.moved[i]
        kept.moved[i] = 0.0
    kept.looked.is_done = True
    wide = REACH + 2.0 * SLACK
    count = near_pairs(bodies.shapes, kept.places, bodies.pairs, kept.near, wide, kept.found)
    for k in range(count):
        p = kept.found[k]
        if kept.slot[p] >= 0 or least_left(bodies, kept, p) > wide:
            continue
        for c in range(kept.trial.shape[1]):
            kept.trial[0, c] = 0.0
        left = measure(bodies, kept, p, kept.trial[0], kept.trial[1, :CONTACT])
        if left <= wide:
            _give_slot(bodies, kept, p, left)


@compiled
def least_left(bodies, kept, p):
    """A lower bound of what is left of a pair: its distance, and the depth allowed (m)."""
    i, j = bodies.pairs.pair[p, 0], bodies.pairs.pair[p, 1]
    return kept.far[p] - (kept.gone[i] + kept.moved[i]) - (kept.gone[j] + kept.moved[j])


@compiled
def measure(bodies, kept, p, warm, contact):
    """Compute the contact of a pair; what is left of it (m)."""
    i, j = bodies.pairs.pair[p, 0], bodies.pairs.pair[p, 1]
    distance(bodies.shapes, kept.places, i, j, warm, kept.room, contact)
    left = contact[DISTANCE] + bodies.pairs.allowed[p]
    kept.far[p] = left + (kept.gone[i] - kept.moved[i]) + (kept.gone[j] - kept.moved[j])
    return left


@compiled
def _have_moved(shapes, kept):
    """Note how far points of the shapes may have moved; whether it is further than the slack."""
    places, before, is_far = kept.places, kept.before, False
    for i in range(places.shape[0]):
        moved, turned = 0.0, 0.0
        for c in range(9):
            turned += (places[i, c] - before[i, c]) ** 2
        for c in range(9, 12):
            moved += (places[i, c] - before[i, c]) ** 2
        if shapes.kind[i] == HALF_SPACE:
            kept.moved[i] = 0.0 if moved + turned == 0.0 else np.inf
        else:
            kept.moved[i] = math.sqrt(moved) + shapes.bound[i] * math.sqrt(turned)
        is_far |= kept.moved[i] > SLACK
    return is_far


@compiled
def _give_slot(bodies, kept, p, left):
    """Give a pair, which has so much left, a free slot of its block, or that of a farther one."""
    owner = bodies.owner[p]
    first, last = bodies.first_slot[owner], bodies.first_slot[owner + 1]
    best = _free_slot(kept, first, last)
    if best < 0:
        _measure_all(bodies, kept, first, last)
        best = _free_slot(kept, first, last)
    if best < 0:
        most = left
        for s in range(first, last):
            far = kept.contact[s, DISTANCE] + bodies.pairs.allowed[kept.pair[s]]
            if far > most:
                best, most = s, far
    if best < 0:
        return
    if kept.pair[best] >= 0:
        kept.slot[kept.pair[best]] = -1
    kept.pair[best], kept.slot[p] = p, best
    for c in range(kept.warm.shape[1]):
        kept.warm[best, c] = 0.0
    measure(bodies, kept, p, kept.warm[best], kept.contact[best])


@compiled
def _free_slot(kept, first, last):
    """The first slot that no pair has; −1 if all are taken."""
    for s in range(first, last):
        if kept.pair[s] < 0:
            return s
    return -1


@compiled
def _measure_all(bodies, kept, first, last):
    """Measure the pairs of some slots where they are now; those that are not near lose theirs."""
    for s in range(first, last):
        p = kept.pair[s]
        if p >= 0 and measure(bodies, kept, p, kept.warm[s], kept.contact[s]) > (
            REACH + 2.0 * SLACK
        ):
            kept.pair[s], kept.slot[p] = -1, -1


@entry
def forget_all(kept: Kept) -> None:
    """When a solve begins from nothing: forget all pairs, so that those before do not matter."""
    kept.looked.is_done, kept.near.listed.reach = False, -1.0
    for s in range(kept.pair.size):
        kept.pair[s] = -1
    for p in range(kept.slot.size):
        kept.slot[p], kept.far[p] = -1, -np.inf
    for i in range(kept.gone.size):
        kept.gone[i], kept.moved[i] = 0.0, 0.0


@compiled
def forget_far(bodies, kept):
    """When a solve goes on: give back the slots of pairs that are no longer near."""
    wide = 2.0 * (REACH + 2.0 * SLACK)
    for s in range(kept.pair.size):
        p = kept.pair[s]
        if p >= 0 and least_left(bodies, kept, p) > wide:
            kept.pair[s], kept.slot[p] = -1, -1
