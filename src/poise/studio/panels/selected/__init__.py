"""The numeric panel of what is selected: a joint, a site, a task, a force or a prop."""

from poise.studio.panels.selected.panel import SelectedPanel

__all__ = ["SelectedPanel"]
