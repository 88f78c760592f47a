"""Compiled loops over kernels, so that a call from Python, a microsecond, is not measured.

They are kernels themselves, built for these sources when they are first called, as poise's own.
"""
