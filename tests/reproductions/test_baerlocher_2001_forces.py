"""The thesis' examples with forces, run again: every claim holds."""

from __future__ import annotations

import pytest

from poise.reproductions import baerlocher_2001_forces as thesis
from poise.reproductions.claims import Reproduction, silent


@pytest.mark.parametrize("example", thesis.EXAMPLES, ids=lambda each: each.name)
def test_every_claim_holds(example: Reproduction) -> None:
    result = example.run(None, silent)
    failed = [f"{claim.text}: {claim.ours}" for claim in result.claims if not claim.holds]
    assert not failed
    assert len({claim.text for claim in result.claims}) == len(result.claims)
