"""Names that would like to be markup: all of the page shows them, and none of them does anything.

What a policy of the browser's would keep from running counts as well: such a name would have got
through, and the console has it. `tab` sees to that.
"""

import json
from typing import Any

import pytest
from tests.studio.browser.driving import Studio
from tests.studio.browser.hostile import ACTING, RUN, WAYS, WORSE, hostile

from poise.studio.panels.widgets import words_of

FILE = f'a\' <img src=x onerror={RUN}>" onload="{RUN}.yaml'

HARM = """() => {
  const acts = (each) => [...each.attributes].some(({name}) => /^(on|@|:|v-)/i.test(name)) ||
    each.matches("img[src=x], [href^='javascript:' i], [style*='q-spin']");
  const found = [...document.querySelectorAll("*")].filter(acts);
  const ran = "__xss" in window ? ["it ran"] : [];
  const panels = [...document.querySelectorAll(".studio-panels .q-tab-panel, .q-dialog .card")];
  const cut = panels.filter((each) => each.scrollWidth > each.clientWidth + 1);
  return [...ran, ...found, ...cut].map((each) => each.outerHTML?.slice(0, 300) ?? each);
}"""


class Visitor:
    """Goes everywhere in a page, and looks for harm at every place."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.page = studio, studio.page
        self.left: list[str] = []
        own = studio.address.partition("//")[2]
        allowed = (f"http://{own}/", f"ws://{own}/", "data:", f"blob:http://{own}/")

        def went(request: Any) -> None:
            if not request.url.startswith(allowed):
                self.left.append(request.url)

        def asked(dialog: Any) -> None:
            self.left.append(f"a dialog: {dialog.message}")
            dialog.dismiss()

        for kind in ("request", "websocket"):
            self.page.on(kind, went)
        self.page.on("dialog", asked)

    def look(self) -> None:
        """See that nothing is harmed where it is now, and that nothing is cut off."""
        assert self.page.evaluate(HARM) == []
        assert self.left == []

    def text(self, selector: str, text: str) -> None:
        """Wait until something shows this text, all of it and as it is."""
        self.page.wait_for_function(
            "([selector, text]) => [...document.querySelectorAll(selector)]"
            ".some((each) => each.textContent === text)",
            arg=[selector, text],
        )

    def choose(self, menu: str, *entries: str) -> None:
        """Open a menu, and click entries, each in the menu that the last one opened."""
        self.page.click(f".studio-menu:has-text('{menu}')")
        self.page.wait_for_selector(".q-menu")
        self.look()
        for each in entries:
            self.page.click(f".q-menu .q-item:has-text('{each}') >> visible=true")

    def close(self) -> None:
        """Close all that is open above the page, one after the other."""
        above = "document.querySelectorAll('.q-dialog--modal, .q-menu').length"
        while count := self.page.evaluate(above):
            self.page.keyboard.press("Escape")
            self.page.wait_for_function(f"count => {above} < count", arg=count)

    def upload(self, name: str, content: str) -> None:
        """Give a file to the dialog that is open."""
        file = {"name": name, "mimeType": "text/yaml", "buffer": content.encode()}
        self.page.set_input_files(".q-dialog input[type=file]", file)


@pytest.fixture
def visitor(tab: Studio) -> Visitor:
    """On the page as people see it, without drawing."""
    made = Visitor(tab)
    tab.open_whole()
    return made


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of the hostile scene."""
    file = tmp_path_factory.mktemp("hostile") / "scene.yaml"
    hostile().save(file)
    return file.read_text("utf-8")


def test_a_scene_of_hostile_names_is_shown_everywhere_and_does_nothing(
    visitor: Visitor, scene: str
) -> None:
    page, studio = visitor.page, visitor.studio
    visitor.choose("File", "Open a scene")
    visitor.upload(FILE, scene)
    sent = FILE.replace('"', "%22")  # as browsers write it in a form
    visitor.text(".q-notification__message", f"opened {sent}")
    visitor.text(".task .name", WORSE)
    visitor.look()
    for way in WAYS.values():
        studio.apply(do="keep_pose", name=f"{way} of poses")
    page.reload()
    studio.ready()
    visitor.look()
    panels(visitor)
    sheets(visitor)
    menus(visitor)
    beside_the_view(visitor)
    in_the_view(visitor)
    assert page.evaluate("window.__xss") is None
    assert visitor.left == []


def panels(visitor: Visitor) -> None:
    """Go through the panels, with all that they open."""
    page = visitor.page
    for way in (WORSE, *WAYS.values()):
        visitor.studio.apply(do="select", kind="task", name=way)
        visitor.text(".task.chosen .name", way)
        visitor.look()
    page.click("[aria-label='type'] >> visible=true")
    page.wait_for_selector(".q-menu .q-item")
    visitor.close()
    page.click("button:has-text('What is in its way') >> visible=true")
    page.click("button:has-text('all joints') >> visible=true")
    page.wait_for_selector(".q-dialog .q-checkbox")
    visitor.look()
    visitor.close()
    for name in ("Criteria", "Forces"):
        page.click(f".q-tab:has-text('{name}')")
        page.wait_for_selector(f".q-tab--active:has-text('{name}')")
        visitor.look()
    page.click("button:has-text('Add force')")
    page.click("[aria-label='site of the load'] >> visible=true")
    visitor.text(".q-item__label", f"{WAYS['tags']}/{WAYS['tags']}")
    visitor.look()
    visitor.close()


def sheets(visitor: Visitor) -> None:
    """Select one thing of each kind and way."""
    for way in WAYS.values():
        for kind, name in (
            ("joint", f"{way}/{way}"),
            ("site", f"{way}/{way}"),
            ("prop", f"{way} of props"),
            ("force", f"{way} of forces"),
        ):
            visitor.studio.apply(do="select", kind=kind, name=name)
            visitor.text(".section .title", words_of(name))
            visitor.page.wait_for_selector(f".section .chip:text-is('{chip(kind)}')")
            visitor.look()
    segment = f"{WAYS['long']}/{WAYS['long']} of segments"
    visitor.studio.apply(do="select", kind="segment", name=segment)
    visitor.text(".section .title", words_of(segment))
    visitor.page.click("[aria-label='find a joint, site, task, force or prop']")
    visitor.page.wait_for_selector(".q-menu .q-item")
    visitor.look()
    visitor.close()


def chip(kind: str) -> str:
    """What a sheet calls the kind of thing that it shows."""
    return "hinge" if kind == "joint" else kind


def menus(visitor: Visitor) -> None:
    """Open every menu and every dialog over the page."""
    for menu, *entries in (
        ("File", "Open a scene"),
        ("File", "Copy as Python"),
        ("Insert", "Task"),
        ("Insert", "Criterion"),
        ("Insert", "Box"),
        ("Figure", "Ready figures"),
        ("Figure", "Stature and sex"),
        ("Figure", "From a file"),
        ("Figure", "Root"),
        ("Posture", "How it is solved"),
    ):
        visitor.choose(menu, *entries)
        visitor.page.wait_for_selector(".q-dialog--modal .card")
        visitor.look()
        visitor.close()
    for entry in ("Examples", "Export"):
        visitor.choose("File", entry)
        visitor.page.wait_for_function("document.querySelectorAll('.q-menu').length === 2")
        visitor.look()
        visitor.close()
    visitor.choose("View")
    visitor.close()
    visitor.page.click("[aria-label^='keys and gestures']")
    visitor.page.wait_for_selector(".q-dialog kbd")
    visitor.look()
    visitor.close()


def beside_the_view(visitor: Visitor) -> None:
    """Open what stands beside the view, and type names there."""
    page, studio = visitor.page, visitor.studio
    visitor.choose("Posture", "Pose library")
    for way in WAYS.values():
        visitor.text(".pose .ellipsis", f"{way} of poses")
    page.fill("[aria-label='name of this pose']", WORSE)
    page.click("button:has-text('Keep') >> visible=true")
    visitor.text(".pose .ellipsis", WORSE)
    page.hover("[aria-label^='undo']")
    visitor.text(".q-tooltip", f"undo: keep the pose {WORSE} (Ctrl+Z)")
    visitor.look()
    page.click(".q-dialog--seamless [aria-label='close']")
    page.wait_for_selector(".q-dialog--seamless", state="detached")
    visitor.choose("Figure", "Edit the figure")
    for way in WAYS.values():
        page.click("[aria-label='figure'] >> visible=true")
        page.locator(".q-menu .q-item").get_by_text(way, exact=True).click()
        visitor.text(".q-dialog--seamless .section .title", words_of(f"{way} of segments"))
        visitor.look()
    page.fill("[aria-label='new segment']", f"{WAYS['quotes']} anew")
    page.click("button:has-text('Add segment')")
    visitor.text(".q-dialog--seamless .section .title", words_of(f"{WAYS['quotes']} anew"))
    visitor.look()
    page.click(".q-dialog--seamless [aria-label='close'] >> visible=true")
    page.wait_for_selector(".q-dialog--seamless", state="detached")
    studio.apply(do="select", kind="task", name=WORSE)
    field = page.locator(".task-editor [aria-label='name']")
    field.fill(WAYS["tags"])
    field.press("Enter")
    page.wait_for_selector(".q-notification__message:has-text('names must be unique')")
    visitor.look()


def in_the_view(visitor: Visitor) -> None:
    """Point at things in the view, and open the menu of pins."""
    studio = visitor.studio
    studio.apply(do="settings", sites=True, labels=True, torques=True)
    for way in ("tags", "quotes"):
        name = f"{WAYS[way]}/{WAYS[way]}"
        visitor.page.mouse.click(*studio.seen(name), button="right")
        visitor.page.wait_for_selector(".poise-pins >> visible=true")
        assert WAYS[way] in visitor.page.inner_text(".poise-pins span")
        visitor.look()
        visitor.page.keyboard.press("Escape")


def test_names_that_are_none_are_refused_in_words(visitor: Visitor) -> None:
    page, studio = visitor.page, visitor.studio
    before = studio.session["tasks"]
    visitor.choose("File", "Open a scene")
    for name, told in zip(ACTING.values(), ("10000 characters", "control character"), strict=True):
        task = {"position": {"site": "left_hand"}, "name": name}
        visitor.upload(FILE, json.dumps({"scene": {"figure": "human", "tasks": [task]}}))
        page.wait_for_selector(f".q-dialog .blocker:has-text('{told}')")
        visitor.look()
    visitor.upload(f"{FILE}.exe", "")
    page.wait_for_selector(".q-dialog .blocker:has-text('of another kind')")
    assert f"{FILE}.exe" in page.inner_text(".q-dialog .blocker >> visible=true")
    visitor.look()
    visitor.close()
    page.click(".task-row >> nth=0")
    page.fill(".task-editor [aria-label='name']", "a" * 10_000)
    page.press(".task-editor [aria-label='name']", "Enter")
    page.wait_for_selector(".q-notification__message:has-text('at most 450 characters')")
    visitor.look()
    assert studio.session["tasks"] == before


def test_a_handler_a_script_and_a_request_that_got_into_the_page_do_nothing(
    visitor: Visitor,
) -> None:
    page = visitor.page
    page.evaluate(
        """() => {
          window.refused = [];
          document.addEventListener("securitypolicyviolation", (event) =>
            window.refused.push(event.effectiveDirective));
          const box = document.createElement("div");
          box.innerHTML = "<img src=data:, onerror='window.__xss=1'><iframe src=/></iframe>";
          const script = document.createElement("script");
          script.textContent = "window.__xss = 2";
          document.body.append(box, script);
          fetch("http://127.0.0.1:9/").catch(() => {});
        }"""
    )
    for directive in ("script-src-attr", "script-src-elem", "frame-src", "connect-src"):
        page.wait_for_function("each => window.refused.includes(each)", arg=directive)
    assert page.evaluate("window.__xss") is None
    visitor.studio.errors.clear()  # the console has told of each
