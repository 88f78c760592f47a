"""Every program in README.md and docs/ runs, and so does every `$ poise` command shown there."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import poise

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line on which the text starts."""

    language: str
    text: str
    line: int


def blocks(document: str, *languages: str) -> Iterator[Block]:
    for match in FENCE.finditer(document):
        if match[1] in languages:
            yield Block(match[1], match[2], document.count("\n", 0, match.start(2)) + 1)


def programs() -> Iterator[object]:
    """All programs of one document together: a later one may use what an earlier one made."""
    for path in DOCUMENTS:
        found = list(blocks(path.read_text(encoding="utf-8"), "python"))
        if found:
            lines = ",".join(str(block.line) for block in found)
            yield pytest.param(path, found, id=f"{path.relative_to(ROOT)}:{lines}")


def commands() -> Iterator[object]:
    for path in DOCUMENTS:
        for block in blocks(path.read_text(encoding="utf-8"), "console", "sh"):
            for offset, line in enumerate(block.text.splitlines()):
                if line.startswith("$ poise "):
                    where = f"{path.relative_to(ROOT)}:{block.line + offset}"
                    yield pytest.param(line.removeprefix("$ "), id=where)


@pytest.mark.parametrize(("path", "found"), list(programs()))
def test_the_programs_in_a_document_run(
    path: Path, found: list[Block], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for block in found:
        # The blank lines make a traceback name the document's own line.
        source = "\n" * (block.line - 1) + block.text
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(source, str(path), "exec"), namespace)


@pytest.mark.parametrize("command", list(commands()))
def test_a_command_in_a_document_runs(command: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    _, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", "poise", *arguments],
        cwd=tmp_path,
        env=os.environ | {"COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def files() -> Iterator[object]:
    for path in DOCUMENTS:
        for block in blocks(path.read_text(encoding="utf-8"), "yaml"):
            yield pytest.param(block.text, id=f"{path.relative_to(ROOT)}:{block.line}")


@pytest.mark.parametrize("text", list(files()))
def test_a_file_in_a_document_loads_and_a_scene_is_solved(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(text, encoding="utf-8")
    if text.startswith("scene:"):
        assert poise.Scene.load(path).solve().met
    else:
        assert poise.load(path).n > 0


def test_blocks_are_found_with_their_lines() -> None:
    document = "text\n```python\na = 1\n```\n\n```sh\n$ poise figures\n```\n```python\nb = a\n```\n"
    assert list(blocks(document, "python")) == [
        Block("python", "a = 1\n", 3),
        Block("python", "b = a\n", 10),
    ]
    assert list(blocks(document, "sh")) == [Block("sh", "$ poise figures\n", 7)]


def test_the_readme_has_a_program() -> None:
    assert list(blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python"))
