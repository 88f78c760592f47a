"""A person before the page, without a browser: NiceGUI's simulated user, and shorthands for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ElementFilter
from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation

from poise.scene import Scene
from poise.studio.page import build
from poise.studio.session import Session

TAB = "tab"


class Hands:
    """What a person does; elements go by their markers."""

    def __init__(self, user: User, session: Session) -> None:
        self.user, self.session = user, session

    @property
    def scene(self) -> Scene:
        return self.session.scene

    def element(self, marker: str) -> Any:
        found = self.user.find(marker=marker).elements
        assert len(found) == 1, f"{len(found)} elements are marked {marker}"
        return next(iter(found))

    def has(self, marker: str) -> bool:
        with self.user:
            return any(ElementFilter(marker=marker))

    async def press(self, marker: str) -> None:
        self.user.find(marker=marker).click()
        await self.settle()

    async def key(self, marker: str, key: str) -> None:
        self.user.find(marker=marker).trigger(f"keydown.{key}")
        await self.settle()

    async def put(self, marker: str, value: Any) -> None:
        """Type into a field, or pull a slider, and leave it."""
        element = self.element(marker)
        with self.user:
            element.value = value
        self.user.find(marker=marker).trigger("change")
        await self.settle()

    async def choose(self, marker: str, value: Any) -> None:
        """Choose from a list, or switch."""
        element = self.element(marker)
        with self.user:
            element.value = value
        await self.settle()

    async def settle(self) -> None:
        """Let what was done reach the document and the page."""
        await asyncio.sleep(0.16)

    def text(self, marker: str) -> str:
        return self.element(marker).text

    def told(self) -> str:
        return "\n".join(self.user.notify.messages)


def at_the_page(deed: Callable[[Hands], Awaitable[None]], scene: Scene | None = None) -> None:
    """Open the page on a scene, do something there, and close it."""

    async def go() -> None:
        session = Session(scene)
        try:
            async with user_simulation(lambda: build(session, TAB) and None) as user:
                session.attach(asyncio.get_running_loop())
                await user.open("/")
                await deed(Hands(user, session))
        finally:
            session.close()

    asyncio.run(go())
