"""A still scene in several exposures (bracketing): what light blanks out in the usual one, a shorter one shows.

A pip that blooms, a marker that mirrors a lamp, a number on a white tile beside a window: no number of frames in the
same exposure tells more of these. So before the table is asked, the camera lets in less light for a moment, and less
again where that leaves a doubt. The readings are put together here, one after the other.

Two things keep it honest. Only what the usual exposure asks about is taken from a shorter one, and only if the usual
one does not say that it cannot be. And what two of them are sure of must be the same, piece for piece, or it is asked
about: then at least one of them is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import cv2
import numpy as np

from vision import infer
from vision.crops.faces import FACES
from vision.frames.alike import same_board
from vision.frames.loose_votes import beside, face_of
from vision.layout import LAYOUTS, Expectation
from vision.reading import (
    DISTURBING,
    INCOMPLETE,
    SYMBOLS,
    DieReading,
    DiskReading,
    PlaceReading,
    Problem,
    Reading,
    Status,
    StrayReading,
    TileReading,
)
from vision.unread import each_once

SHARES = (0.35, 0.12)
"""Light that the shorter exposures let in, over what the camera measured. Of eight trays of Blender's that were asked
about five were read at 0.25 and 0.35, four at 0.5, none at 0.7; of tiles the darker ones are told less surely. But a
white tile in which a lamp of 0.03 sr (11 degrees wide) is mirrored is some six times as bright as the others (of its
light 4 in 100 come back so, of all light 8 in 10 from every side), and white at 0.35 still."""
CANNOT_BE = 1e-3
"""What the usual exposure finds less likely than this no shorter one makes certain."""
PLAIN = 0.9
"""From here on a face is plain. Where more than that is doubted, light is not what is wrong: it may be a disk, or lean.
Of 14 such dice on 291 trays five would be sure in a shorter exposure, one of them wrong and one a disk."""
FIRMER = 10.0
"""Where nothing glares in the usual exposure, a shorter one is but another look at what that doubts: so many times less
it must doubt a tile. Of 57 trays of tiles and disks that are asked about it reads one less so, of 24. A three whose
paint had worn off was a two for sure, 0.996 after 0.98."""
NOT_ALL = DISTURBING | Problem.GLARE
"""Problems of the usual exposure that one which reads everything has cleared up."""

LIGHT = "light"
"""What a place of a mat holds, by its reading, that is a light counter."""

Piece = TypeVar("Piece", TileReading, DieReading, DiskReading, PlaceReading)


def in_all(usual: Reading, shorter: Iterable[Reading]) -> Reading:
    """Return what several exposures of one still scene show together, as `in_both` has it of one after the other.

    shorter: the lightest first. Where one disputes what those before are sure of, that is asked about, whatever the
    later ones show: the darkest is no umpire.
    """
    for short in shorter:
        before, usual = usual, in_both(usual, short)
        if _disputed(before, usual):
            return usual
    return usual


def _disputed(before: Reading, after: Reading) -> bool:
    """Return whether a piece that was sure is in doubt now."""
    return any(
        a.sure and not b.sure
        for pieces in ("tiles", "dice", "disks", "places")
        for a, b in zip(getattr(before, pieces), getattr(after, pieces), strict=False)
    )


def in_both(usual: Reading, short: Reading) -> Reading:
    """Return what two exposures of one still scene show together; the usual one's reading where they do not fit.

    short: of the shorter exposure. They fit where they show the same pieces; a die or disk more may lie where the usual
    one could not read what lies there. Of a usual reading that is sure nothing is taken from the shorter one, but what
    they dispute is asked about.
    """
    seen = (Status.READ, Status.UNSURE)
    if usual.status not in seen or short.status not in seen or not same_board(usual, short):
        return usual
    dice, disks = _loose(usual.dice, short.dice, usual), _loose(usual.disks, short.disks, usual)
    tiles = _tiles(usual, short)
    if dice is None or disks is None or tiles is None:
        return usual
    places = tuple(_agreed(a, b, _held) for a, b in zip(usual.places, short.places, strict=True))
    together = replace(usual, tiles=tiles, dice=dice, disks=disks, places=places)
    if usual.status is Status.READ:
        return together if _all_sure(together) else replace(together, status=Status.UNSURE)
    return _judged(together, usual, short)


def _judged(together: Reading, usual: Reading, short: Reading) -> Reading:
    """Return the pieces of both with what both say of whether these are all."""
    if short.status is Status.READ:
        together = replace(together, problems=usual.problems & ~NOT_ALL, unread=(), unseen=False, strays=())
    else:
        more = short.problems & INCOMPLETE
        unread = each_once(usual.unread + short.unread) if more else usual.unread
        unseen, strays = usual.unseen or short.unseen, _strays(usual, short)
        problems = usual.problems | more
        together = replace(together, problems=problems, unread=unread, unseen=unseen, strays=strays)
    if not _broken(together.tiles, together.expected):
        together = replace(together, problems=together.problems & ~Problem.SET)
    sure = _all_sure(together) and not together.problems & DISTURBING
    if sure and not together.unseen and not together.strays:
        return replace(together, status=Status.READ)
    # As long as something is in doubt, the light may be why.
    return replace(together, status=Status.UNSURE, problems=together.problems | usual.problems & Problem.GLARE)


def _strays(usual: Reading, short: Reading) -> tuple[StrayReading, ...]:
    """Return the pieces beside the places of a mat that either exposure shows, each once.

    None where the shorter one, sure of the places around it, sees the mat's print.
    """
    unsure, named = {p.place for p in short.places if not p.sure}, {stray.near for stray in short.strays}
    hidden = (s for s in usual.strays if s.near not in named and (not s.near or unsure & set(s.near)))
    return (*short.strays, *hidden)


def _all_sure(reading: Reading) -> bool:
    """Return whether there are pieces, and none is in doubt."""
    sure = [p.sure for some in (reading.tiles, reading.dice, reading.disks, reading.places) for p in some]
    return bool(sure) and all(sure)


def _tiles(usual: Reading, short: Reading) -> tuple[TileReading, ...] | None:
    """Return the tiles by both readings; None where they are of two layouts, or call what counts by other colours.

    Where no row tells which tiles are one colour's, only a shorter exposure that is sure of all of them obeys the rule
    of the set, and only its word is taken.
    """
    if not usual.tiles:
        return ()
    known = usual.expected is not None and usual.expected == short.expected
    layout = LAYOUTS.get(Expectation(usual.expected)) if known else None
    if layout is None:
        return None
    pairs = list(zip(usual.tiles, short.tiles, strict=True))
    if layout.colours_count and any(a.sure and a.colour and a.colour != b.colour for a, b in pairs):
        return None
    if not layout.row_colours and short.status is not Status.READ:
        return usual.tiles
    symbol = partial(_symbol, glare=bool(usual.problems & Problem.GLARE))
    tiles = tuple(_agreed(a, b, symbol) for a, b in pairs)
    # Two exposures may call one colour by two names: all tiles have theirs from one.
    named = short.tiles if layout.colours_count else usual.tiles
    tiles = tuple(replace(tile, colour=of.colour) for tile, of in zip(tiles, named, strict=True))
    return _lawful(tiles, usual.tiles) if layout.row_colours else tiles


def _lawful(tiles: Sequence[TileReading], usual: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles, asking about those taken from the shorter exposure that show what another of a row does."""
    twice = _twice(tiles)
    return tuple(
        replace(t, sure=False) if t.sure and not u.sure and (t.row, t.symbol) in twice else t
        for t, u in zip(tiles, usual, strict=True)
    )


def _twice(tiles: Sequence[TileReading]) -> set[tuple[int, str]]:
    """Return row and symbol of what is shown more than once in a row, backs left out."""
    shown = Counter((t.row, t.symbol) for t in tiles if t.symbol != "down")
    return {what for what, count in shown.items() if count > 1}


def _broken(tiles: Sequence[TileReading], expected: str | None) -> bool:
    """Return whether the tiles may be no set: one is in doubt, or two of a row that is one colour's show the same."""
    layout = LAYOUTS.get(Expectation(expected)) if expected is not None and tiles else None
    if layout is None or not layout.row_colours or not all(t.sure for t in tiles):
        return True
    return bool(_twice(tiles))


Loose = TypeVar("Loose", DieReading, DiskReading)


def _loose(usual: Sequence[Loose], short: Sequence[Loose], reading: Reading) -> tuple[Loose, ...] | None:
    """Return dice, or disks, by both readings; None where others lie there."""
    left: list[Loose] = list(short)
    out: list[Loose] = []
    for piece in usual:
        near = [other for other in left if beside(piece.centre, other.centre)]
        if not near:
            return None
        out.append(_in_its_colour(_agreed(piece, near[0], _face), piece))
        left.remove(near[0])
    if not all(_within(piece.centre, reading) for piece in left):
        return None
    return tuple(out + left)


def _in_its_colour(piece: Loose, usual: Loose) -> Loose:
    """Return a die in the colour that the usual exposure names it by, as it does all others of that colour."""
    if isinstance(piece, DieReading) and isinstance(usual, DieReading):
        return replace(piece, colour=usual.colour, colour_sure=usual.colour_sure)
    return piece


def _within(centre: tuple[float, float], reading: Reading) -> bool:
    """Return whether something lies there that was not read."""
    return any(cv2.pointPolygonTest(np.array(o, np.float32), centre, False) >= 0 for o in reading.unread)


def _agreed(usual: Piece, short: Piece, chance: Callable[[Piece, Piece], tuple[bool, float]]) -> Piece:
    """Return a piece as both exposures show it.

    chance: of both, whether they show the same, and how likely the usual one finds what the shorter one shows.
    """
    same, likely = chance(usual, short)
    if usual.sure:
        return usual if same or not short.sure else replace(usual, sure=False)
    return short if short.sure and likely >= CANNOT_BE else usual


def _symbol(usual: TileReading, short: TileReading, *, glare: bool) -> tuple[bool, float]:
    """As `_agreed` wants it. glare: a back that is not sure may be a face in a lamp's image, and rules no number out,
    however many frames in that light say so; and in less light it may be as blank, and still none, unless print would
    be seen in so little."""
    same = usual.symbol == short.symbol
    before = 1.0 - dict(usual.likely).get(short.symbol, 0.0)
    if not glare and FIRMER * (1.0 - short.confidence) > before:
        return same, 0.0
    if glare and usual.symbol == "down":
        return same, 0.0 if same and not short.blank else 1.0
    likely = _of_evidence(usual.evidence, SYMBOLS.index(short.symbol))
    return same, max(likely, dict(usual.likely).get(short.symbol, 0.0))


def _held(usual: PlaceReading, short: PlaceReading) -> tuple[bool, float]:
    """As `_agreed` wants it; a light counter no shorter exposure makes certain unless it looks like others in both: in
    a lamp's image a dark one is as light there."""
    counts = short.holds != LIGHT or (usual.alike and short.alike)
    return usual.holds == short.holds, dict(usual.likely).get(short.holds, 0.0) if counts else 0.0


def _face(usual: DieReading | DiskReading, short: DieReading | DiskReading) -> tuple[bool, float]:
    """As `_agreed` wants it; nothing is likely of a piece whose face is plain, and which is doubted for its shape."""
    if usual.evidence is None and usual.confidence >= PLAIN:
        return face_of(usual) == face_of(short), 0.0
    return face_of(usual) == face_of(short), _of_evidence(usual.evidence, FACES.index(face_of(short)))


def _of_evidence(evidence: tuple[float, ...] | None, index: int) -> float:
    """Return how likely something is by a piece's evidence; 1 where that says nothing."""
    if evidence is None or not any(evidence):
        return 1.0
    return float(infer.soften(np.array([evidence], dtype=np.float64))[0, index])


__all__ = ["SHARES", "in_all", "in_both"]
