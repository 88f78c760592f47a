"""Human limits for skeletons of people, whatever file they come from."""

from poise.formats.human.applying import with_human_limits

__all__ = ["with_human_limits"]
