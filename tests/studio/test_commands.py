"""Messages: what makes sense is done, what does not is refused and changes nothing."""

from typing import Any

import pytest

from poise.errors import PoiseError
from poise.studio.commands import COMMANDS, Move, parsed
from poise.studio.session import Session


def test_every_command_has_a_word_and_a_sentence() -> None:
    for word, command in COMMANDS.items():
        assert command.model_fields["do"].default == word
        assert command.__doc__


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (None, "must be a mapping"),
        ([1, 2], "must be a mapping"),
        ({}, "there is no command"),
        ({"do": 7}, "there is no command"),
        ({"do": "undoo"}, "did you mean 'undo'"),
        ({"do": "undo", "times": 3}, "times"),
        ({"do": "move", "point": [1, 2]}, "point"),
        ({"do": "move", "point": "far"}, "point"),
        ({"do": "move", "point": [1, 2, float("nan")]}, "finite"),
        ({"do": "move", "point": [1, 2, 1e9]}, "at most"),
        ({"do": "move", "point": [0, 0, 0], "sequence": True}, "sequence"),
        ({"do": "grab", "segment": "head", "point": [0, 0, 0], "recruit": 0}, "recruit"),
        ({"do": "grab", "segment": "x" * 1000, "point": [0, 0, 0]}, "at most 450"),
        ({"do": "keep_balance", "on": 1}, "on"),
        ({"do": "set_stiffness", "joint": "spine", "value": 1.0}, "value"),
        ({"do": "settings", "theme": "plaid"}, "theme"),
    ],
)
def test_a_message_that_makes_no_sense_says_why(message: Any, told: str) -> None:
    with pytest.raises(PoiseError, match=told):
        parsed(message)


def test_an_error_does_not_repeat_a_long_message() -> None:
    with pytest.raises(PoiseError) as error:
        parsed({"do": "pin", "site": ["x"] * 100_000})
    assert len(str(error.value)) < 500


def test_a_move_keeps_whole_numbers_and_lists() -> None:
    move = parsed({"do": "move", "point": [1, 2, 3], "sequence": 4})
    assert move == Move(point=(1.0, 2.0, 3.0), sequence=4)


@pytest.mark.parametrize(
    "message",
    [
        {"do": "pin"},
        {"do": "pin", "site": "nowhere"},
        {"do": "pin", "site": "left_hand", "kind": "free"},
        {"do": "grab", "segment": "nothing", "point": [0, 0, 0]},
        {"do": "grab", "segment": "head"},
        {"do": "grab", "what": "goal", "task": "balance"},
        {"do": "grab", "what": "prop", "prop": "box"},
        {"do": "grab", "what": "force", "force": "wind"},
        {"do": "move", "point": [0, 0, 0]},
        {"do": "add_task", "type": "levitate"},
        {"do": "add_task", "type": "position", "parameters": {"sight": "left_hand"}},
        {"do": "add_task", "type": "position", "parameters": {"site": "tail"}},
        {"do": "add_criterion", "type": "position"},
        {"do": "edit_task", "name": "balance", "weight": 2.0, "joints": ["tail"]},
        {"do": "edit_task", "name": "balance", "new_name": "pin left_foot"},
        {"do": "order_task", "name": "balance", "before": "tail"},
        {"do": "remove_task", "name": "tail"},
        {"do": "lock", "joint": "tail", "on": True},
        {"do": "lock", "joint": "neck", "on": False},
        {"do": "add_support", "site": "tail"},
        {"do": "edit_load", "name": "wind"},
        {"do": "use_contact_forces", "on": True},
        {"do": "add_prop", "kind": "sphere", "size": [1, 2, 3]},
        {"do": "hold_prop", "prop": "box", "site": "left_hand"},
        {"do": "set_coordinates", "values": {"tail": 1.0}},
        {"do": "set_angles", "joint": "left_knee", "angles": {"wag": 1.0}},
        {"do": "paste_posture"},
        {"do": "apply_pose", "name": "bow"},
        {"do": "choose_figure", "recipe": "unicorn"},
        {"do": "choose_figure", "recipe": "human", "parameters": {"stature": 9.0}},
        {"do": "root_at", "name": "tail"},
        {"do": "edit_figure", "operation": "remove", "segment": "pelvis"},
        {"do": "edit_figure", "operation": "length", "segment": "head"},
        {"do": "open", "text": "nothing"},
        {"do": "set_options", "method": "guess"},
        {"do": "set_options", "method": "dls"},
        {"do": "set_options", "restarts": "often"},
        {"do": "set_options", "restarts": 101},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "select", "kind": "joint", "name": "tail"},
    ],
)
def test_what_cannot_be_done_changes_nothing(session: Session, message: dict[str, Any]) -> None:
    before, q = session.scene_text(), session.scene.q
    with pytest.raises(PoiseError):
        session.apply(message, "tab")
    assert session.wait()
    assert session.scene_text() == before
    assert (session.scene.q == q).all()
    assert not session.history.can_undo
    assert not session.dragging
