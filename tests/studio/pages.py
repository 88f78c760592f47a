"""A tab for tests."""

from typing import Any

from poise.studio.session import Session


class Page:
    """A tab that keeps the latest of everything it is sent."""

    def __init__(self, session: Session, name: str = "tab") -> None:
        self.session, self.name = session, name
        self.latest: dict[str, Any] = {}
        self.frames: list[bytes] = []
        self.depart = session.join(name, self._take)

    def _take(self, kind: str, content: Any) -> None:
        self.latest[kind] = content
        if kind == "frame":
            self.frames.append(content)

    def do(self, do: str, **fields: Any) -> None:
        """Send a command, and wait until all is drawn."""
        self.session.apply({"do": do, **fields}, self.name)
        assert self.session.wait(), "it did not come to an end"

    def drag(self, way: list[list[float]]) -> None:
        """Move what is grabbed along points, waiting for each posture."""
        for i, point in enumerate(way, 1):
            self.session.apply({"do": "move", "point": point, "sequence": i}, self.name)
            assert self.session.follow(), "it was not followed"

    @property
    def overlays(self) -> dict[str, Any]:
        assert self.session.wait(), "it was not drawn"
        return self.latest["overlays"]
