"""What binds a MuJoCo model beyond its tree: couplings of coordinates, and loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.figure.parts import Coupling
from poise.figure.transform import Transform
from poise.formats.hostile import Names, short
from poise.formats.mjcf.bodies import Tree
from poise.formats.placing import from_quaternion, unless_endless
from poise.tasks import Loop, Task

Law = tuple[dict[str, float], float]
"""A linear expression in coordinates: factors by coordinate, and its value in the shown posture."""


class Bindings:
    """The equalities and limited tendons of a model.

    Attributes:
        couplings: linear laws between coordinates.
        loops: tasks that hold bodies together.
        notes: what was left out.
    """

    def __init__(self, model: Any, tree: Tree) -> None:
        """Read them all; loops add sites to the tree."""
        import mujoco

        self._mujoco: Any = mujoco
        self._model = model
        self._tree = tree
        self._names = Names()
        self.couplings: list[Coupling] = []
        self.loops: list[Task] = []
        self.notes: list[str] = []
        for i in range(model.ntendon):
            self._limit_tendon(i)
        for i in range(model.neq):
            name = model.equality(i).name
            if model.eq_active0[i]:
                self._equality(i, name or f"equality_{i + 1}")
            else:
                self.notes.append(f"equality {short(name) or i + 1} is not active: left out")

    def _equality(self, i: int, name: str) -> None:
        kinds = self._mujoco.mjtEq
        kind = int(self._model.eq_type[i])
        if kind == int(kinds.mjEQ_JOINT):
            self._bind(i, name, self._joint_law)
        elif kind == int(kinds.mjEQ_TENDON):
            self._bind(i, name, self._tendon_law)
        elif kind == int(kinds.mjEQ_CONNECT):
            self._connect(i, name)
        elif kind == int(kinds.mjEQ_WELD):
            self._weld(i, name)
        else:
            self.notes.append(f"equality {short(name)} is of a kind that is not read: left out")

    # couplings -----------------------------------------------------------------------------

    def _joint_law(self, joint: int) -> Law:
        """A joint's coordinate as an expression."""
        start = float(self._model.qpos0[self._model.jnt_qposadr[joint]])
        return {self._tree.coordinate(joint): 1.0}, start

    def _tendon_law(self, tendon: int) -> Law:
        """The length of a fixed tendon as an expression."""
        model = self._model
        first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
        terms: dict[str, float] = {}
        start = 0.0
        for w in range(first, first + count):
            (coordinate,), value = self._joint_law(int(model.wrap_objid[w]))
            factor = float(model.wrap_prm[w])
            terms[coordinate] = terms.get(coordinate, 0.0) + factor
            start += factor * value
        return terms, start

    def _limit_tendon(self, i: int) -> None:
        model = self._model
        name = model.tendon(i).name or f"tendon_{i + 1}"
        terms, _ = self._tendon_law(i)
        if not model.tendon_limited[i]:
            equal = model.eq_type == int(self._mujoco.mjtEq.mjEQ_TENDON)
            if i not in (*model.eq_obj1id[equal], *model.eq_obj2id[equal]):
                self.notes.append(f"tendon {short(name)} has no limits, so it binds nothing")
            return
        low, high = unless_endless(*model.tendon_range[i].tolist())
        if np.isfinite([low, high]).any():
            self._couple(name, terms, low, high)

    def _bind(self, i: int, name: str, law: Any) -> None:
        """One expression as a polynomial of another: y − y₀ is c₀ + c₁ (x − x₀) and so on."""
        model = self._model
        constant, slope, *higher = model.eq_data[i][:5].tolist()
        terms, start = law(int(model.eq_obj1id[i]))
        value = start + constant
        if model.eq_obj2id[i] >= 0:
            if any(higher):
                self.notes.append(f"equality {short(name)} is not linear: left out")
                return
            others, other_start = law(int(model.eq_obj2id[i]))
            terms = dict(terms)
            for coordinate, factor in others.items():
                terms[coordinate] = terms.get(coordinate, 0.0) - slope * factor
            value -= slope * other_start
        self._couple(name, terms, value, value)

    def _couple(self, name: str, terms: Mapping[str, float], low: float, high: float) -> None:
        used = {coordinate: factor for coordinate, factor in terms.items() if factor}
        if used:
            self.couplings.append(Coupling(self._names.fresh(name), used, low, high))
        else:
            self.notes.append(f"{short(name)} binds nothing: all its factors are zero")

    # loops ---------------------------------------------------------------------------------

    def _connect(self, i: int, name: str) -> None:
        data = self._model.eq_data[i]
        if self._is_of_sites(i):
            self._loop(*self._sites(i), "position")
            return
        here = Transform(np.eye(3), np.array(data[:3]))
        there = Transform(np.eye(3), np.array(data[3:6]))
        self._loop(*self._add_sites(i, name, here, there), "position")

    def _weld(self, i: int, name: str) -> None:
        data = self._model.eq_data[i]
        if self._is_of_sites(i):
            self._loop(*self._sites(i), "both")
            return
        # The point data[3:6] of the first body is the point data[:3] of the second, and the second
        # is turned by the quaternion data[6:10] against the first.
        here = Transform(from_quaternion(data[6:10]), np.array(data[3:6]))
        there = Transform(np.eye(3), np.array(data[:3]))
        self._loop(*self._add_sites(i, name, here, there), "both")

    def _is_of_sites(self, i: int) -> bool:
        return int(self._model.eq_objtype[i]) == int(self._mujoco.mjtObj.mjOBJ_SITE)

    def _sites(self, i: int) -> tuple[str, str]:
        one, other = int(self._model.eq_obj1id[i]), int(self._model.eq_obj2id[i])
        return self._tree.site(one), self._tree.site(other)

    def _add_sites(self, i: int, name: str, here: Transform, there: Transform) -> tuple[str, str]:
        one, other = int(self._model.eq_obj1id[i]), int(self._model.eq_obj2id[i])
        tree = self._tree
        return (
            tree.add_site(f"{name}_{tree.name(one)}", one, here),
            tree.add_site(f"{name}_{tree.name(other)}", other, there),
        )

    def _loop(self, one: str, other: str, match: Any) -> None:
        if one == other:
            raise PoiseError(f"an equality holds the site {one!r} to itself")
        self.loops.append(Loop(one, other, match=match))
