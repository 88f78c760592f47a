"""Fitting the posture prior (`models.prior`) to tracked clips.

Every frame and its mirror image is one observation of the features. Frames are sorted into stances
by what the feet, the knees and the pelvis do; the others (lying, upside down, in the air) are left
out. Each stance is a Gaussian of a certain form, found by trying many on people that were not
fitted, and by looking at what comes out:

- Standing has its mean at the rest posture, whatever the data's is: what is not asked hangs at
  ease. The others have the data's mean.
- Legs, each arm, and head and neck are independent of each other given trunk and tilt; else the
  free arm mirrors the busy one, and knees bend for what an arm does.
- Twists are wider than in the data, where people mostly face what they do; so reaching behind and
  looking back are not taken for stepping or leaning.
- Standing is favoured beyond its share of the data: people who can stand for something do.
- Pronation, wrists and toes are not seen in joint centres (see `tracking`): means are those of
  rest, spreads are set by hand.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import PoiseError
from poise.figure import Figure
from poise.figure.polygons import planar_middle
from poise.models.human import human
from poise.models.prior import UP, Gaussian, Prior
from poise.motion.links import placed
from poise.motion.tracking import SIDES

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Stances, of the man of 1.75 m that clips are tracked by.
LEVEL_FEET = 0.07
"""Metres between the lowest and the highest of heels and toes, when both feet stand flat."""
STRAIGHT_KNEES = np.deg2rad(25.0)
"""Flexion of the more bent knee of one who stands."""
UPRIGHT = 0.26
"""The level part of the up direction in the pelvis' frame, when standing (15° of tilt)."""
NARROW = 0.5
"""Metres between the feet of one who stands."""
LOW_PELVIS = 0.62
"""Height (m) of the hips below which a posture is low: squatting, kneeling, sitting."""
LYING = 0.9
"""The level part of the up direction beyond which a low posture lies."""
TUMBLING = 0.6
"""The same, beyond which one on unlevel feet falls or tumbles."""
FEWEST = 50
"""Frames that a stance needs; one with fewer is left out."""

# The Gaussians.
STAND_FAVOUR = 4.5
"""Nats, 90 to one. With 6 standing wins where people crouch, with 3 knees bend for an arm."""
FLOOR = 0.03
"""Standard deviation (rad) added to every feature: the tracking's own error."""
WIDER = {"spine.axial": 0.2, "spine.lateral": 0.2, "neck.twist": 0.2, "hip.twist": 0.14}
"""Standard deviations (rad) added to twists instead; the spine's bend to the side counts as one."""
COMMON = 0.02
"""Share of the covariance of all frames that is added to each stance's.

All are those of no stance too, who lie or tumble: it widens what a stance hardly ever does. Without
it directions in which a stance does not vary would be forbidden."""
BY_HAND = {
    "elbow.pronation": 0.6,
    "wrist.swing_x": 0.3,
    "wrist.swing_y": 0.3,
    "toes.extension": 0.3,
}
"""Standard deviations (rad) of what joint centres do not show."""


class Observed(NamedTuple):
    """Frames as the prior sees them."""

    features: Values
    """(k, m)."""
    stances: dict[str, Mask]
    """(k,) which frames belong to each."""
    off_middle: Values
    """(k, 2) m, from the middle of the soles to the centre of mass, seen from above."""
    flat: Mask
    """(k,) in which frames both feet stand flat."""

    @classmethod
    def of(cls, figure: Figure, q: Values) -> Observed:
        """Frames (k, n) of a person with grouped spine and shoulders."""
        places = placed(figure, q)
        turns, pelvis = places["pelvis"]
        up = turns[:, 2, :2]
        joints = q[:, ~figure.root_coordinates]
        soles = [
            _site(figure, places, f"{side}_{part}") for side in SIDES for part in ("heel", "toe")
        ]
        heights = np.array([sole[:, 2] for sole in soles])
        feet = [_site(figure, places, f"{side}_foot")[:, :2] for side in SIDES]
        knees = [q[:, figure.index(f"{side}_knee.flexion")] for side in SIDES]
        tilt = np.hypot(*up.T)
        flat = np.ptp(heights, axis=0) < LEVEL_FEET
        low = (pelvis[:, 2] < LOW_PELVIS) & (tilt < LYING)
        stand = flat & (np.maximum(*knees) < STRAIGHT_KNEES) & (tilt < UPRIGHT)
        stand &= np.linalg.norm(feet[0] - feet[1], axis=1) < NARROW
        stances = {
            "stand": stand,
            "crouch": flat & ~stand & ~low,
            "low": low,
            "stride": ~flat & ~low & (tilt < TUMBLING),
        }
        off_middle = _center_of_mass(figure, places) - _middle_of_soles(figure, places)
        return cls(np.hstack([joints, up]), stances, off_middle[:, :2], flat & ~low)


def _site(figure: Figure, places: Mapping[str, tuple[Values, Values]], name: str) -> Values:
    """Where a site is, (k, 3)."""
    site = figure.sites[name]
    turns, positions = places[site.segment]
    return positions + turns @ site.place.position


def _center_of_mass(figure: Figure, places: Mapping[str, tuple[Values, Values]]) -> Values:
    """Where the centre of mass is, (k, 3)."""
    total, moment = 0.0, np.zeros(3)
    for name, segment in figure.segments.items():
        mass, center, _ = segment.mass_properties()
        if mass > 0:
            turns, positions = places[name]
            total, moment = total + mass, moment + mass * (positions + turns @ np.asarray(center))
    return moment / total


def _middle_of_soles(figure: Figure, places: Mapping[str, tuple[Values, Values]]) -> Values:
    """The mean of the middles of both soles, (k, 3), as `tasks.MidSupport` has it."""
    middles: list[Values] = []
    for side in SIDES:
        site = figure.sites[f"{side}_foot"]
        turns, positions = places[site.segment]
        middle = (*planar_middle(np.array(site.outline)), 0.0)
        middles.append(positions + turns @ site.place.apply(middle))
    return np.mean(middles, axis=0)


class Fitted(NamedTuple):
    """A prior, and what it was fitted to."""

    prior: Prior
    frames: int
    """All, without mirror images."""
    shares: dict[str, float]
    """Of the frames, by stance; what is left belongs to none."""
    center_spread: float
    """Metres by which the centre of mass is off the middle of the soles while both feet stand flat,
    forward and sideways alike: a root of mean squares; NaN where they never do. `tasks.MidSupport`
    has its strength from there."""


def fit_prior(motions: Sequence[Values], made: Mapping[str, Any]) -> Fitted:
    """Fit the prior to postures of `poise.human()`.

    Args:
        motions: coordinates (k, n) of each clip.
        made: where they are from, for the file.

    Raises:
        PoiseError: where there is no posture, or none of any stance.
    """
    if not motions:
        raise PoiseError("a prior needs postures to be fitted to, and there are none")
    figure = human()
    seen = Observed.of(figure, np.concatenate([np.asarray(q) for q in motions]))
    frames = len(seen.features)
    names = (*np.array(figure.coordinates)[~figure.root_coordinates].tolist(), *UP)
    rest = Observed.of(figure, figure.rest().q[None]).features[0]
    hidden = _matching(names, BY_HAND)
    features = np.vstack([seen.features, seen.features @ _mirror(figure).T])
    features[:, list(hidden)] = rest[list(hidden)]
    added = np.full(len(names), FLOOR)
    for chosen in (_matching(names, WIDER), hidden):
        added[list(chosen)] = list(chosen.values())
    common = COMMON * np.cov(features.T, bias=True) + np.diag(added**2)
    shares = {name: float(mask.mean()) for name, mask in seen.stances.items()}
    stances = [
        _gaussian(name, features[np.tile(mask, 2)], shares[name], rest, common, names)
        for name, mask in seen.stances.items()
        if mask.sum() >= FEWEST
    ]
    if not stances:
        raise PoiseError(
            f"none of {frames} frames stands, crouches, is low or strides often enough: a stance "
            f"needs {FEWEST} frames"
        )
    off = seen.off_middle[seen.flat]
    spread = float(np.sqrt((off * off).mean())) if len(off) else float("nan")
    return Fitted(Prior(names, tuple(stances), made), frames, shares, spread)


def provenance(clips: Iterable[str], frames: int, error: float, **said: str) -> dict[str, Any]:
    """What the file says about itself.

    Args:
        clips: their names; the subject is what stands before an underscore, as CMU's have it.
        frames: how many there are.
        error: mean error (m) of the tracking.
        said: what else there is to say, by name: source, licence, command, version.
    """
    names = list(clips)
    subjects = sorted({name.partition("_")[0] for name in names}, key=lambda each: each.zfill(4))
    return {
        **said,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "clips": len(names),
        "frames": frames,
        "mirrored": True,
        "tracking_error_mm": round(1e3 * error, 1),
        "subjects": " ".join(subjects),
    }


def _gaussian(
    name: str, features: Values, share: float, rest: Values, common: Values, names: Sequence[str]
) -> Gaussian:
    """A stance from its frames."""
    stands = name == "stand"
    mean = rest if stands else features.mean(axis=0)
    off = features - mean
    precision = _independent(off.T @ off / len(off) + common, names)
    return Gaussian(name, share, STAND_FAVOUR if stands else 0.0, mean, precision)


def _independent(covariance: Values, names: Sequence[str]) -> Values:
    """The precision of limbs that are independent given trunk and tilt.

    Of a decomposable graph it is the sum of the limbs' precisions, each with the trunk, less the
    trunk's, which was counted too often (Lauritzen 1996, proposition 5.9).
    """
    trunk = [i for i, name in enumerate(names) if name.startswith("spine.") or name in UP]
    limbs: list[list[int]] = [[], [], [], []]
    for i, name in enumerate(names):
        if i not in trunk:
            limbs[_limb(name)].append(i)
    precision = np.zeros_like(covariance)
    for limb in limbs:
        block = np.ix_(trunk + limb, trunk + limb)
        precision[block] += np.linalg.inv(covariance[block])
    block = np.ix_(trunk, trunk)
    precision[block] -= (len(limbs) - 1) * np.linalg.inv(covariance[block])
    precision = 0.5 * (precision + precision.T)
    precision[np.abs(precision) < 1e-9] = 0.0
    return precision


def _limb(name: str) -> int:
    """Of which limb a coordinate is: head and neck, legs, left arm, right arm."""
    if name.startswith(("neck.", "head.")):
        return 0
    side, _, part = name.partition("_")
    if part.startswith(("hip.", "knee.", "ankle.", "toes.")):
        return 1
    return 2 if side == "left" else 3


def _matching(names: Sequence[str], values: Mapping[str, float]) -> dict[int, float]:
    """Places of the features that are called so, on either side."""
    return {
        i: value
        for i, name in enumerate(names)
        for part, value in values.items()
        if name in (part, f"left_{part}", f"right_{part}")
    }


def _mirror(figure: Figure) -> Values:
    """The matrix (m, m) that makes features those of the mirror image."""
    free = ~figure.root_coordinates
    count = int(free.sum())
    matrix = np.zeros((count + 2, count + 2))
    for column, i in enumerate(np.flatnonzero(free)):
        q = np.zeros(figure.n)
        q[i] = 0.1
        matrix[:count, column] = figure.posture(q).mirrored().q[free] / 0.1
    matrix[count:, count:] = np.diag([1.0, -1.0])
    return np.where(np.abs(matrix) < 1e-9, 0.0, matrix)
