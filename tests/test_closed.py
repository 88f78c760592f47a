"""Public objects are closed: a misspelt attribute raises, and so does setting what is only read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene, figure, motion, scene
from poise import tasks as t
from poise.closed import Attributes, ReadOnlyDict, closed
from poise.errors import ClosedError
from poise.figure import Figure
from poise.scene import Handle
from poise.scene.animate import Animation
from poise.scene.forces import Forces
from poise.statics import answers, diagrams, loads, strength, torques


def public_classes() -> dict[str, type[Any]]:
    """All public classes: those that modules name in `__all__`, and what scenes give."""
    named = [
        getattr(module, name)
        for module in (poise, figure, motion, scene, t)
        for name in module.__all__
    ]
    given = [
        value
        for module in (answers, diagrams, loads, strength, torques)
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    classes = [each for each in (*named, *given, Animation, Forces) if inspect.isclass(each)]
    return {each.__name__: each for each in classes if not issubclass(each, (Exception, Warning))}


CLASSES = public_classes()


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "Handle"])
def test_an_attribute_that_does_not_exist_is_refused(name: str) -> None:
    thing = object.__new__(CLASSES[name])
    with pytest.raises(ClosedError, match="there is no attribute 'nonsense'"):
        thing.nonsense = 1


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "Handle"])
def test_what_is_only_read_cannot_be_set(name: str) -> None:
    thing, attributes = object.__new__(CLASSES[name]), Attributes.of(CLASSES[name])
    for read in attributes.read:
        with pytest.raises(ClosedError, match="is read-only"):
            setattr(thing, read, 1)
    for method in attributes.methods:
        with pytest.raises(ClosedError, match="cannot be set"):
            setattr(thing, method, 1)


@pytest.fixture(scope="module")
def standing() -> Scene:
    made = Scene(poise.human())
    made.add(t.Frame("left_foot"))
    made.add(t.Frame("right_foot"))
    made.add(t.Balance(), priority=2)
    made.add(t.Aim("eyes", (2.0, 0.0, 1.0)), priority=3)
    made.add(t.Position("right_hand", (0.4, -0.2, 1.1)), priority=3, name="reach")
    made.add(t.Rest())
    made.add(t.MidRange("neck"), name="middle")
    made.hold(poise.box(0.2, 0.2, 0.2, name="crate"), "left_hand")
    made.forces.support("left_foot", ratio=1.0)
    return made


def clip(made: Scene) -> poise.Clip:
    return poise.Clip(made.figure, np.array([made.posture.q]), 10.0)


# What is said, for what people write.
REFUSED: dict[str, tuple[Callable[[Scene], Any], str, str]] = {
    "a misspelt weight": (lambda s: s.handles["reach"], "wieght", "did you mean 'weight'"),
    "a misspelt target": (lambda s: s.handles["reach"], "targt", "did you mean 'target'"),
    "what another task has": (
        lambda s: s.handles["reach"],
        "margin",
        "the handle of the Position 'reach': there is no attribute 'margin'",
    ),
    "what a scene has not": (lambda s: s, "foo", "a Scene: there is no attribute 'foo'"),
    "the figure": (lambda s: s, "figure", "scene.figure is read-only; make another Scene"),
    "the figures": (lambda s: s, "figures", "make another Scene"),
    "the forces": (lambda s: s, "forces", "use scene.forces.support"),
    "the tasks": (lambda s: s, "tasks", "use scene.add"),
    "a method": (lambda s: s, "solve", "scene.solve is a method, and cannot be set"),
    "a misspelt posture": (lambda s: s, "postur", "did you mean 'posture'"),
    "an option": (lambda s: s.options, "tolerance", r"scene.options.changed\(tolerance=…\)"),
    "a misspelt option": (lambda s: s.options, "max_iteration", "did you mean 'max_iterations'"),
    "a field of a task": (
        lambda s: s.handles["balance"].wanted,
        "margin",
        "balance.margin is read-only; in a scene it is changed through its handle: handle.margin",
    ),
    "a misspelt field of a task": (
        lambda s: s.handles["balance"].wanted,
        "margn",
        "did you mean 'margin'",
    ),
    "a posture's figure": (lambda s: s.posture, "figure", "makes a posture of another figure"),
    "a posture's coordinate": (lambda s: s.posture, "left_knee", "there is no attribute"),
    "a figure's stiffness": (lambda s: s.figure, "stiffness", r"figure.stiffness\['spine'\] = 0.5"),
    "a figure's limits": (lambda s: s.figure, "lower", "limits are those of the joints' kinds"),
    "a figure's locks": (lambda s: s.figure, "locked", "use figure.lock"),
    "a figure's segments": (lambda s: s.figure, "segments", "structure does not change"),
    "stiffness by attribute": (lambda s: s.figure.stiffness, "spine", "there is no attribute"),
    "a clip's frames": (clip, "fps", r"dataclasses.replace\(…, fps=…\) makes another"),
    "a prop's mass": (lambda s: s.props["crate"].prop, "mass", "prop.mass is read-only"),
    "a frame's position": (lambda s: s.places["eyes"], "position", "transform.position is read-"),
    "a support's ratio": (lambda s: s.forces.supports["left_foot"], "ratio", "makes another"),
    "the supports": (lambda s: s.forces, "supports", "use scene.forces.support"),
    "a solution's posture": (lambda s: s.assess(), "posture", "solution.posture is read-only"),
    "a solution's notes": (lambda s: s.assess(), "notes", "solution.notes is read-only"),
    "a report": (lambda s: s.assess().tasks[0], "met", "report.met is read-only"),
    "torques": (lambda s: s.assess().torques(), "effort", "torques.effort is read-only"),
    "many solutions": (
        lambda s: s.solve_many({"reach": [(0.4, -0.2, 1.1)]}),
        "q",
        "solutions.q is read-only",
    ),
    "an animation": (
        lambda s: s.animate({"reach": [(0.4, -0.2, 1.1)]}),
        "fps",
        "animation.fps is read-only",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_says_what_there_is_instead(standing: Scene, case: str) -> None:
    find, name, words = REFUSED[case]
    with pytest.raises(PoiseError, match=words) as refused:
        setattr(find(standing), name, 1)
    assert isinstance(refused.value, AttributeError)


READ: dict[str, tuple[Callable[[Scene], Any], str, str]] = {
    "a solution's stances": (
        lambda s: s.assess(),
        "stance",
        "a Solution: there is no attribute 'stance'; did you mean 'stances'",
    ),
    "a method": (lambda s: s, "solv", "did you mean 'solve'"),
    "a property": (lambda s: s, "natrual", "did you mean 'natural'"),
    "a field": (lambda s: s.handles["balance"].wanted, "margn", "did you mean 'margin'"),
    "an attribute of the object": (lambda s: s.figure, "nam", "did you mean 'name'"),
}


@pytest.mark.parametrize("case", READ)
def test_reading_what_there_is_not_names_the_nearest(standing: Scene, case: str) -> None:
    find, name, words = READ[case]
    thing = find(standing)
    with pytest.raises(PoiseError, match=words) as refused:
        getattr(thing, name)
    assert isinstance(refused.value, AttributeError)
    assert not hasattr(thing, name)
    assert not hasattr(thing, "__array_interface__")
    with pytest.raises(AttributeError, match="_repr_nothing_"):
        thing._repr_nothing_  # noqa: B018


def test_a_property_that_fails_says_so_in_its_own_words() -> None:
    @closed
    class Broken:
        @property
        def width(self) -> float:
            return self._width  # type: ignore[attr-defined]  # pyright: ignore

        @property
        def height(self) -> float:
            raise ClosedError("there is no height of a line")

    with pytest.raises(AttributeError, match="_width"):
        assert Broken().width
    with pytest.raises(ClosedError, match="no height of a line"):
        assert Broken().height


def test_what_can_be_set_is_set(standing: Scene) -> None:
    made = standing.copy()
    made.description = "reaching"
    made.metres_per_radian = 0.3
    made.options = made.options.changed(tolerance=1e-3)
    made.posture = made.figure.rest()
    made.q = made.q
    made.origins = {}
    posture = made.posture
    posture.q = posture.q + 0.01
    made.figure.postures["leaning"] = posture.q
    assert made.description == "reaching"


def test_mappings_that_a_scene_gives_cannot_be_written(standing: Scene) -> None:
    posture: Any = standing.posture
    mappings: list[Any] = [
        *(standing.handles, standing.tasks, standing.figures, standing.given, standing.props),
        *(standing.postures, standing.forces.supports, standing.assess().postures),
        *(standing.figure.joints, standing.figure.sites),
    ]
    for each in mappings:
        before = dict(each)
        for write in (
            lambda m: m.__setitem__("other", posture),
            lambda m: m.pop(next(iter(m))),
            lambda m: m.update(other=posture),
            lambda m: m.clear(),
        ):
            with pytest.raises(PoiseError, match="read-only"):
                write(each)
        assert each == before


def test_a_class_derived_from_a_closed_one_may_have_attributes_of_its_own() -> None:
    class Mine(Scene):
        def __init__(self, figures: Figure) -> None:
            super().__init__(figures)
            self.mine = 1

    @dataclass(frozen=True)
    class Higher(t.Position):
        by: float = 0.1

    made = Mine(poise.chain(2))
    made.mine = 2
    assert made.mine == 2
    made.forces.support("base")
    with pytest.raises(ClosedError, match="read-only"):
        made.forces = None  # type: ignore[misc, assignment]
    task = Higher("tip", by=0.2)
    assert task.by == 0.2
    with pytest.raises(AttributeError):
        task.target = (0.0, 0.0, 1.0)  # type: ignore[misc]


# wrong values --------------------------------------------------------------------------------


SETTABLE = [
    (name, attribute)
    for name, each in CLASSES.items()
    for attribute in sorted(Attributes.of(each).settable)
    if not getattr(each, "__dataclass_params__", None)
]


def things(made: Scene) -> dict[str, Any]:
    """One of each class that has something to set."""
    return {
        "Builder": poise.Builder("arm"),
        "Figure": poise.chain(2),
        "Posture": poise.chain(2).posture(),
        "Scene": made.copy(),
        "Handle": made.copy().handles["reach"],
    }


@pytest.mark.parametrize(("name", "attribute"), SETTABLE)
def test_nothing_that_can_be_set_takes_what_it_cannot_be(
    standing: Scene, name: str, attribute: str
) -> None:
    thing = things(standing)[name]
    before = repr(getattr(thing, attribute))
    with pytest.raises(PoiseError):
        setattr(thing, attribute, object())
    assert repr(getattr(thing, attribute)) == before


@pytest.mark.parametrize(
    ("name", "attribute", "value", "words"),
    [
        ("Figure", "name", "a\nb", "the name 'a.*nb' of a figure must not contain the control"),
        ("Figure", "skin", "x", "the skin of a figure must be a Skin or None, not 'x'"),
        ("Figure", "postures", {}, r"figure.postures is read-only; set one by name: figure.post"),
        ("Builder", "name", "", "the name of a figure must be a non-empty string, not ''"),
        ("Scene", "description", None, "the description of a scene must be a string, not None"),
        ("Scene", "origins", None, "the origins of a scene must be an Origin by a figure's name"),
        ("Scene", "origins", {"human": "x"}, "the origin of 'human' must be an Origin, not 'x'"),
    ],
)
def test_a_wrong_value_is_said(
    standing: Scene, name: str, attribute: str, value: Any, words: str
) -> None:
    with pytest.raises(PoiseError, match=words):
        setattr(things(standing)[name], attribute, value)


def test_what_is_set_is_kept(standing: Scene) -> None:
    person, made = poise.human(), standing.copy()
    person.name, person.skin, person.recipe = "anna", None, None
    made.origins = origins = {"human": scene.Origin("human")}
    assert (person.name, made.origins) == ("anna", origins)


# deleting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSES)
def test_nothing_can_be_deleted(standing: Scene, name: str) -> None:
    thing = standing.handles["reach"] if name == "Handle" else object.__new__(CLASSES[name])
    for attribute in {each for some in Attributes.of(CLASSES[name]) for each in some}:
        with pytest.raises(ClosedError, match=f"{attribute}.* cannot be deleted"):
            delattr(thing, attribute)
    with pytest.raises(AttributeError, match="nonsense"):
        delattr(thing, "nonsense")


def test_what_a_scene_and_its_figure_have_stays_there(standing: Scene) -> None:
    with pytest.raises(ClosedError, match=r"scene\.forces cannot be deleted"):
        del standing.forces  # type: ignore[misc]
    with pytest.raises(ClosedError, match=r"cannot be deleted"):
        del standing.handles["balance"].margin
    figure = poise.chain(2)
    with pytest.raises(ClosedError, match=r"figure\.segments cannot be deleted"):
        del figure.segments  # type: ignore[misc]
    assert standing.forces.supports
    assert figure.segments


# through handles -----------------------------------------------------------------------------


def test_what_a_task_or_criterion_is_made_of_is_changed_through_its_handle(standing: Scene) -> None:
    made = standing.copy()
    made.solve()
    handles = made.handles
    handles["balance"].margin = 0.03
    assert handles["balance"].margin == 0.03
    assert handles["balance"].wanted == t.Balance(margin=0.03)
    handles["eyes"].axis = "y"
    assert handles["eyes"].axis == (0.0, 1.0, 0.0)
    assert handles["eyes"].target == (2.0, 0.0, 1.0)
    bent = made.figure.rest()
    bent.set_angles("left_elbow", flexion=1.0)
    handles["rest"].posture = bent
    assert handles["rest"].posture == bent
    handles["middle"].joints = "left_wrist"
    assert handles["middle"].joints == ("left_wrist",)
    assert made.solve().posture.angles("left_elbow")["flexion"] == pytest.approx(1.0, abs=0.05)
    assert standing.handles["balance"].margin == 0.02


def test_a_wrong_value_through_a_handle_leaves_the_task_as_it_was(standing: Scene) -> None:
    handle = standing.handles["balance"]
    with pytest.raises(PoiseError, match="margin of Balance"):
        handle.margin = "wide"
    with pytest.raises(PoiseError, match="tail"):
        handle.supports = ["tail"]
    assert handle.wanted == t.Balance()
    with pytest.raises(PoiseError, match="Rest takes a Posture"):
        standing.handles["rest"].posture = 3
    with pytest.raises(ClosedError, match="did you mean 'margin'"):
        assert handle.margn
    with pytest.raises(PoiseError, match="takes no joints"):
        standing.handles["rest"].joints = "neck"


@pytest.mark.parametrize(
    "name", [name for name in t.__all__ if hasattr(getattr(t, name), "blocks")]
)
def test_no_part_of_a_task_is_hidden_by_what_every_handle_has(name: str) -> None:
    own = {each.name for each in fields(getattr(t, name))}
    assert own & set(dir(Handle)) <= {"target", "joints"}


def test_a_handle_lists_what_its_task_is_made_of(standing: Scene) -> None:
    assert {"margin", "weight", "target"} <= set(dir(standing.handles["balance"]))


# what people look for ------------------------------------------------------------------------


def test_a_scene_has_its_figure_and_its_tasks_by_name(standing: Scene) -> None:
    assert standing.figure is standing.figures["human"]
    assert standing.tasks == standing.handles
    assert standing.tasks["reach"].target == (0.4, -0.2, 1.1)
    pair = Scene([poise.chain(2), poise.chain(3)])
    with pytest.raises(PoiseError, match=r"figure_1, figure_2: use scene\.figures"):
        assert pair.figure


def test_a_solution_has_all_coordinates() -> None:
    pair = Scene([poise.chain(2), poise.chain(3)])
    found = pair.assess()
    assert found.q.tolist() == [0.0] * 5
    with pytest.raises(ValueError, match="read-only"):
        found.q[:] = 1.0


# printing ------------------------------------------------------------------------------------


def test_nothing_prints_more_than_a_screen(standing: Scene) -> None:
    made = standing.copy()
    found = made.solve()
    diagram = made.forces.diagram("right_hand")
    person = made.figure
    shown: list[Any] = [
        *(made, found, found.tasks[0], found.torques(), found.posture, found.q),
        poise.human().place(poise.human().rest()),  # without the sites of props
        *(made.forces, made.forces.distribute(), diagram, diagram.pushes[0], made.options),
        *(made.forces.acting.strengths, made.props, made.props["crate"].prop, made.handles),
        *(made.handles["rest"], made.handles["rest"].wanted, found.wanted, found.postures),
        *(person, person.stiffness, person.lower, person.coordinates, person.postures),
        *(person.joints, person.segments, person.sites, person.groups, person.couplings),
        *(*person.joints.values(), *person.segments.values(), *person.sites.values()),
        *(*person.groups.values(), *person.couplings.values(), *found.torques().values()),
        *(made.solve_many({"reach": [(0.4, -0.2, 1.1)]}), clip(made), poise.Builder("arm")),
        made.animate({"reach": [(0.4, -0.2, 1.1)]}),
    ]
    for each in shown:
        assert len(repr(each)) <= 2000, repr(each)[:200]
        assert len(str(each)) <= 2000, str(each)[:200]


def test_a_diagram_prints_some_of_its_directions(standing: Scene) -> None:
    diagram = standing.forces.diagram("right_hand", directions=16)
    lines = str(diagram).splitlines()
    assert len(lines) == 9
    assert lines[3].split()[0] == "90°"
    assert str(diagram.pushes[4]).endswith(lines[3].split("°  ")[1])
    assert repr(diagram) == "<StabilityDiagram of 'right_hand' in xz: 16 directions>"


def test_a_short_mapping_prints_whole_and_a_long_one_its_names() -> None:
    assert repr(ReadOnlyDict({"a": 1})) == "{'a': 1}"
    long = ReadOnlyDict({f"joint_{i}": np.zeros(9) for i in range(40)})
    assert repr(long).startswith("<40 by name: joint_0, joint_1")
    assert len(repr(long)) < 200


def test_a_solution_says_that_supports_came_too_late() -> None:
    made = Scene(poise.human())
    found = made.assess()
    made.forces.support("left_foot", ratio=1.0)
    with pytest.raises(PoiseError, match=r"when this was solved nothing supported 'human'.*again"):
        found.torques()
    assert made.assess().torques()
