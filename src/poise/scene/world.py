"""The world of a scene: figures in postures, and props that are held or stand about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.calls import known_as, public
from poise.checking import place as place_in_metres
from poise.closed import ReadOnlyDict
from poise.errors import PoiseError, unknown_name
from poise.figure import WORLD, Figure, Placements, Posture, Transform
from poise.figure.frames import turned_place
from poise.figure.props import Prop
from poise.scene.distances import warn_if_far
from poise.scene.ensemble import Ensemble
from poise.scene.things import Thing
from poise.units import heading as checked_heading


@known_as("Scene", "poise.scene.scene")
@public
class World:
    """Figures where they are now, with props."""

    def __init__(self, figures: Figure | Mapping[str, Figure] | Iterable[Figure]) -> None:
        """Begin with figures at rest and no props."""
        self._ensemble = Ensemble(figures)

    # figures and postures --------------------------------------------------------------

    @property
    def figures(self) -> Mapping[str, Figure]:
        """The figures by name; a figure that was given alone has its own."""
        return self._ensemble.figures

    @property
    def figure(self) -> Figure:
        """The one figure, with what it holds; where there are several, see `figures`."""
        if len(self.figures) > 1:
            listed = ", ".join(self.figures)
            raise PoiseError(
                f"there are several figures, {listed}", code=": use scene.figures, by name"
            )
        return self.figures[self._ensemble.only()]

    @property
    def given(self) -> Mapping[str, Figure]:
        """The figures as they were given, without what they hold."""
        return self._ensemble.given

    @property
    def has_several(self) -> bool:
        """Whether names are written `figure/name`: the figures were given by name or in a list."""
        return self._ensemble.is_merged

    @property
    def posture(self) -> Posture:
        """Where a solve starts, and what a task without a target refers to.

        Set to a `Posture` of the figure or its coordinates (n,); where there are several
        figures, to a mapping with a posture for some or all of them, as `postures`.
        """
        return self._ensemble.postures[self._ensemble.only()]

    @posture.setter
    def posture(self, value: Posture | ArrayLike | Mapping[str, Posture]) -> None:
        if not isinstance(value, (Posture, np.ndarray)) and isinstance(value, Mapping):
            for name in value:
                self._ensemble.figure(name)
            for name, posture in value.items():
                self._ensemble.take(name, posture)
        else:
            self._ensemble.take(self._ensemble.only(), value)

    @property
    def postures(self) -> Mapping[str, Posture]:
        """The postures of all figures, by name; set some or all of them with a mapping."""
        return ReadOnlyDict(self._ensemble.postures)

    @postures.setter
    def postures(self, value: Mapping[str, Posture]) -> None:
        if not isinstance(value, Mapping):
            raise PoiseError(f"postures must be given by the figures' names, not as {value!r}")
        self.posture = value

    @property
    def q(self) -> NDArray[np.float64]:
        """All coordinates of all figures, one figure after the other; a copy. Set all at once."""
        return self._ensemble.q()

    @q.setter
    def q(self, value: ArrayLike) -> None:
        whole = self._ensemble.whole
        self._ensemble.postures = self._ensemble.split(whole.q_of(value))

    @property
    def together(self) -> Posture:
        """All figures with what they hold as one figure, in their postures, as files have them.

        Of several figures all parts are named `figure/name`; props that stand in the world are
        not in it.
        """
        return self._ensemble.together(self._ensemble.q())

    @property
    def places(self) -> Placements:
        """Where everything is now, by the names that tasks use, props included."""
        return self._ensemble.whole.place(self._ensemble.q())

    def stand(
        self,
        figure: str | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        heading: float = 0.0,
    ) -> None:
        """Put a figure with a free root somewhere, standing as it does at rest.

        The root comes to where it is at rest, moved to the position and turned; other joints
        stay as they are. For the start of a solve: pins made before stay where they were.

        Args:
            figure: its name; may be left out where there is but one.
            position: in the world, of the point that is in the origin at rest (m).
            heading: a turn to the left about the vertical (rad); at 0 a figure faces as at rest.
                A whole number beyond a full turn is refused: it will be in degrees.
        """
        if figure is None:
            if len(self.figures) > 1:
                listed = ", ".join(self.figures)
                raise PoiseError(f"there are several figures, {listed}: say which one is to stand")
            figure = self._ensemble.only()
        chosen = self._ensemble.figure(figure)
        roots = [joint for joint in chosen.joints.values() if joint.parent == WORLD]
        if len(roots) != 1 or not roots[0].kind.is_free:
            raise PoiseError(f"{figure!r} cannot be stood elsewhere: its root is not free")
        (root,) = roots
        turn = (0.0, 0.0, checked_heading(heading))
        moved = Transform.make(place_in_metres(position, "the position"), turn)
        place = moved @ chosen.place(chosen.rest()).segment(root.child)
        motion = root.before.inverse() @ place @ root.after.inverse()
        self._ensemble.postures[figure][root.name] = root.kind.values(motion)

    # props ---------------------------------------------------------------------------------

    @property
    def props(self) -> Mapping[str, Thing]:
        """The props by name: held, or standing in the world."""
        return self._ensemble.things

    def hold(self, prop: Prop | str, site: str, *, at: Any = None) -> Thing:
        """Let a figure hold a prop: its mass and its sites, `prop/site`, become the figure's.

        The figure in `figures`, in `posture` and in solutions has it from now on, as a segment of
        the prop's name. A prop that is in the scene already, given by itself or by its name,
        changes hands; without `at` it keeps the place where it is.

        Args:
            prop: such as `poise.box(0.3, 0.2, 0.2, mass=5.0)`.
            site: what holds it, a site, segment or joint; `figure/name` where there are several.
            at: the prop's own site that coincides with it (a face lies flat on a palm), or the
                prop's frame in that of the site, as in `place`; without, a new prop has its centre
                there.
        """
        name, known = self._prop_named(prop)
        figure, own = self._ensemble.owner(site)
        joint = self._ensemble.given[figure].joints.get(own)
        if joint and joint.parent == WORLD and own not in self._ensemble.given[figure].segments:
            raise PoiseError(
                f"{site!r} stands still in the world", code="; `scene.place` puts a prop there"
            )
        if isinstance(at, str):
            place = known.site(at).inverse()
        elif at is not None:
            place = turned_place(at, None, f"of {name!r} in {site!r}")
        elif name in self.props:
            place = self.places[site].inverse() @ self.places[name]
        else:
            place = Transform.make()
        return self._put(Thing(known, place, figure, own))

    def release(self, prop: Prop | str) -> Thing:
        """Let go of a prop: it stays in the world where it is in the scene's posture."""
        name, known = self._prop_named(prop)
        if name not in self.props or not self.props[name].is_held:
            held = [each for each, thing in self.props.items() if thing.is_held]
            raise unknown_name("held prop", name, held)
        return self._put(Thing(known, self.places[name]))

    def place(self, prop: Prop | str, position: Any = None, rotation: Any = None) -> Thing:
        """Put a prop into the world; its sites, `prop/site`, can be goals. Again, to move it.

        It weighs on nobody there. A task refers to it by name, and follows when it is moved.

        Args:
            prop: such as `poise.box(0.8, 1.2, 0.04, name="table")`; by name if it is in the scene.
            position: of its frame (m), the origin if not given; or the whole frame: a `Transform`,
                a matrix (4, 4), or a position with a matrix or a quaternion.
            rotation: a matrix (3, 3), a unit quaternion (w x y z) or a rotation vector (rad); none
                if not given.
        """
        name, known = self._prop_named(prop)
        there = turned_place(position, rotation, f"of {name!r}")
        x, y, z = there.position.tolist()
        warn_if_far((x, y, z), f"the position of {name!r}", self._ensemble.postures)
        return self._put(Thing(known, there))

    def remove(self, prop: Prop | str) -> None:
        """Take a prop out of the scene; tasks about it must be removed before."""
        name, _ = self._prop_named(prop)
        if name not in self.props:
            raise unknown_name("prop", name, self.props)
        self._check_unused(name)
        self._furnish({each: thing for each, thing in self.props.items() if each != name})

    def _prop_named(self, prop: Any) -> tuple[str, Prop]:
        """A prop and its name, from either; a name must be that of a prop in the scene."""
        if isinstance(prop, Prop):
            return prop.name, prop
        if not isinstance(prop, str):
            raise PoiseError(
                f"{prop!r} is neither a prop nor the name of one",
                code="; poise.box and the like make some",
            )
        if prop not in self.props:
            raise unknown_name("prop", prop, self.props)
        return prop, self.props[prop].prop

    def _put(self, thing: Thing) -> Thing:
        name = thing.prop.name
        if name in self.props and self.props[name].prop is not thing.prop:
            raise PoiseError(
                f"there is another prop named {name!r}",
                code="; give this one a name of its own (name=), or remove the other first",
                remedy="name",
            )
        if self._ensemble.is_merged and name in self.figures:
            raise PoiseError(f"a prop cannot be named {name!r}: there is a figure of that name")
        self._furnish({**self.props, name: thing})
        return thing

    def _furnish(self, things: Mapping[str, Thing]) -> None:
        self._ensemble = self._ensemble.with_things(things)
        self._changed()

    # what a scene adds ---------------------------------------------------------------------

    def _changed(self) -> None:
        """Forget what was made of the figures as they were."""

    def _check_unused(self, prop: str) -> None:
        """Raise where something is about a prop that is to go."""
