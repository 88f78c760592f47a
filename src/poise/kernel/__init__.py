"""Compiled numerics: plain functions on plain arrays, in rooms.

`body`, `contacts`, `residuals`, `limits`, `hierarchy`, `lex` and `published` compute; the modules
beside them are what runs them: how kernels are marked (`compiling`), found (`library`) and called
(`calls`, `layouts`), and what all of them share. A module is imported when it is first used, and
the compiled library is loaded when one of its functions is first called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel import arrays as arrays
    from poise.kernel import body as body
    from poise.kernel import calls as calls
    from poise.kernel import compiling as compiling
    from poise.kernel import contacts as contacts
    from poise.kernel import ending as ending
    from poise.kernel import failures as failures
    from poise.kernel import filling as filling
    from poise.kernel import hierarchy as hierarchy
    from poise.kernel import layouts as layouts
    from poise.kernel import lazy as lazy
    from poise.kernel import lex as lex
    from poise.kernel import library as library
    from poise.kernel import limits as limits
    from poise.kernel import problem as problem
    from poise.kernel import published as published
    from poise.kernel import records as records
    from poise.kernel import residuals as residuals
    from poise.kernel import tracing as tracing

__getattr__, __dir__ = lazily(__name__, __path__)
