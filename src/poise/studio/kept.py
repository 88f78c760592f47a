"""A document as it is written: the scene as a file has it, and the rest to the last bit."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from poise.studio.document import Document
from poise.studio.opening import Text, scene_of


class Kept(BaseModel):
    """A document as it is written."""

    model_config = ConfigDict(extra="forbid")

    poise: int = 1
    """Of the form of the file."""
    scene: str
    """The text of a scene file; its postures may be older."""
    q: list[str]
    """All coordinates, to the last bit (hexadecimal)."""
    poses: dict[str, dict[str, str]] = {}
    symmetric: bool = False
    contact_forces: bool = False
    pending: list[str] | None = None
    """Where its posture was still to be found: what must stay meanwhile."""
    skins: dict[str, str] = {}
    """By figure, the file in the folder of uploads that its skin is from."""
    shown: dict[str, Any] = {}
    """What the last tab showed."""
    step: int = 0
    """The number of the last deed of the history that has happened to it."""

    @classmethod
    def of(cls, document: Document, shown: dict[str, Any] | None = None, step: int = 0) -> Kept:
        """A document, and what tabs show of it; it is written now, unless it was before."""
        return cls(
            scene=str(document.text or Text(document.scene)),
            q=[value.hex() for value in document.scene.q.tolist()],
            poses={
                name: {key: float(value).hex() for key, value in pose.items()}
                for name, pose in document.poses.items()
            },
            symmetric=document.symmetric,
            contact_forces=document.contact_forces,
            pending=None if document.pending is None else list(document.pending),
            skins=dict(document.skin_files),
            shown=shown or {},
            step=step,
        )

    def document(self) -> Document:
        """The document, without its skins; a `PoiseError` or `ValueError` where it makes none."""
        scene = scene_of(self.scene, "what the studio kept")
        scene.q = [float.fromhex(value) for value in self.q]
        document = Document(
            scene,
            {
                name: {key: float.fromhex(value) for key, value in pose.items()}
                for name, pose in self.poses.items()
            },
            self.symmetric,
            self.contact_forces,
        )
        document.pending = None if self.pending is None else tuple(self.pending)
        document.skin_files = dict(self.skins)
        document.text = Text.known(self.scene)
        return document
