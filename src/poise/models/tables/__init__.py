"""The numbers that the ready figures are made from, in YAML files beside this one.

Each block of a file names its source.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

# The parser in C, where the library has it, is ten times as quick.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def table(name: str) -> Any:
    """The contents of a table, read once; not to be changed by who gets them."""
    text = resources.files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_LOADER)
