"""One door for all files that hold a figure or a motion."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from poise.errors import PoiseError, PoiseWarning, enough_memory, unknown_name
from poise.figure import Figure, Posture
from poise.formats.reading import Reading
from poise.formats.registry import Format, Verb, format_of

if TYPE_CHECKING:
    from poise.motion import Clip

HUMAN = "human"
"""What the option `limits` says where a skeleton gets the limits of our human figure."""


def read(path: str | Path, *, names: str | Path | None = None, **options: Any) -> Reading:
    """Read all that a file holds: the figure, postures, motions, and notes about guesses.

    Args:
        path: .yaml (top key `figure`), .bvh, .asf, .amc, .urdf, .xml (MJCF), .glb, .gltf or .vrm.
        names: "auto" to give the parts our names where the skeleton is a known one, the name of
            a map such as "mixamo", or the path of a map of one's own (see `poise.formats.names`);
            without it, parts keep the names that the file gives them.
        options: what the format's own reader takes, such as `up="z"` for BVH. With `limits="human"`
            a skeleton of BVH, ASF, AMC or glTF whose names are known gets the joints and limits of
            our human figure.
    """
    where = _path(path)
    kind = format_of(where, "read")
    human = kind.is_skeletal and _wants_human_limits(kind, options)
    checked = _checked(kind, "read", options)
    with enough_memory(f"what {str(path)!r} holds"):
        reading: Reading = kind.function("read")(where, **checked)
    if human:
        from poise.formats.human import with_human_limits

        return with_human_limits(reading, names)
    if names is None:
        return reading
    from poise.formats.renaming import renamed

    return renamed(reading, names)


def _wants_human_limits(kind: Format, options: dict[str, Any]) -> bool:
    """Whether human limits are asked for; if so, the reader's own are left out."""
    given = options.get("limits")
    has_own = "limits" in _allowed(kind, "read")
    if given != HUMAN:
        if "limits" in options and not (has_own and isinstance(given, bool)):
            choices = "True, False or 'human'" if has_own else "'human'"
            raise PoiseError(f"limits must be {choices} to read {kind.name}, not {given!r}")
        return False
    if has_own:
        options["limits"] = False
    else:
        del options["limits"]
    return True


def load(path: str | Path, **options: Any) -> Figure:
    """Read the figure of a file; what was guessed or left out is a `PoiseWarning`.

    `poise.formats.read` gives these notes, and all else that the file holds, as data.

    Args:
        path: .yaml (top key `figure`), .bvh, .asf, .amc, .urdf, .xml (MJCF), .glb, .gltf or .vrm.
        options: what `poise.formats.read` takes: `names="auto"`, `limits="human"`, and what the
            format's own reader takes, such as `up="z"` for BVH.
    """
    reading = read(path, **options)
    _warn(path, reading)
    return reading.figure


def load_clip(path: str | Path, name: str | None = None, **options: Any) -> Clip:
    """Read a motion from a file, on the file's own figure.

    What was guessed or left out is a `PoiseWarning`, as with `load`.

    Args:
        path: a file that holds motions: .bvh, .amc, .glb, .gltf or .vrm.
        name: which of its motions; where there is only one it needs no name.
        options: as for `load`.
    """
    reading = read(path, **options)
    clips = reading.clips
    if not clips:
        raise PoiseError(f"there is no motion in {str(path)!r}")
    if name is None and len(clips) > 1:
        raise PoiseError(
            f"{str(path)!r} holds {len(clips)} motions: choose one by name, from {', '.join(clips)}"
        )
    if name is not None and name not in clips:
        raise unknown_name("motion", name, clips, str(path))
    _warn(path, reading)
    return clips[name] if name is not None else next(iter(clips.values()))


def export(
    thing: Any, path: str | Path, *, names: Literal["file", "ours"] = "file", **options: Any
) -> tuple[str, ...]:
    """Write a figure, a posture, a clip, a solution, a scene or an animation to a file.

    Args:
        thing: what to write; a scene or a solution is written with its figures as they stand, and
            with what they hold. What stands in the world is written to .glb and .gltf only.
        path: .yaml, .bvh, .urdf, .xml (MJCF), .glb or .gltf.
        names: of parts that were given our names when they were read (`names="auto"`): "file" for
            those that their file has, "ours" for ours. A figure file always has ours.
        options: what the format's own writer takes, such as `unit="m"` for BVH.

    Returns:
        Notes about what the file cannot hold.
    """
    from poise.formats.renaming import written

    where = _path(path)
    kind = format_of(where, "write")
    checked = _checked(kind, "write", options)
    if names not in ("file", "ours"):
        raise PoiseError(f"names must be 'file' or 'ours' to write {kind.name}, not {names!r}")
    originals = names == "file" and kind.name != "figure file"
    reading, notes = written(as_reading(thing), originals=originals)
    notes += kind.function("write")(reading, where, **checked)
    if reading.props and not kind.holds_props:
        notes.insert(0, f"props that stand in the world left out: {', '.join(reading.props)}")
    return tuple(notes)


def _warn(path: str | Path, reading: Reading) -> None:
    """One warning about all that was guessed or left out, where the caller's caller stands."""
    if reading.notes:
        warnings.warn(f"{path}: {'; '.join(reading.notes)}", PoiseWarning, stacklevel=3)


def as_reading(thing: Any) -> Reading:
    """What a file of a thing would hold."""
    from poise.motion import Clip
    from poise.scene import Scene, Solution
    from poise.scene.animate import Animation

    match thing:
        case Reading():
            return thing
        case Figure():
            return Reading(thing)
        case Posture():
            return Reading(thing.figure, thing)
        case Clip():
            return Reading(thing.figure, thing[0], clips={thing.name or thing.figure.name: thing})
        case Scene() | Solution() | Animation():
            standing = {name: each for name, each in thing.props.items() if not each.is_held}
            return replace(as_reading(thing.together), props=standing)
        case _:
            raise PoiseError(
                "a Figure, Posture, Clip, Solution, Scene, Animation or Reading can be written, "
                f"not {type(thing).__name__}"
            )


def _path(path: Any) -> Path:
    if not isinstance(path, (str, Path)):
        raise PoiseError(f"the path of a file must be a string or a Path, not {path!r}")
    return Path(path)


def _allowed(kind: Format, verb: Verb) -> list[str]:
    parameters = inspect.signature(kind.function(verb)).parameters.values()
    return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


def _checked(kind: Format, verb: Verb, options: dict[str, Any]) -> dict[str, Any]:
    """Options that the function takes; another is an error that lists them."""
    allowed = _allowed(kind, verb)
    for option in options:
        if option not in allowed:
            raise unknown_name("option", option, allowed, f"to {verb} {kind.name}")
    return options
