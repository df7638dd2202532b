"""Photographs of other people's number tiles: `python -m vision.evaluate FOLDER` where its labels.json lists tiles.

None of it is our tray: numbers go up to 13 and beyond, tiles have other shapes and lie on bare tables. So what is
measured is what the shipped symbol net makes of single real tiles (crops.json; and those found on whole pictures), and
whether anything is ever called surely read that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.crops import symbols
from vision.finding import pieces
from vision.geometry import Floats, Quad, quad
from vision.infer import DOUBT_PER_TILE, soften
from vision.layout import Expectation
from vision.options import one_by_one
from vision.overlay import draw_reading
from vision.reader import read
from vision.reading import SYMBOLS, Reading, Status, TileReading
from vision.tray.rectify import Image
from vision.trials.labelled import picture_at
from vision.trials.photographs import labels_of
from vision.trials.report import Failure, Outcome
from vision.trials.scoring import fraction

UNREADABLE, UPSIDE_DOWN = 0.03, 0.5
"""As the reader has it: a tile less readable than this, or lying the other way up, is asked about."""
NUMBER_SHARE = 0.62
"""Upper part of a Rummikub tile that holds its number; ours have it in the middle."""
TILE_MM = 25.0


@dataclass(frozen=True, slots=True)
class Look:
    """What the net says of one tile whose truth is known."""

    truth: str | None
    """"0" to "9"; None for a number or a figure that our sets do not have: to be doubted."""
    symbol: str
    sure: bool
    confidence: float
    quad: Quad = ((0.0, 0.0),) * 4
    """Where it lies in its picture."""
    picture: Path = Path()

    @property
    def right(self) -> bool:
        """Whether it was read right."""
        return self.symbol == self.truth


def look_at(picture_bgr: Image, quads_px: Floats, truths: Sequence[str | None], path: Path = Path()) -> list[Look]:
    """Return what single tiles show, without any rule of a set: a number or a wild. path: of the picture."""
    seen = symbols.classify(symbols.cut_crops(picture_bgr, quads_px))
    p = soften(np.asarray(seen.log_probs, dtype=np.float64), unreadable=np.asarray(seen.p_unreadable, np.float64))
    out = []
    for k, truth in enumerate(truths):
        best = int(p[k].argmax())
        readable = seen.p_unreadable[k] < UNREADABLE and seen.p_upside_down[k] < UPSIDE_DOWN
        sure = bool(1.0 - p[k, best] <= DOUBT_PER_TILE and readable)
        out.append(Look(truth, SYMBOLS[best], sure, float(p[k, best]), quad(quads_px[k]), path))
    return out


def crops(folder: Path) -> dict[str, list[Look]]:
    """Return what the single upright tiles of `crops.json` were read as, by set and cut; none where there is no such
    file."""
    out: dict[str, list[Look]] = {}
    for label in one_by_one(labels_of(folder / "crops.json"), "crops"):
        path = folder / label["file"]
        picture = picture_at(path)
        h, w = picture.shape[:2]
        truth = _digit(label)
        kind = "numbers 0-9" if truth is not None else "jokers" if label.get("joker") else "numbers from 10"
        cuts = {"": 1.0} if label["set"] != "Rummikub" else {", whole tile": 1.0, ", its number's part": NUMBER_SHARE}
        for name, share in cuts.items():
            cut = np.array([[[0, 0], [w, 0], [w, h * share], [0, h * share]]], dtype=np.float64) - 0.5
            out.setdefault(f"{label['set']}{name}: {kind}", []).extend(look_at(picture, cut, [truth], path))
    return out


@dataclass(frozen=True, slots=True)
class Whole:
    """What became of one whole picture of tiles."""

    status: Status
    """As it was read, nothing told."""
    tiles: int
    """Labelled tiles that are whole."""
    found: list[Look]
    """Of these, the ones the finder saw once it was told how large tiles are."""
    extra: int
    """Tiles found where none lies."""
    picture: Path = Path()


def whole_pictures(folder: Path) -> list[Whole]:
    """Return what became of each picture of `labels.json`."""
    out = []
    for label in one_by_one(labels_of(folder / "labels.json"), "pictures"):
        tiles = _tiles(label)
        path = folder / label["file"]
        picture = picture_at(path)
        status = read(picture, expect=Expectation.AUTO).status
        found, extra = _found_tiles(picture, tiles, path) if tiles else ([], 0)
        out.append(Whole(status, len(tiles), found, extra, path))
    return out


def _found_tiles(picture: Image, tiles: list[tuple[str | None, Floats]], path: Path) -> tuple[list[Look], int]:
    """Return what was read of the tiles that were found, and how many were found where none is."""
    wide = np.median([min(np.ptp(q[:, 0]), np.ptp(q[:, 1])) for _, q in tiles])
    scale = TILE_MM / float(wide)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = pieces.find_pieces(np.asarray(small, dtype=np.uint8), px_per_mm=1.0, score=0.3, kind="tile")
    quads = (seen.quads_px() + 0.5) / scale - 0.5
    truths, kept, extra = [], [], 0
    left = list(tiles)
    for at in quads:
        near = min(left, key=lambda t: float(np.linalg.norm(t[1].mean(axis=0) - at.mean(axis=0))), default=None)
        if near is None or float(np.linalg.norm(near[1].mean(axis=0) - at.mean(axis=0))) > 0.6 * wide:
            extra += 1
            continue
        left = [t for t in left if t is not near]
        truths.append(near[0])
        kept.append(at)
    return (look_at(picture, np.array(kept), truths, path) if kept else []), extra


def _tiles(label: dict[str, Any]) -> list[tuple[str | None, Floats]]:
    listed = label.get("tiles") or [tile for row in label.get("rows", ()) for tile in row]
    out = []
    for tile in listed:
        polygon = tile.get("polygon") or tile.get("approx_polygon")
        if polygon and not tile.get("cut_by_border") and tile.get("legible", True):
            out.append((_digit(tile), np.array(polygon, dtype=np.float64)))
    return out


def _digit(label: dict[str, Any]) -> str | None:
    number = label.get("number")
    return str(number) if isinstance(number, int) and 0 <= number <= 9 and not label.get("joker") else None


def outcome(folder: Path) -> Outcome:
    """Return what came of a folder of tiles; raise BadLabels where it is not of that form."""
    singles = crops(folder) if (folder / "crops.json").is_file() else {}
    wholes = whole_pictures(folder)
    looks = [look for of in singles.values() for look in of] + [look for whole in wholes for look in whole.found]
    said = tuple((look.confidence, look.right) for look in looks if look.truth is not None)
    # Numbers from 10 our sets do not have: that one is taken for a digit is counted, and no failure of ours.
    wrong = any(look.sure and not look.right for look in looks if look.truth is not None)
    return Outcome("\n".join(report(singles, wholes)), said, tuple(_failures(looks)), wrong)


def _failures(looks: Sequence[Look]) -> Iterable[Failure]:
    """Yield the pictures with a tile that was read wrong, or surely though our sets have no such number."""
    amiss: dict[Path, list[Look]] = {}
    for look in looks:
        if look.sure or look.truth is not None:
            amiss.setdefault(look.picture, []).append(look)
    for path, of in amiss.items():
        wrong = [look for look in of if not look.right]
        if wrong:
            told = ", ".join(f"{x.truth or 'none of ours'} as {x.symbol} ({x.confidence:.4f})" for x in wrong)
            sure = sum(x.sure for x in wrong)
            yield Failure(path, f"{len(wrong)} read wrong, {sure} of them surely", told, partial(_drawn, path, wrong))


def _drawn(path: Path, wrong: Sequence[Look]) -> Image:
    tiles = tuple(
        TileReading(0, k, x.symbol, None, x.sure, x.confidence, x.quad, ((x.symbol, x.confidence),))
        for k, x in enumerate(wrong)
    )
    return draw_reading(picture_at(path), Reading(Status.UNSURE, tiles=tiles))


def report(singles: dict[str, list[Look]], wholes: Sequence[Whole]) -> Iterable[str]:
    """Yield the figures as lines of text."""
    yield f"{'single tiles, no rule of a set to help':58}{'n':>5} {'right':>22} {'sure':>6} {'sure and wrong':>24}"
    for name, looks in sorted(singles.items()):
        yield _line(name, looks)
    if wholes:
        statuses = {s: sum(w.status is s for w in wholes) for s in Status}
        told = ", ".join(f"{s.value} {n}" for s, n in statuses.items() if n)
        yield f"whole pictures as they are, {len(wholes)}: {told}"
        looks = [look for w in wholes for look in w.found]
        total = sum(w.tiles for w in wholes)
        extra = sum(w.extra for w in wholes)
        yield f"tiles found once told how large they are: {fraction(len(looks), total)}; where none is: {extra}"
        yield _line("found tiles, whole: numbers 0-9", [x for x in looks if x.truth is not None])
        yield _line("found tiles, whole: numbers from 10, jokers", [x for x in looks if x.truth is None])


def _line(name: str, looks: Sequence[Look]) -> str:
    right, sure = sum(x.right for x in looks), [x for x in looks if x.sure]
    wrong = sum(not x.right for x in sure)
    hits = fraction(right, len(looks)) if any(x.truth for x in looks) else "(to be doubted)"
    return f"{name:58}{len(looks):5d} {hits:>22} {len(sure):6d} {fraction(wrong, len(sure)):>24}"
