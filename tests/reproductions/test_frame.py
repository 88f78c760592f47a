"""The command `poise reproduce`, what it keeps, and the pages, on examples that cost nothing."""

import importlib.util
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from poise import cli
from poise.errors import PoiseError, WriteError
from poise.reproductions import registry
from poise.reproductions.claims import Claim, Report, Reproduction, Result
from poise.reproductions.drawing import plot
from poise.reproductions.keeping import keep, kept
from poise.reproductions.pages import Notes, anchor, page
from poise.reproductions.registry import REPRODUCTIONS, covering, reproduction

DOCS = Path(__file__).parents[2] / "docs"
GOOD = Claim.words("water is wet", "wet as can be", "wet", True)
BAD = Claim.number("the moon is of cheese", "1 cheese", "0 cheeses", False)
OURS = Claim.check("the sky is blue", "blue", True)
SLOW = Claim.time("the snail is fast", "1 s", "2 s", False)
WHY = {BAD.text: "it is of rock"}

Invoke = Callable[..., Any]


def example(*claims: Claim, name: str = "1900-fig-1") -> Reproduction:
    def run(folder: Path | None, report: Report) -> Result:
        report("thinking", 0.5)
        if folder is None:
            return Result(claims, source="an old clip")
        path = folder / f"{name}.png"
        path.write_bytes(b"a picture")
        return Result(claims, (path,), "an old clip")

    return Reproduction(name, "1900-paper", f"What is what, part {len(claims)}", run, WHY)


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Invoke:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    known = {
        "good": example(GOOD, OURS, SLOW, name="good"),
        "bad": example(GOOD, BAD, name="bad"),
        "1900-fig-5.5-5.8": example(GOOD, name="1900-fig-5.5-5.8"),
    }
    monkeypatch.setattr(registry, "REPRODUCTIONS", known)
    return lambda *arguments: CliRunner().invoke(
        cli.app, ["reproduce", *arguments], catch_exceptions=False
    )


def test_an_example_of_which_all_holds_ends_with_0(invoke: Invoke, tmp_path: Path) -> None:
    answer = invoke("good")
    assert answer.exit_code == 0
    assert "water is wet" in answer.output
    assert "in words: “wet as can be”" in answer.output
    assert "run on an old clip" in answer.output
    assert "1 of 1 claims hold" in answer.output  # neither ours nor a time is counted
    assert answer.output.index("water is wet") < answer.output.index("the sky is blue")
    assert (tmp_path / "reproductions" / "good.png").is_file()
    assert (tmp_path / "reproductions" / "good.json").is_file()


def test_an_example_of_which_one_claim_does_not_hold_ends_with_1(invoke: Invoke) -> None:
    answer = invoke("bad", "-o", "deep/below")
    assert answer.exit_code == 1
    line, why = [line for line in answer.output.splitlines() if "cheese" in line]
    assert "does not hold" in line
    assert why == "“the moon is of cheese” does not hold: it is of rock"
    assert "1 of 2 claims hold" in answer.output
    assert Path("deep/below/bad.json").is_file()


def test_an_answer_can_be_had_as_json(invoke: Invoke) -> None:
    answer = json.loads(invoke("bad", "--json").stdout)
    assert answer["name"] == "bad"
    assert answer["pictures"] == ["bad.png"]
    assert answer["claims"][1] == {
        "kind": "number",
        "text": "the moon is of cheese",
        "published": "1 cheese",
        "ours": "0 cheeses",
        "holds": False,
        "reason": "it is of rock",
    }
    assert answer["source"] == "an old clip"
    assert (answer["held"], answer["claimed"]) == (1, 2)


def test_without_a_name_examples_are_listed_with_what_is_known_of_them(invoke: Invoke) -> None:
    first = invoke().output
    assert first.count("not run here") == 3
    assert "What is what, part 2" in first
    assert "0 of 0 claims hold in the 0 of 3 examples that were run here" in first
    invoke("bad")
    invoke("good")
    output = invoke().output
    assert output.count("not run here") == 1
    assert "2 of 3 claims hold in the 2 of 3 examples that were run here" in output
    listed = json.loads(invoke("--json").stdout)
    states = ["1 of 1 claims hold", "1 of 2 claims hold", "not run here"]
    assert [each["state"] for each in listed] == states
    assert [each["held"] for each in listed] == [1, 1, None]


def test_an_example_that_does_not_exist_is_answered_with_the_nearest(invoke: Invoke) -> None:
    with pytest.raises(PoiseError, match="did you mean 'good'"):
        invoke("goood")


@pytest.mark.parametrize("asked", ["5.6", "fig-5.6", "1900-fig-5.8", "1900-5.5"])
def test_a_figure_that_is_one_of_several_is_found(invoke: Invoke, asked: str) -> None:
    with pytest.raises(PoiseError, match=r"did you mean '1900-fig-5\.5-5\.8'"):
        invoke(asked)


def test_a_figure_goes_by_its_number_its_range_or_its_title() -> None:
    assert covering("5.6") == ["2001-fig-5.5-5.8"]
    assert covering("2001-fig-7.12") == ["2001-fig-7.11-7.12"]
    assert covering("5.10") == ["2001-fig-5.10"]
    assert covering("fig-4") == ["1989-fig-4", "1994-fig-4", "2005-fig-4", "2011-fig-4"]
    assert covering("2001-test-2") == ["2001-fig-5.10"]
    assert covering("1994-fig-3") == ["1994-fig-3-left", "1994-fig-3-right"]
    assert covering("nonsense") == covering("5.16") == covering("") == []


def test_a_folder_that_cannot_be_made_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError, match="cannot make the folder 'file'"):
        invoke("good", "-o", "file")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"claims": [{}], "pictures": []}', "\xff"])
def test_a_result_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "1900-fig-1.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(PoiseError, match=r"1900-fig-1\.json is not a result of `poise reproduce"):
        kept(example(), tmp_path)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    result = Result((GOOD, BAD, OURS, SLOW), (tmp_path / "a.png",), "a clip")
    keep(example(), result, tmp_path)
    assert kept(example(), tmp_path) == result
    assert kept(example(name="other"), tmp_path) is None


def test_a_result_cannot_be_kept_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match="cannot write"):
        keep(example(), Result(()), tmp_path / "nowhere")


def test_a_plot_cannot_be_written_to_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(WriteError, match="cannot write"),
        plot(tmp_path / "nowhere", "curve") as (_, (axes,)),
    ):
        axes.plot([0.0, 1.0])
    with plot(tmp_path, "curve") as (path, _):
        assert not path.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["curve.png"]


def test_every_example_is_known_by_its_own_name() -> None:
    for name, each in REPRODUCTIONS.items():
        assert reproduction(name) is each
        assert each.name == name
        assert name[:4] == each.paper[:4]


def test_a_page_counts_links_and_judges() -> None:
    one = example(GOOD, BAD, OURS)
    notes = Notes("Paper", "*A paper.*", "Of old.", {one.name: "A note."})
    text = page(notes, {one: one.run(None, print)})
    assert "1 of 2 claims of the paper hold." in text
    assert "checks of our own are 1 more rows" in text
    assert f"(#{anchor(one)})" in text
    assert anchor(one) == "1900-fig-1-what-is-what-part-3"
    assert "A note." in text
    assert "Run on an old clip." in text
    assert "| water is wet | in words: “wet as can be” | wet | holds |" in text
    assert "| the moon is of cheese | 1 cheese | 0 cheeses | **does not hold** |" in text
    assert "| the sky is blue | ours | blue | holds |" in text
    assert "Why “the moon is of cheese” does not hold: it is of rock." in text
    assert text.index("**does not hold**") < text.index("the sky is blue")


def test_a_row_that_fails_for_no_known_reason_says_so() -> None:
    assert example(GOOD).reason(GOOD) == "not known: it held where this was written"


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


REFERENCES = re.compile(
    r"`[^`]*`|\[[^]]*\]\([^)]*\)|\(\d+\.\d+\)|EIA-\d+"
    r"|(?:Figs?\.|Table|[Cc]hapter|[Ss]ection|eq\.) ?\d+(?:\.\d+)*"
    r"|\b(?:1989|1994|2001|2005|2011)\b"
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(REFERENCES.sub(" ", text)))


@pytest.mark.parametrize("paper", sorted({each.paper for each in REPRODUCTIONS.values()}))
def test_every_number_in_a_note_is_in_the_kept_results(paper: str) -> None:
    source = DOCS / "papers" / "notes" / f"{paper}.yaml"
    notes = Notes.read(yaml.safe_load(source.read_text(encoding="utf-8")), str(source))
    printed: dict[str, set[str]] = {}
    for each in REPRODUCTIONS.values():
        if each.paper == paper:
            result = kept(each, DOCS / "papers" / "results")
            assert result is not None
            told = " ".join(f"{c.text} {c.published} {c.ours}" for c in result.claims)
            printed[each.name] = set(re.findall(r"\d+(?:\.\d+)?", told))
    for name, text in notes.examples.items():
        assert not numbers(text) - printed[name], f"{name}: no code prints these"
    assert not numbers(notes.introduction) - set().union(*printed.values())


def test_numbers_in_notes_are_told_from_references() -> None:
    text = "As in Fig. 5.4 and (3.2), `lex` of 1994 took 17 starts, 0.5 m; see Table 7.1, 12, 70GT."
    assert numbers(text) == {"17", "0.5", "12"}


def test_notes_do_not_speak_of_machines_of_ours() -> None:
    for source in (DOCS / "papers" / "notes").iterdir():
        text = source.read_text(encoding="utf-8")
        assert not re.search(r"EPYC|Xeon|busy|virtual machine|cores", text), source.name
