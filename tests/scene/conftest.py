"""Figures that tests of scenes share."""

from __future__ import annotations

import pytest

import poise
from poise.figure import Figure


@pytest.fixture
def arm() -> Figure:
    return poise.chain(4, length=0.25)


@pytest.fixture(scope="module")
def person() -> Figure:
    return poise.human()
