"""The same problems beside other solvers, in one run, on the same figure.

Run it by `python benchmarks/run.py peers`. Solvers that cannot live in the environment of poise
have one of their own (`environments.py`) and are asked through a worker process (`worker.py`,
`placo_worker.py`, `momentum_worker.py`, none of which imports poise).
"""
