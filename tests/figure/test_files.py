"""Figure files: what is saved is what is loaded, and what is wrong is said with its line."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.figures import differences, figures, plain

import poise
from poise.checking import AXES
from poise.documents import parse
from poise.errors import PoiseError
from poise.figure.builder import Builder
from poise.figure.figure import Figure
from poise.figure.files import figure_from, figure_schema, figure_text, load, save
from poise.figure.kinds import KINDS, Ball, Hinge, Slider
from poise.figure.limits import SphericalPolygon
from poise.figure.parts import Monomial
from poise.figure.shapes import SHAPES, Capsule

ARM = """\
figure:
  name: arm
  description: a simple arm
  segments:
    base:
    upper:
      mass: 2.1
      color: "#3f74ad"
      shapes:
        - capsule: {start: [0, 0, 0], end: [0, 0, -0.3], radius: 0.04}
    fore: {mass: 1e-3}
  joints:
    root: {kind: free, parent: world, child: base}
    shoulder:
      kind: ball
      parent: base
      child: upper
      position: [0, 0.2, 1.4]
      axis: -z
      zero: [0, -45, 0]
      swing:
        - spherical_ellipse: {rx: 60, ry: 80, centre: [0, 10]}
      twist: {lower: -60, upper: 45, lower_slope: [0.2, 0]}
      clinical: {flexion: -y, abduction: x, rotation: -z}
    elbow:
      kind: hinge
      parent: upper
      child: fore
      limits: [0, 150]
      coordinate: flexion
  sites:
    hand: {segment: fore, position: [0, 0, -0.3]}
  couplings:
    two: {terms: {shoulder.twist: 1, elbow.flexion: -1}, upper: 70}
  postures:
    rest: {elbow.flexion: 5, root.z: 1, shoulder: {flexion: 10, abduction: -2}}
  locked: [elbow]
  stiffness: {shoulder: 0.5}
"""


def figure_of(text: str) -> Figure:
    return figure_from(parse(text, "arm.yaml"))


def outcome(text: str) -> Figure | str:
    """The figure, or the message that there is none."""
    try:
        return figure_of(text)
    except PoiseError as error:
        return str(error)


# round trips -------------------------------------------------------------------------------


@given(figures())
@settings(max_examples=60)
def test_a_figure_that_is_saved_and_loaded_is_the_same_and_is_saved_with_the_same_text(
    figure: Figure,
) -> None:
    text = figure_text(figure)
    loaded = figure_of(text)
    assert not differences(plain(figure), plain(loaded), 1e-12)
    assert figure_text(loaded) == text


def test_a_file_is_read_as_it_says() -> None:
    arm = figure_of(ARM)
    assert (arm.name, arm.description) == ("arm", "a simple arm")
    assert list(arm.segments) == ["base", "upper", "fore"]
    assert arm.segments["upper"].shapes == (Capsule((0, 0, 0), (0, 0, -0.3), 0.04),)
    assert arm.segments["fore"].mass == 1e-3
    shoulder = arm.joints["shoulder"].kind
    assert isinstance(shoulder, Ball)
    assert shoulder.zero == (0.0, np.deg2rad(-45), 0.0)
    assert shoulder.axis == (0, 0, -1)
    assert shoulder.twist is not None
    assert shoulder.twist.lower == np.deg2rad(-60)
    assert shoulder.twist.lower_slope == (0.2, 0)
    assert arm.joints["elbow"].kind == Hinge((0, 1, 0), (0, np.deg2rad(150)), "flexion")
    assert arm.couplings["two"].terms == {"shoulder.twist": 1, "elbow.flexion": -1}
    assert arm.couplings["two"].upper == np.deg2rad(70)
    assert arm.locked_names == ("elbow",)
    assert arm.stiffness["shoulder"] == 0.5
    rest = arm.rest()
    assert rest["elbow"] == np.deg2rad(5)
    assert rest["root.z"] == 1
    assert rest.angles("shoulder") == pytest.approx(
        {"flexion": np.deg2rad(10), "abduction": np.deg2rad(-2), "rotation": 0}, abs=1e-12
    )


def test_what_is_written_is_made_to_be_read() -> None:
    text = figure_text(figure_of(ARM))
    elbow = "{kind: hinge, parent: upper, child: fore, limits: [0, 150], coordinate: flexion}"
    assert f"    elbow: {elbow}\n" in text
    assert "      axis: -z\n      zero: [0, -45, 0]\n" in text
    assert "        - capsule: {start: [0, 0, 0], end: [0, 0, -0.3], radius: 0.04}\n" in text
    assert text.startswith("# A figure of poise. Lengths are metres, masses kilograms, angles deg")
    assert max(map(len, text.splitlines())) <= 100


@given(st.integers(-720, 720).map(lambda k: k / 4))
def test_degrees_are_written_as_they_were_thought(angle: float) -> None:
    figure = figure_of(f"{ARM}\n".replace("limits: [0, 150]", f"limits: [{angle!r}, .inf]"))
    written = f"limits: [{angle:g}, .inf]"
    assert written in figure_text(figure)


def test_a_file_without_a_name_is_named_after_itself(tmp_path: Path) -> None:
    (tmp_path / "crane.yaml").write_text("figure: {segments: {base: }}", encoding="utf-8")
    assert load(tmp_path / "crane.yaml").name == "crane"


def test_a_figure_saves_itself(tmp_path: Path) -> None:
    arm = figure_of(ARM)
    arm.save(tmp_path / "arm.yaml")
    assert not differences(plain(arm), plain(load(tmp_path / "arm.yaml")), 0)


def test_a_figure_file_needs_its_suffix(tmp_path: Path) -> None:
    with pytest.raises(PoiseError, match=r"is named .yaml or .yml, not '.*arm.json'"):
        save(figure_of(ARM), tmp_path / "arm.json")


def test_directions_of_a_polygon_need_not_have_unit_length() -> None:
    text = ARM.replace(
        "spherical_ellipse: {rx: 60, ry: 80, centre: [0, 10]}",
        "spherical_polygon: [[1, 1, 1], [-1, 1, 1], [-2, -2, 2], [1, -1, 1]]",
    )
    kind = figure_of(text).joints["shoulder"].kind
    assert isinstance(kind, Ball)
    (limit,) = kind.swing
    assert isinstance(limit, SphericalPolygon)
    assert np.allclose(np.linalg.norm(limit.directions, axis=1), 1, atol=1e-15)


# units of laws -----------------------------------------------------------------------------


def machine() -> Builder:
    builder = Builder("machine")
    for name in ("a", "b", "c", "d"):
        builder.segment(name)
    builder.joint("hinge", Hinge(AXES["y"]), "a", "b")
    builder.joint("slider", Slider(AXES["z"]), "b", "c")
    builder.joint("other", Hinge(AXES["x"]), "c", "d")
    return builder


POLYNOMIALS = {
    "hinge.angle": "[{factor: 3}, {factor: 0.5, powers: {p: 1}}, {factor: 0.01, powers: {p: 2}}]",
    "slider.distance": "[{factor: 0.1}, {factor: 0.002, powers: {p: 1}}, "
    "{factor: 0.5, powers: {s: 1}}, {factor: 0.001, powers: {p: 1, s: 2}}]",
    "other.angle": "{p: -0.25}",
}


@given(st.floats(-50, 60), st.floats(-1, 1))
def test_a_group_computes_what_its_file_says_in_degrees_and_metres(p: float, s: float) -> None:
    members = "".join(f"        {each}: {terms}\n" for each, terms in POLYNOMIALS.items())
    text = figure_text(machine().build()) + (
        "  groups:\n    drive:\n      parameters: {p: [-50, 60], s: [-1, 1]}\n"
        f"      members:\n{members}"
    )
    figure = figure_of(text)
    assert np.allclose(figure.lower, [np.deg2rad(-50), -1])  # s drives a distance only
    group = figure.groups["drive"]
    hinge, slider, other = group.evaluate(np.array([np.deg2rad(p), s]))
    assert np.rad2deg(hinge) == pytest.approx(3 + 0.5 * p + 0.01 * p * p, abs=1e-12)
    assert slider == pytest.approx(0.1 + 0.002 * p + 0.5 * s + 0.001 * p * s * s, abs=1e-12)
    assert np.rad2deg(other) == pytest.approx(-0.25 * p, abs=1e-12)
    again = figure_text(figure)
    for terms in ("- {factor: 3}", "{factor: 0.01, powers: {p: 2}}", "{p: -0.25}"):
        assert terms in again


def test_a_quadratic_group_is_written_in_degrees() -> None:
    builder = machine()
    terms = (Monomial(0.5, {"p": 2}), Monomial(np.deg2rad(2), {}))
    builder.group("drive", {"p": (0, np.deg2rad(90))}, {"hinge.angle": terms})
    text = figure_text(builder.build())
    squared = next(line for line in text.splitlines() if "powers: {p: 2}" in line)
    factor = float(squared.split("factor: ")[1].split(",")[0])
    assert factor == pytest.approx(0.5 * math.pi / 180, rel=1e-15)
    assert "- {factor: 2}" in text
    assert "parameters: {p: [0, 90]}" in text


@pytest.mark.parametrize(
    ("terms", "hinge", "slider"),
    [
        ("hinge.angle: 2, other.angle: -1", 35.0, 0.3),
        ("slider.distance: 2", 35.0, 0.3),
        ("hinge.angle: 0.01, slider.distance: 2, other.angle: 1", 12.0, 0.4),
    ],
)
def test_a_coupling_binds_what_its_file_says_in_degrees_and_metres(
    terms: str, hinge: float, slider: float
) -> None:
    values = {"hinge.angle": hinge, "slider.distance": slider, "other.angle": 0.25}
    factors = dict(term.split(": ") for term in terms.split(", "))
    bound = sum(float(factor) * values[each] for each, factor in factors.items())
    text = figure_text(machine().build()) + (
        f"  couplings:\n    c: {{terms: {{{terms}}}, upper: {bound!r}}}\n"
    )
    figure = figure_of(text)
    coupling = figure.couplings["c"]
    si = {key: v if key == "slider.distance" else np.deg2rad(v) for key, v in values.items()}
    total = sum(factor * si[each] for each, factor in coupling.terms.items())
    assert total == pytest.approx(coupling.upper, rel=1e-14)
    assert f"c: {{terms: {{{terms}}}, upper: " in figure_text(figure)


def test_a_power_that_numbers_cannot_hold_is_refused() -> None:
    text = figure_text(machine().build()) + (
        "  groups:\n    drive:\n      parameters: {p: [0, 1]}\n"
        "      members: {hinge.angle: [{factor: 1, powers: {p: 1000}}]}\n"
    )
    message = "figure.groups.drive: the powers of a term are too large: 1000 in all"
    with pytest.raises(PoiseError, match=message):
        figure_of(text)


def test_a_posture_has_degrees_and_metres_by_coordinate() -> None:
    text = figure_text(machine().build()) + (
        "  postures:\n    rest: {hinge.angle: 30, slider.distance: 0.5, other: {angle: 60}}\n"
    )
    assert np.allclose(figure_of(text).rest().q, [np.deg2rad(30), 0.5, np.deg2rad(60)])


# what is wrong -----------------------------------------------------------------------------

NUMBERS = "two numbers [lower, upper] in degrees, the lower first"
WRONG = {
    "limits of the wrong type": (
        "limits: [0, 150]",
        "limits: abc",
        f'arm.yaml, line 29: figure.joints.elbow.limits: found "abc"; must be {NUMBERS}',
    ),
    "limits the wrong way round": (
        "limits: [0, 150]",
        "limits: [150, 0]",
        f"arm.yaml, line 29: figure.joints.elbow.limits: found [150, 0]; must be {NUMBERS}",
    ),
    "a true that is not a number": (
        "limits: [0, 150]",
        "limits: [0, true]",
        f"arm.yaml, line 29: figure.joints.elbow.limits: found [0, true]; must be {NUMBERS}",
    ),
    "an unknown key": (
        "limits: [0, 150]",
        "limts: [0, 150]",
        "arm.yaml, line 29: figure.joints.elbow.limts: there is no key 'limts'; did you mean "
        "'limits'? There are: kind, parent, child, position, rotation, child_position, "
        "child_rotation, axis, limits, coordinate",
    ),
    "an unknown section": (
        "  sites:\n",
        "  site:\n",
        "arm.yaml, line 31: figure.site: there is no key 'site'; did you mean 'sites'? There are: "
        "name, description, segments, joints, sites, couplings, groups, limbs, postures, "
        "locked, stiffness",
    ),
    "a duplicate key": (
        "limits: [0, 150]",
        "kind: ball",
        "arm.yaml, line 29: the key 'kind' is there twice, first in line 26",
    ),
    "an unknown kind": (
        "kind: hinge",
        "kind: hing",
        "arm.yaml, line 26: figure.joints.elbow.kind: there is no kind 'hing'; did you mean "
        "'hinge'? There are: fixed, hinge, slider, elbow, swing, ball, free",
    ),
    "no kind": (
        "      kind: hinge\n",
        "",
        "arm.yaml, line 25: figure.joints.elbow: needs the key 'kind', one of: "
        "fixed, hinge, slider, elbow, swing, ball, free",
    ),
    "no child": (
        "      child: fore\n",
        "",
        "arm.yaml, line 25: figure.joints.elbow: needs the key 'child'",
    ),
    "an unknown segment in a joint": (
        "parent: upper\n",
        "parent: uper\n",
        "arm.yaml, line 27: figure.joints.elbow.parent: there is no segment 'uper'; did you mean "
        "'upper'? There are: base, upper, fore, world",
    ),
    "an unknown segment in a site": (
        "segment: fore",
        "segment: for",
        "arm.yaml, line 32: figure.sites.hand.segment: there is no segment 'for'; did you mean "
        "'fore'? There are: base, upper, fore",
    ),
    "an unknown coordinate in a coupling": (
        "elbow.flexion: -1",
        "elbow.flex: -1",
        "arm.yaml, line 34: figure.couplings.two.terms['elbow.flex']: there is no coordinate "
        "'elbow.flex'; did you mean 'elbow.flexion'? There are: root.x, root.y, root.z, root.rx, "
        "root.ry, root.rz, shoulder.swing_x, shoulder.swing_y, shoulder.twist, elbow.flexion",
    ),
    "an unknown joint in a posture": (
        "shoulder: {flexion",
        "sholder: {flexion",
        "arm.yaml, line 36: figure.postures.rest.sholder: there is no joint or group 'sholder'; "
        "did you mean 'shoulder'? There are: root, shoulder, elbow",
    ),
    "an unknown joint among the locked": (
        "locked: [elbow]",
        "locked: [root, elbo]",
        "arm.yaml, line 37: figure.locked[1]: there is no joint, group, limb or coordinate 'elbo'; "
        "did you mean 'elbow'? There are 14, among them: elbow, arm, root, shoulder, root.x, "
        "root.y, root.z, root.rx, root.ry, root.rz, shoulder.swing_x, shoulder.swing_y",
    ),
    "a stiffness of one": (
        "stiffness: {shoulder: 0.5}",
        "stiffness: {shoulder: 1}",
        "arm.yaml, line 38: figure.stiffness.shoulder: found 1; must be a number from 0 to below 1",
    ),
    "a negative mass": (
        "mass: 2.1",
        "mass: -2.1",
        "arm.yaml, line 7: figure.segments.upper.mass: found -2.1; must be a mass in kg, "
        "at least 0",
    ),
    "a mass and a density": (
        "mass: 2.1\n",
        "mass: 2.1\n      density: 1000\n",
        "arm.yaml, line 6: figure.segments.upper: give the mass of segment 'upper' or its density, "
        "not both",
    ),
    "a color that is none": (
        "#3f74ad",
        "blue",
        "arm.yaml, line 6: figure.segments.upper: the color of segment 'upper' must be like "
        "'#3f74ad', not 'blue'",
    ),
    "NaN": (
        "[0, 0.2, 1.4]",
        "[0, .nan, 1.4]",
        "arm.yaml, line 18: .nan is not a number; NaN is allowed nowhere",
    ),
    "an infinite position": (
        "[0, 0.2, 1.4]",
        "[0, .inf, 1.4]",
        "arm.yaml, line 18: figure.joints.shoulder.position: found [0, .inf, 1.4]; must be "
        "three numbers [x, y, z] in metres",
    ),
    "a number too large": (
        "[0, 0.2, 1.4]",
        "[0, 1e999, 1.4]",
        "arm.yaml, line 18: 1e999 is too large for a number",
    ),
    "an axis that is none": (
        "axis: -z",
        "axis: up",
        'arm.yaml, line 19: figure.joints.shoulder.axis: found "up"; must be x, y, z, -x, -y, -z '
        "or three numbers, not all 0",
    ),
    "an unknown shape": (
        "capsule: {start",
        "capsul: {start",
        "arm.yaml, line 10: figure.segments.upper.shapes[0].capsul: there is no key 'capsul'; did "
        "you mean 'capsule'? There are: sphere, capsule, tapered_capsule, cylinder, ellipsoid, "
        "box, hull",
    ),
    "a shape that is nothing": (
        "radius: 0.04",
        "radius: 0",
        "arm.yaml, line 10: figure.segments.upper.shapes[0].capsule.radius: found 0; must be a "
        "length in metres, greater than 0",
    ),
    "a shape that its class refuses": (
        "end: [0, 0, -0.3]",
        "end: [0, 0, 0]",
        "arm.yaml, line 10: figure.segments.upper.shapes[0].capsule: a capsule must have two "
        "different ends, not (0.0, 0.0, 0.0) twice",
    ),
    "a swing that is too wide": (
        "rx: 60",
        "rx: 160",
        "arm.yaml, line 22: figure.joints.shoulder.swing[0].spherical_ellipse: a spherical ellipse "
        "must keep the swing within 150°, but it reaches 160.4°",
    ),
    "a twist the wrong way round": (
        "{lower: -60, upper: 45, lower_slope: [0.2, 0]}",
        "{lower: 60, upper: 45}",
        "arm.yaml, line 23: figure.joints.shoulder.twist: found {lower: 60, upper: 45}; must be an "
        "interval, the lower end first",
    ),
    "two twists": (
        "{lower: -60, upper: 45, lower_slope: [0.2, 0]}",
        "{lower: -60, upper: 45}\n      twist_table: "
        "{sx: [0, 1], sy: [0, 1], lower: [[0, 0], [0, 0]], upper: [[1, 1], [1, 1]]}",
        "arm.yaml, line 24: figure.joints.shoulder.twist_table: give this or twist, not both",
    ),
    "a name that is a number": (
        "name: arm",
        "name: 12",
        "arm.yaml, line 2: figure.name: found 12; must be text (put it in quotes)",
    ),
    "a key that is a number": (
        "    base:\n",
        "    12:\n",
        "arm.yaml, line 5: a key must be text, not 12; put it in quotes",
    ),
    "a name with a dot": (
        "    hand: {",
        "    left.hand: {",
        "arm.yaml, line 32: figure.sites['left.hand']: the name 'left.hand' of a site must not "
        "contain '.'",
    ),
    "a list for a mapping": (
        "stiffness: {shoulder: 0.5}",
        "stiffness: [0.5]",
        "arm.yaml, line 38: figure.stiffness: found [0.5]; must be a mapping (key: value)",
    ),
    "a cycle": (
        "    root: {kind: free, parent: world, child: base}\n",
        "    root: {kind: fixed, parent: fore, child: base}\n",
        "arm.yaml, line 12: figure.joints: the joints of 'arm' go round in a cycle: "
        "base → upper → fore → base; a figure is a tree, loops are closed with a Loop task",
    ),
    "two roots": (
        "    fore: {mass: 1e-3}\n",
        "    fore: {mass: 1e-3}\n    tail: {}\n",
        "arm.yaml, line 13: figure.joints: no joint holds 'tail' to the rest of 'arm'; join it "
        "to a parent, or to 'world'",
    ),
    "an unknown top key": (
        "figure:\n",
        "figur:\n",
        "arm.yaml, line 1: figur: there is no key 'figur'; did you mean 'figure'? There are: "
        "figure",
    ),
    "a tag": (
        "name: arm",
        "name: !!python/object/apply:os.system [id]",
        "arm.yaml, line 2: the tag '!!python/object/apply:os.system' is not allowed; tags are not "
        "read",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_line_key_value_and_what_is_allowed(case: str) -> None:
    right, wrong, message = WRONG[case]
    assert ARM.count(right) >= 1
    with pytest.raises(PoiseError) as raised:
        figure_of(ARM.replace(right, wrong, 1))
    assert str(raised.value) == message


def test_several_mistakes_are_told_at_once_in_the_order_of_lines() -> None:
    text = ARM.replace("[0, 150]", "abc").replace("2.1", "-1").replace("rx: 60", "rx: x")
    with pytest.raises(PoiseError) as raised:
        figure_of(text)
    lines = str(raised.value).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "arm.yaml, line 7",
        "arm.yaml, line 22",
        "arm.yaml, line 29",
    ]


@given(st.integers(0, len(ARM) - 1))
@settings(max_examples=120)
def test_a_file_cut_off_anywhere_is_a_shorter_figure_or_an_error_with_its_line(end: int) -> None:
    found = outcome(ARM[:end])
    assert isinstance(found, Figure) or found.startswith("arm.yaml")


@given(st.integers(0, len(ARM) - 1), st.sampled_from('{}[]:,&*!|>-"#\t\n0a.'))
@settings(max_examples=150)
def test_a_file_with_any_character_changed_raises_nothing_but_our_error(at: int, new: str) -> None:
    found = outcome(ARM[:at] + new + ARM[at + 1 :])
    assert isinstance(found, Figure) or found.startswith("arm.yaml")


# the schema --------------------------------------------------------------------------------


def test_the_schema_names_every_kind_and_shape() -> None:
    schema = figure_schema()
    text = json.dumps(schema, allow_nan=False)
    for kind in KINDS:
        assert f'"const": "{kind}"' in text
    shapes = schema["$defs"]["ShapePart"]
    assert list(shapes["properties"]) == [name.replace(" ", "_") for name in SHAPES]
    assert (shapes["minProperties"], shapes["maxProperties"]) == (1, 1)
    assert schema["$defs"]["HingePart"]["additionalProperties"] is False
    assert schema["$defs"]["HingePart"]["properties"]["limits"]["description"].endswith("none")


def test_importing_the_figure_does_not_load_the_readers_of_files() -> None:
    program = "import sys, poise.figure.figure, poise.formats; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    ).stdout.split()
    assert not {"pydantic", "yaml"} & set(listed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "figure:\n  segments:\n    a:\n      mass:\n",
            "figure.yaml, line 4: figure.segments.a.mass: there is no value; give one, or leave "
            "the key out (text that begins with # needs quotes)",
        ),
        (
            "figure:\n\tsegments: {}\n",
            "line 2: this is not YAML: a tab; indent with spaces",
        ),
    ],
)
def test_blanks_and_tabs_are_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "figure.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PoiseError) as caught:
        poise.load(path)
    assert str(caught.value).endswith(message)
