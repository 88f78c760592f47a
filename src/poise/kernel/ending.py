"""How a solve begins and how it ended, in the numbers that kernels give and take."""

SOLVED, STATIONARY, STALLED, ITERATIONS = range(4)
"""How a solve ended."""

COLD, CONTINUED = range(2)
"""How a solve begins: from nothing, or where the last call was left."""
