"""The pages under docs/papers/: what a paper claims, and what came out, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise.errors import PoiseError
from poise.reproductions.claims import Reproduction, Result


@dataclass(frozen=True)
class Notes:
    """What a person wrote about a paper.

    Attributes:
        title: the page's.
        introduction: paragraphs before all examples.
        examples: paragraphs by the names of examples.
    """

    title: str
    introduction: str
    examples: Mapping[str, str]

    @classmethod
    def read(cls, values: Mapping[str, object], where: str) -> Notes:
        """From a file's values, or an error that says what it lacks."""
        examples = values.get("examples", {})
        texts = (values.get("title"), values.get("introduction"))
        if not all(isinstance(text, str) for text in texts) or not isinstance(examples, Mapping):
            raise PoiseError(f"{where} must have a title, an introduction and examples by name")
        return cls(str(texts[0]), str(texts[1]).strip(), dict(examples))


def page(notes: Notes, results: Mapping[Reproduction, Result]) -> str:
    """A page of the examples of one paper, in order, with the claims that hold counted first."""
    claims = [claim for result in results.values() for claim in result.claims]
    held = sum(claim.holds for claim in claims)
    lines = [f"# {notes.title}", "", notes.introduction, ""]
    lines += [
        f"{held} of {len(claims)} claims hold. `poise reproduce NAME` repeats one, "
        "`python docs/papers.py` all of them and this page.",
        "",
        "| example | shows | claims that hold |",
        "| --- | --- | ---: |",
    ]
    for example, result in results.items():
        good = sum(claim.holds for claim in result.claims)
        link = f"[{example.name}](#{anchor(example)})"
        lines.append(f"| {link} | {example.title} | {good} of {len(result.claims)} |")
    for example, result in results.items():
        lines += ["", f"## {heading(example)}", ""]
        if example.name in notes.examples:
            lines += [str(notes.examples[example.name]).strip(), ""]
        lines += [f"![{example.title}](pictures/{path.name})" for path in result.pictures]
        lines += ["", "| claim | published | ours | |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {claim.text} | {claim.published} | {claim.ours} | {verdict(claim.holds)} |"
            for claim in result.claims
        ]
    return "\n".join(lines) + "\n"


def heading(example: Reproduction) -> str:
    """The heading of an example."""
    return f"{example.name}: {example.title}"


def anchor(example: Reproduction) -> str:
    """How a heading is linked to: small letters, hyphens for blanks, no other signs."""
    kept = [each for each in heading(example).lower() if each.isalnum() or each in " -_"]
    return "".join(kept).replace(" ", "-")


def verdict(holds: bool) -> str:
    """What the last column says."""
    return "holds" if holds else "**does not hold**"
