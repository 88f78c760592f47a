"""What builds: the versions that are pinned, and a digest of the builder itself."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import llvmlite
import numba
from llvmlite import binding

from poise.errors import PoiseError
from poise.kernel import layouts

PINNED = {"numba": "0.68.1", "llvmlite": "0.50.0"}
"""numba's insides are used, and another version writes other code."""


def checked_builder() -> str:
    """What builds, as text: with another builder nothing is used that this one has kept."""
    found = {"numba": numba.__version__, "llvmlite": llvmlite.__version__}
    for name, version in PINNED.items():
        if found[name] != version:
            raise PoiseError(
                f"kernels are built with {name} {version}, but {found[name]} is installed; "
                "pip install 'poise[build]' installs the right one"
            )
    digest = hashlib.sha256()
    for path in [*sorted(Path(__file__).parent.glob("*.py")), Path(layouts.__file__)]:
        digest.update(path.read_bytes())
    machine = binding.get_process_triple()
    return f"{digest.hexdigest()[:20]} {sys.implementation.cache_tag} {machine}"
