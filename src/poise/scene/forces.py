"""The forces on a scene's figures: what users say of them, and what they ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.calls import public
from poise.checking import direction as checked_direction
from poise.checking import label, vector
from poise.closed import ReadOnlyDict, closed
from poise.errors import PoiseError, unknown_name
from poise.figure import Posture
from poise.scene.holding_torques import torques_in
from poise.statics.acting import Acting
from poise.statics.answers import Distribution, Strongest
from poise.statics.contacts import Contacts
from poise.statics.diagrams import StabilityDiagram, stability_diagram
from poise.statics.loads import FRICTION, Load, Reaction, Support, check_ratios
from poise.statics.strength import Person, Strengths
from poise.statics.torques import Torques

if TYPE_CHECKING:
    from poise.scene.wanting import Wanting


@closed
@public
class Forces:
    """Supports, applied forces and strengths of a scene's figures: `scene.forces`.

    All forces act on the figures, in world axes, in N and N·m; the weight is always there. Names
    are those that tasks use. Postures that are asked about are the scene's unless given.
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "supports": "use scene.forces.support and scene.forces.remove",
        "applied": "use scene.forces.apply and scene.forces.remove",
        "person": "use scene.forces.set_person",
        "strength": "use scene.forces.set_strength",
        "borne": "use scene.forces.use",
    }

    def __init__(self, scene: Wanting) -> None:
        """Begin with the weight alone."""
        self._scene = scene
        self._supports: dict[str, Support] = {}
        self._applied: dict[str, Load] = {}
        self._person: dict[str, float | str] = {}
        self._strength: dict[str, Any] = {}
        self._borne: tuple[Load, ...] = ()

    def __repr__(self) -> str:
        """How many of each."""
        return f"<Forces: {len(self._supports)} supports, {len(self._applied)} applied>"

    def _copied(self, scene: Wanting) -> Forces:
        """The same forces in a copy of the scene, which says so when it copies itself."""
        other = Forces(scene)
        other._supports, other._applied = dict(self._supports), dict(self._applied)
        other._person, other._strength = dict(self._person), dict(self._strength)
        other._borne = self._borne
        return other

    # what is said ----------------------------------------------------------------------------

    @property
    def supports(self) -> Mapping[str, Support]:
        """The supports by site."""
        return ReadOnlyDict(self._supports)

    @property
    def applied(self) -> Mapping[str, Load]:
        """The applied forces by name."""
        return ReadOnlyDict(self._applied)

    @property
    def person(self) -> Mapping[str, float | str]:
        """What was said of the person with `set_person`."""
        return ReadOnlyDict(self._person)

    @property
    def strength(self) -> Mapping[str, Any]:
        """What was said of strengths with `set_strength`."""
        return ReadOnlyDict(self._strength)

    @property
    def borne(self) -> tuple[Load, ...]:
        """What supports bear since `use`; nothing where they bear by their ratios."""
        return self._borne

    def support(self, site: str, *, ratio: float = 1.0, friction: float = FRICTION) -> Support:
        """Let a site bear a share of what balances the weight and all applied forces.

        The ratios of a figure's supports must add up to 1 when it is solved; they may be negative.
        Again, to change them. `distribute` finds the shares instead, and `friction` counts there.

        Args:
            site: a sole, a palm; with an outline all its corners can bear.
            ratio: its share.
            friction: the coefficient between it and the surface, greater than 0.
        """
        checked = Support(site, ratio=ratio, friction=friction)
        self._supports[self._checked_site(checked.site)] = checked
        self._changed()
        return checked

    def apply(
        self,
        site: str,
        *,
        force: ArrayLike = (0.0, 0.0, 0.0),
        torque: ArrayLike = (0.0, 0.0, 0.0),
        point: ArrayLike = (0.0, 0.0, 0.0),
        name: str | None = None,
    ) -> Load:
        """Apply a force (N) and a torque (N·m), in world axes, whatever the figure does.

        Again under the same name, to change it.

        Args:
            site: where.
            force: on the figure: a wall that is pushed at pushes back.
            torque: likewise.
            point: of application, in the site's frame (m).
            name: for removing and changing it; by default the site's. A second force on a site
                needs a name of its own, or it takes the place of the first.
        """
        load = Load(
            site,
            force=vector(force, f"the force (N) on {site!r}"),
            torque=vector(torque, f"the torque (N·m) on {site!r}"),
            point=vector(point, f"the point (m) on {site!r}"),
        )
        self._checked_site(load.site)
        self._applied[site if name is None else label(name, "force")] = load
        self._changed()
        return load

    def remove(self, name: str) -> None:
        """Take a support or an applied force away, by its name; if it is both, both."""
        if name not in self._supports and name not in self._applied:
            raise unknown_name("force or support", name, [*self._supports, *self._applied])
        self._supports.pop(name, None)
        self._applied.pop(name, None)
        self._changed()

    def clear(self) -> None:
        """Take all supports and applied forces away."""
        self._supports.clear()
        self._applied.clear()
        self._changed()

    def use(self, found: Distribution | Iterable[Load] | None) -> None:
        """Let supports bear the forces that `distribute` found, instead of shares by ratio.

        They count in `Equilibrium`, `Effort` and `torques` until a support or an applied force
        changes, or until `use(None)`. As they are found for one posture, one solves and finds in
        turn, a few times, where the posture is to change with them: so the feet come to bear what
        twists the figure, which no shares by ratio do.

        Args:
            found: what `distribute` gave, where it is feasible: in a scene of several figures it is
                of one, and what others bear stays. Or the loads of all supports, which balance the
                weight and what is applied.
        """
        others: list[Load] = []
        if isinstance(found, Distribution):
            if not found.is_feasible:
                raise PoiseError(f"these forces do not balance the figure: {found}")
            own = {each.site for each in found.contacts}
            others = [each for each in self._borne if each.site not in own]
            found = [each.load for each in found.contacts if any(each.force)]
        if not isinstance(found, (Iterable, type(None))) or isinstance(found, str):
            raise PoiseError(f"what supports bear must be loads, not {found!r}")
        loads = (*others, *(found or ()))
        for load in loads:
            if not isinstance(load, Load):
                raise PoiseError(f"what supports bear must be loads, not {load!r}")
            if load.site not in self._supports:
                raise unknown_name("support", load.site, self._supports)
        self._borne = loads
        self._scene._changed()

    def _changed(self) -> None:
        self._borne = ()  # it would no longer balance
        self._scene._changed()

    def set_person(self, **known: Any) -> None:
        """Say who is meant, where the figure does not: sex, age (years), mass (kg), stature (m).

        A ready human knows its sex, mass and stature, any other figure its mass. In a scene of
        several figures it is said of all of them. Saying it again replaces all of it.
        """
        Person.told(known)
        self._person = dict(known)
        self._scene._changed()

    def set_strength(self, values: Mapping[str, Any]) -> None:
        """Say how strong joints are (N·m): {"neck": 30, "left_elbow.flexion": (77, 46)}.

        By joint or component; a pair is for the direction in which the angle grows, and the other.
        They come before what tables have. Saying it again replaces all of it.
        """
        Strengths.given(self._figure, values)
        self._strength = dict(values)
        self._scene._changed()

    # what is asked ---------------------------------------------------------------------------

    @property
    def acting(self) -> Acting:
        """All of it, as tasks take it."""
        strengths = Strengths()
        scene = self._scene
        for name, figure in scene.given.items():
            person = Person.of(figure, **self._person)
            if person is not None:
                prefix = f"{name}/" if scene.has_several else ""
                strengths = strengths.with_others(Strengths.of_person(self._figure, person, prefix))
        strengths = strengths.with_others(Strengths.given(self._figure, self._strength))
        supports, applied = tuple(self._supports.values()), tuple(self._applied.values())
        return Acting(supports, applied, strengths, self._borne)

    def reactions(self, posture: Posture | ArrayLike | None = None) -> tuple[Reaction, ...]:
        """What each support bears, by its ratio or as it was found, and whether it slips."""
        acting, whole, result = self._scene._context().acting, self._figure, list[Reaction]()
        places = whole.place(self._q(posture))
        for figure in self._figures():
            segments, whose = self._segments(figure), repr(figure or whole.name)
            supports = acting.supports_of(whole, segments)
            if not (supports or self._scene.has_several):
                check_ratios(supports, whose)
            if supports:
                result += acting.reactions(whole, segments, whose, places)
        return tuple(result)

    def torques(
        self,
        posture: Posture | ArrayLike | None = None,
        *,
        forces: Distribution | None = None,
    ) -> Torques:
        """What each joint holds: moment, strength, share, the weakest first.

        Args:
            posture: in which; the scene's if not given.
            forces: those that `distribute` found, instead of the shares by ratio.
        """
        context = self._scene._context()
        if posture is not None:
            context = replace(context, posture=self._figure.posture(self._q(posture)))
        return torques_in(context, context.acting, forces)

    def distribute(
        self, posture: Posture | ArrayLike | None = None, *, figure: str | None = None
    ) -> Distribution:
        """Find the forces of all supports that balance the figure with the least effort.

        They act at the corners of the supports' outlines, inside their friction cones; ratios do
        not count. A load that cannot be balanced is said so in the result, with what is lacking.

        Args:
            posture: in which; the scene's if not given.
            figure: which, in a scene of several.
        """
        return self._contacts(posture, figure).distribute()

    def strongest(
        self,
        site: str,
        direction: ArrayLike | str,
        posture: Posture | ArrayLike | None = None,
        *,
        joints: bool = True,
    ) -> Strongest:
        """How hard the figure can push with a site before it slips, tips, or a joint gives.

        Args:
            site: such as "right_hand".
            direction: in which it pushes: a vector, or an axis as "x".
            posture: in which; the scene's if not given.
            joints: whether joints may give, too.
        """
        self._checked_site(site)
        towards = checked_direction(direction, "the direction of a push")
        return self._contacts(posture, self._owner(site)).strongest(site, towards, joints=joints)

    def diagram(
        self,
        site: str,
        posture: Posture | ArrayLike | None = None,
        *,
        plane: str = "xz",
        directions: int = 72,
    ) -> StabilityDiagram:
        """The postural stability diagram (Grieve): how hard a site can push in every direction.

        Args:
            site: such as "right_hand".
            posture: in which; the scene's if not given.
            plane: in which the directions lie: "xz" as seen from the side, "yz" or "xy".
            directions: how many.
        """
        self._checked_site(site)
        contacts = self._contacts(posture, self._owner(site))
        return stability_diagram(contacts, site, plane, directions)

    # what they need --------------------------------------------------------------------------

    @property
    def _figure(self) -> Any:
        return self._scene._context().figure

    def _q(self, posture: Posture | ArrayLike | None) -> NDArray[np.float64]:
        if posture is None:
            return self._scene._context().posture.q
        return self._figure.q_of(posture)

    def _figures(self) -> list[str | None]:
        return list(self._scene.figures) if self._scene.has_several else [None]

    def _segments(self, figure: str | None) -> list[str]:
        return self._scene._context().members(figure)

    def _checked_site(self, site: str) -> str:
        """A site, segment or joint on which a force can act; what stands in the world cannot."""
        self._figure.frame(site)
        prop = self._scene.props.get(site.partition("/")[0])
        if prop is not None and not prop.is_held:
            raise PoiseError(f"{site!r} stands still in the world: a force there moves no figure")
        return site

    def _owner(self, site: str) -> str | None:
        segment = self._figure.segment_of(site)
        for figure in self._figures():
            if segment in self._segments(figure):
                return figure
        raise PoiseError(f"{site!r} belongs to no figure")

    def _contacts(self, posture: Posture | ArrayLike | None, figure: str | None) -> Contacts:
        if figure is None and self._scene.has_several:
            names = ", ".join(self._scene.figures)
            raise PoiseError(f"there are several figures: name the one that is meant, of {names}")
        acting, segments = self._scene._context().acting, self._segments(figure)
        return Contacts(
            self._figure,
            self._q(posture),
            segments,
            acting.supports_of(self._figure, segments),
            acting.applied_on(self._figure, segments),
            acting.strengths,
        )
