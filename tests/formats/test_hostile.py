"""Bounds, XML without tricks, and paths that stay in their folder."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise import PoiseError
from poise.formats import hostile
from poise.formats.hostile import Names, contained, decode, number, parse_xml, read_bytes, xml_text


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\x00\xff" * 100)
    assert read_bytes(path) == b"\x00\xff" * 100


def test_a_file_beyond_the_bound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"x" * 1001)
    with pytest.raises(PoiseError, match=r"too large: more than 0\.001 MB"):
        read_bytes(path, largest=1000)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match=r"there is no file '.*none.urdf'"):
        read_bytes(tmp_path / "none.urdf")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="is a folder, not a file"):
        read_bytes(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PoiseError, match="not a regular file"):
        read_bytes(tmp_path / "pipe")


def test_a_name_that_no_system_has_is_refused() -> None:
    with pytest.raises(PoiseError, match="null"):
        read_bytes("a\0b")


def test_text_that_is_not_utf8_is_refused_with_its_line() -> None:
    with pytest.raises(PoiseError, match=r"a.txt, line 2: this is not text in UTF-8"):
        decode(b"good\n\xff\n", "a.txt")
    assert decode(b"F\xfc\xdfe", "a.bvh", fallback="latin-1") == "Füße"
    assert decode(b"\xef\xbb\xbfa", "a.txt") == "a"


@pytest.mark.parametrize("name", ["../out.xml", "/etc/passwd", "a/../../out.xml", "..\\out.xml"])
def test_a_path_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PoiseError, match=r"a\.xml, line 3: .* lies outside the file's folder"):
        contained(tmp_path, name, "a.xml, line 3")


@pytest.mark.parametrize("name", ["x" * 256, "a/" * 3_000, "0 " * 40_000])
def test_a_path_that_no_system_has_is_refused_at_once(tmp_path: Path, name: str) -> None:
    with pytest.raises(PoiseError, match=r"a\.xml: '.{1,70}' is too long for a path"):
        contained(tmp_path, name, "a.xml")


def test_a_path_is_told_from_where_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert contained("here", "parts/./a.xml", "b.xml") == Path("here/parts/a.xml")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path)
    with pytest.raises(PoiseError, match="lies outside"):
        contained(inside, "link/secret.xml", "a.xml")


def test_a_path_within_the_folder_is_found(tmp_path: Path) -> None:
    assert contained(tmp_path, "a/../b.xml", "a.xml") == tmp_path.resolve() / "b.xml"


def test_folders_may_be_set_apart_by_either_slash(tmp_path: Path) -> None:
    folders = ["x" * 200] * 3
    found = tmp_path.resolve().joinpath(*folders)
    assert contained(tmp_path, "/".join(folders), "a.xml") == found
    assert contained(tmp_path, "\\".join(folders), "a.xml") == found
    with pytest.raises(PoiseError, match="too long for a path"):
        contained(tmp_path, "a\\" + "x" * 256, "a.xml")


@pytest.mark.parametrize("text", ["nan", "inf", "1_000", "0x10", "", "1e", "١", "1,5", "1e31", "-"])
def test_what_is_no_plain_number_is_refused(text: str) -> None:
    with pytest.raises(PoiseError, match="mass must be"):
        number(text, "mass")


@given(st.floats(-1e30, 1e30))
def test_a_float_reads_as_itself(value: float) -> None:
    assert number(repr(value), "x") == value


def test_xml_knows_its_lines() -> None:
    root = parse_xml(b'<a>\n<b name="c"/>\n\n<b\n x="1"/></a>', "f.xml")
    assert [(each.tag, each.line) for each in root.walk()] == [("a", 1), ("b", 2), ("b", 4)]
    assert root.children[0].where == "f.xml, line 2: <b name='c'>"


@pytest.mark.parametrize(
    "head",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]>',
        b'<!DOCTYPE a SYSTEM "http://example.org/a.dtd">',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_document_types_are_refused(head: bytes) -> None:
    with pytest.raises(PoiseError, match=r"f\.xml, line 1: document types and entities"):
        parse_xml(head + b"<a>&x;</a>", "f.xml")


def test_document_types_are_refused_in_any_encoding() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'
    with pytest.raises(PoiseError, match="document types and entities"):
        parse_xml(text.encode("utf-16"), "f.xml")


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"<a>", b"<a></b>", b"no xml", b"<a/><b/>", b"<a b='1' b='2'/>", b"<a>&x;</a>"),
        b'<?xml version="1.0" encoding="klingon"?><a/>',
        b'<?xml version="1.0" encoding="utf-7"?><a/>',
        "<a>ü</a>".encode("latin-1"),
    ],
)
def test_what_is_not_xml_is_refused_with_its_line(content: bytes) -> None:
    with pytest.raises(PoiseError, match=r"f.xml, line 1: this is not XML"):
        parse_xml(content, "f.xml")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(PoiseError, match="nested more than 1000 deep"):
        parse_xml(b"<a>" * 100_000, "f.xml")


def test_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "MOST_ELEMENTS", 10)
    with pytest.raises(PoiseError, match="more than 10 elements"):
        parse_xml(b"<a>" + b"<b/>" * 11 + b"</a>", "f.xml")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufffe\uffff")))
def test_attributes_read_back_as_they_were_written(value: str) -> None:
    if any(ord(each) < 32 and each not in "\t\n\r" for each in value):
        with pytest.raises(PoiseError, match="XML has no such characters"):
            xml_text("a", {"x": value})
        return
    text = xml_text("a", {"x": value})
    assert parse_xml(text.encode(), "f.xml").attributes == {"x": value}


def test_names_become_ours_and_stay_apart() -> None:
    names = Names("world")
    given_names = ["a/b.c", "a_b_c", "world", "", "a_b_c"]
    assert [names.fresh(name) for name in given_names] == [
        *("a_b_c", "a_b_c_2", "world_2", "unnamed", "a_b_c_3")
    ]
    (note,) = names.notes("links")
    assert note.startswith("links renamed: a/b.c is a_b_c, ")


def test_many_equal_names_are_told_apart_quickly() -> None:
    names = Names()
    assert len({names.fresh("same") for _ in range(50_000)}) == 50_000


@pytest.mark.parametrize("word", ["1" * 100_000 + "x", "1e" + "0" * 5_000, "1_0", "٣"])
def test_words_that_are_no_numbers_are_refused_at_once(word: str) -> None:
    with pytest.raises(PoiseError, match="must be a number"):
        number(word, "it")
