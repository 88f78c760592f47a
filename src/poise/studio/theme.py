"""The studio's looks: colours and spacing stand in `theme.css`, here is how they come to a page."""

from __future__ import annotations

from importlib import resources

from nicegui import ui

ACCENT = "#3f97dd"
"""What can be pressed; the two themes have it lighter and darker."""
COLORS = {"met": "#46c37b", "partly": "#efb041", "failed": "#f5685f", "off": "#738295"}
"""By the state of a task; the view has the same."""

IS_DARK: dict[str, bool | None] = {"dark": True, "light": False, "auto": None}
"""By the theme; None is as the system has it."""


STYLE_SHEET = resources.files("poise.studio").joinpath("theme.css").read_text(encoding="utf-8")
"""The text of `theme.css`."""


def dress(theme: str) -> ui.dark_mode:
    """Give the page that is being built its looks, "dark", "light" or "auto"; they can change."""
    ui.colors(
        primary=ACCENT,
        positive=COLORS["met"],
        warning=COLORS["partly"],
        negative=COLORS["failed"],
        dark="#161b21",
        dark_page="#0f1317",
    )
    # `ui.add_css` would make a script of it.
    ui.add_head_html(f"<style>{STYLE_SHEET}</style>")
    return ui.dark_mode(IS_DARK[theme])
