"""`poise show` and `poise convert` with files of other people."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.formats.skeletons import PERSON
from typer.testing import CliRunner

import poise
from poise import cli
from poise.errors import PoiseError

Invoke = Callable[..., Any]


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: CliRunner().invoke(
        cli.app, [str(each) for each in arguments], catch_exceptions=False
    )


@pytest.fixture
def person(tmp_path: Path) -> Path:
    (tmp_path / "person.bvh").write_text(PERSON, encoding="utf-8")
    return tmp_path / "person.bvh"


def test_show_tells_figure_guesses_and_motion(invoke: Invoke, person: Path) -> None:
    output = invoke("show", person).output
    assert output.startswith(
        "person.bvh: a figure of 27 coordinates, 10 segments, 5 sites, 0.00 kg\n"
        "note: guessed that y points up (say so with up='y')\n"
    )
    assert "hinge: LeftForeArm on LeftArm" in output
    (row,) = [line.split() for line in output.splitlines() if line.startswith("person  ")]
    assert row == ["person", "3", "120", "0.02"]


def test_show_takes_options_of_the_reader(invoke: Invoke, person: Path) -> None:
    said = ("--read", "up=y", "--read", "forward=z", "--read", "unit=0.01", "--read", "bones=false")
    assert "note" not in invoke("show", person, *said).output
    assert "left_elbow" in invoke("show", person, "--read", "names=auto").output


def test_show_names_postures(invoke: Invoke, tmp_path: Path) -> None:
    poise.export(poise.chain(2).posture([0.1, 0.2]), tmp_path / "a.yaml")
    assert "postures: rest, shown" in invoke("show", tmp_path / "a.yaml").output


def test_convert_says_what_it_did(invoke: Invoke, person: Path) -> None:
    target = person.parent / "out.yaml"
    output = invoke("convert", person, target, "--read", "names=auto").output
    assert "note: 10 names are ours, by the map 'mixamo'\n" in output
    assert "note: a figure file does not hold motions\n" in output
    assert output.endswith(f"person.bvh is now {target}\n")
    assert "left_elbow" in poise.load(target).joints


def test_convert_takes_options_of_the_writer(invoke: Invoke, person: Path) -> None:
    target = person.parent / "out.bvh"
    invoke("convert", person, target, "--write", "unit=m", "--write", "order=XYZ")
    text = target.read_text(encoding="utf-8")
    assert "Xposition Yposition Zposition Xrotation Yrotation Zrotation" in text
    assert "OFFSET 0.000000000 0.450000000 0.000000000" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--read", "up"), "--read takes NAME=VALUE, not 'up'"),
        (("--read", "upp=z"), "to read BVH: there is no option 'upp'; did you mean 'up'?"),
        (("--write", "unitt=m"), "to write BVH: there is no option 'unitt'; did you mean 'unit'?"),
    ],
)
def test_a_wrong_option_is_told(
    invoke: Invoke, person: Path, arguments: tuple[str, str], message: str
) -> None:
    with pytest.raises(PoiseError, match=message.replace("?", r"\?")):
        invoke("convert", person, person.parent / "out.bvh", *arguments)


def test_what_cannot_be_converted_is_told(invoke: Invoke, person: Path) -> None:
    with pytest.raises(PoiseError, match=r"cannot write 'a\.fbx': not \.fbx files"):
        invoke("convert", person, "a.fbx")
