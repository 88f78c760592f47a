"""The numbers of the house: sizes, long functions, imports between rooms, places to edit.

python tools/house.py                   print them (`make house`)
python tools/house.py --check           fail where a function is too long or takes too much
                                        (`make lint`)
python tools/house.py --write [COMMIT]  write the table of docs/architecture.md anew: COMMIT (that
                                        of the table, if none is given) against the working tree

What is counted:
    rooms: the folders of src/poise, those of the kernel, and each file that stands beside them.
    places to edit: the files that name an example of its kind in code (docstrings do not count),
        beside those that are about it. Ready figures and the papers' examples only use it.
    named constants: numbers that stand in a module or a class, of the lexicographic solver.
    bare numbers: those in its functions, but for indices and 0, 1, 2, -1, -2, 0.5 and -0.5.
    branches: if, while, and, or, and conditional expressions in it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
TABLE = re.compile(r"^\| *\| ([0-9a-f]+) \| now \|\n(\|.*\n)+", re.MULTILINE)
"""The table of that page, with the commit that it begins with."""
MOST_LINES = 120
"""Lines that a function of poise may have."""
MOST_PARAMETERS = 8
"""Parameters of a kernel that are not records."""
RECORDS = {"tree", "state", "bounds", "blocks", "scratch", "problem", "m", "ws", "room", "plan"}
RECORDS |= {"limits", "parts", "memory", "newton", "levels", "residuals", "lowering", "trace"}
RECORDS |= {"settings", "progress", "shapes", "near", "pairs"}
"""What parameters are called that are named tuples of arrays, or records of numbers."""
EXAMPLES = {
    "task": ("Aim", "aim"),
    "kind of block": (r"(ORIENTATION_)?VECTORS|orientation_vectors", "orientation_vectors"),
    "joint kind": (r"Elbow\w*", "kinds"),
    "solver": ("nlp", r"nlp(_\w+)?"),
    "format": ("bvh", "bvh"),
    "panel": ("ForcesPanel", "forces"),
}
"""Of each what code calls it, and what the modules are called that are about it."""
USERS = {"models", "reproductions"}
"""Rooms that use tasks, kinds, solvers and formats, and are not edited for a new one."""
KINDS = {"Fixed", "Hinge", "Slider", "Elbow", "Swing", "Ball", "Free"}
HEART = {"lex", "lex_arrays", "lex_rows", "levels", "verdict", "faces", "echelon", "newton"}
HEART |= {"resting", "retraction"}
"""Modules of the lexicographic solver when the kernel had no rooms."""
PLAIN = {0, 1, 2, 0.5}
"""Numbers that need no name, with either sign."""

_SCALARS = "vectors and matrices number by number, which stay in registers"
LONG: dict[str, tuple[int, str]] = {}
"""Functions that may be longer, with how long at the most, and why."""
WIDE = {
    "poise.kernel.body.kinematics._times": (12, _SCALARS),
    "poise.kernel.body.kinematics._expand": (11, "arrays of a tree, taken out once by its callers"),
    "poise.kernel.limits.swings._nearest_valid_on_part": (13, _SCALARS),
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
    """The modules of poise, or what is in them, that a module imports to run."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poise"):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("poise."))
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            todo += ast.iter_child_nodes(node)


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


class House(NamedTuple):
    """All modules of poise, and what is counted of them."""

    modules: dict[str, tuple[str, ast.Module]]
    """Text and tree by dotted name."""
    functions: list[Function]

    @classmethod
    def at(cls, sources: Path) -> House:
        """That of a folder `src`."""
        modules: dict[str, tuple[str, ast.Module]] = {}
        for path in sorted(sources.rglob("*.py")):
            parts = list(path.relative_to(sources).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            text = path.read_text(encoding="utf-8")
            modules[".".join(parts)] = text, ast.parse(text)
        found = [each for name in modules for each in functions(name, modules[name][1])]
        return cls(modules, found)

    @classmethod
    def of(cls, commit: str) -> House:
        """That of a commit."""
        packed = subprocess.run(
            ["git", "-C", str(ROOT), "archive", commit, "src"], capture_output=True, check=True
        )
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
                archive.extractall(folder, filter="data")
            return cls.at(Path(folder) / "src")

    @property
    def kernels(self) -> list[Function]:
        """The functions of the kernel, those with the most parameters first."""
        found = [each for each in self.functions if each.name.startswith("poise.kernel.")]
        return sorted(found, key=lambda each: -each.parameters)

    @property
    def longest(self) -> list[Function]:
        """All functions, the longest first."""
        return sorted(self.functions, key=lambda each: -each.lines)

    def room(self, name: str) -> str:
        """The room of a module, or of what is in one, such as `scene` or `kernel.lex`."""
        parts = name.split(".")[1:]
        if not parts or f"poise.{parts[0]}" not in self.modules:
            return "poise"
        inner = ".".join(["poise", *parts[:2], ""])
        is_nested = parts[0] == "kernel" and any(each.startswith(inner) for each in self.modules)
        return ".".join(parts[: 2 if is_nested else 1])

    def rooms(self) -> dict[str, tuple[int, int]]:
        """Files and lines of each room."""
        files, lines = Counter[str](), Counter[str]()
        for module, (text, _) in self.modules.items():
            files[self.room(module)] += 1
            lines[self.room(module)] += text.count("\n")
        return {room: (files[room], lines[room]) for room in sorted(files)}

    def imports(self) -> dict[str, set[str]]:
        """The rooms that each room imports from."""
        between: defaultdict[str, set[str]] = defaultdict(set)
        for module, (_, tree) in self.modules.items():
            room = self.room(module)
            between[room] |= {self.room(each) for each in imports(tree)} - {room}
        return between

    def places(self, word: str, own: str) -> list[str]:
        """The modules that name something, beside those about it and those that only use it."""
        return [
            module
            for module, (_, tree) in self.modules.items()
            if not any(re.fullmatch(own, part) for part in module.split("."))
            and self.room(module) not in USERS
            and any(re.search(rf"\b{word}\b", each) for each in named(tree))
        ]

    def kind_tests(self) -> list[str]:
        """The modules with `isinstance` or `case` tests of joint kinds, beside their own."""
        return [
            module
            for module, (_, tree) in self.modules.items()
            if not module.endswith(".kinds") and any(map(_asks_for_a_kind, ast.walk(tree)))
        ]

    def heart(self) -> list[ast.Module]:
        """The lexicographic solver."""
        chosen = {"poise.kernel." + each for each in HEART}
        return [
            tree
            for module, (_, tree) in self.modules.items()
            if self.room(module) == "kernel.lex" or module in chosen
        ]

    def numbers(self) -> dict[str, int]:
        """What the table tells, by its words."""
        rooms, heart = self.rooms(), self.heart()
        longest, widest = self.longest, self.kernels
        return {
            "files": len(self.modules),
            "lines": sum(lines for _, lines in rooms.values()),
            "functions": len(self.functions),
            f"functions over {MOST_LINES} lines": sum(e.lines > MOST_LINES for e in longest),
            "lines of the longest function": longest[0].lines,
            f"kernels with more than {MOST_PARAMETERS} parameters that are no records": sum(
                each.parameters > MOST_PARAMETERS for each in widest
            ),
            "rooms": len(rooms),
            "imports from room to room": sum(map(len, self.imports().values())),
            **{
                f"places to edit for a new {what}": len(self.places(*example))
                for what, example in EXAMPLES.items()
            },
            "files with isinstance or case tests of joint kinds": len(self.kind_tests()),
            "the lexicographic solver: lines": sum(
                text.count("\n") for text, tree in self.modules.values() if tree in heart
            ),
            "the lexicographic solver: branches": sum(map(branches, heart)),
            "the lexicographic solver: named constants": sum(map(named_constants, heart)),
            "the lexicographic solver: bare numbers": sum(map(bare_numbers, heart)),
        }


def named(tree: ast.Module) -> Iterator[str]:
    """Names, and texts that are no docstrings."""
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias | ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        ):
            yield node.value


def _asks_for_a_kind(node: ast.AST) -> bool:
    """Whether this is `isinstance(…, Hinge)`, or `case Hinge()`."""
    if isinstance(node, ast.MatchClass):
        asked: ast.AST = node.cls
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
        asked = node.args[1]
    else:
        return False
    return any(isinstance(each, ast.Name) and each.id in KINDS for each in ast.walk(asked))


def named_constants(tree: ast.Module) -> int:
    """How many numbers stand in a module or in its classes, outside functions."""
    todo: list[ast.AST] = [tree]
    count = 0
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.Subscript):
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "range":
            continue  # indices
        count += _is_number(node)
        todo += ast.iter_child_nodes(node)
    return count


def bare_numbers(tree: ast.Module) -> int:
    """How many numbers in functions should have a name; indices need none."""
    count = 0
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, is_inside = todo.pop()
        if isinstance(node, ast.Constant):
            count += is_inside and _is_number(node) and node.value not in PLAIN
        is_inside = is_inside or isinstance(node, ast.FunctionDef)
        inner = [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node)
        todo += [(each, is_inside) for each in inner]
    return count


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def branches(tree: ast.Module) -> int:
    """How many ways a module's code may part."""
    kinds = (ast.If, ast.IfExp, ast.While)
    found = list(ast.walk(tree))
    both = [len(node.values) - 1 for node in found if isinstance(node, ast.BoolOp)]
    return sum(isinstance(node, kinds) for node in found) + sum(both)


def table(commit: str, now: House) -> str:
    """The numbers of a commit beside those of now, as Markdown."""
    before, after = House.of(commit).numbers(), now.numbers()
    rows = [f"| {what} | {before[what]} | {after[what]} |" for what in after]
    return "\n".join([f"| | {commit} | now |", "| --- | ---: | ---: |", *rows, ""])


def write(house: House, commit: str) -> None:
    """Write the page's table anew."""
    page = PAGE.read_text(encoding="utf-8")
    old = TABLE.search(page)
    if old is None:
        raise SystemExit(f"{PAGE} has no table that begins with | | COMMIT | now |")
    new = table(commit or old[1], house)
    PAGE.write_text(page[: old.start()] + new + page[old.end() :], encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Print the numbers, check them, or write them down."""
    house = House.at(ROOT / "src")
    if arguments == ["--check"]:
        told = wrong(house.functions)
        print("\n".join(told) or "The house is in order: no function is too long or takes too much")
        return 1 if told else 0
    if arguments[:1] == ["--write"]:
        write(house, "".join(arguments[1:]))
        return 0
    for what, number in house.numbers().items():
        print(f"{number:>6}  {what}")
    print(f"\n{'room':<22}{'files':>6}{'lines':>8}  imports")
    between = house.imports()
    for room, (files, lines) in house.rooms().items():
        print(f"{room:<22}{files:>6}{lines:>8}  {', '.join(sorted(between[room]))}")
    print("\nlongest functions")
    for each in house.longest[:15]:
        print(f"{each.lines:>6}  {each.name}")
    print("\nkernels with the most parameters that are no records")
    for each in house.kernels[:10]:
        print(f"{each.parameters:>6}  {each.name}")
    print("\nplaces to edit")
    for what, example in EXAMPLES.items():
        print(f"{what:>12}  {', '.join(house.places(*example))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
