"""Dice and disks: pieces that have no place in a layout, only a value, a colour and a spot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision import infer
from vision.colour import colours
from vision.colour.colour_names import Known
from vision.colour.loose_colours import with_the_same
from vision.colour.loose_paint import LoosePaint, measure_loose
from vision.colour.paint import shows_colours
from vision.crops import outline
from vision.crops.faces import FACES
from vision.dice import loose_doubts
from vision.dice.loose_spots import LooseSpots
from vision.dice.siblings import with_siblings
from vision.geometry import Bools, Floats, quad
from vision.ground.local_light import LocalLight
from vision.reading import DieReading, DiskReading, Problem
from vision.tray.rectify import Image

MOST_DICE = 36
"""Six players with six dice each (RULES 2)."""


@dataclass(frozen=True, slots=True)
class Loose:
    """A reading of dice and disks."""

    dice: tuple[DieReading, ...]
    disks: tuple[DiskReading, ...]
    problems: Problem


def read_loose(
    picture_bgr: Image,
    spots: LooseSpots,
    *,
    white_bgr: Floats | None,
    known: Known | None = None,
    feet_px: Floats | None = None,
    light: LocalLight | None = None,
    exactly: outline.Look | None = None,
    doubt: float = infer.DOUBT_PER_TILE,
) -> Loose:
    """Return dice and disks with their values, colours and how sure.

    known: colours of the owner's dice. feet_px: (n, 4, 2) where the pieces stand, by which flanks are seen; None where
    nobody knows. light: of the pieces; None: it is even. exactly: as `loose_doubts.uneven` has it. doubt: probability
    of error that one piece may carry and still be called sure.
    """
    problems = Problem.COUNT if spots.dropped else Problem.NONE
    if len(spots.score) == 0:
        return Loose((), (), problems)
    if known is None:
        # What an owner's dice show the net has learnt from them, and they may show anything.
        spots = loose_doubts.with_empty_middles(picture_bgr, spots)
    dice_at = np.flatnonzero(spots.is_die)
    feet = None if feet_px is None else feet_px[dice_at]
    paint = measure_loose(picture_bgr, spots.quads_px[dice_at], feet)
    names, told = _colours(paint, None if light is None else light.only(dice_at), white_bgr, known)
    told &= shows_colours(picture_bgr)
    sure_names = [name if is_told else None for name, is_told in zip(names, told, strict=True)]
    if known is None:
        spots = with_siblings(picture_bgr, spots, sure_names, doubt=doubt)
    shown = _shown(picture_bgr, spots, sure_names, doubt=doubt, taught=known is not None, exactly=exactly)
    dice = [shown.die(*which) for which in zip(dice_at.tolist(), names, told.tolist(), strict=True)]
    disks = [shown.disk(k) for k in np.flatnonzero(~spots.is_die).tolist()]
    if len(dice) > MOST_DICE:
        problems |= Problem.COUNT
    by_place = sorted(dice, key=lambda d: (d.centre[1], d.centre[0]))
    return Loose(tuple(by_place), tuple(sorted(disks, key=lambda d: (d.centre[1], d.centre[0]))), problems)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What n pieces show."""

    spots: LooseSpots
    p: Floats
    """(n, 13) of FACES."""
    sure: Bools
    plain: Bools
    """(n,) of which nothing but the face may be in doubt: it speaks for the next frames, too."""

    def die(self, k: int, colour: str, colour_sure: bool) -> DieReading:
        """Return the k-th piece, a die."""
        best = int(self.p[k].argmax())
        return DieReading(
            value=FACES[best][1],
            colour=colour,
            sure=bool(self.sure[k]),
            confidence=float(self.p[k, best]),
            centre=_centre(self.spots.quads_px[k]),
            corners=quad(self.spots.quads_px[k]),
            likely=likely_faces(self.p[k]),
            evidence=self._evidence(k),
            colour_sure=colour_sure,
        )

    def disk(self, k: int) -> DiskReading:
        """Return the k-th piece, a disk."""
        best = int(self.p[k].argmax())
        return DiskReading(
            kind=FACES[best][0],
            value=FACES[best][1],
            sure=bool(self.sure[k]),
            confidence=float(self.p[k, best]),
            centre=_centre(self.spots.quads_px[k]),
            evidence=self._evidence(k),
        )

    def _evidence(self, k: int) -> tuple[float, ...] | None:
        return tuple(self.spots.faces.log_probs[k].tolist()) if self.plain[k] else None


def _shown(
    picture_bgr: Image,
    spots: LooseSpots,
    names: list[str | None],
    *,
    doubt: float,
    taught: bool,
    exactly: outline.Look | None,
) -> _Shown:
    """Return what pieces show, and how sure that is.

    names: the dice's colours, None for one in doubt. taught: their owner has taught them.
    """
    p, plain = infer.soften(np.asarray(spots.faces.log_probs, dtype=np.float64)), loose_doubts.plainly_there(spots)
    if spots.torn is not None:
        torn = np.where(loose_doubts.no_disks(picture_bgr, spots, ask=spots.torn > 0), 0, spots.torn)
        plain[spots.is_die] &= ~loose_doubts.of_no_die(torn[spots.is_die], names)
    sure = infer.sure(p.max(axis=1), tile=doubt) & plain
    if not taught:
        plain &= ~loose_doubts.uneven(picture_bgr, spots, p, ask=sure, exactly=exactly)
    plain &= ~loose_doubts.mirroring(picture_bgr, spots, p, ask=sure)
    plain[spots.is_die] &= ~loose_doubts.beside_doubtful(p[spots.is_die], names)
    return _Shown(spots, p, sure & plain, plain)


def likely_faces(p: Floats) -> tuple[tuple[int, float], ...]:
    """Return a die's faces with their probability, likeliest first. p: (13,) in the order of FACES."""
    faces = [(value, float(chance)) for (kind, value), chance in zip(FACES, p, strict=True) if kind == "die"]
    whole = sum(chance for _, chance in faces) or 1.0
    return tuple(sorted(((value, chance / whole) for value, chance in faces), key=lambda face: -face[1]))


def _colours(
    shown: LoosePaint, light: LocalLight | None, white_bgr: Floats | None, known: Known | None
) -> tuple[list[str], Bools]:
    """Return the dice's colours, and (n,) which are sure."""
    n = len(shown.edge)
    if n == 0:
        return [], np.zeros(0, dtype=bool)
    light = light or LocalLight.even(n)
    named, sure = colours.name_loose(shown.in_more_light(light.gains[0]), white_bgr=white_bgr, known=known)
    told_at = np.flatnonzero(~light.unknown)
    for gain in light.gains[1:]:
        other, _ = colours.name_loose(shown.in_more_light(gain), white_bgr=white_bgr, known=known)
        sure[told_at] &= with_the_same(named.group[told_at], other.group[told_at])
    return [named.name(k) or "white" for k in range(n)], sure & ~light.unknown


def _centre(points: Floats) -> tuple[float, float]:
    x, y = points.mean(axis=0)
    return float(x), float(y)
