"""Files that people write: YAML read with the place of every value, checked, and written safely.

Not imported by `import poise`: it loads yaml and pydantic.
"""

from poise.documents.reading import Document, KeyPath, parse, read
from poise.documents.validation import (
    Choice,
    Part,
    must_be,
    one_of,
    tagged,
    tagged_by,
    validated,
    wrong,
)
from poise.documents.writing import HALF_WRITTEN, check_folder, shortest, write, yaml_text

__all__ = [
    "HALF_WRITTEN",
    "Choice",
    "Document",
    "KeyPath",
    "Part",
    "check_folder",
    "must_be",
    "one_of",
    "parse",
    "read",
    "shortest",
    "tagged",
    "tagged_by",
    "validated",
    "write",
    "wrong",
    "yaml_text",
]
