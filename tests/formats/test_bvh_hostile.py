"""Spoilt motion capture files give a figure or a `PoiseError`, and nothing else."""

from pathlib import Path

import pytest
from tests.formats import fuzzing_asf, fuzzing_bvh
from tests.formats.skeletons import PERSON

from poise import PoiseError
from poise.formats import lines, read
from poise.formats.lines import numbered


def test_spoilt_bvh_files_are_read_or_refused() -> None:
    readable, refused = fuzzing_bvh.fuzz(400, 1)
    assert readable > 20
    assert refused > 100


def test_spoilt_asf_and_amc_files_are_read_or_refused() -> None:
    readable, refused = fuzzing_asf.fuzz(400, 1)
    assert readable > 20
    assert refused > 100


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\na", "a\n\nb\n"])
def test_lines_are_those_of_split(text: str) -> None:
    assert list(numbered(text, "a.bvh")) == list(enumerate(text.split("\n"), 1))


def test_a_file_of_line_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_LINES", 1000)
    for suffix in (".bvh", ".asf"):
        (tmp_path / f"a{suffix}").write_text("\n" * 1000 + "#", encoding="utf-8")
        with pytest.raises(PoiseError, match="there are more than 1,000 lines"):
            read(tmp_path / f"a{suffix}")


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    (tmp_path / "a.bvh").write_text(PERSON + "0 " * 600, encoding="utf-8")
    with pytest.raises(PoiseError, match=r"a\.bvh, line 78: more than 1,000 characters"):
        read(tmp_path / "a.bvh")
