"""What figures stand on: sites with outlines, named or held by tasks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.figure.polygons import planar_middle
from poise.tasks.task import Context, Values, named

Outline = tuple[tuple[float, float], ...]


def support_names(given: Any, what: str) -> tuple[str, ...]:
    """The names of supports as a task keeps them: of several, of one, or of none."""
    each = (given,) if isinstance(given, str) else given
    try:
        names = tuple(each)
    except TypeError:
        raise PoiseError(f"supports must be names of sites, not {given!r}") from None
    return tuple(named(name, f"a support of {what}") for name in names)


def check_supports(
    context: Context, what: str, supports: tuple[str, ...], figure: str | None
) -> None:
    """Raise unless there are masses, and named supports have outlines and are the figure's own."""
    for name in supports:
        context.site(name)
    owners = {context.owner(name) for name in supports} - {figure}
    if figure is not None and owners - {None}:
        stranger = next(name for name in supports if context.owner(name) in owners)
        raise PoiseError(
            f"the support {stranger!r} is not one of {figure!r}, which is to be balanced"
        )
    for owner in {figure} if figure is not None else owners or {None}:
        context.require_mass(what, owner)
    for name in supports:
        if not outline_of(context, name):
            outlined = [s.name for s in context.figure.sites.values() if s.outline]
            listed = ", ".join(outlined) or "no site has one"
            raise PoiseError(
                f"{name!r} has no outline to stand on; with outlines: {listed}",
                code=f". {_advice(context, name)}",
                remedy="sole",
            )


def standing_on(
    context: Context, supports: tuple[str, ...], figure: str | None
) -> dict[str | None, list[str]]:
    """The supports that have outlines, by the figures that stand on them.

    They are those that are named, or else those that tasks hold. None stands for the figure where
    there is but one.
    """
    standing: dict[str | None, list[str]] = {}
    for name in dict.fromkeys(supports or context.supports):
        owner = context.owner(name)
        if outline_of(context, name) and figure in (None, owner or figure):
            standing.setdefault(owner, []).append(name)
    return standing


def outline_of(context: Context, name: str) -> Outline:
    """The outline of a named frame; empty where it has none."""
    site = context.figure.sites.get(name)
    return site.outline if site else ()


def middle_of(context: Context, name: str) -> Values:
    """The middle (3,) of the area of a site's outline, in the site's frame."""
    return np.array([*planar_middle(np.array(outline_of(context, name))), 0.0])


def nothing_to_stand_on(
    context: Context, what: str, supports: tuple[str, ...], figure: str | None
) -> PoiseError:
    """What to say where no support was found."""
    whom = "" if figure is None else f" for {figure!r}"
    found = {
        name: angle
        for name, angle in context.facing_elsewhere.items()
        if outline_of(context, name) and figure in (None, context.owner(name) or figure)
    }
    if found and not supports:
        listed = ", ".join(f"{name!r} ({math.degrees(a):.0f}° off)" for name, a in found.items())
        site = context.figure.sites[next(iter(found))]
        own = site.name.rpartition("/")[2], site.segment.rpartition("/")[2]
        return PoiseError(
            f"{what} has nothing to stand on{whom}: the z axis of a sole must point out of the "
            f"body, down, within 60°, and it does not where these are held: {listed}",
            code=f"; figure.with_site('{own[0]}_down', {own[1]!r}, position, rotation=…, outline=…)"
            " makes a site that is turned so: rotation=(np.pi, 0, 0) where z of the segment is up",
        )
    sites = context.figure.sites.values()
    advice = "" if any(s.outline for s in sites) else f"; none has one. {_advice(context)}"
    return PoiseError(
        f"{what} has nothing to stand on{whom}",
        code=": hold a site that has an outline, such as a sole, with a Frame or Contact "
        f"task, or name such sites in supports={advice}",
        remedy="sole",
    )


def _advice(context: Context, name: str | None = None) -> str:
    """How a figure gets an outline, on the site of that name if it is one."""
    outline = "[(x, y), …]"
    if name and name in context.figure.sites:
        return f"figure.with_outline({name.rpartition('/')[2]!r}, {outline}) gives it one"
    segment = context.figure.segment_of(name) if name else next(iter(context.figure.segments))
    own = segment.rpartition("/")[2]
    return f"figure.with_site('sole', {own!r}, outline={outline}) makes a site that has one"
