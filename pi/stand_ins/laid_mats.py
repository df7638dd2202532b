"""Mats with counters and pawns laid by chance, faults included: what the eye is measured on and calibrated with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from pi.sheets.raster import printed
from pi.stand_ins.mats import TRAY_MM, Mat, Zone, mat_of
from vision.colour.paint import GAMMA, as_seen, linear
from vision.drawing import DrawnCounter, DrawnMat, DrawnPawn, Hand, Look, Printed, Stage, TrayScene, random_look
from vision.drawing.faults import round_spot
from vision.frames.short import SHARES
from vision.tray.rectify import find_tray

Bgr = tuple[float, float, float]
Drawn = DrawnCounter | DrawnPawn
Maker = Callable[[float, float], Drawn]
"""Makes a piece that lies somewhere."""
Piece = TypeVar("Piece", DrawnCounter, DrawnPawn)

DARKS: tuple[Bgr, ...] = (
    (24, 23, 22), (30, 45, 70), (80, 38, 20), (34, 30, 120), (38, 66, 20), (60, 60, 60), (70, 30, 60), (20, 34, 60),
)  # fmt: skip
LIGHTS: tuple[Bgr, ...] = (
    (228, 236, 238), (214, 232, 240), (176, 208, 226), (150, 192, 216), (190, 226, 240), (222, 222, 220),
    (120, 214, 244), (235, 235, 235),
)  # fmt: skip
PAWN_PAIRS: tuple[tuple[Bgr, Bgr], ...] = (
    ((36, 32, 190), (172, 74, 22)), ((28, 198, 244), (60, 128, 18)), ((24, 23, 22), (36, 32, 190)),
    ((172, 74, 22), (28, 198, 244)), ((22, 108, 242), (130, 60, 20)), ((60, 128, 18), (36, 32, 190)),
)  # fmt: skip
CLEAR, EDGY = 0.22, 0.4
"""Offsets from the middle over the place's side: within the first a counter must be read, beyond the second it
must be asked about; between, either is right."""
LAMP, ROOM = (0.3, 3.0), (1.0, 1.6)
"""Least and most light of a lamp's image, over that of full white, and how many times as bright a room is."""
UNCLIPPED = 0.4
"""In so much of the usual light hardly any paper is drawn whiter than white."""
NOISE = 1.0
"""Standard deviation of a grey value in a shorter exposure."""
RIMS = (0.02, 0.1, 0.3)
"""How wide a lamp image's rim may be, over its radius."""


@dataclass(frozen=True, slots=True)
class LaidMat:
    """One picture of a mat and what is true about it."""

    picture_bgr: np.ndarray
    mat: Mat
    holds: tuple[str, ...]
    """For each place "empty", "dark", "light", "first", "second"."""
    doubtful: frozenset[int]
    """Places at which nobody can tell: a piece on their border. Read as sure is wrong, unless as the truth."""
    strays: int
    """Pieces on no place, or on the border of two."""
    busy: bool
    """A hand is over the mat."""
    share: float = 1.0
    """How much of the usual light was let in."""
    shorter_bgr: tuple[np.ndarray, ...] = ()
    """The same in the shorter exposures of SHARES, where somebody wants them."""


def lay_at_random(expects: str, rng: np.random.Generator, *, difficulty: float = 1.0, share: float = 1.0) -> LaidMat:
    """Return a mat laid by chance under a light and a camera drawn by chance.

    share: of that light, let into the camera, 0..1.
    """
    mat = mat_of(expects)
    assert mat is not None
    busy = bool(rng.random() < 0.08)
    holds, doubtful, drawn, strays = _pieces(mat, rng, difficulty)
    paper = _bgr(np.clip(np.array([236, 240, 240]) + rng.normal(0, 5, 3), 200, 255))
    ink = _bgr(rng.uniform(15, 60) + rng.normal(0, 3, 3))
    sheet = Printed(printed(expects), TRAY_MM, paper, ink)
    counters = tuple(d for d in drawn if isinstance(d, DrawnCounter))
    pawns = tuple(d for d in drawn if isinstance(d, DrawnPawn))
    waves = (float(abs(rng.normal(0, 0.35))) * difficulty,) if rng.random() < 0.5 else ()
    shift = (float(rng.normal(0, 1.0)), float(rng.normal(0, 1.0)))
    lying = DrawnMat(sheet, counters, pawns, shift_mm=shift, turn_deg=float(rng.normal(0, 0.5)), waves=waves)
    scene = TrayScene(mat=_carried_along(lying), seed=int(rng.integers(2**31)))
    look = _in_less_light(_look(rng, difficulty), share)
    hand = _hand(rng) if busy else None
    size = (1280, 960) if rng.random() < 0.8 else (960, 720)
    picture = Stage(scene, look, size_wh_px=size).frame(rng=rng, hand=hand).picture_bgr
    return LaidMat(np.asarray(picture, dtype=np.uint8), mat, holds, doubtful, strays, busy, share)


def laminated(laid: LaidMat, rng: np.random.Generator) -> LaidMat:
    """Return a mat that mirrors a round lamp on one of its places or beside it, in a room as bright or brighter.

    Paper in a sleeve does so. One that was laid in a `share` of the light has it all in this picture, and loses no more
    than this clips. Where the tray is not found in the picture it is left as it is; else it is there in shorter
    exposures, too, in which the lamp's image is less blown out.
    """
    tray = find_tray(laid.picture_bgr)
    if tray is None:
        return laid
    area = laid.mat.places[int(rng.integers(len(laid.mat.places)))]
    side = min(area.width, area.height)
    middle = np.array(area.middle) + rng.normal(0, side / 4, 2)
    (x, y), (right, _) = tray.to_px(np.array([middle, middle + (rng.uniform(0.2, 1.0) * side, 0.0)]))
    squeezed, lamp, rim = rng.uniform(0.6, 1.6), rng.uniform(*LAMP), rng.choice(RIMS)
    spot = lamp * round_spot(laid.picture_bgr.shape, (x, y), float(right - x), rim=rim, squeezed=squeezed)
    light = linear(laid.picture_bgr) / laid.share * rng.uniform(*ROOM) + spot[..., None]
    usual = np.asarray(np.clip(as_seen(light), 0, 255), dtype=np.uint8)
    return replace(laid, picture_bgr=usual, shorter_bgr=tuple(_exposed(light * share, rng) for share in SHARES))


def _exposed(light: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a picture of so much linear light, with a camera's noise."""
    noisy = as_seen(light) + rng.normal(0, NOISE, light.shape)
    return np.asarray(np.clip(np.round(noisy), 0, 255), dtype=np.uint8)


def _look(rng: np.random.Generator, difficulty: float) -> Look:
    """Return any table's look, the tray wholly in the frame as a mounted camera has it."""
    look = random_look(rng, difficulty=difficulty)
    camera = replace(
        look.camera,
        px_per_mm=float(rng.uniform(1.5, 2.7)),
        aim_mm=(float(rng.normal(0, 8)), float(rng.normal(0, 8))),
        tilt_deg=min(look.camera.tilt_deg, 18.0),
    )
    return replace(look, tray_mm=TRAY_MM, camera=camera)


def _in_less_light(look: Look, share: float) -> Look:
    b, g, r = (float(gain * share ** (1 / GAMMA)) for gain in look.lamp.gain)
    return replace(look, lamp=replace(look.lamp, gain=(b, g, r)))


def _carried_along(mat: DrawnMat) -> DrawnMat:
    """Return the mat with its pieces where the sheet carries them."""
    a = np.radians(mat.turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])

    def carried(piece: Piece) -> Piece:
        u, v = turn @ [piece.x_mm, piece.y_mm] + mat.shift_mm
        return replace(piece, x_mm=float(u), y_mm=float(v))

    return replace(mat, counters=tuple(map(carried, mat.counters)), pawns=tuple(map(carried, mat.pawns)))


def _hand(rng: np.random.Generator) -> Hand:
    """Return a hand that has come in at least to the mat's border, from any side."""
    side = rng.uniform(0, 2 * np.pi)
    depth = rng.uniform(0.35, 1.0)
    x, y = np.cos(side) * 180 * depth, np.sin(side) * 130 * depth
    towards = float(np.degrees(side) + 180 + rng.normal(0, 15))
    return Hand(float(x), float(y), angle_deg=towards, seed=int(rng.integers(9999)))


def _pieces(
    mat: Mat, rng: np.random.Generator, difficulty: float
) -> tuple[tuple[str, ...], frozenset[int], list[Drawn], int]:
    makers = _pawn_maker(rng) if mat.pawns else _counter_maker(mat, rng, difficulty)
    kinds = ("first", "second") if mat.pawns else ("dark", "light")
    holds, drawn = ["empty"] * len(mat.places), []
    share = rng.uniform(0.05, 0.75)
    for place in mat.places:
        if any(place.number in track for track in mat.tracks) or rng.random() > share:
            continue
        kind = kinds[int(rng.integers(2))]
        if mat.pawns and holds.count(kind) > 3:
            continue
        holds[place.number] = kind
        drawn.append(makers[kind](*_laid_on(place, mat, rng)))
    for kind, track in zip(kinds, mat.tracks, strict=False):
        number = track[int(rng.integers(len(track)))]
        holds[number] = kind
        drawn.append(makers[kind](*_laid_on(mat.places[number], mat, rng)))
    doubtful: set[int] = set()
    strays = int(rng.random() < 0.25) * int(rng.integers(1, 3))
    for _ in range(strays):
        _add_stray(mat, holds, doubtful, drawn, makers[kinds[int(rng.integers(2))]], rng)
    return tuple(holds), frozenset(doubtful), drawn, len(doubtful) // 2


def _laid_on(place: Zone, mat: Mat, rng: np.random.Generator) -> tuple[float, float]:
    """Return where somebody puts a piece that is meant for a place, in the drawing's coordinates."""
    if mat.pawns and place.height > 30:
        reach = np.array([place.width, place.height]) / 2 - 9.5
        off = np.clip(rng.normal(0, 0.5, 2), -1, 1) * np.maximum(reach, 0)
    else:
        off = np.clip(rng.normal(0, 0.08, 2) * place.width, -CLEAR * place.width / 1.5, CLEAR * place.width / 1.5)
    x, y = np.array(place.middle) + off
    return float(x - TRAY_MM[0] / 2), float(TRAY_MM[1] / 2 - y)


def _add_stray(
    mat: Mat, holds: list[str], doubtful: set[int], drawn: list[Drawn], make: Maker, rng: np.random.Generator
) -> None:
    """Lay a piece on the line between two empty neighbours."""
    pairs = [
        (a, b)
        for a in mat.places
        for b in mat.places
        if a.number < b.number
        and holds[a.number] == holds[b.number] == "empty"
        and not {a.number, b.number} & doubtful
        and _touch(a, b)
    ]
    if not pairs:
        return
    a, b = pairs[int(rng.integers(len(pairs)))]
    mix = rng.uniform(0.42, 0.58)
    x, y = np.array(a.middle) * mix + np.array(b.middle) * (1 - mix)
    if a.height > 60 or b.height > 60:
        return
    drawn.append(make(float(x - TRAY_MM[0] / 2), float(TRAY_MM[1] / 2 - y)))
    doubtful |= {a.number, b.number}


def _touch(a: Zone, b: Zone) -> bool:
    across = abs(a.left + a.width - b.left) < 1 and abs(a.top - b.top) < 1
    return across or (abs(a.top + a.height - b.top) < 1 and abs(a.left - b.left) < 1)


def _bgr(values: np.ndarray[Any, Any]) -> Bgr:
    b, g, r = values.tolist()
    return b, g, r


def _near(rng: np.random.Generator, bgr: Bgr, spread: float = 8.0) -> Bgr:
    b, g, r = (float(np.clip(v + d, 8, 250)) for v, d in zip(bgr, rng.normal(0, spread, 3), strict=True))
    return b, g, r


def _counter_maker(mat: Mat, rng: np.random.Generator, difficulty: float) -> dict[str, Maker]:
    side = mat.places[0].width
    radius = float(np.clip(rng.uniform(0.3, 0.44) * side, 5.2, 0.46 * side))
    thick = float(rng.uniform(1.5, 7.0))
    groove = float(rng.choice([0.0, rng.uniform(0.2, 1.0)]))
    bodies = {
        "dark": _near(rng, DARKS[int(rng.integers(len(DARKS)))]),
        "light": _near(rng, LIGHTS[int(rng.integers(len(LIGHTS)))]),
    }

    def maker(kind: str) -> Maker:
        return lambda x, y: DrawnCounter(x, y, _near(rng, bodies[kind], 3.0), radius, thick, groove)

    return {kind: maker(kind) for kind in bodies}


def _pawn_maker(rng: np.random.Generator) -> dict[str, Maker]:
    pair = PAWN_PAIRS[int(rng.integers(len(PAWN_PAIRS)))]
    if rng.random() < 0.5:
        pair = pair[::-1]
    radius, height = float(rng.uniform(5.0, 7.5)), float(rng.uniform(12, 26))
    bodies = dict(zip(("first", "second"), pair, strict=True))

    def maker(kind: str) -> Maker:
        return lambda x, y: DrawnPawn(x, y, _near(rng, bodies[kind], 4.0), radius, height)

    return {kind: maker(kind) for kind in bodies}
