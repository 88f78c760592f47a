"""Strengths from tables, by direction, angle, sex, age and size; and bad input everywhere."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tasks.figures import stander

import poise
from poise import PoiseError, Scene, tasks
from poise.models.human import USUAL_STATURE
from poise.statics.components import Law
from poise.statics.loads import GRAVITY, Load, Support
from poise.statics.strength import Person, Spread, Strengths, table

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


def test_the_table_of_legs_is_that_of_its_source(data: Path) -> None:
    source = data / "anthropometry" / "strength_Anderson2007_table3.csv"
    ages = {"18-25": "21.5", "55-65": "60", ">65": "72"}
    ankle = {"extension": "plantarflexion", "flexion": "dorsiflexion"}
    expected = set[tuple[Any, ...]]()
    with source.open() as lines:
        for row in csv.DictReader(lines):
            way = ankle[row["direction"]] if row["joint"] == "ankle" else row["direction"]
            values = tuple(float(row[key]) for key in ("c1", "c2", "c3", "sd_c1"))
            expected.add((row["joint"], way, row["sex"], ages[row["age"]], values))
    found = {
        (row["joint"], row["direction"], row["sex"], row["age"],
         tuple(float(row[key]) for key in ("peak", "width", "center", "spread")))
        for row in table("dynamometer")
    }  # fmt: skip
    assert found == expected
    assert len(found) == 36


def test_the_table_of_a_gymnast_is_that_of_its_source(data: Path) -> None:
    source = data / "anthropometry" / "strength_gymnast_RBDL.csv"
    with source.open() as lines:
        known = {r["torque"]: float(r["peak_isometric_Nm"]) for r in csv.DictReader(lines)}
    for row in table("gymnast"):
        joint = "Wrist" if row["joint"] == "elbow" else row["joint"].title()
        name = joint + row["direction"].title().replace("_", "")
        assert float(row["peak"]) == pytest.approx(known[name], abs=0.05)


@pytest.mark.parametrize("name", ["dynamometer", "workers", "gymnast"])
def test_every_table_says_where_its_numbers_come_from_and_what_is_an_estimate(name: str) -> None:
    text = resources.files("poise.statics").joinpath(f"{name}.csv").read_text("utf-8")
    said = " ".join(line[2:] for line in text.splitlines() if line.startswith("#"))
    assert any(source in said for source in ("Anderson", "Stobbe 1982", "Jackson 2010"))
    assert "Estimates, ours:" in said


def test_every_strength_of_a_person_has_a_source() -> None:
    known = ("Anderson 2007", "Stobbe 1982", "RBDL gymnast, scaled (estimate)",
             "as the weakest (estimate)")  # fmt: skip
    for pair in strengths().values():
        assert all(each.source in known for each in pair)


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
    for sex, stature in USUAL_STATURE.items():
        usual = Person.of(poise.human(sex=sex))
        assert usual is not None
        assert usual.stature == stature


def test_a_person_with_another_root_is_as_strong() -> None:
    woman = poise.human(sex="female")
    other, _ = woman.rooted_at("left_foot", woman.rest())
    assert Person.of(other) == Person.of(woman)
    here, there = Scene(woman).forces.acting.strengths, Scene(other).forces.acting.strengths
    assert dict(here) == dict(there)


def test_of_other_figures_the_mass_is_their_own() -> None:
    chain = poise.chain(3)
    assert Person.of(chain, mass=50.0) == Person(mass=50.0)
    person = Person.of(stander(), sex="female", mass=60.0)
    assert person is not None
    assert person.mass == 60.0
    assert Person.of(stander(), sex="female") == Person("female")  # of 3 kg
    man = poise.human(mass=70.0)
    man.recipe = None
    told = Person.of(man, sex="male")
    assert told is not None
    assert told.mass == pytest.approx(70.0)


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
    with wrong("the age .years. of a person must be at least 18, not 12"):
        scene.forces.set_person(age=12)
    with wrong("the mass .kg. of a person must be a finite number, not nan"):
        scene.forces.set_person(mass=np.nan)


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
