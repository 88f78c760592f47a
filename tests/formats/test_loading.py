"""One door for all files: what can be read is read, what cannot is told."""

from pathlib import Path

import pytest

from poise.errors import PoiseError
from poise.formats import load

FIGURE = "figure: {name: post, segments: {base: {mass: 2}}}\n"


@pytest.mark.parametrize("name", ["a.yaml", "a.yml", "A.YAML"])
def test_a_figure_file_is_loaded(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FIGURE, encoding="utf-8")
    assert load(tmp_path / name).name == "post"
    assert load(str(tmp_path / name)).mass == 2


@pytest.mark.parametrize(
    ("name", "what"), [("a.fbx", ".fbx files"), ("a", "files without a suffix")]
)
def test_another_file_is_told_what_can_be_read(name: str, what: str) -> None:
    with pytest.raises(PoiseError) as raised:
        load(name)
    assert str(raised.value) == (
        f"cannot read '{name}': not {what}, only figure files (.yaml or .yml, with the top key "
        "`figure`)"
    )


def test_a_scene_is_told_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("# reach\nscene: {tasks: []}\n", encoding="utf-8")
    with pytest.raises(PoiseError) as raised:
        load(path)
    assert str(raised.value) == (
        f"{path}, line 2: scene: this is a scene; what can be read is figure files (.yaml or .yml, "
        "with the top key `figure`)"
    )


def test_a_file_that_holds_something_else_is_told_what_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("figures: {}\n", encoding="utf-8")
    with pytest.raises(PoiseError, match="there is no key 'figures'; did you mean 'figure'"):
        load(path)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(PoiseError, match=r"there is no file 'nowhere\.yaml'"):
        load("nowhere.yaml")
