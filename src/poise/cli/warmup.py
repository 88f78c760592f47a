"""`poise warmup`."""

from __future__ import annotations

import time

from rich.console import Console

from poise import kernel
from poise.cli.printing import say
from poise.errors import PoiseError

_WORDS = {
    "packaged": "came with poise",
    "kept": "were built before",
    "built": "were built now",
    "built in memory": "were built now, in memory, since nothing can be kept",
}


def warmup() -> None:
    """Build the compiled kernels now, if need be, and say what there is.

    A wheel of poise brings them. A checkout builds them once, in about half a minute, and keeps
    them in your cache directory (POISE_CACHE_DIR names another one) until its sources change.
    """
    if kernel.compiling.is_interpreted():
        raise PoiseError("POISE_INTERPRET is set: kernels run as plain Python, nothing is built")
    started = time.perf_counter()
    _, origin = kernel.library.ready()
    seconds = time.perf_counter() - started
    console = Console()
    say(
        console,
        f"kernels for {kernel.library.level()} CPUs {_WORDS[origin.how]}; ready in {seconds:.2f} s",
    )
    if origin.how != "built in memory":
        size = origin.path.stat().st_size / 1e6
        say(console, f"{origin.path} ({size:.1f} MB)")
