"""How long and how thick the parts of a person are, and where the joint centres lie.

All places are those of a person who stands upright on z = 0, facing +x, arms hanging, with the
hip joints above x = 0; sides are the left one's, the right one is its mirror image in y.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.models.tables import table

Point = NDArray[np.float64]
Sex = Literal["male", "female"]

LEVELS: tuple[str, ...] = tuple(table("spine")["levels"])
"""Names of the spine's joints from the sacrum up."""

VERTEBRAE: tuple[str, ...] = tuple(level.split("_")[0] for level in LEVELS)
"""The segments above those joints."""


@dataclass(frozen=True)
class Proportions:
    """The sizes of a person of a stature (m), a sex and a mass (kg)."""

    stature: float
    sex: Sex
    mass: float

    def of_sex(self, pair: list[float]) -> float:
        """The number that belongs to this sex, of two: men's, women's."""
        return pair[0] if self.sex == "male" else pair[1]

    def length(self, name: str) -> float:
        """A length or height (m) of the table of anthropometry."""
        return self.stature * self.of_sex(table("anthropometry")["lengths"][name])

    def girth(self, name: str) -> float:
        """A breadth, depth or circumference (m), which grows with the body mass index."""
        ratio, power = table("anthropometry")["girths"][name][self.sex]
        return self.stature * ratio * self.stoutness**power

    def radius(self, name: str) -> float:
        """The radius (m) of the circle with a circumference of the table."""
        return self.girth(f"{name}_circumference") / (2.0 * np.pi)

    @cached_property
    def stoutness(self) -> float:
        """The body mass index over the mean of the sex."""
        return self.mass / usual_mass(self.stature, self.sex)

    @cached_property
    def spine(self) -> dict[str, Point]:
        """Centres of the spine's joints from `l5_s1` to `t1_t2`, then `neck`."""
        numbers = table("spine")
        levels, ends = numbers["levels"], numbers["ends"]
        low = self.length("iliocristale_height") - ends["lowest_below_iliocristale"] * self.stature
        high = self.length("cervicale_height") - ends["neck_base_below_cervicale"] * self.stature
        heights = np.cumsum([0.0, *(level["height"] for level in levels.values())])
        heights = low + (high - low) * heights / heights[-1]
        forward = [level["forward"] for level in levels.values()]
        forward.append(numbers["neck_base"]["forward"])
        return {
            name: np.array([x * 1e-3 * self.stature, 0.0, z])
            for name, x, z in zip([*LEVELS, "neck"], forward, heights, strict=True)
        }

    @cached_property
    def centres(self) -> dict[str, Point]:
        """All other joint centres, those of the left side, and the eyes between the pupils."""
        at, of = table("anthropometry")["joint_centres"], self.of_sex
        tall = self.stature
        acromion = self.length("acromial_height")
        shoulder_z = acromion - of(at["shoulder_below_acromion"]) * tall
        elbow_z = acromion - self.length("acromion_radiale_length")
        elbow_z += of(at["elbow_above_radiale"]) * tall
        wrist_z = elbow_z - self.length("radiale_stylion_length")
        shoulder_x = at["shoulder_forward_of_hip"] * tall
        shoulder_y = at["shoulder_share_of_biacromial"] * self.girth("biacromial_breadth")
        hip_y = at["hip_share_of_bicristal"] * self.girth("bicristal_breadth")
        ankle_x = at["ankle_forward_of_hip"] * tall
        heel_x = ankle_x - at["heel_to_ankle_share_of_foot"] * self.length("foot_length")
        skull_x = at["skull_joint_forward_of_hip"] * tall
        skull_z = tall - self.length("tragion_to_top_of_head")
        skull_z -= at["skull_joint_below_tragion"] * tall
        eyes_z = tall - self.length("sitting_height") + self.length("eye_height_sitting")
        sternum = self.length("suprasternale_height")
        return {
            "hip": np.array([0.0, hip_y, self.length("trochanterion_height")]),
            "knee": np.array(
                [at["knee_forward_of_hip"] * tall, hip_y, self.length("femoral_epicondyle_height")]
            ),
            "ankle": np.array([ankle_x, hip_y, self.length("malleolus_height")]),
            "heel": np.array([heel_x, hip_y, 0.0]),
            "ball": np.array(
                [heel_x + self.length("ball_of_foot_length"), hip_y, at["ball_height"] * tall]
            ),
            "toe": np.array([heel_x + self.length("foot_length"), hip_y, 0.0]),
            "sternoclavicular": np.array(
                [
                    at["sternoclavicular_forward_of_hip"] * tall,
                    at["sternoclavicular_half_distance"] * tall,
                    sternum - at["sternoclavicular_below_suprasternale"] * tall,
                ]
            ),
            "shoulder": np.array([shoulder_x, shoulder_y, shoulder_z]),
            "elbow": np.array([shoulder_x, shoulder_y, elbow_z]),
            "wrist": np.array([shoulder_x, shoulder_y, wrist_z]),
            "head": np.array([skull_x, 0.0, skull_z]),
            "eyes": np.array([skull_x + at["eyes_forward_of_skull_joint"] * tall, 0.0, eyes_z]),
        }


def usual_mass(stature: float, sex: Sex) -> float:
    """The mass (kg) of a person with the mean body mass index of the sex."""
    index = table("anthropometry")["body_mass_index"]["mean"]
    return (index[0] if sex == "male" else index[1]) * stature**2
