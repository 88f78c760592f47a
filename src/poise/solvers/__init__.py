"""How a posture is found: one file for each method, one interface."""

from poise.solvers.registry import METHODS, Solver, options_of, solver

__all__ = ["METHODS", "Solver", "options_of", "solver"]
