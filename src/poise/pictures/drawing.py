"""Pictures of figures: `picture`, and how panels become one image and a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from poise.checking import number
from poise.errors import PoiseError
from poise.figure import Figure, Posture
from poise.figure.transform import Transform
from poise.pictures import figures
from poise.pictures.stage import Image, Item, Scenery, View, render, view_of

Subject = Figure | Posture

_LEAST, _MOST = 16, 8192


def picture(
    subject: Subject | Sequence[Subject],
    path: str | Path | None = None,
    *,
    views: Sequence[str | View] | str | View = ("three-quarter",),
    size: tuple[int, int] = (1000, 1000),
    stick: bool = False,
    floor: bool | None = None,
    sites: bool | Iterable[str] = False,
    joints: bool | Iterable[str] = False,
    center_of_mass: bool = False,
    gap: float | None = 0.25,
) -> Image:
    """Draw figures in a posture; no display is needed.

    Args:
        subject: a figure (drawn at rest) or a posture, or several of them.
        path: where to write the picture, a file ending in .png; None writes none.
        views: "front", "side" (from the right), "back", "top", "three-quarter" or a `View`;
            several are drawn side by side.
        size: width and height of the whole picture, in pixels.
        stick: draw lines from joint to joint rather than shapes.
        floor: draw the floor at z = 0 with its grid and the shadow; by default where nothing is
            below it.
        sites: whose frames to draw: names, or True for all; x is red, y green, z blue.
        joints: likewise.
        center_of_mass: draw it, with a ring on the floor below it.
        gap: metres between several figures, which are moved to stand side by side, from left to
            right in each view; None leaves them where they are.

    Returns:
        The image (height, width, 3), bytes from 0 to 255.
    """
    postures = _postures(subject)
    chosen = _views(views)
    size = checked_size(size)
    target = checked_path(path)
    site_names = [figures.chosen(sites, p.figure.sites, "site") for p in postures]
    joint_names = [figures.chosen(joints, p.figure.joints, "joint") for p in postures]
    if gap is not None:
        gap = number(gap, "the gap (m) between figures", least=0)
    stuff: list[list[Item]] = []
    for posture, shown_sites, shown_joints in zip(postures, site_names, joint_names, strict=True):
        figure = posture.figure
        items = figures.stick(figure, posture) if stick else figures.solid(figure, posture)
        if not items:
            raise PoiseError(
                f"the figure {figure.name!r} has no shapes to draw; stick=True draws its joints"
            )
        extent = _extent(items)
        where = figure.place(posture)
        frames = [where[each] for each in shown_sites]
        frames += [where.joint(each) for each in shown_joints]
        for frame in frames:
            items += figures.axes(frame, 0.05 * extent)
        if center_of_mass:
            items += figures.center_of_mass(figure, posture, 0.014 * extent)
        stuff.append(items)
    if floor is None:
        floor = all(stands(items) for items in stuff)
    panels: list[Image] = []
    for view, width in zip(chosen, panel_widths(size[0], len(chosen)), strict=True):
        scenery = Scenery(floor=floor)
        scenery.add(item for items in _arranged(stuff, view, gap) for item in items)
        panels.append(render(scenery, view, (width, size[1])))
    image = np.concatenate(panels, axis=1)
    if target is not None:
        save(image, target)
    return image


def panel_widths(width: int, count: int) -> list[int]:
    """Widths of panels side by side that make up a whole width."""
    ends = [round(width * i / count) for i in range(count + 1)]
    return [end - start for start, end in pairwise(ends)]


def checked_size(size: object) -> tuple[int, int]:
    """Width and height in pixels, or an error."""
    try:
        width, height = size  # type: ignore[misc]
        whole = int(width) == width and int(height) == height
    except (TypeError, ValueError):
        raise PoiseError(f"the size of a picture must be (width, height), not {size!r}") from None
    if not whole or not (_LEAST <= width <= _MOST and _LEAST <= height <= _MOST):
        raise PoiseError(
            f"the size of a picture must be two whole numbers from {_LEAST} to {_MOST}, "
            f"not {size!r}"
        )
    return int(width), int(height)


def checked_path(path: str | Path | None) -> Path | None:
    """Where to write, or an error before anything is drawn."""
    if path is None:
        return None
    target = Path(path)
    if target.suffix.lower() != ".png":
        raise PoiseError(f"a picture is written as .png, so its name must end so, not {path!s}")
    if not target.absolute().parent.is_dir():
        raise PoiseError(f"there is no folder {target.absolute().parent} to write a picture to")
    return target


def save(image: Image, path: Path) -> None:
    """Write a PNG file; a half-written one is never left under the name."""
    from PIL import Image as Pillow

    part = path.with_name(f".{path.name}.part")
    try:
        Pillow.fromarray(image).save(part, format="png", optimize=True)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = error.strerror or error
        raise PoiseError(f"the picture {path} cannot be written: {reason}") from None


def _postures(subject: object) -> list[Posture]:
    given: list[object] = list(subject) if isinstance(subject, (list, tuple)) else [subject]
    if not given:
        raise PoiseError("a picture needs at least one figure or posture; the list is empty")
    return [posture_of(each) for each in given]


def posture_of(subject: object) -> Posture:
    """A posture as it is, or a figure at rest."""
    if isinstance(subject, Figure):
        return subject.rest()
    if isinstance(subject, Posture):
        return subject
    raise PoiseError(f"a picture is of figures or postures, not of {type(subject).__name__}")


def _views(views: Sequence[str | View] | str | View) -> list[View]:
    given = [views] if isinstance(views, (str, View)) else list(views)
    if not given:
        raise PoiseError("a picture needs at least one view; the list is empty")
    return [view_of(each) for each in given]


def _extent(items: Sequence[Item]) -> float:
    points = np.concatenate([item.mesh.points for item in items])
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def stands(items: Sequence[Item]) -> bool:
    """Whether things are above the floor, or hardly below it, as a foot that sinks in a little."""
    lowest = min(float(item.mesh.points[:, 2].min()) for item in items)
    return lowest > -0.03 * _extent(items)


def _arranged(stuff: Sequence[list[Item]], view: View, gap: float | None) -> list[list[Item]]:
    """Each figure's things, moved along the picture's horizontal to stand side by side."""
    if gap is None or len(stuff) == 1:
        return list(stuff)
    right, _, towards = view.axes
    level = np.cross([0.0, 0.0, 1.0], right) if abs(towards[2]) < 0.99 else towards
    result: list[list[Item]] = []
    edge = 0.0
    for items in stuff:
        points = np.concatenate([item.mesh.points for item in items])
        across, deep = points @ right, points @ level
        middle = 0.5 * (deep.min() + deep.max())
        shift = (edge - across.min()) * right - middle * level
        edge += float(np.ptp(across)) + gap
        place = Transform(np.eye(3), shift)
        result.append([replace(item, mesh=item.mesh.moved(place)) for item in items])
    return result
