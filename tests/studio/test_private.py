"""What the studio keeps can be read by its user and by nobody else."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.studio.pages import Page

from poise.studio.private import make_private
from poise.studio.session import Session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights are other things there")


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    """A system on which new files are everybody's unless they are made otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def work(where: Path) -> None:
    """A session that leaves all kinds of files."""
    for joint in ("neck", "left_knee"):
        session = Session(keep=where)
        page = Page(session)
        page.do("lock", joint=joint, on=True)
        assert session._keeper is not None
        session._keeper.store(b"a skin", ".glb")
        page.do("undo")
        session.close()


def rights(where: Path) -> dict[str, int]:
    """By name in the folder, the folder itself as "."."""
    found = (where, *where.rglob("*"))
    return {str(each.relative_to(where)): stat.S_IMODE(each.stat().st_mode) for each in found}


def test_a_new_folder_and_all_in_it_is_the_users_only(tmp_path: Path) -> None:
    where = tmp_path / "state" / "studio"
    work(where)
    found = rights(where)
    assert {"studio.json", "history.jsonl", "studio.lock", "uploads"} < found.keys()
    for name, mode in found.items():
        assert mode == (0o700 if name in (".", "uploads") else 0o600), name


def test_a_folder_from_before_that_others_may_read_is_closed(tmp_path: Path) -> None:
    where = tmp_path / "studio"
    work(where)
    for each in (where, *where.rglob("*")):
        each.chmod(0o777 if each.is_dir() else 0o666)
    session = Session(keep=where)
    found = rights(where)
    session.close()
    for name, mode in found.items():
        assert mode == (0o700 if name in (".", "uploads") else 0o600), name


def test_what_is_not_the_studios_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    (tmp_path / "thesis.txt").write_text("mine")
    elsewhere = tmp_path.parent / "elsewhere.json"
    elsewhere.write_text("{}")
    (tmp_path / "studio.before.json").symlink_to(elsewhere)
    work(tmp_path)
    found = rights(tmp_path)
    assert found["."] == 0o777
    assert found["thesis.txt"] == 0o666
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o666
    assert found["studio.json"] == found["history.jsonl"] == 0o600
    assert found["uploads"] == 0o700


def test_a_folder_that_a_link_leads_to_stays_usable(tmp_path: Path) -> None:
    where, elsewhere = tmp_path / "studio", tmp_path / "elsewhere"
    where.mkdir()
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "skin.glb").write_bytes(b"a skin")
    (where / "uploads").symlink_to(elsewhere, target_is_directory=True)
    make_private(where, ["uploads"])
    assert rights(elsewhere) == {".": 0o755, "skin.glb": 0o666}
    assert rights(where)["."] == 0o700


def test_where_the_studios_folder_is_a_link_the_folder_itself_is_closed(tmp_path: Path) -> None:
    where, link = tmp_path / "studio", tmp_path / "link"
    where.mkdir()
    (where / "studio.json").write_text("{}")
    link.symlink_to(where, target_is_directory=True)
    make_private(link, ["studio.json"])
    assert rights(where) == {".": 0o700, "studio.json": 0o600}


def test_a_half_written_file_is_closed_and_does_not_keep_the_folder_open(tmp_path: Path) -> None:
    where = tmp_path / "studio"
    where.mkdir()
    half = ".0123456789abcdef.tmp"
    (where / half).write_text("{")
    make_private(where, ["studio.json"])
    assert rights(where) == {".": 0o700, half: 0o600}
