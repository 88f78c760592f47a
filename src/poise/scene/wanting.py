"""What is wanted of the figures of a scene, and how that is packed for solvers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from poise.calls import known_as, public
from poise.checking import factor, label, mapping, text
from poise.closed import ReadOnlyDict
from poise.errors import PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.props import Prop
from poise.scene import forking
from poise.scene.distances import is_far, warn_if_far
from poise.scene.ensemble import Willingness
from poise.scene.forces import Forces
from poise.scene.handle import (
    Handle,
    checked_priority,
    checked_share,
    checked_weight,
    recruits_none,
)
from poise.scene.options import Options
from poise.scene.origins import Origin
from poise.scene.priors import is_natural_by_itself, usual_criteria, with_prior_read
from poise.scene.world import World
from poise.solvers.problem import Problem, Wish, pack
from poise.solvers.recruiting import Joints
from poise.statics.acting import Acting
from poise.tasks.natural import Natural
from poise.tasks.task import Context, Criterion, Task, words

Values = NDArray[np.float64]
_Wanted = TypeVar("_Wanted", bound=Task | Criterion)

_MADE = ("_packed", "_acts", "_rows", "_willingness", "_turn")
"""What a scene makes for its solves."""


def _origins(value: Any) -> dict[str, Origin]:
    told = mapping(value, "the origins of a scene", "an Origin by a figure's name")
    for name, each in told.items():
        if not isinstance(each, Origin):
            raise PoiseError(f"the origin of {name!r} must be an Origin, not {each!r}")
    return dict(told)


@known_as("Scene", "poise.scene.scene")
@public
class Wanting(World):
    """A world with tasks, criteria and forces; a `Scene` is one that can be solved."""

    description: str
    forces: Final[Forces]
    origins: dict[str, Origin]

    _checks: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "description": lambda value: text(value, "the description of a scene"),
        "origins": _origins,
    }

    def __init__(
        self,
        figures: Figure | Mapping[str, Figure] | Iterable[Figure],
        *,
        metres_per_radian: float = 0.5,
        description: str = "",
        natural: bool | None = None,
    ) -> None:
        """Begin with figures at rest and nothing wanted.

        Args:
            figures: one figure, several by name, or a list.
            metres_per_radian: how much length an angle weighs, in tasks that have both.
            description: one line about it.
            natural: whether persons hold themselves as people do, see `natural`; None for the
                default.
        """
        super().__init__(figures)
        self.forces = Forces(self)
        self._handles: Mapping[str, Handle] = ReadOnlyDict[str, Handle]()
        self._valid: tuple[bytes, ...] = ()
        self._begin_anew()
        self.metres_per_radian = metres_per_radian
        self.description = description
        self._options = Options()
        self._natural: bool | None = None
        if natural is not None:
            self.natural = natural
        self.origins = {}

    def _begin_anew(self) -> None:
        """Nothing packed yet, and no thread solving: so in a new scene, a copy, a forked child."""
        self._packed: Problem | None = None
        self._acts: Acting | None = None
        self._rows: dict[str, int] = {}
        self._willingness: Willingness = []
        self._turn = threading.RLock()
        forking.begin_anew_in_child(self)

    def __getstate__(self) -> dict[str, Any]:
        """All but what a solve makes of it, which it makes again."""
        return {key: value for key, value in vars(self).items() if key not in _MADE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As it was, not packed."""
        vars(self).update(state)
        self._begin_anew()

    # what is wanted ----------------------------------------------------------------------

    @property
    def metres_per_radian(self) -> float:
        """How much length an angle weighs; tasks may have their own."""
        return self._metres_per_radian

    @metres_per_radian.setter
    def metres_per_radian(self, value: float) -> None:
        self._metres_per_radian = factor(value, "metres_per_radian")
        self._changed()

    @property
    def natural(self) -> bool:
        """Whether persons hold themselves as people do, by a last criterion `tasks.Natural`.

        It has the weight `NATURAL_WEIGHT` among criteria, and is left out where one was added, or
        where a method takes none: `Solution.notes` says so. Scenes without persons have none.
        Persons whose balance is a task have `tasks.MidSupport`, too, with the same weight.
        """
        told = self._natural
        return is_natural_by_itself(self._ensemble.given) if told is None else told

    @natural.setter
    def natural(self, value: bool) -> None:
        if value is not True and value is not False:
            raise PoiseError(f"natural must be True or False, not {value!r}")
        if value and not self._ensemble.priors:
            listed = ", ".join(self._ensemble.given)
            raise PoiseError(
                f"natural is for persons, and {listed} is none",
                code="; poise.human(…) makes persons",
            )
        self._natural = value
        self._packed = None

    @property
    def options(self) -> Options:
        """How `solve` works unless it is told otherwise; scene files keep it."""
        return self._options

    @options.setter
    def options(self, value: Options) -> None:
        if not isinstance(value, Options):
            raise PoiseError(
                f"{value!r} are no options of a scene", code="; give poise.scene.Options(…)"
            )
        self._options = value

    @property
    def handles(self) -> Mapping[str, Handle]:
        """All tasks and criteria by name, in the order in which they were added."""
        return self._handles

    @property
    def tasks(self) -> Mapping[str, Handle]:
        """The same as `handles`."""
        return self._handles

    def add(
        self,
        wanted: Task | Criterion,
        *,
        priority: int | None = None,
        weight: float = 1.0,
        name: str | None = None,
        joints: str | Iterable[str] | Mapping[str, float] | None = None,
    ) -> Handle:
        """Add a task or a criterion.

        Args:
            wanted: a task, or a criterion, which comes after all tasks. What a task leaves open,
                such as its target, is taken from the scene's posture now.
            priority: 1 (the default) is the most important; criteria take none.
            weight: against others of the same priority, or other criteria; |e|² is multiplied.
            name: for reports; by default that of the site, or of the kind of task.
            joints: the joints, groups, limbs or coordinates that the task may move for its own
                sake, such as "right_arm"; by default all. The others move only as far as tasks of
                a higher priority need, or for tasks of their own; a joint that no task names
                stays. {"right_arm": 1.0, "spine": 0.2} says how readily each is to move.
        """
        if not isinstance(wanted, (Task, Criterion)):
            raise PoiseError(f"a scene takes tasks and criteria, not {wanted!r}")
        name = self._new_name(wanted, name)
        weight = checked_weight(weight, name)
        chosen = self._checked_joints(joints, name)
        rank = None
        if isinstance(wanted, Task):
            rank = checked_priority(1 if priority is None else priority, name)
        else:
            if priority is not None:
                raise PoiseError(f"the criterion {name!r} takes no priority: it always comes last")
            if joints is not None:
                raise recruits_none(wanted, name, self._ensemble.whole)
        wanted = self._checked(wanted)
        if isinstance(wanted, Task):
            self._warn_if_far(wanted, name)
        handle = Handle(self, name, wanted, priority=rank, weight=weight, joints=chosen)
        self._handles = ReadOnlyDict({**self._handles, name: handle})
        self._packed = None  # the forces are as they were
        return handle

    def _new_name(self, wanted: Task | Criterion, name: str | None) -> str:
        if name is not None:
            if label(name, "task") in self._handles:
                raise PoiseError(f"there is a task named {name!r} already; names must be unique")
            return name
        stem = str(getattr(wanted, "site", words(type(wanted).__name__)))
        name, count = stem, 1
        while name in self._handles:
            count += 1
            name = f"{stem}_{count}"
        return name

    def copy(self) -> Self:
        """A scene of the same figures, props, tasks and forces, in postures of its own.

        Figures are the same objects: their stiffness and locks hold for both scenes.
        """
        other = object.__new__(type(self))
        own = {name: each._copied(other) for name, each in self._handles.items()}
        other.__setstate__(
            {
                **self.__getstate__(),
                "_ensemble": self._ensemble.copy(),
                "_handles": ReadOnlyDict(own),
                "forces": self.forces._copied(other),
                "origins": dict(self.origins),
            }
        )
        # What was made of the same parts serves both.
        if self._packed is not None:
            other._packed, other._rows = self._packed.twin(), dict(self._rows)
            other._willingness = self._willingness
        other._acts = self._acts
        return other

    __copy__ = copy

    def arrange(self, names: Iterable[str]) -> None:
        """Put tasks and criteria into another order; what is not named comes after, as it was.

        The order counts for reports and files; what is more important, priorities say.
        """
        first = list(dict.fromkeys(names))
        for name in first:
            if name not in self._handles:
                raise unknown_name("task", name, self._handles)
        self._handles = ReadOnlyDict(
            {name: self._handles[name] for name in dict.fromkeys([*first, *self._handles])}
        )
        self._changed()

    # what handles ask ----------------------------------------------------------------------

    def _context(self) -> Context:
        """What tasks may ask about the scene as it is now."""
        whole = self._ensemble.whole
        posture = whole.posture(self._ensemble.q())
        return Context(
            whole,
            posture,
            whole.place(posture),
            parts=self._ensemble.parts,
            acting=self._acting(),
            priors=self._ensemble.priors,
        )

    def _acting(self) -> Acting:
        """The forces, made anew when something has changed."""
        if self._acts is None:
            self._acts = Acting()  # what it is made of asks for the context
            self._acts = self.forces.acting
        return self._acts

    def _checked(self, wanted: _Wanted) -> _Wanted:
        """A task or criterion that fits the figures, with what it left open filled in."""
        wanted = self._ensemble.at_home(wanted)
        if isinstance(wanted, Natural):
            wanted = with_prior_read(wanted)
        context = self._context()
        if isinstance(wanted, Task):
            wanted.check(context)
            return wanted.resolved(context)
        if isinstance(wanted, Criterion):
            wanted.springs(context)
            wanted.zone(context)
        return wanted

    def _warn_if_far(self, task: Task, name: str) -> None:
        """Warn of a target that no figure could be meant to come to, as one in millimetres."""
        warn_if_far(task.spot(), f"the target of {name!r}", self._ensemble.postures)

    def _rename(self, handle: Handle, name: str) -> None:
        """Let a handle go by another name, in the same place."""
        if name != handle.name:
            name = self._new_name(handle.wanted, name)
        pairs = self._handles.items()
        named = {name if each is handle else key: each for key, each in pairs}
        self._handles = ReadOnlyDict(named)
        self._changed()

    def _checked_joints(self, joints: Any, name: str) -> Joints | None:
        """Names of joints, groups, limbs or coordinates, each of which must exist.

        Where they have shares other than 1 these stay with them.
        """
        if joints is None:
            return None
        try:
            names = (joints,) if isinstance(joints, str) else tuple(joints)
        except TypeError:
            raise PoiseError(f"the joints of {name!r} must be names, not {joints!r}") from None
        if not names:
            raise PoiseError(
                f"the joints of {name!r} must be at least one", code="; None stands for all"
            )
        for each in names:
            self._ensemble.whole.indices(each)
        if not isinstance(joints, Mapping):
            return names
        shares = {each: checked_share(joints[each], each, name) for each in names}
        return names if set(shares.values()) == {1.0} else ReadOnlyDict(shares)

    def _retarget(self, handle: Handle, before: Task, after: Task) -> None:
        """Take over a handle's new target, without packing anew unless supports change."""
        spot = after.spot()
        if spot is not None and is_far(spot):
            self._warn_if_far(after, handle.name)
        if self._packed is None or not handle.enabled:
            return
        if before.held() != after.held():
            self._changed()
        else:
            self._packed.retarget(self._rows[handle.name], after)

    def _changed(self) -> None:
        """Pack anew before the next solve."""
        self._packed = None
        self._acts = None

    def remove(self, prop: Prop | str) -> None:
        """Take a prop out of the scene; tasks about it must be removed before.

        A task or criterion goes by its handle: `handle.remove()`.
        """
        handle, way = prop, "handle"
        if isinstance(prop, str) and prop not in self.props:
            handle, way = self._handles.get(prop), f"scene.tasks[{prop!r}]"
        if isinstance(handle, Handle):
            kind = "criterion" if isinstance(handle.wanted, Criterion) else "task"
            raise PoiseError(
                f"{handle.name!r} is a {kind}, not a prop: {way}.remove() takes it out of the scene"
            )
        super().remove(prop)

    def _check_unused(self, prop: str) -> None:
        """Raise where a task or a force is about a prop that is to go."""
        for handle in self._handles.values():
            names = [value for value in vars(handle.wanted).values() if isinstance(value, str)]
            names += handle.wanted.sites() if isinstance(handle.wanted, Task) else ()
            about = [each for each in names if each.split("/")[0] == prop]
            if about:
                raise PoiseError(
                    f"{prop!r} cannot be removed: the task {handle.name!r} is about {about[0]!r}"
                )

        for name in (*self.forces.supports, *(each.site for each in self.forces.applied.values())):
            if name.split("/")[0] == prop:
                raise PoiseError(f"{prop!r} cannot be removed: a force acts on {name!r}")

    def _discard(self, handle: Handle) -> None:
        """Forget a handle."""
        others = {name: each for name, each in self._handles.items() if each is not handle}
        self._handles = ReadOnlyDict(others)
        self._packed = None

    # packing -------------------------------------------------------------------------------

    def _problem(self) -> Problem:
        """The packed scene, packed anew if its structure, stiffness or locks have changed."""
        willingness = self._ensemble.willingness()
        if self._packed is None or willingness != self._willingness:
            self._ensemble.bring_willingness()
            wishes: list[Wish] = []
            criteria: list[tuple[Criterion, float]] = []
            for handle in self._handles.values():
                wanted = handle.wanted
                if not handle.enabled:
                    continue
                if isinstance(wanted, Criterion):
                    criteria.append((wanted, handle.weight))
                    continue
                scale = wanted.scale(self.metres_per_radian)
                rank = handle.priority or 1
                wishes.append(Wish(handle.name, wanted, rank, handle.weight, handle.joints, scale))
            whole, ensemble = self._ensemble.whole, self._ensemble
            posture = whole.posture(ensemble.q())
            try:
                self._packed = pack(
                    whole,
                    posture,
                    wishes,
                    criteria,
                    ensemble.parts,
                    self._acting(),
                    ensemble.priors,
                    self._usual(wishes, criteria),
                )
            except PoiseError as error:
                raise self._located(error, wishes) from None
            self._rows = {wish.name: i for i, wish in enumerate(self._packed.wishes)}
            self._willingness = willingness
        return self._packed

    def _usual(
        self, wishes: Iterable[Wish], criteria: Sequence[tuple[Criterion, float]]
    ) -> list[tuple[Criterion, float]]:
        """The criteria that the scene adds by itself, with their weights."""
        if not self.natural:
            return []
        tasks = [wish.task for wish in wishes]
        return usual_criteria(self._context().with_held(tasks), tasks, criteria)

    def _located(self, error: PoiseError, wishes: Iterable[Wish]) -> PoiseError:
        """The error with the place in the scene file of the task that is wrong, if it is there."""
        context = self._context().with_held(wish.task for wish in wishes)
        for wish in wishes:
            where = self._handles[wish.name]._where
            try:
                wish.task.blocks(context)
            except PoiseError as again:
                return PoiseError(f"{where}: {again}") if where else error
        return error
