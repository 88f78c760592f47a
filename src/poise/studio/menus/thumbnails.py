"""Small drawings of postures: bodies of segments, or their bones, seen from the front left."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from poise.figure import Posture
from poise.figure import shapes as bodies
from poise.figure.bones import bones
from poise.figure.transform import rotation_matrix

Values = NDArray[np.float64]

_EYE = np.array([0.82, 0.57, 0.0])  # from where it is seen, as a unit vector
_RIGHT = np.array([-0.57, 0.82, 0.0])
_UP = np.array([0.0, 0.0, 1.0])
_WIDE, _HIGH, _EDGE = 92.0, 112.0, 6.0


def thumbnail(posture: Posture, without: Collection[str] = ()) -> str:
    """An SVG of a posture; what is nearer is lighter, in the colour of the text around it.

    Args:
        posture: of any figure.
        without: segments that are left out, such as props.
    """
    strokes = sorted(_strokes(posture, without), key=lambda stroke: stroke[0])
    if not strokes:
        return f'<svg viewBox="0 0 {_WIDE} {_HIGH}"></svg>'
    points = np.array([end for _, a, b, _ in strokes for end in (a, b)])
    radii = np.repeat([radius for _, _, _, radius in strokes], 2)[:, None]
    low, high = (points - radii).min(axis=0), (points + radii).max(axis=0)
    size = np.maximum(high - low, 1e-6)
    scale = min((_WIDE - 2 * _EDGE) / size[0], (_HIGH - 2 * _EDGE) / size[1])
    middle = 0.5 * (low + high)
    lines: list[str] = []
    for rank, (_, a, b, radius) in enumerate(strokes):
        (x1, y1), (x2, y2) = (
            (_WIDE / 2 + scale * (p[0] - middle[0]), _HIGH / 2 - scale * (p[1] - middle[1]))
            for p in (a, b)
        )
        shade = 0.45 + 0.55 * rank / max(1, len(strokes) - 1)
        lines.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2 + 0.01:.2f}" y2="{y2:.1f}" '
            f'stroke-width="{max(1.5, 2 * scale * radius):.1f}" stroke-opacity="{shade:.2f}"/>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDE:.0f} {_HIGH:.0f}" stroke="currentColor" '
        f'stroke-linecap="round">{"".join(lines)}</svg>'
    )


def _strokes(
    posture: Posture, without: Collection[str]
) -> Iterator[tuple[float, Values, Values, float]]:
    """For each body: how near it is, the two ends of its axis on the paper (m), its radius."""
    figure = posture.figure
    where = figure.place(posture)
    for name, segment in figure.segments.items():
        if name in without:
            continue
        place = where.segment(name)
        for shape in segment.shapes:
            for start, end, radius in _axes(shape):
                a, b = place.apply(start), place.apply(end)
                depth = float(_EYE @ (a + b)) / 2
                yield depth, _seen(a), _seen(b), radius
    lines = bones(figure, where, without=without)
    for name, bone in lines.items():
        if not figure.segments[name].shapes:
            points = [point for each in lines.values() for point in (each.start, *each.ends)]
            radius = 0.012 * float(np.linalg.norm(np.ptp(points, axis=0)))
            for end in bone.ends or (bone.start,):
                depth = float(_EYE @ (bone.start + end)) / 2
                yield depth, _seen(bone.start), _seen(end), radius


def _seen(point: Values) -> Values:
    return np.array([_RIGHT @ point, _UP @ point])


def _axes(shape: bodies.Shape) -> Iterator[tuple[Values, Values, float]]:
    """The axis of a body from end to end, and how thick it is about it."""
    if isinstance(shape, (bodies.Capsule, bodies.Cylinder)):
        yield np.array(shape.start), np.array(shape.end), shape.radius
    elif isinstance(shape, bodies.TaperedCapsule):
        start, end = np.array(shape.start), np.array(shape.end)
        middle = 0.5 * (start + end)
        yield start, middle, shape.start_radius
        yield middle, end, shape.end_radius
    elif isinstance(shape, bodies.Sphere):
        yield np.array(shape.center), np.array(shape.center), shape.radius
    else:
        shape = shape.box() if isinstance(shape, bodies.Hull) else shape
        is_box = isinstance(shape, bodies.Box)
        half = 0.5 * np.array(shape.size) if is_box else np.array(shape.radii)
        longest = int(half.argmax())
        radius = float(np.delete(half, longest).mean())
        along = rotation_matrix(shape.rotation)[:, longest] * max(0.0, half[longest] - radius)
        yield np.array(shape.center) - along, np.array(shape.center) + along, radius
