"""The figure: a tree of segments and joints, and the questions it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise import kernel
from poise.calls import public
from poise.checking import (
    FARTHEST,
    array,
    direction,
    distinct,
    instances,
    label,
    mapping,
    number,
    optional,
    text,
)
from poise.closed import ReadOnlyDict, closed
from poise.errors import PoiseError, unknown_name
from poise.figure.assembly import coordinates_of, with_root
from poise.figure.kinds import Interval
from poise.figure.limbs import Limbs, checked_limbs, found_limbs
from poise.figure.naming import driven, driver, has_joint, no_coordinate
from poise.figure.packing import Packed, pack
from poise.figure.parts import WORLD, Coupling, Group, Joint, Segment, Site
from poise.figure.placements import Placements
from poise.figure.skin import Skin
from poise.figure.stiffness import Stiffness
from poise.figure.transform import Transform

if TYPE_CHECKING:
    from poise.figure.overlaps import Overlaps
    from poise.figure.posture import Posture
    from poise.figure.recipes import Recipe

Values = NDArray[np.float64]


def _recipe(value: Any) -> Any:
    from poise.figure.recipes import Recipe

    return optional(value, Recipe, "the recipe of a figure")


@closed
@public
class Figure:
    """A tree of rigid segments joined by joints, with sites, couplings, groups and postures.

    Made by a `Builder`, by `poise.load`, or by the ready figures; its structure does not change
    afterwards. `lock` and `stiffness` do: they say how a solver may move it.

    Attributes:
        name: what it is called.
        description: one line about it.
        segments: the rigid parts by name, as `Segment`.
        joints: what joins them by name, as `Joint`; those that groups drive are among them.
        sites: named frames on segments, as `Site`.
        couplings: linear laws between coordinates by name, as `Coupling`.
        groups: joints that are driven together by name, as `Group`.
        limbs: names of coordinates by limb, such as "left_arm"; two limbs may share some. Stated,
            or as `poise.figure.limbs` finds them.
        coordinates: names of the n coordinates in the order of q, such as "left_knee.flexion".
        lower: box limits (n,) in radians and metres, −inf where there is none; not to be written.
        upper: the same for the other end, +inf where there is none.
        postures: the q (n,) of named postures; `posture(name)` makes one.
        stiffness: how reluctant joints are to move, by name: 0 free, towards 1 rigid.
        skin: what it wears in pictures rather than its shapes, if its file brought a skin along.
        recipe: which ready figure it is, with its arguments, also with another root; None for any
            other.
    """

    name: str
    description: str
    segments: Final[Mapping[str, Segment]]
    joints: Final[Mapping[str, Joint]]
    sites: Final[Mapping[str, Site]]
    couplings: Final[Mapping[str, Coupling]]
    groups: Final[Mapping[str, Group]]
    coordinates: Final[list[str]]
    lower: Final[Values]
    upper: Final[Values]
    postures: Final[dict[str, Values]]
    stiffness: Final[Stiffness]
    skin: Skin | None
    recipe: Recipe | None

    _checks: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "name": lambda value: label(value, "figure"),
        "description": lambda value: text(value, "the description of a figure"),
        "skin": lambda value: optional(value, Skin, "the skin of a figure"),
        "recipe": _recipe,
    }
    _instead: ClassVar[Mapping[str, str]] = {
        "postures": "set one by name: figure.postures['sitting'] = q",
        "stiffness": "set it by name: figure.stiffness['spine'] = 0.5",
        "limbs": "figure.with_limbs makes a figure with more limbs",
        "lower": "limits are those of the joints' kinds, which a Builder takes",
        "upper": "limits are those of the joints' kinds, which a Builder takes",
        "locked": "use figure.lock and figure.unlock",
        "locked_names": "use figure.lock and figure.unlock",
        "*": "a figure's structure does not change: a Builder makes another",
    }

    def __init__(
        self,
        name: str,
        segments: Sequence[Segment],
        joints: Sequence[Joint],
        *,
        sites: Sequence[Site] = (),
        couplings: Sequence[Coupling] = (),
        groups: Sequence[Group] = (),
        limbs: Mapping[str, str | Iterable[str]] | None = None,
        postures: Mapping[str, Mapping[str, float]] | None = None,
        description: str = "",
    ) -> None:
        """Put the parts together and check that they make a tree.

        Args:
            name: the figure's name.
            segments: the rigid parts.
            joints: what joins them; one whose parent is "world" holds the figure to the ground.
                Without one the root segment stands still in the world's origin.
            sites: named frames.
            couplings: linear laws between coordinates.
            groups: joints driven together.
            limbs: joints, groups or coordinates by the name of their limb; without any, limbs
                follow from names and from who carries whom, see `poise.figure.limbs`.
            postures: named postures, by coordinate name; "rest" is the one that `rest()` gives.
                Coordinates that are not named are zero.
            description: one line about it.
        """
        self.name = name
        self.description = description
        segments = instances(segments, Segment, f"segments of {name!r}")
        joints = instances(joints, Joint, f"joints of {name!r}")
        sites = instances(sites, Site, f"sites of {name!r}")
        couplings = instances(couplings, Coupling, f"couplings of {name!r}")
        groups = instances(groups, Group, f"groups of {name!r}")
        distinct([segment.name for segment in segments], "segment")
        distinct([joint.name for joint in joints], "joint")
        distinct([site.name for site in sites], "site")
        distinct([coupling.name for coupling in couplings], "coupling")
        distinct([*(group.name for group in groups), *(joint.name for joint in joints)], "joint")
        self.segments = ReadOnlyDict({segment.name: segment for segment in segments})
        joints = with_root(name, self.segments, joints)
        self.joints = ReadOnlyDict({joint.name: joint for joint in joints})
        self.sites = ReadOnlyDict({site.name: site for site in sites})
        self.couplings = ReadOnlyDict({coupling.name: coupling for coupling in couplings})
        self.groups = ReadOnlyDict({group.name: group for group in groups})
        for site in sites:
            if site.segment not in self.segments:
                raise unknown_name("segment", site.segment, self.segments, f"site {site.name!r}")
        self.coordinates, self.lower, self.upper = coordinates_of(joints, groups)
        self.lower.flags.writeable = self.upper.flags.writeable = False
        self._index = {coordinate: i for i, coordinate in enumerate(self.coordinates)}
        for coupling in couplings:
            for coordinate in coupling.terms:
                self.index(coordinate, f"coupling {coupling.name!r}")
        self._limbs: Limbs | None = None
        self._stated = None if limbs is None else checked_limbs(self, limbs)
        self.postures = {}
        self._vouched: dict[str, Values] = {}
        allowed = "values by coordinate, by name"
        for each, values in mapping(postures or {}, f"the postures of {name!r}", allowed).items():
            label(each, "posture")
            q = np.zeros(self.n)
            what = f"posture {each!r} of {name!r}"
            for coordinate, value in mapping(values, what, "values by coordinate").items():
                what = f"{coordinate!r} of posture {each!r}"
                q[self.index(coordinate, f"posture {each!r}")] = number(value, what)
            self.postures[each] = q
        self._packed: Packed | None = None
        self._locked: set[str] = set()
        self.stiffness = Stiffness(self)
        self.skin = None
        self.recipe = None

    def __getstate__(self) -> dict[str, Any]:
        """All but what is made of it when first needed."""
        state = {**vars(self), "_packed": None}
        state.pop("bounds", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As it was; numpy forgets which arrays cannot be written."""
        vars(self).update(state)
        self.lower.flags.writeable = self.upper.flags.writeable = False

    def __repr__(self) -> str:
        """The name and size."""
        return f"<Figure {self.name!r}: {self.n} coordinates, {len(self.segments)} segments>"

    # sizes and names -----------------------------------------------------------------

    @property
    def n(self) -> int:
        """The number of coordinates; a group counts its parameters."""
        return len(self.coordinates)

    def index(self, coordinate: str, where: str | None = None) -> int:
        """The place of a coordinate in q."""
        if coordinate not in self._index:
            raise no_coordinate(self, coordinate, where)
        return self._index[coordinate]

    @property
    def limbs(self) -> Limbs:
        """Names of coordinates by limb; two limbs may share some."""
        if self._limbs is None:
            self._limbs = found_limbs(self) if self._stated is None else self._stated
        return self._limbs

    @property
    def stated_limbs(self) -> Limbs | None:
        """The limbs if they were stated; None where they follow from names, see `limbs`."""
        return self._stated

    def indices(self, name: str, instead: str | None = None) -> NDArray[np.int64]:
        """The places in q of what a name means where joints are chosen, in rising order.

        It is looked up among coordinates, joints and groups, then limbs: a joint `neck` comes
        before a limb `neck`, of which `figure.limbs["neck"]` has the coordinates. A joint that a
        group drives has none, which is an error.

        Args:
            name: of the coordinate, joint, group or limb.
            instead: what that error advises, with {group} for the group's name.
        """
        if not isinstance(name, str):
            raise PoiseError(f"a joint, group, limb or coordinate goes by its name, not {name!r}")
        if has_joint(self, name):
            return np.arange(self.n)[self.span(name, instead)]
        if name not in self.limbs:
            raise no_coordinate(self, name, parts=True, limbs=True)
        return np.array([self._index[each] for each in self.limbs[name]], np.int64)

    def span(self, name: str, instead: str | None = None) -> slice:
        """The places in q of a joint's or group's coordinates, or of one coordinate.

        A joint that a group drives has none, which is an error. So is a limb, whose coordinates
        need not be beside each other: for those there is `indices`.

        Args:
            name: of the joint, group or coordinate.
            instead: what that error advises, with {group} for the group's name.
        """
        if not isinstance(name, str):
            raise PoiseError(f"a joint, group or coordinate goes by its name, not {name!r}")
        if name in self._index:
            return slice(self._index[name], self._index[name] + 1)
        part = self.groups.get(name) or self.joints.get(name)
        if part is None:
            raise no_coordinate(self, name, parts=True)
        if not part.coordinates:
            return slice(0, 0)
        if part.coordinates[0] not in self._index:
            group = driver(self, name)
            assert group is not None
            raise driven(group, name, instead)
        first = self._index[part.coordinates[0]]
        return slice(first, first + len(part.coordinates))

    @property
    def ghosts(self) -> frozenset[str]:
        """The segments that collide with nothing: props that are not solid."""
        return frozenset()

    @cached_property
    def overlaps(self) -> Overlaps:
        """Pairs of segments that touch by design, and how deep they may: see `Overlaps`."""
        from poise.figure.overlaps import Overlaps

        return Overlaps(self)

    @property
    def root_coordinates(self) -> NDArray[np.bool_]:
        """Which coordinates (n,) belong to joints that hold the figure to the ground."""
        result = np.zeros(self.n, bool)
        for joint in self.joints.values():
            if joint.parent == WORLD:
                result[self.span(joint.name)] = True
        return result

    def frame(self, name: str) -> tuple[int, Transform]:
        """The node on which a named frame rides, and its place in that node's frame.

        A name is looked up among sites, then segments (the segment's frame), then joints (the
        joint's frame, fixed in its parent segment).
        """
        if name in self.sites:
            site = self.sites[name]
            node, place = self.packed.segments[site.segment]
            return node, place @ site.place
        if name in self.segments:
            return self.packed.segments[name]
        if name in self.joints:
            return self.packed.joints[name]
        names = dict.fromkeys([*self.sites, *self.segments, *self.joints])
        raise unknown_name("site, segment or joint", name, names)

    def segment_of(self, name: str) -> str:
        """The segment that carries a site, or is named so, or is a joint's child."""
        if name in self.sites:
            return self.sites[name].segment
        if name in self.segments:
            return name
        if name in self.joints:
            return self.joints[name].child
        names = dict.fromkeys([*self.sites, *self.segments, *self.joints])
        raise unknown_name("site, segment or joint", name, names)

    # postures ------------------------------------------------------------------------

    def posture(self, q: ArrayLike | str | None = None) -> Posture:
        """A posture: with the coordinates q (n,), or a named one, or with all coordinates zero.

        A named posture must be within limits; one that breaks any is refused.
        """
        from poise.figure.posture import Posture

        if isinstance(q, str):
            return self._named(q)
        return Posture(self, np.zeros(self.n) if q is None else q)

    def rest(self) -> Posture:
        """The figure's natural posture; all coordinates zero (clamped) if it names none."""
        return self._named("rest") if "rest" in self.postures else self.clamp(self.posture())

    def _named(self, name: str) -> Posture:
        if name not in self.postures:
            raise unknown_name("posture", name, self.postures, f"the figure {self.name!r}")
        from poise.figure.ranges import refuse_broken

        # Here rather than when the figure is built: limits are the kernels' business, and building
        # should not wait for them. What a file loses by rounding is mended.
        if not np.array_equal(self._vouched.get(name, ()), self.postures[name]):
            refuse_broken(self, name, tolerance=1e-6)
            self.postures[name] = self.clamp(self.postures[name]).q
            self.vouch_for(name)
        return self.posture(self.postures[name])

    def vouch_for(self, name: str) -> None:
        """Say that a named posture is within limits, so that it is not checked when asked for.

        The check compiles kernels; the ready figures are tested instead.
        """
        self._vouched[name] = self.postures[name].copy()

    def q_of(self, posture: Posture | ArrayLike) -> Values:
        """The coordinates of a posture of this figure, or of a plain vector, checked."""
        from poise.figure.posture import Posture, checked

        if isinstance(posture, Posture):
            if posture.figure is not self and posture.figure.coordinates != self.coordinates:
                raise PoiseError(
                    f"a posture of {posture.figure.name!r} ({posture.figure.n} coordinates) does "
                    f"not fit the figure {self.name!r} ({self.n} coordinates)"
                )
            posture = posture.q
        return checked(self, posture)

    def members(self, posture: Posture | ArrayLike) -> Mapping[str, float]:
        """The coordinates of all joints by name, those that groups drive included."""
        state = self._placed(posture)
        names = [each for joint in self.joints.values() for each in joint.coordinates]
        return dict(zip(names, state.member.tolist(), strict=True))

    # kinematics ----------------------------------------------------------------------

    @property
    def packed(self) -> Packed:
        """The flat form that kernels use; made when first needed."""
        if self._packed is None:
            joints = list(self.joints.values())
            self._packed = pack(self.segments, joints, list(self.groups.values()), self._index)
        return self._packed

    @cached_property
    def bounds(self) -> kernel.limits.bounds.Bounds:
        """Limits and couplings for the kernels; made when first needed."""
        from poise.figure.clamping import pack_bounds

        return pack_bounds(self)

    def place(self, posture: Posture | ArrayLike) -> Placements:
        """Where everything is: a mapping from the names of sites, segments and joints."""
        state = self._placed(posture)
        return Placements(self, state.rotation, state.position)

    def jacobian(
        self, posture: Posture | ArrayLike, name: str, *, point: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Values:
        """How a named frame moves with each coordinate: (6, n), position rows, then rotation rows.

        In world axes; metres or radians for each radian or metre of a coordinate.

        Args:
            posture: where to differentiate.
            name: a site, segment or joint.
            point: the point whose velocity is meant, in that frame.
        """
        node, place = self.frame(name)
        local = place.apply(array(point, "the point", (3,), most=FARTHEST, unit="m"))
        tree, state = self.packed.tree, self._differentiated(posture)
        rows, at = np.zeros((6, self.n)), np.empty(3)
        kernel.body.kinematics.locate(state, node, local, at)
        kernel.body.kinematics.point_rows(tree, state, node, at, rows[:3])
        kernel.body.kinematics.turn_rows(tree, state, node, rows[3:])
        return rows

    @cached_property
    def mass(self) -> float:
        """The mass of the whole figure, in kg."""
        return float(sum(segment.mass_properties()[0] for segment in self.segments.values()))

    def center_of_mass(self, posture: Posture | ArrayLike) -> Values:
        """The centre of mass (3,), in the world."""
        self._require_mass()
        tree, state, center = self.packed.tree, self._placed(posture), np.empty(3)
        kernel.body.masses.gather(tree, state, False)
        kernel.body.masses.center_of_mass(tree, state, center)
        return center

    def center_of_mass_jacobian(self, posture: Posture | ArrayLike) -> Values:
        """How the centre of mass moves with each coordinate: (3, n)."""
        self._require_mass()
        tree, state = self.packed.tree, self._differentiated(posture)
        rows = np.zeros((3, self.n))
        kernel.body.masses.gather(tree, state, False)
        kernel.body.masses.center_of_mass_rows(tree, state, rows)
        return rows

    def inertia(self, posture: Posture | ArrayLike, axis: ArrayLike | str) -> float:
        """The moment of inertia about an axis through the centre of mass, in kg·m²."""
        return self._inertia(posture, axis)[0]

    def inertia_gradient(self, posture: Posture | ArrayLike, axis: ArrayLike | str) -> Values:
        """How `inertia` changes with each coordinate: (n,)."""
        return self._inertia(posture, axis)[1]

    def _inertia(self, posture: Posture | ArrayLike, axis: ArrayLike | str) -> tuple[float, Values]:
        self._require_mass()
        u = np.array(direction(axis, "the axis"))
        tree, state, row = self.packed.tree, self._differentiated(posture), np.zeros(self.n)
        kernel.body.masses.gather(tree, state, True)
        value = float(kernel.body.masses.inertia(tree, state, u, row))
        return value, row

    def _placed(self, posture: Posture | ArrayLike) -> kernel.body.tree.State:
        # New room for every question, so that threads may ask at the same time.
        state = kernel.body.tree.state(self.packed.tree)
        kernel.body.kinematics.place(self.packed.tree, self.q_of(posture), state)
        return state

    def _differentiated(self, posture: Posture | ArrayLike) -> kernel.body.tree.State:
        state = self._placed(posture)
        kernel.body.kinematics.differentiate(self.packed.tree, state)
        return state

    def _require_mass(self) -> None:
        if self.mass <= 0:
            raise PoiseError(f"the figure {self.name!r} has no mass; give its segments masses")

    # limits --------------------------------------------------------------------------

    def within_limits(self, posture: Posture | ArrayLike, *, tolerance: float = 1e-9) -> bool:
        """Whether no joint limit and no coupling is broken by more than a tolerance."""
        return self.violation(posture) <= tolerance

    def violation(self, posture: Posture | ArrayLike) -> float:
        """How far the worst limit or coupling is broken (rad or m); not positive when valid."""
        from poise.figure.clamping import violation

        return violation(self, self.q_of(posture))

    def broken_limits(
        self, posture: Posture | ArrayLike, *, tolerance: float = 1e-9
    ) -> dict[str, float]:
        """By how much (rad or m) each limit is broken, where it is by more than a tolerance.

        By the name of the coordinate whose box it is, of the joint whose swing or twist it is, or
        of the coupling.
        """
        from poise.figure.ranges import broken

        q = self.q_of(posture)
        return {} if self.violation(q) <= tolerance else broken(self, q, tolerance)

    def range(self, name: str) -> dict[str, Interval]:
        """How far each angle goes by itself, the others at rest: (lower, upper) by angle.

        Radians and metres; ±inf where nothing limits it. Angles are those of `Posture.angles`:
        clinical ones where the joint names them, else coordinates. Those of a joint that a group
        drives are what the group can do with it. Of an angle that limits forbid in between, the
        part that holds the rest is meant. Couplings with other joints are left aside.

        Args:
            name: a joint, a group or a coordinate.
        """
        from poise.figure.ranges import range_of

        return range_of(self, name)

    def clamp(self, posture: Posture | ArrayLike) -> Posture:
        """The nearest posture within all limits and couplings.

        Each joint moves to its nearest valid configuration: the segment's direction by the
        shortest way on the sphere and without induced twist, then the twist to its nearest
        end (thesis 3.7). Twists of balls may go round to get there, hinges may not: a stop is a
        stop. Couplings that are broken then are mended by the least change of coordinates. A
        valid posture is returned as it is, to the last bit.
        """
        from poise.figure.clamping import clamp

        return self.posture(clamp(self, self.q_of(posture)))

    # how solvers may move it -----------------------------------------------------------

    def lock(self, *names: str | Iterable[str]) -> None:
        """Keep joints, groups, limbs or coordinates where they are in every solve."""
        for each in _each(names):
            self.indices(each, "lock({group}) instead")
            self._locked.add(each)

    def unlock(self, *names: str | Iterable[str]) -> None:
        """Let what was locked move again, by the names that were locked; without any, all."""
        given = list(_each(names))
        for each in given:
            if each not in self._locked:
                raise unknown_name("locked joint", each, sorted(self._locked))
        self._locked -= set(given if names else self._locked)

    def twin(self) -> Figure:
        """The same figure with stiffness and locks of its own, as they are now; all else shared."""
        other = object.__new__(type(self))
        stiffness = Stiffness(other, self.stiffness.values)
        vars(other).update({**vars(self), "stiffness": stiffness, "_locked": set(self._locked)})
        return other

    __copy__ = twin

    @property
    def locked_names(self) -> tuple[str, ...]:
        """What was locked, by name."""
        return tuple(sorted(self._locked))

    @property
    def locked(self) -> NDArray[np.bool_]:
        """Which coordinates are locked (n,)."""
        result = np.zeros(self.n, bool)
        for each in self._locked:
            result[self.indices(each)] = True
        return result

    # sites, roots and files ------------------------------------------------------------

    def with_site(
        self,
        name: str,
        segment: str,
        position: Any = None,
        *,
        rotation: Any = None,
        outline: Iterable[tuple[float, float]] = (),
    ) -> Figure:
        """The same figure with one more site, such as the sole of a robot that was loaded.

        This figure stays as it is; its postures fit the new one, whose stiffness and locks are its
        own from now on.

        Args:
            name: of the site.
            segment: the segment that carries it.
            position: in the segment's frame (m), the origin if not given; or a whole frame, see
                `poise.figure.frames`.
            rotation: a matrix (3, 3), a unit quaternion (w x y z) or a rotation vector (rad); none
                if not given. The z axis of a sole or a palm points out of the body.
            outline: of a sole, counter-clockwise in the x-y plane of the site (m); see `Site`.
        """
        from poise.figure.siting import with_site

        return with_site(self, name, segment, position, rotation, outline)

    def with_outline(self, site: str, outline: Iterable[tuple[float, float]]) -> Figure:
        """The same figure with another outline on a site, on which it can then stand.

        Args:
            site: the name of a site.
            outline: counter-clockwise in the x-y plane of the site (m); empty to have none.
        """
        from poise.figure.siting import with_outline

        return with_outline(self, site, outline)

    def with_limbs(self, limbs: Mapping[str, str | Iterable[str]]) -> Figure:
        """The same figure with more limbs; one of a name that it has takes that one's place.

        This figure stays as it is; its postures fit the new one, whose stiffness and locks are its
        own from now on.

        Args:
            limbs: joints, groups or coordinates by the name of their limb.
        """
        from poise.figure.limbs import with_limbs

        return with_limbs(self, limbs)

    def rooted_at(
        self, name: str, posture: Posture | ArrayLike, *, root: str | None = None
    ) -> tuple[Figure, Posture]:
        """The same figure with another root, in the same place: (figure, posture).

        Every joint but the root keeps its coordinates, every placement stays.

        Args:
            name: the segment that becomes the root, or a site on it.
            posture: where the figure is now.
            root: "free" or "fixed"; by default what the root is now.
        """
        from poise.figure.rerooting import rooted_at

        return rooted_at(self, name, self.q_of(posture), root)

    def save(self, path: str | Path) -> None:
        """Write a figure file (YAML) that a person can edit and `poise.load` reads."""
        from poise.figure.files import save

        if not isinstance(path, (str, Path)):
            raise PoiseError(f"the path of a figure file must be a string or a Path, not {path!r}")
        save(self, Path(path))


def _each(names: Iterable[str | Iterable[str]]) -> Iterator[str]:
    """Names one by one, whether they were given so or in lists."""
    for each in names:
        if isinstance(each, str) or not isinstance(each, Iterable):
            yield each
        else:
            yield from each
