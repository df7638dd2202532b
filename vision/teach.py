"""Teach the eye an owner's own set: each colour's tiles in order, a picture or two.

`learn` takes the pieces from pictures of which their owner says what lies there, fits a head to them, and reads
every picture back: a set that is not read right where it was taught is not given out at all. Nothing here touches
a file or a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.colour.colour_names import plain_names
from vision.colour.paint import balance, lab_of
from vision.errors import CannotLearn
from vision.geometry import Ints
from vision.own_set import OwnSet, Taught
from vision.reader import check_picture, read
from vision.reading import DieReading, TileReading
from vision.teaching.doubts import Doubt, each_once, refuse
from vision.teaching.lessons import Checked, Learnt, Lesson
from vision.teaching.teach_check import mistaken, mistaken_dice
from vision.teaching.teach_fit import Progress, fit, silent
from vision.teaching.teach_look import Rows, Seen, in_places, look_at

BY_INK = 1.5
"""The colour is in the ink if the rows' inks lie so much further apart than their bodies. Of 89 lessons of a hundred
drawn sets the inks do by 5 and more, of 110 with coloured bodies by 0.63 at most."""
LIGHT_ROWS = 0.3
"""Weight of lightness there: a lamp at the upper rim makes each row of one wood a little darker than the one above. In
grey values such bodies once lay nearly as far apart as thin inks on them, and the set was refused."""


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

    colours: names of the rows, top to bottom, of lessons that give none; None for what the shipped eye calls them.
    keep_out: pictures only to be read back. made: the day, for people. before: a set taught earlier, of which what
    these pictures do not show (tiles or dice) is kept. Raises CannotLearn where pictures do not show what is said,
    naming the tile, BadPicture for an array that is no colour picture, and DoubtedLesson where pieces do not look like
    what is said of them: a lesson `as_said` is taught all the same, and what was doubted is kept with the set.
    """
    if not lessons:
        raise CannotLearn("there is no picture to learn from")
    for lesson in (*lessons, *keep_out):
        check_picture(lesson.picture_bgr)
    _check_names(lessons, colours)
    looks = [look_at(lesson, number) for number, lesson in enumerate(lessons, start=1)]
    of_tiles, of_dice = ([x for x in looks if x.lesson.dice == dice] for dice in (False, True))
    doubted = [_insisted(looks, dice=dice) for dice in (False, True)]
    progress(0.15)
    tiles, dice = (_together(kind, colours, d) for kind, d in zip((of_tiles, of_dice), doubted, strict=True))
    strays = [x.strays for x in looks if not x.lesson.dice]
    own = OwnSet(made, tiles, dice, np.concatenate(strays) if strays else OwnSet(made).strays)
    own = _with_earlier(own, before)
    own = fit(own, progress=lambda share: progress(0.15 + 0.6 * share))
    progress(0.8)
    every = (*lessons, *keep_out)
    checked = tuple(_read_back(lesson, own, number) for number, lesson in enumerate(every, start=1))
    already = tuple(_sure_before(lesson, number) for number, lesson in enumerate(every, start=1))
    progress(1.0)
    doubts = doubted[0] + doubted[1]
    return Learnt(own, checked, already, tuple(d.sentence for d in doubts), tuple(d.spot for d in doubts))


def _insisted(looks: Sequence[Seen], *, dice: bool) -> tuple[Doubt, ...]:
    """Return what of one kind of piece is doubted and insisted on; raises DoubtedLesson for what nobody insists on."""
    kind = [k for k, x in enumerate(looks) if x.lesson.dice == dice]
    said = [k for k in kind if looks[k].lesson.as_said]
    checked = [k for k in kind if k not in said]
    found = _doubts(looks, kind, dice=dice)
    if said and checked:
        # What was only insisted on must not vouch for other pictures, nor they hide that it was doubted.
        found += [*_doubts(looks, checked, dice=dice), *_doubts(looks, said, dice=dice)]
    refuse(d for d in found if d.picture in checked)
    return each_once(found)


def _doubts(looks: Sequence[Seen], which: Sequence[int], *, dice: bool) -> list[Doubt]:
    """Return what is doubted of some of the pictures, all of one kind of piece, held against each other."""
    if not which:
        return []
    kind = [looks[k] for k in which]
    doubts = (mistaken_dice if dice else mistaken)(*_all_of(kind), [len(x.shows) for x in kind])
    return [replace(_located(doubt, kind[doubt.picture]), picture=which[doubt.picture]) for doubt in doubts]


def _located(doubt: Doubt, seen: Seen) -> Doubt:
    """Return a doubt with where to look. seen: its picture."""
    return replace(doubt, outline=seen.outline_of(doubt.row, doubt.place), among=seen.around())


def _all_of(looks: Sequence[Seen]) -> tuple[NDArray[np.uint8], Ints, Ints]:
    """Return crops, what is said of each, and its row, of all pictures."""
    parts = ((x.crops, x.shows, x.row) for x in looks)
    crops, shows, row = (np.concatenate(part) for part in zip(*parts, strict=True))
    return crops, shows.astype(np.int64), row.astype(np.int64)


def _together(looks: Sequence[Seen], colours: Sequence[str] | None, doubts: Sequence[Doubt]) -> Taught | None:
    """Return the pieces of several pictures as one set, with what was doubted of them; None without any."""
    if not looks:
        return None
    rows = len(looks[0].lesson.rows)
    if any(len(x.lesson.rows) != rows for x in looks):
        raise CannotLearn(
            "every picture of one lesson shows the same colours in the same order: the rows differ in number"
        )
    body, ink = _colours_of(looks, rows)
    by_ink = not looks[0].lesson.dice and _by_ink(body, ink)
    given = next((x.lesson.colours for x in looks if x.lesson.colours is not None), colours)
    names = tuple(given) if given is not None else looks[0].called
    if given is None and (len(set(names)) < rows or not all(names)):
        # Unknown signs hide from the shipped eye what is ink and what is body; here the rows tell.
        plain = body.astype(np.float64)
        names = plain_names(ink.astype(np.float64), plain) if by_ink else plain_names(plain)
    _check_name_count(names, rows)
    return Taught(
        np.concatenate([x.crops for x in looks]),
        np.concatenate([x.shows for x in looks]),
        np.concatenate([x.row for x in looks]),
        names,
        body,
        ink,
        by_ink=by_ink,
        doubts=tuple(d.sentence for d in doubts),
    )


def _check_names(lessons: Sequence[Lesson], colours: Sequence[str] | None) -> None:
    """Raise CannotLearn where the names given do not fit the rows, before the pictures are looked at."""
    first: dict[bool, tuple[int, tuple[str, ...]]] = {}
    for number, lesson in enumerate(lessons, start=1):
        if (names := lesson.colours or colours) is not None:
            _check_name_count(names, len(lesson.rows))
        if lesson.colours is not None:
            before, called = first.setdefault(lesson.dice, (number, lesson.colours))
            if called != lesson.colours:
                raise CannotLearn(
                    f"the rows are called {', '.join(lesson.colours)} in picture {number}, but {', '.join(called)} in "
                    f"picture {before}: call them alike, or leave the names empty"
                )


def _check_name_count(names: Sequence[str], rows: int) -> None:
    if len(names) != rows or len(set(names)) < rows or not all(names):
        raise CannotLearn(
            f"{rows} rows need {rows} different names of colours, got {', '.join(n or '?' for n in names) or 'none'}"
        )


def _colours_of(looks: Sequence[Seen], rows: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
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
    return bool(_spread(ink) > BY_INK * _spread(body))


def _spread(bgr: NDArray[np.float32]) -> float:
    """Return how far (rows, 3) colours lie from their middle, CIE units, lightness weighed by LIGHT_ROWS."""
    lab = lab_of(bgr.astype(np.float64)) * (LIGHT_ROWS, 1.0, 1.0)
    return float(np.linalg.norm(lab - lab.mean(axis=0), axis=1).mean())


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
    reading = read(lesson.picture_bgr, expect=lesson.expect, tray=lesson.tray, owner=own, turn=False)
    found: Rows = in_places(lesson, reading, number)
    return tuple(
        Checked(r, c, lesson.rows[r][c], _shown(p), taught.names[r], p.colour or "", p.sure, tuple(p.corners))
        for r, row in enumerate(found)
        for c, p in enumerate(row)
    )


def _sure_before(lesson: Lesson, number: int) -> int:
    """Return how many pieces the shipped models read right and were sure of."""
    found = in_places(lesson, read(lesson.picture_bgr, expect=lesson.expect, tray=lesson.tray, turn=False), number)
    pairs = zip((s for row in lesson.rows for s in row), _flat(found), strict=True)
    return sum(p.sure and _shown(p) == s for s, p in pairs)


def _flat(rows: Rows) -> list[TileReading | DieReading]:
    return [p for row in rows for p in row]


def _shown(piece: TileReading | DieReading) -> str:
    return piece.symbol if isinstance(piece, TileReading) else str(piece.value)
