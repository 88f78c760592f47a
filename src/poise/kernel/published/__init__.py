"""The methods of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.kernel.lazy import lazily

if TYPE_CHECKING:
    from poise.kernel.published import classics as classics
    from poise.kernel.published import classics_arrays as classics_arrays
    from poise.kernel.published import classics_steps as classics_steps
    from poise.kernel.published import elimination as elimination
    from poise.kernel.published import nlp as nlp
    from poise.kernel.published import nlp_arrays as nlp_arrays
    from poise.kernel.published import nlp_rows as nlp_rows
    from poise.kernel.published import nlp_search as nlp_search
    from poise.kernel.published import priority as priority
    from poise.kernel.published import priority_arrays as priority_arrays
    from poise.kernel.published import priority_steps as priority_steps
    from poise.kernel.published import projected as projected
    from poise.kernel.published import projectors as projectors
    from poise.kernel.published import reflections as reflections
    from poise.kernel.published import stepping as stepping
    from poise.kernel.published import working_set as working_set

__getattr__, __dir__ = lazily(__name__, __path__)
