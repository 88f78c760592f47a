"""New, open, and how the scene is solved."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from poise.scene import Options, Scene
from poise.scene.solving import check
from poise.studio.commands.base import Change
from poise.studio.document import Document
from poise.studio.opening import LONGEST, scene_of


class New(Change):
    """Begin anew with a standing human."""

    do: Literal["new"] = "new"
    presents = True
    told = ("tasks", "figure")

    def change(self, document: Document) -> None:
        """Forget the scene; the pose library stays."""
        fresh = Document.new()
        document.scene, document.skins, document.skin_files = fresh.scene, {}, {}
        document.symmetric = document.contact_forces = False


class Open(Change):
    """Open the text of a scene file, solved where its posture does not meet its tasks yet."""

    do: Literal["open"] = "open"
    text: Annotated[str, Field(max_length=LONGEST)]
    stays = presents = True
    told = ("tasks", "figure")

    @cached_property
    def scene(self) -> Scene:
        """The scene; to read it may take a while, and needs no document."""
        return scene_of(self.text)

    def change(self, document: Document) -> None:
        """Take the scene; the pose library stays."""
        document.scene = self.scene.copy()
        document.skins, document.skin_files = {}, {}
        document.symmetric = document.contact_forces = False


class SetOptions(Change):
    """Change how the scene is solved; what is not given stays."""

    do: Literal["set_options"] = "set_options"
    method: Annotated[str, Field(max_length=50)] | None = None
    tolerance: Annotated[float, Field(gt=0, le=1)] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=2000)] | None = None
    max_seconds: Annotated[float, Field(gt=0, le=10)] | None = None
    restarts: Annotated[int, Field(ge=0, le=100)] | Literal["auto"] | None = None
    metres_per_radian: Annotated[float, Field(gt=0, le=1e3)] | None = None

    def change(self, document: Document) -> None:
        """Set them."""
        scene = document.scene
        given: dict[str, Any] = self.model_dump(exclude={"do", "metres_per_radian"})
        options: Options = scene.options.changed(**given)
        scene.options = options
        if self.metres_per_radian is not None:
            scene.metres_per_radian = self.metres_per_radian
        if self.method is not None:
            check(scene)


class Solve(Change):
    """Find the posture anew, as tasks and criteria want it."""

    do: Literal["solve"] = "solve"

    def change(self, document: Document) -> None:
        """Nothing changes but the posture."""
