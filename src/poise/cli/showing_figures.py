"""What `poise show` says of a figure."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from poise.cli.printing import say
from poise.cli.printing import table as new_table
from poise.errors import unknown_name

if TYPE_CHECKING:
    from poise.figure import Figure
    from poise.formats import Reading


def show_figure(file: Path, options: dict[str, Any]) -> None:
    """Its size, joints, couplings and sites, and what the file holds besides."""
    from poise.formats import read as read_file

    _show(file.name, read_file(file, **options))


def show_ready(name: str, options: dict[str, Any]) -> None:
    """The same of a ready figure, by its name, with its usual arguments and those given."""
    from poise.formats import Reading
    from poise.models import catalogue
    from poise.scene.origins import Origin

    entries = {entry.name: entry for entry in catalogue()}
    if name not in entries:
        raise unknown_name("ready figure", name, entries, f"there is no file {name!r}")
    figure = entries[name].build()
    # A command line has no whole numbers, and a chain of 5.0 links is no chain.
    whole = {
        key: int(v) if isinstance(v, float) and v.is_integer() else v for key, v in options.items()
    }
    if whole:
        usual = figure.recipe.arguments if figure.recipe else {}
        figure = Origin(entries[name].function, {**usual, **whole}).build()
    _show(name, Reading(figure))


def _show(name: str, reading: Reading) -> None:
    from poise.figure.placements import counted
    from poise.figure.ranges import described

    figure = reading.figure
    console = Console()
    say(
        console,
        f"{name}: a figure of {counted(figure.n, 'coordinate')}, "
        f"{counted(len(figure.segments), 'segment')}, {counted(len(figure.sites), 'site')}, "
        f"{figure.mass:.2f} kg",
    )
    for note in reading.notes:
        say(console, f"note: {note}")
    console.print()
    console.print(_joints(figure))
    if figure.couplings:
        console.print()
        console.print(_couplings(figure))
    if figure.sites:
        console.print()
        console.print(_sites(figure))
    _show_rest(console, reading)
    for name, q in figure.postures.items():
        broken = figure.broken_limits(q, tolerance=1e-6)
        if broken:
            what = f"the posture {name!r} breaks limits: {described(figure, broken)}"
            console.print(what, style="red", markup=False, soft_wrap=True)


def _show_rest(console: Console, reading: Reading) -> None:
    """What a file holds besides its figure."""
    if reading.clips:
        motions = new_table("motion", "frames", "per second", "seconds")
        for column in motions.columns[1:]:
            column.justify = "right"
        for name, clip in reading.clips.items():
            motions.add_row(name, str(clip.frames), f"{clip.fps:.6g}", f"{clip.seconds:.2f}")
        console.print()
        console.print(motions)
    postures = dict.fromkeys([*reading.figure.postures, *reading.postures])
    if postures:
        console.print()
        say(console, f"postures: {', '.join(postures)}")
    if reading.skin is not None:
        console.print()
        say(console, f"skin: {', '.join(each.name for each in reading.skin.surfaces)}")
    for loop in reading.loops:
        console.print()
        say(console, f"loop: {loop}")


def _joints(figure: Figure) -> Table:
    """Every joint and joint group with its angles and how far each goes by itself."""
    from poise.figure import Joint
    from poise.figure.clinical import unit_of
    from poise.figure.naming import driver
    from poise.figure.placements import counted

    table = new_table("joint", "what moves", "angle", "from", "to")
    for column in (table.columns[0], *table.columns[2:]):
        column.no_wrap = True
    for column in table.columns[3:]:
        column.justify = "right"
    for part in (*figure.groups.values(), *figure.joints.values()):
        group = driver(figure, part.name) if isinstance(part, Joint) else None
        ranges = {} if group else figure.range(part.name)
        if isinstance(part, Joint):
            moves = f"{part.kind.kind}: {part.child} on {part.parent}"
            moves += f", by {group.name}" if group else ""
        else:
            members = {member.partition(".")[0] for member in part.terms}
            moves = f"group: {counted(len(members), 'joint')}"
        units = [unit_of(part, angle, figure.joints) for angle in ranges]
        ends = list(zip(ranges.values(), units, strict=True))
        table.add_row(
            part.name,
            moves,
            "\n".join(ranges),
            "\n".join(_limit(low, unit) for (low, _), unit in ends),
            "\n".join(_limit(high, unit) for (_, high), unit in ends),
        )
    return table


def _sites(figure: Figure) -> Table:
    """Every site with its segment, and where it is at rest."""
    # As it is named, even where it breaks limits, which is said below.
    places = figure.place(figure.postures["rest"] if "rest" in figure.postures else figure.rest())
    table = new_table("site", "on segment", "at rest: x", "y", "z")
    for column in table.columns[2:]:
        column.justify, column.no_wrap = "right", True
    for site in figure.sites.values():
        at = places[site.name].position.tolist()
        table.add_row(site.name, site.segment, *(f"{each + 0.0:.3f} m" for each in at))
    return table


def _couplings(figure: Figure) -> Table:
    """Every coupling as the law that it is."""
    from poise.figure.clinical import unit_of
    from poise.figure.naming import part_of

    table = new_table("coupling", "law")
    for coupling in figure.couplings.values():
        units = {
            unit_of(part_of(figure, name), name.partition(".")[2], figure.joints)
            for name in coupling.terms
        }
        unit = units.pop() if len(units) == 1 else ""
        law = ""
        for name, factor in coupling.terms.items():
            sign = "−" if factor < 0 else "+" if law else ""
            times = "" if abs(factor) == 1 else f"{abs(factor):.4g} "
            law += f" {sign} {times}{name}" if law else f"{sign}{times}{name}"
        if coupling.lower == coupling.upper:
            law += f" = {_limit(coupling.lower, unit)}"
        else:
            if not math.isinf(coupling.lower):
                law = f"{_limit(coupling.lower, unit)} ≤ {law}"
            if not math.isinf(coupling.upper):
                law += f" ≤ {_limit(coupling.upper, unit)}"
        table.add_row(coupling.name, law)
    return table


def _limit(value: float, unit: str) -> str:
    if math.isinf(value):
        return "–"
    if unit == "rad":
        return f"{math.degrees(value) + 0.0:.1f}°"
    return f"{value:.3f} m" if unit == "m" else f"{value:.4g}"
