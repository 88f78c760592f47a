"""The scripts of docs that draw the gallery."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def script(name: str) -> ModuleType:
    """A script of docs, imported from its folder as it runs there."""
    pytest.importorskip("pyvista")
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="session")
def gallery() -> ModuleType:
    """The gallery of everyday goals."""
    return script("gallery")


@pytest.fixture(scope="session")
def pairs() -> ModuleType:
    """Its pictures before and after, for a judge who does not know which is which."""
    return script("gallery_pairs")
