"""LLVM's part: each function simplified, then units of functions optimised to machine code.

A large function belongs to one unit, that of its module, and is only declared in others. A small
one goes into every unit that calls it, where it can be inlined. So which functions are optimised
together depends on the sources alone, and with it how their results round.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from llvmlite import binding as llvm
from llvmlite.binding import newpassmanagers as passes

from poise.building.records import Record
from poise.kernel.library import levels

COUNT = 8
"""How many units there are."""
LARGE = 250
"""A function of more instructions is not copied into the units that call it."""
_OPTIMISATION = 2
_DEFINED = re.compile(r'^define [^@]*@"?([^"(]+)"?\(', re.MULTILINE)


@cache
def _machine(level: str) -> tuple[Any, str, str]:
    """LLVM's machine for a CPU level, its triple and its data layout."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=level, features="", opt=_OPTIMISATION, reloc="pic", codemodel="default"
    )
    return machine, triple, str(machine.target_data)


def simplified(symbol: str, text: str, helpers: Iterable[str]) -> tuple[bytes, int, list[str]]:
    """A function with what numba itself brought for it, as bitcode.

    Also its number of instructions, and the names of the functions that it calls elsewhere.

    Args:
        symbol: the function's name.
        text: it, in LLVM's language.
        helpers: texts of numba's own functions, of which it may call some.
    """
    machine, triple, layout = _machine(levels()[-1])  # what comes out serves all levels
    defined = {name: helper for helper in helpers for name in _DEFINED.findall(helper)}
    module = llvm.parse_assembly(text)
    linked: set[str] = set()
    while True:
        open_names = [each.name for each in module.functions if each.is_declaration]
        todo = {defined[name] for name in open_names if name in defined} - linked
        if not todo:
            break
        for helper in sorted(todo):
            module.link_in(llvm.parse_assembly(helper))
        linked |= todo
    module.triple, module.data_layout = triple, layout
    _hide(module, {symbol})
    manager = passes.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_instruction_combine_pass()
    manager.add_simplify_cfg_pass()
    manager.add_global_dead_code_eliminate_pass()
    options = passes.PipelineTuningOptions(speed_level=1)
    manager.run(module, passes.create_pass_builder(machine, options))
    _rename_helpers(module, symbol)
    size = sum(1 for each in module.functions for block in each.blocks for _ in block.instructions)
    open_names = [each.name for each in module.functions if each.is_declaration]
    return module.as_bitcode(), size, open_names


def _hide(module: Any, kept: set[str]) -> None:
    """Let only some functions be seen from outside."""
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration and each.name not in kept:
            each.linkage = "internal"


def _rename_helpers(module: Any, symbol: str) -> None:
    """Name numba's own functions by their order: its names depend on what was compiled before."""
    own = [
        each
        for each in [*module.functions, *module.global_variables]
        if not each.is_declaration and each.name != symbol
    ]
    for number, each in enumerate(own):
        each.name = f"{symbol}.helper.{number}"


def large(records: Mapping[str, Record]) -> set[str]:
    """The symbols of functions that one unit has and others call."""
    return {symbol for symbol, each in records.items() if each.size > LARGE}


def home(symbol: str) -> int:
    """The number of the unit that a large function, or an entry, belongs to: its module's."""
    module = symbol.rpartition(".")[0].rpartition(".")[0]
    return int(hashlib.sha256(module.encode()).hexdigest(), 16) % COUNT


def dealt(
    records: Mapping[str, Record], large: set[str], entries: Iterable[str]
) -> list[list[str]]:
    """The symbols of each unit: large functions and entries, and the small ones that they need."""
    units: list[dict[str, None]] = [{} for _ in range(COUNT)]
    for symbol in sorted({*large, *entries}):
        unit = units[home(symbol)]
        todo = [symbol]
        while todo:
            each = todo.pop()
            if each not in unit:
                unit[each] = None
                todo += sorted(
                    callee for callee in symbols_called(records[each]) if callee not in large
                )
    return [sorted(unit) for unit in units]


def symbols_called(record: Record) -> list[str]:
    """The symbols of the kernels that a function calls."""
    return [symbol for symbol, *_ in record.calls]


def optimised(
    records: Sequence[Record], large: set[str], extra: str, exported: set[str], level: str
) -> bytes:
    """The object code of a unit.

    Args:
        records: its functions.
        large: the symbols that other units call.
        extra: more code, in LLVM's language: the entries' C functions.
        exported: names that the library shows.
        level: the CPU level.
    """
    machine, triple, layout = _machine(level)
    whole = llvm.parse_assembly(extra)
    whole.triple, whole.data_layout = triple, layout
    for record in records:
        part = llvm.parse_bitcode(record.code)
        part.triple, part.data_layout = triple, layout
        whole.link_in(part)
    for each in whole.functions:
        if each.is_declaration or each.name in exported:
            continue
        if each.name in large:
            each.visibility = "hidden"  # other units call it, nobody else
        else:
            each.linkage = "internal"
    options = passes.PipelineTuningOptions(speed_level=_OPTIMISATION)
    options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = True
    builder = passes.create_pass_builder(machine, options)
    builder.getModulePassManager().run(whole, builder)
    return machine.emit_object(whole)
