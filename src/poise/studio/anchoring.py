"""Staying as one was: the criterion of drags, and of finding a posture near one that was chosen.

A person is drawn to the posture in which it was taken hold of, the *anchor*, by a Gaussian of the
person's prior whose mean is that posture. What a goal asks for is then done by the joints that vary
most in people for it, and that go together in people: the arm first, then the trunk, then the legs.
Nothing is drawn to any other posture, and the way back leads back to the anchor.

The Gaussian is that of the stance which is likeliest at the anchor, with the ways from it to the
other stances added: who stands up or goes down bends hips, knees and back together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.figure import Figure
from poise.kernel.residuals import natural
from poise.kernel.residuals.kinds import NATURAL
from poise.scene import Scene
from poise.scene.priors import NATURAL_WEIGHT
from poise.tasks import Natural
from poise.tasks.natural import RADIANS
from poise.tasks.task import Block, Context, Criterion, PosturePrior, StanceBlock

Values = NDArray[np.float64]

ANCHOR = "· drag, anchor"
"""The name of the criterion; reports leave it out."""

ROOT = 4.0
"""How strongly a person's root, of which the prior says nothing, is kept where it is, against
`tasks.Rest`: 12 cm or 0.12 rad count as much as one standard deviation of people. Without, whoever
is pinned nowhere would follow a hand as a whole; larger values keep the pelvis from helping."""

FIRM = 2.0
"""So many times as many standard deviations count for what is not of the limb that is dragged: what
the arm can do the arm does."""

HANGS = 0.9
"""An arm whose elevation (rad) at the anchor is at most this hangs, and hangs when the trunk bends,
too; one that was raised higher keeps its place on the trunk."""

OTHER_STANCES = 0.5
"""The variance, along the way to the mean of each other stance, as a share of that way's square."""

_ARMS = ("left_arm", "right_arm", "left_hand", "right_hand", "neck", "head")
"""Limbs that have no part in the ways to other stances: a free arm hangs, whoever goes down."""


@dataclass(frozen=True, eq=False)
class Anchored(Criterion):
    """Stay near a posture: persons by their prior about it, other coordinates by springs.

    Attributes:
        q: (n,) the posture.
        strength: (n,) of springs on coordinates of which no prior says anything, ½ s (q − r)².
        natural: whether persons are held by their prior; else by springs.
    """

    q: Values
    strength: Values
    natural: bool = True

    @property
    def has_limb(self) -> bool:
        """Whether some coordinates are held less than others: those of a limb that is dragged."""
        return bool((self.strength < 1.0).any())

    def springs(self, context: Context) -> tuple[Values, Values]:
        """Where nothing else is known."""
        strength = self.strength.copy()
        for name, prior in self._priors(context).items():
            _, span = context.parts[name]
            strength[span] = ROOT
            strength[prior.indices + span.start] = 0.0
        return self.q, strength

    def blocks(self, context: Context) -> list[Block]:
        """A block for each person."""
        return [self._block(context, *each) for each in self._priors(context).items()]

    def _priors(self, context: Context) -> Mapping[str, PosturePrior]:
        return context.priors if self.natural else {}

    def _block(self, context: Context, name: str, prior: PosturePrior) -> Block:
        segment = prior.node if context.is_single else f"{name}/{prior.node}"
        node, place = context.figure.packed.segments[segment]
        figure, span = context.parts[name]
        indices, axes = prior.indices + span.start, place.rotation.T[:2]
        up = context.figure.place(self.q).segment(segment).rotation[2, :2]
        features = np.concatenate([self.q[indices], up])
        free = np.append(self.strength[indices] >= 1.0, [True, True])
        rows = _rows(figure, prior, features) * np.where(free & self.has_limb, FIRM, 1.0)
        values = natural.packed(axes, indices, features, rows)
        stance = StanceBlock("anchor", 0.0, values)
        share = RADIANS * RADIANS
        return Block(NATURAL, len(rows), values, node=node, share=share, stances=(stance,))


def _rows(figure: Figure, prior: PosturePrior, features: Values) -> Values:
    """W (m, m) of the Gaussian about a posture's features (m,): WᵀW is its precision."""
    stances: list[Any] = list(prior.stances)
    scores = [
        each.log_weight - 0.5 * float(np.sum((each.rows @ (features - each.mean)) ** 2))
        for each in stances
    ]
    likeliest = stances[int(np.argmax(scores))]
    takes_part = np.ones(features.size)
    limbs = figure.limbs
    arms = {figure.index(each) for limb in _ARMS for each in limbs.get(limb, ())}
    takes_part[[i for i, index in enumerate(prior.indices.tolist()) if index in arms]] = 0.0
    # By Woodbury, one direction at a time: the precision of a covariance that grows by a d dᵀ.
    precision = likeliest.rows.T @ likeliest.rows
    for other in stances:
        way = takes_part * (other.mean - likeliest.mean)
        along = precision @ way
        reach = float(along @ way)
        precision -= np.outer(along, along) * (OTHER_STANCES / (1.0 + OTHER_STANCES * reach))
    for limb in ("left_arm", "right_arm"):
        of_limb = {figure.index(each) for each in limbs.get(limb, ())}
        arm = np.array([index in of_limb for index in prior.indices.tolist()] + [False, False])
        if _is_raised(figure, prior, features, limb):
            precision = _apart(precision, arm)
    hanging = _hanging(figure, prior, features, precision)
    precision = hanging.T @ precision @ hanging
    return np.linalg.cholesky(0.5 * (precision + precision.T)).T.astype(np.float64)


def _is_raised(figure: Figure, prior: PosturePrior, features: Values, limb: str) -> bool:
    """Whether an arm does not hang, by its elevation, where that is known."""
    name = f"{limb.removesuffix('_arm')}_shoulder_complex.elevation"
    if name not in figure.coordinates:
        return False
    (at,) = np.nonzero(prior.indices == figure.index(name))
    return bool((np.abs(features[:-2][at]) > HANGS).any())


def _apart(precision: Values, arm: NDArray[np.bool_]) -> Values:
    """The precision (m, m) where some features (m,) do not go along with the others.

    They vary as they do while the others stay, and the others as they do whatever these do.
    """
    result, rest = precision.copy(), ~arm
    across = precision[np.ix_(arm, rest)]
    result[np.ix_(rest, rest)] -= across.T @ np.linalg.solve(precision[np.ix_(arm, arm)], across)
    result[np.ix_(arm, rest)] = 0.0
    result[np.ix_(rest, arm)] = 0.0
    return result


def _hanging(figure: Figure, prior: PosturePrior, features: Values, precision: Values) -> Values:
    """What (m, m) makes of deviations those of arms that hang, as the trunk bends forward.

    An arm that hangs is turned against the trunk by as much as that is turned forward: by the
    flexion of the spine, and by the pelvis, whose x axis then points down. The data say so of
    crouching; who stands in them seldom bends far. Nothing is changed where the spine is no group.
    """
    names = [figure.coordinates[i] for i in prior.indices.tolist()]
    result = np.eye(features.size)
    if "spine.flexion" not in names:
        return result
    bent = [names.index("spine.flexion"), features.size - 2]
    covariance = np.linalg.inv(precision)
    for side in ("left", "right"):
        name = f"{side}_shoulder_complex.elevation"
        if name not in names or _is_raised(figure, prior, features, f"{side}_arm"):
            continue
        arm = names.index(name)
        known = np.linalg.solve(covariance[np.ix_(bent, bent)], covariance[bent, arm])
        result[arm, bent] = known - (1.0, -1.0)
    return result


def anchored(scene: Scene, q: Values, strength: Values) -> Scene:
    """A copy of a scene that stays near a posture (n,) instead of drawing to a usual one.

    A scene whose user has added `Natural` keeps that, and is not anchored.
    """
    work = scene.copy()
    if any(isinstance(each.wanted, Natural) and each.enabled for each in work.handles.values()):
        return work
    is_natural = scene.natural
    work.natural = False
    work.add(Anchored(q, strength, is_natural), weight=NATURAL_WEIGHT, name=ANCHOR)
    return work
