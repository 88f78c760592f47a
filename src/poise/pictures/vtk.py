"""The one place that imports pyvista, and the few ways round VTK's habits."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from poise.errors import PoiseError
from poise.pictures.meshes import Mesh


def pyvista() -> Any:
    """The pyvista package, imported when the first picture is drawn."""
    try:
        import pyvista as package
    except ImportError:
        raise PoiseError(
            "pictures need pyvista, which is not installed: pip install poise[pictures]"
        ) from None
    return package


@contextmanager
def quiet() -> Generator[None]:
    """Keep VTK from reporting each kind of window that it tries before it finds one that works."""
    pyvista()
    from vtkmodules.vtkCommonCore import vtkLogger, vtkObject

    before = vtkLogger.GetCurrentVerbosityCutoff()
    warned = vtkObject.GetGlobalWarningDisplay()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    vtkObject.GlobalWarningDisplayOff()
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(vtkLogger.ConvertToVerbosity(before))
        vtkObject.SetGlobalWarningDisplay(warned)


def new_plotter(size: tuple[int, int]) -> Any:
    """An off-screen window for pictures of a size, without lights.

    Where there is neither a display nor EGL, VTK hopes for OSMesa, and would crash the whole
    process without it.
    """
    plotter = pyvista().Plotter(off_screen=True, window_size=list(size), lighting="none")
    if type(plotter.render_window).__name__.startswith("vtkOSOpenGL") and not _has_osmesa():
        plotter.close()
        raise PoiseError(
            "pictures need a library to draw with, and there is none: install Mesa's EGL "
            "(Debian, Ubuntu: apt install libegl1; Fedora: dnf install mesa-libEGL)"
        )
    return plotter


def _has_osmesa() -> bool:
    for name in ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"):
        with suppress(OSError):
            ctypes.CDLL(name)
            return True
    return False


def poly_data(mesh: Mesh) -> Any:
    """A mesh as pyvista draws it, with its own normals."""
    faces = np.hstack([np.full((len(mesh.triangles), 1), 3), mesh.triangles])
    data = pyvista().PolyData(mesh.points, faces.ravel())
    data.point_data.active_normals = mesh.normals
    return data
