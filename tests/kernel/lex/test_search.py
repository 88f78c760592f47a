"""Which level a search gives up."""

from poise.kernel.lex.levels import Levels, make_levels
from poise.kernel.lex.search import level_to_give_up
from poise.kernel.lex.settings import SETTINGS


def sought(*errors: float) -> Levels:
    """Levels that are off by so much, of which a linear step would leave nothing."""
    made = make_levels(len(errors))
    made.error[:-1] = made.worst[:-1] = errors
    return made


def test_the_first_level_that_a_linear_step_does_not_bring_down_is_unmet() -> None:
    now = sought(0.0, 0.01, 0.5)
    assert level_to_give_up(now, 3, 1e-4, False) == 3, "none is"
    now.predicted_best[2] = 0.4
    assert level_to_give_up(now, 3, 1e-4, False) == 2
    now.worst[1] = 1.1 * SETTINGS.far
    assert level_to_give_up(now, 3, 1e-4, False) == 3, (
        "not to be told as long as one above is far off"
    )
    now.in_vain[1] = 2.0
    assert level_to_give_up(now, 3, 1e-4, False) == 1
    now.at_rest[1] = 1.0
    assert level_to_give_up(now, 3, 1e-4, False) == 2


def test_after_a_long_search_the_last_unmet_level_goes() -> None:
    # What the last one wants makes those above drift by a little more than the tolerance.
    now = sought(2e-4, 3e-4, 0.04, 0.03)
    assert level_to_give_up(now, 4, 1e-4, False) == 4
    assert level_to_give_up(now, 4, 1e-4, True) == 3
    now.worst[3] = 0.0
    assert level_to_give_up(now, 4, 1e-4, True) == 2
    now.predicted_best[0] = now.error[0]
    assert level_to_give_up(now, 4, 1e-4, True) == 0, "one that is stuck is the one"
