"""The lexicographic solver: search, lowering of what cannot be met, rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.lex import echelon as echelon
    from poise.kernel.lex import faces as faces
    from poise.kernel.lex import judging as judging
    from poise.kernel.lex import levels as levels
    from poise.kernel.lex import lowering as lowering
    from poise.kernel.lex import memory as memory
    from poise.kernel.lex import newton as newton
    from poise.kernel.lex import recruiting as recruiting
    from poise.kernel.lex import resting as resting
    from poise.kernel.lex import restoration as restoration
    from poise.kernel.lex import retraction as retraction
    from poise.kernel.lex import rows as rows
    from poise.kernel.lex import search as search
    from poise.kernel.lex import settings as settings
    from poise.kernel.lex import solve as solve
    from poise.kernel.lex import writing as writing

__getattr__, __dir__ = lazily(__name__, __path__)
