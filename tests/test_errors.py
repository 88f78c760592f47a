"""Names that do not exist, and wrong calls: what is suggested, and which names are said."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import poise
from poise import PoiseError
from poise import tasks as t
from poise.errors import unknown_name
from poise.figure import Builder
from poise.scene import Options, Scene
from poise.scene.origins import ready_figures

BODY = ["head", "chest", "left_hand", "right_hand", "left_hand_tip", "left_knee", "right_knee"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("hand", "; did you mean 'left_hand' or 'right_hand'?"),
        ("Hand", "; did you mean 'left_hand' or 'right_hand'?"),
        ("hand_left", "; did you mean 'left_hand'?"),
        ("left hand", "; did you mean 'left_hand'?"),
        ("tip", "; did you mean 'left_hand_tip'?"),
        ("hed", "; did you mean 'head'?"),
        ("left_hnd", "; did you mean 'left_hand'?"),
        ("nkee", "; did you mean 'left_knee' or 'right_knee'?"),
        ("tail", "."),
        ("", "."),
    ],
)
def test_a_name_suggests_those_that_have_its_words_then_those_that_are_alike(
    given: str, meant: str
) -> None:
    words = f"there is no site {given!r}{meant} There are: {', '.join(BODY)}"
    assert str(unknown_name("site", given, BODY)) == words


def test_a_word_that_many_names_have_suggests_none_and_lists_them_first() -> None:
    names = [f"finger_{i}" for i in range(20)] + [f"thumb_{i}" for i in range(6)]
    words = "there is no site 'thumb'. There are 26, among them: thumb_0, thumb_1, thumb_2, thumb_3"
    assert str(unknown_name("site", "thumb", names)).startswith(words)


def test_a_hand_of_a_person_is_the_left_one_or_the_right_one() -> None:
    scene = Scene(poise.human())
    with pytest.raises(PoiseError, match="did you mean 'left_hand' or 'right_hand'"):
        scene.add(t.Position("hand", (0.5, 0, 1)))


@pytest.fixture
def reaching() -> Scene:
    scene = Scene(poise.chain(3))
    scene.add(t.Position("tip", (0.2, 0, 0.1)), name="reach")
    return scene


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("max_iters", "max_iterations"),
        ("max_iter", "max_iterations"),
        ("iterations", "max_iterations"),
        ("seconds", "max_seconds"),
        ("tol", "tolerance"),
    ],
)
def test_a_wrong_option_of_a_solve_suggests_the_nearest(
    reaching: Scene, given: str, meant: str
) -> None:
    path = {"reach": [(0.2, 0, 0.1)]}
    words = f"there is no lex option '{given}'; did you mean '{meant}'?"
    for call in (
        lambda **own: reaching.solve(**own),
        lambda **own: reaching.solve_many(path, **own),
        lambda **own: reaching.animate(path, **own),
    ):
        with pytest.raises(PoiseError, match=f"^{words.replace('?', '.')}"):
            call(**{given: 3})


def test_an_option_of_another_method_is_refused_with_those_of_this_one(reaching: Scene) -> None:
    with pytest.raises(PoiseError, match="there is no nlp option 'updat'; did you mean 'update'"):
        reaching.solve("nlp", updat="dfp")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: t.Position("tip", axs="xy"), "Position: there is no argument 'axs'; did you mean 'axes'? There are: site, target, frame, axes"),  # type: ignore[call-arg]
        (lambda: t.Balance(margins=0.1), "Balance: there is no argument 'margins'; did you mean 'margin'?"),  # type: ignore[call-arg]
        (lambda: t.Rest(postur=None), "Rest: there is no argument 'postur'; did you mean 'posture'? There are: posture"),  # type: ignore[call-arg]
        (lambda: t.Convex(normal=[], offsets=[]), "Convex: there is no argument 'normal'; did you mean 'normals'?"),  # type: ignore[call-arg]
        (lambda: Options(max_iters=3), "Options: there is no argument 'max_iters'; did you mean 'max_iterations'?"),  # type: ignore[call-arg]
    ],
)  # fmt: skip
def test_a_wrong_keyword_of_a_task_suggests_the_nearest(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(PoiseError) as refused:
        make()
    assert str(refused.value).startswith(words)


def test_help_shows_what_a_task_takes() -> None:
    assert list(inspect.signature(t.Rest).parameters) == ["posture"]
    assert list(inspect.signature(t.Position).parameters) == ["site", "target", "frame", "axes"]


def test_a_task_of_ones_own_takes_what_it_wants() -> None:
    class Mine(t.Task):
        def __init__(self, **given: float) -> None:
            object.__setattr__(self, "given", given)

    assert Mine(anything=1.0).given == {"anything": 1.0}  # type: ignore[attr-defined]


def test_a_wrong_call_says_the_name_that_users_know(reaching: Scene) -> None:
    with pytest.raises(TypeError, match=r"^Scene.__init__\(\) missing 1 required positional"):
        Scene()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Scene.release\(\) missing 1 required positional"):
        reaching.release()  # type: ignore[call-arg]


def test_no_public_class_speaks_by_the_name_of_its_base() -> None:
    classes = [getattr(poise, name) for name in poise.__all__]
    classes += [getattr(t, name) for name in t.__all__]
    classes += [getattr(poise.figure, name) for name in poise.figure.__all__]
    found = [each for each in classes if inspect.isclass(each) and each not in (PoiseError,)]
    assert {Scene, t.Position, Builder} <= set(found)
    for each in found:
        if inspect.isfunction(each.__init__):
            assert each.__init__.__qualname__ == f"{each.__name__}.__init__"
    for name, method in inspect.getmembers(Scene, inspect.isfunction):
        if name.startswith("_"):
            continue
        assert method.__qualname__ == f"Scene.{method.__name__}"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.add(t.Rest(), wieght=1), "Scene.add: there is no argument 'wieght'; did you mean 'weight'? There are: wanted, priority, weight, name, joints"),
        (lambda s: s.stand("chain", heding=1), "Scene.stand: there is no argument 'heding'; did you mean 'heading'?"),
        (lambda s: s.stand(figur="chain"), "Scene.stand: there is no argument 'figur'; did you mean 'figure'?"),
        (lambda s: s.hold("box", "tip", att=1), "Scene.hold: there is no argument 'att'; did you mean 'at'?"),
        (lambda s: s.place("box", rotaton=1), "Scene.place: there is no argument 'rotaton'; did you mean 'rotation'?"),
        (lambda s: s.solve(tolerence=1), "there is no lex option 'tolerence'; did you mean 'tolerance'?"),
        (lambda s: s.assess(tolerance=1), "Scene.assess: there is no argument 'tolerance', nor any other"),
        (lambda s: s.save(pth="scene.yaml"), "Scene.save: there is no argument 'pth'; did you mean 'path'?"),
        (lambda s: Scene.load(pth="scene.yaml"), "Scene.load: there is no argument 'pth'; did you mean 'path'?"),  # type: ignore[call-arg]
        (lambda s: s.forces.support("tip", ratoi=1), "Forces.support: there is no argument 'ratoi'; did you mean 'ratio'?"),
        (lambda s: Scene(s.figure, metres_per_radin=1), "Scene: there is no argument 'metres_per_radin'; did you mean 'metres_per_radian'?"),  # type: ignore[call-arg]
        (lambda s: s.figure.posture(name="rest"), "Figure.posture: there is no argument 'name'. There are: q"),
        (lambda s: s.posture.blend(s.posture, shar=1), "Posture.blend: there is no argument 'shar'; did you mean 'share'?"),
        (lambda s: Builder("arm").segment("base", densty=1), "Builder.segment: there is no argument 'densty'; did you mean 'density'?"),  # type: ignore[call-arg]
        (lambda s: Builder(nam="arm"), "Builder: there is no argument 'nam'; did you mean 'name'?"),  # type: ignore[call-arg]
        (lambda s: poise.Clip(s.figure, [], fsp=1), "Clip: there is no argument 'fsp'; did you mean 'fps'?"),  # type: ignore[call-arg]
        (lambda s: poise.box(1, 1, 1, mas=1), "box: there is no argument 'mas'; did you mean 'mass'?"),  # type: ignore[call-arg]
        (lambda s: poise.human(statur=1.7), "human: there is no argument 'statur'; did you mean 'stature'?"),  # type: ignore[call-arg]
        (lambda s: poise.chain(3, lenght=1), "chain: there is no argument 'lenght'; did you mean 'length'?"),  # type: ignore[call-arg]
        (lambda s: poise.picture(s, viw=1), "picture: there is no argument 'viw'; did you mean 'views'?"),  # type: ignore[call-arg]
    ],
)  # fmt: skip
def test_a_wrong_keyword_of_a_public_function_suggests_the_nearest(
    reaching: Scene, call: Callable[[Any], object], words: str
) -> None:
    with pytest.raises(PoiseError) as refused:
        call(reaching)
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("name", sorted(ready_figures()))
def test_every_ready_figure_refuses_a_wrong_keyword(name: str) -> None:
    with pytest.raises(PoiseError, match=f"^{name}: there is no argument 'nonsense'"):
        ready_figures()[name](nonsense=1)


def public_functions() -> dict[str, Any]:
    """The functions and the methods of the classes in `poise.__all__`."""
    found: dict[str, Any] = {}
    for name in poise.__all__:
        thing = getattr(poise, name)
        if inspect.isclass(thing):
            for each, method in inspect.getmembers(thing, callable):
                if each[0] != "_":
                    found[f"{name}.{each}"] = method
        elif callable(thing):
            found[name] = thing
    return found


@pytest.mark.parametrize("name", public_functions())
def test_every_public_function_and_method_can_be_sent_to_another_process(name: str) -> None:
    function = public_functions()[name]
    assert pickle.loads(pickle.dumps(function)) == function
