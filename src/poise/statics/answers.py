"""What is found out about contact forces: how a load is shared, and how hard a push can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.checking import Vec3
from poise.closed import closed
from poise.errors import unknown_name
from poise.statics.loads import Load

Values = NDArray[np.float64]


@closed
@dataclass(frozen=True)
class ContactForce:
    """What one corner of a support bears."""

    site: str
    position: Vec3
    """In the world (m)."""
    force: Vec3
    """On the figure (N)."""
    load: Load


@closed
@dataclass(frozen=True)
class Distribution:
    """Forces of all supports that balance the figure with the least effort."""

    contacts: tuple[ContactForce, ...]
    """At all corners; many bear nothing."""
    loads: tuple[Load, ...]
    """All loads but the weight: those applied, and those of the contacts."""
    lacking_force: Vec3
    """What is missing to balance forces (N); zero where it is possible."""
    lacking_moment: Vec3
    """What is missing to balance moments about the centre of mass (N·m); zero likewise."""
    effort: float
    """Σ (τ/strength)²."""

    @property
    def is_feasible(self) -> bool:
        """Whether the supports can balance the loads."""
        return not (any(self.lacking_force) or any(self.lacking_moment))

    def total(self, site: str) -> Values:
        """The whole force (3,) of a support on the figure, in N."""
        found = [each.force for each in self.contacts if each.site == site]
        if not found:
            raise unknown_name("support", site, dict.fromkeys(each.site for each in self.contacts))
        return np.sum(found, axis=0)

    @property
    def ratios(self) -> dict[str, float]:
        """Which share of all that pushes upward each support bears."""
        upward = {each.site: 0.0 for each in self.contacts}
        for each in self.contacts:
            upward[each.site] += each.force[2]
        whole = sum(upward.values())
        return {site: share / whole if whole else 0.0 for site, share in upward.items()}

    def __repr__(self) -> str:
        """How many supports bear something, and whether that balances the figure."""
        sites = len({each.site for each in self.contacts if any(each.force)})
        verdict = "" if self.is_feasible else ", which cannot balance the figure"
        return f"<Distribution over {sites} supports{verdict}: effort {self.effort:.4g}>"

    def __str__(self) -> str:
        """A line for each support, and what is lacking."""
        lines = []
        for site in dict.fromkeys(each.site for each in self.contacts):
            x, y, z = self.total(site).tolist()
            lines.append(f"{site}: ({x:.1f}, {y:.1f}, {z:.1f}) N")
        if not self.is_feasible:
            force = float(np.linalg.norm(self.lacking_force))
            moment = float(np.linalg.norm(self.lacking_moment))
            lines.append(f"cannot be balanced: {force:.1f} N and {moment:.1f} N·m are lacking")
        return "\n".join(lines)


@closed
@dataclass(frozen=True)
class Strongest:
    """How hard a figure can push before something gives."""

    site: str
    direction: Vec3
    """In which it pushes."""
    force: float
    """In newtons; infinite where nothing gives; NaN where it cannot even stand without a push."""
    limit: str
    """What gives first: "slips", "tips", "joint", or "nothing"; "cannot stand" where no contact
    forces balance the figure, "too weak" where some do, but joints cannot hold them."""
    joints: tuple[str, ...] = ()
    """The components that are at their strength, if joints give."""

    def __str__(self) -> str:
        """One line."""
        if self.limit in ("cannot stand", "too weak", "nothing"):
            words = {"too weak": "joints are too weak for the posture", "nothing": "nothing gives"}
            return f"{self.site}: {words.get(self.limit, self.limit)}"
        word = f"{', '.join(self.joints)} gives" if self.limit == "joint" else self.limit
        return f"{self.site}: {self.force:.0f} N, then {word}"
