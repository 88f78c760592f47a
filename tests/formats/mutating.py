"""Files spoilt at random, to see that readers answer every one with a figure or a `PoiseError`."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from poise import PoiseError
from poise.formats.reading import Reading

_ODD = [
    *(b"", b"0", b"-1", b"1e999", b"nan", b"inf", b"-0.0", b"1e-300", b"1e308", b"999999999999"),
    *(b"0 0 0", b"1 2", b"1 2 3 4 5 6 7 8 9", b"x", b"/", b"..", b"../../etc/passwd", b"\xff\xfe"),
    *("Füße".encode(), b"\x00", b"&amp;", b"&#0;", b"&x;", b'"', b"<", b">", b"world", b"true"),
]
_ODD_NUMBERS = [b"0", b"-1", b"1e-300", b"1e6", b"-1e9", b"179.9", b"1e-7", b"1e31", b"-0.001"]
_VALUE = re.compile(rb'"[^"<>]*"')
_TAG = re.compile(rb"<[^<>]*>")
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
        found = list(pattern.finditer(content))
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
    *[_one_of(_NUMBER, _ODD_NUMBERS)] * 12,
]


def fuzz(
    read: Callable[[Path], Reading], sources: Sequence[bytes], suffix: str, count: int, seed: int
) -> tuple[int, int]:
    """Read spoilt files; anything raised but `PoiseError` comes out, with the file beside it.

    Returns:
        How many were read all the same, and how many were refused.
    """
    rng = random.Random(seed)
    readable = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"spoilt{suffix}"
        for i in range(count):
            content = spoilt(rng.choice(sources), rng)
            path.write_bytes(content)
            try:
                figure = read(path).figure
                figure.packed  # noqa: B018  # what was read can be posed
                readable += 1
            except PoiseError:
                refused += 1
            except BaseException as error:
                kept = Path(tempfile.gettempdir()) / f"spoilt_{seed}_{i}{suffix}"
                kept.write_bytes(content)
                error.add_note(f"number {i} of seed {seed}, kept as {kept}")
                raise
    return readable, refused
