"""What is started, and where."""

import sys
from pathlib import Path

import pytest
import startup
from startup import Run, first_program, measured, row, unwritable_home

README = Path(__file__).parents[2] / "README.md"


def test_the_first_program_of_the_readme_ends_before_it_needs_extras() -> None:
    program = first_program(README.read_text(encoding="utf-8"))
    assert program.startswith("import poise\n")
    assert program.endswith("solution = scene.solve()\nprint(solution)\n")
    compile(program, "README", "exec")


def test_a_readme_without_such_a_program_is_an_error() -> None:
    with pytest.raises(ValueError, match="has no line 'print\\(solution\\)'"):
        first_program("```python\nimport poise\n```\n")


def test_nothing_can_be_made_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "FOLDER", tmp_path)
    home = unwritable_home()
    assert home.is_dir()
    with pytest.raises(OSError, match=r"cache"):
        (home / "cache").mkdir()


def test_a_mark_is_missed_by_the_median() -> None:
    runs = [Run(0.9, 100.0), Run(0.5, 100.0), Run(0.5, 100.0)]
    text, missed = row("README, first program", runs)
    assert not missed
    assert text[1:3] == ["0.900", "0.500 / 0.500"]
    assert row("README, first program", [Run(0.5, 130.0)])[1]
    assert row("import poise", [Run(0.2, 500.0)])[1]
    assert not row("import poise", [Run(0.1, 500.0)])[1]


def test_the_memory_of_a_program_is_its_own_and_not_that_of_its_parent() -> None:
    python = Path(sys.executable)
    ours = bytearray(200_000_000)
    assert 1.0 < measured(python, "pass", {}).megabytes < 100.0
    assert measured(python, "held = bytearray(b'x' * 150_000_000)", {}).megabytes > 150.0
    assert len(ours) == 200_000_000


def test_a_program_that_fails_ends_the_benchmark_with_what_it_said() -> None:
    with pytest.raises(SystemExit, match="the program failed: it cannot"):
        measured(Path(sys.executable), "raise SystemExit('it cannot')", {})
