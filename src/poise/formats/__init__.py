"""Reading and writing files."""

from poise.formats.loading import load

__all__ = ["load"]
