"""The pages under docs/papers/: what a paper claims, and what came out, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise.errors import PoiseError
from poise.reproductions.claims import Claim, Reproduction, Result, Tally


@dataclass(frozen=True)
class Notes:
    """What a person wrote about a paper.

    Attributes:
        title: the page's.
        reference: which paper it is.
        introduction: paragraphs before all examples.
        examples: paragraphs by the names of examples.
    """

    title: str
    reference: str
    introduction: str
    examples: Mapping[str, str]

    @classmethod
    def read(cls, values: Mapping[str, object], where: str) -> Notes:
        """From a file's values, or an error that says what it lacks."""
        examples = values.get("examples", {})
        texts = [values.get(name) for name in ("title", "reference", "introduction")]
        if not all(isinstance(text, str) for text in texts) or not isinstance(examples, Mapping):
            raise PoiseError(
                f"{where} must have a title, a reference, an introduction and examples by name"
            )
        title, reference, introduction = (str(text).strip() for text in texts)
        return cls(title, reference, introduction, dict(examples))


def page(notes: Notes, results: Mapping[Reproduction, Result]) -> str:
    """A page of the examples of one paper, in order, with the claims that hold counted first."""
    total = Tally.of(results.values())
    beside = sum(not claim.of_paper for each in results.values() for claim in each.claims)
    lines = [f"# {notes.title}", "", notes.reference, "", notes.introduction, ""]
    lines += [
        f"{total} claims of the paper hold. How examples are set up, times beside those of other "
        f"machines, and checks of our own are {beside} more rows, which are not counted. "
        "`poise reproduce NAME` repeats an example, `python docs/papers.py` all of them and this "
        "page.",
        "",
        "| example | shows | claims that hold |",
        "| --- | --- | ---: |",
    ]
    for example, result in results.items():
        link = f"[{example.name}](#{anchor(example)})"
        lines.append(f"| {link} | {example.title} | {result.tally} |")
    for example, result in results.items():
        lines += ["", f"## {heading(example)}", ""]
        if example.name in notes.examples:
            lines += [str(notes.examples[example.name]).strip(), ""]
        if result.source:
            lines += [f"Run on {result.source}.", ""]
        lines += [f"![{example.title}](pictures/{path.name})" for path in result.pictures]
        lines += _table("claim", [claim for claim in result.claims if claim.of_paper])
        lines += _table("besides", [claim for claim in result.claims if not claim.of_paper])
        lines += [
            line
            for claim in result.claims
            if not claim.holds
            for line in ("", f"Why “{claim.text}” does not hold: {example.reason(claim)}.")
        ]
    return "\n".join(lines) + "\n"


def _table(what: str, claims: list[Claim]) -> list[str]:
    if not claims:
        return []
    return [
        "",
        f"| {what} | published | ours | |",
        "| --- | --- | --- | --- |",
        *(
            f"| {claim.text} | {claim.said} | {claim.ours} | {verdict(claim.holds)} |"
            for claim in claims
        ),
    ]


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
