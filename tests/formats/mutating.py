"""Files spoilt at random, to see that readers answer every one with a figure or a `PoiseError`."""

from __future__ import annotations

import random
import re
import signal
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import poise
from poise import PoiseError
from poise.formats.reading import Reading

_Source = TypeVar("_Source")

Files = Mapping[str, bytes]
"""A file to be read, which is the first, and those that it names, by their paths beside it."""

SECONDS = 20.0
"""What reading one file may take of the processor, fifty times what the slowest takes."""

WHOLE = 50
"""One in so many of the files that are made from long real ones is made from all of it; for the
others its beginning will do, and what spoils it is the same."""

_WINDOW = 20_000
"""Bytes within which things are looked for that might be replaced."""

_LONG = [
    *(b"9" * 300, b"9" * 5_000, b"1." + b"0" * 20_000, b"1e" + b"9" * 3_000, b"-" * 10_000),
    *(b"x" * 70_000, b"x/" * 5_000, b"(" * 30_000, b"[" * 30_000, b"{ " * 30_000, b" " * 50_000),
    *(b"0 " * 40_000, b"\n" * 20_000, b"<a>" * 3_000, "ü".encode() * 30_000, b"&#65;" * 5_000),
]
"""Words far longer than any file has them."""
_ODD = [
    *(b"", b"0", b"-1", b"1e999", b"nan", b"inf", b"-0.0", b"1e-300", b"1e308", b"999999999999"),
    *(b"0 0 0", b"1 2", b"1 2 3 4 5 6 7 8 9", b"x", b"/", b"..", b"../../etc/passwd", b"\xff\xfe"),
    *("Füße".encode(), b"\x00", b"&amp;", b"&#0;", b"&x;", b'"', b"<", b">", b"world", b"true"),
]
_ODD_NUMBERS = [b"0", b"-1", b"1e-300", b"1e6", b"-1e9", b"179.9", b"1e-7", b"1e31", b"-0.001"]
_VALUE = re.compile(rb'"[^"<>]*"')
_TAG = re.compile(rb"<[^<>]*>")
_WORD = re.compile(rb"[^\s\"<>]+")
_NUMBER = re.compile(rb"(?<=[ \"])-?\d+\.?\d*(e-?\d+)?(?=[ \"])")


def spoilt(content: bytes, rng: random.Random) -> bytes:
    """A file with one to three things wrong with it."""
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(_WAYS)(content, rng)
    return content


def _bytes(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.randbytes(rng.randint(0, 4)) + content[at + rng.randint(0, 4) :]


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _repeat(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content) + 1)
    end = start + rng.randint(0, 400)
    return content[:end] + content[start:end] * rng.randint(1, 3) + content[end:]


def _remove(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content) + 1)
    return content[:start] + content[start + rng.randint(0, 400) :]


def _one_of(
    pattern: re.Pattern[bytes], odd: Sequence[bytes] = _ODD
) -> Callable[[bytes, random.Random], bytes]:
    """Put something else in the place of one thing that looks so."""

    def change(content: bytes, rng: random.Random) -> bytes:
        # To find all things in a large file takes longer than to read it.
        start = rng.randrange(max(len(content) - _WINDOW, 0) + 1)
        found = list(pattern.finditer(content, start, start + _WINDOW))
        if not found:
            return content
        one, other = rng.choice(found), rng.choice(found)
        quote = b'"' if one[0].startswith(b'"') else b""
        new = rng.choice([quote + rng.choice(odd) + quote, other[0]])
        return content[: one.start()] + new + content[one.end() :]

    return change


# Most changes leave a file well formed, so that what is in it is looked at.
_WAYS = [
    *(_bytes, _cut, _repeat, _remove, _one_of(_TAG)),
    *[_one_of(_VALUE)] * 6,
    *(_one_of(_VALUE, _LONG), _one_of(_NUMBER, _LONG), _one_of(_WORD, _LONG)),
    *[_one_of(_NUMBER, _ODD_NUMBERS)] * 12,
]


def spoilt_set(files: Files, rng: random.Random) -> Files:
    """Files that belong together with one of them spoilt, or one of the later ones missing."""
    names = list(files)
    chosen = names[0] if len(names) == 1 or rng.random() < 0.4 else rng.choice(names[1:])
    if chosen != names[0] and rng.random() < 0.05:
        return {name: content for name, content in files.items() if name != chosen}
    return {**files, chosen: spoilt(files[chosen], rng)}


def partly_whole(parts: Sequence[_Source], whole: Sequence[_Source], rng: random.Random) -> _Source:
    """One of the parts of files or, once in `WHOLE` times, one of the whole, if there are any."""
    return rng.choice(whole if whole and rng.randrange(WHOLE) == 0 else parts)


class TookTooLong(BaseException):
    """Reading a file went on and on."""


@contextmanager
def _time_limit() -> Generator[None]:
    """Raise `TookTooLong` inside after `SECONDS`, as soon as Python itself is at work again."""

    def stop(*_: Any) -> None:
        raise TookTooLong(f"not read within {SECONDS:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def fuzz(
    read: Callable[[Path], Reading],
    sound: Sequence[Files],
    make: Callable[[random.Random], Files],
    count: int,
    seed: int,
) -> tuple[int, int]:
    """Read spoilt files; anything raised but a `PoiseError` with words comes out.

    Args:
        read: reads the first of some files.
        sound: files that can be read. They are, once, so that what reading needs is compiled.
        make: gives spoilt files.
        count: how many.
        seed: of all chance.

    Returns:
        How many were read all the same, and how many were refused.
    """
    human = poise.human()
    human.clamp(human.rest())  # only spoilt files need that
    rng = random.Random(seed)
    readable = refused = 0
    # One folder for all: to remove one takes longer than to read many a file.
    with tempfile.TemporaryDirectory() as folder:
        for files in sound:
            with _saved(files, Path(folder)) as path:
                read(path)
        for i in range(count):
            files = make(rng)
            try:
                with _saved(files, Path(folder)) as path, _time_limit():
                    figure = read(path).figure
                    figure.packed  # noqa: B018  # what was read can be posed
                readable += 1
            except BaseException as error:
                if isinstance(error, PoiseError) and str(error):
                    refused += 1
                    continue
                kept = Path(tempfile.gettempdir()) / f"spoilt_{seed}_{i}"
                _save(files, kept)
                error.add_note(f"number {i} of seed {seed}, kept in {kept}")
                raise
    return readable, refused


@contextmanager
def _saved(files: Files, folder: Path) -> Generator[Path]:
    """The first of some files on disk, with the others beside it; they are removed again."""
    _save(files, folder)
    try:
        yield folder / next(iter(files))
    finally:
        for name in files:
            (folder / name).unlink()


def _save(files: Files, folder: Path) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
