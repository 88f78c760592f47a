"""How a ready figure was made, so that a file can say that rather than write it out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from types import NoneType
from typing import Any, ParamSpec

import numpy as np

from poise.calls import public
from poise.closed import closed
from poise.figure.figure import Figure

_Arguments = ParamSpec("_Arguments")


@closed
@dataclass(frozen=True)
class Recipe:
    """The function that made a figure, and the arguments that were not as usual."""

    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


def ready(build: Callable[_Arguments, Figure]) -> Callable[_Arguments, Figure]:
    """Let a function that makes a figure note in `Figure.recipe` with what it was called.

    Arguments that are no plain numbers or words could not be written; then nothing is noted.
    """
    build, signature = public(build), inspect.signature(build)

    @wraps(build)
    def built(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Figure:
        figure = build(*args, **kwargs)
        given = {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in signature.bind(*args, **kwargs).arguments.items()
        }
        usual = {name: parameter.default for name, parameter in signature.parameters.items()}
        if all(isinstance(value, (bool, int, float, str, NoneType)) for value in given.values()):
            unusual = {name: value for name, value in given.items() if value != usual[name]}
            figure.recipe = Recipe(build.__name__, unusual)
        return figure

    return built
