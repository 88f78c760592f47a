"""Engell-Nørregård & Erleben 2011, *A projected back-tracking line-search …*.

Fig. 4 (a leg and its limits), Fig. 6 (too long a step), and Figs. 7–11, the comparison on
gymnastic motion. The paper's unit of length is about 0.2 m: 0.05 units are a centimetre.
"""

from poise.reproductions.claims import Reproduction
from poise.reproductions.projected_2011.leg import fig_4
from poise.reproductions.projected_2011.protocol import fig_7, fig_8, fig_9, fig_10
from poise.reproductions.projected_2011.steps import fig_6
from poise.reproductions.projected_2011.strip import fig_11

PAPER = "2011-projected"

EXAMPLES = (
    Reproduction("2011-fig-4", PAPER, "A leg in its extreme positions", fig_4),
    Reproduction("2011-fig-6", PAPER, "The transpose with too long a step flips", fig_6),
    Reproduction("2011-fig-7", PAPER, "Gymnastics at 28, 7 and 5 frames a cycle", fig_7),
    Reproduction("2011-fig-8", PAPER, "Errors of three methods at 28 frames a cycle", fig_8),
    Reproduction("2011-fig-9", PAPER, "Errors of three methods at 7 frames a cycle", fig_9),
    Reproduction("2011-fig-10", PAPER, "Errors of three methods at 5 frames a cycle", fig_10),
    Reproduction("2011-fig-11", PAPER, "Frames beside the reference", fig_11),
)
