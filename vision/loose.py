"""Dice and disks: pieces that have no place in a layout, only a value, a colour and a spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from vision import colours, infer
from vision.colour_names import Known
from vision.faces import DISK_SHARE, FACES, MARGIN, Faces, closer, cut_faces
from vision.geometry import Bools, Floats, Ints, quad
from vision.loose_paint import measure_loose
from vision.marks import dots_fit
from vision.paint import patches
from vision.pips import count_pips, evenness, unlike
from vision.reading import DieReading, DiskReading, Problem
from vision.rectify import Image, Tray
from vision.second_look import LEGIBLE, Look, SecondOpinion, look_again
from vision.sizes import HARDLY

FOUND = 0.3
"""Score from which a piece is taken for one."""
PLAIN = 0.4
"""A piece found less certainly than this is asked about."""
PLAIN_DOUBT, PLAIN_UNREADABLE = 1e-3, 0.01
"""... but for a face in which there is less doubt than this, and none that it can be read. Photographs without a tray,
where 461 other things are taken for dice, have 36 more of these: all of them dice, and right."""
DOTTED = np.array([kind == "prediction" for kind, _ in FACES])
"""Which of FACES are dots of a disk."""
ODD = np.array([face in (("die", 3), ("die", 5)) for face in FACES])
"""Which of FACES have a pip in the middle, and others."""
UNLIKE = 1.2
"""A three or five whose middle is another colour than its other pips by more than this, over their contrast, may be a
two or a four with a lamp's mirror image: one such image makes nothing else of any face. Of 828 on 380 traced trays
none has more than 1.13; painted ones, pale among dark pips, have 1.2 to 2.5."""
ALL_ALIKE = 0.85
"""A three or five is no disk's dots if its faintest pip is plainer than this, over the others."""
HARDLY_DOUBTED, EVEN = 0.999, 0.4
"""A face of which the net is less sure than the first is asked about if its faintest pip is fainter than the second,
over the others. On 1,248 trays of dice by three programs that asks about one more that was silently wrong (glass, with
a lamp's mirror image and a pip that shone through: no five but a three), and about three that are right."""
NO_PIECE = 0.85
"""Above this `p_unreadable`, something found less than certainly is no piece at all."""
BESIDE, NO_FACE = 0.97, 0.55
"""... and what was found less certainly than HARDLY and shows no face by this `p_unreadable`, where no further from a
better found one than this, over the side, is the other's side or shadow. A die that lay there would be left over."""
MOST_DICE = 36
"""Six players with six dice each (RULES 2)."""
AROUND = 0.68
"""Half a window around a die, over the die's side: its corners, and little of its neighbours."""
WINDOW_PX = 36
EDGES = 10.0
"""How much more the edges of a die say of its angle than the finder, where they all agree; where half of them do, a
quarter of it. Of 2,802 dice on 440 traced and 80 drawn trays one in ten is off by 6.7 degrees by its edges, by 3.6 as
the finder has it, by 2.9 as both say together; one in twenty by 18, 5 and 4. From 4 to 40 that hardly changes."""

_Values = TypeVar("_Values", Bools, Ints)


@dataclass(frozen=True, slots=True)
class LooseSpots:
    """Possible dice and disks. All arrays of one length n."""

    is_die: Bools
    quads_px: Floats
    """(n, 4, 2) a die's top face, or the square around a disk, in the picture."""
    score: Floats
    faces: Faces
    dropped: bool = False
    """Something else was found that is neither readable nor the shadow of a piece that is."""
    doubted: Bools | None = None
    """(n,) which may be no pieces at all, whatever they show; None for none of them."""
    torn: Ints | None = None
    """(n,) of dice: 0 for a die by its shape, 1 for what may be a disk, 2 for what looks like one; None for all 0."""

    def only(self, keep: Bools) -> LooseSpots:
        """Return the spots of a mask (n,)."""
        shown, doubted, torn = self.faces.only(keep), _kept(self.doubted, keep), _kept(self.torn, keep)
        return LooseSpots(self.is_die[keep], self.quads_px[keep], self.score[keep], shown, self.dropped, doubted, torn)


def dice_quads(
    picture_bgr: Image, centre_mm: Floats, *, side_mm: Floats, tray: Tray, found_deg: Floats | None = None
) -> Floats:
    """Return (n, 4, 2) the top faces of dice in the picture, turned as the finder and their own edges say.

    side_mm: (n,). found_deg: (n,) counter-clockwise angles as the finder has them, NaN where it has none; None for no
    finder.
    """
    box = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    windows = tray.to_px(centre_mm[:, None] + AROUND * side_mm[:, None, None] * box)
    said = np.array([_edges_say(pixels) for pixels in patches(picture_bgr, windows, size=WINDOW_PX)], np.complex128)
    if found_deg is not None:
        said += np.nan_to_num(np.exp(-4j * np.radians(found_deg)))
    out = []
    for centre, side, a in zip(centre_mm, side_mm, np.angle(said) / 4.0, strict=True):
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append(centre + side / 2 * box @ turn)
    return tray.to_px(np.array(out).reshape(-1, 4, 2))


def _edges_say(pixels: Floats) -> complex:
    """Return how a square in the middle of a window lies: four times its angle (clockwise), as long as edges are sure.

    The edges of a square all point along its sides, and four times their angle is one direction, in which pips and
    round corners cancel out.
    """
    t = (np.arange(WINDOW_PX) + 0.5) / WINDOW_PX * 2 - 1
    far = np.hypot(*np.meshgrid(t, t))
    ring = ((far > 0.5) & (far < 0.98))[..., None]
    gx, gy = cv2.Sobel(pixels, cv2.CV_64F, 1, 0), cv2.Sobel(pixels, cv2.CV_64F, 0, 1)
    weight = (gx**2 + gy**2) * ring
    total, most = complex((weight * np.exp(4j * np.arctan2(gy, gx))).sum()), float(weight.sum())
    return EDGES * abs(total) * total / most**2 if most else 0j


@dataclass(frozen=True, slots=True)
class Loose:
    """A reading of dice and disks."""

    dice: tuple[DieReading, ...]
    disks: tuple[DiskReading, ...]
    problems: Problem


def look_at_loose(
    picture_bgr: Image,
    quads_px: Floats,
    is_die: Bools,
    score: Floats,
    *,
    look: Look,
    second: SecondOpinion | None = None,
    apart: Look | None = None,
    doubted: Bools | None = None,
    torn: Ints | None = None,
) -> LooseSpots:
    """Return what the faces show, without what is found so poorly that it is no piece.

    second: heard on the digits of doubtful disks; None for nobody. apart: as of `look_again`. doubted: (n,) which may
    be no pieces at all; torn: (n,) as `LooseSpots` has it.
    """
    keep = score >= FOUND
    quads_px, is_die, score = quads_px[keep], is_die[keep], score[keep]
    shown = look(picture_bgr, quads_px, is_die)
    faces = look_again(picture_bgr, quads_px, is_die, shown, look, second=second, apart=apart)
    real = (np.asarray(faces.p_unreadable) < NO_PIECE) | (score > 2 * FOUND)
    beside = is_die & _beside_a_better(quads_px, score, np.asarray(faces.p_unreadable) >= NO_FACE)
    dropped = _alone(quads_px[~real & ~beside], quads_px[real])
    real &= ~beside
    doubted, torn = _kept(doubted, keep), _kept(torn, keep)
    return LooseSpots(is_die, quads_px, score, faces, dropped, doubted, torn).only(real)


def _kept(values: _Values | None, keep: Bools) -> _Values | None:
    """Return those of (n,) values that a mask (n,) keeps; None for none at all."""
    return None if values is None else values[keep]


def _beside_a_better(quads_px: Floats, score: Floats, faceless: Bools) -> Bools:
    """Return (n,) which of the hardly found pieces without a face are but the side or the shadow of another."""
    side, middle = np.linalg.norm(quads_px[:, 1] - quads_px[:, 0], axis=1), quads_px.mean(axis=1)
    near = np.linalg.norm(middle[:, None] - middle, axis=2) < BESIDE * (side[:, None] + side) / 2
    better = (score[None] > score[:, None]) & ~faceless[None]
    return np.asarray(faceless & (score < HARDLY) & (near & better).any(axis=1))


def _alone(quads_px: Floats, others_px: Floats) -> bool:
    """Return whether one of the pieces lies apart from all the others: not just one seen twice."""
    if len(quads_px) == 0 or len(others_px) == 0:
        return len(quads_px) > 0
    away = np.linalg.norm(quads_px.mean(axis=1)[:, None] - others_px.mean(axis=1)[None], axis=2).min(axis=1)
    width = float(np.linalg.norm(others_px[:, 1] - others_px[:, 0], axis=1).mean())
    return bool((away > 0.75 * width).any())


def read_loose(
    picture_bgr: Image,
    spots: LooseSpots,
    *,
    white_bgr: Floats | None,
    known: Known | None = None,
    feet_px: Floats | None = None,
    doubt: float = infer.DOUBT_PER_TILE,
) -> Loose:
    """Return dice and disks with their values, colours and how sure.

    known: colours of the owner's dice. feet_px: (n, 4, 2) where the pieces stand, by which flanks are seen; None where
    nobody knows. doubt: probability of error that one piece may carry and still be called sure.
    """
    n = len(spots.score)
    problems = Problem.COUNT if spots.dropped else Problem.NONE
    if n == 0:
        return Loose((), (), problems)
    dice_at = np.flatnonzero(spots.is_die)
    feet = None if feet_px is None else feet_px[dice_at]
    names, colour_sure = _colours(picture_bgr, spots.quads_px[dice_at], feet, white_bgr, known)
    p, plain = infer.soften(np.asarray(spots.faces.log_probs, dtype=np.float64)), _plain(spots)
    if spots.torn is not None:
        torn = np.where(_no_disks(picture_bgr, spots, ask=spots.torn > 0), 0, spots.torn)
        told = [name if is_told else None for name, is_told in zip(names, colour_sure, strict=True)]
        plain[dice_at] &= ~_of_no_die(torn[dice_at], told)
    sure = infer.sure(p.max(axis=1), tile=doubt) & plain
    if known is None:
        # Of an owner's dice, which may show anything, the net has learnt what they show.
        plain &= ~_uneven(picture_bgr, spots, p, ask=sure)
    plain &= ~_mirroring(picture_bgr, spots, p, ask=sure)
    sure &= plain
    evidence = [tuple(row.tolist()) if seen else None for row, seen in zip(spots.faces.log_probs, plain, strict=True)]
    best = p.argmax(axis=1)
    confidence = p[np.arange(n), best]
    dice = [
        DieReading(
            value=FACES[int(best[k])][1],
            colour=name,
            sure=bool(sure[k]),
            confidence=float(confidence[k]),
            centre=_centre(spots.quads_px[k]),
            corners=quad(spots.quads_px[k]),
            likely=likely_faces(p[k]),
            evidence=evidence[k],
            colour_sure=bool(told),
        )
        for k, name, told in zip(dice_at, names, colour_sure, strict=True)
    ]
    disks = [
        DiskReading(
            kind=FACES[int(best[k])][0],
            value=FACES[int(best[k])][1],
            sure=bool(sure[k]),
            confidence=float(confidence[k]),
            centre=_centre(spots.quads_px[k]),
            evidence=evidence[k],
        )
        for k in np.flatnonzero(~spots.is_die)
    ]
    if len(dice) > MOST_DICE:
        problems |= Problem.COUNT
    by_place = sorted(dice, key=lambda d: (d.centre[1], d.centre[0]))
    return Loose(tuple(by_place), tuple(sorted(disks, key=lambda d: (d.centre[1], d.centre[0]))), problems)


def likely_faces(p: Floats) -> tuple[tuple[int, float], ...]:
    """Return a die's faces with their probability, likeliest first. p: (13,) in the order of FACES."""
    faces = [(value, float(chance)) for (kind, value), chance in zip(FACES, p, strict=True) if kind == "die"]
    whole = sum(chance for _, chance in faces) or 1.0
    return tuple(sorted(((value, chance / whole) for value, chance in faces), key=lambda face: -face[1]))


def _plain(spots: LooseSpots) -> Bools:
    """Return (n,) which pieces are plainly there and can be read: of the others only a person can be sure."""
    readable = np.asarray(spots.faces.p_unreadable) < LEGIBLE
    there = (spots.score >= PLAIN) | unmistakable(spots.faces)
    return np.asarray(readable & there & (True if spots.doubted is None else ~spots.doubted))


def _uneven(picture_bgr: Image, spots: LooseSpots, p: Floats, *, ask: Bools) -> Bools:
    """Return (n,) which of the dice `ask`ed for may show fewer pips than they seem to. p: (n, 13) of FACES."""
    out = np.zeros(len(p), dtype=bool)
    face, hardly = p.argmax(axis=1), p.max(axis=1, initial=0.0) < HARDLY_DOUBTED
    at = np.flatnonzero(ask & spots.is_die & (ODD[face] | (hardly & (face > 0))))
    for k, crop in zip(at, cut_faces(picture_bgr, spots.quads_px[at]), strict=True):
        value = FACES[face[k]][1]
        out[k] = (ODD[face[k]] and unlike(crop, value, margin=MARGIN) > UNLIKE) or (
            hardly[k] and evenness(crop, value, margin=MARGIN) < EVEN
        )
    return out


def _mirroring(picture_bgr: Image, spots: LooseSpots, p: Floats, *, ask: Bools) -> Bools:
    """Return (n,) which of the disks `ask`ed for may mirror a lamp beside fewer dots. p: (n, 13) of FACES."""
    out = np.zeros(len(p), dtype=bool)
    at = np.flatnonzero(ask & ~spots.is_die & DOTTED[p.argmax(axis=1)])
    for k, crop in zip(at, cut_faces(picture_bgr, closer(spots.quads_px[at], spots.is_die[at])), strict=True):
        out[k] = not dots_fit(crop, FACES[int(p[k].argmax())][1], share=DISK_SHARE)
    return out


def _of_no_die(torn: Ints, names: Sequence[str | None]) -> Bools:
    """Return (n,) which dice look like disks, or may be some and have a colour that none of the others surely has.

    torn: as `LooseSpots` has it; names: of the n, None for one in doubt.
    """
    theirs = {name for name, doubtful in zip(names, torn, strict=True) if not doubtful} - {None}
    return np.asarray((torn > 1) | ((torn > 0) & np.array([name not in theirs for name in names], dtype=bool)))


def _no_disks(picture_bgr: Image, spots: LooseSpots, *, ask: Bools) -> Bools:
    """Return (n,) which of the pieces `ask`ed for show what no disk does: a six beyond doubt, three or five pips alike.

    Of 979 disks on traced trays, cut in twelve ways each, none looks like a six. Two dots or a digit look like a three,
    four dots like a five; but of 446 cuts that do so beyond doubt, of 812 disks, on five as many pips are counted, and
    the faintest of them has 0.73 of the others' contrast at most.
    """
    face = spots.faces.log_probs.argmax(axis=1)
    plainly = ask & spots.is_die & unmistakable(spots.faces)
    out = plainly & (face == FACES.index(("die", 6)))
    at = np.flatnonzero(plainly & ODD[face])
    crops = cut_faces(picture_bgr, spots.quads_px[at])
    for k, crop, pips in zip(at, crops, count_pips(crops, margin=MARGIN), strict=True):
        value = FACES[face[k]][1]
        out[k] = pips == value and evenness(crop, value, margin=MARGIN) > ALL_ALIKE
    return np.asarray(out)


def unmistakable(faces: Faces) -> Bools:
    """Return (n,) which faces leave so little doubt that they are sure however faintly their pieces were found."""
    doubt = 1.0 - np.exp(faces.log_probs).max(axis=1, initial=0.0)
    return np.asarray((np.asarray(faces.p_unreadable) < PLAIN_UNREADABLE) & (doubt < PLAIN_DOUBT))


def _colours(
    picture_bgr: Image, quads_px: Floats, feet_px: Floats | None, white_bgr: Floats | None, known: Known | None
) -> tuple[list[str], Bools]:
    """Return the dice's colours, and (n,) which are sure."""
    if len(quads_px) == 0:
        return [], np.zeros(0, dtype=bool)
    shown = measure_loose(picture_bgr, quads_px, feet_px)
    named, sure = colours.name_loose(shown, white_bgr=white_bgr, known=known)
    return [named.name(k) or "white" for k in range(len(quads_px))], sure


def _centre(points: Floats) -> tuple[float, float]:
    x, y = points.mean(axis=0)
    return float(x), float(y)
