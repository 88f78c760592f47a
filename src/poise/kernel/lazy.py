"""Modules of a package that are imported when they are first asked for (PEP 562)."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from types import ModuleType


def lazily(
    package: str, path: Iterable[str]
) -> tuple[Callable[[str], ModuleType], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose modules are imported when they are used."""
    names = frozenset(module.name for module in pkgutil.iter_modules(path))

    def get(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return importlib.import_module(f"{package}.{name}")

    def listed() -> list[str]:
        return sorted(names)

    return get, listed
