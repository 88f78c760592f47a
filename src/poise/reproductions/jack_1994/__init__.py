"""Zhao & Badler 1994, *Inverse Kinematics Positioning Using Nonlinear Programming …*.

The examples of section 12. The paper gives the kind and number of constraints, the degrees of
freedom and the time, and pictures without numbers: where things are is chosen here by
its words. All are solved by `nlp`, the paper's method, from an upright neutral posture.
"""

from poise.reproductions.claims import Reproduction
from poise.reproductions.jack_1994.reach import fig_6, fig_7, fig_8
from poise.reproductions.jack_1994.spine import fig_4, fig_5
from poise.reproductions.jack_1994.tube import fig_3_left, fig_3_right

PAPER = "1994-jack"

EXAMPLES = (
    Reproduction("1994-fig-3-left", PAPER, "Looking into a tube, spine grouped", fig_3_left),
    Reproduction("1994-fig-3-right", PAPER, "The same, vertebrae independent", fig_3_right),
    Reproduction("1994-fig-4", PAPER, "Angles along the grouped spine", fig_4),
    Reproduction("1994-fig-5", PAPER, "Angles along the independent vertebrae", fig_5),
    Reproduction("1994-fig-6", PAPER, "A goal out of reach from the shoulder", fig_6),
    Reproduction("1994-fig-7", PAPER, "The same from the waist: awkward", fig_7),
    Reproduction("1994-fig-8", PAPER, "The same with rigidities: natural", fig_8),
)
