"""Which figure it is, where its root is, and the figure editor."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from poise.errors import PoiseError
from poise.figure import Figure
from poise.formats.reading import Reading
from poise.models import catalogue
from poise.scene import Origin, Scene
from poise.studio import figures
from poise.studio.commands.base import Change, Name, Point
from poise.studio.document import Document
from poise.studio.refitting import refitted
from poise.studio.standing import pin_again
from poise.studio.symmetry import Mirror

_Size = Annotated[float, Field(gt=0, le=100)]
_End = Annotated[float, Field(ge=-1e3, le=1e3)] | None
_Ends = Annotated[
    list[_End],
    Field(min_length=2, max_length=2),
    BeforeValidator(lambda value: list(value) if isinstance(value, tuple) else value),
]
_Argument = (
    bool
    | Annotated[int, Field(ge=-1000, le=1000)]
    | Annotated[float, Field(ge=-1000, le=1000)]
    | Annotated[str, Field(max_length=200)]
    | None
)
"""Of a ready figure: lengths, masses, ages and counts, of which a thousand is plenty."""
_TO_WRITE = re.compile(r" \(say[^)]*\)")
"""What a note of a reader says to those who write programs."""


class _FigureChange(Change):
    told = ("tasks", "figure")


class _AnotherFigure(_FigureChange):
    stays = True


class ChooseFigure(_AnotherFigure):
    """Take a ready figure, with its parameters as in Python; tasks that fit it are kept."""

    do: Literal["choose_figure"] = "choose_figure"
    recipe: Name
    parameters: Annotated[dict[Name, _Argument], Field(max_length=20)] = Field(default_factory=dict)
    figure: Name | None = None
    """Which one to replace, where there are several."""

    @property
    def title(self) -> str:
        """Which figure."""
        return f"figure {self.recipe}"

    def change(self, document: Document) -> None:
        """Build it, and put it where the other one stood."""
        put(document, self.figure, _ready(self.recipe, self.parameters))


class UseFigure(_AnotherFigure):
    """Take a figure that was read from a file; made by an upload, not by a message."""

    do: Literal["use_figure"] = "use_figure"
    reading: Any
    kept: str = ""
    """The file that was kept of it, for its skin."""
    figure: Name | None = None

    @property
    def title(self) -> str:
        """Which figure."""
        return f"figure {self.reading.figure.name}"

    def change(self, document: Document) -> None:
        """Put it where the other one stood, as the file shows it."""
        reading: Reading = self.reading
        name = put(document, self.figure, reading.figure)
        document.notes += [_TO_WRITE.sub("", note) for note in reading.notes]
        if reading.posture is not None:
            document.scene.postures = {name: reading.figure.clamp(reading.posture)}
        for i, loop in enumerate(reading.loops, 1):
            if not document.scene.has_several:
                document.scene.add(loop, priority=1, name=f"loop {i}")
        if reading.skin is not None:
            document.skins[name] = reading.skin
            if self.kept:
                document.skin_files[name] = self.kept


class RootAt(_FigureChange):
    """Let another segment be the root; every placement stays."""

    do: Literal["root_at"] = "root_at"
    name: Name
    root: Literal["free", "fixed"] | None = None

    @property
    def title(self) -> str:
        """Which segment."""
        return f"root at {self.name}"

    def change(self, document: Document) -> None:
        """Root it anew."""
        figure, own = document.figure_of(self.name)
        given = document.given(figure)
        rooted, posture = given.rooted_at(own, document.scene.postures[figure].q, root=self.root)
        document.notes += _replaced(document, figure, rooted)
        name = _renamed(document, figure)
        document.scene.postures = {name: posture.q}  # type: ignore[dict-item]  # as it takes it


class EditFigure(_FigureChange):
    """Change a part of a figure; the fields that each operation takes are in `figures.py`."""

    do: Literal["edit_figure"] = "edit_figure"
    operation: Literal["length", "kind", "limits", "add", "remove", "rename"]
    figure: Name | None = None
    segment: Name | None = None
    joint: Name | None = None
    parent: Name | None = None
    name: Name | None = None
    new_name: Name | None = None
    length: _Size | None = None
    kind: Name | None = None
    axis: Name | Point | None = None
    direction: Point | None = None
    position: Point | None = None
    limits: Annotated[dict[Name, _Ends | None], Field(max_length=10)] | None = None
    swing: dict[Literal["ellipse"], _Ends] | None = None
    """Of a ball or swing: an ellipse round its zero; None, if it is given, for none."""
    twist: _Ends | None = None

    @property
    def title(self) -> str:
        """What is done to which part."""
        what = self.segment or self.joint or self.name or ""
        return f"{self.operation} of {what}" if what else "change the figure"

    def change(self, document: Document) -> None:
        """Make the other figure, and let it stand in the old one's place."""
        figure, _ = document.posture_of(self.figure)
        document.notes += _replaced(document, figure, self._edited(document.given(figure)))

    def _edited(self, figure: Figure) -> Figure:
        match self.operation:
            case "length":
                return figures.with_length(figure, self._needed("segment"), self._needed("length"))
            case "kind":
                joint, kind = self._needed("joint"), self._needed("kind")
                return figures.with_kind(figure, joint, kind, self.axis)
            case "limits":
                return figures.with_limits(figure, self._needed("joint"), self._limits())
            case "add":
                return figures.with_segment(
                    figure,
                    self._needed("parent"),
                    self._needed("name"),
                    metres=self.length or 0.2,
                    kind=self.kind or "ball",
                    towards=self.direction,
                    position=self.position,
                )
            case "remove":
                return figures.without_segment(figure, self._needed("segment"))
            case "rename":
                return figures.with_name(figure, self._needed("segment"), self._needed("new_name"))

    def _limits(self) -> dict[str, Any]:
        limits: dict[str, Any] = dict(self.limits or {})
        if "swing" in self.model_fields_set:
            limits["swing"] = self.swing["ellipse"] if self.swing else None
        if "twist" in self.model_fields_set:
            limits["twist"] = self.twist
        return limits

    def _needed(self, field: str) -> Any:
        value = getattr(self, field)
        if value is None:
            raise PoiseError(f"the operation {self.operation!r} needs the field {field!r}")
        return value


def put(document: Document, figure: str | None, new: Figure) -> str:
    """Let a figure stand where another stood; what does not fit it is left out and told.

    One that is made like the other, of another size or sex, keeps the angles of its joints. Any
    other is at rest, where angles of the old body would bend it in ways of no meaning, and its
    pins hold it as it then is.

    Returns:
        Its name in the scene.
    """
    old, posture = document.posture_of(figure)
    before = document.given(old).recipe
    is_alike = before and new.recipe and before.function == new.recipe.function
    mirror = Mirror.through(posture)
    document.skins.pop(old, None)
    document.skin_files.pop(old, None)
    document.notes += _replaced(document, old, new)
    document.scene.origins.pop(old, None)
    document.stood.pop(old, None)
    name = _renamed(document, old)
    now = document.scene.postures[name]
    stood = mirror.stood(now.figure.rest())
    if is_alike:  # another body has its own height: the root stands as at rest
        root = now.figure.root_coordinates
        now.q[root] = stood.q[root]
        stood = now
    document.scene.postures = {name: stood}
    if not is_alike:
        pin_again(document, name)
    return name


def _ready(recipe: str, parameters: dict[str, Any]) -> Figure:
    entries = {each.name: each for each in catalogue()}
    if recipe in entries and not parameters:
        return entries[recipe].build()
    if recipe == "human_female":
        recipe, parameters = "human", {"sex": "female", **parameters}
    return Origin(recipe, parameters).build()


def _replaced(document: Document, name: str, new: Figure) -> list[str]:
    given = dict(document.scene.given)
    given[name] = new
    return refitted(document, given, keep_all=False)


def _renamed(document: Document, name: str) -> str:
    """The name of a figure after others have taken its place; one that is alone has its own."""
    scene: Scene = document.scene
    return name if scene.has_several else next(iter(scene.figures))
