"""A worker process that answers requests, one line of JSON for each.

Both ends are here, and need nothing beyond Python itself: a worker may run in an environment of its
own, with a Python of its own.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

HERE = Path(__file__).parent
SECONDS_TO_END = 10.0
"""How long a worker may take to end when nothing more is asked of it; then it is killed."""


class WorkerError(RuntimeError):
    """A worker ended, or could not do what was asked; the message is one line."""


def serve(reply: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Answer requests from the standard input until it ends.

    An exception is the answer `{"error": …}`. What libraries print goes to the standard error.

    Args:
        reply: the answer to a request.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what is printed comes before the last words
    for line in sys.stdin:
        try:
            answer = reply(json.loads(line))
        except Exception as error:  # whatever it is, the other end must not wait for ever
            answer = {"error": f"{type(error).__name__}: {last_line(str(error))}"}
        print(json.dumps(answer), file=answers, flush=True)


def last_line(text: str) -> str:
    """The last line of a text that has anything in it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


class Worker:
    """A process that serves, as `with Worker(python, "peers.placo_worker") as worker`."""

    def __init__(self, python: Path, module: str, *, paths: Sequence[Path] = ()) -> None:
        """Start the process.

        Args:
            python: the Python that runs it.
            module: the module that it runs, below benchmarks/ or one of `paths`.
            paths: where modules are looked for before those that are installed.
        """
        # It is closed with the process.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self._process = subprocess.Popen(
            [str(python), "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
            # Threads of a linear algebra library would only disturb those who use one.
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, [HERE, *paths])),
                "OPENBLAS_NUM_THREADS": "1",
                "OMP_NUM_THREADS": "1",
            },
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """The answer to a request.

        Raises:
            WorkerError: if the worker has ended, or answers with an error.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise WorkerError(f"the worker ended: {self._last_error()}")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    def _last_error(self) -> str:
        code = self._process.wait(SECONDS_TO_END)
        self._errors.seek(0)
        return last_line(self._errors.read()) or f"exit status {code}"

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
