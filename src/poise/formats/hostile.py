"""Files that nobody vouches for: read with bounds, parsed without tricks, kept in their folder.

Every reader goes through here, so that whatever a file holds, reading it ends soon, takes little
memory, opens nothing else, and fails with one `PoiseError` that says where.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from poise.checking import CONTROL, LONGEST_NAME
from poise.errors import PoiseError

LARGEST_FILE = 200_000_000
"""Bytes of the largest file that is read."""
MOST_JOINTS = 100_000
"""Joints of the largest figure that is read."""
MOST_NUMBERS = 10_000_000
"""Numbers of the longest motion that is read."""
GREATEST = 1e30
"""The greatest number that is read: beyond any quantity, and no product of a few overflows."""
MOST_ELEMENTS = 1_000_000
"""Elements of the largest XML file that is read."""
DEEPEST = 1_000
"""The deepest nesting of XML elements that is read; a chain of bodies nests as deep as it is long.
"""

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_LONGEST_NUMBER = 400
_LONGEST_PATH, _LONGEST_NAME = 2_000, 255  # characters that every system has for them
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DTD = "document types and entities are not read: they can expand without measure; remove them"


# bytes and paths ---------------------------------------------------------------------------


def read_bytes(path: str | Path, *, largest: int = LARGEST_FILE) -> bytes:
    """All of a regular file of at most `largest` bytes, which are not all white space."""
    try:
        if Path(path).is_dir():
            raise PoiseError(f"{str(path)!r} is a folder, not a file")
        if Path(path).exists() and not Path(path).is_file():
            # A pipe or a device might never end.
            raise PoiseError(f"{str(path)!r} is not a regular file")
        with Path(path).open("rb") as file:
            content = file.read(largest + 1)
    except FileNotFoundError:
        raise PoiseError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PoiseError(f"cannot read {str(path)!r}: {reason}") from None
    if len(content) > largest:
        raise PoiseError(f"{path} is too large: more than {largest / 1e6:g} MB")
    if not content or content.isspace():
        raise PoiseError(f"{path} is empty")
    return content


def decode(content: bytes, name: str, *, fallback: str | None = None) -> str:
    """Text in UTF-8, with or without a byte order mark.

    Args:
        content: the bytes.
        name: what messages call the file.
        fallback: an encoding in which any bytes mean something, for formats that are older than
            UTF-8, such as "latin-1"; without one, other bytes are an error.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if fallback:
            return content.decode(fallback)
        line = content.count(b"\n", 0, error.start) + 1
        raise PoiseError(f"{name}, line {line}: this is not text in UTF-8") from None


def contained(folder: str | Path, name: str, where: str) -> Path:
    """The path of a file that another file names, which must lie in that file's folder.

    Links are followed first, so that none leads out.

    Args:
        folder: the folder of the file that names it.
        name: the path as it is written there, with slashes of either sort between folders.
        where: where it is written, for the message.

    Returns:
        The path from where the folder's path starts, so that messages tell no more of the machine
        than the caller has said.
    """
    parts = name.replace("\\", "/").split("/")
    if len(name) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in parts):
        raise PoiseError(f"{where}: {short(name)!r} is too long for a path")
    try:
        base = Path(os.path.realpath(folder))
        target = Path(os.path.realpath(base / "/".join(parts)))
    except (OSError, ValueError) as error:
        raise PoiseError(f"{where}: {short(name)!r} is no path: {error}") from None
    if not target.is_relative_to(base):
        raise PoiseError(f"{where}: {short(name)!r} lies outside the file's folder; it is not read")
    return Path(folder) / target.relative_to(base)


# numbers -----------------------------------------------------------------------------------


def number(text: str, where: str) -> float:
    """A decimal number within ±GREATEST, as all the formats write them.

    Python itself would also take "nan", "1_000" and digits of other scripts.
    """
    stripped = text.strip()
    long = len(stripped) > _LONGEST_NUMBER
    if long or not stripped.isascii() or not _NUMBER.fullmatch(stripped):
        raise PoiseError(f"{where} must be a number, not {short(text)!r}")
    value = float(stripped)
    if abs(value) > GREATEST:
        raise PoiseError(f"{where} must be within ±{GREATEST:g}, not {short(text)!r}")
    return value


def numbers(text: str, where: str, count: int) -> list[float]:
    """So many numbers with white space between them."""
    words = text.split(maxsplit=count)
    if len(words) != count:
        raise PoiseError(f"{where} must be {count} numbers, not {short(text)!r}")
    return [number(word, where) for word in words]


# XML ---------------------------------------------------------------------------------------


@dataclass
class Element:
    """An XML element that knows its file and line."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list["Element"])

    @property
    def where(self) -> str:
        """File, line and element as messages begin: `arm.urdf, line 12: <joint name='elbow'>`."""
        named = f" name={short(self.attributes['name'])!r}" if "name" in self.attributes else ""
        return f"{self.file}, line {self.line}: <{short(self.tag)}{named}>"

    def error(self, message: str) -> PoiseError:
        """An error that says where."""
        return PoiseError(f"{self.where}: {message}")

    def all(self, *tags: str) -> Iterator[Element]:
        """The children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def one(self, tag: str) -> Element | None:
        """The only child with a tag, or None; two are an error."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].error(f"there must be only one in <{short(self.tag)}>")
        return found[0] if found else None

    def need(self, tag: str) -> Element:
        """The only child with a tag; none is an error."""
        found = self.one(tag)
        if found is None:
            raise self.error(f"it lacks <{tag}>")
        return found

    def text(self, attribute: str) -> str:
        """An attribute that must be there and not be empty."""
        value = self.attributes.get(attribute, "").strip()
        if not value:
            raise self.error(f"it lacks the attribute {attribute!r}")
        return value

    def number(self, attribute: str, default: float | None = None) -> float:
        """An attribute that is a number; without a default it must be there."""
        if attribute not in self.attributes and default is not None:
            return default
        return number(self.text(attribute), f"{self.where}: {attribute}")

    def numbers(self, attribute: str, default: tuple[float, ...]) -> list[float]:
        """An attribute of as many numbers as the default has."""
        if attribute not in self.attributes:
            return list(default)
        return numbers(self.attributes[attribute], f"{self.where}: {attribute}", count=len(default))

    def walk(self) -> Iterator[Element]:
        """This element and all below, parents first."""
        stack: list[Element] = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    @contextmanager
    def explained(self) -> Generator[None]:
        """Let an error that is raised inside say which element it is about."""
        try:
            yield
        except PoiseError as error:
            message = str(error)
            raise (error if message.startswith(self.file) else self.error(message)) from None


def parse_xml(content: bytes, name: str) -> Element:
    """The root of an XML file; text between elements is left out.

    A document type is refused as soon as it begins, so that no entity is ever defined, and so is
    what nests deeper than `DEEPEST` or holds more than `MOST_ELEMENTS`.

    Args:
        content: the file; its encoding is what its first line says, else UTF-8.
        name: what messages call it.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root = Element("", {}, name, 1)
    stack = [root]
    count = 0

    def error(message: str) -> PoiseError:
        return PoiseError(f"{name}, line {parser.CurrentLineNumber}: {message}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) > DEEPEST:
            raise error(f"elements are nested more than {DEEPEST} deep")
        if count > MOST_ELEMENTS:
            raise error(f"there are more than {MOST_ELEMENTS:,} elements")
        element = Element(tag, attributes, name, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(_: str) -> None:
        stack.pop()

    def refuse(*_: Any) -> None:
        raise error(_DTD)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as failure:
        reason = expat.ErrorString(failure.code)
        raise PoiseError(f"{name}, line {failure.lineno}: this is not XML: {reason}") from None
    except (LookupError, ValueError) as failure:  # encodings that are unknown or not bytewise
        raise PoiseError(f"{name}, line 1: this is not XML: {short(str(failure))}") from None
    return root.children[0]


def read_xml(path: str | Path) -> Element:
    """The root of an XML file on disk."""
    return parse_xml(read_bytes(path), str(path))


def xml_text(tag: str, attributes: Mapping[str, str], *, closed: bool = True) -> str:
    """The opening tag of an element, escaped so that it reads back the same."""
    parts = [f'{key}="{_escaped(value)}"' for key, value in attributes.items()]
    return f"<{' '.join([tag, *parts])}{' /' if closed else ''}>"


def _escaped(value: str) -> str:
    if _UNWRITABLE.search(value):
        raise PoiseError(f"{short(value)!r} cannot be written: XML has no such characters")
    for plain, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        value = value.replace(plain, code)
    # Readers take these for spaces unless they are written as numbers.
    return value.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


# names -------------------------------------------------------------------------------------


class Names:
    """Gives each thing of one sort a name that figures can have, and that no other has.

    Names of ours have no "/", no "." and no control characters; where a file's name has, it gets
    "_" instead. One that is too long is cut, one that is taken gets a number behind it.
    """

    def __init__(self, *reserved: str) -> None:
        """Start with some names taken."""
        self._taken = set(reserved)
        self._last: dict[str, int] = {}
        self.renamed: dict[str, str] = {}
        """What was given, and what it is called now, where that is something else."""

    def fresh(self, name: str) -> str:
        """A name like this one that nothing else has."""
        clean = CONTROL.sub("_", name.replace("/", "_").replace(".", "_")) or "unnamed"
        clean = clean[: LONGEST_NAME - 10]  # a number may come behind it
        result, number = clean, self._last.get(clean, 1)
        while result in self._taken:
            number += 1
            result = f"{clean}_{number}"
        self._last[clean] = number
        self._taken.add(result)
        if result != name:
            self.renamed[name] = result
        return result

    def notes(self, what: str) -> list[str]:
        """A sentence about what was renamed, if anything was."""
        if not self.renamed:
            return []
        pairs = [f"{short(old)} is {short(new)}" for old, new in self.renamed.items()]
        more = f" and {len(pairs) - 5} more" if len(pairs) > 5 else ""
        return [f"{what} renamed: {', '.join(pairs[:5])}{more}"]


def short(text: str, most: int = 60) -> str:
    """Text cut to a length that fits into a message."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
