"""Supports, applied forces, whose strength."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from poise.errors import PoiseError, unknown_name
from poise.statics.loads import FRICTION
from poise.studio.commands.base import Change, Force, Name, Point
from poise.studio.document import Document
from poise.studio.statics import distributed

_Ratio = Annotated[float, Field(ge=-1e3, le=1e3)]
_Friction = Annotated[float, Field(gt=0, le=1e3)]


class AddSupport(Change):
    """Let a site bear a share of the weight; without a ratio, an even share with the others."""

    do: Literal["add_support"] = "add_support"
    site: Name
    ratio: _Ratio | None = None
    friction: _Friction = FRICTION

    @property
    def title(self) -> str:
        """Which site."""
        return f"support at {self.site}"

    def change(self, document: Document) -> None:
        """Add it; where shares are even they stay so."""
        forces = document.scene.forces
        if self.site in forces.supports:
            raise PoiseError(f"{self.site!r} is a support already")
        if self.ratio is not None:
            forces.support(self.site, ratio=self.ratio, friction=self.friction)
            return
        own = document.figure_of(self.site)[0]
        others = [s for s in forces.supports.values() if document.figure_of(s.site)[0] == own]
        share = 1.0 / (len(others) + 1)
        for other in others:
            ratio = other.ratio * (1.0 - share)
            forces.support(other.site, ratio=ratio, friction=other.friction)
        forces.support(self.site, ratio=share, friction=self.friction)


class EditSupport(Change):
    """Change a support; what is not given stays."""

    do: Literal["edit_support"] = "edit_support"
    site: Name
    ratio: _Ratio | None = None
    friction: _Friction | None = None
    balance: bool = True
    """Whether the other supports share what is left, as they shared it before."""

    @property
    def title(self) -> str:
        """Which site."""
        return f"change the support {self.site}"

    def change(self, document: Document) -> None:
        """Change it, and the shares of the others so that all add up to 1."""
        forces = document.scene.forces
        if self.site not in forces.supports:
            raise unknown_name("support", self.site, forces.supports)
        now = forces.supports[self.site]
        ratio = now.ratio if self.ratio is None else self.ratio
        friction = self.friction or now.friction
        forces.support(self.site, ratio=ratio, friction=friction)
        if not self.balance or self.ratio is None:
            return
        own = document.figure_of(self.site)[0]
        others = [
            each
            for each in forces.supports.values()
            if each.site != self.site and document.figure_of(each.site)[0] == own
        ]
        before = sum(each.ratio for each in others)
        for each in others:
            share = each.ratio / before if abs(before) > 1e-12 else 1.0 / len(others)
            forces.support(each.site, ratio=share * (1.0 - ratio), friction=each.friction)


class AddLoad(Change):
    """Apply a force and a torque to a site, in world axes."""

    do: Literal["add_load"] = "add_load"
    site: Name
    name: Name | None = None
    force: Force = (0.0, 0.0, 0.0)
    torque: Force = (0.0, 0.0, 0.0)
    point: Point = (0.0, 0.0, 0.0)
    """In the site's frame."""

    @property
    def title(self) -> str:
        """Where."""
        return f"force on {self.site}"

    def change(self, document: Document) -> None:
        """Add it; its name must be free."""
        forces = document.scene.forces
        name, count = self.name or self.site, 1
        while self.name is None and name in forces.applied:
            count += 1
            name = f"{self.site}_{count}"
        if name in forces.applied:
            raise PoiseError(f"there is a force named {name!r} already")
        forces.apply(self.site, force=self.force, torque=self.torque, point=self.point, name=name)


class EditLoad(Change):
    """Change an applied force; what is not given stays."""

    do: Literal["edit_load"] = "edit_load"
    name: Name
    site: Name | None = None
    force: Force | None = None
    torque: Force | None = None
    point: Point | None = None

    @property
    def title(self) -> str:
        """Which one."""
        return f"change the force {self.name}"

    def change(self, document: Document) -> None:
        """Change it."""
        forces = document.scene.forces
        if self.name not in forces.applied:
            raise unknown_name("applied force", self.name, forces.applied)
        now = forces.applied[self.name]
        forces.apply(
            self.site or now.site,
            force=now.force if self.force is None else self.force,
            torque=now.torque if self.torque is None else self.torque,
            point=now.point if self.point is None else self.point,
            name=self.name,
        )


class RemoveForce(Change):
    """Take a support or an applied force away."""

    do: Literal["remove_force"] = "remove_force"
    name: Name

    @property
    def title(self) -> str:
        """Which one."""
        return f"remove the force {self.name}"

    def change(self, document: Document) -> None:
        """Remove it; the shares of the supports that are left add up to 1 again."""
        forces = document.scene.forces
        gone = forces.supports.get(self.name)
        forces.remove(self.name)
        if gone is None:
            return
        own = document.figure_of(gone.site)[0]
        left = [s for s in forces.supports.values() if document.figure_of(s.site)[0] == own]
        total = sum(each.ratio for each in left)
        for each in left:
            share = each.ratio / total if abs(total) > 1e-12 else 1.0 / len(left)
            forces.support(each.site, ratio=share, friction=each.friction)


class UseContactForces(Change):
    """Let what supports bear be computed with the least effort, or be shared by ratio."""

    do: Literal["use_contact_forces"] = "use_contact_forces"
    on: bool

    @property
    def title(self) -> str:
        """Which way."""
        return "compute contact forces" if self.on else "share forces by ratio"

    def change(self, document: Document) -> None:
        """Switch it; where nothing supports the figure there is nothing to compute."""
        document.contact_forces = self.on
        document.scene.forces.use(None)
        if self.on:
            distributed(document.scene)


class SetPerson(Change):
    """Say whose strength is meant; without any field, whom the figure shows."""

    do: Literal["set_person"] = "set_person"
    sex: Literal["male", "female"] | None = None
    age: Annotated[float, Field(gt=0, le=150)] | None = None
    mass: Annotated[float, Field(gt=0, le=1e3)] | None = None
    stature: Annotated[float, Field(gt=0, le=10)] | None = None

    def change(self, document: Document) -> None:
        """Set what is given, and forget the rest."""
        known: dict[str, Any] = self.model_dump(exclude={"do"}, exclude_none=True)
        document.scene.forces.set_person(**known)
