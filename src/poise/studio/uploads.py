"""Files that people bring: read in a process of their own, with little time and memory.

That process gets the bytes and nothing else: a folder of its own with this one file in it. What a
file can do to a reader ends there.
"""

from __future__ import annotations

import io
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import poise
from poise.errors import PoiseError
from poise.formats.reading import Reading

LARGEST = 50_000_000
"""So many bytes an upload may have."""
SUFFIXES = (".yaml", ".yml", ".bvh", ".asf", ".urdf", ".xml", ".mjcf", ".glb", ".gltf", ".vrm")
"""What can be brought."""
SECONDS = 30.0
"""So long the processor may be at it; on a busy machine that takes longer by the clock …"""
SLOWER = 4.0
"""… but not more than so many times as long."""
MEMORY = 4 << 30
"""So many bytes the reader may use, of which the libraries themselves take a part."""

ANSWER = 8 * LARGEST
"""So many bytes may be in what a reader found."""

_LOOK = 0.02
"""Between two looks at whether a reader has ended (s)."""
_OUT_OF_TIME = getattr(signal, "SIGXCPU", 0)
_PARTS = {
    (module, name)
    for module, names in {
        "builtins": ("set", "frozenset", "slice", "complex", "bytearray"),
        "collections": ("OrderedDict", "deque"),
        "numpy": ("dtype", "ndarray"),
        "numpy.core.multiarray": ("_reconstruct", "scalar"),
        "numpy._core.multiarray": ("_reconstruct", "scalar"),
        "numpy.core.numeric": ("_frombuffer",),
        "numpy._core.numeric": ("_frombuffer",),
        "poise.closed": ("ReadOnlyDict",),
    }.items()
    for name in names
}
"""What answers are made of, besides the classes of poise …"""
_MODULES = ("poise.figure.", "poise.formats.reading", "poise.motion.clip")
_MODULES += ("poise.tasks.",)
"""… that only describe something, in modules whose names begin like this."""

_NEEDED = ("PATH", "HOME", "LANG", "SYSTEMROOT", "TEMP", "TMPDIR", "XDG_CACHE_HOME")
_NEEDED += ("POISE_CACHE_DIR", "POISE_CPU", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""Of the environment, what finding Python's files and the compiled code needs."""


def read_upload(
    name: str,
    content: bytes,
    *,
    seconds: float = SECONDS,
    given_up: threading.Event | None = None,
) -> Reading | str:
    """Read a file that was brought: what it holds, or the text of a scene file.

    Args:
        name: what the person's machine calls it; only its ending counts.
        content: its bytes.
        seconds: how long the processor may be at it.
        given_up: when it is set nobody waits for the answer any more, and the reader is ended.
    """
    suffix = suffix_of(name)
    if len(content) > LARGEST:
        raise PoiseError(
            f"{_shown(name)} has {len(content) / 1e6:.0f} MB; the studio takes files of up to "
            f"{LARGEST / 1e6:.0f} MB"
        )
    with tempfile.TemporaryDirectory(prefix="poise-upload-") as folder:
        path = Path(folder) / f"upload{suffix}"
        path.write_bytes(content)
        bounds = [str(MEMORY), str(math.ceil(seconds)), str(ANSWER)]
        worker = [sys.executable, "-m", "poise.studio.upload_worker", path.name, *bounds]
        environment = {key: os.environ[key] for key in _NEEDED if key in os.environ}
        environment["PYTHONPATH"] = str(Path(poise.__file__).parents[1])
        environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        # To a file, whose size the system bounds, and not into this process's memory.
        with (Path(folder) / "answer").open("w+b") as answer:
            with subprocess.Popen(
                worker,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=answer,
                stderr=subprocess.DEVNULL,
            ) as done:
                try:
                    if not _has_ended(done, SLOWER * seconds, given_up or threading.Event()):
                        raise _too_slow(name, seconds)
                finally:
                    done.kill()  # one that has ended is not there to be killed
            answer.seek(0)
            content = answer.read(ANSWER)
    if done.returncode == -_OUT_OF_TIME:
        raise _too_slow(name, seconds)
    if done.returncode != 0 or not content:
        raise PoiseError(
            f"{_shown(name)} could not be read: its reader ended without an answer, "
            "perhaps for want of memory"
        )
    try:
        kind, result = _Answer(io.BytesIO(content)).load()
    except PoiseError:
        raise
    except Exception as error:
        raise PoiseError(f"{_shown(name)} could not be read: its reader makes no sense") from error
    if kind == "error":
        raise PoiseError(str(result).replace(f"upload{suffix}", _shown(name)))
    return result


def _has_ended(reader: subprocess.Popen[bytes], seconds: float, given_up: threading.Event) -> bool:
    """Wait for a reader; False where the time was not enough, an error where it is given up."""
    end = time.monotonic() + seconds
    while reader.poll() is None:
        if given_up.wait(_LOOK):
            raise PoiseError("the file was not read: it was given up")
        if time.monotonic() > end:
            return False
    return True


class _Answer(pickle.Unpickler):
    """Unpacks what a reader found: only what readings are made of, and nothing that acts."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) in _PARTS:
            return super().find_class(module_name, global_name)
        if module_name.startswith(_MODULES) and "." not in global_name:
            found = super().find_class(module_name, global_name)
            # What a module has only imported, such as a path, is not of its making.
            if isinstance(found, type) and found.__module__ == module_name:
                return found
        raise PoiseError(f"a reader answered with {module_name}.{global_name}, which is not taken")


def _too_slow(name: str, seconds: float) -> PoiseError:
    return PoiseError(f"{_shown(name)} takes longer than {seconds:.0f} s to read, and was given up")


def suffix_of(name: str) -> str:
    """The ending of a file's name, which must be one that can be read."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise PoiseError(
            f"{_shown(name)} cannot be read: files end in {', '.join(SUFFIXES)}, "
            f"not {suffix or 'nothing'!r}"
        )
    return suffix


def _shown(name: str) -> str:
    """The name of a file for messages, without folders or what cannot be printed."""
    plain = "".join(each for each in Path(name).name if each.isprintable())
    return repr(plain[-80:])
