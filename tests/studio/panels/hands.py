"""A person before the page, without a browser: NiceGUI's simulated user, and shorthands for it."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Any

from nicegui import ElementFilter, ui
from nicegui.elements.upload_files import SmallFileUpload
from nicegui.events import GenericEventArguments, UploadEventArguments, handle_event
from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation
from tests.studio.loops import run

from poise.scene import Scene
from poise.studio.component import View
from poise.studio.menus.keys import EVENT
from poise.studio.page import build
from poise.studio.panels.desk import Desk
from poise.studio.session import Session

TAB = "tab"


class Hands:
    """What a person does; elements go by their markers."""

    def __init__(self, user: User, desk: Desk) -> None:
        self.user, self.desk, self.session = user, desk, desk.session

    @property
    def scene(self) -> Scene:
        return self.session.scene

    def element(self, marker: str) -> Any:
        found = self.user.find(marker=marker).elements
        assert len(found) == 1, f"{len(found)} elements are marked {marker}"
        return next(iter(found))

    def has(self, marker: str) -> bool:
        """Whether a person sees it."""
        with self.user:
            found = list(ElementFilter(marker=marker))
        return any(all(e.visible for e in (each, *each.ancestors())) for each in found)

    def within(self, marker: str) -> AbstractContextManager[Any]:
        """Look for elements in this one only."""
        return self.user.scope(marker=marker)

    def dialog(self, marker: str) -> ui.dialog:
        """The dialog that holds an element."""
        element = self.element(marker)
        return next(each for each in element.ancestors() if isinstance(each, ui.dialog))

    def pick(self, found: dict[str, Any]) -> None:
        """Click something in the view, when it is asked for."""
        with self.user:
            (view,) = ElementFilter(kind=View)
        self.user.find(kind=View).trigger("pick", found)
        assert view._picked is None

    def uploader(self, title: str) -> ui.upload:
        """What takes files in the dialog of that title."""
        with self.user:
            dialogs = list(ElementFilter(kind=ui.dialog))
        (dialog,) = [
            d for d in dialogs if any(getattr(e, "text", "") == title for e in d.descendants())
        ]
        (upload,) = [each for each in dialog.descendants() if isinstance(each, ui.upload)]
        return upload

    def refuse(self, title: str, *why: Any) -> None:
        """Do as a browser does that does not take a file: the rule, its name, its bytes."""
        upload = self.uploader(title)
        for listener in upload._event_listeners.values():
            if listener.type == "rejected":
                told = GenericEventArguments(sender=upload, client=upload.client, args=list(why))
                with self.user:
                    handle_event(listener.handler, told)

    async def upload(self, title: str, name: str, content: bytes) -> None:
        """Give a file to the dialog of that title, and see what comes of it."""
        await self.give(title, name, content)
        await self.settle()

    async def give(self, title: str, name: str, content: bytes) -> None:
        """Open the dialog of that title, and give it a file."""
        upload = self.uploader(title)
        with self.user:
            next(each for each in upload.ancestors() if isinstance(each, ui.dialog)).open()
        file = SmallFileUpload(name, "application/octet-stream", content)
        for each in upload._upload_handlers:
            handler: Any = each
            with self.user:
                await handler(UploadEventArguments(sender=upload, client=upload.client, file=file))

    async def strike(self, key: str) -> None:
        """Press a key, as the page's script tells it."""
        client = self.user.client
        assert client is not None
        with client:
            for listener in client.layout._event_listeners.values():
                if listener.type == EVENT:
                    handle_event(
                        listener.handler,
                        GenericEventArguments(sender=client.layout, client=client, args=key),
                    )
        await self.settle()

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
        """Let what was done reach the document, and the document's answer the page."""
        await asyncio.sleep(0.02)
        assert await asyncio.to_thread(self.session.wait, drawn=False)
        with self.user:
            self.desk.tell()
        await asyncio.sleep(0.01)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something has come about that takes its time."""
        end = time.monotonic() + 60.0
        while not is_so():
            assert time.monotonic() < end, "it did not come about"
            await self.settle()

    def text(self, marker: str) -> str:
        return self.element(marker).text

    def told(self) -> str:
        return "\n".join(self.user.notify.messages)


class _Failures(logging.Handler):
    """What went wrong behind the page, which NiceGUI only logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(self.format(record))


def at_the_page(deed: Callable[[Hands], Awaitable[None]], scene: Scene | None = None) -> None:
    """Open the page on a scene, do something there, and close it."""

    # NiceGUI collects garbage before and after: what was there before it began is none of that.
    gc.freeze()

    async def go() -> None:
        session = Session(scene)
        failures = _Failures()
        logging.getLogger("nicegui").addHandler(failures)
        try:
            desks: list[Desk] = []
            async with user_simulation(lambda: desks.append(build(session, TAB))) as user:
                session.attach(asyncio.get_running_loop())
                await user.open("/")
                await deed(Hands(user, desks[-1]))
                assert not failures.told, failures.told[0]
        finally:
            logging.getLogger("nicegui").removeHandler(failures)
            session.close()

    run(go())
