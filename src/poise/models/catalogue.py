"""The list of all ready figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from poise.closed import closed
from poise.figure import Figure
from poise.models import published
from poise.models.bird import bird
from poise.models.chain import chain
from poise.models.hand import hand
from poise.models.human import human
from poise.models.planar import planar_person
from poise.models.quadruped import quadruped
from poise.models.scapula import shoulder_complex


@closed
@dataclass(frozen=True)
class Entry:
    """A ready figure: its name, what it is, `build()`, which makes it, and how to write that."""

    name: str
    description: str
    build: Callable[[], Figure]
    arguments: str = ""

    @property
    def function(self) -> str:
        """The name of the function that makes it."""
        return "human" if self.name.startswith("human") else self.name

    @property
    def call(self) -> str:
        """What makes it in Python, such as `poise.human(sex="female")`."""
        return f"poise.{self.function}({self.arguments})"


def catalogue() -> list[Entry]:
    """All ready figures, in their usual sizes; nothing is built yet."""
    return [
        Entry("human", "a man", human),
        Entry("human_female", "a woman", lambda: human(sex="female"), 'sex="female"'),
        Entry("hand", "a hand with all fingers", hand),
        Entry("chain", "20 links joined by hinges", lambda: chain(20), "20"),
        Entry("planar_person", "a person in the plane (thesis, Fig. 7.8)", planar_person),
        Entry("bird", "a crane on two legs", bird),
        Entry("quadruped", "a dog", quadruped),
        Entry(
            "shoulder_complex",
            "clavicle, scapula and arm, with a thorax to slide on (thesis 7.3.1)",
            shoulder_complex,
        ),
        Entry("person_of_63", "20 segments, all balls (Ho et al. 2005)", published.person_of_63),
        Entry(
            "person_of_71",
            "arms of 2+3+1+3+2 (Engell-Nørregård & Erleben 2011)",
            published.person_of_71,
        ),
        Entry(
            "upper_body_of_22",
            "spine and shoulders grouped (Zhao & Badler 1994, Fig. 3)",
            published.upper_body_of_22,
        ),
        Entry(
            "upper_body_of_70",
            "independent vertebrae (Zhao & Badler 1994, Fig. 3)",
            published.upper_body_of_70,
        ),
        Entry(
            "torso_arm_of_22",
            "five torso segments, an arm (Zhao & Badler 1994, Figs. 6–8)",
            published.torso_arm_of_22,
        ),
        Entry("arms_of_16", "arms of 8 (Zhao & Badler 1989, Fig. 4)", published.arms_of_16),
        Entry(
            "torso_arms_of_31",
            "five torso segments, arms of 8 (Zhao & Badler 1989, Fig. 5)",
            published.torso_arms_of_31,
        ),
        Entry(
            "box_carrier_of_10",
            "an arm of 8, a waist of 2 and a box (Zhao & Badler 1989, Figs. 6–7)",
            published.box_carrier_of_10,
        ),
    ]
