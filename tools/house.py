"""The numbers of the house: sizes of rooms, long functions, wide parameters, imports between rooms.

python tools/house.py            print them (`make house`)
python tools/house.py --check    fail where a function is too long or takes too much (`make lint`)
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
MOST_LINES = 120
"""Lines that a function of poise may have."""
MOST_PARAMETERS = 8
"""Parameters of a kernel that are not records."""
RECORDS = {"tree", "state", "bounds", "blocks", "scratch", "problem", "m", "ws", "room", "plan"}
RECORDS |= {"limits", "parts"}
"""What parameters are called that are named tuples of arrays."""

_ONE_FUNCTION = "a whole solve in one function, from when boundaries cost time; to be split"
_SCALARS = "vectors and matrices number by number, which stay in registers"
LONG = {
    "poise.kernel.lex.solve.lex": (500, _ONE_FUNCTION),
    "poise.kernel.published.nlp.nlp": (194, _ONE_FUNCTION),
    "poise.kernel.published.classics.descend": (161, _ONE_FUNCTION),
    "poise.kernel.published.priority.priority": (135, _ONE_FUNCTION),
}
"""Functions that may be longer, with how long at the most, and why."""
WIDE = {
    "poise.kernel.body.kinematics._times": (12, _SCALARS),
    "poise.kernel.body.kinematics._expand": (11, "arrays of a tree, taken out once by its callers"),
    "poise.kernel.hierarchy.factor.factorise": (11, "parts of a workspace that two methods share"),
    "poise.kernel.limits.swings._nearest_valid_on_part": (13, _SCALARS),
    "poise.kernel.published.classics.descend": (9, "options of five methods; to be a record"),
    "poise.kernel.published.elimination.multipliers": (11, "rows of a system; to be a record"),
    "poise.kernel.body.bends._add_driven": (9, "arrays of a tree, taken out by its callers"),
    "poise.kernel.residuals.effort_curvature._bend_axis": (15, _SCALARS),
    "poise.kernel.residuals.effort_curvature._cross": (13, _SCALARS),
    "poise.kernel.residuals.effort_curvature._own_pair": (9, _SCALARS),
    "poise.kernel.residuals.effort_curvature._turn_all": (9, "rows of a block; to be a record"),
    "poise.kernel.residuals.statics.swing_angle": (9, _SCALARS),
    "poise.kernel.lex.faces._join": (9, "parts of a workspace; to be a record"),
}
"""Kernels that may take more, with how much at the most, and why."""


class Function(NamedTuple):
    """A function of the sources."""

    name: str
    """With its module."""
    lines: int
    parameters: int
    """Those that are not records."""


def room_of(module: str) -> str:
    """The room that a module belongs to, such as `scene` or `kernel.lex`."""
    parts = module.split(".")[1:]
    if not parts:
        return "poise"
    is_nested = len(parts) > 1 and (SOURCES / "poise" / "kernel" / parts[1]).is_dir()
    return ".".join(parts[:2] if parts[0] == "kernel" and is_nested else parts[:1])


def modules() -> Iterator[tuple[str, str]]:
    """Every module of poise by its dotted name, with its text."""
    for path in sorted(SOURCES.rglob("*.py")):
        parts = list(path.relative_to(SOURCES).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        yield ".".join(parts), path.read_text(encoding="utf-8")


def functions(module: str, tree: ast.Module) -> Iterator[Function]:
    """All functions of a module, methods and inner ones too."""
    todo: list[tuple[str, ast.AST]] = [(module, tree)]
    while todo:
        name, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}"
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                given = child.args.posonlyargs + child.args.args + child.args.kwonlyargs
                plain = [each for each in given if each.arg not in {*RECORDS, "self", "cls"}]
                lines = (child.end_lineno or child.lineno) - child.lineno + 1
                yield Function(inner, lines, len(plain))
            todo.append((inner, child))


def imports(tree: ast.Module) -> Iterator[str]:
    """The modules of poise that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poise"):
            yield node.module or ""
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("poise."))


def wrong(found: list[Function]) -> list[str]:
    """What breaks the rules, a line each."""
    told: list[str] = []
    known = {each.name for each in found}
    for each in found:
        most = LONG.get(each.name, (MOST_LINES, ""))[0]
        if each.lines > most:
            told.append(f"{each.name} has {each.lines} lines; at most {most} are allowed")
        most = WIDE.get(each.name, (MOST_PARAMETERS, ""))[0]
        if each.name.startswith("poise.kernel.") and each.parameters > most:
            told.append(
                f"{each.name} takes {each.parameters} parameters that are no records; at most "
                f"{most} are allowed"
            )
    for each in found:
        if each.name in LONG and each.lines <= MOST_LINES:
            told.append(f"{each.name} is short enough now; take it out of LONG")
        if each.name in WIDE and each.parameters <= MOST_PARAMETERS:
            told.append(f"{each.name} takes few enough now; take it out of WIDE")
    told += [f"{name} is gone; take it out" for name in sorted({*LONG, *WIDE} - known)]
    return told


def main(arguments: list[str]) -> int:
    """Print the numbers, or check them."""
    found: list[Function] = []
    files, lines = Counter[str](), Counter[str]()
    between: defaultdict[str, set[str]] = defaultdict(set)
    for module, text in modules():
        tree = ast.parse(text)
        found += functions(module, tree)
        room = room_of(module)
        files[room] += 1
        lines[room] += text.count("\n")
        between[room] |= {room_of(each) for each in imports(tree)} - {room}
    if arguments == ["--check"]:
        told = wrong(found)
        print("\n".join(told) or "The house is in order: no function is too long or takes too much")
        return 1 if told else 0
    print(f"{sum(files.values())} files, {sum(lines.values())} lines, {len(found)} functions\n")
    print(f"{'room':<22}{'files':>6}{'lines':>8}  imports")
    for room in sorted(files):
        print(f"{room:<22}{files[room]:>6}{lines[room]:>8}  {', '.join(sorted(between[room]))}")
    print("\nlongest functions")
    for each in sorted(found, key=lambda each: -each.lines)[:15]:
        print(f"{each.lines:>6}  {each.name}")
    print("\nkernels with the most parameters that are no records")
    kernels = [each for each in found if each.name.startswith("poise.kernel.")]
    for each in sorted(kernels, key=lambda each: -each.parameters)[:10]:
        print(f"{each.parameters:>6}  {each.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
