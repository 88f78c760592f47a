"""Reading and writing files: figures, postures and motions, ours and other people's."""

from poise.formats.loading import export, load, load_clip, read
from poise.formats.reading import Reading

__all__ = ["Reading", "export", "load", "load_clip", "read"]
