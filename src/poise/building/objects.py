"""Libraries where there is no linker: the object files in one file, which llvmlite loads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from llvmlite import binding as llvm

from poise.kernel.library import missing

_HEAD = b"objects\n"


def join(objects: Iterable[Path], out: Path) -> None:
    """Write object files into one: each with its length before it."""
    contents = [each.read_bytes() for each in objects]
    parts = [len(each).to_bytes(8, "little") + each for each in contents]
    out.write_bytes(_HEAD + b"".join(parts))


class Objects:
    """Object files in memory, linked by llvmlite."""

    def __init__(self, path: Path) -> None:
        """Load them."""
        self._path = path
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        content = memoryview(path.read_bytes())[len(_HEAD) :]
        while content:
            size = int.from_bytes(content[:8], "little")
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(bytes(content[8 : 8 + size])))
            content = content[8 + size :]
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function is."""
        found = self._engine.get_function_address(name)
        if not found:
            raise missing(self._path, name)
        return found
