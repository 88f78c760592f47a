"""The numbers that steer the lexicographic solver, each with what it bounds.

They were chosen on random scenes of people, animals and chains (tests/solvers/scenes.py), none on a
benchmark beside other solvers.
"""

from typing import NamedTuple


class Settings(NamedTuple):
    """All numbers of the algorithm. Lengths in metres, angles in radians, shares without a unit.

    Radii of a search bound the coordinate that moves most. Those of Newton steps bound the norm
    over all coordinates, in the units of the inner step (`Postures.scale`).
    """

    # --- the search: lexicographic Gauss-Newton steps -------------------------------------------

    search_radius: float = 0.8
    """How far the coordinate that moves most may go in a level's first step of a search."""
    warm_search_radius: float = 0.1
    """The same where a warm solve begins: the posture is near the one that is looked for."""
    longest_search_step: float = 1.5
    """The greatest radius of a level in a search."""
    damping: float = 0.1
    """The damping c of a level when a search begins; a step is damped by c |e| ℓ."""
    most_damping: float = 10.0
    """The greatest damping that poor steps lead to; a rejected step may need more."""
    damps: float = 2.0
    """How damping grows with a poor step of a search."""
    damps_rejected: float = 10.0
    """How damping grows when no length of a step is accepted."""
    search_narrows: float = 0.5
    """The radius of a level in a search after a poor step, as a share of what was gone."""
    decay: float = 0.7
    """How funnels narrow with every step of a search, and damping falls with every good one."""
    shortens: float = 0.25
    """How much shorter the parts of a step become that a level rejects."""
    damping_floor: float = 1e-9
    """Damping of a level that is met (m²/rad²): rows that depend on each other stay solvable."""
    lever: float = 0.2
    """The lever arm ℓ of damping, as a share of the level's longest row (m/rad)."""
    damping_attempts: int = 4
    """How often a step of a search is computed, each time with more damping, before the search has
    stalled."""
    trials: int = 8
    """How many lengths of one step are tried."""
    funnel: float = 0.3
    """A level with an error within its funnel does not judge steps. Width when a search begins."""
    warm_funnel: float = 0.03
    """The same where a warm solve begins."""
    least_funnel: float = 20.0
    """The least width of a funnel, in tolerances."""
    drift: float = 0.5
    """In a step of length s funnels are at least this times s² wide (m/rad²), up to `most_off`."""
    decides: float = 1e-3
    """A level judges a step if it was predicted to lower its square by more than this share."""
    rejects: float = 0.05
    """A step is rejected if the level that judges it gains less than this share of the prediction.
    """
    side_step: float = 0.05
    """What the levels below add to a step is judged if it is longer than this share of the step."""
    share_left_in_vain: float = 0.8
    """A step that leaves more than this share of a level's error was in vain for it."""
    steps_in_vain: int = 2
    """So many steps in vain in a row make a level unmet."""
    unmovable: float = 0.7
    """A level of whose error the whole linear step would leave more than this share is unmet."""
    far: float = 0.02
    """As long as a level has a task with a larger error, those below it are not called unmet."""
    recentrings: int = 4
    """So often a search of a cold solve that cannot meet a level goes on from a posture nearer to
    the middle of the joints' ranges, before the level is given up. More meet a few goals more, and
    take longer where they are out of reach."""
    as_near: float = 0.2
    """Two searches from different postures that leave errors of a level within this share of each
    other have come as near as they can."""
    beyond: float = 0.5
    """A level that steps in vain leave with an error above its longest row (m/rad) times this is
    not searched for from elsewhere: local minima are nearer to the goal."""
    linearly_beyond: float = 0.25
    """The same of the error that the whole linear step would leave."""
    recentring: float = 0.8
    """How far it goes there, as a share of the way."""
    recentring_spread: float = 0.7
    """From the second time on it goes to places about the middle, up to this share of half the
    range away from it: from the middle itself it would often come to the same."""
    long_search: int = 12
    """After so many steps a search gives up its last unmet level."""
    longer_search: int = 4
    """With criteria a long search first goes on without them for so many steps more."""

    # --- levels with joints of their own ---------------------------------------------------------

    unrelated: float = 1e-12
    """A joint that moves what others react by less than this (rad/rad) does not react itself."""
    reaction_rounds: int = 4
    """So often it is found anew what a restricted level presses against, and what may react."""

    # --- lowering: Newton steps of a level that cannot be met -----------------------------------

    newton_radius: float = 0.6
    """The norm of the first Newton step of a level, over all coordinates."""
    cautious_radius: float = 0.08
    """The same in a warm solve, lest it leaves the minimum that it follows."""
    warm_path_budget: float = 0.12
    """How far a warm solve may go in all, in Newton steps, unless it promises a large gain."""
    criteria_radius: float = 0.4
    """The norm of a Newton step of the criteria's rows in a warm solve. With 0.08, as for levels
    that cannot be met, a hand that went down to the floor in two seconds ended with straight knees
    and the trunk folded; with 0.8 joints turned by up to 20° a frame in a loop."""
    least_caution: float = 0.02
    """A warm solve that may not go farther than this rests."""
    largest_radius: float = 6.0
    """The greatest radius of Newton steps."""
    least_radius: float = 1e-3
    """A level whose Newton steps fail at this radius is at rest."""
    radius_shrinks: float = 0.3
    """The radius after a Newton step that failed or was poor, as a share of the step's length."""
    radius_widens: float = 1.5
    """How a radius, of a search or of Newton steps, grows after a good step."""
    fails: float = 0.1
    """A Newton step that gains no more than this share of the predicted decrease has failed."""
    poor: float = 0.25
    """A step with a smaller trust ratio is poor: the radius shrinks."""
    good: float = 0.7
    """A step with a larger trust ratio is good: the radius grows, if the step used it."""
    restored: float = 0.5
    """The levels above count as restored at this share of the tolerance."""
    at_radius: float = 0.99
    """A step longer than this share of its radius was cut by it."""
    uses_radius: float = 0.8
    """A step uses its radius if it is longer than this share of it."""
    restorations: int = 4
    """So many steps may restore the levels above before a Newton step is judged."""
    negligible: float = 1e-3
    """A level is at rest if its model promises to lower its error by no more than this share."""
    fine: float = 0.1
    """Nothing is done for the sake of less than this share of the tolerance."""
    slow_steps: float = 2.0
    """So many Newton steps in a row that gain next to nothing are enough: less than half of
    `negligible`, or what is `fine`."""
    saddle_pull: float = 0.5
    """Where criteria would rest, a pull that promises this share of what is negligible shows
    whether they could be lowered along a direction that bends down."""
    negligible_of_criteria: float = 1e-4
    """The same as `negligible` for criteria in a cold solve, which come down slowly along valleys:
    with ten times as much a reach was held with criteria 10 % above what a nudge led to."""
    reach: float = 2.0
    """A level's error counts as no more than its longest row (m/rad) times this: a goal a
    kilometre away is no reason to gain metres."""
    retry: float = 0.2
    """An unmet level is searched for again when its worst task's error falls below `closer` times a
    reference: this, or what it was when lowering began if that is less; from then on what it was at
    the last such search."""
    closer: float = 0.5
    """See `retry`."""
    cautious_gain: float = 0.05
    """A warm solve goes farther than cautiously for a gain of this share of the error."""
    cautious_tolerances: float = 10.0
    """And of so many tolerances."""
    calm: float = 2.5
    """What is at rest when a warm solve begins, to within so many times what is negligible, is left
    at rest."""

    # --- levels above that are a little off while a level is lowered ----------------------------

    most_off: float = 0.06
    """The most that `drift` widens a funnel; and no Newton step may leave a met level farther
    off."""
    restores: float = 0.5
    """The step that restores the levels above may be as long as this share of the radius."""
    beside: float = 2.0
    """A step that gains next to nothing may be so many times as long as what restores the levels
    above."""
    cost_of_restoring: float = 6.0
    """So many times what is negligible may restoring the levels above cost more than predicted."""
    mending_radius: float = 0.3
    """The longest step that only restores the levels above."""
    least_restoring_radius: float = 0.01
    """What restores the levels above after a Newton step may be as long as that step, or this if
    that is longer."""

    # --- rest ------------------------------------------------------------------------------------

    at_stop: float = 1e-9
    """A bound nearer than this is touched."""
    touched: float = 1e-3
    """A bound nearer than this counts as touched before a level is called at rest."""
    unmoved: float = 1e-4
    """A level at rest may grow by this share while others move."""
    growth_to_recheck: float = 0.5
    """A level that has grown by this share of what it may is looked at again."""
    disturbed: float = 2.0
    """A level that was at rest is lowered again if its model promises so many times what is
    negligible."""
    slack: float = 3e-5
    """Curvature below this share of |e| · min(|e|, reach) (1/rad²) a level at rest leaves to those
    below."""
    tilt: float = 1e-6
    """A level at rest whose free gradient is above this share of its square (1/rad) must not be
    raised along it."""
    soft: float = 0.2
    """Along what bends less than this share of |e| times the longest row a level at rest is hardly
    restored."""
    still: float = 1e-4
    """Criteria are at rest when they ask for no longer step."""
    patience: int = 3
    """So many results in a row that are no better end a solve."""
    passes: int = 12
    """The most passes of the loop for each iteration that is allowed."""
    hidden_tries: int = 4
    """So often a level that would be at rest looks for a task that can be met all the same."""
    hidden: float = 0.04
    """A task whose error has no more than this share of its level's square is hidden by others."""
    own_gain: float = 0.5
    """What a level gains by meeting one of its tasks must be this share of what that task gains."""
    bounds_ahead: float = 0.1
    """Curved limits become rows where they are nearer than the step ahead plus this."""


SETTINGS = Settings()
"""The settings in use: constants of the compiled code."""
