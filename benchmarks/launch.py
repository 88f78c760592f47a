"""Run a command and print its seconds, the most bytes that it had resident, and its exit status.

It is a program of its own, and small, because what the kernel counts for a process starts with what
the process that started it had: a parent with numpy would make every child look that large.
"""

from __future__ import annotations

import os
import sys
import time


def main(command: list[str]) -> None:
    """Run the command with nothing to read and its output thrown away; errors go where ours go."""
    null = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    before = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - before
    # Linux counts in 1024 bytes, macOS in bytes.
    resident = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(seconds, resident, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(sys.argv[1:])
