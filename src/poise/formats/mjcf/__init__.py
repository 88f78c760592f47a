"""MJCF, MuJoCo's model files: read through MuJoCo's own parser, and written."""

from poise.formats.mjcf.reading import read
from poise.formats.mjcf.writing import write

__all__ = ["read", "write"]
