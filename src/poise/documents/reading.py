"""YAML text as plain data that still knows the line of every value.

Scalars are read as YAML 1.2 (core schema) has them, not as YAML 1.1: `on`, `no`, `12:30` and
`2024-05-01` are plain text, `1e-3` is a number. NaN is always refused. What a hand-written file
does not need and a hostile one uses is refused too: tags, several documents in one file, keys
that are not text, and aliases that expand without measure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from poise.errors import PoiseError, warning_of

KeyPath = tuple[str | int, ...]
"""The way to a value: keys of mappings and places in lists, from the top."""

LARGEST_FILE = 20_000_000  # bytes
MOST_VALUES = 200_000  # with every alias written out
DEEPEST = 50

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile("[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(inf|Inf|INF)")
_WORDS = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_PLAIN_KEY = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class _Node:
    """A value with its parts; a part that an alias repeats is one node in several places."""

    value: Any
    size: int = 1
    height: int = 0
    children: dict[str | int, _Node] = field(default_factory=dict[str | int, "_Node"])
    lines: dict[str | int, int] = field(default_factory=dict[str | int, int])


@dataclass(frozen=True)
class Document:
    """What a file holds: `data` is plain (dict, list, str, int, float, bool, None).

    `name` is the file as messages call it. A key path that goes beyond what is there (to a key
    that is missing, say) stands for the deepest part that is.
    """

    name: str
    data: Any
    _root: _Node
    _first_line: int

    def line(self, path: KeyPath = ()) -> int:
        """The line, from 1, of a list's item or of a mapping's key."""
        node, line = self._root, self._first_line
        for key in path:
            if key not in node.children:
                break
            line = node.lines[key]
            node = node.children[key]
        return line

    def where(self, path: KeyPath = ()) -> str:
        """File, line and key path as messages begin: `arm.yaml, line 12: figure.joints.elbow`."""
        keys = path_text(path)
        return f"{self.name}, line {self.line(path)}" + (f": {keys}" if keys else "")

    def error(self, path: KeyPath, message: str) -> PoiseError:
        """An error that says where."""
        return PoiseError(f"{self.where(path)}: {message}")

    @contextmanager
    def at(self, *path: str | int) -> Generator[None]:
        """Let an error or a warning inside say which part of the file it is about."""
        try:
            with warning_of(lambda: self.where(path)):
                yield
        except PoiseError as error:
            raise self.error(path, str(error)) from None


def path_text(path: KeyPath) -> str:
    """A key path as people write it: `figure.segments.hand.shapes[0].radius`."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        elif _PLAIN_KEY.fullmatch(key):
            text += f".{key}" if text else key
        else:  # a coordinate's name has a dot of its own
            text += f"[{key!r}]"
    return text


def read(path: str | Path) -> Document:
    """Read a YAML file of at most 20 MB, in UTF-8."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise PoiseError(f"there is no file {str(path)!r}") from None
    except IsADirectoryError:
        raise PoiseError(f"{str(path)!r} is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PoiseError(f"cannot read {str(path)!r}: {reason}") from None
    if len(content) > LARGEST_FILE:
        raise PoiseError(f"{path} is too large: more than {LARGEST_FILE // 1_000_000} MB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PoiseError(f"{path}, line {line}: this is not text in UTF-8") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> Document:
    """Read YAML text; `name` is what messages call the file."""
    composer = _Composer(text, name)
    try:
        return composer.document()
    except yaml.MarkedYAMLError as error:
        raise composer.syntax_error(error) from None
    except yaml.YAMLError as error:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) + 1
        reason = getattr(error, "reason", "unreadable")
        raise PoiseError(f"{name}, line {line}: this is not YAML: {reason}") from None


def plain(text: str) -> Any:
    """The value of an unquoted scalar.

    Raises:
        ValueError: when it is NaN or a number too large for a float.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        value = float(text)
        if math.isinf(value):
            raise ValueError("is too large for a number")
        return int(text) if _INTEGER.fullmatch(text) else value
    if _INFINITY.fullmatch(text):
        return -math.inf if text[0] == "-" else math.inf
    if text in (".nan", ".NaN", ".NAN"):
        raise ValueError("is not a number; NaN is allowed nowhere")
    return text


class _Composer:
    """Makes a document from the events of YAML's parser.

    From events and not from yaml's own tree, because depth and size must be known before
    they do harm.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._text = text
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self._read = 0
        self._anchors: dict[str, _Node | None] = {}  # None while the node is being read

    def document(self) -> Document:
        next(self._events)  # the stream starts
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise PoiseError(f"{self.name} is empty")
        event = next(self._events)
        line = event.start_mark.line + 1
        root = self._node(event, 0)
        next(self._events)  # the document ends
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._error(event, "a second document starts here; one file holds one")
        if root.value is None:
            raise PoiseError(f"{self.name} is empty")
        return Document(self.name, root.value, root, line)

    def syntax_error(self, error: yaml.MarkedYAMLError) -> PoiseError:
        """Say what the parser says, with the line; at the end the file may have been cut off."""
        mark = error.problem_mark or error.context_mark
        lines = self._text.rstrip().count("\n") + 1
        line = lines if mark is None else min(mark.line + 1, lines)
        reason = ": ".join(part for part in (error.context, error.problem) if part)
        if mark is not None and self._text[_index(self._text, mark) :].startswith("\t"):
            reason = "a tab; indent with spaces"
        if error.context_mark and error.context_mark.line + 1 < line:
            reason += f" (it began in line {error.context_mark.line + 1})"
        if mark is not None and not self._text.rstrip()[_index(self._text, mark) :]:
            reason += "; the file ends here, perhaps it was cut off"
        return PoiseError(f"{self.name}, line {line}: this is not YAML: {reason}")

    def _error(self, event: Any, message: str) -> PoiseError:
        return PoiseError(f"{self.name}, line {event.start_mark.line + 1}: {message}")

    def _node(self, event: Any, depth: int) -> _Node:
        if depth > DEEPEST:
            raise self._error(event, f"this is nested more than {DEEPEST} deep")
        self._read += 1
        if self._read > MOST_VALUES:
            raise self._error(event, f"these are more than {MOST_VALUES:,} values")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            raise self._error(event, f"the tag {tag!r} is not allowed; tags are not read")
        anchor = event.anchor
        if anchor:
            self._anchors[anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(depth)
        else:
            node = self._mapping(depth)
        if node.size > MOST_VALUES:
            raise self._error(
                event,
                f"this expands to more than {MOST_VALUES:,} values; use fewer aliases (*name)",
            )
        if anchor:
            self._anchors[anchor] = node
        return node

    def _alias(self, event: Any, depth: int) -> _Node:
        if event.anchor not in self._anchors:
            raise self._error(event, f"the alias *{event.anchor} stands for nothing")
        node = self._anchors[event.anchor]
        if node is None:
            raise self._error(event, f"the alias *{event.anchor} stands within what it stands for")
        if depth + node.height > DEEPEST:
            raise self._error(event, f"this is nested more than {DEEPEST} deep")
        return node

    def _scalar(self, event: Any) -> _Node:
        if not event.implicit[0]:
            return _Node(event.value)
        try:
            return _Node(plain(event.value))
        except ValueError as error:
            raise self._error(event, f"{_short(event.value)} {error}") from None

    def _sequence(self, depth: int) -> _Node:
        children: dict[str | int, _Node] = {}
        lines: dict[str | int, int] = {}
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            lines[len(children)] = event.start_mark.line + 1
            children[len(children)] = self._node(event, depth + 1)
        return _joined([child.value for child in children.values()], children, lines)

    def _mapping(self, depth: int) -> _Node:
        children: dict[str | int, _Node] = {}
        lines: dict[str | int, int] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth + 1).value
            if not isinstance(key, str):
                raise self._error(
                    event, f"a key must be text, not {_short(str(key))}; put it in quotes"
                )
            if key == "<<" and event.implicit[0]:
                raise self._error(event, "merging with << is not read; write the keys out")
            if key in children:
                raise self._error(
                    event, f"the key {_short(key)!r} is there twice, first in line {lines[key]}"
                )
            lines[key] = event.start_mark.line + 1
            children[key] = self._node(next(self._events), depth + 1)
        return _joined({key: child.value for key, child in children.items()}, children, lines)


def _joined(value: Any, children: dict[str | int, _Node], lines: dict[str | int, int]) -> _Node:
    size = 1 + sum(child.size for child in children.values())
    height = 1 + max((child.height for child in children.values()), default=0)
    return _Node(value, size, height, children, lines)


def _index(text: str, mark: Any) -> int:
    """Where a mark is in the text."""
    start = 0
    for _ in range(mark.line):
        start = text.find("\n", start) + 1
        if start == 0:
            return len(text)
    return start + mark.column


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
