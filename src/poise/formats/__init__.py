"""Reading and writing files: figures, postures and motions, ours and other people's."""

from poise.formats.loading import export, load, load_clip, read
from poise.formats.reading import PoiseWarning, Reading

__all__ = ["PoiseWarning", "Reading", "export", "load", "load_clip", "read"]
