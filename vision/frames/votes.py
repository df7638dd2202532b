"""What several frames of one still scene say together.

What they say of tiles, and of the places of a mat. How evidence is put together stands in `vision.frames.together`,
dice and disks in `vision.frames.loose_votes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from vision.board.tiles import no_surer, refit
from vision.frames.loose_votes import LooseVote, fuse_loose, loose_votes_of
from vision.frames.missed import Missed, missed_of, seen_by_enough, with_missed
from vision.frames.together import MAJORITY, together
from vision.layout import LAYOUTS, Expectation
from vision.reading import INCOMPLETE, SYMBOLS, Problem, Reading, Status, TileReading

MOST_FRAMES = 8
"""Older frames are forgotten."""
KINDS = ("empty", "dark", "light", "first", "second")
"""What a place of a mat may hold, in the order of its votes."""
BACK = "down"
LEAST = 1e-6
"""No frame says of anything that it cannot be."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one frame says of a scene's tiles."""

    evidence: tuple[tuple[float, ...], ...]
    """Log-likelihoods, a row of 12 for each tile; zeros where a frame says nothing. Of a mat a row of KINDS a place."""
    claims: tuple[str | None, ...] = ()
    """Each tile's symbol, or what each place holds, where the frame alone is sure of it."""
    loose: tuple[LooseVote, ...] = ()
    """What it says of dice and disks."""
    missed: Missed = Missed()
    """What it says may lie there beside all these."""
    doubted: tuple[bool, ...] = ()
    """Of each tile, whether it doubts more than the symbol."""


def vote_of(reading: Reading) -> Vote:
    """Return a frame's vote."""
    loose, missed = loose_votes_of(reading), missed_of(reading)
    if reading.places:
        chances = (dict(place.likely) for place in reading.places)
        evidence = tuple(tuple(log(max(found.get(kind, 0.0), LEAST)) for kind in KINDS) for found in chances)
        return Vote(evidence, tuple(p.holds if p.sure else None for p in reading.places), loose, missed)
    blank = (0.0,) * len(SYMBOLS)
    evidence = tuple(t.evidence if t.evidence is not None else blank for t in reading.tiles)
    claims = tuple(t.symbol if t.sure else None for t in reading.tiles)
    return Vote(evidence, claims, loose, missed, tuple(t.doubted for t in reading.tiles))


def fuse(reading: Reading, votes: Sequence[Vote], others: Sequence[Missed] = (), *, cleared: bool = False) -> Reading:
    """Return a reading with its pieces read anew from several frames of one still scene.

    votes: one for each frame, tiles in the reading's order. others: what frames say that show other pieces, but are of
    the same still picture. Readings whose places are in doubt stay as they are. cleared: the mean of all frames, read
    as one, leaves no doubt: what few of them doubt is noise.
    """
    fused = _fused_pieces(reading, votes, cleared=cleared)
    return with_missed(fused, [*others, *(vote.missed for vote in votes)], cleared=cleared)


def _fused_pieces(reading: Reading, votes: Sequence[Vote], *, cleared: bool) -> Reading:
    if not reading.problems & INCOMPLETE:
        reading = fuse_loose(reading, [vote.loose for vote in votes])
    if reading.places:
        return _fused_places(reading, votes)
    if not reading.tiles:
        return reading
    known = reading.expected is not None and Expectation(reading.expected) in LAYOUTS
    if len(votes) < 2 or reading.problems & INCOMPLETE or not known:
        return reading
    if any(len(v.evidence) != len(reading.tiles) for v in votes) or any(t.evidence is None for t in reading.tiles):
        return reading
    layout = LAYOUTS[Expectation(reading.expected)]
    frames = np.array([v.evidence for v in votes], dtype=np.float64)
    tiles = refit(reading.tiles, together(frames), layout=layout)
    carried = [_carried(k, tile, frames, votes, cleared=cleared) for k, tile in enumerate(tiles)]
    tiles = tuple(
        no_surer(t if borne_out else replace(t, sure=False)) for t, borne_out in zip(tiles, carried, strict=True)
    )
    sure = all(t.sure for t in tiles)
    problems = reading.problems & ~Problem.SET if sure else reading.problems
    sure = sure and all(die.sure for die in reading.dice) and all(disk.sure for disk in reading.disks)
    return replace(reading, tiles=tiles, problems=problems, status=Status.READ if sure else Status.UNSURE)


def _fused_places(reading: Reading, votes: Sequence[Vote]) -> Reading:
    """Return a mat's reading whose places most frames bear out, and none of them denies.

    What a frame is not sure of for the lamp's sake the others are not sure of either; so places are no surer than
    most single frames say, but one bad frame asks no question.
    """
    if len(votes) < 2 or any(len(v.evidence) != len(reading.places) for v in votes):
        return reading
    frames = np.array([v.evidence for v in votes], dtype=np.float64)
    mean = frames.mean(axis=0)
    p = np.exp(mean - mean.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    places = []
    for k, place in enumerate(reading.places):
        named = {kind for kind, _ in place.likely} or {place.holds}
        likely = sorted(((kind, float(p[k, n])) for n, kind in enumerate(KINDS) if kind in named), key=_chance)
        holds, confidence = likely[0]
        claims = [v.claims[k] for v in votes]
        sure = claims.count(holds) >= MAJORITY * len(votes) and set(claims) <= {holds, None}
        now = replace(place, holds=holds, confidence=confidence, likely=tuple(likely), sure=sure)
        places.append(now)
    plain = not reading.strays and not reading.problems & Problem.COUNT and all(d.sure for d in reading.dice)
    status = Status.READ if plain and all(place.sure for place in places) else Status.UNSURE
    return replace(reading, places=tuple(places), status=status)


def _chance(item: tuple[str, float]) -> float:
    return -item[1]


def _carried(k: int, tile: TileReading, frames: NDArray[np.float64], votes: Sequence[Vote], *, cleared: bool) -> bool:
    """Return whether the frames one by one bear out what they say together of tile k."""
    if float(frames[:, k].any(axis=1).mean()) < MAJORITY:
        # Something lies on it: the others may leave one symbol for it, but nobody saw that.
        return False
    if seen_by_enough(sum(v.doubted[k] for v in votes if k < len(v.doubted)), len(votes), cleared=cleared):
        return False
    each = [v.claims[k] for v in votes if k < len(v.claims)]
    if tile.symbol == BACK and each.count(BACK) < MAJORITY * len(votes):
        # What looks like a back in a lamp's image does so in every frame: that is one look, not many.
        return False
    claims = set(each) - {None}
    if claims:
        # A frame alone is sure by the set's rules too: a tile that its row's others decide is seen first by none.
        return claims == {tile.symbol}
    seen = frames[:, k].argmax(axis=1) == SYMBOLS.index(tile.symbol)
    return float(seen.mean()) >= MAJORITY


__all__ = ["MOST_FRAMES", "Vote", "fuse", "together", "vote_of"]
