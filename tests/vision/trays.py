"""Drawn trays for the tests of vision: small helpers around vision.drawing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.crops.symbols import Symbols
from vision.drawing import Drawn, DrawnTile, Hand, Look, TrayScene, draw, scene_for_layout
from vision.drawing.heads import on_its_head
from vision.eyes import Eyes
from vision.finding.pieces import KINDS, Pieces
from vision.finding.scene import in_flat
from vision.geometry import Floats, rectangle
from vision.reading import SYMBOLS, Reading
from vision.tray.rectify import Tray, find_tray, tray_from_clicks

ROWS = (
    ("green", "0836572914"),
    ("blue", "5489270136"),
    ("purple", "9120473856"),
    ("orange", "4267591830"),
)
BRIDGE = (("green", "26.......8"), ("blue", "47.......3"), ("purple", "9........1"), ("orange", "5.......34"))
"""Of Draw Bridge, after some turns."""


def cells(rows: tuple[tuple[str, str], ...] = ROWS) -> list[list[str | None]]:
    """Return rows of ("colour", "symbols") as the drawing wants them; "d" face down, "." empty."""
    names = {"d": "down", ".": None}
    return [[None if c == "." else f"{colour}:{names.get(c, c)}" for c in text] for colour, text in rows]


def drawn(
    rows: list[list[str | None]] | None = None,
    *,
    layout: str = "rows",
    seed: int = 1,
    markers: bool = True,
    hand: Hand | None = None,
    scene: TrayScene | None = None,
    look: Look | None = None,
) -> Drawn:
    """Return a plainly drawn tray with its truth, 1280 x 960. look: None for the plain one."""
    if scene is None:
        laid = cells() if rows is None else rows
        scene = scene_for_layout(laid, layout=layout, seed=seed)
    if hand is not None:
        scene = replace(scene, hand=hand)
    look = replace(look or Look.plain(), markers=markers)
    kept, truth = _drawn(pickle.dumps((scene, look, seed)))
    return replace(kept, picture_bgr=kept.picture_bgr.copy(), truth=pickle.loads(truth))


@lru_cache(maxsize=24)
def _drawn(pickled: bytes) -> tuple[Drawn, bytes]:
    """Draw a tray once for all tests of a file that want the same; each gets a copy, to do with as it likes.

    And its truth as pickle has it, which copies it in a tenth of the time that a deep copy takes.
    """
    scene, look, seed = pickle.loads(pickled)
    kept = draw(scene, look, size_wh_px=(1280, 960), rng=np.random.default_rng(seed))
    return kept, pickle.dumps(kept.truth)


def with_tiles(*, sag_mm: float, underline: bool = False) -> Look:
    """Return the plain look with arcs that rise so far, 0 for square tiles, and with lines below 6 and 9 or without."""
    plain = Look.plain()
    return replace(plain, tile=replace(plain.tile, sag_mm=sag_mm, underline=underline))


def upside_down(scene: TrayScene, which: Callable[[DrawnTile], bool]) -> TrayScene:
    """Return the scene with some of its tiles turned half round where they lie."""
    return replace(scene, tiles=tuple(on_its_head(tile) if which(tile) else tile for tile in scene.tiles))


SHADED = (30.0, 45.0, 15.0)
"""What the felt of `on_shaded_felt` would look like in a deep shadow."""
SOME_DOWN = cells((("red", "08d6572914"), ("blue", "54d9270136"), ("purple", "91d0473856"), ("orange", "42d7591830")))
LIKE_FELT = (2 * SHADED[0], 2 * SHADED[1], 2 * SHADED[2])
"""The felt's own colour there."""


def on_shaded_felt(rows: list[list[str | None]], back: tuple[float, float, float] = SHADED) -> Drawn:
    """Return rows of tiles on felt twice as light as SHADED, with backs of any colour."""
    plain = Look.plain()
    look = replace(plain, felt=LIKE_FELT, tile=replace(plain.tile, back=back))
    rng = np.random.default_rng(4)
    return draw(scene_for_layout(rows, layout="rows", seed=4), look, size_wh_px=(1280, 960), rng=rng)


def shown(reading: Reading) -> list[str]:
    """Return the symbols of each row, "d" for a face-down tile."""
    rows: dict[int, str] = {}
    for tile in reading.tiles:
        rows[tile.row] = rows.get(tile.row, "") + ("d" if tile.symbol == "down" else tile.symbol)
    return [rows[r] for r in sorted(rows)]


def shaken(picture: np.ndarray, pixels: int, degrees: float) -> np.ndarray:
    """Return the picture as a camera takes it that is moved by so many pixels meanwhile."""
    line, middle = np.zeros((pixels, pixels), np.float32), (pixels - 1) / 2
    x, y = middle * np.cos(np.radians(degrees)), middle * np.sin(np.radians(degrees))
    ends = [(round(middle + s * x), round(middle + s * y)) for s in (-1, 1)]
    cv2.line(line, *ends, 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()))


def shadowed(picture: np.ndarray, x: float, dark: float) -> np.ndarray:
    """Return the picture with what is left of its grey values in a shadow from column x on."""
    return np.round(picture * np.where(np.arange(picture.shape[1]) < x, 1.0, dark)[None, :, None]).astype(np.uint8)


LIDS_MM = ((-14.0, -6.0), (372.0, 4.0), (366.0, 270.0), (-10.0, 252.0))
"""Where bottle lids lie beside the corners of such a tray."""


def on_a_table_of_felt(picture: Drawn, *, lids: bool = True) -> np.ndarray:
    """Return the picture of the same tray, without markers, on a table of just its felt: nothing shows where it ends.

    lids: whether something lies beside its corners, by which a bump could be told.
    """
    tray = tray_from_clicks([(float(x), float(y)) for x, y in picture.truth["tray"]["corners"]])
    inner = np.zeros(picture.picture_bgr.shape[:2], np.uint8)
    for at, size, level in [((4, 4), (352, 252), 1), *(((x, y), (36, 36), 0) for x in (0, 324) for y in (0, 224))]:
        where = tray.to_px(rectangle((float(size[0]), float(size[1]))) + at)
        cv2.fillPoly(inner, [where.round().astype(np.int32)], level)
    x, y = tray.to_px(np.array([[180.0, 8.0]]))[0].round().astype(int)
    felt = picture.picture_bgr[y - 8 : y + 8, x - 60 : x + 60].reshape(-1, 3)
    grain = np.random.default_rng(3).normal(0, felt.std(axis=0).mean(), picture.picture_bgr.shape)
    table = np.clip(felt.mean(axis=0) + grain, 0, 255).astype(np.uint8)
    out = np.where(inner[..., None] > 0, picture.picture_bgr, table).astype(np.uint8)
    for lid in LIDS_MM if lids else ():
        middle = tuple(int(v) for v in tray.to_px(np.array([lid]))[0].round())
        cv2.circle(out, middle, 9, (70, 150, 210), -1, cv2.LINE_AA)
        cv2.circle(out, (middle[0] + 3, middle[1] - 2), 4, (30, 40, 120), -1, cv2.LINE_AA)
    return out


def tray_of(picture: Drawn) -> Tray:
    return _tray_in(picture.picture_bgr.tobytes(), picture.picture_bgr.shape)


@lru_cache(maxsize=8)
def _tray_in(pixels: bytes, shape: tuple[int, ...]) -> Tray:
    """Find the tray of a picture once, however often a file's tests ask for it."""
    found = find_tray(np.frombuffer(pixels, np.uint8).reshape(shape))
    assert found is not None
    return found


def knowing(truth: dict[str, Any], *, doubt: float = 1e-7, change: dict[int, dict[str, float]] | None = None) -> Eyes:
    """Return eyes that know the truth of a picture; beside its tiles there is nothing that they can read.

    change: tile number -> log-likelihoods of some symbols, instead of the truth.
    """
    quads = np.array([t["quad"] for t in truth["tiles"]], dtype=np.float64).reshape(-1, 4, 2)
    trays: list[Tray] = []

    def find(flat: Any) -> Pieces:
        on_felt = trays[0].to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        corners = in_flat(on_felt)
        across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
        size = np.stack([np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)], axis=1)
        angle = -np.degrees(np.arctan2(across[:, 1], across[:, 0]))
        n, hand = len(corners), np.zeros((38, 50), np.float32)
        return Pieces(np.full(n, KINDS.index("tile")), corners.mean(axis=1), size, angle, np.full(n, 0.9), hand)

    def look(picture: Any, seen: Floats) -> Symbols:
        out = np.full((len(seen), len(SYMBOLS)), np.log(doubt / 11))
        away = np.linalg.norm(quads.mean(axis=1)[:, None] - np.mean(seen, axis=1)[None], axis=2)
        wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1).max(initial=0.0)
        unreadable = (away.min(axis=0, initial=np.inf) > wide / 2).astype(np.float32)
        for k, near in enumerate(away.argmin(axis=0).tolist()):
            for symbol, value in (change or {}).get(near, {truth["tiles"][near]["label"]: 0.0}).items():
                out[k, SYMBOLS.index(symbol)] = value
        up, cut_up = quads[:, 0] - quads[:, 3], np.asarray(seen)[:, 0] - np.asarray(seen)[:, 3]
        turned = (up[away.argmin(axis=0)] * cut_up).sum(axis=1) < 0 if len(quads) else np.zeros(len(seen), bool)
        return Symbols(out.astype(np.float32), turned.astype(np.float32), unreadable)

    def faces(picture: Any, seen: Floats, is_die: Any) -> Any:
        raise AssertionError("nobody should look at faces here")

    trays.append(Tray(*_registration(truth)))
    return Eyes(find, look, faces)


def _registration(truth: dict[str, Any]) -> tuple[Any, ...]:
    tray = tray_from_clicks([tuple(c) for c in truth["tray"]["corners"]])
    return tray.homography, tray.corners, tray.found
