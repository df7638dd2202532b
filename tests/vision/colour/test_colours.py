"""Issue 'The eye': tiles of one colour get one name, four sets four names. Colours are plain English names."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, shown
from vision.board.arrange import arrange
from vision.colour.colour_names import NAMES_RGB, Known
from vision.colour.colours import Colours, backs_show_colour, marks, name_colours, name_loose
from vision.colour.loose_paint import LoosePaint
from vision.colour.paint import Paint, as_a_lamp, as_seen, linear, measure, patches
from vision.layout import LAYOUTS, Expectation
from vision.reader import read
from vision.reading import Status

WHITE = (240.0, 240.0, 238.0)


def paint(names: list[str], *, light: tuple[float, float, float] = (1, 1, 1), by_ink: bool = False) -> Paint:
    """Return tiles of the named colours under a lamp (gains of blue green red), with some scatter."""
    rng = np.random.default_rng(3)
    colours = np.array([NAMES_RGB[n][1 if by_ink and len(NAMES_RGB[n]) > 1 else 0][::-1] for n in names], float)
    plain = np.tile(np.array(WHITE), (len(names), 1))
    gain = np.array(light) * (1 + rng.normal(0, 0.02, (len(names), 1)))
    body, ink = (plain, colours) if by_ink else (colours, plain)
    return Paint(np.clip(body * gain, 0, 255), np.clip(ink * gain, 0, 255), np.zeros(len(names)))


def named_loose(dice: Paint, *, white_bgr: np.ndarray | None = None) -> Colours:
    """Return the names of dice that show one colour all over."""
    return name_loose(LoosePaint(dice, dice.body, tuple(dice.body[:, None])), white_bgr=white_bgr)[0]


SETS = [
    ("red", "blue", "yellow", "black"),
    ("green", "purple", "orange", "blue"),
    ("pink", "lime", "sky", "brown"),
    ("red", "teal", "yellow", "grey"),
]
LAMPS = {"daylight": (1.0, 1.0, 1.0), "warm": (0.72, 0.92, 1.0), "dim": (0.5, 0.52, 0.55), "cool": (1.0, 0.95, 0.85)}


@pytest.mark.parametrize("four", SETS, ids="-".join)
@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("by_ink", [False, True], ids=["bodies", "inks"])
def test_four_rows_get_their_four_names_under_any_lamp(four: tuple[str, ...], lamp: str, by_ink: bool) -> None:
    names = [n for n in four for _ in range(10)]
    tiles = paint(names, light=LAMPS[lamp], by_ink=by_ink)
    rows = [list(range(10 * r, 10 * r + 10)) for r in range(4)]
    white = np.array(WHITE) * LAMPS[lamp]
    found = name_colours(tiles, open_tiles=np.ones(40, bool), groups=rows, white_bgr=white)
    assert found.by_ink is by_ink
    assert [found.name(k) for k in range(40)] == names


def test_bright_ink_on_dark_bodies_carries_the_colour() -> None:
    bright = ["teal", "pink", "yellow", "white"] * 10
    inks = paint(bright)
    dark = np.tile(np.array([72.0, 70.0, 66.0]), (40, 1)) * np.random.default_rng(2).normal(1, 0.02, (40, 1))
    tiles = Paint(dark, inks.body, inks.washed)
    found = name_colours(tiles, open_tiles=np.ones(40, bool), groups=None, white_bgr=np.array(WHITE), sizes=[10] * 4)
    assert found.by_ink
    assert [found.name(k) for k in range(40)] == bright
    assert found.margin.min() > 3.0


@pytest.mark.parametrize("four", SETS, ids="-".join)
@pytest.mark.parametrize("spill", [0.0, 0.35])
def test_the_light_ink_of_dark_coloured_bodies_is_no_colour_of_its_own(four: tuple[str, ...], spill: float) -> None:
    bodies = paint([n for n in four for _ in range(10)])
    deep = 0.45 * bodies.body
    tiles = Paint(deep, (1 - spill) * bodies.ink + spill * deep, bodies.washed)
    rows = [list(range(10 * r, 10 * r + 10)) for r in range(4)]
    assert not name_colours(tiles, open_tiles=np.ones(40, bool), groups=rows, white_bgr=np.array(WHITE)).by_ink


@pytest.mark.parametrize("four", SETS, ids="-".join)
def test_mixed_tiles_fall_into_four_groups_of_ten(four: tuple[str, ...]) -> None:
    names = [n for n in four for _ in range(10)]
    order = np.random.default_rng(1).permutation(40)
    mixed = [names[k] for k in order]
    found = name_colours(
        paint(mixed), open_tiles=np.ones(40, bool), groups=None, white_bgr=np.array(WHITE), sizes=[10] * 4
    )
    assert [found.name(k) for k in range(40)] == mixed
    assert found.margin.min() > 3.0


def test_rules_move_the_tile_that_is_nearest_to_where_one_is_missing() -> None:
    names = ["red"] * 10 + ["blue"] * 10
    tiles = paint(names)
    tiles.body[9] = 0.45 * tiles.body[0] + 0.55 * tiles.body[15]  # a red tile that looks a little more blue
    free = name_colours(tiles, open_tiles=np.ones(20, bool), groups=None, count=2, white_bgr=np.array(WHITE))
    bound = name_colours(
        tiles, open_tiles=np.ones(20, bool), groups=None, count=2, white_bgr=np.array(WHITE), sizes=[10, 10]
    )
    assert free.name(9) == "blue"
    assert [bound.name(k) for k in range(20)] == names
    assert bound.margin[9] < 0


def test_a_face_down_tile_has_no_colour() -> None:
    tiles = paint(["red"] * 4)
    found = name_colours(tiles, open_tiles=np.array([True, True, True, False]), groups=[[0, 1, 2, 3]])
    assert found.name(0) == "red"
    assert found.name(3) is None


def test_backs_in_the_colour_of_their_row_show_it() -> None:
    down = np.array([False, True, True] * 2)
    rows = [[0, 1, 2], [3, 4, 5]]
    assert backs_show_colour(paint(["red", "red", "red", "blue", "blue", "blue"]), rows, down)
    assert not backs_show_colour(paint(["red", "grey", "grey", "blue", "grey", "grey"]), rows, down)


@pytest.mark.parametrize("names", [["white"] * 5, ["white"] * 3 + ["purple"] * 4, ["red"], ["black", "white"]])
def test_dice_of_one_or_two_colours(names: list[str]) -> None:
    dice = paint(names)
    found = named_loose(dice, white_bgr=np.array(WHITE))
    assert [found.name(k) for k in range(len(names))] == names


@pytest.mark.parametrize(
    ("pale", "others", "sure"),
    [
        (250, (150, 152, 149), False),
        (222, (130, 132, 129), True),
        (250, (24, 25, 23), True),
        (250, (30, 30, 190), True),
    ],
    ids=["blown out beside grey", "white beside grey", "blown out beside black", "blown out beside red"],
)
def test_what_light_may_have_made_white_is_in_doubt_where_grey_dice_lie(pale, others, sure) -> None:
    """Never silently wrong: of six grey dice of pearl four were as white as the white ones under a bright lamp."""
    bodies = np.array([(pale, pale, pale)] * 3 + [others] * 3, float)
    dice = Paint(bodies, np.full((6, 3), 60.0), np.zeros(6))
    named, said = name_loose(LoosePaint(dice, bodies, tuple(bodies[:, None])), white_bgr=np.array(WHITE))
    assert named.group.tolist() == [0] * 3 + [1] * 3
    assert said.tolist() == [sure] * 3 + [True] * 3


def of_an_owner(bodies: list[tuple[int, int, int]], palette: dict[str, tuple[int, int, int]]) -> list[tuple[str, bool]]:
    """Return what dice of such bodies (red green blue) are called by an owner's colours, and which are sure."""
    dice = Paint(
        np.array([body[::-1] for body in bodies], float), np.full((len(bodies), 3), 30.0), np.zeros(len(bodies))
    )
    known = Known({name: (rgb,) for name, rgb in palette.items()}, False)
    named, sure = name_loose(
        LoosePaint(dice, dice.body, tuple(dice.body[:, None])), white_bgr=np.array(WHITE), known=known
    )
    return [(str(named.name(k)), bool(sure[k])) for k in range(len(bodies))]


def test_light_makes_no_third_colour_of_an_owner_who_has_two() -> None:
    """Issue 3, teach: this owner's colours are known. What is not plainly one of them is in doubt."""
    plain, pale, dark = (196, 30, 36), (230, 150, 150), (120, 20, 60)
    two = {"red": plain, "white": (235, 235, 230)}
    assert of_an_owner([plain, plain, pale], {"red": plain}) == [("red", True)] * 3
    said = of_an_owner([plain, plain, (236, 236, 231), (236, 236, 231), dark], two)
    assert said[:4] == [("red", True)] * 2 + [("white", True)] * 2
    assert said[4] == ("red", False)


def test_measure_tells_body_from_ink() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[20:70, 20:66] = (30, 40, 200)
    picture[34:58, 38:48] = (235, 240, 240)
    square = np.array([[[20.0, 20.0], [66, 20], [66, 70], [20, 70]]])
    found = measure(picture, square)
    assert np.abs(found.body[0] - (30, 40, 200)).max() < 4
    assert np.abs(found.ink[0] - (235, 240, 240)).max() < 12
    assert found.contrast()[0] > 40
    assert measure(picture, np.zeros((0, 4, 2))).body.shape == (0, 3)


def test_patches_are_upright() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[10:20, 10:50] = 255  # the top of the tile
    upright = np.array([[10.0, 10], [50, 10], [50, 50], [10, 50]])
    turned = np.roll(upright, -1, axis=0)  # its own top left corner lies top right
    a, b = patches(picture, np.stack([upright, turned]), size=8)
    assert a[0].mean() > 200
    assert a[-1].mean() < 20
    assert b[:, 0].mean() > 200


def test_white_dice_among_many_of_sky_blue_are_the_white_ones() -> None:
    """Without paper the palest pieces are the white by which the others are named, not the most."""
    sky, white = (236.0, 205.0, 120.0), (228.0, 232.0, 236.0)
    body = np.array([sky] * 8 + [white] * 3)
    dice = Paint(body, np.full((11, 3), 30.0), np.zeros(11))
    found = named_loose(dice)
    assert [found.name(k) == "white" for k in range(11)] == [False] * 8 + [True] * 3


@pytest.mark.parametrize("share", [1.0, 0.7, 0.5, 0.35])
@pytest.mark.parametrize("body", [WHITE, (150.0, 195.0, 225.0)], ids=["white", "wood"])
@pytest.mark.parametrize(
    "four", [("red", "blue", "green", "black"), ("purple", "orange", "black", "green")], ids="-".join
)
def test_thin_strokes_keep_the_names_of_their_ink(
    four: tuple[str, ...], body: tuple[float, float, float], share: float
) -> None:
    """Issue 3: four sets four names. Half of what is seen of a hairline is the body: red was brown, green white."""
    ink = np.array([NAMES_RGB[name][1][::-1] for name in four for _ in range(10)], dtype=np.float64)
    on = np.tile(body, (40, 1))
    tiles = Paint(on, as_seen(share * linear(ink) + (1 - share) * linear(on)), np.zeros(40))
    rows = [list(range(10 * r, 10 * r + 10)) for r in range(4)]
    found = name_colours(tiles, open_tiles=np.ones(40, bool), groups=rows, white_bgr=np.array(WHITE))
    assert found.by_ink
    assert found.names == four


@pytest.mark.parametrize("lamp", ["daylight", "warm", "cool"])
@pytest.mark.parametrize("name", ["orange", "yellow", "lime", "red", "blue", "purple", "green"])
def test_dice_of_one_colour_keep_its_name_without_paper(name: str, lamp: str) -> None:
    """The palest piece passes for white, unless no lamp has its colour: orange dice were called white."""
    body = np.tile(np.array(NAMES_RGB[name][0][::-1]) * LAMPS[lamp], (6, 1)).astype(np.float64)
    dice = Paint(body, np.full((6, 3), 30.0), np.zeros(6))
    found = named_loose(dice)
    assert {found.name(k) for k in range(6)} == {name}


@pytest.mark.parametrize("lamp", ["warm", "cool"])
def test_white_dice_are_white_under_any_lamp_without_paper(lamp: str) -> None:
    body = np.tile(np.array(WHITE) * LAMPS[lamp], (4, 1))
    dice = Paint(body, np.full((4, 3), 30.0), np.zeros(4))
    assert {named_loose(dice).name(k) for k in range(4)} == {"white"}


def test_what_is_believed_of_a_lamp_falls_step_by_step() -> None:
    """Nothing jumps: a little more colour in what passes for white changes what is believed of the lamp a little."""
    tints = np.linspace(0, 120, 121)
    whites = np.array([as_a_lamp(np.array([230.0 - t, 230.0, 230.0])) for t in tints])
    assert np.abs(np.diff(whites, axis=0)).max() < 8.0
    assert np.allclose(whites[20], (210.0, 230.0, 230.0))
    assert np.allclose(whites[-1], 230.0)


def test_light_inks_on_middling_bodies_are_no_darker_than_white() -> None:
    """Issue 3: four sets four names. Without paper the bodies were taken for white, and all inks for the same white."""
    inks = {"brown": (108, 139, 171), "lime": (90, 166, 137), "white": (210, 211, 178), "pink": (203, 174, 217)}
    ink = np.array([inks[n] for n in inks for _ in range(10)], dtype=np.float64)
    rng = np.random.default_rng(3)
    body = np.array([98.0, 99.0, 112.0]) + rng.normal(0, 4, (40, 3))
    tiles = Paint(body, ink + rng.normal(0, 6, (40, 3)), np.zeros(40))
    found = name_colours(tiles, open_tiles=np.ones(40, bool), groups=None, sizes=[10] * 4)
    assert found.by_ink
    assert [found.name(k) for k in range(40)] == [n for n in inks for _ in range(10)]
    assert found.margin.min() > 8.0


def test_a_camera_that_sees_grey_tells_no_colours_and_reads_what_needs_none() -> None:
    """Never silently wrong: RULES 1, quests, where colours count, are asked about tile by tile."""
    grey = cv2.cvtColor(cv2.cvtColor(drawn().picture_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    rows = read(grey, expect="rows")
    assert rows.status is Status.READ
    assert {tile.colour for tile in rows.tiles} == {None}
    quest = read(grey, expect="mixed")
    assert quest.status is Status.UNSURE
    assert not any(tile.sure for tile in quest.tiles)
    assert shown(quest) == shown(rows)


def test_tiles_of_black_bodies_are_told_apart_by_their_ink() -> None:
    """Never silently wrong: of Draw Bridge's first two tiles, both black, one of orange and one of red ink, the eye
    made a row, and surely: it took their colour for the bodies'."""
    black, orange, red = (18.0, 20.0, 22.0), (40.0, 110.0, 200.0), (40.0, 50.0, 170.0)
    one_row = Paint(np.array([black, black]), np.array([orange, orange]), np.zeros(2))
    two_rows = Paint(np.array([black, black]), np.array([orange, red]), np.zeros(2))
    tile, tray, open_tiles = (25.0, 24.0), (360.0, 260.0), np.ones(2, dtype=bool)
    # At either end of a row, or of two: which it is the lean does not tell.
    centres, layout = np.array([[62.5, 96.8], [301.8, 108.4]]), LAYOUTS[Expectation.DRAWBRIDGE]
    for paint, certain in ((one_row, True), (two_rows, False)):
        found = arrange(
            centres, layout=layout, tile_mm=tile, tray_mm=tray, lean_hint=np.radians(-2.17),
            colours=marks(paint, open_tiles=open_tiles),
        )  # fmt: skip
        assert bool(found.doubtful.any()) is not certain
