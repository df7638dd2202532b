"""RULES 1: all tiles' arcs are laid in the same direction: that is what tells a 6 from a 9."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import cells, drawn, upside_down, with_tiles
from vision.board.certainty import TURNED, UPRIGHT
from vision.board.spots import Spots
from vision.board.upright import COMPARED, PLAINLY, RATHER, as_arcs_show, likelier_turned, meet_corners
from vision.crops.arcs import SAGS
from vision.crops.symbols import TURNABLE, Symbols
from vision.drawing import Drawn, scene_for_layout
from vision.eyes import Eyes, shipped_eyes
from vision.frames.votes import fuse, vote_of
from vision.geometry import Floats, Ints
from vision.reader import read
from vision.reading import SYMBOLS, Reading, Status
from vision.tray.rectify import Image

COLOURS = ("green", "blue", "purple", "orange")


def bridge(*rows: str, turned: tuple[tuple[int, int], ...] = (), sag_mm: float = 2.6, underline: bool = False) -> Drawn:
    """Return Draw Bridge with some tiles (row, column) upside down, in a set with arcs that rise so far."""
    texts = [row.ljust(10, ".") for row in rows] + [".........."] * (4 - len(rows))
    scene = scene_for_layout(cells(tuple(zip(COLOURS, texts, strict=True))), layout="drawbridge", seed=3)
    laid = upside_down(scene, lambda tile: (tile.row, tile.column) in turned)
    return drawn(scene=laid, seed=3, look=with_tiles(sag_mm=sag_mm, underline=underline))


def shown(reading: Reading) -> dict[tuple[int, int], tuple[str, bool]]:
    return {(tile.row, tile.column): (tile.symbol, tile.sure) for tile in reading.tiles}


@pytest.mark.parametrize("sag_mm", [1.8, 2.6, 3.4])
@pytest.mark.parametrize("symbol", ["6", "9"])
def test_a_lone_six_or_nine_upside_down_is_what_its_arcs_show(symbol: str, sag_mm: float) -> None:
    rows, at = (f"2{symbol}7", "403", "15"), (0, 1)
    upright = shown(read(bridge(*rows, sag_mm=sag_mm).picture_bgr, expect="drawbridge"))
    turned = shown(read(bridge(*rows, turned=(at,), sag_mm=sag_mm).picture_bgr, expect="drawbridge"))
    assert upright[at] == (symbol, True)
    assert turned[at] == (symbol, True) or (sag_mm < 2.0 and not turned[at][1]), "arcs of 2 mm and more tell"
    assert {place: one for place, one in turned.items() if place != at} == {
        place: one for place, one in upright.items() if place != at
    }


@pytest.mark.parametrize("sag_mm", [1.8, 2.6])
def test_both_of_a_colour_upside_down_are_not_exchanged(sag_mm: float) -> None:
    """By the rule of the set alone a 6 and a 9 that are both turned are as lawful as they are upright."""
    picture = bridge("2697", "403", "15", turned=((0, 1), (0, 2)), sag_mm=sag_mm).picture_bgr
    tiles = shown(read(picture, expect="drawbridge"))
    assert (tiles[0, 1][0], tiles[0, 2][0]) == ("6", "9")
    assert sag_mm < 2.0 or tiles[0, 1][1]


@pytest.mark.parametrize("turned", [(0, 1), (0, 2)])
def test_one_of_a_colours_two_upside_down_lies_there_alone(turned: tuple[int, int]) -> None:
    """The net has read it by the line below it: what is turned is that one, and no other."""
    reading = read(bridge("2697", "403", "15", turned=(turned,), underline=True).picture_bgr, expect="drawbridge")
    tiles = shown(reading)
    assert (tiles[0, 1], tiles[0, 2]) == (("6", True), ("9", True))
    on_heads = [(t.row, t.column) for t in reading.tiles if t.corners[0][1] > t.corners[3][1]]
    assert on_heads == [turned]


@pytest.mark.parametrize("symbol", ["6", "9"])
def test_of_six_noisy_frames_those_that_hardly_see_an_arc_are_not_outvoted_by_a_few(symbol: str) -> None:
    """Never silently wrong: of a 9 with arcs as flat as this some frames are sure, and others doubt how it lies."""
    picture = bridge(f"2{symbol}7", "403", "15", turned=((0, 1),), sag_mm=1.8).picture_bgr.astype(np.float64)
    rng = np.random.default_rng(8)
    frames = [np.clip(picture + rng.normal(0, 6.0, picture.shape), 0, 255).astype(np.uint8) for _ in range(6)]
    readings = [read(frame, expect="drawbridge") for frame in frames]
    fused = shown(fuse(readings[-1], [vote_of(reading) for reading in readings]))
    assert fused[0, 1][0] == symbol or not fused[0, 1][1]
    assert all(shown(reading)[0, 1][0] == symbol or not shown(reading)[0, 1][1] for reading in readings)


def test_of_square_tiles_nobody_knows_and_nobody_is_asked() -> None:
    reading = read(bridge("267", "493", "15", sag_mm=0.0).picture_bgr, expect="drawbridge")
    assert reading.status is Status.READ


def saying(by_net: float) -> Eyes:
    """Return the shipped eyes, but that the net says of each six and nine by how much it lies upside down."""
    eyes = shipped_eyes()

    def look(picture: Image, quads: Floats) -> Symbols:
        said = eyes.look(picture, quads)
        here = np.isin(said.log_probs.argmax(axis=1), TURNABLE)
        return replace(said, p_upside_down=np.where(here, by_net, said.p_upside_down).astype(np.float32))

    return replace(eyes, look=look)


def test_where_the_net_doubts_plain_arcs_tell() -> None:
    picture = bridge("267", "403", "15").picture_bgr
    reading = read(picture, expect="drawbridge", eyes=saying(0.5))
    assert reading.status is Status.READ
    assert shown(reading)[0, 1] == ("6", True)


def test_where_the_net_doubts_and_there_are_no_arcs_it_is_asked() -> None:
    reading = read(bridge("267", "403", "15", sag_mm=0.0).picture_bgr, expect="drawbridge", eyes=saying(0.5))
    assert not shown(reading)[0, 1][1]


def test_what_the_net_calls_upside_down_and_arcs_upright_is_asked() -> None:
    reading = read(bridge("267", "403", "15").picture_bgr, expect="drawbridge", eyes=saying(0.99))
    assert not shown(reading)[0, 1][1]


PLAIN = st.floats(1.0, 3.0)
"""How much plainer an edge is seen the way it is curved."""


def edges(plain: list[float], *, sag: int = 5, turned: tuple[int, ...] = ()) -> Floats:
    """Return the edges of tiles that are seen so plainly, curved by `sag`, some of them upside down."""
    out = np.zeros((len(plain), 2, len(SAGS)))
    for k, seen in enumerate(plain):
        out[k, :, int(np.flatnonzero((-sag if k in turned else sag) == SAGS)[0])] = seen
    return out


@given(st.lists(PLAIN, min_size=2, max_size=COMPARED), st.data())
def test_who_lies_the_other_way_than_the_rest_is_told_from_it(plain: list[float], data: st.DataObject) -> None:
    one = data.draw(st.integers(0, len(plain) - 1))
    upright, turned = likelier_turned(edges(plain)), likelier_turned(edges(plain, turned=(one,)))
    assert upright is not None
    assert turned is not None
    assert (upright < RATHER).all()
    assert turned[one] > PLAINLY
    assert (np.delete(turned, one) < RATHER).all()


@given(st.lists(PLAIN, min_size=3, max_size=COMPARED))
def test_a_neighbours_edge_hides_nobody_who_lies_upside_down(plain: list[float]) -> None:
    """Rows touch: the lower edge that is seen of a tile may be the upper one of the tile below it."""
    seen = edges(plain, turned=(0,))
    seen[0, 1] = edges(plain)[0, 1]
    told = likelier_turned(seen)
    assert told is not None
    assert told[0] > RATHER


@given(st.integers(1, COMPARED), st.floats(0.0, 3.0))
def test_straight_edges_tell_nothing(tiles: int, plain: float) -> None:
    seen = np.zeros((tiles, 2, len(SAGS)))
    seen[:, :, len(SAGS) // 2] = plain
    assert likelier_turned(seen) is None


@given(st.lists(PLAIN, min_size=3, max_size=COMPARED), st.booleans())
def test_an_edge_at_which_two_of_the_next_row_meet_does_not_speak_for_upside_down(
    plain: list[float], both: bool
) -> None:
    """Never silently wrong: of a dark row on dark felt, half a tile aside, only its neighbours' cusps were seen."""
    met = np.zeros((len(plain), 2), dtype=bool)
    met[0] = True, both
    seen, upright = likelier_turned(edges(plain, turned=(0,)), met=met), likelier_turned(edges(plain), met=met)
    assert seen is not None
    assert upright is not None
    assert (seen[0] <= 0) == both
    assert (upright < RATHER).all(), "that it is upright its edges tell as before"


@pytest.mark.parametrize("turn_deg", [0.0, 33.0, 180.0])
@pytest.mark.parametrize(("aside", "meets"), [(0.0, False), (0.05, False), (0.2, True), (0.5, True), (0.8, True)])
def test_corners_meet_an_edge_where_rows_are_staggered(turn_deg: float, aside: float, meets: bool) -> None:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    at = np.array([[x + aside * y, 1.3 * y] for y in range(2) for x in range(4)])
    tiles = (at[:, None] + np.array([[0.0, 0], [1, 0], [1, 1.2], [0, 1.2]])) * 40.0 @ np.array([[c, s], [-s, c]])
    expected = np.zeros((8, 2), dtype=bool)
    expected[:4, 1], expected[4:, 0] = meets, meets
    # Beyond its end the other row has no corners.
    expected[0, 1] = meets and aside < 0.88
    assert meet_corners(tiles)[1:7].tolist() == expected[1:7].tolist()
    apart = tiles + np.where(np.arange(8) < 4, 0.0, 20.0)[:, None, None] * np.array([-s, c])
    assert not meet_corners(apart).any()


PICTURE = np.zeros((200, 300, 3), np.uint8)


def three_rows(aside: float) -> Floats:
    """Return the quads of three rows of five tiles, every other one so far aside, over a tile's width."""
    at = np.array([[x + aside * (y % 2), 1.25 * y] for y in range(3) for x in range(5)])
    return (at[:, None] + np.array([[0.0, 0], [1, 0], [1, 1.2], [0, 1.2]])) * 40.0


@pytest.mark.parametrize(("aside", "turned"), [(0.0, True), (0.5, False)])
def test_who_sees_but_the_cusps_of_other_rows_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, aside: float, turned: bool
) -> None:
    """Never silently wrong: of a dark row between two staggered ones a 6 and a 9 were exchanged without a word."""
    quads, texts = three_rows(aside), "12345" + "46591" + "78012"
    dark = (np.arange(15) // 5 == 1) & np.array([text in "69" for text in texts])

    def which(cut: Floats) -> Ints:
        away = np.linalg.norm(cut.mean(axis=1)[:, None] - quads.mean(axis=1), axis=2)
        return np.asarray(away.argmin(axis=1))

    def look(_frame: Image, cut: Floats) -> Symbols:
        k, on_head = which(cut), cut[:, 0, 1] > cut[:, 3, 1]
        log_probs = np.full((len(k), len(SYMBOLS)), -16.0)
        for n, text in enumerate(texts[one] for one in k):
            other = {"6": "9", "9": "6"}.get(text, text) if on_head[n] else text
            log_probs[n, SYMBOLS.index(other)] = 0.0
        cusps = np.where(dark[k] & ~on_head, 0.99, 1e-4)
        return Symbols(log_probs.astype(np.float32), cusps.astype(np.float32), np.zeros(len(k), np.float32))

    def seen(_frame: Image, cut: Floats) -> Floats:
        k = which(cut)
        plain = edges([2.0] * len(k))
        return np.where(dark[k, None, None], plain[..., ::-1], plain)

    monkeypatch.setattr("vision.board.upright.edges_seen", seen)
    said, zeros = look(PICTURE, quads), np.zeros(15)
    tiles = Spots(quads.mean(axis=1), zeros, zeros, zeros + 0.9, quads, said.log_probs, zeros, zeros, zeros + 1.0)
    symbols, groups = tiles.log_probs.argmax(axis=1), [[*range(5 * y, 5 * y + 5)] for y in range(3)]
    heard = as_arcs_show(PICTURE, tiles, symbols, groups, look=look, sides=look)
    exchanged = [SYMBOLS.index("9"), SYMBOLS.index("6")]
    assert (heard.log_probs[dark].argmax(axis=1) == (exchanged if turned else symbols[dark])).all()
    assert (heard.upside_down[dark] > TURNED).all() == turned
    if not turned:
        assert ((heard.upside_down[dark] > UPRIGHT) & (heard.upside_down[dark] < TURNED)).all(), "it is asked about"
