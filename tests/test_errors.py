"""Names that do not exist, and wrong calls: what is suggested, and which names are said."""

# ruff: noqa: E501  (a table of messages reads best with each on its line)

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

import poise
from poise import PoiseError
from poise import tasks as t
from poise.errors import unknown_name
from poise.figure import Builder
from poise.scene import Options, Scene

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
    with pytest.raises(TypeError, match=r"^Scene.stand\(\) missing 1 required positional"):
        reaching.stand()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Scene.add\(\) got an unexpected keyword argument"):
        reaching.add(t.Rest(), priorty=1)  # type: ignore[call-arg]


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
