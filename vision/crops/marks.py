"""A second opinion on disks: their dots counted, and a one that is a plain stroke, without anything learned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops.pips import ALIKE, DEEP, FAINTEST, INK_SHARE, STRONGER, hollow, plainer

Array = np.ndarray[Any, np.dtype[Any]]

LEVELS = (0.5, 0.25)
"""Ink is what has this share of the deepest contrast. Both must say the same: the thin loop of a four beside its thick
stem, and the waist of a blurred two, are ink at the lower one."""
SPECK = 0.006
"""A smaller share of the disk is no mark."""
LARGEST = 0.12
"""A larger share of it is no dot."""
EDGE, MIDDLE = 0.9, 0.6
"""Ink beyond this share of the radius is the disk's edge, unless its middle lies within the second: then nothing can be
said."""
RING = 0.65
"""Nor is ink a mark that lies beyond this share of the radius all over: a ring that is printed, or turned, around the
disk. No dot and no digit does."""
OFF_MIDDLE = 0.05
"""Dots whose middle is further from the disk's, over its diameter, are not all dots: of 114 disks by three programs
it is nowhere further than 0.043, and none is asked about for it with seven faults done to the pictures; a lamp mirrored
beside one dot makes it 0.06 to 0.2. With such an image painted on each of 342 disks 1 instead of 12 is sure and wrong,
184 instead of 199 sure and right."""
SQUARE, FOUR = 0.12, 4
"""So many dots that lie on a square, each off by less than the first, over its half diagonal, are all dots wherever
they lie: no two dots and two lamps do. Of a thick disk seen aslant the flank may count as its top, and the middle is
then another."""
DARKEST = 20.0
"""Grey value below which nobody can say how much darker one thing is than another, as a share."""
GRAIN = (3.0, 0.4)
"""A mark so many times as long as it is wide, and fainter than this share of the plainest, is grain of wood. Of 210
traced trays of disks four were asked about for such a streak beside their dots (3.6 to 7 times as long, 0.19 to 0.33 of
their contrast); a lamp's image is round, or outshines them."""
GRAINY = 0.2
"""Beside four dots on a square, which no lamps are, what is of the other colour is nothing if it has less than this
share of their contrast: grain, and a sensor's noise."""
LIGHT, PALE = 0.6, 40.0
"""Beside dark dots a light mark is no print if it is lighter than the disk by more than the first of their contrast, or
of what white would be, which on a pale disk is less, but by the second at least, in grey values. Of 906 disks with dots
on 360 trays by two programs one shows such a thing, a polished one. With a lamp's image painted on each disk of 210 of
these trays four were sure and wrong, and each shows it: ones as twos, though dot and lamp differ, and a stroke that
mirrors a lamp in its middle, which is a dot on either side of it."""
STREAK_AWAY = 0.15
"""Beside light dots a dark streak is grain, or a shadow, if its line leaves the disk's middle aside by this, over the
disk's diameter; all else that is dark there may be the print, and what is light a lamp's image. Of 228 disks with light
dots on 435 trays by two programs none shows anything dark."""
FOOT = 0.4
"""A dark mark that is darker than the disk by less than this, over what it is darker than what is around it, is none
but the foot of light beside it: a polished disk half of which mirrors a window."""
SAME_SIDE = 0.04
"""Dots and their shades lie the same way beside each other, if no further apart than this, over the disk's diameter."""
SAME_DOT = 0.04
"""Marks at two of LEVELS whose middles are no further apart, over the disk's diameter, are one."""
DOT = (1.45, 0.9)
"""Most length over width of a dot, and least of `_Mark.filled`."""
STROKE = (3.0, 0.95, 0.24)
"""Least length over width of a stroke, least of `_Mark.filled`, least length over the disk's diameter."""


@dataclass(frozen=True, slots=True)
class _Mark:
    area: float
    """Over the disk's."""
    longer: float
    shorter: float
    """Sides of the rectangle with the same second moments, over the disk's diameter."""
    filled: float
    """Its area over that rectangle's: 1 for a stroke, pi / 3 for a dot, less for what is hollow or bent."""
    contrast: float
    """How much darker, or lighter, than what is around it."""
    beyond: float
    """... and than the disk: beside wide dots bare wood is lighter than what is around."""
    away: tuple[float, float]
    """Its middle from the disk's, over the disk's diameter."""
    passing: float
    """How far its longer middle line leaves the disk's middle aside, over the disk's diameter."""


@dataclass(frozen=True, slots=True)
class _Ink:
    deep: Array
    """(s, s) how much darker, or lighter, each place is than what is around it, in grey values."""
    beyond: Array
    """(s, s) ... and than the disk."""
    deepest: float
    """Of the first, the contrast of the deepest ink."""


_Marked = tuple[list[_Mark], float]
"""Marks, and the contrast of the deepest ink."""
_Both = tuple[_Marked | None, _Marked | None]
"""Dark marks, and light ones."""


def seen_on_disks(crops_bgr: Array, *, share: float) -> list[tuple[str, int] | None]:
    """Return what each disk shows, as of `vision.crops.faces.FACES`; None where the marks are no dots and no plain
    stroke.

    crops_bgr: (n, s, s, 3) uint8 with a disk in the middle of each, `share` of the crop's side wide. Of 10,540 disks
    in fonts that no net saw, drawn after all limits here were chosen, it has an opinion on 4,328; one is wrong (a three
    taken for a dot). That was before a lamp beside other marks was known (`_mirrors`), of which it has none now.
    """
    return [DiskMarks.of(crop, share=share).shown() for crop in crops_bgr]


@dataclass(frozen=True, slots=True)
class DiskMarks:
    """What is printed on one disk, or mirrored in it."""

    levels: list[_Both]
    """The marks at each of LEVELS."""
    white: float
    """How much lighter than the disk white is, in grey values."""

    @classmethod
    def of(cls, crop_bgr: Array, *, share: float) -> DiskMarks:
        """Return those of a crop (s, s, 3) uint8 with a disk in its middle, `share` of its side wide."""
        grey = crop_bgr.astype(np.float32).mean(axis=2)
        disk = float(np.median(grey[_far(len(grey), share) < EDGE]))
        dark, light = _ink(grey, disk - grey, share), _ink(255 - grey, grey - disk, share)
        levels = [(_marks(dark, share, level), _marks(light, share, level)) for level in LEVELS]
        return cls(levels, 255.0 - disk)

    @property
    def contrast(self) -> float:
        """How much lighter or darker than what is around them the marks are, in grey values; 0 for no marks."""
        return max((marked[1] for marked in self.levels[0] if marked is not None), default=0.0)

    @property
    def of_its_light(self) -> float:
        """Return the contrast over the lighter of disk and mark: in a shadow both have less, and this is the same."""
        dark, light = (0.0 if marked is None else marked[1] for marked in self.levels[0])
        disk = max(255.0 - self.white, DARKEST)
        return max(dark / disk, light / (disk + light))

    def fit(self, count: int) -> bool:
        """Return whether these may be so many dots: they lie around the disk's middle, or four of them on a square; or
        no marks are seen, or nobody can say whether dark or light ones are the print and neither are plain.

        A small lamp that is mirrored in a polished disk is one more dot, as round and as bright, but one, two and four
        of ours lie around the middle, and are of one colour: light marks beside dark ones fit none. The grain of wood
        counts for nothing.
        """
        each = [_without_grain(plainer(*both)) for both in self.levels]
        four = count == FOUR and _four_but_for_the_edge(*each)
        dots = all(marks is None or (len(marks) == count and _all_dots(marks)) for marks in each)
        return (four and self._of_one_colour()) or ((four or dots) and not self.mirror())

    def shown(self) -> tuple[str, int] | None:
        """Return what they are, as of `vision.crops.faces.FACES`; None for no dots and no plain stroke."""
        said = {_meant(plainer(*both)) for both in self.levels}
        return said.pop() if len(said) == 1 and not self.mirror() else None

    def _of_one_colour(self) -> bool:
        """Return whether nothing but grain is of the other colour: darker, or lighter."""
        contrasts = [marked[1] for marked in self.levels[0] if marked is not None]
        return len(contrasts) < 2 or min(contrasts) < GRAINY * max(contrasts)

    def mirror(self) -> bool:
        """Return whether some of them are a lamp's image."""
        return _mirrors(self.levels[0], self.white)


def _mirrors(both: _Both, white: float) -> bool:
    """Return whether marks of one colour are the print, and of the other a lamp's image: beside dots, on a stroke, or
    in the middle of what is darker than a disk, but not as much as the lamp is lighter.

    white: how much lighter than the disk white is, in grey values.
    """
    dark, light = both
    if dark is None or light is None:
        return False
    if _each_in_its_shade(dark[0], light[0]):
        return False
    if light[1] > STRONGER * dark[1]:
        return not all(_is_streak(mark, light[1]) or mark.beyond < FOOT * mark.contrast for mark in dark[0])
    plain = min(max(mark.contrast for mark in dark[0]), max(white, PALE))
    return max(min(mark.contrast, mark.beyond) for mark in light[0]) > LIGHT * plain


def _each_in_its_shade(dark: list[_Mark], light: list[_Mark]) -> bool:
    """Return whether each of several light marks has a dark one beside it, all on the same side: drilled dots.

    Whichever are the print, and be the others its shade or a lamp in each of them, there are as many.
    """
    if not 2 <= len(dark) == len(light):
        return False
    at, shade = (np.array([mark.away for mark in marks]) for marks in (light, dark))
    away = shade[:, None] - at[None]
    own = np.hypot(*np.moveaxis(away, 2, 0)).argmin(axis=1)
    beside = away[np.arange(len(own)), own]
    near = np.hypot(*beside.T) < [light[k].longer for k in own]
    return bool(len(set(own.tolist())) == len(own) and near.all() and np.ptp(beside, axis=0).max() < SAME_SIDE)


def _is_streak(mark: _Mark, print_: float) -> bool:
    """Return whether a dark mark beside light ones of such a contrast is a streak, and no stroke of a digit."""
    return _is_grain(mark, print_) and mark.passing > STREAK_AWAY


def _without_grain(marks: list[_Mark] | None) -> list[_Mark] | None:
    """Return the marks that are no grain of wood; None for none at all."""
    if marks is None:
        return None
    plainest = max(mark.contrast for mark in marks)
    return [mark for mark in marks if not _is_grain(mark, plainest)]


def _is_grain(mark: _Mark, plainest: float) -> bool:
    return mark.longer >= GRAIN[0] * mark.shorter and mark.contrast <= GRAIN[1] * plainest


def _all_dots(marks: list[_Mark]) -> bool:
    """Return whether marks lie as dots do: around the disk's middle, or four on a square."""
    return _around_the_middle(marks) or (len(marks) == FOUR and _on_a_square(marks))


def _four_but_for_the_edge(deeper: list[_Mark] | None, all_: list[_Mark] | None) -> bool:
    """Return whether four dots on a square are the deeper ink, and of these but some the whole, and nothing else.

    Of a disk that mirrors the sky the edge is as light as a dot's rim, and the two are one then.
    """
    if deeper is None or all_ is None or len(deeper) != FOUR or not _on_a_square(deeper):
        return False
    at = np.array([complex(*mark.away) for mark in deeper])
    return all(np.abs(at - complex(*mark.away)).min() < SAME_DOT for mark in all_)


def _on_a_square(marks: list[_Mark]) -> bool:
    """Return whether four marks lie on a square: each a quarter turn on from the one before."""
    at = np.array([complex(*mark.away) for mark in marks])
    at -= at.mean()
    at = at[np.argsort(np.angle(at))] * np.array([1, -1j, -1, 1j])
    return bool(np.abs(at - at.mean()).max() < SQUARE * abs(at.mean()))


def _around_the_middle(marks: list[_Mark]) -> bool:
    return float(np.hypot(*np.mean([mark.away for mark in marks], axis=0))) < OFF_MIDDLE


def _meant(marks: list[_Mark] | None) -> tuple[str, int] | None:
    if marks is None:
        return None
    if len(marks) == 1 and _is_stroke(marks[0]):
        return "queue", 1
    if len(marks) not in (1, 2, 4) or not all(_is_dot(mark) for mark in marks):
        return None
    areas, contrasts = [m.area for m in marks], [m.contrast for m in marks]
    alike = max(areas) < ALIKE * min(areas) and min(contrasts) > DEEP * max(contrasts)
    return ("prediction", len(marks)) if alike and _around_the_middle(marks) else None


def _is_dot(mark: _Mark) -> bool:
    round_ = mark.longer < DOT[0] * mark.shorter and mark.filled > DOT[1]
    return bool(round_ and mark.area < LARGEST)


def _is_stroke(mark: _Mark) -> bool:
    return bool(mark.longer > STROKE[0] * mark.shorter and mark.filled > STROKE[1] and mark.longer > STROKE[2])


def _ink(grey: Array, beyond: Array, share: float) -> _Ink | None:
    """Return what is dark on a disk; None where it has no ink. beyond: (s, s) how much darker it is than the disk."""
    deep = hollow(grey)
    deepest = float(np.quantile(deep[_far(len(grey), share) < 1.0 - 2.0 * (1.0 - EDGE)], INK_SHARE))
    return None if deepest < FAINTEST else _Ink(deep, beyond, deepest)


def _marks(ink: _Ink | None, share: float, level: float) -> _Marked | None:
    """Return the dark marks on a disk and the contrast of the deepest; None without any, or where they run off it."""
    if ink is None:
        return None
    deep, deepest = ink.deep, ink.deepest
    far, wide = _far(len(deep), share), share * len(deep)
    there = ((deep > level * deepest) & (far < 1.0)).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(there, connectivity=8)
    disk, marks = np.pi / 4 * wide**2, []
    for k in range(1, count):
        inside, area = labels == k, stats[k, cv2.CC_STAT_AREA] / disk
        if area < SPECK or far[inside].min() > RING:
            continue
        if far[inside].max() > EDGE:
            if np.hypot(*(centres[k] - (len(deep) - 1) / 2)) < MIDDLE * wide / 2:
                return None
            continue
        marks.append(_mark(inside, area, ink, wide))
    return (marks, deepest) if marks else None


def _mark(inside: NDArray[np.bool_], area: float, ink: _Ink, disk_px: float) -> _Mark:
    """Return the mark that a mask shows, with the sides of the rectangle whose moments it has, however it lies."""
    # The rim of a drilled dot may be the darkest of it.
    outline, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(np.zeros(inside.shape, np.uint8), outline, -1, 1, -1)
    points = np.argwhere(whole).astype(np.float64)
    # A pixel is as wide as its neighbour is away.
    spread = np.cov(points, rowvar=False, bias=True) + np.eye(2) / 12
    spreads, ways = np.linalg.eigh(spread)
    shorter, longer = np.sqrt(12 * spreads).tolist()
    away = (points.mean(axis=0) - (np.array(inside.shape) - 1) / 2) / disk_px
    return _Mark(
        area,
        longer / disk_px,
        shorter / disk_px,
        len(points) / (shorter * longer),
        float(ink.deep[inside].max()),
        float(ink.beyond[inside].max()),
        (float(away[1]), float(away[0])),
        passing=float(abs(away @ ways[:, 0])),
    )


@cache
def _far(side: int, share: float) -> Array:
    """Return (side, side) how far each pixel is from the middle, over the disk's radius."""
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    return np.asarray(np.hypot(x, y) / (side * share / 2))
