"""Building a figure in Python, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poise.calls import public
from poise.checking import Vec3, array, label, number, text
from poise.closed import closed
from poise.errors import PoiseError, unknown_name
from poise.figure.figure import Figure
from poise.figure.kinds import Fixed, Free, Interval, JointKind
from poise.figure.parts import WORLD, Coupling, Group, Joint, Monomial, Segment, Site, Terms
from poise.figure.shapes import Shape
from poise.units import refuse_turn_in_degrees

_ZERO: Vec3 = (0.0, 0.0, 0.0)
_NO_ANGLES: Mapping[str, Mapping[str, float] | float] = MappingProxyType({})


@closed
@public
class Builder:
    """Collects the parts of a figure; `build()` puts them together.

    ```python
    arm = Builder("arm")
    arm.segment("base")
    arm.segment("upper", shapes=[Capsule((0, 0, 0), (0.3, 0, 0), 0.04)], density=1000)
    arm.joint("shoulder", Ball(axis="x"), "base", "upper")
    arm.site("tip", "upper", (0.3, 0, 0))
    figure = arm.build()
    ```
    """

    name: str
    description: str

    _checks: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "name": lambda value: label(value, "figure"),
        "description": lambda value: text(value, "the description of a figure"),
    }

    def __init__(self, name: str, description: str = "") -> None:
        """Start with nothing."""
        self.name = name
        self.description = description
        self._segments: list[Segment] = []
        self._joints: list[Joint] = []
        self._sites: list[Site] = []
        self._couplings: list[Coupling] = []
        self._groups: list[Group] = []
        self._limbs: dict[str, str | Iterable[str]] | None = None
        self._postures: dict[str, dict[str, float]] = {}
        self._angles: dict[str, dict[str, dict[str, float] | float]] = {}

    def __repr__(self) -> str:
        """The name and what it has so far."""
        segments, joints = len(self._segments), len(self._joints)
        return f"<Builder of {self.name!r}: {segments} segments and {joints} joints so far>"

    def segment(
        self,
        name: str,
        *,
        mass: float | None = None,
        center: Vec3 | None = None,
        inertia: Any = None,
        shapes: Iterable[Shape] = (),
        density: float | None = None,
        color: str | None = None,
    ) -> None:
        """Add a rigid part; see `Segment`.

        The inertia is a matrix, or three principal moments about the segment's own axes.
        """
        if inertia is not None and np.shape(inertia) == (3,):
            inertia = np.diag(array(inertia, f"the inertia of segment {name!r}", (3,)))
        self._segments.append(Segment(name, mass, center, inertia, tuple(shapes), density, color))

    def joint(
        self,
        name: str,
        kind: JointKind,
        parent: str,
        child: str,
        position: ArrayLike = _ZERO,
        *,
        rotation: ArrayLike = _ZERO,
        child_position: ArrayLike = _ZERO,
        child_rotation: ArrayLike = _ZERO,
        clinical: Mapping[str, str] | None = None,
    ) -> None:
        """Join a child segment to its parent; see `Joint`.

        A rotation vector longer than a full turn is refused: it will be in degrees.
        """
        joint = Joint(
            name,
            kind,
            parent,
            child,
            position,  # type: ignore[arg-type]  # checked and made a tuple there
            rotation,  # type: ignore[arg-type]
            child_position,  # type: ignore[arg-type]
            child_rotation,  # type: ignore[arg-type]
            clinical or {},
        )
        refuse_turn_in_degrees(joint.rotation, f"the rotation of joint {name!r}")
        refuse_turn_in_degrees(joint.child_rotation, f"the child rotation of joint {name!r}")
        self._joints.append(joint)

    def root(self, segment: str, kind: str = "free", position: ArrayLike = _ZERO) -> None:
        """Hold a segment to the ground: "free" (it may go anywhere) or "fixed"."""
        if kind not in ("free", "fixed"):
            raise PoiseError(f"a root must be 'free' or 'fixed', not {kind!r}")
        self.joint("root", Free() if kind == "free" else Fixed(), WORLD, segment, position)

    def site(
        self,
        name: str,
        segment: str,
        position: ArrayLike = _ZERO,
        *,
        rotation: ArrayLike = _ZERO,
        outline: Iterable[tuple[float, float]] = (),
    ) -> None:
        """Name a frame on a segment; see `Site`.

        A rotation vector longer than a full turn is refused: it will be in degrees.
        """
        site = Site(name, segment, position, rotation, tuple(outline))  # type: ignore[arg-type]
        refuse_turn_in_degrees(site.rotation, f"the rotation of site {name!r}")
        self._sites.append(site)

    def couple(
        self, name: str, terms: Terms, *, lower: float = -np.inf, upper: float = np.inf
    ) -> None:
        """Bind coordinates by a linear law; see `Coupling`."""
        self._couplings.append(Coupling(name, terms, lower, upper))

    def group(
        self,
        name: str,
        parameters: Mapping[str, Interval],
        members: Mapping[str, Terms | tuple[Monomial, ...]],
    ) -> None:
        """Drive joints together; see `Group`."""
        self._groups.append(Group(name, parameters, members))

    def limb(self, name: str, joints: str | Iterable[str]) -> None:
        """Name a limb: joints, groups or coordinates, such as those of the left arm.

        Once one is named, the figure has no others. Without any they follow from the names of
        joints and segments; see `poise.figure.limbs`.
        """
        limbs = self._limbs = self._limbs or {}
        if name in limbs:
            raise PoiseError(f"there are two limbs named {name!r}; names must be unique")
        limbs[name] = joints

    def posture(
        self,
        name: str,
        angles: Mapping[str, Mapping[str, float] | float] = _NO_ANGLES,
        **coordinates: float,
    ) -> None:
        """Name a posture; what is not given is zero.

        "rest" is the posture that the figure takes by itself.

        Args:
            name: of the posture.
            angles: clinical angles (radians) by joint or group, `{"hip": {"flexion": 0.2}}`; of a
                joint with one coordinate just the number, `{"knee": 0.1}`.
            coordinates: of the root, `z=0.9`; with a full name, `**{"root.z": 0.9}`, of any joint.
        """
        self._angles[name] = {
            joint: dict(values) if isinstance(values, Mapping) else values
            for joint, values in angles.items()
        }
        self._postures[name] = {
            key if "." in key else f"root.{key}": value for key, value in coordinates.items()
        }

    def build(self) -> Figure:
        """Put the parts together."""
        figure = Figure(
            self.name,
            self._segments,
            self._joints,
            sites=self._sites,
            couplings=self._couplings,
            groups=self._groups,
            limbs=self._limbs,
            postures=self._postures,
            description=self.description,
        )
        for name, angles in self._angles.items():
            posture = figure.posture(figure.postures[name])
            for joint, values in angles.items():
                if joint not in figure.joints and joint not in figure.groups:
                    names = [*figure.groups, *figure.joints]
                    raise unknown_name("joint or group", joint, names, f"posture {name!r}")
                if not isinstance(values, dict):
                    value = number(values, f"{joint!r} of posture {name!r}")
                    names = list(posture.angles(joint))
                    if len(names) != 1:
                        listed = f" ({', '.join(names)})" if names else ""
                        raise PoiseError(
                            f"posture {name!r}: {joint!r} has {len(names)} angles{listed}; one "
                            "number will not do, give them by name"
                        )
                    values = {names[0]: value}
                posture.set_angles(joint, **values)
            figure.postures[name] = posture.q
        return figure
