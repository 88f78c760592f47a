"""The command `poise`, with figures and exercises that cost nothing."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import poise
import poise.models
from poise import cli, warmup
from poise.errors import PoiseError
from poise.kernel.compiling import Compilation

Invoke = Callable[..., Any]


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: CliRunner().invoke(cli.app, arguments, catch_exceptions=False)


def figure() -> Any:
    """What the command line reads of a figure, and no more."""

    def joint(name: str, kind: str, *coordinates: str) -> SimpleNamespace:
        return SimpleNamespace(
            name=name,
            kind=SimpleNamespace(kind=kind),
            parent="base",
            child=f"{name}_part",
            coordinates=tuple(f"{name}.{each}" for each in coordinates),
        )

    joints = [
        joint("root", "free", "x", "rx"),
        joint("drawer", "slider", "travel"),
        joint("knee", "hinge", "flexion"),
        joint("vertebra", "hinge", "bend"),
        joint("weld", "fixed"),
    ]
    return SimpleNamespace(
        n=5,
        coordinates=("root.x", "root.rx", "drawer.travel", "knee.flexion", "spine.flexion"),
        lower=[-float("inf"), -float("inf"), 0.0, -0.5, -1.0],
        upper=[float("inf"), float("inf"), 0.25, 2.0, 1.0],
        joints={each.name: each for each in joints},
        segments=dict.fromkeys(["base", "knee_part"]),
        sites={"foot": SimpleNamespace(name="foot", segment="knee_part")},
        mass=12.5,
    )


def row_of(output: str, word: str) -> list[str]:
    (line,) = [line for line in output.splitlines() if word in line]
    return [cell.strip() for cell in line.strip("│┃ ").split("│")]


def test_the_version_is_printed(invoke: Invoke) -> None:
    assert invoke("--version").output == f"poise {poise.__version__}\n"


def test_a_call_without_arguments_shows_what_there_is(invoke: Invoke) -> None:
    output = invoke().output
    for command in ("figures", "show", "warmup"):
        assert command in output


def test_an_unknown_command_is_a_wrong_call(invoke: Invoke) -> None:
    assert invoke("fly").exit_code == 2


def test_python_m_poise_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "poise", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"poise {poise.__version__}\n"


def test_a_poise_error_is_one_message_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(_: Path) -> None:
        raise PoiseError("arm.yaml, line 3: [bold] is not a joint")

    monkeypatch.setitem(vars(poise), "load", load)
    monkeypatch.setattr(sys, "argv", ["poise", "show", "arm.yaml"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "poise: arm.yaml, line 3: [bold] is not a joint\n"


def test_figures_lists_what_the_catalogue_has(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = SimpleNamespace(name="cabinet", description="A cabinet with a knee.", build=figure)
    monkeypatch.setattr(poise.models, "catalogue", lambda: [entry])
    output = invoke("figures").output
    assert row_of(output, "cabinet") == ["cabinet", "5", "2", "12.5", "A cabinet with a knee."]


def test_show_gives_degrees_and_metres(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(poise), "load", lambda _: figure())  # pyright: ignore[reportUnknownLambdaType]
    output = invoke("show", "cabinet.yaml").output
    assert "cabinet.yaml: a figure of 5 coordinates, 2 segments, 1 sites, 12.50 kg" in output
    assert row_of(output, "drawer_part")[3:] == ["travel", "0.000 m", "0.250 m"]
    assert row_of(output, "knee_part on base")[3:] == ["flexion", "-28.6°", "114.6°"]
    assert row_of(output, "vertebra_part")[3] == "by its group"
    assert row_of(output, "spine") == ["spine", "group", "", "flexion", "-57.3°", "57.3°"]
    assert row_of(output, "root_part")[3:] == ["x", "–", "–"]
    assert row_of(output, "│ knee_part │") == ["knee_part", "foot"]


def test_warmup_reports_what_was_compiled(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    exercises = [
        warmup.Exercise("bow", lambda: done.append("bow")),
        warmup.Exercise("curtsy", lambda: done.append("curtsy")),
    ]
    monkeypatch.setattr(warmup, "EXERCISES", exercises)
    output = invoke("warmup").output
    assert done == ["bow", "curtsy"]
    assert row_of(output, "bow")[1] == "–"
    assert row_of(output, "in all")


def test_warmup_names_the_kernels(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = warmup.Outcome("bow", 1.5, [Compilation("kinematics.place", 1.25, True)])
    monkeypatch.setattr(warmup, "EXERCISES", [warmup.Exercise("bow", lambda: None)])
    monkeypatch.setattr(warmup, "warm_up", lambda: iter([outcome]))
    row = row_of(invoke("warmup").output, "kinematics.place")
    assert row == ["bow", "kinematics.place 1.2 s", "1.50"]
