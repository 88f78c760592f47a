"""Random people at the studio: `python -m tests.studio.soak [COUNT] [SEED]`.

Each action is one that a page could send: sensible ones, in any order, and some that make no sense.
After each, limits must hold, and the history must be in order; what is refused must change nothing.
From time to time everything is undone and must be as it was, to the last bit. At the end the memory
must be within a tenth of what it was after the first quarter. Anything else ends it with an error.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.scene import Scene
from poise.studio.memory import hold_little
from poise.studio.session import Session

COUNT = 10_000
USAGE = "usage: python -m tests.studio.soak [COUNT from 1] [SEED from 0]"
_FIGURES = (
    ("human", {"stature": 1.6, "sex": "female"}),
    ("human", {}),
    ("human", {"hands": True}),
    ("quadruped", {}),
    ("chain", {"n": 12}),
    ("bird", {}),
)
_NONSENSE: tuple[Any, ...] = (
    None,
    [],
    {"do": "fly"},
    {"do": "pin"},
    {"do": "pin", "site": 3},
    {"do": "pin", "site": "nowhere"},
    {"do": "move", "point": [1, 2]},
    {"do": "move", "point": [float("nan"), 0, 0]},
    {"do": "grab", "segment": "../etc/passwd", "point": [0, 0, 0]},
    {"do": "grab", "what": "goal"},
    {"do": "grab", "what": "angle", "joint": "left_knee", "angle": "no such angle"},
    {"do": "grab", "segment": "head", "point": [0, 0, 1e9]},
    {"do": "add_task", "type": "custom", "parameters": {"function": "x"}},
    {"do": "add_task", "type": "position", "parameters": {"sight": "x"}},
    {"do": "edit_task", "name": "no such task", "weight": 2.0},
    {"do": "order_task", "name": "balance", "before": "no such task"},
    {"do": "remove_task", "name": ""},
    {"do": "set_coordinates", "values": {"left_knee.flexion": 1e300}},
    {"do": "set_stiffness", "joint": "spine", "value": 1.0},
    {"do": "open", "text": "scene: {figure: {file: /etc/passwd}}"},
    {"do": "open", "text": "]["},
    {"do": "choose_figure", "recipe": "unicorn"},
    {"do": "edit_figure", "operation": "length", "segment": "head"},
    {"do": "settings", "theme": "plaid"},
    {"do": "select", "kind": "joint", "name": "nowhere"},
    {"do": "undo", "times": 3},
)


@dataclass
class Walk:
    """One random walk."""

    session: Session
    chance: random.Random
    done: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    is_dragging: bool = False
    sequence: int = 0

    # what a person does ----------------------------------------------------------------------

    def step(self) -> None:
        """Do one thing, and look whether all is well."""
        if self.is_dragging and self.chance.random() < 0.8:
            self._drag_on()
        elif self.chance.random() < 0.05:
            self._try(self.chance.choice(_NONSENSE), sensible=False)
        else:
            actions = self._actions()
            weights = [weight for weight, _ in actions.values()]
            name = self.chance.choices(list(actions), weights)[0]
            self._try(actions[name][1]())
        self._check()

    def _actions(self) -> dict[str, tuple[float, Callable[[], dict[str, Any]]]]:
        return {
            "grab": (25, self._grab),
            "grab goal": (4, lambda: {"do": "grab", "what": "goal", "task": self._task()}),
            "grab prop": (3, lambda: {"do": "grab", "what": "prop", "prop": self._prop()}),
            "grab angle": (3, self._grab_angle),
            "grab force": (2, lambda: {"do": "grab", "what": "force", "force": self._force()}),
            "pin": (6, self._pin),
            "pin point": (1, self._pin_point),
            "add_task": (5, self._add_task),
            "add_criterion": (1, self._add_criterion),
            "edit_task": (5, self._edit_task),
            "order_task": (3, self._order_task),
            "remove_task": (5, lambda: {"do": "remove_task", "name": self._task()}),
            "keep_balance": (2, lambda: {"do": "keep_balance", "on": self._coin()}),
            "lock": (2, lambda: {"do": "lock", "joint": self._joint(), "on": self._coin()}),
            "set_stiffness": (1, self._stiffen),
            "set_coordinates": (3, self._set_coordinates),
            "forces": (4, self._forces),
            "props": (4, self._props),
            "rest": (2, lambda: {"do": "rest"}),
            "mirror": (2, lambda: {"do": "mirror"}),
            "symmetry": (1, lambda: {"do": "symmetry", "on": self._coin()}),
            "copy": (1, lambda: {"do": "copy_posture"}),
            "paste": (1, lambda: {"do": "paste_posture"}),
            "poses": (3, self._poses),
            "figure": (0.5, self._figure),
            "edit_figure": (0.7, self._edit_figure),
            "root_at": (0.3, lambda: {"do": "root_at", "name": self._segment()}),
            "new": (0.5, lambda: {"do": "new"}),
            "open": (0.5, lambda: {"do": "open", "text": self.session.scene_text()}),
            "select": (4, self._select),
            "settings": (2, self._settings),
            "solve": (1, lambda: {"do": "solve"}),
            "undo": (8, lambda: {"do": "undo"}),
            "redo": (5, lambda: {"do": "redo"}),
            "release": (1, lambda: {"do": "release"}),
            "cancel": (1, lambda: {"do": "cancel"}),
        }

    def _grab(self) -> dict[str, Any]:
        mode = self.chance.choice(("body", "body", "limb", "joint"))
        return {"do": "grab", "segment": self._segment(), "point": self._offset(0.1), "mode": mode}

    def _grab_angle(self) -> dict[str, Any]:
        joint, posture = self._joint(), self.session.posture
        angles = posture.angles(joint) if posture.figure.coordinates else {}
        return {"do": "grab", "what": "angle", "joint": joint, "angle": self._pick(angles)}

    def _drag_on(self) -> None:
        """A few events, as a hand makes them, near and far out of reach."""
        places = self.session.scene.places
        start = places.segment(self._segment()).position
        way = np.array(self._offset(self.chance.choice((0.05, 0.3, 3.0))))
        for i in range(self.chance.randint(1, 6)):
            self.sequence += 1
            goal = (start + way * (i + 1) / 6).tolist()
            move: dict[str, Any] = {"do": "move", "point": goal, "sequence": self.sequence}
            if self.chance.random() < 0.5:
                move["value"] = self.chance.uniform(-3.0, 3.0)
            if self.chance.random() < 0.1:
                move["recruit"] = self.chance.randint(1, 9)
            if self.chance.random() < 0.2:
                move["rotation"] = [1.0, *self._offset(0.5)]
            self._try(move)
            time.sleep(0.001)
        if self.chance.random() < 0.3:
            self._try({"do": self.chance.choice(("release", "release", "cancel"))})

    def _pin(self) -> dict[str, Any]:
        kind = self.chance.choice(("free", "position", "rotation", "both", "both"))
        return {"do": "pin", "site": self._site(), "kind": kind}

    def _pin_point(self) -> dict[str, Any]:
        return {"do": "pin", "segment": self._segment(), "point": self._offset(0.1)}

    def _add_task(self) -> dict[str, Any]:
        kind = self.chance.choice([t.type for t in self._types("task")])
        site, other = self._site(), self._site()
        near = (self.session.scene.places[site].position + self._offset(0.3)).tolist()
        box = {"box": {"center": near, "size": [0.4, 0.4, 0.4]}}
        parameters: dict[str, Any] = {
            "any": {"tasks": [{"position": {"site": site, "target": near}}, {"frame": other}]},
            "balance": {"margin": 0.01},
            "center_of_mass": {"axes": "xy"},
            "equilibrium": {},
            "inertia": {"axis": "z"},
            "inside": {"site": site, "convex": box},
            "outside": {"site": site, "convex": box},
            "loop": {"site": site, "other": other},
            "orientation": {"site": site},
            "surface": {"site": site, "ellipsoid": {"center": near, "radii": [0.2, 0.2, 0.3]}},
        }.get(kind, {"site": site, "target": near})
        priority = self.chance.choice((None, 1, 2, 3, 4))
        return {"do": "add_task", "type": kind, "parameters": parameters, "priority": priority}

    def _add_criterion(self) -> dict[str, Any]:
        kind = self.chance.choice([t.type for t in self._types("criterion")])
        return {"do": "add_criterion", "type": kind, "weight": self.chance.uniform(0.01, 1.0)}

    def _edit_task(self) -> dict[str, Any]:
        change: dict[str, Any] = self.chance.choice(
            (
                {"weight": self.chance.uniform(0.1, 5.0)},
                {"enabled": self._coin()},
                {"priority": self.chance.randint(1, 5)},
                {"new_name": f"task {self.chance.randint(0, 99)}"},
                {"joints": [self._joint(), self._joint()]},
                {"joints": []},
                {"parameters": {"target": None}},
                {"parameters": {"axes": self.chance.choice(("x", "xz", "xyz"))}},
                {"type": self.chance.choice(("position", "frame", "orientation", "aim"))},
            )
        )
        return {"do": "edit_task", "name": self._task(), **change}

    def _order_task(self) -> dict[str, Any]:
        before = self.chance.choice((None, self._task()))
        priority = self.chance.choice((None, 1, 2, 3))
        return {"do": "order_task", "name": self._task(), "before": before, "priority": priority}

    def _stiffen(self) -> dict[str, Any]:
        value = self.chance.uniform(0.0, 0.95)
        return {"do": "set_stiffness", "joint": self._joint(), "value": value}

    def _set_coordinates(self) -> dict[str, Any]:
        names = self.session.document.coordinates()
        chosen = self.chance.sample(names, min(2, len(names)))
        return {
            "do": "set_coordinates",
            "values": {name: self.chance.uniform(-2.0, 2.0) for name in chosen},
        }

    def _forces(self) -> dict[str, Any]:
        return self.chance.choice(
            (
                {"do": "add_support", "site": self._site()},
                {"do": "edit_support", "site": self._force(), "ratio": 0.4},
                {"do": "add_load", "site": self._site(), "force": self._offset(200.0)},
                {"do": "edit_load", "name": self._force(), "force": self._offset(200.0)},
                {"do": "remove_force", "name": self._force()},
                {"do": "remove_force", "name": self._force()},
                {"do": "use_contact_forces", "on": self._coin()},
                {"do": "set_person", "sex": "female", "age": 70.0},
            )
        )

    def _props(self) -> dict[str, Any]:
        prop = self._prop()
        kind, size = self.chance.choice(
            (("box", [0.2, 0.3, 0.1]), ("sphere", [0.1]), ("cylinder", [0.1, 0.3]))
        )
        return self.chance.choice(
            (
                {"do": "add_prop", "kind": kind, "size": size, "position": self._offset(1.0)},
                {"do": "hold_prop", "prop": prop, "site": self._site()},
                {"do": "release_prop", "prop": prop},
                {"do": "place_prop", "prop": prop, "position": self._offset(1.0)},
                {"do": "remove_prop", "prop": prop},
                {"do": "remove_prop", "prop": prop},
            )
        )

    def _poses(self) -> dict[str, Any]:
        name = f"pose {self.chance.randint(0, 9)}"
        return self.chance.choice(
            (
                {"do": "keep_pose", "name": name},
                {"do": "apply_pose", "name": name, "fraction": self.chance.choice((0.3, 1.0))},
                {"do": "remove_pose", "name": name},
            )
        )

    def _figure(self) -> dict[str, Any]:
        recipe, parameters = self.chance.choice(_FIGURES)
        return {"do": "choose_figure", "recipe": recipe, "parameters": parameters}

    def _edit_figure(self) -> dict[str, Any]:
        joint = self.chance.choice(list(next(iter(self.session.scene.given.values())).joints))
        name = f"part_{self.chance.randint(0, 20)}"
        kind = self.chance.choice(("hinge", "ball", "swing", "elbow", "fixed", "slider"))
        change: dict[str, Any] = self.chance.choice(
            (
                {"operation": "length", "segment": self._segment(), "length": 0.3},
                {"operation": "kind", "joint": joint, "kind": kind},
                {"operation": "limits", "joint": joint, "swing": {"ellipse": [0.5, 0.7]}},
                {"operation": "limits", "joint": joint, "limits": {"flexion": [0.0, 1.5]}},
                {"operation": "add", "parent": self._segment(), "name": name, "kind": kind},
                {"operation": "remove", "segment": self._segment()},
                {"operation": "rename", "segment": self._segment(), "new_name": name},
            )
        )
        return {"do": "edit_figure", **change}

    def _select(self) -> dict[str, Any]:
        kind = self.chance.choice(("joint", "site", "segment", "task", None))
        named = {
            "joint": self._joint,
            "site": self._site,
            "segment": self._segment,
            "task": self._task,
        }
        return {"do": "select", "kind": kind, "name": named[kind]() if kind else None}

    def _settings(self) -> dict[str, Any]:
        name = self.chance.choice(("balance", "goals", "forces", "torques", "limits", "trace"))
        return {"do": "settings", name: self._coin()}

    # what there is -----------------------------------------------------------------------------

    def _coin(self) -> bool:
        return self.chance.random() < 0.5

    def _offset(self, size: float) -> list[float]:
        return [self.chance.uniform(-size, size) for _ in range(3)]

    def _pick(self, names: Any) -> str:
        return self.chance.choice(list(names) or ["nothing"])

    def _segment(self) -> str:
        return self._pick(self.session.document.whole.segments)

    def _site(self) -> str:
        return self._pick(self.session.document.whole.sites)

    def _joint(self) -> str:
        whole = self.session.document.whole
        return self._pick([*whole.groups, *whole.joints])

    def _task(self) -> str:
        return self._pick(self.session.scene.handles)

    def _prop(self) -> str:
        return self._pick(self.session.scene.props)

    def _force(self) -> str:
        forces = self.session.scene.forces
        return self._pick([*forces.supports, *forces.applied])

    def _types(self, kind: str) -> list[Any]:
        return [each for each in self.session.task_types.values() if each.kind == kind]

    # whether all is well -----------------------------------------------------------------------

    def _try(self, message: Any, *, sensible: bool = True) -> None:
        name = message.get("do") if isinstance(message, dict) else "nonsense"
        before = _told(self.session)
        try:
            self.session.apply(message, "soak")
        except PoiseError as error:
            self.refused[str(name)] += 1
            after = _told(self.session)
            # Only a drag that was under way may have come to its end.
            if not self.is_dragging and before != after:
                raise AssertionError(f"{message!r} was refused ({error}), but changed") from error
        else:
            if not sensible:
                raise AssertionError(f"{message!r} should have been refused")
            self.done[str(name)] += 1
        self.is_dragging = self.session.dragging

    def _check(self) -> None:
        session = self.session
        if not session.dragging:
            session.wait(drawn=False)
        q, whole = session.posture.q, session.document.whole
        assert np.isfinite(q).all(), "a coordinate is not finite"
        violation = whole.violation(q)
        assert violation <= 1e-9, f"a limit is broken by {violation:g}"
        assert session.crashes == 0, "the engine had an error that nobody thought of"


def _told(session: Session) -> tuple[Any, ...]:
    """What a refused command must not change."""
    scene: Scene = session.scene
    handles = tuple(
        (name, id(each.wanted), each.priority, each.weight, each.enabled, each.joints)
        for name, each in scene.handles.items()
    )
    return (
        session.history.undoes,
        handles,
        tuple(scene.props),
        tuple(scene.forces.supports.values()),
        tuple(scene.forces.applied.values()),
        tuple(session.document.poses),
    )


def undo_everything(session: Session) -> None:
    """Undo all and do all again: both ends must be as they were, to the last bit."""
    session.wait(drawn=False)
    now, count = session.scene.q, 0
    while session.history.can_undo:
        session.apply({"do": "undo"}, "soak")
        count += 1
    begun = session.scene.q
    for _ in range(count):
        session.apply({"do": "redo"}, "soak")
    assert np.array_equal(session.scene.q, now), "redo did not come back to the last bit"
    for _ in range(count):
        session.apply({"do": "undo"}, "soak")
    assert np.array_equal(session.scene.q, begun), "undo did not come back to the last bit"


def resident() -> float:
    """The memory that this process holds (MB)."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def say(line: str) -> None:
    """Print a line at once: whoever waits for a long walk wants to see it going on."""
    print(line, flush=True)


def walk(count: int, seed: int, *, told: Callable[[str], object] = say) -> Walk:
    """Do so many actions; raises where something goes wrong."""
    with tempfile.TemporaryDirectory(prefix="poise-soak-") as folder:
        session = Session(keep=Path(folder))
        depart = session.join("soak", lambda kind, content: None)
        walker = Walk(session, random.Random(seed))
        try:
            for i in range(count):
                walker.step()
                if (i + 1) % 500 == 0:
                    if session.dragging:
                        session.apply({"do": "cancel"}, "soak")
                        walker.is_dragging = False
                    undo_everything(session)
                    told(f"{i + 1} actions, {resident():.0f} MB")
        finally:
            depart()
            session.close()
    return walker


def main(arguments: list[str]) -> int:
    """Walk, and look at the memory."""
    try:
        count = int(arguments[0]) if arguments else COUNT
        seed = int(arguments[1]) if len(arguments) > 1 else 0
    except ValueError:
        print(USAGE, file=sys.stderr)
        return 2
    if count < 1 or seed < 0:
        print(USAGE, file=sys.stderr)
        return 2
    hold_little()  # as the studio does
    # What is compiled and cached at first is no leak.
    first = walk(max(1, count // 4), seed)
    held = resident()
    last = walk(count - count // 4, seed + 1)
    grown = resident() / held - 1.0
    for name, done in sorted((first.done + last.done).items()):
        print(f"{name:>20} {done:6} done {(first.refused + last.refused)[name]:6} refused")
    print(f"memory: {held:.0f} MB after a quarter, {100 * grown:+.1f} % at the end")
    return 0 if grown <= 0.1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
