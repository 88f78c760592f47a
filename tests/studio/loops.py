"""An event loop for a test, beside the one that the browser's driver has."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(deed: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, on a thread of its own.

    The driver, once open, has a loop in the tests' thread, in which there can be no other.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, deed).result()
