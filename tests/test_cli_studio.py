"""The command `poise studio`, with a server that only notes what it is asked for."""

import importlib
import importlib.util
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from poise import cli, kernel
from poise.errors import PoiseError
from poise.studio import claims, serving

command = importlib.import_module("poise.cli.studio")  # the package has the function by that name
SCENE = "scene:\n  figure: {ready: chain, arguments: {n: 3}}\n  tasks: [{position: tip}]\n"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What was done, in order: "ready" for the warm-up, "serve" with its arguments."""
    noted: list[tuple[str, Any]] = []
    monkeypatch.setattr(kernel.library, "ready", lambda: noted.append(("ready", None)))
    monkeypatch.setattr(
        serving, "serve", lambda scene=None, **rest: noted.append(("serve", (scene, rest)))
    )
    return noted


@pytest.fixture
def taken() -> Iterator[int]:
    """A port of this computer that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        yield listener.getsockname()[1]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli.app, ["studio", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_it_gets_ready_and_then_serves_on_this_computer_only(calls: list[tuple[str, Any]]) -> None:
    port = free_port()
    output = run("--port", str(port))
    assert [name for name, _ in calls] == ["ready", "serve"]
    scene, rest = calls[-1][1]
    assert scene is None
    keep = rest.pop("keep")
    assert rest == {"host": "127.0.0.1", "port": port, "show": True, "names": ()}
    assert keep.name == "studio"
    assert f"http://127.0.0.1:{port}" in output
    assert "whoever" not in output


def test_a_scene_is_loaded_and_the_browser_stays_closed(
    calls: list[tuple[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "chain.yaml"
    file.write_text(SCENE)
    run(str(file), "--no-browser", "--port", str(free_port()))
    scene, rest = calls[-1][1]
    assert list(scene.handles) == ["tip"]
    assert rest["show"] is False


def test_who_opens_it_to_others_is_told(calls: list[tuple[str, Any]]) -> None:
    output = run("--host", "0.0.0.0", "--port", str(free_port()))
    assert "whoever can reach this computer" in output


def test_a_port_in_use_is_an_error_that_names_a_free_one(
    calls: list[tuple[str, Any]], taken: int
) -> None:
    with pytest.raises(PoiseError, match=rf"port {taken} .* is in use.*--port \d+") as caught:
        run("--port", str(taken))
    suggested = int(str(caught.value).rpartition(" ")[2])
    assert suggested > taken
    command.check_free("127.0.0.1", suggested)
    assert not calls


def test_an_unknown_host_is_an_error(calls: list[tuple[str, Any]]) -> None:
    with pytest.raises(PoiseError, match=r"no host 'nowhere\.invalid'"):
        run("--host", "nowhere.invalid")


def test_a_file_that_is_not_there_is_an_error_before_anything_starts(
    calls: list[tuple[str, Any]], tmp_path: Path
) -> None:
    with pytest.raises(PoiseError, match="there is no file"):
        run(str(tmp_path / "none.yaml"))
    assert not calls


def test_without_nicegui_it_says_what_to_install(
    calls: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "nicegui" else found(name)
    )
    with pytest.raises(PoiseError, match=r"pip install 'poise\[studio\]'"):
        run()


def test_a_folder_of_its_own_and_names_of_the_computer_are_passed_on(
    calls: list[tuple[str, Any]], tmp_path: Path
) -> None:
    run("--port", str(free_port()), "--keep", str(tmp_path), "--name", "a.example", "--name", "b")
    rest = calls[-1][1][1]
    assert rest["keep"] == tmp_path
    assert list(rest["names"]) == ["a.example", "b"]


def test_a_folder_that_another_studio_has_is_an_error_before_anything_starts(
    calls: list[tuple[str, Any]], tmp_path: Path
) -> None:
    claim = claims.Claim(tmp_path)
    with pytest.raises(PoiseError, match="another studio"):
        run("--port", str(free_port()), "--keep", str(tmp_path))
    assert not calls
    claim.let_go()


def test_the_command_is_listed() -> None:
    assert "studio" in CliRunner().invoke(cli.app, ["--help"]).output
