"""What a thread has freed is given back, or serves the others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from poise.studio import memory

_THREADS = """
import ctypes, runpy, sys, threading
how, size, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if how == "little":
    assert runpy.run_path(path)["hold_little"]()  # alone: all of the studio would take seconds
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
        "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
library = ctypes.CDLL(None)
library.mallinfo2.restype, library.malloc.restype = Info, ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]
def held():
    info = library.mallinfo2()
    return info.arena + info.hblkhd
def work():
    library.free(library.malloc(30_000_000))  # from now on such blocks come from an arena
    blocks = [library.malloc(size) for _ in range(20_000_000 // size)]
    kept.append(library.malloc(100))  # on top of them, so that the arena can't shrink
    for block in blocks:
        library.free(block)
kept, before = [], held()
barrier = threading.Barrier(8)
def turn(i):
    for j in range(8):
        barrier.wait()
        if i == j:
            work()
threads = [threading.Thread(target=turn, args=(i,)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print((held() - before) // 1_000_000)
"""


_PAGES = """
import ctypes, runpy, sys
library = ctypes.CDLL(None)
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 // 1_000_000
blocks = [library.malloc(50_000) for _ in range(1000)]
for block in blocks:
    ctypes.memset(block, 1, 50_000)
before, on_top = resident(), library.malloc(100)
for block in blocks:
    library.free(block)
free = resident()
runpy.run_path(sys.argv[1])["give_back"]()
print(before - free, before - resident())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="malloc_trim is glibc's")
def test_what_is_free_below_what_is_used_is_given_back() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _PAGES, memory.__file__], capture_output=True, text=True, check=True
    )
    freed, given = map(int, run.stdout.split())
    assert freed <= 10 < 40 <= given  # of 50 MB


def _held(how: str, size: int) -> int:
    """What eight threads that took turns in using 20 MB hold at the end (MB)."""
    run = subprocess.run(
        [sys.executable, "-c", _THREADS, how, str(size), memory.__file__],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(run.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mallopt is glibc's")
def test_threads_that_take_turns_share_small_blocks_and_give_back_large_ones() -> None:
    assert _held("little", 100_000) <= 45 < 100 <= _held("as it is", 100_000)
    assert _held("little", 1_000_000) <= 5 < 20 <= _held("as it is", 1_000_000)
