"""How a posture is found: one file for each method, one interface."""

from poise.solvers.method import Method
from poise.solvers.registry import DEFAULT, METHODS, Solver, following, options_of, solver

__all__ = ["DEFAULT", "METHODS", "Method", "Solver", "following", "options_of", "solver"]
