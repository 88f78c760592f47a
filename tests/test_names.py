"""What may be a name: a line of text that is not too long, with no character that acts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import poise
from poise import tasks as t
from poise.checking import LONGEST_LABEL, LONGEST_NAME, label, name
from poise.errors import PoiseError
from poise.figure import Builder, Hinge, Joint, Segment, Site
from poise.formats.hostile import Names
from poise.studio import poses
from poise.studio.document import Document

Give = Callable[[str], object]


def scene() -> poise.Scene:
    return poise.Scene(poise.chain(2))


GIVEN: dict[str, Give] = {
    "figure alone": Builder,
    "segment": Segment,
    "joint": lambda given: Joint(given, Hinge("y"), "a", "b"),
    "site": lambda given: Site(given, "a"),
    "figure": lambda given: poise.Scene({given: poise.chain(2)}),
    "task": lambda given: scene().add(t.Position("tip"), name=given),
    "handle": lambda given: setattr(scene().add(t.Position("tip")), "name", given),
    "force": lambda given: scene().forces.apply("tip", name=given),
    "prop": lambda given: poise.box(0.1, 0.1, 0.1, name=given),
    "pose": lambda given: poses.keep(Document(scene()), given),
}
"""By what is named, something that is given a name."""

ACTING = {
    "newline": "a\nb",
    "null": "a\0b",
    "escape": "a\x1b[2J",
    "a second set": "a\x9b2J",
    "line separator": "a\u2028b",
    "override": "a\u202eb",
    "isolate": "a\u2066b",
    "half a character": "a\ud800b",
}


@pytest.mark.parametrize("what", GIVEN)
@pytest.mark.parametrize("bad", ACTING.values(), ids=ACTING)
def test_a_name_with_a_character_that_acts_is_refused(what: str, bad: str) -> None:
    with pytest.raises(PoiseError, match="control character") as caught:
        GIVEN[what](bad)
    str(caught.value).encode()
    assert str(caught.value).isprintable(), "the message itself must not act"


@pytest.mark.parametrize("what", GIVEN)
def test_a_name_that_fills_pages_is_refused_in_few_words(what: str) -> None:
    with pytest.raises(PoiseError, match="10000 characters") as caught:
        GIVEN[what]("a" * 10_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "good", ['"', "<b>", "&amp;", "javascript:alert(1)", "שלום", "‌ن", "手", "a b", "🦾"]
)
@pytest.mark.parametrize("what", GIVEN)
def test_all_else_is_a_name(what: str, good: str) -> None:
    GIVEN[what](good)


def test_a_name_that_is_made_of_two_may_be_longer() -> None:
    longest = LONGEST_NAME * "a"
    assert name(longest, "site") == longest
    assert label(f"goal {longest}/{longest} rotation", "task")
    with pytest.raises(PoiseError, match="at most 200"):
        name(longest + "a", "site")
    with pytest.raises(PoiseError, match="at most 450"):
        label((LONGEST_LABEL + 1) * "a", "task")


@pytest.mark.parametrize("bad", [*ACTING.values(), "a" * 10_000], ids=[*ACTING, "long"])
@pytest.mark.parametrize("where", ["name", "segments", "postures"])
def test_figure_files_with_such_names_are_refused(tmp_path: Path, where: str, bad: str) -> None:
    figure = {"name": "one", "segments": {"a": {}}, "postures": {"b": {}}}
    figure[where] = bad if where == "name" else {bad: {}}
    file = tmp_path / "figure.yaml"
    file.write_text(json.dumps({"figure": figure}))
    with pytest.raises(PoiseError) as caught:
        poise.load(file)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("bad", [*ACTING.values(), "a" * 10_000], ids=[*ACTING, "long"])
def test_scene_files_with_such_names_are_refused(tmp_path: Path, bad: str) -> None:
    task = {"position": {"site": "tip"}, "name": bad}
    figure = {"ready": "chain", "arguments": {"n": 2}}
    file = tmp_path / "scene.yaml"
    file.write_text(json.dumps({"scene": {"figure": figure, "tasks": [task]}}))
    with pytest.raises(PoiseError) as caught:
        poise.Scene.load(file)
    assert len(str(caught.value)) < 400


def test_names_of_other_programs_are_made_into_names() -> None:
    names = Names()
    for given in (*ACTING.values(), "a" * 10_000, "a" * 10_001, "a/b.c"):
        name(names.fresh(given), "segment")
