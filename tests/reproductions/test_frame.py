"""The command `poise reproduce`, what it keeps, and the pages, on examples that cost nothing."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from poise import cli
from poise.errors import PoiseError
from poise.reproductions import registry
from poise.reproductions.claims import NOT_STATED, Claim, Report, Reproduction, Result
from poise.reproductions.keeping import keep, kept
from poise.reproductions.pages import Notes, anchor, page
from poise.reproductions.registry import REPRODUCTIONS, reproduction

DOCS = Path(__file__).parents[2] / "docs"
GOOD = Claim("water is wet", NOT_STATED, "wet", True)
BAD = Claim("the moon is of cheese", "cheese", "rock", False)

Invoke = Callable[..., Any]


def example(*claims: Claim, name: str = "1900-fig-1") -> Reproduction:
    def run(folder: Path | None, report: Report) -> Result:
        report("thinking", 0.5)
        if folder is None:
            return Result(claims)
        path = folder / f"{name}.png"
        path.write_bytes(b"a picture")
        return Result(claims, (path,))

    return Reproduction(name, "1900-paper", "What is what", run)


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    known = {"good": example(GOOD, name="good"), "bad": example(GOOD, BAD, name="bad")}
    monkeypatch.setattr(registry, "REPRODUCTIONS", known)
    return lambda *arguments: CliRunner().invoke(
        cli.app, ["reproduce", *arguments], catch_exceptions=False
    )


def test_an_example_of_which_all_holds_ends_with_0(invoke: Invoke, tmp_path: Path) -> None:
    answer = invoke("good")
    assert answer.exit_code == 0
    assert "water is wet" in answer.output
    assert "not stated" in answer.output
    assert (tmp_path / "reproductions" / "good.png").is_file()
    assert (tmp_path / "reproductions" / "good.json").is_file()


def test_an_example_of_which_one_claim_does_not_hold_ends_with_1(invoke: Invoke) -> None:
    answer = invoke("bad", "-o", "deep/below")
    assert answer.exit_code == 1
    (line,) = [line for line in answer.output.splitlines() if "cheese" in line]
    assert "does not hold" in line
    assert Path("deep/below/bad.json").is_file()


def test_an_answer_can_be_had_as_json(invoke: Invoke) -> None:
    answer = json.loads(invoke("bad", "--json").stdout)
    assert answer["name"] == "bad"
    assert answer["pictures"] == ["bad.png"]
    assert answer["claims"][1] == {
        "text": "the moon is of cheese",
        "published": "cheese",
        "ours": "rock",
        "holds": False,
    }


def test_without_a_name_examples_are_listed_with_what_is_known_of_them(invoke: Invoke) -> None:
    assert invoke().output.count("not run here") == 2
    invoke("bad")
    output = invoke().output
    assert output.count("not run here") == 1
    assert "1 of 2 claims hold" in output
    listed = json.loads(invoke("--json").stdout)
    assert [each["state"] for each in listed] == ["not run here", "1 of 2 claims hold"]


def test_an_example_that_does_not_exist_is_answered_with_the_nearest(invoke: Invoke) -> None:
    with pytest.raises(PoiseError, match="did you mean 'good'"):
        invoke("goood")


def test_a_folder_that_cannot_be_made_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PoiseError, match="cannot make the folder 'file'"):
        invoke("good", "-o", "file")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"claims": [{}], "pictures": []}', "\xff"])
def test_a_result_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "1900-fig-1.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(PoiseError, match=r"1900-fig-1\.json is not a result of `poise reproduce"):
        kept(example(), tmp_path)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    result = Result((GOOD, BAD), (tmp_path / "a.png",))
    keep(example(), result, tmp_path)
    assert kept(example(), tmp_path) == result
    assert kept(example(name="other"), tmp_path) is None


def test_a_result_cannot_be_kept_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="cannot write"):
        keep(example(), Result(()), tmp_path / "nowhere")


def test_every_example_is_known_by_its_own_name() -> None:
    for name, each in REPRODUCTIONS.items():
        assert reproduction(name) is each
        assert each.name == name
        assert name[:4] == each.paper[:4]


def test_a_page_counts_links_and_judges() -> None:
    one = example(GOOD, BAD)
    text = page(Notes("Paper", "Of old.", {one.name: "A note."}), {one: one.run(None, print)})
    assert "1 of 2 claims hold." in text
    assert f"(#{anchor(one)})" in text
    assert anchor(one) == "1900-fig-1-what-is-what"
    assert "A note." in text
    assert "| the moon is of cheese | cheese | rock | **does not hold** |" in text


@pytest.mark.parametrize("values", [{}, {"title": "a"}, {"title": "a", "introduction": 3}])
def test_notes_that_lack_something_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(PoiseError, match=r"notes\.yaml must have a title"):
        Notes.read(values, "notes.yaml")


def test_the_pages_are_those_that_the_kept_results_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    spec = importlib.util.spec_from_file_location("papers", DOCS / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    texts = module.pages()
    assert {path.stem for path in texts} == {each.paper for each in REPRODUCTIONS.values()}
    for path, text in texts.items():
        assert path.read_text(encoding="utf-8") == text, f"run `python docs/papers.py`: {path.name}"


def test_every_example_has_a_note_a_result_and_its_pictures() -> None:
    for each in REPRODUCTIONS.values():
        source = DOCS / "papers" / "notes" / f"{each.paper}.yaml"
        notes = yaml.safe_load(source.read_text(encoding="utf-8"))
        assert each.name in notes["examples"], f"{source.name} has nothing on {each.name}"
        result = kept(each, DOCS / "papers" / "results")
        assert result is not None
        for path in result.pictures:
            assert (DOCS / "papers" / "pictures" / path.name).is_file()
