"""How a posture is found: one file for each method, one interface."""

from poise.solvers.registry import METHODS, Solver, solver

__all__ = ["METHODS", "Solver", "solver"]
