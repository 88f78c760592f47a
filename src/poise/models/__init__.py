"""Ready figures.

They are imported here one and all, not when first used: a file that is imported later would put
itself, a module, in the place of the function of the same name.
"""

from poise.models.bird import bird
from poise.models.catalogue import catalogue
from poise.models.chain import chain
from poise.models.hand import hand
from poise.models.hand_shapes import hand_shape, hand_shape_names
from poise.models.human import human
from poise.models.planar import planar_person
from poise.models.poses import pose, pose_names
from poise.models.published import (
    arms_of_16,
    box_carrier_of_10,
    person_of_63,
    person_of_71,
    torso_arm_of_22,
    torso_arms_of_31,
    upper_body_of_22,
    upper_body_of_70,
)
from poise.models.quadruped import quadruped
from poise.models.scapula import shoulder_complex

__all__ = [
    "arms_of_16",
    "bird",
    "box_carrier_of_10",
    "catalogue",
    "chain",
    "hand",
    "hand_shape",
    "hand_shape_names",
    "human",
    "person_of_63",
    "person_of_71",
    "planar_person",
    "pose",
    "pose_names",
    "quadruped",
    "shoulder_complex",
    "torso_arm_of_22",
    "torso_arms_of_31",
    "upper_body_of_22",
    "upper_body_of_70",
]
