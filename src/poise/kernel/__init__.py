"""Compiled numerics: plain functions on plain arrays.

A module such as `kernel.kinematics` is imported when it is first used, and the compiled library
(`kernel.library`) is loaded when one of its functions is first called.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.kernel import active as active
    from poise.kernel import arrays as arrays
    from poise.kernel import bends as bends
    from poise.kernel import blocks as blocks
    from poise.kernel import boundaries as boundaries
    from poise.kernel import bounds as bounds
    from poise.kernel import calling as calling
    from poise.kernel import calls as calls
    from poise.kernel import classics as classics
    from poise.kernel import compiling as compiling
    from poise.kernel import curvature as curvature
    from poise.kernel import echelon as echelon
    from poise.kernel import effort_bends as effort_bends
    from poise.kernel import elimination as elimination
    from poise.kernel import ending as ending
    from poise.kernel import faces as faces
    from poise.kernel import factor as factor
    from poise.kernel import failures as failures
    from poise.kernel import filling as filling
    from poise.kernel import gradients as gradients
    from poise.kernel import hierarchy as hierarchy
    from poise.kernel import hierarchy_arrays as hierarchy_arrays
    from poise.kernel import householder as householder
    from poise.kernel import kinematics as kinematics
    from poise.kernel import layouts as layouts
    from poise.kernel import levels as levels
    from poise.kernel import lex as lex
    from poise.kernel import lex_arrays as lex_arrays
    from poise.kernel import lex_rows as lex_rows
    from poise.kernel import library as library
    from poise.kernel import limit_arrays as limit_arrays
    from poise.kernel import limit_bends as limit_bends
    from poise.kernel import limit_rows as limit_rows
    from poise.kernel import limits as limits
    from poise.kernel import masses as masses
    from poise.kernel import newton as newton
    from poise.kernel import nlp as nlp
    from poise.kernel import nlp_arrays as nlp_arrays
    from poise.kernel import orthonormal as orthonormal
    from poise.kernel import points as points
    from poise.kernel import priority as priority
    from poise.kernel import priority_arrays as priority_arrays
    from poise.kernel import priority_steps as priority_steps
    from poise.kernel import projected as projected
    from poise.kernel import projection as projection
    from poise.kernel import projectors as projectors
    from poise.kernel import reflections as reflections
    from poise.kernel import residuals as residuals
    from poise.kernel import resting as resting
    from poise.kernel import retraction as retraction
    from poise.kernel import rotations as rotations
    from poise.kernel import statics as statics
    from poise.kernel import supports as supports
    from poise.kernel import swings as swings
    from poise.kernel import touching as touching
    from poise.kernel import tree as tree
    from poise.kernel import trigonometry as trigonometry
    from poise.kernel import turns as turns
    from poise.kernel import verdict as verdict
    from poise.kernel import working_set as working_set

_MODULES = frozenset(module.name for module in pkgutil.iter_modules(__path__))


def __getattr__(name: str) -> ModuleType:
    """Import the kernel module of that name when it is first asked for (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    """List the kernel modules, imported or not."""
    return sorted({*globals(), *_MODULES})
