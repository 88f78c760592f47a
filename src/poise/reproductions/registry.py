"""All examples that can be reproduced, by name."""

from __future__ import annotations

from poise.errors import unknown_name
from poise.reproductions import balance_2001, jack_1989, jack_1994, projected_2011
from poise.reproductions.claims import Reproduction

__all__ = ["REPRODUCTIONS", "Reproduction", "reproduction"]

_MODULES = (jack_1989, jack_1994, balance_2001, projected_2011)

REPRODUCTIONS: dict[str, Reproduction] = {
    example.name: example for module in _MODULES for example in module.EXAMPLES
}
"""Every example by its name, in the order of the papers."""


def reproduction(name: str) -> Reproduction:
    """An example by its name, or an error that lists them."""
    if name not in REPRODUCTIONS:
        raise unknown_name("example to reproduce", name, REPRODUCTIONS)
    return REPRODUCTIONS[name]
