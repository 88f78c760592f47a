"""MuJoCo asked to compile a model, without letting it speak, log or open files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poise.errors import PoiseError
from poise.formats.mjcf.prepass import Cleaned, unusable

_broken: list[str] = []
"""The file over which MuJoCo's parser fell, if it did."""


def compiled(path: Path, cleaned: Cleaned) -> Any:
    """MuJoCo's model (`mujoco.MjModel`) of a cleaned file."""
    try:
        import mujoco
    except ImportError:
        raise PoiseError(
            "reading MJCF needs MuJoCo, which is not installed: pip install 'poise[formats]'"
        ) from None
    if _broken:
        raise PoiseError(
            f"{path} cannot be read any more: MuJoCo failed over {_broken[0]}, and its parser "
            "would now wait for ever; start Python again"
        )
    module: Any = mujoco  # its functions are made when it is imported
    before = module.get_mju_user_warning()
    # Otherwise warnings go to the terminal and into a file in the working folder.
    module.set_mju_user_warning(_ignore)
    try:
        return module.MjModel.from_xml_string(cleaned.text, cleaned.assets)
    except (ValueError, MemoryError, module.FatalError) as error:
        raise unusable(path, str(error), cleaned.sources) from None
    except RuntimeError as error:
        # Not an answer but an accident, after which a lock inside MuJoCo stays taken.
        _broken.append(str(path))
        raise PoiseError(f"{path} makes MuJoCo's parser fail: {error}") from None
    finally:
        module.set_mju_user_warning(before)


def _ignore(message: str) -> None:
    """A warning; what is wrong in a model shows when its numbers are checked."""
