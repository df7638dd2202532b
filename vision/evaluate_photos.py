"""How the eye fares on other people's photographs: `python -m vision.evaluate_photos FOLDER`.

FOLDER holds `tiles/` (labels.json, crops.json) and `boards/` (labels.json), each with a README of its own. None of
it is our tray: numbers go up to 13 and beyond, tiles have other shapes and lie on bare tables. So what is measured
is, first, what the shipped symbol net makes of single real tiles; second, whether anything is ever called surely
read that is wrong; third, what hands, exposures and lamps do to a real overhead camera's frames.

Progress goes to standard error. Exit status 2 where the folder is not of that form.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.crops import symbols
from vision.errors import BadLabels, VisionError
from vision.finding import pieces
from vision.frames.light import Bounds, Light, compare, measure
from vision.geometry import Floats
from vision.infer import DOUBT_PER_TILE, soften
from vision.layout import Expectation
from vision.options import one_by_one
from vision.reader import read
from vision.reading import SYMBOLS, Status
from vision.tray.glance import glance
from vision.tray.rectify import Image, find_tray, tray_from_clicks
from vision.trials.labelled import picture_at, read_json
from vision.trials.scoring import interval

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

    @property
    def right(self) -> bool:
        """Whether it was read right."""
        return self.symbol == self.truth


def look_at(picture_bgr: Image, quads_px: Floats, truths: Sequence[str | None]) -> list[Look]:
    """Return what single tiles show, without any rule of a set: a number or a wild."""
    seen = symbols.classify(symbols.cut_crops(picture_bgr, quads_px))
    p = soften(np.asarray(seen.log_probs, dtype=np.float64), unreadable=np.asarray(seen.p_unreadable, np.float64))
    out = []
    for k, truth in enumerate(truths):
        best = int(p[k].argmax())
        readable = seen.p_unreadable[k] < UNREADABLE and seen.p_upside_down[k] < UPSIDE_DOWN
        sure = bool(1.0 - p[k, best] <= DOUBT_PER_TILE and readable)
        out.append(Look(truth, SYMBOLS[best], sure, float(p[k, best])))
    return out


def crops(folder: Path) -> dict[str, list[Look]]:
    """Return what the single upright tiles of `crops.json` were read as, by set and cut."""
    out: dict[str, list[Look]] = {}
    for label in one_by_one(_labels(folder / "crops.json"), "crops"):
        picture = picture_at(folder / label["file"])
        h, w = picture.shape[:2]
        truth = _digit(label)
        kind = "numbers 0-9" if truth is not None else "jokers" if label.get("joker") else "numbers from 10"
        cuts = {"": 1.0} if label["set"] != "Rummikub" else {", whole tile": 1.0, ", its number's part": NUMBER_SHARE}
        for name, share in cuts.items():
            quad = np.array([[[0, 0], [w, 0], [w, h * share], [0, h * share]]], dtype=np.float64) - 0.5
            out.setdefault(f"{label['set']}{name}: {kind}", []).extend(look_at(picture, quad, [truth]))
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


def whole_pictures(folder: Path) -> list[Whole]:
    """Return what became of each picture of `labels.json`."""
    out = []
    for label in one_by_one(_labels(folder / "labels.json"), "pictures"):
        tiles = _tiles(label)
        picture = picture_at(folder / label["file"])
        status = read(picture, expect=Expectation.AUTO).status
        found, extra = _found_tiles(picture, tiles) if tiles else ([], 0)
        out.append(Whole(status, len(tiles), found, extra))
    return out


def _found_tiles(picture: Image, tiles: list[tuple[str | None, Floats]]) -> tuple[list[Look], int]:
    """Return what was read of the tiles that were found, and how many were found where none is."""
    wide = np.median([min(np.ptp(q[:, 0]), np.ptp(q[:, 1])) for _, q in tiles])
    scale = TILE_MM / float(wide)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = pieces.find_pieces(np.asarray(small, dtype=np.uint8), px_per_mm=1.0, score=0.3, kind="tile")
    quads = (seen.quads_px() + 0.5) / scale - 0.5
    truths, kept, extra = [], [], 0
    left = list(tiles)
    for quad in quads:
        near = min(left, key=lambda t: float(np.linalg.norm(t[1].mean(axis=0) - quad.mean(axis=0))), default=None)
        if near is None or float(np.linalg.norm(near[1].mean(axis=0) - quad.mean(axis=0))) > 0.6 * wide:
            extra += 1
            continue
        left = [t for t in left if t is not near]
        truths.append(near[0])
        kept.append(quad)
    return (look_at(picture, np.array(kept), truths) if kept else []), extra


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


@dataclass(frozen=True, slots=True)
class Boards:
    """What the frames of a real overhead camera did to the eye."""

    hands: tuple[int, int]
    """(said busy, frames with a hand)."""
    quiet: tuple[int, int]
    """(said busy, frames without one)."""
    felt: tuple[int, int]
    """(edge found where it is in most, exposures of one board)."""
    lamps: tuple[int, int, int]
    """(named as another light, could not be compared, exposures held against the first)."""
    steady: tuple[int, int, int]
    """The same of the frames of one game, whose camera's automatic was not locked."""


def boards(folder: Path) -> Boards:
    """Return what hands, exposures and white balances do."""
    labels = _labels(folder / "labels.json")
    hands: list[bool] = []
    quiet: list[bool] = []
    for label in one_by_one([one for one in labels if "hand_in_view" in one], "hands"):
        (hands if label["hand_in_view"] else quiet).append(_busy(picture_at(folder / label["file"])))
    exposures = [picture_at(folder / o["file"]) for o in labels if o.get("sequence") == "light-err"]
    game = [picture_at(folder / o["file"]) for o in labels if o.get("sequence") == "game01"]
    return Boards(
        (sum(hands), len(hands)),
        (sum(quiet), len(quiet)),
        (_edges_agree(exposures), len(exposures)),
        _another_light(exposures),
        _another_light(game),
    )


def _busy(picture: Image) -> bool:
    """Return whether a frame is called busy, told that the board fills it (these frames are cut to it)."""
    h, w = picture.shape[:2]
    tray = tray_from_clicks([(0, 0), (w - 1, 0), (w - 1, h - 1), (0, h - 1)], size_mm=(360.0, 360.0 * h / w))
    return read(picture, expect=Expectation.AUTO, tray=tray).status is Status.BUSY


def _edges_agree(pictures: Sequence[Image]) -> int:
    """Return in how many pictures the board's edge is found within 2 % of the width of where most have it."""
    square = (360.0, 360.0)
    found = [(find_tray(p, size_mm=square), p.shape[1]) for p in pictures]
    corners = [np.array(tray.corners) / width for tray, width in found if tray is not None]
    if not corners:
        return 0
    usual = np.median(np.array(corners), axis=0)
    return sum(float(np.abs(c - usual).max()) < 0.02 for c in corners)


def _another_light(pictures: Sequence[Image]) -> tuple[int, int, int]:
    """Return of the pictures after the first: named as in another light, not to be compared, and all."""
    lights = [_light(p) for p in pictures]
    shifts = [compare(lights[0], light) for light in lights[1:]]
    named = sum(shift is not None and shift.beyond(Bounds()) >= 1.0 for shift in shifts)
    return named, shifts.count(None), len(shifts)


def _light(picture: Image) -> Light:
    h, w = picture.shape[:2]
    seen = glance(picture)
    inset_x, inset_y = 0.06 * w, 0.06 * h
    corners = ((inset_x, inset_y), (w - inset_x, inset_y), (w - inset_x, h - inset_y), (inset_x, h - inset_y))
    return measure(seen.small, corners, factor=seen.factor)


def report(singles: dict[str, list[Look]], wholes: Sequence[Whole], board: Boards | None) -> Iterable[str]:
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
        yield f"tiles found once told how large they are: {_share(len(looks), total)}; where none is: {extra}"
        yield _line("found tiles, whole: numbers 0-9", [x for x in looks if x.truth is not None])
        yield _line("found tiles, whole: numbers from 10, jokers", [x for x in looks if x.truth is None])
    if board is not None:
        yield f"frames with a hand called busy: {_share(*board.hands)}; without one: {_share(*board.quiet)}"
        yield f"board's edge found where it is, 24 exposures of one: {_share(*board.felt)}"
        for name, (named, strange, total) in (
            ("exposure or white balance named as another light", board.lamps),
            ("frames of one game, exposure not locked, named as another light", board.steady),
        ):
            yield f"{name}: {_share(named, total)}, not to be compared: {strange}"


def _line(name: str, looks: Sequence[Look]) -> str:
    right, sure = sum(x.right for x in looks), [x for x in looks if x.sure]
    wrong = sum(not x.right for x in sure)
    share = _share(right, len(looks)) if any(x.truth for x in looks) else "(to be doubted)"
    return f"{name:58}{len(looks):5d} {share:>22} {len(sure):6d} {_share(wrong, len(sure)):>24}"


def _share(hits: int, trials: int) -> str:
    return f"{hits}/{trials} {interval(hits, trials)}"


def _labels(path: Path) -> list[dict[str, Any]]:
    found = read_json(path)
    if not isinstance(found, list):
        raise BadLabels(f"{path}: labels are a list of objects, got a {type(found).__name__}")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Read the photographs and print the figures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate_photos", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=("crops", "tiles", "boards"), default=None)
    options = parser.parse_args(argv)
    try:
        singles = crops(options.folder / "tiles") if options.only in (None, "crops") else {}
        wholes = whole_pictures(options.folder / "tiles") if options.only in (None, "tiles") else []
        board = boards(options.folder / "boards") if options.only in (None, "boards") else None
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    for line in report(singles, wholes, board):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
