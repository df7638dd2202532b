"""Issue 'The eye': tiles of one colour get one name, four sets four names, with a shadow on half the board, too."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import ROWS, cells, drawn, shadowed, tray_of
from vision.board.tile_colours import Namer
from vision.board.tile_light import (
    AN_EDGE,
    ENOUGH,
    TileLight,
    at_an_edge,
    differ_smoothly,
    felt_agrees,
    light_on_tiles,
)
from vision.colour.colours import Colours
from vision.colour.paint import Paint
from vision.drawing import Look, draw, scene_for_layout
from vision.geometry import Floats
from vision.ground.felt import look_at_felt
from vision.reader import read
from vision.reading import Status
from vision.tray.rectify import rectify

AT = np.array([[30.0 * column, 34.0 * row] for row in range(4) for column in range(10)])
ROW = np.repeat(np.arange(4), 10)
ALL = np.ones(40, dtype=bool)
INKS = np.array([[60.0, 40.0, 190.0], [150.0, 60.0, 30.0], [40.0, 120.0, 30.0], [90.0, 40.0, 110.0]])
WOOD = np.array([176.0, 208.0, 226.0])


def paint(body: Floats, ink: Floats, light: Floats, seed: int = 1) -> Paint:
    """Return tiles of these colours, (40, 3) each, in this light, (40, 1) or (40, 3), with a little scatter."""
    grain = np.random.default_rng(seed).normal(1.0, 0.01, (2, 40, 1))
    return Paint(body * light * grain[0], ink * light * grain[1], np.zeros(40))


def step(x: float, dark: float | tuple[float, ...]) -> Floats:
    """Return the light of AT: all of it left of x, so much of it beyond."""
    return np.where(AT[:, :1] < x, 1.0, np.asarray(dark))


@given(st.floats(45.0, 225.0), st.floats(0.2, 0.6), st.integers(0, 99))
def test_inks_on_bodies_of_one_material_have_the_colour_that_they_have_in_the_light(
    x: float, dark: float, seed: int
) -> None:
    of = np.random.default_rng(seed).permutation(ROW)
    lit, shadowed = (paint(np.tile(WOOD, (40, 1)), INKS[of], light) for light in (np.ones((40, 1)), step(x, dark)))
    light = light_on_tiles(shadowed, at=AT, shown=ALL, row=None)
    assert light is not None
    assert light.one_material
    np.testing.assert_array_equal(light.lit, AT[:, 0] < x)
    np.testing.assert_allclose(shadowed.in_more_light(light.gain).ink, lit.ink, rtol=0.08, atol=3.0)


def test_a_shadow_of_another_colour_is_given_back_colour_by_colour() -> None:
    """By a lamp's warm light lies a shadow in which the cold one of the window is left."""
    of = np.random.default_rng(3).permutation(ROW)
    seen = paint(np.tile(WOOD, (40, 1)), INKS[of], step(140.0, (0.5, 0.44, 0.38)))
    light = light_on_tiles(seen, at=AT, shown=ALL, row=None)
    assert light is not None
    np.testing.assert_allclose(seen.in_more_light(light.gain).ink, INKS[of], rtol=0.08, atol=3.0)


@given(st.floats(45.0, 225.0), st.floats(0.25, 0.6), st.integers(0, 99))
def test_rows_of_any_four_bodies_tell_their_light_by_what_changes_along_them(x: float, dark: float, seed: int) -> None:
    bodies = np.random.default_rng(seed).uniform(30, 230, (4, 3))[ROW]
    seen = paint(bodies, np.full((40, 3), 235.0), step(x, dark), seed)
    light = light_on_tiles(seen, at=AT, shown=ALL, row=ROW)
    assert light is not None
    gained = light.gain.mean(axis=1)
    # Where neighbours lie on both sides of the edge, some of them tell the wrong light.
    far = np.abs(AT[:, 0] - x) > 45.0
    np.testing.assert_allclose(gained[far & (AT[:, 0] < x)], 1.0, atol=0.1)
    np.testing.assert_allclose(gained[far & (AT[:, 0] > x)], 1.0 / dark, rtol=0.12)


def test_a_tile_of_another_row_does_not_tell_its_own_light() -> None:
    """Or nobody would notice that a black tile lies among white ones."""
    bodies = np.array([[220.0, 222.0, 224.0], [30.0, 30.0, 32.0], [60.0, 40.0, 190.0], [150.0, 60.0, 30.0]])[ROW]
    bodies[2] = bodies[10]
    light = light_on_tiles(paint(bodies, np.full((40, 3), 128.0), step(170.0, 0.4)), at=AT, shown=ALL, row=ROW)
    assert light is not None
    assert light.gain[2].max() < 1.3, "by itself it lacks six sevenths"


@given(st.integers(0, 99), st.floats(0.85, 1.0))
def test_in_even_light_nothing_is_given_back(seed: int, far_side: float) -> None:
    fading = np.interp(AT[:, :1], [0.0, 270.0], [1.0, far_side])
    rng = np.random.default_rng(seed)
    inks = paint(np.tile(WOOD, (40, 1)), INKS[rng.permutation(ROW)], fading, seed)
    assert light_on_tiles(inks, at=AT, shown=ALL, row=None) is None
    bodies = paint(rng.uniform(30, 230, (4, 3))[ROW], np.full((40, 3), 235.0), fading, seed)
    assert light_on_tiles(bodies, at=AT, shown=ALL, row=ROW) is None


@given(st.integers(0, 99), st.sampled_from([None, 0.35]))
def test_bodies_of_four_mixed_colours_are_no_light(seed: int, dark: float | None) -> None:
    four = np.array([[30.0, 30.0, 32.0], [60.0, 40.0, 190.0], [125.0, 128.0, 128.0], [220.0, 222.0, 224.0]])
    bodies = four[np.random.default_rng(seed).permutation(ROW)]
    light = np.ones((40, 1)) if dark is None else step(140.0, dark)
    assert light_on_tiles(paint(bodies, np.full((40, 3), 235.0), light), at=AT, shown=ALL, row=None) is None


def test_rows_of_black_grey_and_white_are_no_shadow_though_neighbours_are_alike() -> None:
    bodies = np.array([[30.0, 30.0, 32.0], [80.0, 82.0, 82.0], [150.0, 152.0, 152.0], [220.0, 222.0, 224.0]])[ROW]
    seen = paint(bodies, 255.0 - bodies, np.ones((40, 1)))
    assert light_on_tiles(seen, at=AT, shown=ALL, row=ROW) is None
    assert light_on_tiles(seen, at=AT, shown=ALL, row=None) is None, "their inks are not darker where they are"


@given(st.integers(0, 99), st.floats(60.0, 140.0))
def test_a_lamp_that_black_tiles_mirror_makes_no_four_colours_of_them(seed: int, wide: float) -> None:
    """Issue 'The eye', never silently wrong: black ones became brown, grey and white, and what was printed on them in
    four colours was forgotten."""
    lamp = 170.0 * np.exp(-((np.linalg.norm(AT - (230.0, 20.0), axis=1) / wide) ** 2))[:, None]
    inks = np.array([[217.0, 155.0, 110.0], [88.0, 90.0, 212.0], [92.0, 160.0, 230.0], [240.0, 249.0, 254.0]])
    of = np.random.default_rng(seed).permutation(ROW)
    seen = paint(np.minimum((50.0, 48.0, 53.0) + lamp, 255.0), inks[of], np.ones((40, 1)), seed)
    assert differ_smoothly(seen, at=AT, shown=ALL)
    assert not differ_smoothly(seen, at=AT, shown=np.arange(40) < ENOUGH - 1), "too few to say"


@pytest.mark.parametrize(
    ("by_ink", "known", "told"), [(False, None, False), (True, None, True), (False, "taught", True)]
)
def test_where_a_lamp_makes_the_bodies_differ_nobody_tells_colours_by_them(
    by_ink: bool, known: str | None, told: bool
) -> None:
    """A colour that is not told is no reason to ask where no rule wants to know it, and one where some rule does."""
    lamp = 170.0 * np.exp(-((np.linalg.norm(AT - (230.0, 20.0), axis=1) / 100.0) ** 2))[:, None]
    seen = paint(np.minimum((50.0, 48.0, 53.0) + lamp, 255.0), INKS[ROW], np.ones((40, 1)))
    names = ("black", "brown", "grey", "white")
    found = Colours(ROW, names, np.full(40, 19.0), by_ink, np.zeros(40, dtype=bool))
    tiles = SimpleNamespace(log_probs=np.zeros((40, 12)), centre_mm=AT)
    table = SimpleNamespace(known=known, _in_light_of_groups=lambda *seen: found)
    mixed = Namer._mixed(table, seen, tiles, ~ALL, None, lambda paint, **rest: found)  # type: ignore[arg-type]
    assert [mixed.name(k) for k in (0, 39)] == (["black", "white"] if told else [None, None])
    assert mixed.margin.max() == (19.0 if told else 0.0)


@given(st.integers(0, 99))
def test_bodies_of_four_mixed_colours_do_not_differ_smoothly(seed: int) -> None:
    four = np.array([[30.0, 30.0, 32.0], [60.0, 40.0, 190.0], [125.0, 128.0, 128.0], [220.0, 222.0, 224.0]])
    bodies = four[np.random.default_rng(seed).permutation(ROW)]
    assert not differ_smoothly(paint(bodies, np.full((40, 3), 235.0), np.ones((40, 1))), at=AT, shown=ALL)


def test_bodies_that_are_known_to_have_the_colours_are_not_made_alike() -> None:
    seen = paint(np.tile(WOOD, (40, 1)), INKS[ROW], step(140.0, 0.4))
    assert light_on_tiles(seen, at=AT, shown=ALL, row=None, by_ink=False) is None


def test_a_back_of_another_material_has_the_light_of_the_faces_beside_it() -> None:
    bodies, shown = np.tile(WOOD, (40, 1)), ALL.copy()
    bodies[[3, 8]], shown[[3, 8]] = (40.0, 30.0, 20.0), False
    light = light_on_tiles(paint(bodies, INKS[ROW], step(170.0, 0.4)), at=AT, shown=shown, row=ROW)
    assert light is not None
    np.testing.assert_allclose(light.gain[3], 1.0, atol=0.1)
    np.testing.assert_allclose(light.gain[8], 2.5, rtol=0.1)


def test_few_tiles_tell_nothing() -> None:
    shown = np.arange(40) < ENOUGH
    seen = paint(np.tile(WOOD, (40, 1)), INKS[ROW], step(140.0, 0.4))
    assert light_on_tiles(seen, at=AT, shown=shown, row=None) is not None
    shown[0] = False
    assert light_on_tiles(seen, at=AT, shown=shown, row=None) is None


def mixed_board(seed: int) -> list[list[str | None]]:
    """Return five rows of eight: four colours, each number once in each, shuffled."""
    tiles = [f"{colour}:{n}" for colour in ("green", "blue", "purple", "orange") for n in range(10)]
    order = np.random.default_rng(seed).permutation(40)
    return [[tiles[k] for k in order[8 * r : 8 * r + 8]] for r in range(5)]


def mixed_tray(*, body: tuple[float, float, float] | None) -> np.ndarray:
    """Return the picture of `mixed_board(3)`: coloured inks on that body, or bodies in the tiles' colours."""
    plain = Look.plain()
    look = replace(plain, tile=replace(plain.tile, body=body))
    scene = scene_for_layout(mixed_board(3), layout="rect", seed=2)
    return draw(scene, look, size_wh_px=(1280, 960), rng=np.random.default_rng(1)).picture_bgr


INK, BODY = (176.0, 208.0, 226.0), None


@pytest.mark.parametrize(("dark", "body"), [(0.55, INK), (0.4, INK), (0.25, INK), (0.55, BODY), (0.4, BODY)])
def test_a_mixed_board_keeps_its_colours_in_a_shadow(dark: float, body: tuple[float, float, float] | None) -> None:
    """At 0.4 and less inks were untold or white, and a purple body was one with blue ones."""
    reading = read(shadowed(mixed_tray(body=body), 600, dark), expect="rect")
    assert reading.status is Status.READ
    laid = [tuple(str(tile).split(":")) for row in mixed_board(3) for tile in row]
    assert [(tile.colour, tile.symbol) for tile in reading.tiles] == laid


def test_of_a_tile_at_the_edge_of_a_shadow_no_colour_is_told() -> None:
    """What light its ink has nobody knows: with another colour's name it would be silently wrong."""
    picture = mixed_tray(body=INK)
    lit = read(picture, expect="rect")
    x = round(lit.tiles[3].centre[0])
    edge = shadowed(picture, x, 0.4)
    reading = read(edge, expect="rect")
    cut = at_an_edge(edge, np.array([tile.corners for tile in lit.tiles]))
    assert cut[3]
    assert cut.sum() < 10
    for before, after, through in zip(lit.tiles, reading.tiles, cut, strict=True):
        assert after.colour == (None if through else before.colour)


def test_exchanged_tiles_are_asked_about_across_a_shadow_too_where_bodies_are_alike() -> None:
    columns = {colour: symbols.index("7") for colour, symbols in ROWS}
    there = cells()
    there[0][columns["green"]], there[2][columns["purple"]] = "purple:7", "green:7"
    as_laid, exchanged = (shadowed(drawn(rows).picture_bgr, 600, 0.4) for rows in (None, there))
    assert read(as_laid, expect="rows").status is Status.READ
    asked = [(t.row, t.symbol) for t in read(exchanged, expect="rows").tiles if not t.sure]
    assert asked == [(0, "7"), (2, "7")]


@pytest.mark.parametrize("down", [3, 6, 8])
def test_backs_in_a_shadow_have_no_colour_where_colours_are_in_the_ink(down: int) -> None:
    """Backs of one row were taken for its colour: open tiles of it were asked about, or had that of the backs."""
    rows = [(colour, "d" * down + symbols[down:] if colour == "blue" else symbols) for colour, symbols in ROWS]
    plain = Look.plain()
    look = replace(plain, tile=replace(plain.tile, back=(60.0, 70.0, 40.0)))
    scene = scene_for_layout(cells(tuple(rows)), layout="rows", seed=1)
    picture = draw(scene, look, size_wh_px=(1280, 960), rng=np.random.default_rng(1)).picture_bgr
    reading = read(shadowed(picture, 600, 0.4), expect="wild")
    assert reading.status is Status.READ
    assert [t.colour for t in reading.tiles if t.row == 1] == [None] * down + ["blue"] * (10 - down)


def test_light_is_believed_where_the_felt_beside_the_tiles_agrees() -> None:
    """Four greys that lie sorted were one colour in four lights, and half a board behind a veil one in less light."""
    drawn_tray = drawn()
    tray, picture = tray_of(drawn_tray), drawn_tray.picture_bgr
    quads_mm = tray.to_mm(np.array([tile["quad"] for tile in drawn_tray.truth["tiles"]]))
    papers = list(tray.to_mm(np.array([corners for _, corners in tray.markers])))
    lit = tray.to_px(quads_mm.mean(axis=1))[:, 0] < 620
    light = TileLight(np.where(lit[:, None], 1.0, np.full(3, 2.5)), lit, True)
    for dark, agrees in ((0.4, True), (1.0, False)):
        flat = rectify(shadowed(picture, 620, dark), tray, px_per_mm=2.0)
        ground = look_at_felt(flat, [*quads_mm, *papers], px_per_mm=2.0)
        assert felt_agrees(light, ground, quads_mm) is agrees


def test_an_edge_is_more_than_the_grain_of_wood() -> None:
    picture = drawn().picture_bgr
    quads = np.array([tile.corners for tile in read(picture, expect="rows").tiles])
    assert not at_an_edge(picture, quads).any()
    assert -np.log(0.7) > AN_EDGE
