"""Each does something so many times."""

from poise.kernel.arrays import Floats, Floats2, Ints
from poise.kernel.body.kinematics import differentiate, locate, place, point_rows, turn_rows
from poise.kernel.body.masses import center_of_mass, center_of_mass_rows, gather
from poise.kernel.body.tree import State, Tree
from poise.kernel.compiling import entry
from poise.kernel.filling import clear
from poise.kernel.hierarchy.arrays import Workspace
from poise.kernel.hierarchy.step import step
from poise.kernel.published.priority_arrays import Step
from poise.kernel.published.priority_steps import take
from poise.kernel.residuals.blocks import Blocks, Scratch
from poise.kernel.residuals.evaluation import evaluate
from poise.kernel.residuals.gradients import Potential, Wrenches, gradient


@entry
def repeat_place(tree: Tree, q: Floats, state: State, count: int) -> None:
    """Placements of all nodes."""
    for _ in range(count):
        q[0] += 1e-9
        place(tree, q, state)


@entry
def repeat_all(
    tree: Tree,
    q: Floats,
    state: State,
    nodes: Ints,
    turned: Ints,
    local: Floats,
    point: Floats,
    rows: Floats2,
    count: int,
) -> None:
    """Placements, the Jacobians of points and rotations, and of the centre of mass."""
    for _ in range(count):
        q[0] += 1e-9
        place(tree, q, state)
        differentiate(tree, state)
        clear(rows, rows.shape[0])
        for i in range(nodes.size):
            locate(state, nodes[i], local, point)
            point_rows(tree, state, nodes[i], point, rows[3 * i : 3 * i + 3])
        at = 3 * nodes.size
        for i in range(turned.size):
            turn_rows(tree, state, turned[i], rows[at + 3 * i : at + 3 * i + 3])
        gather(tree, state, False)
        center_of_mass(tree, state, point)
        center_of_mass_rows(tree, state, rows[rows.shape[0] - 3 :])


@entry
def repeat_sweep(
    tree: Tree,
    parts: Potential,
    q: Floats,
    state: State,
    scratch: Scratch,
    residual: Floats,
    room: Wrenches,
    out: Floats,
    count: int,
) -> None:
    """A potential and its gradient by one sweep."""
    for _ in range(count):
        q[0] += 1e-9
        place(tree, q, state)
        differentiate(tree, state)
        evaluate(tree, parts.blocks, state, scratch, residual, room.matrix, False)
        gradient(tree, parts, state, scratch, residual, room, out)


@entry
def repeat_jacobian(
    tree: Tree,
    blocks: Blocks,
    q: Floats,
    state: State,
    scratch: Scratch,
    residual: Floats,
    matrix: Floats2,
    out: Floats,
    count: int,
) -> None:
    """A potential and its gradient by a Jacobian."""
    for _ in range(count):
        q[0] += 1e-9
        place(tree, q, state)
        differentiate(tree, state)
        evaluate(tree, blocks, state, scratch, residual, matrix, True)
        for i in range(out.size):
            out[i] = 0.0
        for r in range(residual.size):
            for i in range(out.size):
                out[i] += 2.0 * residual[r] * matrix[r, i]


@entry
def repeat_step(count: int, ws: Workspace, levels: int, warm: bool) -> None:
    """The inner step of lex."""
    for _ in range(count):
        step(ws, levels, warm, False)


@entry
def repeat_take(count: int, each: Step, levels: int, longest: float, how: int) -> None:
    """The step of `priority`, without limits."""
    for _ in range(count):
        take(each, levels, 0, longest, how)
