"""A clip's joint centres brought to a person: tracking.

Which joint of the clip is which of ours is known by names (`NAME_SETS`). The clip is scaled by the
length of the legs. Its limbs are then laid out anew, joint by joint, with the person's own lengths
along the clip's directions: else knees and elbows would bend to make up for bones of other lengths.
Trunk, shoulders and head are scaled about the middle of the hips and of the shoulders.

Every frame is a solve from the frame before: joint centres as `Position` tasks, pelvis and head
also by their orientation, feet by one that keeps them from rolling, all of one priority, and a
touch of `Rest` for what they leave open.

What the centres do not say stays near rest: pronation, wrists, toes, fingers. CMU's clips do have
an orientation for the hands, but it cannot be used (pronation would be at its stop in most
frames): forearms were captured with too few markers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.calls import public
from poise.closed import closed
from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.kinds import Free
from poise.figure.transform import Transform
from poise.models.poses import is_person
from poise.motion.clip import Clip
from poise.motion.links import placed
from poise.scene import Scene
from poise.scene.animate import Progress
from poise.tasks import Orientation, Position, Rest

Values = NDArray[np.float64]

SIDES = ("left", "right")

NAME_SETS: dict[str, dict[str, str]] = {
    "cmu": {
        "pelvis": "Hips",
        "head": "Head",
        "{side}_hip": "{Side}UpLeg",
        "{side}_knee": "{Side}Leg",
        "{side}_ankle": "{Side}Foot",
        "{side}_toes": "{Side}ToeBase",
        "{side}_shoulder": "{Side}Arm",
        "{side}_elbow": "{Side}ForeArm",
        "{side}_wrist": "{Side}FingerBase",  # LeftHand is where the forearm turns
    },
    "poise": {
        "pelvis": "root",
        "head": "head",
        **{
            f"{{side}}_{part}": f"{{side}}_{part}"
            for part in ("hip", "knee", "ankle", "toes", "shoulder", "elbow", "wrist")
        },
    },
}
"""By the name of a set: what its skeletons call our joints; {side} is left, {Side} is Left."""

WEIGHTS = {
    "{side}_hip": 2.0,
    "{side}_knee": 1.0,
    "{side}_ankle": 1.5,
    "{side}_toes": 1.0,
    "head": 0.3,
    "{side}_shoulder": 1.0,
    "{side}_elbow": 1.0,
    "{side}_wrist": 1.0,
}
"""How much each centre counts. Hips and feet carry the posture; heads of skeletons are elsewhere
than ours."""
TURN_WEIGHTS = {"pelvis": 0.15, "head": 0.15, "left_foot": 0.02, "right_foot": 0.02}
"""How much orientations count, at 0.5 m for a radian."""
REST_WEIGHT = 0.01
"""How much the rest posture counts, for what the centres leave open."""
ITERATIONS = 40
"""The most for a frame."""
LOWEST_FRAMES = 20.0
"""A foot is taken to stand in the lowest of its frames, so many per cent."""
STANDING = 0.02
"""Metres above those at which it still stands."""
FLATTEST = (np.deg2rad(-45.0), np.deg2rad(5.0))
"""Between these pitches (rad) is the line from ankle to toes of a foot that stands."""
STEEP = 0.2
"""How much the hips' sides count beside the level ones of a foot, which has none when upright."""
SHORTEST = 1e-3
"""Bones of a clip that are shorter (m) are taken for none."""

_TURNED = ("pelvis", "head")


@closed
@dataclass(frozen=True, eq=False)
class Tracking:
    """A clip on a person, and how well it fits.

    Attributes:
        clip: the motion on the person, frame for frame.
        centres: names (c,) of the joint centres that were followed.
        errors: (k, c) how far (m) each centre is from where it should be: from the clip's centres
            after they were laid out with the person's lengths, not from the clip's own.
        scale: what lengths of the clip were multiplied by.
        names: the set of names by which the clip's joints were known.
    """

    clip: Clip
    centres: tuple[str, ...]
    errors: Values
    scale: float
    names: str

    def __repr__(self) -> str:
        """The clip and its median error."""
        return f"<Tracking of {self.clip!r}: {1e3 * np.median(self.errors):.1f} mm off>"


@public
def track_joints(clip: Clip, figure: Figure, *, progress: bool | Progress = False) -> Tracking:
    """Fit a clip's joint centres to a person, frame by frame.

    A foot that stands in the clip stands flat on the person: where the clip's line from ankle to
    toes is then steeper or flatter than the person's, that foot is pitched by the difference in
    all frames. The floor is z = 0 as far as it is so in the clip.

    Args:
        clip: of a skeleton whose joints are called as one of `NAME_SETS` has it. Its rest posture
            is upright, facing +x.
        figure: a person, `poise.human()` with any options and a free root.
        progress: True shows a bar; a function is called after each frame with its number and
            that of all.

    Raises:
        PoiseError: where the figure is no person, or the clip no skeleton that is known.
    """
    if not isinstance(clip, Clip):
        raise PoiseError(f"what is tracked is a clip, not {clip!r}", code=", as load_clip gives it")
    if not isinstance(figure, Figure):
        raise PoiseError(f"a clip is tracked by a figure, not by {figure!r}")
    if not is_person(figure) or not figure.joints["root"].kind.is_free:
        raise PoiseError(
            f"a clip is tracked by a person with a free root, which {figure.name!r} is not",
            code="; poise.human() makes one",
        )
    chosen = names_of(clip.figure)
    skeleton, body = _Skeleton.of(clip, NAME_SETS[chosen]), _Skeleton.standing(figure)
    scale = _leg(body, figure.name) / _leg(skeleton, clip.figure.name)
    centres = _centres(skeleton, body, scale)
    where = figure.place(figure.rest())
    turns = {**skeleton.turns, **_foot_turns(centres, body)}
    turned = {name: turn @ where[name].rotation for name, turn in turns.items()}
    aims = {**centres, **{_turning(name): path for name, path in turned.items()}}
    moves = _scene(figure, centres, turned, skeleton.turns["pelvis"][0]).animate(
        aims, fps=clip.fps, progress=progress, max_iterations=ITERATIONS
    )
    columns = [moves.solutions.names.index(name) for name in centres]
    return Tracking(
        Clip(figure, moves.clip.q, clip.fps, clip.name),
        tuple(centres),
        moves.solutions.errors[:, columns],
        scale,
        chosen,
    )


def names_of(skeleton: Figure) -> str:
    """The set of names that a skeleton's joints go by.

    Raises:
        PoiseError: where none fits; it says what the nearest set lacks.
    """
    lacking = {
        name: [each for each in _sided(names).values() if each not in skeleton.joints]
        for name, names in NAME_SETS.items()
    }
    nearest = min(lacking, key=lambda name: len(lacking[name]))
    if not lacking[nearest]:
        return nearest
    if len(lacking[nearest]) > len(_sided(NAME_SETS[nearest])) // 2:
        known = "; ".join(
            f"{name}, with {', '.join(list(_sided(names).values())[:4])}, …"
            for name, names in NAME_SETS.items()
        )
        raise PoiseError(
            f"the joints of {skeleton.name!r} are not called as tracking knows them: {known}"
        )
    raise PoiseError(
        f"{skeleton.name!r} lacks joints that tracking needs: {', '.join(lacking[nearest])}, by "
        f"the names of {nearest!r}"
    )


def _sided(names: Mapping[str, str]) -> dict[str, str]:
    """A table for both sides."""
    return {
        ours.format(side=side): theirs.format(side=side, Side=side.capitalize())
        for side in SIDES
        for ours, theirs in names.items()
    }


class _Skeleton(NamedTuple):
    """Joint centres of a skeleton, by our names: at rest, and over a motion."""

    rest: dict[str, Values]
    """(3,) each."""
    centres: dict[str, Values]
    """(k, 3) each."""
    turns: dict[str, Values]
    """(k, 3, 3) of pelvis and head, from rest to the frame, in the world's axes."""

    @classmethod
    def of(cls, clip: Clip, names: Mapping[str, str]) -> _Skeleton:
        """The centres of a clip, its joints by name."""
        figure = clip.figure
        still, moving = placed(figure, figure.rest().q[None]), placed(figure, clip.q)
        segments = {ours: figure.joints[theirs].child for ours, theirs in _sided(names).items()}
        return cls(
            {name: still[segment][1][0] for name, segment in segments.items()},
            {name: moving[segment][1] for name, segment in segments.items()},
            {
                name: moving[segments[name]][0] @ still[segments[name]][0].transpose(0, 2, 1)
                for name in _TURNED
            },
        )

    @classmethod
    def standing(cls, figure: Figure) -> _Skeleton:
        """The centres of a person at rest."""
        return cls.of(Clip(figure, figure.rest().q[None], 1.0), NAME_SETS["poise"])

    def length(self, start: str, end: str) -> float:
        """The distance (m) of two centres at rest, which of one bone is its length."""
        return float(np.linalg.norm(self.rest[end] - self.rest[start]))

    def middle(self, part: str) -> Values:
        """Between the left and the right one, (k, 3)."""
        return 0.5 * (self.centres[f"left_{part}"] + self.centres[f"right_{part}"])

    def trunk(self) -> Values:
        """Axes (k, 3, 3) in columns: ahead, to the left, and up from the hips to the shoulders."""
        up = _unit(self.middle("shoulder") - self.middle("hip"))
        across = self.centres["left_shoulder"] - self.centres["right_shoulder"]
        left = _unit(across - up * np.sum(up * across, axis=1, keepdims=True))
        return np.stack([np.cross(left, up), left, up], axis=2)

    def rest_middle(self, part: str) -> Values:
        """Between the left and the right one at rest, (3,)."""
        return 0.5 * (self.rest[f"left_{part}"] + self.rest[f"right_{part}"])


def _leg(skeleton: _Skeleton, name: str) -> float:
    """The length of the left leg."""
    bones = ("hip", "knee", "ankle")
    lengths = [
        skeleton.length(f"left_{upper}", f"left_{lower}")
        for upper, lower in itertools.pairwise(bones)
    ]
    if min(lengths) < SHORTEST:
        raise PoiseError(f"{name!r} has no length between hip, knee and ankle to scale by")
    return sum(lengths)


def _centres(skeleton: _Skeleton, body: _Skeleton, scale: float) -> dict[str, Values]:
    """Where the centres of the person should be, (k, 3) each, with its own lengths."""
    found: dict[str, Values] = {}
    hips = scale * skeleton.middle("hip")
    across = _unit(skeleton.centres["left_hip"] - skeleton.centres["right_hip"])
    half = 0.5 * body.length("left_hip", "right_hip")
    found["left_hip"], found["right_hip"] = hips + half * across, hips - half * across
    for side in SIDES:
        _lay(found, skeleton, body, [f"{side}_{part}" for part in ("hip", "knee", "ankle")])
        found[f"{side}_toes"] = found[f"{side}_ankle"] + _feet(skeleton, body, side, scale)
    trunk = _ratio(
        body, skeleton, lambda each: each.rest_middle("shoulder") - each.rest_middle("hip")
    )
    shoulders = hips + trunk * (skeleton.middle("shoulder") - skeleton.middle("hip"))
    breadth = _ratio(
        body, skeleton, lambda each: each.rest["left_shoulder"] - each.rest["right_shoulder"]
    )
    for side in SIDES:
        out = skeleton.centres[f"{side}_shoulder"] - skeleton.middle("shoulder")
        found[f"{side}_shoulder"] = shoulders + breadth * out
        _lay(found, skeleton, body, [f"{side}_{part}" for part in ("shoulder", "elbow", "wrist")])
    found["head"] = shoulders + _neck(skeleton, body)
    return found


def _lay(
    found: dict[str, Values], skeleton: _Skeleton, body: _Skeleton, chain: Sequence[str]
) -> None:
    """Lay a limb out from its first centre, with the body's lengths along the clip's bones."""
    for start, end in itertools.pairwise(chain):
        along = _unit(skeleton.centres[end] - skeleton.centres[start])
        found[end] = found[start] + body.length(start, end) * along


def _feet(skeleton: _Skeleton, body: _Skeleton, side: str, scale: float) -> Values:
    """From ankle to toes, (k, 3): as in the clip, pitched so that a standing foot is flat."""
    ankle, toes = f"{side}_ankle", f"{side}_toes"
    along = _unit(skeleton.centres[toes] - skeleton.centres[ankle])
    height = scale * skeleton.centres[ankle][:, 2]
    stands = height < np.percentile(height, LOWEST_FRAMES) + STANDING
    pitch = np.arcsin(np.clip(along[:, 2], -1.0, 1.0))
    flat = np.clip(np.median(pitch[stands]), *FLATTEST)
    own = body.rest[toes] - body.rest[ankle]
    length = float(np.linalg.norm(own))
    turn = float(np.arcsin(own[2] / length)) - flat
    rising = _unit(np.array([0.0, 0.0, 1.0]) - along * along[:, 2:])
    return length * (along * np.cos(turn) + rising * np.sin(turn))


def _neck(skeleton: _Skeleton, body: _Skeleton) -> Values:
    """From the middle of the shoulders to the head, (k, 3).

    What skeletons call the head is elsewhere in neck and skull than ours: in the trunk's axes, it
    moves from where the person has it at rest as the clip's does from where that has it.
    """
    axes, way = skeleton.trunk(), skeleton.centres["head"] - skeleton.middle("shoulder")
    own, theirs = (each.rest["head"] - each.rest_middle("shoulder") for each in (body, skeleton))
    longer = float(np.linalg.norm(own) / max(np.linalg.norm(theirs), SHORTEST))
    moved = np.einsum("kji,kj->ki", axes, way) - theirs
    return np.einsum("kij,kj->ki", axes, own + longer * moved)


def _foot_turns(centres: Mapping[str, Values], body: _Skeleton) -> dict[str, Values]:
    """How feet turn from rest, (k, 3, 3): along the line to the toes, and not rolled to a side.

    Centres do not show how a foot rolls; left open, it rolls to its stop for the last millimetre.
    A foot that points up or down has its sides where the hips have theirs.
    """
    across = _unit(centres["left_hip"] - centres["right_hip"])
    found: dict[str, Values] = {}
    for side in SIDES:
        ankle, toes = f"{side}_ankle", f"{side}_toes"
        own = _foot_axes((body.rest[toes] - body.rest[ankle])[None], np.array([[0.0, 1.0, 0.0]]))
        found[f"{side}_foot"] = _foot_axes(centres[toes] - centres[ankle], across) @ own[0].T
    return found


def _foot_axes(way: Values, across: Values) -> Values:
    """Axes (k, 3, 3) in columns: along the foot, to its left, and up from it."""
    along = _unit(way)
    level = np.cross([0.0, 0.0, 1.0], along) + STEEP * across
    left = _unit(level - along * np.sum(along * level, axis=1, keepdims=True))
    return np.stack([along, left, np.cross(along, left)], axis=2)


def _ratio(body: _Skeleton, skeleton: _Skeleton, way: Callable[[_Skeleton], Values]) -> float:
    """How much longer something is on the body at rest."""
    return float(np.linalg.norm(way(body)) / max(np.linalg.norm(way(skeleton)), SHORTEST))


def _unit(vectors: Values) -> Values:
    """Of length one; zero where there is no direction."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def _scene(
    figure: Figure, centres: Mapping[str, Values], turned: Mapping[str, Values], heading: Values
) -> Scene:
    """A task for each centre and for what turns; it starts at rest, turned and put where it is."""
    scene = Scene(figure)
    scene.natural = False  # what is tracked must not be drawn to what was fitted to it
    scene.posture = _placed(figure, heading, centres)
    for name, path in centres.items():
        weight = WEIGHTS[name.replace("left_", "{side}_").replace("right_", "{side}_")]
        scene.add(Position(name, path[0]), weight=weight, name=name)
    for name, path in turned.items():
        scene.add(Orientation(name, path[0]), weight=TURN_WEIGHTS[name], name=_turning(name))
    scene.add(Rest(), weight=REST_WEIGHT)
    return scene


def _placed(figure: Figure, heading: Values, centres: Mapping[str, Values]) -> Posture:
    """The rest posture with the pelvis turned as in the first frame, and the hips there."""
    posture, hips = figure.rest(), ("left_hip", "right_hip")
    posture["root"] = Free().values(Transform(heading, np.zeros(3)))
    where = figure.place(posture)
    off = [centres[name][0] - where.joint(name).position for name in hips]
    posture["root"] = Free().values(Transform(heading, np.mean(off, axis=0)))
    return posture


def _turning(name: str) -> str:
    """What the task is called that turns a segment."""
    return f"{name} turned"
