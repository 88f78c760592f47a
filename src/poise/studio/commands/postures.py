"""Joints one by one, and whole postures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from poise.errors import PoiseError
from poise.studio import poses, standing
from poise.studio.commands.base import Change, Command, Name, Value
from poise.studio.commands.tasks import let_fall
from poise.studio.document import Document
from poise.studio.reports import reports_of, unmet_of

_Fraction = Annotated[float, Field(ge=0, le=1)]
_Values = Annotated[dict[Name, Value], Field(min_length=1, max_length=2000)]


class SetCoordinates(Change):
    """Set coordinates (rad, m); tasks are met as well as these allow."""

    do: Literal["set_coordinates"] = "set_coordinates"
    values: _Values

    @property
    def title(self) -> str:
        """Which joint, if it is one."""
        parts = {name.rpartition(".")[0] for name in self.values}
        return f"set {parts.pop()}" if len(parts) == 1 else "set joints"

    def held(self, document: Document) -> tuple[str, ...]:
        """What was set stays, on both sides where both were."""
        return poses.with_partners(document, tuple(self.values))

    def change(self, document: Document) -> None:
        """Set them, within limits."""
        poses.set_values(document, self.values)


class SetAngles(Change):
    """Set clinical angles of a joint (rad); those not given stay."""

    do: Literal["set_angles"] = "set_angles"
    joint: Name
    angles: _Values

    @property
    def title(self) -> str:
        """Which joint."""
        return f"set {self.joint}"

    def held(self, document: Document) -> tuple[str, ...]:
        """What was set stays: the whole joint, on both sides where both were."""
        return poses.with_partners(document, (self.joint,))

    def change(self, document: Document) -> None:
        """Set them, within limits."""
        poses.set_angles(document, self.joint, self.angles)


class Lock(Change):
    """Lock a joint or group where it is, or let it move again."""

    do: Literal["lock"] = "lock"
    joint: Name
    on: bool

    @property
    def title(self) -> str:
        """Which joint."""
        return f"{'lock' if self.on else 'unlock'} {self.joint}"

    def change(self, document: Document) -> None:
        """Lock or unlock it; what is so already is an error."""
        figure, own = document.figure_of(self.joint)
        given = document.given(figure)
        if self.on == (own in given.locked_names):
            raise PoiseError(f"{self.joint!r} is {'' if self.on else 'not '}locked already")
        if self.on:
            given.lock(own)
        else:
            given.unlock(own)


class SetStiffness(Change):
    """Say how reluctant a joint or group is to move: 0 free, towards 1 rigid."""

    do: Literal["set_stiffness"] = "set_stiffness"
    joint: Name
    value: Annotated[float, Field(ge=0, lt=1)]

    @property
    def title(self) -> str:
        """Which joint."""
        return f"stiffness of {self.joint}"

    def change(self, document: Document) -> None:
        """Set it."""
        figure, own = document.figure_of(self.joint)
        document.given(figure).stiffness[own] = self.value


class Rest(Change):
    """Bring a figure to rest where it stands; all of them if none is named. Again, it stays."""

    stays = True
    do: Literal["rest"] = "rest"
    figure: Name | None = None

    def change(self, document: Document) -> None:
        """Take the rest posture; tasks then have their say."""
        standing.rest(document, self.figure)


class MirrorPosture(Change):
    """Let left and right change places, of the posture and of the pins and goals that hold it."""

    do: Literal["mirror"] = "mirror"
    figure: Name | None = None
    stays = True

    def change(self, document: Document) -> None:
        """Flip it; tasks that have no mirror image then have their say."""
        standing.mirror(document, self.figure)


class Symmetry(Change):
    """Do to both sides what is done to one."""

    do: Literal["symmetry"] = "symmetry"
    on: bool
    solves = False

    @property
    def title(self) -> str:
        """Which way."""
        return "symmetry on" if self.on else "symmetry off"

    def change(self, document: Document) -> None:
        """Switch it."""
        poses.set_symmetry(document, self.on)


class CopyPosture(Command):
    """Remember the posture, to paste it later; not undone, as it changes nothing."""

    do: Literal["copy_posture"] = "copy_posture"


class PastePosture(Change):
    """Take a posture that was copied: values (rad, m) by coordinate."""

    do: Literal["paste_posture"] = "paste_posture"
    values: _Values | None = None
    """If not given, what was copied in the studio last."""

    def change(self, document: Document) -> None:
        """Take what the figures have of it; tasks then have their say."""
        if self.values is None:
            raise PoiseError("nothing has been copied")
        poses.take(document, self.values)


class KeepPose(Change):
    """Keep the posture in the library."""

    do: Literal["keep_pose"] = "keep_pose"
    name: Name
    solves = False

    @property
    def title(self) -> str:
        """Which pose."""
        return f"keep the pose {self.name}"

    def change(self, document: Document) -> None:
        """Keep it."""
        poses.keep(document, self.name)


class ApplyPose(Change):
    """Go all the way to a pose of the library, or a fraction of it; pins and goals go along."""

    do: Literal["apply_pose"] = "apply_pose"
    name: Name
    fraction: _Fraction = 1.0
    solves = False

    @property
    def title(self) -> str:
        """Which pose."""
        return f"pose {self.name}"

    def change(self, document: Document) -> None:
        """Take it as it is drawn, and tell which tasks it does not meet."""
        before = document.scene.places
        poses.take(document, poses.pose_named(document, self.name), self.fraction)
        standing.carry(document, before)
        let_fall(document)
        document.pending = None  # this is the posture, whatever was still to be found
        unmet = unmet_of(reports_of(document.scene, document.scene.assess()))
        if unmet:
            are = "is" if len(unmet) == 1 else "are"
            it = "it" if len(unmet) == 1 else "them"
            names = ", ".join(each.name for each in unmet)
            document.notes.append(
                f"{names} {are} not met in this pose: switch {it} off to keep the pose as it is "
                "while you change more"
            )


class RemovePose(Change):
    """Take a pose out of the library."""

    do: Literal["remove_pose"] = "remove_pose"
    name: Name
    solves = False

    @property
    def title(self) -> str:
        """Which pose."""
        return f"remove the pose {self.name}"

    def change(self, document: Document) -> None:
        """Remove it."""
        poses.remove(document, self.name)
