"""Ho, Komura & Lau 2005, *Computing Inverse Kinematics with Linear Programming*.

Tables 1 and 2 with Fig. 3, section 5, and Fig. 4. The paper gives the persons, the numbers of
constraints and what is moved; where people touch, and how far they move, is chosen here. What
machines and libraries take differs: times are compared as ratios within one run.
"""

from __future__ import annotations

from poise.reproductions.claims import Reproduction
from poise.reproductions.lpik_2005.flexion import chest_flexion
from poise.reproductions.lpik_2005.growth import one_at_a_time
from poise.reproductions.lpik_2005.tables import table_1, table_2

_PAPER = "2005-lpik"

_PAIR = {
    "LPIK takes less time than the pseudo-inverse": "the pseudo-inverse of so few rows takes "
    "LAPACK less than HiGHS needs to look at a model",
    "LPIK takes more time than multipliers (SuperLU)": "limits are added to multipliers where they "
    "are broken, so that SuperLU solves several times a step; LPIK has them as bounds",
}
_RING = {
    "LPIK is faster than multipliers (SuperLU) when there are more than twenty": "both take about "
    "as long: in a ring the system of multipliers stays sparse",
    "with less than twenty persons LPIK takes less time than the pseudo-inverse": "the "
    "pseudo-inverse of so few rows takes LAPACK less than HiGHS needs to look at a model",
    "the time of LPIK grows with the square of the persons (a power of 2 ± 0.25)": "it grows less: "
    "with a basis kept from frame to frame few pivots are left",
    "the time of the pseudo-inverse grows with the cube of the constraints (a power of 3 ± 0.25)": (
        "LAPACK does large matrices at a higher pace than small ones"
    ),
    "the time of multipliers (SuperLU) grows with the cube of the constraints (a power of 3 ± "
    "0.25)": "it grows far less, for a ring fills little in; nor is it the cube in the paper's own "
    "table",
    "`lex`, our own method, grows with a power of at most 1.3": "two or four persons are solved "
    "densely, in one compiled call of hundredths of a millisecond; along contacts, from seven on, "
    "it grows less than linearly",
}
_ALONE = {
    "n matters more than the number of constraints": "bounded columns with a kept basis cost so "
    "little for each coordinate that the rows are what counts"
}
_SMOOTH = {
    "with eq. 8 the trajectory is similar to that of PI: at most 1.2 times as jagged": "a sum of "
    "absolute values moves fewer joints farther, and the chest faster than PI does"
}

EXAMPLES = (
    Reproduction("2005-table-1", _PAPER, "Two who push each other", table_1, _PAIR, timed=True),
    Reproduction(
        "2005-table-2", _PAPER, "A ring, hand in hand; Fig. 3", table_2, _RING, timed=True
    ),
    Reproduction(
        "2005-section-5",
        _PAPER,
        "More constraints, more coordinates",
        one_at_a_time,
        _ALONE,
        timed=True,
    ),
    Reproduction("2005-fig-4", _PAPER, "The chest while a hand is pulled", chest_flexion, _SMOOTH),
)
