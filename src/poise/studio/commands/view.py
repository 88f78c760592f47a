"""What a tab shows and has selected: nobody else's business, and never undone."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from poise.studio.commands.base import Command, Name

Kind = Literal["joint", "site", "segment", "task", "force", "prop"]


class Selection(BaseModel):
    """What a tab has selected."""

    model_config = ConfigDict(frozen=True)

    kind: Kind | None = None
    name: str | None = None


class Shown(BaseModel):
    """What a tab shows, and how."""

    model_config = ConfigDict(frozen=True)

    balance: bool = True
    """Centre of mass, ground line, polygon of support."""
    goals: bool = True
    pins: bool = True
    forces: bool = True
    cones: bool = True
    torques: bool = False
    limits: bool = True
    """Of the selected joint."""
    trace: bool = False
    """Where the dragged point has been."""
    labels: bool = True
    joints: bool = False
    sites: bool = False
    style: Literal["solid", "stick"] = "solid"
    skin: bool = True
    insets: bool = True
    shadows: bool = True
    grid: bool = True
    quality: Literal["auto", "high", "low", "off"] = "auto"
    theme: Literal["dark", "light", "auto"] = "dark"
    mode: Literal["body", "limb", "joint"] = "body"
    """What a drag moves."""
    gizmo: Literal["move", "rotate"] = "move"
    hint: bool = True
    """Whether the words for first-time users are still to be shown."""


class Select(Command):
    """Select a joint, site, segment, task, force or prop; nothing without a kind."""

    do: Literal["select"] = "select"
    kind: Kind | None = None
    name: Name | None = None


class Settings(Command):
    """Show something, or another way; what is not given stays."""

    do: Literal["settings"] = "settings"
    balance: bool | None = None
    goals: bool | None = None
    pins: bool | None = None
    forces: bool | None = None
    cones: bool | None = None
    torques: bool | None = None
    limits: bool | None = None
    trace: bool | None = None
    labels: bool | None = None
    joints: bool | None = None
    sites: bool | None = None
    style: Literal["solid", "stick"] | None = None
    skin: bool | None = None
    insets: bool | None = None
    shadows: bool | None = None
    grid: bool | None = None
    quality: Literal["auto", "high", "low", "off"] | None = None
    theme: Literal["dark", "light", "auto"] | None = None
    mode: Literal["body", "limb", "joint"] | None = None
    gizmo: Literal["move", "rotate"] | None = None
    hint: bool | None = None

    def changes(self) -> dict[str, bool | str]:
        """What is given."""
        return self.model_dump(exclude={"do"}, exclude_none=True)
