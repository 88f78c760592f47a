"""A figure with a site more, or with another outline on one that it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from poise.closed import ReadOnlyDict
from poise.errors import PoiseError, unknown_name
from poise.figure.frames import turned_place
from poise.figure.parts import Site
from poise.figure.transform import rotation_vector

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Outline = Iterable[tuple[float, float]]


def with_site(
    figure: Figure, name: str, segment: str, position: Any, rotation: Any, outline: Outline
) -> Figure:
    """The same figure with one more site; see `Figure.with_site`."""
    place = turned_place(position, rotation, f"of site {name!r}")
    at, turned = tuple(place.position.tolist()), tuple(rotation_vector(place.rotation).tolist())
    site = Site(name, segment, at, turned, _listed(outline))
    if name in figure.sites:
        raise PoiseError(
            f"{figure.name!r} has a site named {name!r} already; give this one another name, or "
            "the outline of that one by with_outline"
        )
    if segment not in figure.segments:
        raise unknown_name("segment", segment, figure.segments, f"site {name!r}")
    return _with(figure, site)


def with_outline(figure: Figure, name: str, outline: Outline) -> Figure:
    """The same figure with another outline on a site; see `Figure.with_outline`."""
    if name not in figure.sites:
        raise unknown_name("site", name, figure.sites, f"the figure {figure.name!r}")
    return _with(figure, replace(figure.sites[name], outline=_listed(outline)))


def _listed(outline: Any) -> Any:
    """Points one by one, whether they come as a list, an array or one after the other."""
    try:
        return tuple(outline)
    except TypeError:
        return outline  # a Site says what is wrong with it


def _with(figure: Figure, site: Site) -> Figure:
    other = figure.twin()
    # A figure is closed, and this one is still being made.
    vars(other)["sites"] = ReadOnlyDict({**figure.sites, site.name: site})
    return other
