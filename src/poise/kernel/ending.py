"""How a solve begins and how it ended, in the numbers that kernels give and take."""

SOLVED, STATIONARY, STALLED, ITERATIONS = range(4)
"""How a solve ended."""

RUNNING = -1
"""It has not."""

COLD, CONTINUED, WARM, CALM = range(4)
"""How a solve begins: from nothing; where the last call was left; near the end of the last one;
from nothing, but in a motion that must not leap."""
