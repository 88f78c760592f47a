"""A server that is killed loses nothing but the drag under way."""

import asyncio
import errno
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
from tests.studio.loops import run
from tests.studio.pages import Page
from tests.studio.servers import Server

from poise.errors import PoiseError
from poise.studio import opening
from poise.studio.document import Document
from poise.studio.journal import Journal
from poise.studio.keeping import folder
from poise.studio.kept import Kept
from poise.studio.opening import Text
from poise.studio.session import Session

pytest.importorskip("nicegui", reason="needs the studio extra")
websockets = pytest.importorskip("websockets", reason="comes with the studio extra")


def test_the_folder_is_the_users_own_or_the_one_that_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("POISE_STUDIO_DIR", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("POISE_STUDIO_DIR")
    assert folder().name == "studio"


def test_a_session_goes_on_where_the_last_one_left_off(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    page = Page(first)
    page.do("pin", site="left_hand")
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.7})
    page.do("keep_pose", name="low")
    page.do("lock", joint="neck", on=True)
    page.do("settings", theme="light")
    at = first.scene.places.segment("right_hand").position
    page.do("grab", segment="right_hand", point=[0, 0, 0])
    page.drag([(at + [0.1, 0, 0.1]).tolist()])
    page.do("release")
    text, q, poses = first.scene_text(), first.scene.q, dict(first.document.poses)
    first.close()
    again = Session(keep=tmp_path)
    assert np.array_equal(again.scene.q, q)
    assert again.scene_text() == text
    assert again.document.poses == poses
    assert again.settings().theme == "light"
    again.close()


def test_what_was_done_before_a_restart_can_be_undone_and_done_again(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    page = Page(first)
    begun, text = first.scene.q, first.scene_text()
    page.do("pin", site="left_hand")
    page.do("set_angles", joint="left_knee", angles={"flexion": 0.7})
    page.do("lock", joint="neck", on=True)
    locked = first.scene_text()
    page.do("add_prop", kind="box", size=[0.2, 0.2, 0.2], position=[0.5, 0, 1])
    page.do("undo")
    first.close()
    again = Session(keep=tmp_path)
    assert again.history.undoes == "lock neck"
    assert again.history.redoes == "add a box"
    page = Page(again)
    page.do("redo")
    assert "box" in again.scene.props
    page.do("undo")
    assert again.scene_text() == locked
    for _ in range(3):
        page.do("undo")
    assert np.array_equal(again.scene.q, begun), "to the last bit"
    assert again.scene_text() == text
    again.close()
    last = Session(keep=tmp_path)
    assert not last.history.can_undo
    assert last.history.redoes == "pin left_hand"
    last.close()


def test_what_is_kept_is_written_while_nobody_waits_and_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers: list[str] = []
    go, write = threading.Event(), opening.text_of

    def slow(*arguments: Any) -> str:
        writers.append(threading.current_thread().name)
        assert go.wait(600)
        return write(*arguments)

    monkeypatch.setattr(opening, "text_of", slow)
    session = Session(keep=tmp_path)
    session.apply({"do": "pin", "site": "left_hand"})
    session.apply({"do": "lock", "joint": "neck", "on": True})
    session.apply({"do": "set_stiffness", "joint": "spine", "value": 0.5})
    go.set()
    session.close()
    assert set(writers) == {"poise-keeper"}
    steps = Journal(tmp_path / "history.jsonl").read()[0]
    texts = [each.kept().scene for each in steps]
    assert ["locked" in text for text in texts] == [False, False, True]
    assert ["stiffness" in text for text in texts] == [False, False, False]
    assert "stiffness" in json.loads((tmp_path / "studio.json").read_text())["scene"]


def kept(text: str, document: Document) -> Kept:
    """A document as it is written, whatever its scene."""
    return Kept.of(replace(document, text=Text.known(text)))


def test_the_history_on_disk_is_bounded_and_loses_the_oldest_first(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "history.jsonl", most=40_000)
    document = Document.new()
    for i in range(60):
        document.poses = {"bow": {str(i): 1.0}}
        journal.add("did", f"step {i}", kept("scene " * 200, document))
        assert (tmp_path / "history.jsonl").stat().st_size <= 45_000
    past, future = journal.read()
    assert past[-1].name == "step 59"
    assert 3 < len(past) < 60
    assert past[0].name == f"step {60 - len(past)}"
    assert not future


def test_steps_that_are_too_old_for_the_file_can_be_undone_all_the_same(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "history.jsonl", most=40_000)
    document = Document.new()
    for deed in ("did", "undid"):
        for i in range(60):
            document.poses = {"bow": {str(i): 1.0}}
            journal.add(
                deed, f"step {i if deed == 'did' else 59 - i}", kept("scene " * 200, document)
            )
            assert (tmp_path / "history.jsonl").stat().st_size <= 45_000
    past, future = journal.read()
    assert not past
    assert [each.name for each in future[-3:]] == ["step 2", "step 1", "step 0"]
    journal.add("redid", "step 0", kept("scene", document))
    past, after = journal.read()
    assert [each.name for each in past] == ["step 0"]
    assert len(after) == len(future) - 1


@pytest.mark.parametrize("spoil", ["cut", "nonsense", "gone"])
def test_a_spoilt_history_costs_steps_and_not_the_document(tmp_path: Path, spoil: str) -> None:
    first = Session(keep=tmp_path)
    for site in ("left_hand", "right_hand"):
        first.apply({"do": "pin", "site": site})
    first.close()
    file = tmp_path / "history.jsonl"
    content = file.read_bytes()
    assert content.count(b'"did"') == 2
    spoilt = {"cut": content[:-20], "nonsense": b"[]\n" + content, "gone": None}[spoil]
    if spoilt is None:
        file.unlink()
    else:
        file.write_bytes(spoilt)
    again = Session(keep=tmp_path)
    assert "pin right_hand" in again.scene.handles
    assert again.history.undoes == ("pin left_hand" if spoil == "cut" else "")
    again.close()


def test_what_was_half_written_when_a_server_was_killed_is_removed(tmp_path: Path) -> None:
    program = (
        "import os, sys; from poise.documents import writing\n"
        "def killed(file): os.kill(os.getpid(), 9)\n"
        "writing.os.fsync = killed\n"
        "writing.write(sys.argv[1], 'half')"
    )
    where = tmp_path / "studio.json"
    done = subprocess.run([sys.executable, "-c", program, str(where)], check=False)
    assert done.returncode == -9
    (left,) = tmp_path.iterdir()
    (tmp_path / ".mine.tmp").write_text("of somebody else")
    Session(keep=tmp_path).close()
    assert not left.exists()
    assert (tmp_path / ".mine.tmp").exists()


def full_disk(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_step_that_a_full_disk_cut_off_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "history.jsonl"
    journal, document = Journal(file), Document.new()
    journal.add("did", "one", kept("first scene", document), 1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full_disk)
        with pytest.raises(OSError, match="space"):
            journal.add("did", "two", kept("second scene", document), 2)
    file.write_bytes(file.read_bytes()[:-30])  # and not all of it had come so far
    journal.add("did", "three", kept("second scene", document), 3)
    journal.add("did", "four", kept("second scene", document), 4)
    past, _ = Journal(file).read()
    assert [each.name for each in past] == ["one", "three", "four"]
    assert past[-1].kept().scene == "second scene"


def test_a_history_cut_off_at_any_byte_keeps_the_steps_before(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    journal, document = Journal(file), Document.new()
    ends: list[int] = []
    for i in range(3):
        journal.add("did", f"step {i}", kept(f"scene {i // 2}", document), i + 1)
        ends.append(file.stat().st_size)
    content = file.read_bytes()
    for cut in range(0, len(content) + 1, 7):
        file.write_bytes(content[:cut])
        past, _ = Journal(file).read()
        # A line that lacks but its end is whole.
        assert len(past) == sum(end <= cut + 1 for end in ends), cut


def test_deeds_that_the_document_does_not_know_yet_have_not_happened(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    keeper: Any = first._keeper
    for site in ("left_hand", "right_hand"):
        first.apply({"do": "pin", "site": site})
        assert first.wait()
        assert keeper.wait()
    before = (tmp_path / "studio.json").read_bytes()
    first.apply({"do": "undo"})
    first.close()
    (tmp_path / "studio.json").write_bytes(before)  # killed between the history and the document
    again = Session(keep=tmp_path)
    assert "pin right_hand" in again.scene.handles
    assert (again.history.undoes, again.history.redoes) == ("pin right_hand", "")
    again.apply({"do": "undo"})
    assert "pin left_hand" in again.scene.handles
    assert "pin right_hand" not in again.scene.handles
    again.close()
    last = Session(keep=tmp_path)
    assert (last.history.undoes, last.history.redoes) == ("pin left_hand", "pin right_hand")
    last.close()


def test_who_looks_is_told_that_nothing_can_be_kept_and_works_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Session(keep=tmp_path)
    first.apply({"do": "pin", "site": "left_hand"})
    first.close()
    kept = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.suffix}
    monkeypatch.setattr(os, "fsync", full_disk)
    session = Session(keep=tmp_path)
    keeper: Any = session._keeper
    page = Page(session)
    assert session.history.undoes == "pin left_hand", "what was kept can be read all the same"
    assert keeper.wait()
    page.do("pin", site="right_hand")
    assert keeper.wait()
    assert "No space left" in page.latest["error"]["message"]
    assert "No space left" in Page(session, "later").latest["error"]["message"]
    page.latest.pop("error")
    monkeypatch.undo()
    page.do("undo")
    assert keeper.wait()
    assert not keeper.trouble
    assert "error" not in page.latest
    session.close()
    assert {name: (tmp_path / name).exists() for name in kept} == dict.fromkeys(kept, True)
    again = Session(keep=tmp_path)
    assert "pin right_hand" not in again.scene.handles
    again.close()


def test_a_folder_that_cannot_be_made_keeps_nobody_from_working(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    session = Session(keep=tmp_path / "file" / "studio")
    page = Page(session)
    keeper: Any = session._keeper
    page.do("pin", site="left_hand")
    assert keeper.wait()
    assert "is not kept" in page.latest["error"]["message"]
    session.close()


def test_a_folder_belongs_to_one_studio_at_a_time(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    with pytest.raises(PoiseError, match=r"another studio \(process \d+\).*--keep"):
        Session(keep=tmp_path)
    first.close()
    Session(keep=tmp_path).close()


def test_in_mid_drag_the_document_before_it_is_kept(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    page = Page(first)
    page.do("pin", site="left_hand")
    q = first.scene.q
    page.do("grab", segment="head", point=[0, 0, 0.1])
    page.drag([[0.2, 0.0, 1.5], [0.3, 0.0, 1.4]])
    page.do("settings", torques=True)  # kept in mid-drag, too
    first.close()
    again = Session(keep=tmp_path)
    assert np.array_equal(again.scene.q, q)
    assert again.settings().torques
    again.close()


@pytest.mark.parametrize("text", ["", "{", "{}", '{"poise": 1, "scene": "x", "q": []}', "\x00"])
def test_a_spoilt_file_is_put_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / "studio.json").write_text(text)
    session = Session(keep=tmp_path)
    assert session.lamp.color == "green"
    session.close()
    assert (tmp_path / "studio.broken.json").read_text() == text
    assert json.loads((tmp_path / "studio.json").read_text())["poise"] == 1


def test_another_scene_puts_what_was_kept_aside(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    first.apply({"do": "pin", "site": "left_hand"})
    first.close()
    before = (tmp_path / "studio.json").read_text()
    second = Session(first.scene, keep=tmp_path)
    second.close()
    assert (tmp_path / "studio.before.json").read_text() == before


# a real server, killed ----------------------------------------------------------------------------


PROGRAM = "import sys; from poise.studio import serve; serve(port=int(sys.argv[1]), show=False)"


def connect(server: Server, origin: str | None = None) -> Any:
    url = f"ws://127.0.0.1:{server.port}/poise/stream?tab=test"
    return websockets.connect(url, origin=origin or server.address, max_size=None)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed, which keeps its work in the test's folder."""
    made = Server(["-c", PROGRAM], tmp_path)
    yield made
    made.kill()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that leave it as it is."""
    made = Server(["-c", PROGRAM], tmp_path_factory.mktemp("shared"))
    yield made
    made.kill()


def on_disk(keep: Path) -> Kept:
    return Kept.model_validate_json((keep / "studio.json").read_text())


async def kept_after(keep: Path, deeds: int) -> Kept:
    """What is kept as soon as so many deeds are."""
    while (now := on_disk(keep)).step < deeds:
        await asyncio.sleep(0.05)
    return now


def test_a_server_killed_in_mid_drag_loses_only_that_drag(server: Server, tmp_path: Path) -> None:
    async def drag(socket: Any, lift: float) -> None:
        grab = {"do": "grab", "segment": "right_hand", "point": [0, 0, 0]}
        await socket.send(json.dumps(grab))
        for i in range(1, 20):
            goal = [0.1, -0.25, 0.75 + lift * i / 20]
            await socket.send(json.dumps({"do": "move", "point": goal, "sequence": i}))
            await asyncio.sleep(0.01)

    async def use() -> tuple[Kept, Kept]:
        async with connect(server) as socket:
            await socket.send(json.dumps({"do": "pin", "site": "left_hand"}))
            pinned = await kept_after(tmp_path, 1)
            await drag(socket, 0.2)
            await socket.send(json.dumps({"do": "release"}))
            dragged = await kept_after(tmp_path, 2)
            await drag(socket, 0.3)
            server.kill()  # in mid-drag
        return pinned, dragged

    pinned, dragged = run(use())
    assert dragged.q != pinned.q
    assert on_disk(tmp_path) == dragged, "the first drag is kept, the second is not"
    found = Session(keep=tmp_path)
    assert "pin left_hand" in found.scene.handles
    assert found.history.undoes == "drag right_hand"
    assert [value.hex() for value in found.scene.q.tolist()] == dragged.q
    found.close()
    again = Server(["-c", PROGRAM], tmp_path)
    again.kill()
    assert on_disk(tmp_path).q == dragged.q


PAGES = "/_nicegui_ws/socket.io/?EIO=4&transport="


def test_a_page_from_elsewhere_is_refused_by_both_sockets(shared: Server) -> None:
    async def knock(path: str, origin: str | None, host: str | None = None) -> None:
        url = f"ws://{host or '127.0.0.1'}:{shared.port}{path}"
        async with websockets.connect(url, origin=origin, host="127.0.0.1") as socket:
            await asyncio.wait_for(socket.recv(), 300)

    for path in ("/poise/stream?tab=test", f"{PAGES}websocket"):
        run(knock(path, shared.address))
        for origin in ("http://evil.example", "null", None):
            with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
                run(knock(path, origin))
        strange = f"http://evil.example:{shared.port}"  # a name that leads to this machine
        with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
            run(knock(path, strange, "evil.example"))
    for address in (f"{shared.address}{PAGES}polling", shared.address):
        request = Request(address, headers={"Origin": "http://evil.example"})
        with pytest.raises(HTTPError, match="403"):
            urlopen(request, timeout=300)


def test_nonsense_at_the_pages_socket_leaves_no_traceback(shared: Server) -> None:
    names = ("event", "handshake", "javascript_response", "ack", "log", "nothing")
    said = ("", ",5", ",null", ",{}", ',{"client_id":[]}', ',"x","y"')
    known = '"client_id":"x","id":{},"listener_id":1,"args":5,"tab_id":1,"document_id":[]'

    async def talk() -> None:
        url = f"ws://127.0.0.1:{shared.port}{PAGES}websocket"
        async with websockets.connect(url, origin=shared.address) as socket:
            await socket.recv()
            await socket.send("40")
            await asyncio.wait_for(socket.recv(), 60)
            for name in names:
                for each in (*said, f",{{{known}}}"):
                    await socket.send(f'42["{name}"{each}]')
            await socket.send('421["log",{}]')  # with a wish for an answer
            while not str(await asyncio.wait_for(socket.recv(), 60)).startswith("431"):
                pass

    run(talk())
    urlopen(shared.address, timeout=60).close()
    log = shared.log.read_text()
    assert "Traceback" not in log
    assert "makes no sense" in log


def test_the_stream_answers_nonsense_with_an_error_and_goes_on(shared: Server) -> None:
    async def talk() -> list[str]:
        async with connect(shared) as socket:
            for message in (
                "nonsense",
                "[1]",
                '{"do": "fly"}',
                '{"do": "undo"}',
                "9" * 2_000_000,
                '{"do": "open", "text": ""}',
                '{"do": "choose_figure", "recipe": "chain", "parameters": {"n": 1000000000}}',
                f'{{"do": "add_task", "type": {"[" * 900}{"]" * 900}}}',
            ):
                await socket.send(message)
            errors: list[str] = []
            while len(errors) < 8:
                message = await asyncio.wait_for(socket.recv(), 300)
                if isinstance(message, str) and message.startswith(('{"type": "e', '{"type": "n')):
                    errors.append(json.loads(message)["message"])
            await socket.send('{"do": "pin", "site": "left_hand"}')
            while True:
                message = await asyncio.wait_for(socket.recv(), 300)
                if isinstance(message, str) and '"pin left_hand"' in message:
                    return errors

    errors = run(talk())
    assert "must be JSON" in errors[0]
    assert "mapping" in errors[1]
    assert "no command 'fly'" in errors[2]
    assert "nothing to undo" in errors[3]
    assert "characters" in errors[4]
    assert "by an upload" in errors[5]
    assert "1000" in errors[6]
    assert "add_task" in errors[7]
