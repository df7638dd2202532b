"""Never silently wrong: a worn six with its line below it is no five, whatever it looks like to the net."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import ROWS, cells, drawn, knowing, with_tiles
from vision.board.lines_below import NOT_ABSURD, lined_others
from vision.colour.paint import Paint
from vision.drawing import Drawn
from vision.infer import DOWN
from vision.reader import read
from vision.reading import SYMBOLS, Status

ONE_DOWN = tuple((colour, row.replace("5", "d") if colour == "blue" else row) for colour, row in ROWS)
"""Where the five lies face down a six may be one: the rule of the set says nothing."""
SIX = [(colour, symbol) for colour, row in ROWS for symbol in row].index(("blue", "6"))
WORN = {"5": 0.0, "6": -8.5}
"""What a net says of a worn six: log-likelihoods."""


def board(*, underline: bool) -> Drawn:
    return drawn(cells(ONE_DOWN), layout="wild", look=with_tiles(sag_mm=0.0, underline=underline))


@pytest.mark.parametrize(("underline", "status"), [(True, Status.UNSURE), (False, Status.READ)])
def test_a_six_that_looks_like_a_five_is_asked_about_where_sixes_have_lines(underline: bool, status: Status) -> None:
    """RULES 1: 6 and 9 may have a line below them, by which people tell which way up they lie."""
    picture = board(underline=underline)
    reading = read(picture.picture_bgr, expect="wild", eyes=knowing(picture.truth, change={SIX: WORN}))
    assert reading.tiles[SIX].symbol == "5"
    assert reading.status is status
    assert [n for n, tile in enumerate(reading.tiles) if tile.doubted] == ([SIX] if underline else [])


@pytest.mark.parametrize("seed", range(3))
def test_no_number_of_a_plain_board_is_asked_about(seed: int) -> None:
    look = with_tiles(sag_mm=0.0, underline=True)
    assert read(drawn(look=look, seed=seed).picture_bgr, expect="rows").status is Status.READ


def seen(symbols: str, lined: str, *, frame: bool = False, other: float = -6.0) -> list[bool]:
    """Return what is told of tiles side by side, 40 x 50 pixels, with a bar below some of them.

    symbols: one of SYMBOLS each, "d" face down. lined: "-" for each that has a line, "=" a long one as a frame has,
    "~" a stroke nearer to its number. other: how likely each is a six or nine to the net, as a logarithm.
    """
    n = len(symbols)
    picture = np.full((90, 60 * n, 3), (40, 90, 50), np.uint8)
    quads = np.array(
        [[[60 * k + 10, 20], [60 * k + 50, 20], [60 * k + 50, 70], [60 * k + 10, 70]] for k in range(n)], float
    )
    for k, line in enumerate(lined):
        x = 60 * k
        picture[20:70, x + 10 : x + 50] = 230
        picture[30:50, x + 26 : x + 34] = 20
        left, right, row = {"-": (22, 38, 58), "=": (10, 50, 58), "~": (22, 38, 51)}.get(line, (0, 0, 0))
        picture[row : row + 3, x + left : x + right] = 20
    shown = np.array([DOWN if s == "d" else SYMBOLS.index(s) for s in symbols])
    paint = Paint(np.full((n, 3), 230.0), np.full((n, 3), 20.0), np.zeros(n))
    log_probs = np.full((n, len(SYMBOLS)), -30.0)
    log_probs[:, [6, 9]] = other
    return lined_others(picture, quads, paint, shown, log_probs).tolist()


def test_others_with_the_line_of_sixes_and_nines_are_told() -> None:
    assert seen("6953", "--- ") == [False, False, True, False]
    assert seen("69d3", "--- ") == [False] * 4, "a back shows no number"


@pytest.mark.parametrize(
    ("symbols", "lined", "other"),
    [("653", "---", -6.0), ("6953", "-   ", -6.0), ("6953", "--= ", -6.0), ("6953", "--~ ", -6.0),
     ("6953", "--- ", NOT_ABSURD - 1.0), ("", "", -6.0)],
    ids=["one six", "hardly any have lines", "a frame's", "nearer to the number", "nothing like a six", "no tiles"],
)  # fmt: skip
def test_no_other_is(symbols: str, lined: str, other: float) -> None:
    """Few questions: a printed frame and a two's foot are no lines below a number."""
    assert not any(seen(symbols, lined, other=other))
