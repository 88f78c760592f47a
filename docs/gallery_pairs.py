"""The gallery before and after: side by side for docs, or in random order for a blind judge.

Usage:

    python docs/gallery_pairs.py pairs [GOAL …] [--folder FOLDER] [--people NAME …]
    python docs/gallery_pairs.py blind FOLDER [--seed 1] [--people NAME …]
    python docs/gallery_pairs.py count FOLDER VERDICTS.csv

- pairs: a sheet for each person, gallery-pairs-PERSON.png: of each goal left without `Natural`
  ("before"), right with it ("after").
- blind: a picture NUMBER.png for each goal and person, with the two as A and B in random order, the
  goals in random order too; and verdicts.csv, to be filled in: for each picture and letter "yes" or
  "no" (would a person do that?), and why. What is which stands in the file beside the folder, named
  like it with `-key.csv`, so that a judge who is given the folder does not see it.
- count: joins verdicts with that key, and prints how many are yes, and which are no.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from draw import FOLDER, write
from gallery import AFTER, BEFORE, GOALS, PEOPLE, human, numbers_of, scene_of

from poise.figure import Figure
from poise.pictures import picture
from poise.pictures.lettering import captioned
from poise.pictures.stage import Image

HALF = (446, 380)
"""Pixels of one posture in a blind picture: two views side by side."""
SMALL = (300, 280)
"""Pixels of one posture on a sheet."""
GAP = 8
"""White pixels between the two."""
COLUMNS = 3
LETTERS = ("A", "B")
KEY = ("picture", "goal", "person", *LETTERS)
VERDICT = ("picture", "goal", "letter", "verdict", "why")
YES, NO = "yes", "no"


def drawn(goal: str, figure: Figure, label: str, size: tuple[int, int]) -> Image:
    """A goal without `Natural` (before) or with it (after)."""
    solution = scene_of(goal, figure, natural=label == AFTER).solve()
    return picture(solution, views=GOALS[goal].views, size=size)


def told(goal: str, figure: Figure, label: str) -> Image:
    """The same with its numbers below."""
    solution = scene_of(goal, figure, natural=label == AFTER).solve()
    image = picture(solution, views=GOALS[goal].views, size=SMALL)
    lines = numbers_of(solution).lines()
    for line in (f"{GOALS[goal].title}: {label}", lines[0]):
        image = captioned(image, line)
    return image


def beside(images: Sequence[Image]) -> Image:
    """Pictures side by side, white between and below them."""
    height = max(len(each) for each in images)
    padded = [
        np.pad(each, ((0, height - len(each)), (0, GAP), (0, 0)), constant_values=255)
        for each in images
    ]
    return np.concatenate(padded, axis=1)


def pairs(goals: Sequence[str], figure: Figure) -> Image:
    """A sheet of goals, each before and after."""
    cells = [beside([told(goal, figure, label) for label in (BEFORE, AFTER)]) for goal in goals]
    columns = min(COLUMNS, len(cells))
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % columns)
    rows = [beside(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    return np.concatenate(rows, axis=0)


def shuffled(people: Sequence[str], seed: int) -> list[dict[str, str]]:
    """The rows of the key: every goal of every person in random order, A and B at random."""
    rng = np.random.default_rng(seed)
    every = [(goal, person) for goal in GOALS for person in people]
    rows: list[dict[str, str]] = []
    for number, i in enumerate(rng.permutation(len(every)).tolist(), start=1):
        goal, person = every[i]
        labels = (BEFORE, AFTER) if rng.random() < 0.5 else (AFTER, BEFORE)
        row = {"picture": f"{number:03d}", "goal": goal, "person": person}
        rows.append(row | dict(zip(LETTERS, labels, strict=True)))
    return rows


def blind(folder: Path, people: Sequence[str], seed: int) -> None:
    """Write pictures without labels, an empty form for verdicts, and the key beside the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    figures, rows = {name: human(name) for name in people}, shuffled(people, seed)
    for row in rows:
        goal, figure = row["goal"], figures[row["person"]]
        halves = [captioned(drawn(goal, figure, row[each], HALF), each) for each in LETTERS]
        write(captioned(beside(halves), GOALS[goal].title), folder / f"{row['picture']}.png")
    _write_rows(key_of(folder), KEY, rows)
    form = [
        {"picture": row["picture"], "goal": GOALS[row["goal"]].title, "letter": letter}
        for row in rows
        for letter in LETTERS
    ]
    _write_rows(folder / "verdicts.csv", VERDICT, form)
    print(f"{len(rows)} pictures in {folder}, the key in {key_of(folder).name}")


def key_of(folder: Path) -> Path:
    """Where the key of a folder is."""
    return folder.with_name(f"{folder.name}-key.csv")


def counted(
    key: Sequence[dict[str, str]], verdicts: Sequence[dict[str, str]]
) -> dict[str, dict[tuple[str, str], tuple[bool, str]]]:
    """By label, and then by goal and person: whether a person would do that, and why.

    Raises:
        ValueError: where a verdict is neither yes nor no, is missing, or is of no picture.
    """
    rows = {row["picture"]: row for row in key}
    found: dict[str, dict[tuple[str, str], tuple[bool, str]]] = {BEFORE: {}, AFTER: {}}
    for each in verdicts:
        picture, letter = each["picture"].strip().zfill(3), each["letter"].strip().upper()
        if picture not in rows or letter not in LETTERS:
            raise ValueError(f"there is no {letter!r} of a picture {picture!r}")
        verdict = (each.get("verdict") or "").strip().lower()
        if verdict not in (YES, NO):
            raise ValueError(f"the verdict on {letter} of {picture} must be yes or no: {verdict!r}")
        row = rows[picture]
        found[row[letter]][row["goal"], row["person"]] = (verdict == YES, each.get("why") or "")
    for label, known in found.items():
        if len(known) != len(rows):
            raise ValueError(f"there are verdicts on {len(known)} of {len(rows)} ({label})")
    return found


def count(folder: Path, verdicts: Path) -> None:
    """Print what a judge said, now that the labels are known."""
    found = counted(_rows(key_of(folder)), _rows(verdicts))
    for label, known in found.items():
        people = sorted({person for _, person in known})
        goals = list(dict.fromkeys(goal for goal, _ in known))
        good = [goal for goal in goals if all(known[goal, person][0] for person in people)]
        yes = sum(is_good for is_good, _ in known.values())
        print(f"{label}: {yes} of {len(known)} pictures; {len(good)} of {len(goals)} goals for all")
        for (goal, person), (is_good, why) in sorted(known.items()):
            if not is_good:
                print(f"  no: {GOALS[goal].title}, {person}: {why}")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write_rows(path: Path, columns: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def main(arguments: Sequence[str]) -> int:
    """Draw pairs, draw them blind, or count verdicts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    side = commands.add_parser("pairs", help="sheets with before and after side by side")
    side.add_argument("goals", nargs="*", metavar="GOAL", help=", ".join(GOALS))
    side.add_argument("--folder", type=Path, default=FOLDER, help="where sheets go")
    hidden = commands.add_parser("blind", help="pictures for a judge who does not know which is")
    hidden.add_argument("folder", type=Path)
    hidden.add_argument("--seed", type=int, default=1, help="of the order")
    for each in (side, hidden):
        each.add_argument("--people", nargs="+", choices=PEOPLE, default=list(PEOPLE))
    joined = commands.add_parser("count", help="join a judge's verdicts with the key")
    joined.add_argument("folder", type=Path)
    joined.add_argument("verdicts", type=Path, metavar="VERDICTS.csv")
    given = parser.parse_args(arguments)
    if given.command == "blind":
        blind(given.folder, given.people, given.seed)
    elif given.command == "count":
        try:
            count(given.folder, given.verdicts)
        except ValueError as error:
            parser.error(str(error))
    else:
        for goal in given.goals:
            if goal not in GOALS:
                parser.error(f"there is no goal {goal!r}; there are: {', '.join(GOALS)}")
        given.folder.mkdir(parents=True, exist_ok=True)
        for name in given.people:
            path = given.folder / f"gallery-pairs-{name}.png"
            write(pairs(given.goals or list(GOALS), human(name)), path)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
