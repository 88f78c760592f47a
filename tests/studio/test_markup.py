"""What a person has named never becomes markup, a property's text or a script."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import poise.studio

STUDIO = Path(poise.studio.__file__).parent

SINKS = {
    *("props", "style", "classes", "tailwind"),
    *("html", "markdown", "restructured_text", "mermaid", "interactive_image"),
    *("add_head_html", "add_body_html", "add_css", "add_scss", "add_sass", "add_slot"),
    *("run_javascript", "run_method", "add_script"),
}
"""Calls that take text apart, or hand it to the browser as markup or a script."""
DATA_AFTER_THE_FIRST = {"run_method"}
"""Of these only the first argument is a script; the others are sent as JSON."""
HANDLERS = {"js_handler"}
"""Arguments of whatever call that are scripts."""
CONSTANT = re.compile(r"_{0,2}[A-Z][A-Z0-9_]*")
NUMBER = re.compile(r".*[bcdoxXneEfFgG%]")
"""How the format of a number ends; text with such a format raises."""


def constants(tree: ast.Module) -> set[str]:
    """Names that are bound once, by the module itself, or imported, and written as constants."""
    bound: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bound |= {each.id for each in targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            bound |= {each.asname or each.name for each in node.names}
    return {name for name in bound if CONSTANT.fullmatch(name)}


def is_written(node: ast.expr, known: set[str]) -> bool:
    """Whether an expression is nothing but what stands in the code, and numbers."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in known
        case ast.IfExp(body=first, orelse=second):
            return is_written(first, known) and is_written(second, known)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_written(left, known) and is_written(right, known)
        case ast.JoinedStr(values=values):
            return all(is_written(each, known) for each in values)
        case ast.FormattedValue(value=value, format_spec=ast.JoinedStr(values=[spec])):
            is_number = isinstance(spec, ast.Constant) and NUMBER.fullmatch(str(spec.value))
            return bool(is_number) or is_written(value, known)
        case ast.FormattedValue(value=value, format_spec=None):
            return is_written(value, known)
        case _:
            return False


def found(source: str) -> list[str]:
    """Calls that are given text which does not stand in the code."""
    tree = ast.parse(source)
    known = constants(tree)
    bare = {
        each.asname or each.name: each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("nicegui", "poise.studio.markup"))
        for each in node.names
    }
    # What a function of this name is given is looked at where it is called.
    handed_on = {
        call
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in SINKS
        for call in ast.walk(node)
    }
    return [
        f"{call.lineno}: {ast.unparse(argument)}"
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and call not in handed_on
        for argument in arguments(call, bare)
        if not is_written(argument, known)
    ]


def arguments(call: ast.Call, bare: dict[str, str]) -> Iterator[ast.expr]:
    """The arguments of a call that are markup or scripts; `bare` is what comes from NiceGUI."""
    match call.func:
        case ast.Attribute(attr=name):
            pass
        case ast.Name(id=alias):
            name = bare.get(alias, "")
        case _:
            name = ""
    named = {each.arg: each.value for each in call.keywords}
    cleaned = isinstance(named.get("sanitize"), ast.Constant) and named["sanitize"].value is True
    if name in SINKS and not (name == "html" and cleaned):
        yield from call.args[:1] if name in DATA_AFTER_THE_FIRST else call.args
        yield from () if name in DATA_AFTER_THE_FIRST else named.values()
    else:
        yield from (value for key, value in named.items() if key in HANDLERS)
        # Notices of Quasar, and others, take their text for HTML where they are told to.
        if "html" in named:
            yield ast.Name("html")


@pytest.mark.parametrize(
    "path",
    sorted(STUDIO.rglob("*.py")),
    ids=lambda path: path.relative_to(STUDIO).as_posix(),
)
def test_nothing_that_a_person_has_named_is_taken_for_markup(path: Path) -> None:
    assert found(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "row.props(f'aria-label=\"{name}\"')",
        "row.props('aria-label=\"%s\"' % name)",
        "row.props('aria-label=\"{}\"'.format(name))",
        "row.props('aria-label=' + name)",
        "row.props(name)",
        "row.props(remove=name)",
        "row.props(*names)",
        "row.props(**names)",
        "text = f'aria-label={name}'\nrow.props(text)",
        "def f(NAME):\n    row.props(NAME)",
        "row.props('a' if is_on else name)",
        "row.style(f'width:{width}')",
        "row.style(f'width:{width:>9}')",
        "row.style(f'width:{width:{spec}}')",
        "row.classes(f'task {state}')",
        "row.classes(add=state)",
        "ui.html(f'<b>{name}</b>', sanitize=False)",
        "ui.html(name, sanitize=clean)",
        "ui.html(content=name)",
        "ui.markdown(name)",
        "ui.add_head_html(name)",
        "ui.add_body_html(f'<script>{code}</script>')",
        "from poise.studio.markup import add_script\nadd_script(code)",
        "ui.add_css(css)",
        "ui.run_javascript(f'find(\"{name}\")')",
        "element.client.run_javascript(code)",
        "from nicegui.ui import run_javascript as run\nrun(code)",
        "element.run_method(name, 1)",
        "element.add_slot('option', f'<q-item>{name}</q-item>')",
        "element.on('click', js_handler=f'() => say(\"{name}\")')",
        "ui.notify(name, html=True)",
    ],
)
def test_the_finder_finds_what_could_be_a_persons_text(source: str) -> None:
    assert found(source), source


@pytest.mark.parametrize(
    "source",
    [
        "with_props(row.props('dense flat'), aria_label=name)",
        "FIELD = 'outlined'\nrow.props(FIELD).props('dense')",
        "from poise.studio.panels.widgets import FIELD\nrow.props(f'{FIELD} dense')",
        "row.classes('pose chosen' if chosen else 'pose')",
        "row.style(f'width:{100 * part:.1f}%;left:{pixels:d}px')",
        "ui.html(drawing, sanitize=True)",
        "ui.run_javascript(f'getElement({element.id:d})')",
        "element.run_method('pick', name)",
        "ui.label(name)",
        "ui.notify(name)",
    ],
)
def test_the_finder_leaves_alone_what_stands_in_the_code(source: str) -> None:
    assert found(source) == []


def test_properties_are_set_as_values_in_one_place() -> None:
    setting = re.compile(r"\.props\[[^\]]*\] = ")
    found = {
        path.relative_to(STUDIO).as_posix()
        for path in STUDIO.rglob("*.py")
        if setting.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"markup.py"}


MAKES_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write|srcdoc"
    r"|\beval\(|new Function|setAttribute\(\s*[\"'`]on|javascript:"
)


@pytest.mark.parametrize(
    "path",
    sorted((STUDIO / "view").rglob("*.js")),
    ids=lambda path: path.relative_to(STUDIO).as_posix(),
)
def test_the_view_makes_no_markup_out_of_text(path: Path) -> None:
    assert MAKES_MARKUP.findall(path.read_text(encoding="utf-8")) == []
