"""Sines and cosines of a whole vector at once.

A figure needs some fifty sines for one placement. The C library computes them one by
one; written without branches the loop below is vectorised by the compiler and takes a
fraction of that time, at the same accuracy (about one unit in the last place).
"""

import math

import numpy as np

from poise.kernel.arrays import Floats
from poise.kernel.compiling import entry

# π/2 in three parts, each short enough that k·part is exact for |k| < 2^20 (Cody & Waite 1980).
_HALF_PI_1 = 1.57079632673412561417e00
_HALF_PI_2 = 6.07710050630396597660e-11
_HALF_PI_3 = 2.02226624879595063154e-21
_TWO_OVER_PI = 2.0 / math.pi

# Beyond this angle the reduction loses digits, and the library does it.
_LARGEST = 1e6

# Minimax coefficients on [−π/4, π/4] of (sin r − r)/r³ and (cos r − 1 + r²/2)/r⁴
# as given with the fdlibm kernels (Sun Microsystems 1993).
_S1, _S2, _S3 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
_S4, _S5, _S6 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
_C1, _C2, _C3 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
_C4, _C5, _C6 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11


@entry(exact=True)
def sines(angle: Floats, sine: Floats, cosine: Floats) -> None:
    """Write the sine and cosine of each angle (radians) of a vector.

    The rounding k = round(x·2/π) and the reduction must not be reassociated.
    """
    for i in range(angle.size):
        x = angle[i]
        k = np.floor(x * _TWO_OVER_PI + 0.5)
        r = ((x - k * _HALF_PI_1) - k * _HALF_PI_2) - k * _HALF_PI_3
        z = r * r
        s = r + r * z * (_S1 + z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6)))))
        c = 1.0 - 0.5 * z + z * z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
        # The quadrant k mod 4 as numbers, so that no branch stops the vectoriser.
        quadrant = k - 4.0 * np.floor(k * 0.25)
        odd = quadrant - 2.0 * np.floor(quadrant * 0.5)
        sign_sine = 1.0 - 2.0 * np.floor(quadrant * 0.5)
        sign_cosine = sign_sine * (1.0 - 2.0 * odd)
        sine[i] = sign_sine * (odd * c + (1.0 - odd) * s)
        cosine[i] = sign_cosine * (odd * s + (1.0 - odd) * c)
    for i in range(angle.size):
        if abs(angle[i]) > _LARGEST:
            sine[i] = np.sin(angle[i])
            cosine[i] = np.cos(angle[i])
