"""A studio in a process of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
SECONDS = 600.0
"""So long (s) it may take to answer, all being compiled: only one that hangs takes longer."""


class Server:
    """A Python program that serves a studio on a port that it is told.

    Attributes:
        address: where it answers.
        process: the program.
        log: the file with what it says.
    """

    def __init__(self, program: Sequence[str], folder: Path, *more: str) -> None:
        """Run `python PROGRAM PORT MORE`, and wait until it answers.

        Args:
            program: what Python is to run.
            folder: where the studio keeps things, and what it says (log.txt).
            more: what else the program is told.
        """
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        # NiceGUI looks for pytest in the environment and would then serve nothing.
        passed = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "NICEGUI"))}
        passed["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        passed["POISE_STUDIO_DIR"] = str(folder)
        self.log = folder / "log.txt"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *program, str(self.port), *more],
                cwd=ROOT,
                env=passed,
                stdout=log,
                stderr=log,
            )
        try:
            self._await()
        except BaseException:
            self.kill()
            raise

    def _await(self) -> None:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            assert self.process.poll() is None, f"the studio has ended:\n{self.log.read_text()}"
            try:
                urlopen(self.address, timeout=30).close()
            except OSError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError(f"it did not answer within {SECONDS} s:\n{self.log.read_text()}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """Ask it to end, and see to it."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        self.process.kill()
        self.process.wait()
