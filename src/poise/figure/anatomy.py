"""What the name of a joint or segment tells of the limb that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_WORDS = {
    "tail": "tail caudal",
    "wing": "wing",
    "leg": "leg upleg upperleg lowerleg hip thigh femur buttock knee patella calf shank shin crus "
    "tibia fibula ankle heel tarsus hock stifle foot toe toes toebase paw haa hfe kfe",
    "hand": "finger fingers fingerbase knuckle knuckles metacarpal phalanx mcp pip dip gripper "
    "thumb index pinky thj ffj mfj rfj lfj",
    "wrist": "wrist palm carpus wrj",
    "arm": "arm uparm upperarm lowerarm forearm clavicle collar collarbone scapula shoulder shldr "
    "sternoclavicular acromioclavicular glenohumeral humerus elbow radius ulna hand",
    "neck": "neck lowerneck upperneck cervical head skull skullbase face jaw beak eye eyes ear",
    "spine": "spine spinal vertebra back lowerback upperback torso trunk chest upperchest thorax "
    "thoracic lumbar abdomen belly waist pelvis hips",
}
"""Kinds of limbs and the words that tell them; of several in a name the first kind counts.

A skeleton often calls a joint after the segment that it moves: `hand` is then the wrist, which
belongs to the arm. `haa`, `hfe` and `kfe` are hip and knee of legged robots, `ffj` and its like the
fingers of the Shadow hand.
"""

_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_FINGERS = {
    **{each: each for each in ("thumb", "index", "middle", "ring", "little")},
    **{"pinky": "little", "thj": "thumb", "ffj": "index", "mfj": "middle"},
    **{"mid": "middle", "rfj": "ring", "lfj": "little"},
}
_AMBIGUOUS = {"middle", "mid", "ring", "little"}
"""Fingers only beside a side or a word such as these; else there is a `middle` of anything."""
_BESIDE_FINGERS = {"hand", "finger", "mcp", "pip", "dip", "proximal", "intermediate", "distal"}
_SIDES = {"left": "left", "l": "left", "right": "right", "r": "right"}
_PLACES = {"front": "front", "middle": "middle", "mid": "middle"}
_PLACES |= dict.fromkeys(("hind", "rear", "back"), "hind")

_CORNERS = {
    **{"fl": ("left", "front"), "fr": ("right", "front"), "rl": ("left", "hind")},
    **{"hl": ("left", "hind"), "hr": ("right", "hind"), "rr": ("right", "hind")},
    **{"lf": ("left", "front"), "rf": ("right", "front"), "lr": ("left", "hind")},
    **{"lh": ("left", "hind"), "rh": ("right", "hind")},
}
"""The legs of four-legged robots in two letters."""
_FOUR = ({"fl", "fr", "rl", "rr"}, {"fl", "fr", "hl", "hr"}, {"lf", "rf", "lh", "rh"})
_FOUR += ({"lf", "rf", "lr", "rr"},)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LUMBAR = re.compile(r"[lt]\d{1,2}_[lts]\d{1,2}|v[lt]\d{1,2}")
_CERVICAL = re.compile(r"c\d_[ct]\d{1,2}|vc\d")


class Told(NamedTuple):
    """What a name tells; an empty string where it does not."""

    kind: str = ""
    """arm, wrist, hand, leg, wing, tail, neck or spine."""
    side: str = ""
    place: str = ""
    """front, middle or hind, of several legs on a side."""
    finger: str = ""


def told_by(name: str, corners: frozenset[str] = frozenset()) -> Told:
    """What a name tells of its limb.

    Args:
        name: of a joint, segment or group, in words (left_upper_arm, LeftUpperArm, l_upper_arm) or
            with a letter before one (lhumerus, RARM).
        corners: words in two letters that stand for legs in this figure; see `corners_of`.
    """
    if _LUMBAR.fullmatch(name):
        return Told("spine")
    if _CERVICAL.fullmatch(name):
        return Told("neck")
    words, side, place = _words(name), "", ""
    for word in words:
        if word in corners:
            side, place = _CORNERS[word]
            break
        side = side or _SIDES.get(word, "")
    if side:  # else a back is a spine
        place = place or next((_PLACES[word] for word in words if word in _PLACES), "")
    kinds = {_KINDS[word] for word in words if word in _KINDS}
    if side and place == "hind":
        kinds.discard("spine")
    fingers = [_FINGERS[word] for word in words if _is_finger(word, words, bool(side))]
    if fingers:
        kinds.add("hand")
    kind = next((each for each in _WORDS if each in kinds), "")
    if place and (kind == "arm" or (not kind and corners)):
        kind = "leg"
    return Told(kind, side, place if kind == "leg" else "", fingers[0] if fingers else "")


def corners_of(names: Iterable[str]) -> frozenset[str]:
    """The words in two letters that stand for legs: all four of one way to write them, or none."""
    words = {word for name in names for word in _words(name)}
    return next((frozenset(four) for four in _FOUR if four <= words), frozenset())


def _is_finger(word: str, words: list[str], sided: bool) -> bool:
    if word not in _FINGERS:
        return False
    return word not in _AMBIGUOUS or sided or not _BESIDE_FINGERS.isdisjoint(words)


def _words(name: str) -> list[str]:
    """The words of a name in small letters, with `l` and `r` taken off before known ones."""
    result: list[str] = []
    for piece in _PIECE.findall(name):
        word = piece.lower().removesuffix("joint") or "joint"
        for before in ("left", "right", "l", "r"):
            rest = word.removeprefix(before)
            if word not in _KINDS and word not in _PLACES and rest != word and rest in _KINDS:
                result.append(before)
                word = rest
        result.append(word)
    return result
