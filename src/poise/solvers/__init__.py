"""How a posture is found: one file for each method, one interface."""

from poise.solvers.registry import METHODS, Solver, following, options_of, solver

__all__ = ["METHODS", "Solver", "following", "options_of", "solver"]
