"""What the command does where its output is narrow, full, or closed at the other end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import poise

SCENE = """\
scene:
  description: "Größe → 30° · “é” − 日本"
  figure: {ready: chain, arguments: {n: 3, length: 0.3, limit: 90}}
  tasks:
    - {position: {site: tip, target: TARGET}, name: "griff → oben"}
"""
MET, FAR = "[0.6, 0, 0.3]", "[3, 0, 0]"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("TARGET", FAR), encoding="utf-8")
    return path


def run(
    *arguments: object, encoding: str = "utf-8", output: int | None = subprocess.PIPE
) -> tuple[int, bytes, str]:
    """The status, standard output, and standard error as text."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-m", "poise", *map(str, arguments)],
        env=environment,
        stdout=output,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout or b"", done.stderr.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("encoding", "title"),
    [
        ("ascii", 'Gro?e -> 30 deg . "e" - ??'),
        ("cp1252", "Größe -> 30° · “é” - ??"),
    ],
)
def test_a_report_is_written_with_what_the_encoding_has(
    scene: Path, encoding: str, title: str
) -> None:
    status, output, errors = run("pose", scene, encoding=encoding)
    assert (status, errors) == (1, "")  # not met, and nothing else
    lines = output.decode(encoding).splitlines()
    assert lines[0] == title
    assert any("griff -> oben" in line and "not met" in line for line in lines)


def test_json_has_escapes_for_what_the_encoding_has_not(scene: Path) -> None:
    status, output, errors = run("pose", scene, "--json", encoding="cp1252")
    assert (status, errors) == (1, "")
    assert output.isascii()
    answer = json.loads(output)
    assert answer["description"] == "Größe → 30° · “é” − 日本"
    assert answer["tasks"][0]["name"] == "griff → oben"


@pytest.mark.parametrize(
    "arguments",
    [["figures"], ["show", "SCENE"], ["reproduce"], ["--help"]],
    ids=" ".join,
)
def test_every_command_prints_in_ascii(scene: Path, arguments: list[str]) -> None:
    given = [str(scene) if each == "SCENE" else each for each in arguments]
    status, output, errors = run(*given, encoding="ascii")
    assert (status, errors) == (0, "")
    assert output.isascii()
    assert len(output) > 50


def test_a_file_is_converted_with_a_narrow_output(tmp_path: Path) -> None:
    source, target = tmp_path / "chaîne.yaml", tmp_path / "→.bvh"
    poise.chain(3).save(source)
    status, output, _ = run("convert", source, target, encoding="ascii")
    assert status == 0
    assert b"chaine.yaml is now" in output
    assert target.exists()


@needs_full
@pytest.mark.parametrize("arguments", [["pose", "SCENE"], ["--version"]], ids=" ".join)
def test_output_that_cannot_be_written_ends_with_status_3(
    scene: Path, arguments: list[str]
) -> None:
    given = [str(scene) if each == "SCENE" else each for each in arguments]
    with FULL.open("wb") as full:
        status, _, errors = run(*given, output=full.fileno())
    assert status == 3
    assert errors == "poise: cannot write to standard output: No space left on device\n"


@needs_full
def test_files_are_written_though_the_report_is_not(scene: Path, tmp_path: Path) -> None:
    target = tmp_path / "found.yaml"
    with FULL.open("wb") as full:
        status, _, _ = run("pose", scene, "--json", "-o", target, output=full.fileno())
    assert status == 3
    assert list(poise.Scene.load(target).handles) == ["griff → oben"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_a_reader_who_leaves_ends_it_quietly_with_status_3() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        status, _, errors = run("show", "--schema", "scene", output=write)
    finally:
        os.close(write)
    assert (status, errors) == (3, "")


@needs_full
def test_a_file_that_cannot_be_written_ends_with_status_3(scene: Path, tmp_path: Path) -> None:
    target = tmp_path / "full.yaml"
    target.symlink_to(FULL)
    status, output, errors = run("pose", scene, "-o", target)
    assert status == 3
    assert b"not met" in output
    assert errors.startswith("poise: cannot write ")
    assert errors.endswith("No space left on device\n")
    assert target.is_symlink()


def test_a_wrong_call_still_ends_with_status_2(scene: Path) -> None:
    assert run("pose", scene, "--method", "magic", encoding="ascii")[0] == 2
    assert run("pose", "no such file.yaml")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["pose", "SCENE", "-o", "nowhere/found.yaml"],
        ["pose", "SCENE", "-o", "nowhere/found.glb"],
        ["pose", "SCENE", "--picture", "nowhere/found.png"],
        ["convert", "FIGURE", "nowhere/chain.bvh"],
        ["reproduce", "1989-fig-4", "-o", "SCENE"],
    ],
    ids=" ".join,
)
def test_a_folder_that_is_not_there_ends_with_status_3(
    scene: Path, tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    figure = tmp_path / "chain.yaml"
    poise.chain(3).save(figure)
    words = {"SCENE": str(scene), "FIGURE": str(figure)}
    status, output, errors = run(*(words.get(each, each) for each in arguments))
    assert (status, output) == (3, b"")
    assert errors.startswith("poise: cannot ")
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["pose", "SCENE", "-o", "nowhere/found.doc"],
        ["pose", "SCENE", "--picture", "nowhere/found.jpg"],
        ["convert", "SCENE", "nowhere/chain.doc"],
    ],
    ids=" ".join,
)
def test_a_wrong_suffix_is_a_wrong_call_wherever_the_file_is(
    scene: Path, arguments: list[str]
) -> None:
    status, output, _ = run(*(str(scene) if each == "SCENE" else each for each in arguments))
    assert (status, output) == (2, b"")
