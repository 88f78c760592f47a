"""YAML as people write it, errors by line, numbers in their shortest form, and safe writing."""

import contextlib
import math
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pydantic import Field

import poise
from poise.documents import (
    Choice,
    Part,
    parse,
    read,
    shortest,
    validated,
    write,
    yaml_text,
)
from poise.documents.reading import LARGEST_FILE
from poise.errors import PoiseError, WriteError
from poise.pictures.panels import save

DEGREE = math.pi / 180


def message_of(text: str) -> str:
    with pytest.raises(PoiseError) as raised:
        parse(text, "a.yaml")
    return str(raised.value)


# reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 1e-3),
        ("1E5", 1e5),
        ("-.5", -0.5),
        ("+12", 12),
        ("007", 7),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
        ("true", True),
        ("~", None),
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("2024-05-01", "2024-05-01"),
        ("12:30", "12:30"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("nan", "nan"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("|\n  12", "12"),
    ],
)
def test_a_scalar_is_what_it_looks_like(text: str, value: object) -> None:
    found = parse(f"a: {text}", "a.yaml").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_lines_are_those_of_keys_and_items() -> None:
    document = parse("# first\na:\n  b: 1\n  c:\n    - 1\n    - {d: 2}\n", "a.yaml")
    assert document.line() == 2
    assert document.line(("a", "b")) == 3
    assert document.line(("a", "c", 1, "d")) == 6
    assert document.line(("a", "c", 1, "missing", 7)) == 6
    assert document.where(("a", "c", 1, "d.e")) == "a.yaml, line 6: a.c[1]['d.e']"


def test_anchors_in_modest_use_are_fine() -> None:
    document = parse("a: &limb {mass: 2}\nb: *limb\nc: [*limb, *limb]\n", "a.yaml")
    assert document.data == {"a": {"mass": 2}, "b": {"mass": 2}, "c": [{"mass": 2}] * 2}
    assert document.line(("b",)) == 2
    assert document.line(("b", "mass")) == 1


BOMB = "a0: &a0 [0, 0, 0, 0, 0, 0, 0, 0, 0]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.yaml is empty"),
        ("# only this\n", "a.yaml is empty"),
        ("~", "a.yaml is empty"),
        ("a: 1\n---\nb: 2\n", "a.yaml, line 2: a second document starts here; one file holds one"),
        ("a: 1\nb: 2\na: 3\n", "a.yaml, line 3: the key 'a' is there twice, first in line 1"),
        ("a:\n  1: x\n", "a.yaml, line 2: a key must be text, not 1; put it in quotes"),
        ("true: x\n", "a.yaml, line 1: a key must be text, not True; put it in quotes"),
        ("? [1]\n: 2\n", "a.yaml, line 1: a key must be text, not [1]; put it in quotes"),
        (
            "a: &x {b: 1}\nc: {<<: *x}",
            "a.yaml, line 2: merging with << is not read; write the keys out",
        ),
        ("a: .nan", "a.yaml, line 1: .nan is not a number; NaN is allowed nowhere"),
        ("a: 1e400", "a.yaml, line 1: 1e400 is too large for a number"),
        (f"a: {'9' * 5000}", f"a.yaml, line 1: {'9' * 59}… is too large for a number"),
        ("a: !!str 1", "a.yaml, line 1: the tag '!!str' is not allowed; tags are not read"),
        ("a: !x\n  b: 1", "a.yaml, line 1: the tag '!x' is not allowed; tags are not read"),
        ("a: *x", "a.yaml, line 1: the alias *x stands for nothing"),
        ("a: &x [1, *x]", "a.yaml, line 1: the alias *x stands within what it stands for"),
        ("[" * 10_000, "a.yaml, line 1: this is nested more than 50 deep"),
        ("{a: " * 10_000, "a.yaml, line 1: this is nested more than 50 deep"),
        (
            "".join(f"a{i}: &a{i} [[[[*a{i - 1}]]]]\n" for i in range(1, 30)).replace("*a0", "0"),
            "a.yaml, line 13: this is nested more than 50 deep",
        ),
        (
            BOMB,
            "a.yaml, line 6: this expands to more than 200,000 values; use fewer aliases (*name)",
        ),
    ],
)
def test_what_a_file_must_not_hold_is_refused(text: str, message: str) -> None:
    assert message_of(text) == message


def test_too_many_values_are_refused() -> None:
    assert message_of("[" + "0,\n" * 600_000 + "0]") == (
        "a.yaml, line 200000: these are more than 200,000 values"
    )


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("a: 1\nb: [1, 2", 2, "the file ends here, perhaps it was cut off"),
        ("a: 1\nb: {c: 2,\n", 2, "the file ends here, perhaps it was cut off"),
        ("a: 'x\n\n", 1, "perhaps it was cut off"),
        ("a: b\n  c: d\n", 2, "mapping values are not allowed"),
        ("a: 1\n\tb: 2\nc: 3\n", 2, "this is not YAML"),
        ("a: [1\nb: 2\nc: 3\n", 2, "this is not YAML"),
        ("a: 1\nb: \x00\n", 2, "this is not YAML"),
    ],
)
def test_what_is_not_yaml_is_told_by_line(text: str, line: int, part: str) -> None:
    message = message_of(text)
    assert message.startswith(f"a.yaml, line {line}: this is not YAML: ")
    assert part in message


@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@`,? \n\t0.~<"), max_size=40))
def test_any_text_is_read_or_refused_with_our_error(text: str) -> None:
    with contextlib.suppress(PoiseError):
        parse(text, "a.yaml")


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    def why(path: Path) -> str:
        with pytest.raises(PoiseError) as raised:
            read(path)
        return str(raised.value)

    binary, large = tmp_path / "b.yaml", tmp_path / "l.yaml"
    binary.write_bytes(b"a: 1\nb: \xff\xfe\n")
    with large.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert why(tmp_path / "none.yaml") == f"there is no file {str(tmp_path / 'none.yaml')!r}"
    assert why(tmp_path) == f"{str(tmp_path)!r} is a folder, not a file"
    assert why(binary) == f"{binary}, line 2: this is not text in UTF-8"
    assert why(large) == f"{large} is too large: more than 20 MB"
    assert why(Path("a\0b")).startswith("cannot read 'a\\x00b': ")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("\ufeffä: ö\n", encoding="utf-8")
    assert read(tmp_path / "a.yaml").data == {"ä": "ö"}


# checking ----------------------------------------------------------------------------------


class Leaf(Part):
    size: float = 0.0
    word: str = ""


class Pick(Choice):
    leaf: Leaf | None = None
    number: float | None = None


class Tree(Part):
    leaves: list[Leaf] = Field(default=[])
    picks: list[Pick] = Field(default=[])
    leaf: Leaf = Leaf()


def fault(text: str) -> str:
    with pytest.raises(PoiseError) as raised:
        validated(parse(text, "a.yaml"), Tree)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leaf: {size: '1'}", 'a.yaml, line 1: leaf.size: found "1"; must be a number'),
        ("leaf: {size: true}", "a.yaml, line 1: leaf.size: found true; must be a number"),
        ("leaf: {size: .inf}", "a.yaml, line 1: leaf.size: found .inf; must be a finite number"),
        ("leaf: {size: }", "a.yaml, line 1: leaf.size: found nothing; must be a number"),
        ("leaf: {word: 1}", "a.yaml, line 1: leaf.word: found 1; must be text (put it in quotes)"),
        ("leaf: 3", "a.yaml, line 1: leaf: found 3; must be a mapping (key: value)"),
        ("leaves: {a: [x]}", 'a.yaml, line 1: leaves: found {a: ["x"]}; must be a list'),
        ("- 1", "a.yaml, line 1: found [1]; must be a mapping (key: value)"),
        (
            "leaves:\n- size: 1\n- sise: 1",
            "a.yaml, line 3: leaves[1].sise: there is no key 'sise'; did you mean 'size'? "
            "There are: size, word",
        ),
        (
            "picks: [{leaf: {}, number: 1}]",
            "a.yaml, line 1: picks[0]: found {leaf: {}, number: 1}; must be a mapping with one key "
            "of: leaf, number",
        ),
        (
            "picks: [{}]",
            "a.yaml, line 1: picks[0]: found {}; must be a mapping with one key of: leaf, number",
        ),
        (
            f"leaf: {{size: {'x' * 100}}}",
            f'a.yaml, line 1: leaf.size: found "{"x" * 58}…; must be a number',
        ),
    ],
)
def test_a_value_that_does_not_fit_is_told(text: str, message: str) -> None:
    assert fault(text) == message


def test_many_mistakes_are_not_all_told() -> None:
    lines = fault("leaves:\n" + "- size: x\n" * 20).splitlines()
    assert lines[0] == 'a.yaml, line 2: leaves[0].size: found "x"; must be a number'
    assert lines[-1] == "and 12 more"
    assert len(lines) == 9


def test_nothing_stands_for_an_empty_mapping() -> None:
    tree = validated(parse("leaf:\nleaves: [~]\npicks: [{leaf: {size: 2}}]", "a.yaml"), Tree)
    assert (tree.leaf, tree.leaves) == (Leaf(), [Leaf()])
    assert tree.picks[0].chosen == ("leaf", Leaf(size=2))


# numbers -----------------------------------------------------------------------------------


@given(st.integers(-36000, 36000), st.integers(0, 6))
def test_a_short_number_of_degrees_keeps_its_text(whole: int, digits: int) -> None:
    angle = whole / 10**digits
    assert shortest(angle * DEGREE, DEGREE) == angle


@given(st.floats(-1e6, 1e6), st.sampled_from([DEGREE, 1 / DEGREE, DEGREE**-2, DEGREE**3]))
@example(math.pi, DEGREE)
@example(5e-324, 1 / DEGREE)
def test_a_number_in_other_units_reads_back_to_one_unit_in_the_last_place(
    value: float, scale: float
) -> None:
    back = shortest(value, scale) * scale
    assert abs(back - value) <= max(math.ulp(value), scale * 5e-324)
    assert shortest(back, scale) == shortest(value, scale)


@given(st.floats(1e-300, 1e6))
def test_a_number_reads_back_exactly_when_any_number_does(value: float) -> None:
    near = value / DEGREE
    around = [near]
    for side in (math.inf, -math.inf):
        around += [math.nextafter(near, side), math.nextafter(math.nextafter(near, side), side)]
    assume(any(each * DEGREE == value for each in around))
    assert shortest(value, DEGREE) * DEGREE == value


@pytest.mark.parametrize("value", [1e308, math.nan])
def test_a_number_that_other_units_cannot_hold_is_refused(value: float) -> None:
    with pytest.raises(PoiseError, match="cannot be written"):
        shortest(value, DEGREE)


# writing -----------------------------------------------------------------------------------

texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["on", "1e5", "-.inf", ".nan", "~", "", " a", "a ", "- a", "a: b", "#", "'", "\n"]
    ),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(texts.filter(lambda t: t != "<<"), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(st.dictionaries(texts.filter(lambda t: t != "<<"), values, min_size=1))
def test_what_is_written_reads_back(data: dict[str, Any]) -> None:
    assert parse(yaml_text(data), "a.yaml").data == data


@given(st.floats(allow_nan=False))
def test_numbers_are_numbers_for_readers_of_older_yaml_too(value: float) -> None:
    assert yaml.safe_load(yaml_text({"a": value})) == {"a": value}


def test_short_things_stand_on_one_line() -> None:
    data = {
        "top": {
            "name": "x",
            "parts": {
                "a": {"at": (0.0, 1.5, -2.0), "of": [{"ball": {"r": 1.0}}]},
                "b": {},
                "c": {"long": [[1.0 / 3] * 3] * 3},
            },
        }
    }
    assert yaml_text(data, comment="one\ntwo") == (
        "# one\n# two\n"
        "top:\n  name: x\n\n  parts:\n"
        "    a:\n      at: [0, 1.5, -2]\n      of:\n        - ball: {r: 1}\n"
        "    b: {}\n"
        "    c:\n      long:\n"
        + "        - [0.3333333333333333, 0.3333333333333333, 0.3333333333333333]\n"
        * 3
    )


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "a.yaml"
    write(path, "old\n")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(PoiseError, match=r"cannot write .*a.yaml': No space left on device"):
        write(path, "new\n")
    assert path.read_text(encoding="utf-8") == "old\n"
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual(tmp_path: Path) -> None:
    path, usual = tmp_path / "a.yaml", tmp_path / "usual"
    usual.touch()
    write(path, "1\n")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    write(path, "2\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text(encoding="utf-8") == "2\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_text("1\n", encoding="utf-8")
    link.symlink_to(real)
    write(link, "2\n")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "2\n"


@pytest.mark.parametrize("name", ["none/a.yaml", "folder", "a\0b"])
def test_a_file_that_cannot_be_written_says_why(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PoiseError, match="cannot write"):
        write(tmp_path / name, "1\n")
    assert os.listdir(tmp_path) == ["folder"]


def test_text_that_is_no_text_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="cannot write"):
        write(tmp_path / "a.yaml", "\ud800")
    assert os.listdir(tmp_path) == []


def _through(path: Path, write_to: Callable[[Path], object]) -> bytes:
    """What comes out of a new pipe that something is written to."""
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    write_to(path)
    reader.join(timeout=60)
    assert stat.S_ISFIFO(path.stat().st_mode)
    return read[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_every_writer_writes_into_a_pipe_and_leaves_it_there(tmp_path: Path) -> None:
    chain = poise.chain(2)
    clip = poise.Clip(chain, np.zeros((2, chain.n)), 30.0)
    assert _through(tmp_path / "text", lambda path: write(path, "→\n")) == "→\n".encode()
    scene = _through(tmp_path / "scene.yaml", poise.Scene(chain).save)
    assert b"\nscene:\n" in scene
    assert b"\nfigure:\n" in _through(tmp_path / "chain.yaml", chain.save)
    assert _through(tmp_path / "chain.glb", lambda path: poise.export(chain, path))[:4] == b"glTF"
    assert _through(tmp_path / "clip.bvh", clip.save).startswith(b"HIERARCHY")
    pixels = np.zeros((16, 16, 3), np.uint8)
    assert _through(tmp_path / "a.png", lambda path: save(pixels, path))[1:4] == b"PNG"
    assert len(os.listdir(tmp_path)) == 6  # and nothing half written


def test_a_device_is_written_to_and_a_disk_or_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(os.devnull, "1\n")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    with pytest.raises(WriteError, match="it is a folder"):
        write(tmp_path, "1\n")
    monkeypatch.setattr(stat, "S_ISBLK", lambda _: True)
    (tmp_path / "disk").touch()
    with pytest.raises(WriteError, match="neither a file nor a pipe"):
        write(tmp_path / "disk", "1\n")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout here")
def test_what_goes_to_standard_output_comes_after_what_is_there(tmp_path: Path) -> None:
    script = "from poise.documents import write; print('1', flush=True)\nwrite('/dev/stdout', '2')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"1\n2"
