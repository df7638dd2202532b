"""What the shipped eye sees of a lesson: its pieces in the order in which they were laid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.colours import white_without_paper
from vision.colour.paint import Paint, measure
from vision.crops import symbols
from vision.crops.faces import FACES, Faces, cut_faces
from vision.errors import CannotLearn, Outline
from vision.eyes import Eyes, shipped_eyes
from vision.geometry import Floats, nearest, quad
from vision.ground.white import Papers
from vision.layout import LAYOUTS
from vision.reader import read
from vision.reading import SYMBOLS, DieReading, Point, Problem, Reading, Status, TileReading
from vision.teaching.lessons import Lesson
from vision.tray.rectify import Image, find_tray

STRAYS = 36
"""Crops of felt and seams kept from one picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the shipped eye saw of a lesson, its pieces in the order of the lesson's rows."""

    lesson: Lesson
    crops: NDArray[np.uint8]
    quads_px: Floats
    shows: NDArray[np.uint8]
    row: NDArray[np.uint8]
    called: tuple[str, ...]
    """What the shipped eye calls the colour of each row."""
    paint: Paint
    white_bgr: Floats
    strays: NDArray[np.uint8]

    def outline_of(self, row: int, place: int | None) -> Outline:
        """Return where a piece lies in the picture, four corners; where a whole row does, for None."""
        quads_px = self.quads_px[self.row == row]
        if place is not None:
            return quad(quads_px[place])
        return quad(np.asarray(cv2.boxPoints(cv2.minAreaRect(quads_px.reshape(-1, 2).astype(np.float32))), np.float64))

    def around(self) -> Outline:
        """Return four corners around all pieces, upright in the picture."""
        (x0, y0), (x1, y1) = self.quads_px.min(axis=(0, 1)), self.quads_px.max(axis=(0, 1))
        return quad(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))


def look_at(lesson: Lesson, number: int) -> Seen:
    """Return the pieces of a picture, each with what its owner says of it."""
    seen: list[Floats] = []
    eyes = _noting(shipped_eyes(), seen)
    reading = read(lesson.picture_bgr, expect=lesson.expect, tray=lesson.tray, eyes=eyes, turn=False)
    found = in_places(lesson, reading, number)
    _refuse_on_their_heads(lesson, found, number)
    quads_px = _own_quads([p.centre for row in found for p in row], np.concatenate(seen))
    picture, rows = lesson.picture_bgr, lesson.rows
    tray = find_tray(picture, hint=lesson.tray)
    white = Papers.of(picture, tray).white() if tray is not None else None
    paint = measure(picture, quads_px)
    cut = cut_faces if lesson.dice else symbols.cut_crops
    shows = [FACES.index(("die", int(s))) if lesson.dice else SYMBOLS.index(s) for row in rows for s in row]
    return Seen(
        lesson,
        cut(picture, quads_px),
        quads_px,
        np.array(shows, np.uint8),
        np.array([k for k, row in enumerate(rows) for _ in row], np.uint8),
        tuple(_most([p.colour or "" for p in row]) for row in found),
        paint,
        white if white is not None else white_without_paper(paint, loose=lesson.dice),
        np.zeros((0, 48, 40, 3), np.uint8) if lesson.dice else _strays(picture, quads_px),
    )


def _noting(eyes: Eyes, seen: list[Floats]) -> Eyes:
    """Return eyes that note every place they look at, as found: before it is said which way up a tile lies."""

    def look(picture_bgr: Image, quads_px: Floats) -> symbols.Symbols:
        seen.append(quads_px)
        return eyes.look(picture_bgr, quads_px)

    def look_at_faces(picture_bgr: Image, quads_px: Floats, is_die: NDArray[np.bool_]) -> Faces:
        seen.append(quads_px)
        return eyes.faces(picture_bgr, quads_px, is_die)

    return replace(eyes, look=look, faces=look_at_faces)


def _own_quads(centres: Sequence[Point], seen: Floats) -> Floats:
    """Return (n, 4, 2) the place that was looked at for each piece."""
    away = np.linalg.norm(seen.mean(axis=1)[None] - np.array(centres)[:, None], axis=2)
    return np.asarray(seen[away.argmin(axis=1)], dtype=np.float64)


Rows = Sequence[Sequence[TileReading | DieReading]]


def in_places(lesson: Lesson, reading: Reading, number: int) -> Rows:
    """Return the pieces found in each row; raises CannotLearn where they are not those of the lesson."""
    if Problem.MIRRORED in reading.problems:
        raise CannotLearn(f"picture {number} shows the tray as a mirror does: turn that off and take it again")
    if reading.status is Status.NO_TRAY:
        raise CannotLearn(_no_tray_in(number, reading.problems))
    if reading.status is Status.BUSY:
        raise CannotLearn(f"a hand or something moving is in picture {number}: take it again")
    if reading.status is Status.EMPTY:
        raise CannotLearn(f"nothing lies on the tray in picture {number}")
    return _dice_rows(lesson, reading, number) if lesson.dice else _tile_rows(lesson, reading, number)


def _no_tray_in(number: int, problems: Problem) -> str:
    """Return why no tray is seen in a picture: who is told of markers does not think of the lamp."""
    if Problem.DARK in problems:
        return f"picture {number} is too dark to show a tray: give more light and take it again"
    if Problem.BRIGHT in problems:
        return f"picture {number} is too bright to show a tray: shade it and take it again"
    return f"no tray is found in picture {number}: check the markers and take it again"


def _tile_rows(lesson: Lesson, reading: Reading, number: int) -> list[list[TileReading]]:
    rows = [[t for t in reading.tiles if t.row == r] for r in sorted({t.row for t in reading.tiles})]
    _same_counts([len(r) for r in rows], [len(r) for r in lesson.rows], number, "tile")
    layout = LAYOUTS[lesson.expect]
    for k, row in enumerate(rows):
        at = [t.column for t in row]
        if at != list(range(at[0], at[0] + len(at))) or (layout.full and at[0] != 0):
            gap = next((a + 1 for a, b in pairwise([-1, *at]) if b != a + 1), 0)
            raise CannotLearn(f"no tile is found in row {k + 1}, place {gap + 1}, of picture {number}: take it again")
    return rows


def _refuse_on_their_heads(lesson: Lesson, found: Rows, number: int) -> None:
    """Raise CannotLearn where the tiles are what is said from the tray's other side alone.

    Where no marker says how the tray lies, the camera may hang on its other side. Signs that the shipped eye does not
    know agree with neither side.
    """
    if lesson.dice:
        return
    other = read(lesson.picture_bgr, expect=lesson.expect, tray=lesson.tray)
    agreed, turned = _agreed(lesson, (t for row in found for t in row)), _agreed(lesson, other.tiles)
    if turned > agreed and turned >= len([s for row in lesson.rows for s in row]) / 2:
        raise CannotLearn(
            f"the tiles of picture {number} stand on their heads: turn the tray round (or the camera, or the markers)"
        )


def _agreed(lesson: Lesson, tiles: Iterable[TileReading | DieReading]) -> int:
    """Return how many tiles show what the lesson says of their places; those of other rows and places show nothing."""
    laid = sorted((t for t in tiles if isinstance(t, TileReading)), key=lambda t: (t.row, t.column))
    return sum(t.symbol == said for t, said in zip(laid, (s for row in lesson.rows for s in row), strict=False))


def _dice_rows(lesson: Lesson, reading: Reading, number: int) -> list[list[DieReading]]:
    """Return the dice in rows, as they lie from the tray's upper edge to its lower one."""
    wanted = [len(row) for row in lesson.rows]
    _same_counts([len(reading.dice)], [sum(wanted)], number, "die")
    assert reading.tray is not None
    tl, tr, _, bl = (np.array(p) for p in reading.tray)
    along, down = (tr - tl) / np.linalg.norm(tr - tl), (bl - tl) / np.linalg.norm(bl - tl)
    by_height = sorted(reading.dice, key=lambda d: float(np.array(d.centre) @ down))
    rows, at = [], 0
    for n in wanted:
        rows.append(sorted(by_height[at : at + n], key=lambda d: float(np.array(d.centre) @ along)))
        at += n
    return rows


def _same_counts(found: list[int], wanted: list[int], number: int, kind: str) -> None:
    if len(found) != len(wanted):
        raise CannotLearn(
            f"picture {number} shows {len(found)} rows of {kind}s (expected {len(wanted)}): lay them as you said"
        )
    for k, (have, want) in enumerate(zip(found, wanted, strict=True)):
        if have != want:
            where = f"row {k + 1} of picture {number}" if len(wanted) > 1 else f"picture {number}"
            raise CannotLearn(f"{where} shows {have} of {want} {'dice' if kind == 'die' else 'tiles'}: take it again")


def _strays(picture_bgr: Image, quads_px: Floats) -> NDArray[np.uint8]:
    """Return crops of what is no tile: seams, and felt beside the rows."""
    rng = np.random.default_rng(len(quads_px))
    pick = quads_px[rng.integers(len(quads_px), size=STRAYS)]
    across, down = pick[:, 1] - pick[:, 0], pick[:, 3] - pick[:, 0]
    steps = rng.choice([-0.5, 0.5], (STRAYS, 2)) + rng.normal(0, 0.08, (STRAYS, 2))
    steps[::3] = rng.choice([-1, 1], (len(steps[::3]), 2)) * rng.uniform(4.5, 6.0, (len(steps[::3]), 2))
    at = pick + (across * steps[:, :1] + down * steps[:, 1:])[:, None]
    h, w = picture_bgr.shape[:2]
    middle = at.mean(axis=1)
    away = nearest(middle, quads_px.mean(axis=1))
    inside = (middle > 0).all(axis=1) & (middle < (w, h)).all(axis=1)
    return symbols.cut_crops(picture_bgr, at[inside & (away > 0.35 * np.linalg.norm(across, axis=1))])


def _most(names: Sequence[str]) -> str:
    return max(sorted(set(names)), key=list(names).count) if names else ""
