"""Scenes in memory: figures, handles, names, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import poise
from poise import PoiseError, Scene
from poise.figure import Figure, Transform
from poise.scene.solving import prepare
from poise.solvers import METHODS
from poise.tasks import Aim, Balance, CenterOfMass, Frame, Loop, MidRange, Position, Rest


def packed_values(scene: Scene) -> list[float]:
    return scene._problem().blocks.values.tolist()


# names and handles -------------------------------------------------------------------------


def test_tasks_are_named_after_their_site_or_their_kind(person: Figure) -> None:
    scene = Scene(person)
    tasks = [
        Frame("left_foot"),
        Frame("right_foot"),
        Position("left_foot"),
        Balance(),
        CenterOfMass(),
        Rest(),
        Balance(),
    ]
    names = [scene.add(task).name for task in tasks]
    assert names == [
        "left_foot",
        "right_foot",
        "left_foot_2",
        "balance",
        "center_of_mass",
        "rest",
        "balance_2",
    ]
    assert list(scene.handles) == names


def test_a_handle_knows_what_it_was_given(arm: Figure) -> None:
    scene = Scene(arm)
    handle = scene.add(
        Position("tip", (0.1, 0, 0.3)), priority=3, weight=2.0, name="reach", joints="joint_2"
    )
    assert (handle.name, handle.priority, handle.weight) == ("reach", 3, 2.0)
    assert handle.target == (0.1, 0.0, 0.3)
    assert handle.joints == ("joint_2",)
    assert handle.enabled
    assert repr(handle) == "<Position 'reach': priority 3>"
    assert scene.handles["reach"] is handle


def test_what_a_handle_sets_counts_from_the_next_solve_on(arm: Figure) -> None:
    scene = Scene(arm)
    first = scene.add(Position("tip", (0.5, 0.0, 0.5)), name="first")
    second = scene.add(Aim("tip", (1.0, 0.0, 1.0)), priority=2, name="second")
    assert [wish.name for wish in scene._problem().wishes] == ["first", "second"]
    first.priority = 3
    first.weight = 4.0
    scene.add(Position("tip"), priority=3, name="third")
    problem = scene._problem()
    assert [wish.name for wish in problem.wishes] == ["second", "first", "third"]
    assert problem.blocks.factor[:, 1].tolist() == [1.0, 1.0, 0.5]
    first.joints = ["joint_1", "joint_2"]
    second.joints = "joint_4"
    problem = scene._problem()  # what all joints serve comes before what two do
    assert [wish.name for wish in problem.wishes] == ["second", "third", "first"]
    assert problem.blocks.factor[:, 1].tolist() == [1.0, 1.0, 1.0]
    assert problem.level_priorities == [2, 3, 3]
    scene.handles["third"].remove()
    assert scene._problem().metric.tolist() == [1, 1, 0, 1]
    second.enabled = False
    assert [wish.name for wish in scene._problem().wishes] == ["first"]
    second.enabled = True
    first.remove()
    assert [wish.name for wish in scene._problem().wishes] == ["second"]
    scene.add(Position("tip"), name="first")  # the name is free again


def test_a_new_target_is_written_into_the_packed_problem_as_if_it_had_been_packed(
    person: Figure,
) -> None:
    frame = Transform.make((0.1, 0.2, 0.0), (np.pi, 0.0, 0.0))
    scene = Scene(person)
    handles = [scene.add(Frame("left_foot")), scene.add(Position("right_hand"), priority=2)]
    problem = scene._problem()
    handles[0].target = frame
    handles[1].target = (1.0, 2.0, 3.0)
    assert scene._problem() is problem
    other = Scene(person)
    other.add(Frame("left_foot", frame))
    other.add(Position("right_hand", (1.0, 2.0, 3.0)), priority=2)
    assert packed_values(scene) == packed_values(other)


def test_a_target_of_none_is_the_present_place(arm: Figure) -> None:
    scene = Scene(arm)
    handle = scene.add(Position("tip", (9, 9, 9)))
    scene.posture = [0.1, 0.2, 0.3, 0.4]
    handle.target = None
    assert handle.target == pytest.approx(arm.place(scene.posture)["tip"].position)


def test_a_sole_that_is_raised_is_a_support_no_more(person: Figure) -> None:
    scene = Scene(person)
    foot = scene.add(Frame("left_foot"))
    scene.add(Frame("right_foot"))
    scene.add(Balance(), priority=2)
    assert scene._problem().supports == ["left_foot", "right_foot"]
    foot.target = Transform.make((0.3, 0.1, 0.3), (np.pi / 2, 0.0, 0.0))
    assert scene._problem().supports == ["right_foot"]


def test_the_scale_of_angles_is_the_scenes_unless_the_task_has_its_own(arm: Figure) -> None:
    scene = Scene(arm, metres_per_radian=0.2)
    scene.add(Frame("tip"))
    scene.add(Aim("tip", metres_per_radian=0.7))
    assert [wish.metres_per_radian for wish in scene._problem().wishes] == [0.2, 0.7]
    scene.metres_per_radian = 0.3
    assert [wish.metres_per_radian for wish in scene._problem().wishes] == [0.3, 0.7]
    assert scene._problem().blocks.factor[1].tolist() == pytest.approx(
        [0.3 * np.sqrt(0.5), np.sqrt(0.5)]
    )


def test_stiffness_and_locks_of_the_figure_count_in_the_next_solve(arm: Figure) -> None:
    scene = Scene(arm)
    scene.add(Position("tip"))
    assert scene._problem().metric.tolist() == [1, 1, 1, 1]
    arm.lock("joint_2")
    arm.stiffness["joint_1"] = 0.5
    assert scene._problem().metric.tolist() == [0.5, 0, 1, 1]
    arm.unlock()
    assert scene._problem().metric.tolist() == [0.5, 1, 1, 1]


# postures ----------------------------------------------------------------------------------


def test_the_scenes_posture_is_its_own_copy_and_can_be_changed_in_place(arm: Figure) -> None:
    scene = Scene(arm)
    posture = arm.posture([0.1, 0.2, 0.3, 0.4])
    scene.posture = posture
    posture["joint_1"] = 9.0
    assert scene.posture.q.tolist() == [0.1, 0.2, 0.3, 0.4]
    scene.posture["joint_1"] = 0.5
    assert prepare(scene).start.tolist() == [0.5, 0.2, 0.3, 0.4]


def test_a_start_outside_limits_is_brought_inside(person: Figure) -> None:
    scene = Scene(person)
    scene.posture["left_knee"] = -2.0
    start = prepare(scene).start
    assert person.within_limits(start)
    assert start == pytest.approx(person.clamp(scene.posture).q)


def test_a_start_outside_limits_is_told_with_its_limits(person: Figure) -> None:
    scene = Scene(person)
    scene.posture["left_knee"] = -0.5
    reach = scene.add(Position("left_hand"))
    reach.target = (0.3, 0.2, 1.0)
    told = (
        "the start broke limits and was brought within them: left_knee.flexion by 0.5 rad (28.6°)",
    )
    solution = scene.solve()
    assert solution.notes == told
    assert str(solution).splitlines()[-1] == f"note: {told[0]}"
    assert scene.solve().notes == told  # as long as it starts there
    many = scene.solve_many({reach.name: [(0.3, 0.2, 1.0)]})
    assert many.notes == many[0].notes == told
    scene.posture = solution.posture
    assert scene.solve().notes == ()


def test_a_task_without_a_target_takes_it_from_the_posture_when_it_is_added(arm: Figure) -> None:
    scene = Scene(arm)
    scene.posture = [0.3, 0.3, 0.3, 0.3]
    place = arm.place(scene.posture)["tip"]
    handle = scene.add(Frame("tip"))
    scene.posture = [0.0, 0.0, 0.0, 0.0]
    assert handle.target.position == pytest.approx(place.position)
    assert handle.target.rotation == pytest.approx(place.rotation)


# several figures ----------------------------------------------------------------------------


def test_figures_have_the_names_they_are_given_or_numbers(arm: Figure, person: Figure) -> None:
    assert list(Scene(arm).figures) == [arm.name]
    assert list(Scene([arm, person]).figures) == ["figure_1", "figure_2"]
    assert list(Scene({"anna": person, "ben": person}).figures) == ["anna", "ben"]


def test_a_merged_figure_places_everything_as_its_parts_do(arm: Figure, person: Figure) -> None:
    from poise.figure.merging import merge

    hand = poise.hand()
    whole = merge({"anna": person, "arm": arm, "hand": hand})
    parts = {"anna": person, "arm": arm, "hand": hand}
    rng = np.random.default_rng(0)
    qs = {name: part.rest().q + 0.1 * rng.normal(size=part.n) for name, part in parts.items()}
    q = np.concatenate(list(qs.values()))
    where = whole.place(q)
    for name, part in parts.items():
        alone = part.place(qs[name])
        for each in alone:
            assert where[f"{name}/{each}"].position == pytest.approx(alone[each].position)
            assert where[f"{name}/{each}"].rotation == pytest.approx(alone[each].rotation)
    assert whole.mass == pytest.approx(sum(part.mass for part in parts.values()))
    clamped = np.concatenate([part.clamp(qs[name]).q for name, part in parts.items()])
    assert whole.clamp(q).q == pytest.approx(clamped, abs=1e-9)
    assert whole.rest().q == pytest.approx(np.concatenate([p.rest().q for p in parts.values()]))


def test_figures_that_are_merged_stay_as_they_are(arm: Figure) -> None:
    before = {name: joint.name for name, joint in arm.joints.items()}
    scene = Scene([arm, arm])
    assert {name: joint.name for name, joint in arm.joints.items()} == before
    arm.lock("joint_1")
    scene.add(Position("figure_2/tip"))
    assert scene._problem().metric.tolist() == [0, 1, 1, 1] * 2


def test_a_figure_is_stood_where_it_is_told_facing_as_it_is_told(person: Figure) -> None:
    scene = Scene({"anna": person, "ben": person})
    at_rest = person.place(person.rest())
    scene.stand("ben", position=(0.8, 0.1, 0.2), heading=np.pi / 2)
    where = person.place(scene.postures["ben"])
    turn = Transform.make((0.8, 0.1, 0.2), (0.0, 0.0, np.pi / 2))
    for name in ("left_foot", "eyes", "right_hand"):
        expected = turn @ at_rest[name]
        assert where[name].position == pytest.approx(expected.position)
        assert where[name].rotation == pytest.approx(expected.rotation)
    assert scene.postures["anna"].q == pytest.approx(person.rest().q)
    scene.stand("ben")
    assert scene.postures["ben"].q == pytest.approx(person.rest().q)


def test_one_figure_alone_is_stood_without_its_name(person: Figure) -> None:
    scene, named = Scene(person), Scene(person)
    scene.stand(position=(0.8, 0.1, 0.2), heading=np.pi / 2)
    named.stand("human", (0.8, 0.1, 0.2), np.pi / 2)
    assert scene.q.tolist() == named.q.tolist()
    words = "there are several figures, anna, ben: say which one is to stand"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        Scene({"anna": person, "ben": person}).stand(heading=1.0)


def test_a_prop_that_is_named_as_a_task_is_removed_by_that_name(arm: Figure) -> None:
    scene = Scene(arm)
    scene.place(poise.box(0.1, 0.1, 0.1), (0.2, 0.0, 0.0))
    scene.add(Position("tip", (0.1, 0, 0.3)), name="box")
    scene.remove("box")
    assert (list(scene.props), list(scene.tasks)) == ([], ["box"])


def test_postures_of_several_figures_are_set_by_name(arm: Figure) -> None:
    scene = Scene({"a": arm, "b": arm})
    scene.postures = {"b": arm.posture([1, 2, 3, 4])}
    assert scene._ensemble.q().tolist() == [0, 0, 0, 0, 1, 2, 3, 4]
    scene.posture = {"a": arm.posture([4, 3, 2, 1])}
    assert scene._ensemble.q().tolist() == [4, 3, 2, 1, 1, 2, 3, 4]


def test_rest_with_a_posture_is_for_the_figure_that_it_belongs_to(arm: Figure) -> None:
    other = poise.chain(2, length=0.2)
    scene = Scene({"a": arm, "b": other})
    scene.add(Rest(other.posture([0.3, 0.4])))
    problem = scene._problem()
    assert problem.rest.tolist() == [0, 0, 0, 0, 0.3, 0.4]
    assert problem.pull.tolist() == [0, 0, 0, 0, 1, 1]


# what is refused ---------------------------------------------------------------------------

JOINTS = "joint_1, joint_2, joint_3, joint_4"
ANGLES = "joint_1.angle, joint_2.angle, joint_3.angle, joint_4.angle"
REFUSED: list[tuple[Callable[[Any], Any], str]] = [
    (
        lambda s: s.add(Position("tipp")),
        "there is no site, segment or joint 'tipp'; did you mean 'tip'? There are: tip, base, "
        "link_1, link_2, link_3, link_4, root, joint_1, joint_2, joint_3, joint_4",
    ),
    (
        lambda s: s.add(Loop("tip", "hand")),
        "there is no site, segment or joint 'hand'. There are: tip, base, "
        "link_1, link_2, link_3, link_4, root, joint_1, joint_2, joint_3, joint_4",
    ),
    (
        lambda s: s.add(Position("tip"), priority=0),
        "the priority of 'tip' must be an integer from 1 on, not 0",
    ),
    (
        lambda s: s.add(Position("tip"), priority=1.5),
        "the priority of 'tip' must be an integer from 1 on, not 1.5",
    ),
    (
        lambda s: s.add(Position("tip"), priority=True),
        "the priority of 'tip' must be an integer from 1 on, not True",
    ),
    (
        lambda s: s.add(Position("tip"), weight=0.0),
        "the weight of 'tip' must be greater than 0, not 0",
    ),
    (
        lambda s: s.add(Position("tip"), weight=-1),
        "the weight of 'tip' must be greater than 0, not -1",
    ),
    (
        lambda s: s.add(Rest(), weight=float("nan")),
        "the weight of 'rest' must be a finite number, not nan",
    ),
    (
        lambda s: s.add(Rest(), priority=1),
        "the criterion 'rest' takes no priority: it always comes last",
    ),
    (
        lambda s: s.add(Rest(), joints="joint_1"),
        "the criterion 'rest' takes no joints: it recruits none, and is about all that there are "
        f"({JOINTS})",
    ),
    (
        lambda s: s.add(MidRange(), joints="joint_1"),
        "the criterion 'mid_range' recruits no joints; those that it is about are its own: "
        "MidRange(joints=…)",
    ),
    (
        lambda s: s.add(Position("tip"), joints="tip"),
        "'tip' is a site, and no joint, group, limb or coordinate; "
        "did you mean 'chain', the limb that carries it?",
    ),
    (
        lambda s: s.add(Position("tip"), joints="joint_9"),
        "there is no joint, group, limb or coordinate 'joint_9'; did you mean 'joint_4'? "
        f"There are: chain, root, {JOINTS}, {ANGLES}",
    ),
    (
        lambda s: s.add(Position("tip"), joints=[]),
        "the joints of 'tip' must be at least one; None stands for all",
    ),
    (lambda s: s.add(Position("tip"), joints=3), "the joints of 'tip' must be names, not 3"),
    (
        lambda s: (s.add(Position("tip"), name="a"), s.add(Rest(), name="a")),
        "there is a task named 'a' already; names must be unique",
    ),
    (
        lambda s: s.add(Position("tip"), name=""),
        "the name of a task must be a non-empty string, not ''",
    ),
    (lambda s: s.add("tip"), "a scene takes tasks and criteria, not 'tip'"),
    (
        lambda s: setattr(s.add(Position("tip")), "target", (1, 2)),
        "the target of 'tip' must be 3 numbers, not 2",
    ),
    (
        lambda s: setattr(s.add(Rest()), "target", (1, 2, 3)),
        "'rest' is a Rest, which has no target",
    ),
    (lambda s: s.add(Balance()).target, "'balance' is a Balance, which has no target"),
    (
        lambda s: setattr(s.add(Rest()), "priority", 1),
        "the criterion 'rest' takes no priority: it always comes last",
    ),
    (
        lambda s: setattr(s.add(Position("tip")), "enabled", "no"),
        "enabled of 'tip' must be True or False, not 'no'",
    ),
    (
        lambda s: setattr(_removed(s), "weight", 2.0),
        "'tip' was removed from its scene; add the task again",
    ),
    (lambda s: _removed(s).remove(), "'tip' was removed from its scene; add the task again"),
    (
        lambda s: s.solve("lexx"),
        f"there is no method 'lexx'; did you mean 'lex'? There are: {', '.join(METHODS)}",
    ),
    (
        lambda s: s.solve(tolerance=0),
        "the tolerance (m) must be greater than 0, not 0",
    ),
    (
        lambda s: s.solve(max_iterations=0),
        "max_iterations must be an integer from 1 on, not 0",
    ),
    (lambda s: s.solve(max_seconds=-1), "max_seconds must be greater than 0, not -1"),
    (lambda s: s.solve(restarts=-1), 'restarts must be "auto" or an integer from 0 on, not -1'),
    (lambda s: s.solve(restarts=True), 'restarts must be "auto" or an integer from 0 on, not True'),
    (
        lambda s: s.solve(restarts="often"),
        "restarts must be \"auto\" or an integer from 0 on, not 'often'",
    ),
    (lambda s: s.solve(restarts=2.5), 'restarts must be "auto" or an integer from 0 on, not 2.5'),
    (
        lambda s: setattr(s, "metres_per_radian", 0),
        "metres_per_radian must be greater than 0, not 0",
    ),
    (
        lambda s: setattr(s, "posture", [1, 2]),
        "a posture of 'chain' must be 4 numbers, not 2",
    ),
    (
        lambda s: setattr(s, "postures", [1, 2, 3, 4]),
        "postures must be given by the figures' names, not as [1, 2, 3, 4]",
    ),
    (
        lambda s: setattr(s, "postures", {"ben": [1, 2, 3, 4]}),
        "there is no figure 'ben'. There are: chain",
    ),
    (
        lambda s: s.stand("chain"),
        "'chain' cannot be stood elsewhere: its root is not free",
    ),
    (
        lambda s: s.stand("chian"),
        "there is no figure 'chian'; did you mean 'chain'? There are: chain",
    ),
    (
        lambda s: s.solve_many([(1, 2, 3)]),
        "targets must be given by the names of tasks, not as [(1, 2, 3)]",
    ),
    (lambda s: s.solve_many({"reach": []}), "there is no task 'reach', nor any other"),
    (
        lambda s: (s.add(Rest()), s.solve_many({"rest": [(1, 2, 3)]})),
        "'rest' is a Rest, which has no target",
    ),
    (
        lambda s: (s.add(Position("tip")), s.solve_many({"tip": [(1, 2, 3), (1, 2)]})),
        "target 1 of 'tip': the target of 'tip' must be 3 numbers, not 2",
    ),
    (
        lambda s: (s.add(Position("tip")), s.solve_many({"tip": [(0, 0, 0), (1, 2, np.nan)]})),
        "target 1 of 'tip': the target of 'tip' must be finite, not [1.0, 2.0, nan]",
    ),
    (
        lambda s: (s.add(Position("tip")), s.solve_many({"tip": 3})),
        "the targets of 'tip' must be one for each solve, not 3",
    ),
    (
        lambda s: (
            s.add(Position("tip"), name="a"),
            s.add(Position("tip"), name="b"),
            s.solve_many({"a": np.zeros((3, 3)), "b": np.zeros((2, 3))}),
        ),
        "there must be as many targets for each task, not 3 for 'a', 2 for 'b'",
    ),
    (
        lambda s: (
            setattr(s.add(Position("tip")), "enabled", False),
            s.solve_many({"tip": np.zeros((3, 3))}),
        ),
        "'tip' is disabled; enable it before solving for its targets",
    ),
    (
        lambda s: s.remove(s.add(Position("tip"), name="reach")),
        "'reach' is a task, not a prop: handle.remove() takes it out of the scene",
    ),
    (
        lambda s: (s.add(Position("tip"), name="reach"), s.remove("reach")),
        "'reach' is a task, not a prop: scene.tasks['reach'].remove() takes it out of the scene",
    ),
    (
        lambda s: (s.add(Rest()), s.remove("rest")),
        "'rest' is a criterion, not a prop: scene.tasks['rest'].remove() takes it out of the scene",
    ),
]


def _removed(scene: Scene) -> Any:
    handle = scene.add(Position("tip"))
    handle.remove()
    return handle


@pytest.mark.parametrize(("act", "words"), REFUSED)
def test_what_a_scene_cannot_do_is_refused_in_plain_words(
    act: Callable[[Any], Any], words: str, arm: Figure
) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        act(Scene(arm))


def test_a_task_that_was_refused_is_not_in_the_scene(arm: Figure) -> None:
    scene = Scene(arm)
    with pytest.raises(PoiseError):
        scene.add(Position("nowhere"))
    assert not scene.handles


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "a scene takes a Figure, a list of Figures, or Figures by name, not 3"),
        ("human", "a scene takes a Figure, a list of Figures, or Figures by name, not 'human'"),
        ([3], "a scene takes a Figure, a list of Figures, or Figures by name, not 3"),
        ([], "a scene needs at least one figure"),
        (
            poise.chain(2).rest(),
            "a scene is made of a figure, not of a posture; "
            "scene = poise.Scene(posture.figure), and then scene.posture = posture",
        ),
        ({"a/b": poise.chain(2)}, "the name 'a/b' of a figure must not contain '/'"),
    ],
)
def test_a_scene_needs_figures(given: Any, words: str) -> None:
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        Scene(given)


def test_one_posture_of_several_figures_is_asked_for_by_name(arm: Figure) -> None:
    scene = Scene({"a": arm, "b": arm})
    words = "there are several figures, a, b: use `postures`, by name"
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        assert scene.posture
    with pytest.raises(PoiseError, match=f"^{re.escape(words)}$"):
        scene.posture = arm.rest()
