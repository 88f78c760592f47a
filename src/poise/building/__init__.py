"""Turns the kernels into a shared library, ahead of time; the only place that knows numba.

The kernels are Python. numba infers the types of each function once and lowers it to LLVM's
language, with the functions that it calls only declared (`frontend`); the result is kept by the
function's content (`records`). The functions are dealt out to a fixed set of units, each optimised
by a process of its own (`units`); each entry gets a C function (`glue`), and all are linked into
one library (`linking`). `build` does all of it, with a progress bar.

`kernel.library` asks for it, in a process of its own, where no library of the present sources is
there; what poise does otherwise needs nothing of this.
"""
