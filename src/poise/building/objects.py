"""Libraries where there is no linker: the object files in one file, which llvmlite loads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from llvmlite import binding as llvm

from poise.kernel.library import missing

_HEAD = b"objects\n"


def join(objects: Iterable[Path], out: Path) -> None:
    """Write object files into one: their number, then each with its length before it."""
    contents = [each.read_bytes() for each in objects]
    parts = [len(each).to_bytes(8, "little") + each for each in contents]
    out.write_bytes(_HEAD + len(parts).to_bytes(8, "little") + b"".join(parts))


def _parts(path: Path) -> list[bytes]:
    """The object files in a file; OSError where some are missing."""
    parts: list[bytes] = []
    with path.open("rb") as file:
        file.seek(len(_HEAD))
        for _ in range(int.from_bytes(file.read(8), "little")):
            size = int.from_bytes(file.read(8), "little")
            parts.append(file.read(size))
            if not size or len(parts[-1]) < size:
                raise OSError("its end is missing")
    return parts


class Objects:
    """Object files in memory, linked by llvmlite."""

    def __init__(self, path: Path) -> None:
        """Load them."""
        self._path = path
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for each in _parts(path):
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(each))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function is."""
        found = self._engine.get_function_address(name)
        if not found:
            raise missing(self._path, name)
        return found
