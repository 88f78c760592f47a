"""Handles: a task's or criterion's place in a scene, through which it is changed."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from poise.checking import factor, number
from poise.closed import Attributes, refuse
from poise.errors import ClosedError, PoiseError, unknown_name
from poise.figure import Figure
from poise.figure.naming import movable
from poise.tasks.task import Criterion, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from poise.scene.wanting import Wanting
    from poise.solvers.recruiting import Joints


class Handle:
    """A task or criterion in a scene. What is set here counts from the next solve on.

    What the task or criterion is made of is set here as well, by its own name: `handle.margin` of
    a `Balance`, `handle.posture` of a `Rest`, `handle.axis` of an `Aim`. Setting `target` is cheap,
    as dragging needs it: only that task's numbers are rewritten.
    """

    def __init__(
        self,
        scene: Wanting,
        name: str,
        wanted: Task | Criterion,
        *,
        priority: int | None,
        weight: float,
        joints: Joints | None,
    ) -> None:
        """Made by `Scene.add`, which checks the arguments."""
        self._scene: Wanting | None = scene
        self._name = name
        self._wanted = wanted
        self._priority = priority
        self._weight = weight
        self._joints = joints
        self._enabled = True
        self._where = ""
        """Where in a scene file it stands, for messages; empty for one that was added in Python."""

    def __getattr__(self, name: str) -> Any:
        """Something that the task or criterion is made of; called for what a handle has not."""
        if name[0] == "_":  # also while it is unpickled, when nothing is there yet
            raise AttributeError(f"a Handle has no attribute {name!r}")
        if name in self._own_fields():
            return getattr(self._wanted, name)
        known = [*sorted(_HANDLE.settable), *self._own_fields()]
        raise ClosedError(str(unknown_name("attribute", name, known, self._called())))

    def __setattr__(self, name: str, value: Any) -> None:
        """Set what a handle has, or what the task or criterion is made of."""
        if name in _SETTABLE or name[0] == "_":
            object.__setattr__(self, name, value)
        elif name in self._own_fields():
            self.wanted = replace(self._wanted, **{name: value})
        else:
            refuse(self, name, _HANDLE, more=self._own_fields(), where=self._called())

    def __delattr__(self, name: str) -> None:
        """Nothing of a handle can be deleted."""
        if name in _HANDLE or name in self._own_fields():
            raise ClosedError(f"{name} of {self._called()} cannot be deleted")
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        """Also what the task or criterion is made of."""
        return [*super().__dir__(), *self._own_fields()]

    def _own_fields(self) -> list[str]:
        """What the task or criterion is made of, by name."""
        return [field.name for field in fields(self._wanted) if field.init]

    def _called(self) -> str:
        return f"the handle of the {type(self._wanted).__name__} {self._name!r}"

    def __repr__(self) -> str:
        """The name, what it wants, and its rank."""
        rank = "criterion" if self._priority is None else f"priority {self._priority}"
        state = "" if self._enabled else ", disabled"
        return f"<{type(self._wanted).__name__} {self._name!r}: {rank}{state}>"

    @property
    def name(self) -> str:
        """Its name in the scene and in reports; another must be free."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        if not isinstance(value, str):
            raise PoiseError(f"the name of a task must be a non-empty string, not {value!r}")
        self._in_scene()._rename(self, value)
        self._name = value

    @property
    def wanted(self) -> Task | Criterion:
        """The task or criterion, with what was left open filled in.

        Set another to have it in this one's place: a task for a task, a criterion for a criterion.
        """
        return self._wanted

    @wanted.setter
    def wanted(self, value: Task | Criterion) -> None:
        scene = self._in_scene()
        kind = Criterion if isinstance(self._wanted, Criterion) else Task
        if not isinstance(value, kind):
            raise PoiseError(
                f"{self._name!r} is a {kind.__name__.lower()}, and so must be what takes its "
                f"place, not {value!r}"
            )
        self._wanted = scene._checked(value)
        scene._changed()

    @property
    def target(self) -> Any:
        """Where the task is to bring its site: a point, a rotation matrix or a `Transform`.

        Set to whatever the task takes, such as a matrix (4, 4) for a `Frame`; to None, it is where
        the site is now, in the scene's posture.
        """
        return getattr(self._task_with_target(), "target")  # noqa: B009  # not all tasks have it

    @target.setter
    def target(self, value: Any) -> None:
        scene, task = self._in_scene(), self._task_with_target()
        moved = task.with_target(value)
        if value is None:
            moved = moved.resolved(scene._context())
        scene._retarget(self, task, moved)
        vars(self)["_wanted"] = moved

    @property
    def priority(self) -> int | None:
        """1 is the most important; None for a criterion, which comes last."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        if self._priority is None:
            raise PoiseError(
                f"the criterion {self._name!r} takes no priority: it always comes last"
            )
        self._priority = checked_priority(value, self._name)
        self._in_scene()._changed()

    @property
    def weight(self) -> float:
        """Its weight against others of the same priority: |e|² is multiplied by it."""
        return self._weight

    @weight.setter
    def weight(self, value: float) -> None:
        self._weight = checked_weight(value, self._name)
        self._in_scene()._changed()

    @property
    def joints(self) -> Joints | None:
        """The joints, groups, limbs or coordinates that it may move for its own sake; None for all.

        Names; where some are to move less readily than others, each with its share up to 1.

        Of a criterion that is about some joints, such as `MidRange`, those.
        """
        return getattr(self._wanted, "joints", None) if self._priority is None else self._joints

    @joints.setter
    def joints(self, value: str | Iterable[str] | Mapping[str, float] | None) -> None:
        scene = self._in_scene()
        if isinstance(self._wanted, Criterion):
            if "joints" not in self._own_fields():
                raise recruits_none(self._wanted, self._name, scene._ensemble.whole)
            self.wanted = replace(self._wanted, joints=value)
            return
        self._joints = scene._checked_joints(value, self._name)
        scene._changed()

    @property
    def enabled(self) -> bool:
        """Whether it counts; a disabled task keeps its place and its target."""
        return self._enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        if not isinstance(value, (bool, np.bool_)):
            raise PoiseError(f"enabled of {self._name!r} must be True or False, not {value!r}")
        self._enabled = bool(value)
        self._in_scene()._changed()

    def _copied(self, scene: Wanting) -> Handle:
        """The same for a copy of the scene, which says so when it copies itself."""
        other = object.__new__(type(self))
        vars(other).update({**vars(self), "_scene": scene})
        return other

    def __copy__(self) -> NoReturn:
        """Refused: a second handle would stand in no scene, and change nothing."""
        raise PoiseError(
            f"{self._name!r} cannot be copied without its scene",
            code=f"; use scene.copy(), and its handles[{self._name!r}]",
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Handle:
        """That of the copied scene, which is copied along where other things are; refused alone."""
        if not memo:
            self.__copy__()
        scene = self._scene
        if scene is not None and id(scene) not in memo:
            deepcopy(scene, memo)
            return memo[id(self)]
        other = memo[id(self)] = object.__new__(type(self))
        vars(other).update(deepcopy(vars(self), memo))
        return other

    def remove(self) -> None:
        """Take it out of the scene."""
        self._in_scene()._discard(self)
        self._scene = None

    def _in_scene(self) -> Wanting:
        if self._scene is None:
            raise PoiseError(f"{self._name!r} was removed from its scene; add the task again")
        return self._scene

    def _task_with_target(self) -> Task:
        wanted = self._wanted
        if not isinstance(wanted, Task) or not wanted.has_target:
            raise PoiseError(f"{self._name!r} is a {type(wanted).__name__}, which has no target")
        return wanted


_HANDLE = Attributes.of(Handle)
_SETTABLE = _HANDLE.settable


def checked_priority(value: Any, name: str) -> int:
    """An integer from 1 on."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < 1:
        raise PoiseError(f"the priority of {name!r} must be an integer from 1 on, not {value!r}")
    return int(value)


_LISTED = 12
"""So many names of joints the message lists."""


def recruits_none(criterion: Criterion, name: str, figure: Figure) -> PoiseError:
    """The error for joints that are given beside a criterion."""
    if any(each.name == "joints" for each in fields(criterion)):
        return PoiseError(
            f"the criterion {name!r} recruits no joints; those that it is about are its own",
            code=f": {type(criterion).__name__}(joints=…)",
        )
    moved = movable(figure)
    listed = ", ".join(moved[:_LISTED])
    more = f" and {len(moved) - _LISTED} more" if len(moved) > _LISTED else ""
    return PoiseError(
        f"the criterion {name!r} takes no joints: it recruits none, and is about all that "
        f"there are ({listed}{more})"
    )


def checked_share(value: Any, joint: str, name: str) -> float:
    """How readily a joint is to move for a task: greater than 0, at most 1."""
    what = f"how readily {joint!r} moves for {name!r}"
    return number(value, what, above=0, most=1)


def checked_weight(value: Any, name: str) -> float:
    """A number greater than 0, and no more than any other weight can stand against."""
    return factor(value, f"the weight of {name!r}")
