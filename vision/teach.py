"""Teach the eye an owner's own set: each colour's tiles in order, a picture or two.

`learn` takes the pieces from pictures of which their owner says what lies there, fits a head to them, and reads
every picture back: a set that is not read right where it was taught is not given out at all. Nothing here touches
a file or a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision import own_set, symbols
from vision.colours import plain_names, white_without_paper
from vision.errors import CannotLearn
from vision.eyes import Eyes, shipped_eyes
from vision.faces import FACES, Faces, cut_faces
from vision.geometry import Floats
from vision.layout import LAYOUTS, Expectation
from vision.own_set import OwnSet, Taught
from vision.paint import Paint, balance, measure, paper_white
from vision.reader import check_picture, read
from vision.reading import SYMBOLS, DieReading, Point, Reading, Status, TileReading
from vision.rectify import Image, find_tray
from vision.teach_check import refuse_mistaken
from vision.teach_fit import Progress, fit, silent

IN_ORDER = "0123456789"
WILD_ORDER = "123456789#"
DIE_ORDER = "123456"
STRAYS = 36
"""Crops of felt and seams kept from one picture."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture and what its owner says lies there."""

    picture_bgr: Image
    rows: tuple[tuple[str, ...], ...] = (tuple(IN_ORDER),) * 4
    """Top to bottom, left to right: of SYMBOLS for tiles, "1" to "6" for dice."""
    dice: bool = False
    """The rows are of dice."""

    @property
    def expect(self) -> Expectation:
        """Return how such a picture is read."""
        if self.dice:
            return Expectation.DICE
        plain = all(s.isdigit() for row in self.rows for s in row) and [len(r) for r in self.rows] == [10] * 4
        return Expectation.ROWS if plain else Expectation.WILD if self._tens() else Expectation.DRAWBRIDGE

    def _tens(self) -> bool:
        return [len(r) for r in self.rows] == [10] * 4


@dataclass(frozen=True, slots=True)
class Checked:
    """One piece of a picture, read back."""

    row: int
    column: int
    taught: str
    seen: str
    """Empty where nothing was found."""
    colour: str
    seen_colour: str
    sure: bool
    corners: tuple[Point, ...] = ()
    """Where it lies in the picture."""

    @property
    def right(self) -> bool:
        """Return whether it was read as it was taught."""
        return self.taught == self.seen and self.colour == self.seen_colour

    @property
    def sentence(self) -> str:
        """Return what is wrong with it, in a sentence."""
        where = f"row {self.row + 1}, place {self.column + 1}"
        if not self.seen:
            return f"Nothing is found in {where}, where a {self.taught} was said to lie."
        if self.taught != self.seen:
            return f"The {self.taught} in {where} reads as {_named(self.seen)}."
        return f"The {self.taught} in {where} is taken for {self.seen_colour}, not {self.colour}."


@dataclass(frozen=True, slots=True)
class Learnt:
    """A set, and how its pictures read with it."""

    own: OwnSet
    checked: tuple[tuple[Checked, ...], ...]
    """For each picture, those kept out of the learning too."""
    before: tuple[int, ...]
    """How many pieces of each picture the shipped models read right and were sure of."""

    @property
    def wrong(self) -> tuple[Checked, ...]:
        """Return the pieces that do not read as they were taught."""
        return tuple(c for picture in self.checked for c in picture if not c.right)

    @property
    def holds(self) -> bool:
        """Return whether the set may be put in force: everything it was taught reads right."""
        return not self.wrong and bool(self.checked)

    def sentences(self) -> list[str]:
        """Return the outcome in plain words, a sentence for each picture."""
        out = []
        for k, (picture, before) in enumerate(zip(self.checked, self.before, strict=True)):
            right, sure = sum(c.right for c in picture), sum(c.right and c.sure for c in picture)
            out.append(
                f"Picture {k + 1}: {right} of {len(picture)} read right, {sure} of them for certain "
                f"(before: {before} for certain)."
            )
        return out


def rows_of(name: str, colours: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows that a layout's name stands for: "rows" 0 to 9, "wild" 1 to 9 and #, "dice" 1 to 6.

    Raises CannotLearn for another name.
    """
    orders = {"rows": IN_ORDER, "wild": WILD_ORDER, "dice": DIE_ORDER}
    if name not in orders:
        raise CannotLearn(f"{name!r} is no layout to be taught (expected one of {', '.join(orders)})")
    return (tuple(orders[name]),) * colours


def parse_boards(text: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the rows of each board in a text: cells parted by spaces, boards by an empty line.

    Raises CannotLearn for a cell that no tile shows.
    """
    boards: list[list[tuple[str, ...]]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        cells = tuple(line.split())
        for cell in cells:
            if cell not in SYMBOLS or cell == "down":
                raise CannotLearn(f"{cell!r} is no tile (expected 0 to 9 or #), in line {number}")
        if cells:
            boards[-1].append(cells)
        elif boards[-1]:
            boards.append([])
    found = tuple(tuple(b) for b in boards if b)
    if not found:
        raise CannotLearn("there is no tile in the layout")
    return found


def learn(
    lessons: Sequence[Lesson],
    *,
    colours: Sequence[str] | None = None,
    keep_out: Sequence[Lesson] = (),
    made: str,
    before: OwnSet | None = None,
    progress: Progress = silent,
) -> Learnt:
    """Return what was learnt from pictures, read back on all of them.

    colours: names of the rows, top to bottom; None for what the shipped eye calls them. keep_out: pictures only to
    be read back. made: the day, for people. before: a set taught earlier, of which what these pictures do not show
    (tiles or dice) is kept. Raises CannotLearn where pictures do not show what is said, naming the tile, and
    BadPicture for an array that is no colour picture.
    """
    if not lessons:
        raise CannotLearn("there is no picture to learn from")
    for lesson in (*lessons, *keep_out):
        check_picture(lesson.picture_bgr)
    _check_names(lessons, colours)
    looks = [_look(lesson, number) for number, lesson in enumerate(lessons, start=1)]
    if of_tiles := [x for x in looks if not x.lesson.dice]:
        refuse_mistaken(
            np.concatenate([x.crops for x in of_tiles]),
            np.concatenate([x.shows for x in of_tiles]).astype(np.int64),
            np.concatenate([x.row for x in of_tiles]).astype(np.int64),
            [len(x.shows) for x in of_tiles],
        )
    progress(0.15)
    tiles = _together(of_tiles, colours)
    dice = _together([x for x in looks if x.lesson.dice], colours)
    strays = [x.strays for x in looks if not x.lesson.dice]
    own = OwnSet(made, tiles, dice, np.concatenate(strays) if strays else OwnSet(made).strays)
    own = _with_earlier(own, before)
    own = fit(own, progress=lambda share: progress(0.15 + 0.6 * share))
    progress(0.8)
    every = (*lessons, *keep_out)
    checked = tuple(_read_back(lesson, own, number) for number, lesson in enumerate(every, start=1))
    already = tuple(_sure_before(lesson, number) for number, lesson in enumerate(every, start=1))
    progress(1.0)
    return Learnt(own, checked, already)


def in_force(data: bytes) -> OwnSet:
    """Return a kept set, ready to read with: fitted anew where the shipped nets have changed since.

    Raises BadOwnSet for damaged bytes.
    """
    own = own_set.from_bytes(data)
    return own if own.fitted else fit(own)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
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


def _look(lesson: Lesson, number: int) -> _Look:
    """Return the pieces of a picture, each with what its owner says of it."""
    seen: list[Floats] = []
    eyes = _noting(shipped_eyes(), seen)
    reading = read(lesson.picture_bgr, expect=lesson.expect, eyes=eyes)
    found = _in_places(lesson, reading, number)
    quads_px = _own_quads([p.centre for row in found for p in row], np.concatenate(seen))
    picture, rows = lesson.picture_bgr, lesson.rows
    tray = find_tray(picture)
    white = paper_white(picture, tray) if tray is not None else None
    paint = measure(picture, quads_px)
    cut = cut_faces if lesson.dice else symbols.cut_crops
    shows = [FACES.index(("die", int(s))) if lesson.dice else SYMBOLS.index(s) for row in rows for s in row]
    return _Look(
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


_Rows = Sequence[Sequence[TileReading | DieReading]]


def _in_places(lesson: Lesson, reading: Reading, number: int) -> _Rows:
    """Return the pieces found in each row; raises CannotLearn where they are not those of the lesson."""
    if reading.status is Status.NO_TRAY:
        raise CannotLearn(f"no tray is found in picture {number}: check the markers and take it again")
    if reading.status is Status.BUSY:
        raise CannotLearn(f"a hand or something moving is in picture {number}: take it again")
    if reading.status is Status.EMPTY:
        raise CannotLearn(f"nothing lies on the tray in picture {number}")
    return _dice_rows(lesson, reading, number) if lesson.dice else _tile_rows(lesson, reading, number)


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
    away = np.linalg.norm(middle[:, None] - quads_px.mean(axis=1)[None], axis=2).min(axis=1)
    inside = (middle > 0).all(axis=1) & (middle < (w, h)).all(axis=1)
    return symbols.cut_crops(picture_bgr, at[inside & (away > 0.35 * np.linalg.norm(across, axis=1))])


def _together(looks: Sequence[_Look], colours: Sequence[str] | None) -> Taught | None:
    """Return the pieces of several pictures as one set; None without any."""
    if not looks:
        return None
    rows = len(looks[0].lesson.rows)
    if any(len(x.lesson.rows) != rows for x in looks):
        raise CannotLearn(
            "every picture of one lesson shows the same colours in the same order: the rows differ in number"
        )
    body, ink = _colours_of(looks, rows)
    by_ink = not looks[0].lesson.dice and _by_ink(body, ink)
    names = tuple(colours) if colours is not None else looks[0].called
    if colours is None and (len(set(names)) < rows or not all(names)):
        # Unknown signs hide from the shipped eye what is ink and what is body; here the rows tell.
        names = plain_names((ink if by_ink else body).astype(np.float64))
    _check_name_count(names, rows)
    return Taught(
        np.concatenate([x.crops for x in looks]),
        np.concatenate([x.shows for x in looks]),
        np.concatenate([x.row for x in looks]),
        names,
        body,
        ink,
        by_ink=by_ink,
    )


def _check_names(lessons: Sequence[Lesson], colours: Sequence[str] | None) -> None:
    """Raise CannotLearn where the names given do not fit the rows, before the pictures are looked at."""
    for lesson in lessons:
        if colours is not None:
            _check_name_count(colours, len(lesson.rows))


def _check_name_count(names: Sequence[str], rows: int) -> None:
    if len(names) != rows or len(set(names)) < rows or not all(names):
        raise CannotLearn(
            f"{rows} rows need {rows} different names of colours, got {', '.join(n or '?' for n in names) or 'none'}"
        )


def _colours_of(looks: Sequence[_Look], rows: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (rows, 3) bodies and inks under white light, the darker half of each row speaking (gloss lightens)."""
    bodies = np.concatenate([balance(x.paint.body, x.white_bgr) for x in looks])
    inks = np.concatenate([balance(x.paint.ink, x.white_bgr) for x in looks])
    row = np.concatenate([x.row for x in looks])
    out = []
    for paint in (bodies, inks):
        groups = [paint[row == r] for r in range(rows)]
        dark = [g[np.argsort(g.sum(axis=1), kind="stable")[: max(1, len(g) // 2)]] for g in groups]
        out.append(np.array([np.median(g, axis=0) for g in dark], np.float32))
    return out[0], out[1]


def _by_ink(body: NDArray[np.float32], ink: NDArray[np.float32]) -> bool:
    """Return whether it is the ink that tells the colours apart."""
    return bool(_spread(ink) > 1.5 * _spread(body))


def _spread(bgr: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(bgr - bgr.mean(axis=0), axis=1).mean())


def _with_earlier(own: OwnSet, before: OwnSet | None) -> OwnSet:
    """Return the set with what an earlier lesson taught of the other kind of piece."""
    if before is None:
        return own
    if own.tiles is None:
        own = replace(own, tiles=before.tiles, strays=before.strays)
    return own if own.dice is not None else replace(own, dice=before.dice)


def _read_back(lesson: Lesson, own: OwnSet, number: int) -> tuple[Checked, ...]:
    """Return each piece of a lesson as the set reads it now."""
    taught = own.dice if lesson.dice else own.tiles
    assert taught is not None
    reading = read(lesson.picture_bgr, expect=lesson.expect, owner=own)
    found: _Rows = _in_places(lesson, reading, number)
    return tuple(
        Checked(r, c, lesson.rows[r][c], _shown(p), taught.names[r], p.colour or "", p.sure, tuple(p.corners))
        for r, row in enumerate(found)
        for c, p in enumerate(row)
    )


def _sure_before(lesson: Lesson, number: int) -> int:
    """Return how many pieces the shipped models read right and were sure of."""
    found = _in_places(lesson, read(lesson.picture_bgr, expect=lesson.expect), number)
    pairs = zip((s for row in lesson.rows for s in row), _flat(found), strict=True)
    return sum(p.sure and _shown(p) == s for s, p in pairs)


def _flat(rows: _Rows) -> list[TileReading | DieReading]:
    return [p for row in rows for p in row]


def _shown(piece: TileReading | DieReading) -> str:
    return piece.symbol if isinstance(piece, TileReading) else str(piece.value)


def _named(symbol: str) -> str:
    return "face down" if symbol == "down" else f"a {symbol}"


def _most(names: Sequence[str]) -> str:
    return max(sorted(set(names)), key=list(names).count) if names else ""
