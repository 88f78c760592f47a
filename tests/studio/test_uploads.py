"""Files that people bring are read in a process of their own, within bounds."""

import asyncio
import io
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.formats import gltf_files
from tests.studio.loops import run
from tests.studio.pages import Page

import poise
from poise.errors import PoiseError
from poise.formats.reading import Reading
from poise.studio import uploads
from poise.studio.commands import files
from poise.studio.keeping import Keeper
from poise.studio.opening import scene_of, text_of
from poise.studio.session import Session
from poise.studio.uploads import read_upload, suffix_of

ARM = """\
figure:
  name: arm
  segments:
    base: {}
    upper: {mass: 1, shapes: [{capsule: {start: [0, 0, 0], end: [0.3, 0, 0], radius: 0.04}}]}
  joints:
    shoulder: {kind: hinge, axis: y, limits: [-90, 90], parent: base, child: upper}
  sites:
    tip: {segment: upper, position: [0.3, 0, 0]}
"""

SCENE = "scene:\n  figure: {ready: chain, arguments: {n: 4}}\n  tasks:\n    - position: tip\n"


def test_a_figure_is_read() -> None:
    reading = read_upload("my arm.yaml", ARM.encode())
    assert isinstance(reading, Reading)
    assert list(reading.figure.joints) == ["root", "shoulder"]


def test_a_scene_is_told_from_a_figure() -> None:
    assert read_upload("scene.yml", SCENE.encode()) == SCENE


@pytest.mark.parametrize("name", ["evil.exe", "noending", "../../etc/passwd", "x.yaml.sh"])
def test_only_files_that_can_be_read_are_taken(name: str) -> None:
    with pytest.raises(PoiseError, match="cannot be read"):
        suffix_of(name)


def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 10)
    with pytest.raises(PoiseError, match="takes files of up to"):
        read_upload("big.yaml", b"x" * 11)


def test_an_error_names_the_file_as_the_person_knows_it() -> None:
    with pytest.raises(PoiseError, match=r"walk\.bvh"):
        read_upload("walk.bvh", b"HIERARCHY nonsense")


def test_a_scene_that_names_a_file_is_refused() -> None:
    with pytest.raises(PoiseError, match="reads no files"):
        read_upload("scene.yaml", b"scene: {figure: {file: /etc/passwd}}")


def test_reading_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(PoiseError, match="takes longer than"):
        read_upload("arm.yaml", ARM.encode(), seconds=0.01)


def test_a_reader_that_needs_the_processor_too_long_is_ended() -> None:
    program = (
        "import sys; from poise.studio.upload_worker import _limit; _limit(4 << 30, 1, 1000)\n"
        "while True: pass"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -uploads._OUT_OF_TIME


class Acts:
    """What a reader must not be able to make the studio do."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("this must not be printed",)


def test_a_reader_that_is_given_up_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Started(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__([sys.executable, "-c", "import time; time.sleep(600)"])
            started.append(self)
            given_up.set()

    given_up = threading.Event()
    monkeypatch.setattr(subprocess, "Popen", Started)
    with pytest.raises(PoiseError, match="given up"):
        read_upload("arm.yaml", ARM.encode(), given_up=given_up)
    assert started[0].returncode is not None


def test_an_upload_that_is_cancelled_changes_nothing_and_the_next_one_is_read(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    def stuck(name: str, content: bytes, *, given_up: threading.Event) -> Any:
        begun.set()
        assert given_up.wait(60.0)
        raise PoiseError("given up")

    async def deed() -> None:
        before = session.scene_text()
        with monkeypatch.context() as patch:
            patch.setattr("poise.studio.session.read_upload", stuck)
            task = asyncio.ensure_future(session.upload("arm.yaml", ARM.encode()))
            await asyncio.to_thread(begun.wait, 60.0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert session.scene_text() == before
        await session.upload("arm.yaml", ARM.encode())
        assert "arm" in session.scene.figures

    run(deed())


def test_an_answer_that_would_act_is_refused() -> None:
    with pytest.raises(PoiseError, match=r"builtins\.print"):
        uploads._Answer(io.BytesIO(pickle.dumps(Acts()))).load()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("poise.studio.uploads", "subprocess.Popen"),
        ("poise.studio.keeping", "Keeper"),
        ("poise.formats.reading", "Path"),
        ("poise.tasks.loop", "dataclass"),
        ("poise.figure.figure", "np.ndarray"),
        ("os", "system"),
    ],
)
def test_an_answer_gets_at_nothing_that_acts_by_way_of_poise(module: str, name: str) -> None:
    called = b"".join(b"\x8c%c%b" % (len(each), each.encode()) for each in (module, name))
    with pytest.raises((PoiseError, AttributeError)):
        uploads._Answer(io.BytesIO(b"\x80\x04" + called + b"\x93.")).load()


def test_more_than_the_studio_takes_is_said_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "ANSWER", 500)
    with pytest.raises(PoiseError, match=r"there is more in 'arm\.yaml'"):
        read_upload("arm.yaml", ARM.encode())


def test_a_reader_that_answers_nonsense_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nonsense(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, stdout: Any, **settings: Any) -> None:
            super().__init__([sys.executable, "-c", "print('nonsense')"], stdout=stdout)

    monkeypatch.setattr(subprocess, "Popen", Nonsense)
    with pytest.raises(PoiseError, match="makes no sense"):
        read_upload("arm.yaml", ARM.encode())


def test_a_skin_that_cannot_be_kept_is_worn_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(keep=tmp_path)
    (tmp_path / "uploads").write_text("no folder")
    page = Page(session)
    run(session.upload("arm.glb", gltf_files.arm().glb(), "tab"))
    assert page.latest["stage"]["skins"]
    assert "the skin is not kept" in page.latest["error"]["message"]
    session.close()


def test_a_reader_without_memory_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MEMORY", 20_000_000)
    with pytest.raises(PoiseError):
        read_upload("arm.yaml", ARM.encode())


def test_an_upload_takes_the_figures_place_in_one_step(session: Session) -> None:
    page = Page(session)
    run(session.upload("arm.yaml", ARM.encode(), "tab"))
    assert session.wait()
    assert list(session.scene.figures) == ["arm"]
    assert not any(handle.enabled for handle in session.scene.handles.values())
    assert "pin left_foot" in page.latest["notice"]["message"]
    assert [node["name"] for node in page.latest["stage"]["nodes"]] == ["base", "upper"]
    page.do("undo")
    assert list(session.scene.figures) == ["human"]
    assert "pin left_foot" in session.scene.handles
    run(session.upload("scene.yaml", SCENE.encode(), "tab"))
    assert list(session.scene.handles) == ["tip"]


def test_nobody_waits_while_a_scene_that_was_brought_is_read(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[bool] = []
    read = files.scene_of

    def watched(text: str) -> Any:
        def look() -> None:
            free.append(session.lock.acquire(blocking=False))
            if free[-1]:
                session.lock.release()

        watcher = threading.Thread(target=look)
        watcher.start()
        watcher.join()
        return read(text)

    monkeypatch.setattr(files, "scene_of", watched)
    run(session.upload("scene.yaml", SCENE.encode(), "tab"))
    assert free == [True]
    assert list(session.scene.handles) == ["tip"]


def test_a_bad_upload_changes_nothing(session: Session) -> None:
    with pytest.raises(PoiseError):
        run(session.upload("arm.urdf", b"<robot", "tab"))
    assert not session.history.can_undo


def test_a_skin_that_was_brought_is_worn_kept_and_worn_again(tmp_path: Path) -> None:
    first = Session(keep=tmp_path)
    page = Page(first)
    run(first.upload("arm.glb", gltf_files.arm().glb(), "tab"))
    assert first.wait()
    (name,) = first.scene.figures
    assert page.latest["stage"]["skins"], "the page draws it"
    assert first.document.skins[name].surfaces
    assert (tmp_path / "uploads" / first.document.skin_files[name]).exists()
    page.do("undo")
    assert not page.latest["stage"]["skins"]
    first.close()
    again = Session(keep=tmp_path)
    page = Page(again)
    page.do("redo")
    assert page.latest["stage"]["skins"], "its file is there as long as the history knows it"
    again.close()
    last = Session(keep=tmp_path)
    assert Page(last).latest["stage"]["skins"], "and a restart finds it"
    last.close()
    for file in (tmp_path / "uploads").iterdir():
        file.unlink()
    bare = Session(keep=tmp_path)
    assert not Page(bare).latest["stage"]["skins"]
    assert list(bare.scene.figures) == [name], "without its skin it is the same figure"
    bare.close()


@pytest.mark.parametrize("spoil", ["weights", "joints", "indices"])
def test_a_skin_that_is_spoilt_is_an_error_and_changes_nothing(
    session: Session, spoil: str
) -> None:
    draft = gltf_files.arm()
    (primitive,) = draft.data["meshes"][0]["primitives"]
    if spoil == "indices":
        primitive["indices"] = draft.numbers([[900_000]] * 3, gltf_files.LONG)
    else:
        key = "WEIGHTS_0" if spoil == "weights" else "JOINTS_0"
        primitive["attributes"][key] = 10_000
    with pytest.raises(PoiseError):
        run(session.upload("arm.glb", draft.glb(), "tab"))
    assert not session.history.can_undo
    assert not session.document.skins


def test_a_file_that_was_brought_is_found_again_by_its_content(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    name = keeper.store(b"body", ".glb")
    assert keeper.store(b"body", ".glb") == name
    assert keeper.stored(name) == b"body"
    assert keeper.stored("../../etc/passwd") is None
    assert keeper.stored("nothing.glb") is None


def test_files_that_nothing_names_any_more_are_removed(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    old, worn = keeper.store(b"old", ".glb"), keeper.store(b"worn", ".glb")
    (tmp_path / "studio.json").write_text(f'{{"skins": {{"human": "{worn}"}}}}')
    keeper.tidy()
    assert keeper.stored(old) is None
    assert keeper.stored(worn) == b"worn"


def test_a_scene_of_the_studio_names_no_mesh_and_reads_none(tmp_path: Path) -> None:
    points = "v 0 0 0\nv 0.4 0 0\nv 0 0.3 0\nv 0 0 0.2\n"
    (tmp_path / "wedge.obj").write_text(f"{points}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    scene = poise.Scene(poise.chain(2))
    scene.place(poise.mesh(tmp_path / "wedge.obj"), (1.0, 0.0, 0.0))
    again = scene_of(text_of(scene))
    assert again.props["wedge"].prop.segment.shapes == scene.props["wedge"].prop.segment.shapes
    scene.save(tmp_path / "scene.yaml")
    with pytest.raises(PoiseError, match=r"scene\.props\.wedge\.mesh: the studio reads no files"):
        scene_of((tmp_path / "scene.yaml").read_text())
