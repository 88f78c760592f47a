"""Memory that one thread has freed serves the others."""

from __future__ import annotations

import subprocess
import sys

import pytest

_THREADS = """
import ctypes, sys, threading
from poise.studio.memory import share_arenas
if sys.argv[1] == "shared":
    assert share_arenas()
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
        "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
library = ctypes.CDLL(None)
library.mallinfo2.restype, library.malloc.restype = Info, ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]
def work():
    blocks = [library.malloc(100_000) for _ in range(200)]
    kept.append(library.malloc(100))  # on top of them, so that they can't be given back
    for block in blocks:
        library.free(block)
kept, before = [], library.mallinfo2().arena
barrier = threading.Barrier(8)
def turn(i):
    for j in range(8):
        barrier.wait()
        if i == j:
            work()
threads = [threading.Thread(target=turn, args=(i,)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print((library.mallinfo2().arena - before) // 1_000_000)
"""


def _held(how: str) -> int:
    """What eight threads that took turns in using 20 MB hold at the end (MB)."""
    run = subprocess.run(
        [sys.executable, "-c", _THREADS, how], capture_output=True, text=True, check=True
    )
    return int(run.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="arenas are glibc's")
def test_threads_that_take_turns_share_what_is_free() -> None:
    assert _held("shared") <= 45 < 100 <= _held("apart")
