"""Plain data as YAML text that a person likes to read, and files that are never half written."""

from __future__ import annotations

import math
import os
import re
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from poise.documents.reading import plain
from poise.errors import PoiseError, WriteError

WIDTH = 96  # of a line
HALF_WRITTEN = r"\.[0-9a-f]{16}\.tmp"
"""How files are called that are being written, and stay where that was ended by force."""
_OPEN_FILES = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""Where a path may name a file that is open already, as /dev/stdout does: it is appended to."""
_SECTION = re.compile(r"  [\w-]+:")  # the key of a block on the second level
_WORD = re.compile(r"-?\w[\w.-]*")  # text that mostly needs no quotes


def shortest(value: float, scale: float) -> float:
    """The number d with the shortest text for which `d * scale` is the value, to the last bit.

    So degrees are written: the scale is π/180. Rounding leaves some values that no d gives
    exactly; then d is one that comes nearest, within one unit in the last place.
    """
    if scale == 1.0 or value == 0.0 or math.isinf(value):
        return value
    near = value / scale
    if not math.isfinite(near):
        raise PoiseError(f"{value!r} cannot be written in other units")
    for digits in range(1, 16):
        rounded = float(f"{near:.{digits}g}")
        if rounded * scale == value:
            return rounded
    around = [near]
    for side in (math.inf, -math.inf):
        step = near
        for _ in range(2):
            step = math.nextafter(step, side)
            around.append(step)
    exact = [each for each in around if each * scale == value]
    if exact:
        return min(exact, key=lambda each: (len(repr(each)), abs(each - near)))
    best = min(around, key=lambda each: abs(each * scale - value))
    # What is read back is another value, and must be written again with the same text.
    return shortest(best * scale, scale)


def yaml_text(data: Any, *, comment: str = "", blocks: int = 3) -> str:
    """YAML for mappings with text keys, sequences, numbers, texts, booleans and None.

    What is short stands on one line, but for mappings of the first levels, `blocks` of them, and
    for lists of mappings. Before the blocks of the second level there are blank lines.
    """
    text: str = yaml.serialize(
        _node(data, blocks, 0, 0),
        Dumper=_Dumper,
        indent=2,
        width=WIDTH,
        allow_unicode=True,
    )
    lines: list[str] = [f"# {line}" for line in comment.splitlines()]
    for line in text.rstrip("\n").split("\n"):
        if _SECTION.fullmatch(line):
            lines.append("")
        lines.append(line)
    return "\n".join(lines) + "\n"


def write(path: str | Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file, all of it or nothing: what was there stays until the new one is whole.

    Text is written as UTF-8. Permissions of an existing file are kept, a link stays a link. A
    private file is one that only the user may read and write, whatever was there. A pipe (FIFO) or
    a device such as /dev/stdout is not replaced: what is written goes into it.

    Raises:
        WriteError: where it cannot be written.
    """
    try:
        data = content.encode("utf-8") if isinstance(content, str) else content
        if _is_stream(path):
            with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
                stream.write(data)
        else:
            _replace(Path(os.path.realpath(path)), data, private)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WriteError(f"cannot write {str(path)!r}: {reason}") from None


def check_folder(path: Path) -> None:
    """Look before long work whether there is a folder for what is to be written after it.

    Raises:
        WriteError: where there is none.
    """
    if not path.absolute().parent.is_dir():
        raise WriteError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")


def _is_stream(path: str | Path) -> bool:
    """Whether a path leads to something that takes bytes and keeps none, or is open already.

    What is neither that nor a file is refused: a folder, a disk, a socket.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise WriteError(f"cannot write {str(path)!r}: it is a folder")
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise WriteError(f"cannot write {str(path)!r}: it is neither a file nor a pipe")
    return not stat.S_ISREG(mode) or os.path.abspath(path).startswith(_OPEN_FILES)


def _replace(target: Path, content: bytes, private: bool) -> None:
    temporary = target.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        rights = 0o600 if private else 0o666
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, rights)) as file:
            if target.exists() and not private:
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


class _Dumper(yaml.SafeDumper):
    """Indents lists under their keys."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _node(data: Any, blocks: int, indent: int, taken: int) -> Any:
    """YAML's node for a value; `taken` is the room that is used before it on its line."""
    if isinstance(data, Mapping):
        flow = blocks <= 0 and _fits(data, taken)
        pairs: list[Any] = []
        for key, value in data.items():
            before = indent + len(_line(key)) + 2
            pairs.append((_scalar(key), _node(value, blocks - 1, indent + 2, before)))
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=flow)
    if isinstance(data, Sequence) and not isinstance(data, str):
        flow = _fits(data, taken)
        items: list[Any] = []
        for item in data:
            items.append(_node(item, 1 if _is_choice(item) else 0, indent + 2, indent + 2))
        return yaml.SequenceNode("tag:yaml.org,2002:seq", items, flow_style=flow)
    return _scalar(data)


def _is_choice(item: Any) -> bool:
    """Whether it is like `capsule: {…}`, which needs no braces round it in a list."""
    return isinstance(item, Mapping) and [type(value) for value in item.values()] == [dict]


def _fits(data: Any, taken: int) -> bool:
    return taken + len(_line(data)) <= WIDTH and not _lists_mappings(data)


def _lists_mappings(data: Any) -> bool:
    """Whether there is a list of mappings in it; these are easier to read one below the other."""
    if isinstance(data, Mapping):
        return any(map(_lists_mappings, data.values()))
    if isinstance(data, Sequence) and not isinstance(data, str):
        return any(isinstance(item, Mapping) or _lists_mappings(item) for item in data)
    return False


def _line(data: Any) -> str:
    """A value on one line, as long as it will be."""
    if isinstance(data, Mapping):
        return "{" + ", ".join(f"{key}: {_line(value)}" for key, value in data.items()) + "}"
    if isinstance(data, Sequence) and not isinstance(data, str):
        return "[" + ", ".join(_line(value) for value in data) + "]"
    return _text(data) if not isinstance(data, str) or _WORD.fullmatch(data) else repr(data)


def _scalar(value: Any) -> Any:
    if isinstance(value, str):
        # PyYAML quotes what YAML 1.1 takes for something else; 1.2 has numbers of its own. Line
        # ends of all sorts survive as escapes only.
        style = None if _is_plain_text(value) else '"'
        return yaml.ScalarNode("tag:yaml.org,2002:str", value, style=style)
    kind = {bool: "bool", int: "int", type(None): "null"}.get(type(value), "float")
    text = _text(value)
    if kind == "float" and text.lstrip("-").isdigit():
        kind = "int"
    return yaml.ScalarNode(f"tag:yaml.org,2002:{kind}", text)


def _is_plain_text(text: str) -> bool:
    """Whether it may stand without quotes, as far as PyYAML does not know better."""
    try:
        return text.isprintable() and isinstance(plain(text), str)
    except ValueError:
        return False


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float):
        return _number(value)
    return str(value)


def _number(value: float) -> str:
    """The shortest text of a float, in a form that readers of YAML 1.1 take for a number too."""
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    mantissa, exponent, power = repr(value).partition("e")
    return mantissa + ("" if "." in mantissa or not exponent else ".0") + exponent + power
