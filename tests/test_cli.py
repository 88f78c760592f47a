"""The command `poise`, with figures and exercises that cost nothing."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import poise
import poise.models
from poise import cli, formats, kernel
from poise.errors import PoiseError
from poise.figure import Ball, Builder, Figure, Fixed, Hinge, Slider, SphericalEllipse, Twist
from poise.models.catalogue import Entry
from poise.scene.origins import ready_figures

Invoke = Callable[..., Any]


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: CliRunner().invoke(cli.app, arguments, catch_exceptions=False)


def figure() -> Figure:
    """A cabinet with a knee, and a back of one driven joint."""
    builder = Builder("cabinet")
    for name in ("base", "drawer", "shank", "back", "arm", "weld"):
        builder.segment(name, mass=2.0)
    builder.root("base")
    builder.joint("drawer", Slider("x", (0.0, 0.25), "travel"), "base", "drawer")
    builder.joint("knee", Hinge("y", (-0.5, 2.0), "flexion"), "base", "shank")
    builder.joint("vertebra", Hinge("y", coordinate="bend"), "base", "back")
    ball = Ball("-z", swing=SphericalEllipse(0.5, 0.8), twist=Twist(-0.3, 0.4))  # type: ignore[arg-type]
    builder.joint("shoulder", ball, "back", "arm", clinical={"flexion": "-y", "rotation": "-z"})
    builder.joint("weld", Fixed(), "arm", "weld")
    builder.group("spine", {"flexion": (-1.0, 1.0)}, {"vertebra.bend": {"flexion": 1.0}})
    builder.couple("strap", {"knee.flexion": -1, "spine.flexion": 0.5}, upper=np.deg2rad(90))
    builder.couple("rope", {"drawer.travel": 2, "knee.flexion": 1}, lower=-5, upper=5)
    builder.couple("bolt", {"root.x": 1, "root.y": -1}, lower=0, upper=0)
    builder.site("foot", "shank")
    return builder.build()


def row_of(output: str, word: str) -> list[str]:
    (line,) = [line for line in output.splitlines() if word in line]
    cells = line.strip("│┃ ").split("│") if "│" in line else re.split(r"\s{2,}", line.strip())
    return [cell.strip() for cell in cells]


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
    def read(_: Path) -> None:
        raise PoiseError("arm.yaml, line 3: [bold] is not a joint")

    monkeypatch.setattr(formats, "read", read)
    monkeypatch.setattr(sys, "argv", ["poise", "show", "arm.yaml"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "poise: arm.yaml, line 3: [bold] is not a joint\n"


def test_figures_lists_what_the_catalogue_has(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        Entry("cabinet", "A cabinet with a knee.", figure),
        Entry("human_female", "A woman.", figure, 'sex="female"'),
    ]
    monkeypatch.setattr(poise.models, "catalogue", lambda: entries)
    output = invoke("figures").output
    row = ["poise.cabinet()", "12", "6", "12.0", "A cabinet with a knee."]
    assert row_of(output, "cabinet") == row
    assert row_of(output, "woman")[0] == 'poise.human(sex="female")'


def test_every_ready_figure_can_be_called_as_it_is_listed() -> None:
    assert set(ready_figures()) <= set(dir(poise))
    for entry in poise.models.catalogue():
        made = eval(entry.call, {"poise": poise})
        assert (made.name, made.n) == (entry.build().name, entry.build().n)


def test_parts_of_the_package_are_there_when_they_are_asked_for() -> None:
    asked = "import sys, poise; early = 'numpy' in sys.modules; poise.tasks.Position; "
    asked += "poise.solvers.METHODS, poise.pictures.picture, poise.motion.Clip, poise.scene.Scene; "
    asked += "poise.models.human, poise.formats.read, poise.figure.Builder, poise.statics; "
    asked += "print(early, sorted(set(dir(poise)) & {'tasks', 'solvers', 'pictures', 'motion'}))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False ['motion', 'pictures', 'solvers', 'tasks']\n"


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'poise' has no attribute 'unicorn'"):
        assert poise.unicorn


def test_show_lists_the_sites_of_a_ready_figure_with_their_places(invoke: Invoke) -> None:
    output = invoke("show", "human").output
    assert output.startswith("human: a figure of ")
    person = poise.human()
    x, y, z = person.place(person.rest())["left_palm"].position
    row = ["left_palm", person.sites["left_palm"].segment, f"{x:.3f} m", f"{y:.3f} m", f"{z:.3f} m"]
    assert row_of(output, "left_palm ") == row


def test_show_takes_the_arguments_of_a_ready_figure(invoke: Invoke) -> None:
    words = "chain: a figure of 4 coordinates, 5 segments, 1 site"
    assert invoke("show", "chain", "--read", "n=4").output.startswith(words)
    with pytest.raises(PoiseError, match="there is no argument 'm'"):
        invoke("show", "chain", "--read", "m=4")
    words = "there is no file 'hunan': there is no ready figure 'hunan'; did you mean 'human'?"
    with pytest.raises(PoiseError, match=re.escape(words)):
        invoke("show", "hunan")


@pytest.mark.parametrize("entry", poise.models.catalogue(), ids=lambda entry: entry.name)
def test_show_knows_every_name_of_the_catalogue_with_its_usual_arguments(
    invoke: Invoke, entry: Entry
) -> None:
    made = entry.build()
    words = f"{entry.name}: a figure of {made.n} coordinates, {len(made.segments)} segments, "
    assert invoke("show", entry.name).output.startswith(words)


def test_show_changes_the_usual_arguments_one_by_one(invoke: Invoke) -> None:
    shorter = poise.human(sex="female", stature=1.5)
    output = invoke("show", "human_female", "--read", "stature=1.5").output
    assert f", {shorter.mass:.2f} kg" in output.splitlines()[0]
    words = "chain: a figure of 20 coordinates, 21 segments"
    assert invoke("show", "chain", "--read", "length=0.2").output.startswith(words)


def test_only_what_makes_a_figure_is_offered_as_a_ready_figure(
    invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("scene:\n  figure: pose_names\n")
    for attempt in (lambda: invoke("show", "pose_names"), lambda: poise.Scene.load(path)):
        with pytest.raises(PoiseError, match="there is no ready figure 'pose_names'") as caught:
            attempt()
        assert "hand_shape" not in str(caught.value).partition("pose_names")[2]
    makers = set(poise.models.__all__)
    makers -= {"catalogue", "hand_shape", "hand_shape_names", "pose", "pose_names"}
    assert set(ready_figures()) == makers


def test_placements_print_the_sites_and_where_they_are() -> None:
    made = figure()
    assert str(made.place(made.rest())) == (
        "site  on segment         x         y     z (m)\n"
        "foot  shank          0.000     0.000     0.000"
    )


def test_show_gives_ranges_in_degrees_and_metres(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "read", lambda _: formats.Reading(figure()))  # pyright: ignore[reportUnknownLambdaType]
    output = invoke("show", "cabinet.yaml").output
    words = "cabinet.yaml: a figure of 12 coordinates, 6 segments, 1 site, 12.00 kg"
    assert output.splitlines()[0] == words
    row = ["drawer", "slider: drawer on base", "travel", "0.000 m", "0.250 m"]
    assert row_of(output, "slider") == row
    row = ["knee", "hinge: shank on base", "flexion", "-28.6°", "114.6°"]
    assert row_of(output, "shank on base") == row
    assert row_of(output, "vertebra  ") == ["vertebra", "hinge: back on base, by spine"]
    assert row_of(output, "group:") == ["spine", "group: 1 joint", "flexion", "-57.3°", "57.3°"]
    assert row_of(output, "free:") == ["root", "free: base on world", "x", "–", "–"]
    row = ["shoulder", "ball: arm on back", "flexion", "-45.8°", "45.8°"]
    assert row_of(output, "ball:") == row
    assert row_of(output, "rotation") == ["rotation", "-17.2°", "22.9°"]
    assert row_of(output, "weld  ") == ["weld", "fixed: weld on arm"]
    assert row_of(output, "strap")[1] == "−knee.flexion + 0.5 spine.flexion ≤ 90.0°"
    assert row_of(output, "rope")[1] == "-5 ≤ 2 drawer.travel + knee.flexion ≤ 5"
    assert row_of(output, "bolt")[1] == "root.x − root.y = 0.000 m"
    assert row_of(output, "foot") == ["foot", "shank", "0.000 m", "0.000 m", "0.000 m"]


def test_show_cuts_nothing_in_a_narrow_window(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    person = poise.human(hands=True)
    monkeypatch.setattr(formats, "read", lambda _: formats.Reading(person))  # pyright: ignore[reportUnknownLambdaType]
    output = invoke("show", "person.yaml").output
    assert "…" not in output
    for name in (*person.joints, *person.groups, *person.couplings):
        assert name in output
    for name in ("radial_deviation", "dorsiflexion", "protraction"):
        assert (name in output) is (name != "protraction")  # a driven joint has no rows


def test_show_tells_which_named_posture_breaks_limits(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = figure()
    broken.postures["rest"] = np.zeros(broken.n)
    broken.postures["rest"][broken.index("knee.flexion")] = -0.6
    monkeypatch.setattr(formats, "read", lambda _: formats.Reading(broken))  # pyright: ignore[reportUnknownLambdaType]
    output = invoke("show", "cabinet.yaml").output
    assert "the posture 'rest' breaks limits: knee.flexion by 0.1 rad (5.7°)\n" in output


def test_warmup_says_where_the_kernels_are(invoke: Invoke) -> None:
    output = invoke("warmup").output
    assert f"kernels for {kernel.library.level()} CPUs " in output
    assert str(kernel.library.ready()[1].path) in output.replace("\n", "")


def test_warmup_has_nothing_to_do_where_kernels_are_interpreted(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POISE_INTERPRET", "1")
    with pytest.raises(PoiseError, match="POISE_INTERPRET is set"):
        invoke("warmup")
