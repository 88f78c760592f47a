"""A worker process answers one line of JSON with another."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lines import Worker, WorkerError, last_line

PYTHON = Path(sys.executable)
ECHO = """
import lines

def reply(request):
    print("noise of a library")
    if "fail" in request:
        raise ValueError("long story\\nno such thing")
    if "end" in request:
        raise SystemExit("it was enough")
    return {"echo": request}

lines.serve(reply)
"""


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Worker]:
    (tmp_path / "echo.py").write_text(ECHO, encoding="utf-8")
    with Worker(PYTHON, "echo", paths=[tmp_path]) as worker:
        yield worker


def test_a_worker_answers_again_and_again_whatever_libraries_print(echo: Worker) -> None:
    assert echo.ask(x=1.5) == {"echo": {"x": 1.5}}
    assert echo.ask(name="ä") == {"echo": {"name": "ä"}}


def test_what_a_worker_cannot_do_is_an_error_of_one_line_and_it_goes_on(echo: Worker) -> None:
    with pytest.raises(WorkerError, match=r"^ValueError: no such thing$"):
        echo.ask(fail=True)
    assert echo.ask(x=2) == {"echo": {"x": 2}}


def test_a_worker_that_ends_says_its_last_line(echo: Worker) -> None:
    with pytest.raises(WorkerError, match=r"^the worker ended: it was enough$"):
        echo.ask(end=True)


def test_a_worker_that_is_not_there_says_so() -> None:
    with (
        Worker(PYTHON, "peers.no_such_worker") as worker,
        pytest.raises(WorkerError, match=r"the worker ended: .*No module named peers.no_such"),
    ):
        worker.ask(do="take")


def test_the_last_line_of_a_text_is_the_last_that_says_something() -> None:
    assert last_line("WARNING: one\nERROR: two\n\n  \n") == "ERROR: two"
    assert last_line("") == ""
