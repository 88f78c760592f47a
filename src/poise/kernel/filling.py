"""How rows are filled: with zeros, with those of others."""

from poise.kernel.compiling import compiled


@compiled
def clear(rows, count):
    """Set so many rows to zero."""
    for r in range(count):
        for i in range(rows.shape[1]):
            rows[r, i] = 0.0


@compiled
def copy(source, target):
    """Copy as much of a row as another one takes."""
    for i in range(target.size):
        target[i] = source[i]
