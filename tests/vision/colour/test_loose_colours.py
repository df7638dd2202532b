"""Issue 3: dice of one or two colours. Light and gloss change a colour; two colours stay two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.colour.loose_colours import MOST_AT_ONCE, SURE, Shown, parted

Labs = list[tuple[float, float, float]]


def shown(lab: Labs, ink: float | list[float] = 20.0, edge: Labs | None = None, full: Labs | None = None) -> Shown:
    """Return dice whose pips are as light as `ink` says, all alike or each.

    edge: None for `lab`. full: of rim and flanks; None for the edge.
    """
    inks = np.zeros((len(lab), 3))
    inks[:, 0] = ink
    sides = (np.array(colours, dtype=np.float64).reshape(-1, 3) for colours in (lab, edge or lab, full or edge or lab))
    return Shown(*sides, inks)


def split(lab: Labs, ink: float | list[float] = 20.0, edge: Labs | None = None, full: Labs | None = None) -> list[int]:
    return parted(shown(lab, ink, edge, full))[0].tolist()


def test_gloss_takes_a_colour_away_and_leaves_its_hue() -> None:
    """Pearl and marble, as the cameras of the shared pictures saw six yellow dice."""
    yellow = [(88, -13, 44), (92, -12, 46), (92, -14, 54), (92, -18, 65), (88, -12, 63), (92, -19, 86)]
    assert split(yellow) == [0] * 6


def test_what_mirrors_a_lamp_is_paler_and_lighter_and_still_purple() -> None:
    purple = [(22, 36, -41), (66, 17, -20), (24, 44, -48), (25, 45, -50), (30, 36, -41), (63, 20, -25), (24, 37, -42)]
    assert split(purple, edge=[(14, 27, -31)] * len(purple)) == [0] * len(purple)


def test_white_dice_are_not_yellow_ones_that_mirror_a_lamp() -> None:
    """Run Buster (RULES 2): each player's dice are of a colour of their own. As a camera saw ten dice in warm light."""
    yellow: Labs = [(86, 1, 75), (93, -9, 60), (87, 0, 73), (86, 1, 74)]
    white: Labs = [(100, -3, 7), (99, -5, 13), (94, -3, 17), (90, -2, 17)]
    deep: Labs = [(57, 8, 46), (54, 9, 47), (52, 7, 45), (67, 5, 44)]
    pale: Labs = [(65, 4, 27), (67, 5, 25), (63, 1, 22), (65, 0, 33)]
    assert split(yellow + white, edge=deep + pale) == [0] * 4 + [1] * 4


def test_a_paler_colour_that_is_darker_is_another_one() -> None:
    """Gloss does not darken: with the lightnesses changed, the same two colours are two."""
    assert split([(66, 36, -41), (65, 36, -40), (22, 17, -20), (24, 17, -19)]) == [0, 0, 1, 1]


DEEP_BLUE: Labs = [(12, 16, -34), (10, 13, -28), (11, 12, -28), (13, 13, -27)]
DEEP_PURPLE: Labs = [(8, 24, -30), (8, 20, -25), (8, 23, -28), (8, 26, -32)]


def test_dark_blue_glass_and_dark_purple_glass_are_two_colours() -> None:
    """Never silently wrong: whose dice they are everybody sees. As a camera saw them under a hard lamp."""
    group, likely = parted(shown(DEEP_BLUE + DEEP_PURPLE, 100.0))
    assert group.tolist() == [0] * 4 + [1] * 4
    assert likely.min() > SURE


@pytest.mark.parametrize("deep", [DEEP_BLUE, DEEP_PURPLE], ids=["blue", "purple"])
def test_dark_glass_of_one_colour_stays_one(deep: Labs) -> None:
    """Few doubts: in little light hues err by some degrees."""
    group, likely = parted(shown(deep * 2, 100.0))
    assert not group.any()
    assert likely.min() > SURE


@given(st.lists(st.tuples(st.floats(4, 12), st.floats(-2.5, 2.5), st.floats(-2.5, 2.5)), min_size=2, max_size=8))
def test_black_dice_have_no_hue_that_could_part_them(lab: Labs) -> None:
    """What little colour black shows is the felt's, or noise."""
    assert not any(split(lab))


def test_pips_tell_black_pearl_from_white() -> None:
    """Dice of pearl differ so much among themselves that black and white ones hang together, but for their pips."""
    pearl = [(28, -2, 4), (49, -1, 3), (81, 0, -1), (77, 0, -1), (78, -1, -3), (88, -1, 2)]
    group, likely = parted(shown(pearl, [93, 93, 16, 16, 16, 16]))
    assert group.tolist() == [0, 0, 1, 1, 1, 1]
    assert likely.min() > SURE


def test_dice_whose_tops_mirror_a_lamp_are_known_by_their_edges() -> None:
    """Seven of eleven purple dice of glass under a hard lamp, as a camera would have seen them."""
    tops: Labs = [(63, 5, -5), (64, 2, -3), (39, 6, -8), (52, 4, -6), (5, 16, -22), (9, 14, -20), (13, 15, -20)]
    edges: Labs = [
        (12, 14, -18),
        (10, 15, -20),
        (11, 14, -19),
        (12, 13, -18),
        (5, 16, -22),
        (9, 14, -20),
        (10, 15, -20),
    ]
    assert split(tops, 90.0, edges) == [0] * 7
    assert len(set(split(tops, 90.0))) == 2


def test_edges_alike_do_not_make_one_of_two_plain_colours() -> None:
    """Felt and shadow lie at the edges of all dice."""
    plain: Labs = [(94, 0, 2), (93, 0, 1), (50, 60, 40), (48, 58, 41)]
    assert split(plain, 20.0, [(12, 5, 3)] * 4, plain) == [0, 0, 1, 1]


def test_one_grey_die_and_one_white_are_two_colours() -> None:
    """Two dice alone do not show how far dice of one colour usually are apart."""
    assert split([(57, -1, 3), (93, 1, 0)], [88.0, 46.0], [(38, 0, 4), (78, 1, 2)]) == [0, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param([(61, -6, 4), (60, -6, 3), (64, -7, 5)], [(94, 0, 2), (94, -1, 3), (93, 0, 1)], id="grey, white"),
        pytest.param([(9, 6, -1), (11, 3, 2), (8, 3, 2)], [(23, 11, 17), (27, 9, 13), (25, 10, 18)], id="black, brown"),
        pytest.param([(95, 0, 3)], [(50, 60, 40), (48, 58, 41)], id="white, red"),
    ],
)
def test_two_colours_stay_two(one: list[tuple[float, float, float]], other: list[tuple[float, float, float]]) -> None:
    assert split(one + other) == [0] * len(one) + [1] * len(other)


def test_where_two_colours_and_one_are_as_likely_nobody_is_sure() -> None:
    """Never silently wrong: seven grey dice, three of them darker, may be of one set or of two."""
    doubtful = [parted(shown([(90, 0, 1)] * 4 + [(90 - step, 0, 1)] * 3))[1].min() for step in range(0, 60, 2)]
    assert doubtful[0] > SURE
    assert doubtful[-1] > SURE
    assert min(doubtful) < SURE


def test_certainty_is_the_share_of_the_ways_to_part_them_that_agree() -> None:
    """By hand, for two dice: one colour or two, e to the power of what speaks for one against 1."""
    two = shown([(60, 10, 5), (70, 20, 8)])
    weights = np.zeros(13)
    weights[-1] = 1.0
    group, likely = parted(two, weights)
    speaks = 1.0 / np.sqrt(2)
    assert group.tolist() == [0, 0]
    # If they are of two colours nobody knows which of the two has the name that both were given.
    assert likely == pytest.approx([np.exp(speaks) / (np.exp(speaks) + 1.0)] * 2)


THREE: Labs = [(50, 60, 40), (52, 61, 42), (48, 58, 39), (94, 0, 2), (92, 0, 3), (40, -30, 20), (38, -31, 22)]


def test_three_cups_are_three_colours() -> None:
    """RULES 2: six dice each, of one's own colour."""
    assert split(THREE) == [0, 0, 0, 1, 1, 2, 2]


def test_six_players_dice_are_six_colours() -> None:
    """RULES 2: six dice each; 36 are too many to try all ways to part them."""
    six: Labs = [(50, 60, 40), (94, 0, 2), (40, -30, 20), (30, 20, -50), (15, 0, 0), (88, 0, 80)]
    lab: Labs = [(light + step / 2, a, b) for light, a, b in six for step in range(6)]
    group, likely = parted(shown(lab))
    assert len(lab) > MOST_AT_ONCE
    assert group.reshape(6, 6).tolist() == [[k] * 6 for k in range(6)]
    assert likely.min() > SURE


def test_one_of_many_that_is_like_no_other_is_surely_so() -> None:
    lab: Labs = [(50, 60, 40)] * MOST_AT_ONCE + [(94, 0, 2)]
    group, likely = parted(shown(lab))
    assert group.tolist() == [0] * MOST_AT_ONCE + [1]
    assert likely.min() > SURE


def test_many_dice_of_blue_glass_are_one_colour_from_the_palest_to_the_darkest() -> None:
    """Twenty real ones lie in light and in each other's shadow: between any two far apart lie others."""
    glass: Labs = [(28 + 2.2 * k, 4 - 0.5 * k, -32 + 0.9 * k) for k in range(20)]
    apart = split([glass[0], glass[-1]])
    assert apart == [0, 1], "the two ends alone are two colours: it is the others that link them"
    assert split(glass) == [0] * 20


def test_many_dice_of_two_colours_are_two() -> None:
    red: Labs = [(40 + k, 60 - k, 40 - k / 2) for k in range(8)]
    green: Labs = [(45 + k, -40 + k, 20 - k / 2) for k in range(8)]
    group, likely = parted(shown(red + green))
    assert group.tolist() == [0] * 8 + [1] * 8
    assert likely.min() > SURE


def test_few_pieces() -> None:
    assert split([]) == []
    assert split([(50, 0, 0)]) == [0]
    assert split([(50, 0, 0), (54, 0, 0)]) == [0, 0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(5, 95), st.floats(-60, 60), st.floats(-60, 60)), min_size=1, max_size=9), st.data())
def test_the_order_of_the_pieces_changes_nothing(lab: list[tuple[float, float, float]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(lab))))
    before, after = split(lab), split([lab[k] for k in order])
    same = {(before[order[a]] == before[order[b]]) == (after[a] == after[b]) for a in range(len(lab)) for b in range(a)}
    assert same <= {True}
