"""How the figures of a problem hang together: what each row touches, and what meets what.

Figures that stand apart are told from the packed tree, not from a scene: coordinates that move
the same node, or that a coupling ties, belong together. So a scene of several figures, and a
figure of several trees, are taken alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from poise import kernel
from poise.kernel.body.tree import Tree
from poise.kernel.residuals import touching
from poise.kernel.residuals.blocks import ROW
from poise.solvers.problem import Problem

Values = NDArray[np.float64]
Indices = NDArray[np.int64]


class Contacts:
    """The figures of a problem, the groups of its rows, and a Jacobian in few columns.

    Rows that touch the same figures are one group, and groups are numbered in the order in which
    they are eliminated: the one that meets the fewest rows first. Each figure has a group of its
    own, with or without tasks, for the limits that are added to it.
    """

    def __init__(self, problem: Problem) -> None:
        """Look at a problem; its targets may change afterwards, but nothing else."""
        tree, blocks = problem.figure.packed.tree, problem.blocks
        n = problem.figure.n
        self.figure_of = _components(tree, problem)
        """(n,) the figure of each coordinate."""
        self.count = count = int(self.figure_of.max(initial=-1)) + 1
        """How many figures there are."""
        nodes = _figures_of_nodes(tree, self.figure_of)
        whole = frozenset(range(count))
        heads = touching.heads(blocks)
        figures = [_figures_of(touching.touched(head), nodes, whole) for head in heads]
        members = [np.flatnonzero(self.figure_of == f) for f in range(count)]
        custom = any(map(touching.calls_python, heads))
        first = self._columns(members, figures, custom)
        self.column: Indices = np.zeros(n, np.int64)
        """(n,) the column of each coordinate in a compact row."""
        for f, own in enumerate(members):
            self.column[own] = first[f] + np.arange(own.size)
        sets = list(dict.fromkeys([*(frozenset((f,)) for f in range(count)), *figures]))
        sizes = dict.fromkeys(sets, 0)
        for b, each in enumerate(figures):
            sizes[each] += int(blocks.block[b + 1, ROW] - blocks.block[b, ROW])
        self.groups, links = _eliminated(sets, sizes)
        """The figures that each group touches."""
        number = {each: g for g, each in enumerate(self.groups)}
        self.own = np.array([number[frozenset((f,))] for f in range(count)], np.int64)
        """(F,) the group of each figure by itself."""
        self.leader = np.array([min(each, default=0) for each in self.groups], np.int64)
        """(G,) the first figure of each group."""
        rows = np.diff(blocks.block[:, ROW])
        self.group_of_row: Indices = np.repeat([number[each] for each in figures], rows).astype(
            np.int64
        )
        """(R,) the group of each row."""
        self.plan = _plan(members, first, self.groups, links)
        links_of = [g for g, later in enumerate(links) for _ in later]
        self.block_groups: Indices = np.array(
            [[*range(len(links)), *links_of], [*range(len(links)), *(h for x in links for h in x)]],
            np.int64,
        )
        """(2, G + E) the groups of each block: its columns, its rows."""
        self._coordinates: dict[int, Indices] = {}
        # The same tree, but derivatives are written into the compact columns.
        self.tree = tree._replace(
            column_coordinate=self.column[tree.column_coordinate],
            drive_coordinate=np.where(
                tree.drive_coordinate >= 0, self.column[tree.drive_coordinate], -1
            ).astype(np.int64)
            if n
            else tree.drive_coordinate,
        )

    def _columns(
        self, members: Sequence[Indices], figures: Iterable[frozenset[int]], custom: bool
    ) -> list[int]:
        """The first column of each figure: figures that no row brings together share columns."""
        sizes = [own.size for own in members]
        self.is_plain = len(sizes) <= 1 or custom
        """Whether a compact row is just a row over all coordinates; custom tasks want that."""
        if self.is_plain:
            # In their order, which then is that of the coordinates.
            self.width = sum(sizes)
            return np.cumsum([0, *sizes[:-1]]).tolist() if sizes else []
        meets: list[set[int]] = [set() for _ in sizes]
        for each in figures:
            for f in each:
                meets[f] |= each - {f}
        colour = [-1] * len(sizes)
        for f in range(len(sizes)):
            taken = {colour[other] for other in meets[f]}
            colour[f] = next(c for c in range(len(sizes)) if c not in taken)
        wide = [
            max((sizes[f] for f in range(len(sizes)) if colour[f] == c), default=0)
            for c in range(max(colour) + 1)
        ]
        starts = np.cumsum([0, *wide]).tolist()
        self.width = int(starts[-1])
        return [starts[c] for c in colour]

    def coordinates_of(self, group: int) -> Indices:
        """The coordinates that a group touches."""
        if group not in self._coordinates:
            figures = sorted(self.groups[group])
            self._coordinates[group] = np.flatnonzero(np.isin(self.figure_of, figures))
        return self._coordinates[group]

    def within(self, group: int) -> list[int]:
        """The groups that touch no other figures than a group does."""
        return [g for g, each in enumerate(self.groups) if each <= self.groups[group]]

    def compact(self, row: Values, out: Values) -> int:
        """Write a row over all coordinates, of one figure, into compact columns; its figure."""
        where = np.flatnonzero(row)
        out[:] = 0.0
        out[self.column[where]] = row[where]
        return int(self.figure_of[where[0]]) if where.size else 0


def _components(tree: Tree, problem: Problem) -> Indices:
    """(n,) a number for each coordinate, the same for those that belong together."""
    parent = list(range(problem.figure.n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(several: Indices) -> None:
        for i in several[1:].tolist():
            parent[root(i)] = root(int(several[0]))

    for j in range(tree.parent.size):
        join(tree.column_coordinate[tree.column_start[j] : tree.column_start[j + 1]])
    bounds = problem.figure.bounds
    for k in range(bounds.coupling.size - 1):
        join(bounds.coupling_coordinate[bounds.coupling[k] : bounds.coupling[k + 1]])
    roots = [root(i) for i in range(len(parent))]
    number = {each: f for f, each in enumerate(dict.fromkeys(roots))}
    result = np.array([number[each] for each in roots], np.int64)
    if np.any(np.diff(result) < 0):
        # Parts of one figure that lie between each other count as one, so that rows stay rows.
        result = np.zeros_like(result)
    return result


def _figures_of_nodes(tree: Tree, figure_of: Indices) -> Indices:
    """(N,) the figure that moves each node, −1 for what stands still."""
    result = np.full(tree.parent.size, -1, np.int64)
    for j in range(tree.parent.size):
        if tree.column_start[j] < tree.column_start[j + 1]:
            result[j] = figure_of[tree.column_coordinate[tree.column_start[j]]]
    return result


def _figures_of(found: touching.Nodes, nodes: Indices, whole: frozenset[int]) -> frozenset[int]:
    """The figures that move some nodes; None stands for every node."""
    return whole if found is None else frozenset(int(nodes[each]) for each in found) - {-1}


def _eliminated(
    sets: Sequence[frozenset[int]], sizes: dict[frozenset[int], int]
) -> tuple[list[frozenset[int]], list[list[int]]]:
    """Groups in the order of least degree, and the later groups that each then meets."""
    meets: dict[frozenset[int], set[frozenset[int]]] = {
        each: {other for other in sets if other != each and other & each} for each in sets
    }
    left, order, later = dict.fromkeys(sets), [], []
    while left:
        pivot = min(left, key=lambda each: sum(sizes[other] for other in meets[each]))
        del left[pivot]
        around = meets.pop(pivot)
        for each in around:
            meets[each] |= around - {each}
            meets[each].discard(pivot)
        order.append(pivot)
        later.append(around)
    number = {each: g for g, each in enumerate(order)}
    return order, [sorted(number[each] for each in around) for around in later]


def _plan(
    members: Sequence[Indices],
    first: Sequence[int],
    groups: Sequence[frozenset[int]],
    links: Sequence[Sequence[int]],
) -> kernel.published.elimination.Plan:
    """The flat form."""
    link_start = np.cumsum([0, *map(len, links)])
    block = {(g, g): g for g in range(len(groups))}
    for g, later in enumerate(links):
        block |= {(g, h): len(groups) + int(link_start[g]) + e for e, h in enumerate(later)}
    shared = [sorted(groups[g] & groups[h]) for g, h in block]
    touched = [sorted(each) for each in groups]
    pairs = [block[pair] for later in links for pair in combinations_with_replacement(later, 2)]

    def starts(lists: Iterable[Sequence[int] | Indices]) -> Indices:
        return np.cumsum([0, *map(len, lists)], dtype=np.int64)

    def flat(lists: Iterable[Sequence[int] | Indices]) -> Indices:
        return np.array([i for each in lists for i in each], np.int64)

    return kernel.published.elimination.Plan(
        member_start=starts(members),
        member=flat(members),
        first=np.array(first, np.int64),
        touched_start=starts(touched),
        touched=flat(touched),
        link_start=link_start.astype(np.int64),
        link=flat(links),
        shared_start=starts(shared),
        shared=flat(shared),
        target=np.array(pairs, np.int64),
    )
