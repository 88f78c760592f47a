"""Strengths from tables, by direction, angle, sex, age and size; and bad input everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.tasks.figures import stander

import poise
from poise import PoiseError, Scene, tasks
from poise.statics.components import Law
from poise.statics.loads import GRAVITY, Load, Support
from poise.statics.strength import Person, Spread, Strengths

HUMAN = poise.human()


def strengths(**person: Any) -> Strengths:
    return Strengths.of_person(HUMAN, Person(**person))


def test_the_knee_is_as_strong_as_anderson_says() -> None:
    up, down = strengths(sex="male", mass=75.0, stature=1.75)["left_knee.flexion"]
    assert np.isclose(down.law.at(1.133), 0.163 * 75 * GRAVITY * 1.75)
    assert np.isclose(up.law.at(0.522), 0.087 * 75 * GRAVITY * 1.75)
    assert down.law.at(0.3) < down.law.at(1.133)


def test_the_elbow_is_as_strong_as_stobbe_says() -> None:
    up, down = strengths(sex="female")["right_elbow.flexion"]
    assert (up.law.at(1.0), down.law.at(1.0)) == (41.0, 27.0)


@pytest.mark.parametrize("name", sorted(strengths()))
def test_both_sides_are_alike(name: str) -> None:
    other = name.replace("left", "R").replace("right", "left").replace("R", "right")
    assert strengths()[name] == strengths()[other]


def test_hips_weaken_with_age_between_the_groups_of_the_table() -> None:
    peaks = [strengths(age=age)["left_hip.flexion"][0].law.peak for age in (21.5, 60, 66, 72, 90)]
    assert peaks[0] > peaks[1] > peaks[2] > peaks[3] == peaks[4]


def test_a_strength_never_vanishes() -> None:
    law = strengths()["left_ankle.dorsiflexion"][1].law
    assert min(law.at(angle) for angle in np.linspace(-3, 3, 50)) == pytest.approx(0.2 * law.peak)


def test_the_share_of_people_meets_the_percentiles() -> None:
    up, _ = strengths()["left_elbow.flexion"]
    assert up.spread is not None
    for torque, share in ((42, 0.95), (77, 0.5), (111, 0.05)):
        assert up.spread.share_above(torque / 77) == pytest.approx(share, abs=1e-6)
    assert Spread(0.0, 0.0).share_above(0.9) == 1.0
    assert Spread(0.0, 0.0).share_above(1.1) == 0.0


def test_the_figure_says_whose_strength_is_meant() -> None:
    woman = poise.human(sex="female", stature=1.6, mass=55.0)
    person = Person.of(woman)
    assert person is not None
    assert (person.sex, person.stature, round(person.mass, 6)) == ("female", 1.6, 55.0)
    assert Person.of(poise.chain(3)) is None


def test_what_is_held_does_not_make_stronger() -> None:
    scene = Scene(poise.human())
    before = scene.forces.acting.strengths["left_knee.flexion"]
    scene.hold(poise.box(0.3, 0.3, 0.3, mass=20.0), "right_hand")
    after = scene.forces.acting.strengths["left_knee.flexion"]
    assert after[0].law.peak == pytest.approx(before[0].law.peak)


def test_torques_come_weakest_first_with_their_share() -> None:
    scene = Scene(poise.human())
    scene.forces.support("left_foot")
    scene.forces.apply("right_hand", force=(0.0, 0.0, -50.0))
    found = scene.forces.torques()
    shares = [each.share for each in found.values() if each.share is not None]
    assert shares == sorted(shares, reverse=True)
    first = next(iter(found.values()))
    assert first.strength is not None
    assert first.share == pytest.approx(abs(first.weakest.value) / first.strength)
    assert str(found).splitlines()[1].startswith(first.joint)
    assert found.able is not None
    assert 0 <= found.able <= 1


def test_given_strengths_come_before_the_tables() -> None:
    scene = Scene(poise.human())
    scene.forces.set_strength({"left_elbow.flexion": (10, 20), "neck": 30})
    known = scene.forces.acting.strengths
    assert [each.law for each in known["left_elbow.flexion"]] == [Law(10.0), Law(20.0)]
    assert known["neck.lateral"][0].law == Law(30.0)


# bad input ---------------------------------------------------------------------------------------


def wrong(message: str) -> Any:
    return pytest.raises(PoiseError, match=message)


def test_bad_supports_and_loads_are_refused() -> None:
    scene = Scene(poise.human())
    with wrong("did you mean 'left_foot'"):
        scene.forces.support("left_fot")
    with wrong("there is no site, segment or joint 'wing'"):
        scene.forces.apply("wing", force=(1, 0, 0))
    for friction in (0, -0.5):
        with wrong("the friction of the support 'left_foot' must be greater than 0"):
            scene.forces.support("left_foot", friction=friction)
    with wrong("the force .N. on 'right_hand' must be 3 numbers, not 2"):
        scene.forces.apply("right_hand", force=(1, 2))
    with wrong("must be finite"):
        scene.forces.apply("right_hand", torque=(np.nan, 0, 0))
    with wrong("the name of a force must be"):
        scene.forces.apply("right_hand", name="")
    with wrong("there is no force or support 'left_hand'"):
        scene.forces.remove("left_hand")
    with wrong("must be the name of a site"):
        Support(3)  # type: ignore[arg-type]
    with wrong("the ratio of the support"):
        Support("left_foot", ratio="half")  # type: ignore[arg-type]
    with wrong("must lie within"):
        Load("left_foot", force=(1e9, 0, 0))


def test_ratios_that_do_not_add_up_to_one_are_refused() -> None:
    scene = Scene(poise.human())
    scene.forces.support("left_foot", ratio=0.5)
    scene.forces.support("right_foot", ratio=0.6)
    scene.add(tasks.Equilibrium())
    with wrong("must add up to 1, but left_foot 0.5, right_foot 0.6 make 1.1"):
        scene.solve()


def test_equilibrium_without_supports_is_refused() -> None:
    scene = Scene(poise.human())
    scene.add(tasks.Equilibrium())
    with wrong("nothing supports 'human'"):
        scene.solve()
    pair = Scene({"anna": poise.human(), "ben": poise.human()})
    pair.add(tasks.Equilibrium())
    with wrong("nothing supports any of the figures"):
        pair.solve()
    fixed = Scene(poise.human(root="fixed"))
    fixed.add(tasks.Equilibrium())
    with wrong("needs supports"):
        fixed.solve()


def test_forces_on_what_stands_in_the_world_are_refused() -> None:
    scene = Scene(poise.human())
    scene.place(poise.box(1, 1, 1, name="table"))
    with wrong("stands still in the world"):
        scene.forces.apply("table", force=(1, 0, 0))


def test_a_prop_on_which_a_force_acts_stays() -> None:
    scene = Scene(poise.human())
    scene.hold(poise.box(0.1, 0.1, 0.1, mass=1.0, name="crate"), "right_hand")
    scene.forces.apply("crate", force=(0, 0, -5))
    with wrong("a force acts on 'crate'"):
        scene.remove("crate")


def test_bad_strengths_and_people_are_refused() -> None:
    scene = Scene(poise.human())
    with wrong("did you mean 'left_elbow'"):
        scene.forces.set_strength({"left_elbo": 30})
    with wrong("must be greater than 0"):
        scene.forces.set_strength({"neck": 0})
    with wrong("a number, or one for each direction"):
        scene.forces.set_strength({"neck": (1, 2, 3)})
    with wrong("must be numbers by joint"):
        scene.forces.set_strength(30)  # type: ignore[arg-type]
    with wrong("there is no argument 'height'"):
        scene.forces.set_person(height=1.8)
    with wrong("sex must be"):
        scene.forces.set_person(sex="other")
    with wrong("the age .years. of a person must be at most 110"):
        scene.forces.set_person(age=300)


def test_bad_tasks_and_questions_are_refused() -> None:
    scene = Scene(poise.human())
    scene.forces.support("left_foot")
    with wrong("metres_per_newton_metre must be greater than 0"):
        tasks.Equilibrium(metres_per_newton_metre=0)
    with wrong("the joints of Effort must be names"):
        tasks.Effort(3)
    with wrong("there is no joint 'tail'"):
        scene.add(tasks.Effort("tail"))
    with wrong("none has a known strength"):
        scene.add(tasks.Effort("neck"))
    with wrong("there is no plane 'xw'"):
        scene.forces.diagram("right_hand", plane="xw")
    with wrong("directions must be an integer from 4 on"):
        scene.forces.diagram("right_hand", directions=2)
    with wrong("has no direction"):
        scene.forces.strongest("right_hand", (0, 0, 0))
    with wrong("forces must be what `distribute` gave"):
        scene.forces.torques(forces=3)  # type: ignore[arg-type]


def test_a_figure_without_strengths_counts_newton_metres() -> None:
    scene = Scene(stander())
    scene.forces.support("sole")
    scene.add(tasks.Effort())
    assert scene.solve().status == "solved"
