"""All examples that can be reproduced, by name."""

from __future__ import annotations

import re

from poise.errors import PoiseError, unknown_name
from poise.reproductions import balance_2001, jack_1989, jack_1994, lpik_2005, projected_2011
from poise.reproductions.claims import Reproduction

__all__ = ["REPRODUCTIONS", "Reproduction", "covering", "reproduction"]

_MODULES = (jack_1989, jack_1994, balance_2001, lpik_2005, projected_2011)

REPRODUCTIONS: dict[str, Reproduction] = {
    example.name: example for module in _MODULES for example in module.EXAMPLES
}
"""Every example by its name, in the order of the papers."""

_ASKED = re.compile(r"(?:(\d{4})-?)?(?:fig[-.s]*)?(\d+(?:\.\d+)*)", re.IGNORECASE)
_NAMED = re.compile(r"(\d{4})-fig-(\d+(?:\.\d+)*)(?:-(\d+(?:\.\d+)*))?")


def reproduction(name: str) -> Reproduction:
    """An example by its name, or an error that says which could be meant."""
    if name in REPRODUCTIONS:
        return REPRODUCTIONS[name]
    meant = covering(name)
    if not meant:
        raise unknown_name("example to reproduce", name, REPRODUCTIONS)
    listed = " or ".join(repr(each) for each in meant)
    raise PoiseError(
        f"there is no example to reproduce {name!r}; did you mean {listed}? "
        f"`poise reproduce` lists all {len(REPRODUCTIONS)}"
    )


def covering(asked: str) -> list[str]:
    """The examples that show a figure, or whose title speaks of what is asked for.

    A figure may go by its number alone (`5.6`), with the year or without, and be one of several
    that an example shows: `2001-fig-5.5-5.8`.
    """
    figure = _ASKED.fullmatch(asked)
    if figure is None:
        words = re.sub(r"^\d{4}-", "", asked).replace("-", " ").casefold()
        year = asked[:4] if re.match(r"\d{4}-", asked) else ""
        told = re.compile(rf"\b{re.escape(words)}\b")
        return [
            name
            for name, each in REPRODUCTIONS.items()
            if words and name.startswith(year) and told.search(each.title.casefold())
        ]
    year, wanted = figure[1] or "", _order(figure[2])
    found: list[str] = []
    for name in REPRODUCTIONS:
        shown = _NAMED.match(name)
        if shown is not None and name.startswith(year):
            first, last = _order(shown[2]), _order(shown[3] or shown[2])
            if first <= wanted <= last:
                found.append(name)
    return found


def _order(number: str) -> tuple[int, ...]:
    """A figure's number as something that can be compared: 5.10 comes after 5.9."""
    return tuple(int(part) for part in number.split("."))
