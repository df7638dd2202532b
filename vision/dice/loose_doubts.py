"""What makes a die or a disk one to be asked about, whatever the net says of its face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.crops import outline
from vision.crops.faces import DISK_SHARE, FACES, MARGIN, Faces, closer, cut_faces
from vision.crops.hidden_pips import FOUR, TWO, may_be_six, may_have_a_middle
from vision.crops.kin import normalised
from vision.crops.marks import DiskMarks
from vision.crops.middle_pip import THREE, empty_middle, in_a_row, lamp_odds
from vision.crops.pips import SIX, count_pips, evenness, of_two_inks, shows_a_seventh, shows_more
from vision.crops.second_look import DOUBTFUL, LEGIBLE, certainty
from vision.crops.single_pip import is_no_pip
from vision.dice.loose_spots import PLAINLY_DISK, LooseSpots
from vision.geometry import Bools, Floats, Ints
from vision.tray.rectify import Image

PLAIN = 0.4
"""A piece found less certainly than this is asked about."""
PLAIN_DOUBT, PLAIN_UNREADABLE = 1e-3, 0.01
"""... but for a face in which there is less doubt than this, and none that it can be read. Photographs without a tray,
where 461 other things are taken for dice, have 36 more of these: all of them dice, and right."""
DOTTED = np.array([kind == "prediction" for kind, _ in FACES])
"""Which of FACES are dots of a disk."""
FAINT_BESIDE, MOST_DOTS = 0.5, 4
"""Dots are no dots if their contrast, and that over their light, is less than this share of the plainest on the tray's
other disks. Of 1,100 dotted disks on 435 trays by two programs the faintest has 0.57 of the contrast; of 927 on 348 by
four it asks about four, and about three more, plain ones in a shadow, if their light did not count. Of four dots,
wherever light falls, that is not asked: no knots lie on a square."""
MIDDLE = (3, 5)
"""Values of dice with a pip in the middle, and others."""
SIX_LESS = (FOUR, 5)
"""Faces that show the corners of a six: a lamp may hide its middle pips, or a crumb lie between them."""
ODD = np.array([face in [("die", value) for value in MIDDLE] for face in FACES])
"""Which of FACES these are."""
MIRRORED = 4.0
"""A three or five of which the odds (their logarithm) that its middle is a lamp's image are higher than this may be a
two or a four: one such image makes nothing else of any face. Of 1,003 middle pips on 450 traced trays two are asked
about so, of 371 images 308."""
ALL_ALIKE = 0.85
"""A three or five is no disk's dots if its faintest pip is plainer than this, over the others."""
NO_MIDDLE = 10.0
"""By so much a two is likelier than a three, and a four than a five, where nothing is seen in the middle: much less
than none of 2,719 and 94 in a hundred would allow, as a white lamp on a white die may hide a pip, and the net see a
trace of it. With 100 one more of 300 trays was silently wrong with a lamp painted on each die, with this none."""
HARDLY_DOUBTED, EVEN = 0.999, 0.6
"""A face of which the net is less sure than the first is asked about if its faintest pip is fainter than the second,
over the others. With 0.4 that asked, on 1,248 trays of dice by three programs, about one more that was silently wrong
(glass, with a lamp's mirror image and a pip that shone through: no five but a three), and about three that are right;
with 0.6, of 6,071 dice by two of them, about a rough four that glitters between its pips as a six does (0.53), and
one five that is right."""
FEW, BENT = 3, 0.2
"""A face of so many pips or fewer is asked about, however sure the net is, if its faintest pip is fainter than the
second over the others: seen aslant, two on top and the one of a flank lie nearly as the three of a top. On 948
photographed dice and 3,457 traced ones the true twos and threes have 0.33 at least, such threes 0.05 at most. Of fives
and sixes, which lie as nothing else does, two that are right have less than 0.1. But three that are plainly in a row
(`vision.crops.middle_pip.in_a_row`) were found askew."""
UNSURE, SEVERAL, SHARE, BEYOND_DOUBT = 0.95, 2, 1 / 3, 0.9999
"""Where the net is less sure than the first of so many dice of one colour, and of that share of them, it must be as
sure as the last of the others. Two such were wrong among the sure ones of 1,500 trays, a three and a six of glass that
mirror a lamp as a disc, their outer pips in its rim; no other sure one was."""


def plainly_there(spots: LooseSpots) -> Bools:
    """Return (n,) which pieces are plainly there and can be read: of the others only a person can be sure."""
    readable = np.asarray(spots.faces.p_unreadable) < LEGIBLE
    there = (spots.score >= PLAIN) | unmistakable(spots.faces)
    return np.asarray(readable & there & (True if spots.doubted is None else ~spots.doubted))


def unmistakable(faces: Faces) -> Bools:
    """Return (n,) which faces leave so little doubt that they are sure however faintly their pieces were found."""
    doubt = 1.0 - np.exp(faces.log_probs).max(axis=1, initial=0.0)
    return np.asarray((np.asarray(faces.p_unreadable) < PLAIN_UNREADABLE) & (doubt < PLAIN_DOUBT))


def with_empty_middles(picture_bgr: Image, spots: LooseSpots) -> LooseSpots:
    """Return pieces with what the middle of dice says that the net takes for a two or three, or for a four or five."""
    log_probs = spots.faces.log_probs.astype(np.float64)
    first, second = np.argsort(-log_probs, axis=1)[:, :2].T
    odd = np.maximum(first, second)
    pair = spots.is_die & ODD[odd] & (np.abs(first - second) == 1)
    at = np.flatnonzero(pair & (certainty(spots.faces) < DOUBTFUL))
    for k, crop in zip(at.tolist(), cut_faces(picture_bgr, spots.quads_px[at]), strict=True):
        if empty_middle(crop, FACES[odd[k]][1], margin=MARGIN):
            log_probs[k, odd[k]] -= np.log(NO_MIDDLE)
    return replace(spots, faces=Faces(normalised(log_probs), spots.faces.p_unreadable))


def uneven(
    picture_bgr: Image, spots: LooseSpots, p: Floats, *, ask: Bools, exactly: outline.Look | None = None
) -> Bools:
    """Return (n,) which of the dice `ask`ed for may show fewer pips than they seem to, or a digit for a single one.

    p: (n, 13) of FACES. exactly: where a die lies for certain: whose pips are alike there was found askew. None for
    nobody to say.
    """
    out = np.zeros(len(p), dtype=bool)
    face, hardly = p.argmax(axis=1), p.max(axis=1, initial=0.0) < HARDLY_DOUBTED
    least = np.where(hardly, EVEN, np.where(face < FEW, BENT, -np.inf))
    at = np.flatnonzero(ask & spots.is_die)
    for k, crop in zip(at, cut_faces(picture_bgr, spots.quads_px[at]), strict=True):
        value = FACES[face[k]][1]
        if value == 1:
            out[k] = is_no_pip(crop, margin=MARGIN)
            continue
        faint = _faint(crop, value, float(least[k]), row=not hardly[k])
        if faint and exactly is not None:
            (there,) = cut_faces(picture_bgr, exactly(picture_bgr, spots.quads_px[[k]]))
            faint = _faint(there, value, float(least[k]), row=False)
        more = shows_more(crop, value, margin=MARGIN) or (value == SIX and shows_a_seventh(crop, margin=MARGIN))
        out[k] = faint or more or _under_a_lamp(crop, value)
    return out


def _under_a_lamp(crop_bgr: Image, value: int) -> bool:
    """Return whether a lamp's image may hide pips of a face, or it or a crumb be one that the face seems to have."""
    if value in SIX_LESS and may_be_six(crop_bgr, value, margin=MARGIN):
        return True
    if value in (TWO, FOUR):
        return may_have_a_middle(crop_bgr, value, margin=MARGIN)
    return value in MIDDLE and lamp_odds(crop_bgr, value, margin=MARGIN) > MIRRORED


def _faint(crop_bgr: Image, value: int, least: float, *, row: bool) -> bool:
    """Return whether a face lacks a pip: one fainter than `least`, over the others, or without their ink if that is 0.

    row: a three may lie in a row for all that: then it was found askew. But three of which one is a flank's are bent.
    """
    if least > 0:
        faint = evenness(crop_bgr, value, margin=MARGIN) < least
    else:
        faint = of_two_inks(crop_bgr, value, margin=MARGIN)
    return faint and not (row and value == THREE and in_a_row(crop_bgr, value, margin=MARGIN))


def mirroring(picture_bgr: Image, spots: LooseSpots, p: Floats, *, ask: Bools) -> Bools:
    """Return (n,) which of the disks `ask`ed for may mirror a lamp beside other dots, or none, or have none at all.

    p: (n, 13) of FACES. Dots of one set are as plain on one disk as on the next: a mark that is much fainter than those
    of the tray's other disks may be a knot in the wood, on a back without any.
    """
    out = np.zeros(len(p), dtype=bool)
    dotted = np.flatnonzero(~spots.is_die & DOTTED[p.argmax(axis=1)])
    if not ask[dotted].any():
        return out
    crops = cut_faces(picture_bgr, closer(spots.quads_px[dotted], spots.is_die[dotted]))
    marks = [DiskMarks.of(crop, share=DISK_SHARE) for crop in crops]
    ink = np.array([(seen.contrast, seen.of_its_light) for seen in marks])
    for n, (k, seen) in enumerate(zip(dotted.tolist(), marks, strict=True)):
        value = FACES[int(p[k].argmax())][1]
        faint = len(ink) > 1 and bool((ink[n] < FAINT_BESIDE * np.delete(ink, n, axis=0).max(axis=0)).all())
        out[k] = ask[k] and ((faint and value < MOST_DOTS) or not seen.fit(value))
    return out


def of_no_die(torn: Ints, names: Sequence[str | None]) -> Bools:
    """Return (n,) which dice look like disks, or may be some and have a colour that none of the others surely has.

    torn: as `LooseSpots` has it; names: of the n, None for one in doubt.
    """
    theirs = {name for name, doubtful in zip(names, torn, strict=True) if not doubtful} - {None}
    return np.asarray((torn > 1) | ((torn > 0) & np.array([name not in theirs for name in names], dtype=bool)))


def beside_doubtful(p: Floats, names: Sequence[str | None]) -> Bools:
    """Return (n,) which dice are doubtful for their siblings' sake: the net is unsure of several of that colour.

    p: (n, 13) of FACES; names: of the n, None for one in doubt. What misleads it on some, glass or a lamp's image that
    cuts pips in two, it takes for a face on others.
    """
    best = p.max(axis=1, initial=0.0)
    kinds = np.array([name or "" for name in names], dtype=np.str_)
    alike = kinds[:, None] == kinds[None]
    unsure = (alike & (best[None] < UNSURE)).sum(axis=1)
    return np.asarray((unsure >= np.maximum(SEVERAL, SHARE * alike.sum(axis=1))) & (best < BEYOND_DOUBT))


def no_disks(picture_bgr: Image, spots: LooseSpots, *, ask: Bools) -> Bools:
    """Return (n,) which of the pieces `ask`ed for show what no disk does: a six beyond doubt, three or five pips alike.

    Of 979 disks on traced trays, cut in twelve ways each, none looks like a six. Two dots or a digit look like a three,
    four dots like a five; but of 446 cuts that do so beyond doubt, of 812 disks, on five as many pips are counted, and
    the faintest of them has 0.73 of the others' contrast at most. What was plainly found as a disk must show three pips
    of which the middle one is exactly like the others (a round die seen from above is found so).
    """
    face = spots.faces.log_probs.argmax(axis=1)
    plainly = ask & spots.is_die & unmistakable(spots.faces)
    found_so = np.zeros(len(face), dtype=bool) if spots.torn is None else spots.torn == PLAINLY_DISK
    out = plainly & (face == FACES.index(("die", 6))) & ~found_so
    at = np.flatnonzero(plainly & ODD[face])
    crops = cut_faces(picture_bgr, spots.quads_px[at])
    for k, crop, pips in zip(at, crops, count_pips(crops, margin=MARGIN), strict=True):
        value = FACES[face[k]][1]
        alike = not found_so[k] and pips == value and evenness(crop, value, margin=MARGIN) > ALL_ALIKE
        out[k] = alike and lamp_odds(crop, value, margin=MARGIN) <= MIRRORED
        out[k] |= value == THREE and in_a_row(crop, value, margin=MARGIN, exactly=True)
    return np.asarray(out)
