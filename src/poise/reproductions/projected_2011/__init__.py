"""Engell-Nørregård & Erleben 2011, *A projected back-tracking line-search …*.

Fig. 4 (a leg and its limits), Fig. 6 (too long a step), and Figs. 7–11, the comparison on
gymnastic motion. The paper's unit of length is about 0.2 m: 0.05 units are a centimetre.
"""

from poise.reproductions.claims import Reproduction
from poise.reproductions.projected_2011.boxes import fig_8, fig_9, fig_10
from poise.reproductions.projected_2011.leg import fig_4
from poise.reproductions.projected_2011.protocol import fig_7
from poise.reproductions.projected_2011.steps import fig_6
from poise.reproductions.projected_2011.strip import fig_11

PAPER = "2011-projected"

_STEPS = {
    "with a step of 0.005 the transpose converges": "the longest step that converges depends on "
    "the goal and the figure, and 0.005 lies inside its range: too long for some goals, shorter "
    "than need be for others, as theory has it",
    "with a step of 0.005 it converges where the pelvis moves too": "with the pelvis free the "
    "Jacobian is larger, and the longest step that converges is shorter still",
}
_OUTLIERS = {
    "the transpose has significant outliers, the greatest of 60 to 100 units²": "our motion and "
    "our step of the transpose, which is short enough to converge, give lower ones"
}

EXAMPLES = (
    Reproduction("2011-fig-4", PAPER, "A leg in its extreme positions", fig_4),
    Reproduction("2011-fig-6", PAPER, "The transpose with too long a step flips", fig_6, _STEPS),
    Reproduction("2011-fig-7", PAPER, "Gymnastics at 28, 7 and 5 frames a cycle", fig_7),
    Reproduction("2011-fig-8", PAPER, "Errors of three methods at 28 frames a cycle", fig_8),
    Reproduction("2011-fig-9", PAPER, "Errors of three methods at 7 frames a cycle", fig_9),
    Reproduction(
        "2011-fig-10", PAPER, "Errors of three methods at 5 frames a cycle", fig_10, _OUTLIERS
    ),
    Reproduction("2011-fig-11", PAPER, "Frames beside the reference", fig_11),
)
