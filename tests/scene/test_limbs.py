"""Limbs where a scene names joints: tasks, locks, criteria and files."""

from pathlib import Path

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise.documents import parse
from poise.scene.files import scene_from, scene_text
from poise.tasks import Comfort, Criterion, Flexion, Frame, MidRange, Position


def reaching(joints: object, figure: poise.Figure | None = None) -> Scene:
    scene = Scene(figure or poise.human())
    scene.add(Position("right_hand", (0.35, -0.25, 1.2)), name="reach", joints=joints)  # type: ignore[arg-type]
    return scene


def moved(scene: Scene) -> set[str]:
    """The coordinates that a solve has changed."""
    before, after = scene.q, scene.solve().q
    names = scene._ensemble.whole.coordinates
    return {names[i] for i in np.flatnonzero(before != after)}


def test_a_task_with_a_limb_moves_that_limb_alone() -> None:
    person = poise.human()
    scene = reaching("right_arm")
    assert scene.solve().met
    assert moved(scene) <= set(person.limbs["right_arm"])
    assert scene.handles["reach"].joints == ("right_arm",)


def test_limbs_stand_for_their_coordinates() -> None:
    person = poise.human()
    names = ["right_arm", "spine.flexion", "neck"]
    coordinates = [*person.limbs["right_arm"], "spine.flexion", "neck"]
    first, second = reaching(names).solve(), reaching(coordinates).solve()
    assert first.q.tobytes() == second.q.tobytes()


def test_a_limb_with_gaps_may_be_chosen_and_locked() -> None:
    person = poise.human().with_limbs({"ends": ["right_shoulder_complex", "right_wrist"]})
    assert moved(reaching("ends", person)) == set(person.limbs["ends"])
    person.lock("ends")
    assert moved(reaching("right_arm", person)).isdisjoint(person.limbs["ends"])


def test_a_locked_limb_is_named_where_it_is_in_the_way() -> None:
    person = poise.human()
    person.lock("right_arm", "spine", "right_leg", "left_leg", "root")
    report = reaching(None, person).solve().tasks["reach"]
    assert not report.met
    assert ("lock", "right_arm") in {(each.kind, each.name) for each in report.blockers}


def test_limbs_of_several_figures_go_by_both_names() -> None:
    scene = Scene({"anna": poise.human(), "ben": poise.human()})
    scene.add(Position("ben/right_hand", (0.35, -0.25, 1.2)), joints="ben/right_arm")
    assert moved(scene) <= {f"ben/{each}" for each in poise.human().limbs["right_arm"]}
    with pytest.raises(PoiseError, match="'anna/right_arm' or 'ben/right_arm'"):
        scene.add(Position("ben/left_hand"), joints="right_arm")
    scene.given["anna"].lock("left_arm")
    assert moved(scene)


@pytest.mark.parametrize("kind", [MidRange, Comfort])
def test_a_criterion_may_be_about_a_limb(kind: type[Criterion]) -> None:
    person = poise.human()

    def solved(joints: object) -> bytes:
        scene = Scene(person)
        scene.add(Frame("left_foot"))
        scene.add(kind(joints))  # type: ignore[call-arg]
        return scene.solve().q.tobytes()

    assert solved("left_arm") == solved(list(person.limbs["left_arm"]))
    assert solved("left_arm") != solved("right_arm")


def test_flexion_of_a_limb_draws_what_has_a_flexion() -> None:
    person = poise.human()

    def springs(*joints: str) -> tuple[bytes, bytes]:
        scene = Scene(person)
        goal, strength = Flexion(joints).springs(scene._context())
        return goal.tobytes(), strength.tobytes()

    assert springs("left_leg") == springs("left_hip", "left_knee")
    part = person.with_limbs({"part": ["left_knee", "left_elbow.flexion", "left_toes"]})
    goal, strength = Flexion("part").springs(Scene(part)._context())
    names = {part.coordinates[i] for i in np.flatnonzero(strength)}
    assert names == {"left_knee.flexion", "left_elbow.flexion"}
    assert goal[part.index("left_knee.flexion")] == part.upper[part.index("left_knee.flexion")]
    toes = person.with_limbs({"all_toes": ["left_toes", "right_toes"]})
    with pytest.raises(PoiseError, match="nothing of the limb 'all_toes' has a flexion"):
        Scene(toes).add(Flexion("all_toes"))


def test_scene_files_name_limbs() -> None:
    text = """
scene:
  figure: {ready: human, locked: [left_arm], stiffness: {left_leg: 0.5}}
  tasks:
    - {position: {site: right_hand, target: [0.35, -0.25, 1.2]}, joints: [right_arm, neck]}
  criteria:
    - {mid_range: {joints: left_leg}}
"""
    scene = scene_from(parse(text, "scene.yaml"), Path())
    person = scene.figure
    assert person.locked[person.indices("left_arm")].all()
    assert person.stiffness["left_knee"] == 0.5
    again = scene_from(parse(scene_text(scene, Path()), "again.yaml"), Path())
    assert again.handles["right_hand"].joints == ("right_arm", "neck")
    assert again.figure.locked_names == ("left_arm",)
    assert again.handles["mid_range"].joints == ("left_leg",)
    assert again.solve().q.tobytes() == scene.solve().q.tobytes()


def test_a_ready_figure_with_more_limbs_is_written_out() -> None:
    scene = reaching("ends", poise.human().with_limbs({"ends": ["right_elbow", "right_wrist"]}))
    again = scene_from(parse(scene_text(scene, Path()), "again.yaml"), Path())
    assert again.figure.limbs == scene.figure.limbs


def test_a_misspelt_limb_is_told_with_its_line() -> None:
    text = "scene:\n  figure: human\n  tasks:\n    - {position: eyes, joints: [left_amr]}\n"
    with pytest.raises(PoiseError, match=r"line 4: .*did you mean 'left_arm'\?"):
        scene_from(parse(text, "scene.yaml"), Path())
