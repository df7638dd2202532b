"""Tiles that look blank: face down, or printed on with what this light does not show?

The net sees each face evened out, for itself. What it cannot see is said here: how bold the ink of the other tiles of
the same tray is, whether there was light enough, and not too much, to show any, and of what colour backs are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision import infer
from vision.colour.paint import Paint, lab_of, linear, off_white
from vision.geometry import Bools, Floats, Ints, median

NO_INK, PLAIN_INK = 9.0, 24.0
"""CIE distance between a tile's darkest or lightest spots and its body: below, blank; above, printed on."""
CERTAIN = 0.97
"""A net that thinks so at least this much is believed more when the ink bears it out."""
WITNESS = 4.0
"""What that adds to the log-likelihood."""
FEWEST = 5
"""So many open tiles show how bold the ink of a tray is."""
BOLD, PALER = 25.0, 0.25
"""On a tray whose open tiles nearly all show ink at least so bold, a dry tile that shows less than that share of it is
blank: of 13,000 legible tiles drawn in fonts and looks of their own 8 were so pale, of 2,200 face-down ones 1,674."""
HEEDED = 0.3
"""... if the net thinks so at least this much: none of these was printed on."""
BARE_WITNESS = 6.0
"""What that adds: much less than the drawn trays would allow, which are no real ones."""
LIKE_BACKS = 0.4
"""... and so is, if the net thinks so at least HEEDED, what shows no more than the boldest of FEWEST backs beyond doubt
and less than this share of the ink: the grain of wood is on all of them alike. On 373 trays of three programs no
printed tile does, on 661 drawn in any ink 17 do, all so pale (white on white) that they pass as backs anyway; 20,000
backs do."""
PLAIN, PALEST = 20.0, 0.12
"""On a tray whose ink is at least so bold, a dry tile that shows less than that share of it is blank but for scratches:
none of 11,000 legible tiles was so pale, of 2,200 face-down ones 1,384 were."""
BARER_WITNESS = 7.5
"""What that adds, whatever the net thinks, as a scratch looks like a seven to it: about what these numbers allow (none
of 11,000 says below 3 in 11,000)."""
IN_A_ROW, ROW_INK, ROW_PALER = 3, 8.0, 0.25
"""So many open tiles of one row show the row's own ink. Where the palest of them is at least so bold, a dry tile that
shows less than that share of it is blank: none of 16,000 open tiles of rows, drawn and traced, showed less than half as
much, and of 1,640 face-down ones beside such tiles 1,560 did."""
FACE_DOWN_SEEN = 0.3
"""Prior of a face-down tile on a tray that shows some plainly."""
FACE_DOWN_MOST = 0.6
"""... on one that shows many: their share, but no more than this."""
FACE_DOWN_ROW, OTHER_ROWS = 0.9, 2.0
"""... or in one row: their share among the others of the row, but no more than this; the whole tray counts as much as
so many tiles of the row."""
DRY = 0.02
"""Share of a face blown out up to which its ink is seen."""
BLOWN, BLACK = 0.3, 16.0
"""Share of a face blown out, and grey value of its body, from which and up to which a digit may hide in the light."""
HIDDEN = 0.5
"""How likely the pixels of such a face say nothing."""
AS_MUCH, LITTLE, LIT_ALIKE = 0.8, 0.2, 2
"""... unless so many open tiles of its row show bold ink where as much of their bodies clips: the first of what does of
the blank tile, or the second less. Of 550 tiles drawn and marched, as they are, in twice the light and with lamps
painted on, that look face down so and are not, none lies beside two; of the boards on which 3,533 backs do one in four
is asked about for nothing else, and is not any more."""
FEW = 0.5
"""Share of the tiles that look face down up to which a lamp makes them as pale as the ink: more are white backs."""
WHITE_BACKS, AS_PALE = 5, 12.0
"""So many backs that are not so pale, and this near (CIE) to one that is, show that it is a white back."""
PALED = 0.8
"""How likely the pixels of a face say nothing that a lamp makes as pale as the ink. It is then asked about, even in a
row of which all other tiles lie face down. A face is so, too, that is blown out in part and has the ink's own colour,
which a camera's white may not be: cream on cream was a back for sure (0.999) beside a blank zero that was asked about.
Of 1,166 backs on 634 marched boards that is one, and three white ones of one board beside 20 others."""

A_FEW, APART, LIKE_OPEN, OUT_OF = 5, 2.5, 0.4, 3.0
"""Where so many other backs and so many open tiles lie, and the hues of the two differ by more than the second, over
how much each scatters, a tile is no plain back whose hue lies nearer to the open ones than the third, over the way from
there to the backs, and further from the backs than the fourth, over their scatter: wood's hues differ. Of 5,055 backs
on 2,800 drawn trays whose backs differ so two are asked about, and eleven tiles with ink that is hardly to be seen,
three of which were backs without a word; traced trays have backs of their tiles' own colour."""
LIGHT_DIFFERS, LIKE_NONE = 0.5, 12.0
"""Lightness weighed by the first, a back is like another tile if the CIE distance of their colours is no more than the
second. Of 2,216 on 400 boards of three programs all are, of 17,576 on 1,592 hard drawn ones all but eight, of which
four are printed on."""
OWN_HUE = 0.02
"""What the hue of one tile errs by at least, as a natural logarithm of light."""


def prior_of_down(shown: Bools, row: Ints) -> Floats:
    """Return (n,) the prior of each tile that it lies face down: as many of the others do, on the tray and in its row.

    shown: (n,) which tiles look as if they did; row: (n,) of each.
    """
    if not shown.any():
        return np.full(len(shown), infer.FACE_DOWN)
    share = float(shown.mean())
    beside = row[:, None] == row[None]
    np.fill_diagonal(beside, False)
    in_row = (beside @ shown.astype(np.float64) + OTHER_ROWS * share) / (beside.sum(axis=1) + OTHER_ROWS)
    on_tray = min(max(FACE_DOWN_SEEN, share), FACE_DOWN_MOST)
    return np.asarray(np.maximum(on_tray, np.minimum(in_row, FACE_DOWN_ROW)))


def with_contrast(log_probs: Floats, paint: Paint, rows: Sequence[Sequence[int]] = ()) -> Floats:
    """Return the evidence with what ink alone says of face-down tiles.

    log_probs: (n, 12) in the order of SYMBOLS; paint: of the same n tiles; rows: which tiles lie in rows of one colour
    each, as far as that is known. A second witness beside the net: a tile without any ink lies face down, one with
    plain ink does not. It only strengthens what the net thinks already, as glare can hide the ink of an open tile too;
    but where ink is bold and there is next to none, it speaks for itself.
    """
    p_down = infer.soften(log_probs)[:, infer.DOWN]
    contrast, dry = paint.contrast(), paint.washed < DRY
    more = np.where((contrast < NO_INK) & (p_down > CERTAIN) & dry, WITNESS, 0.0)
    open_ = p_down < 1 - CERTAIN
    printed = contrast[open_]
    bold = float(np.quantile(printed, 0.1)) if len(printed) >= FEWEST else 0.0
    if bold >= BOLD:
        more[(contrast < min(NO_INK, PALER * bold)) & (p_down > HEEDED) & dry] = BARE_WITNESS
    backs = (p_down > CERTAIN) & dry
    if backs.sum() >= FEWEST and bold > 0.0:
        grain = min(float(contrast[backs].max()), LIKE_BACKS * bold)
        more[(contrast <= grain) & (p_down > HEEDED) & dry] = BARE_WITNESS
    if bold >= PLAIN:
        more[(contrast < min(NO_INK, PALEST * bold)) & dry] = BARER_WITNESS
    more[_pale_in_their_row(contrast, open_ & dry, rows) & dry] = BARER_WITNESS
    more[(contrast > PLAIN_INK) & open_] = -WITNESS
    out = log_probs.copy()
    out[:, infer.DOWN] += more
    return out


def _pale_in_their_row(contrast: Floats, open_: Bools, rows: Sequence[Sequence[int]]) -> Bools:
    """Return (n,) which tiles show hardly any of the ink that all open ones (n,) of their row show."""
    out = np.zeros(len(contrast), dtype=bool)
    for row in rows:
        shown = contrast[[k for k in row if open_[k]]]
        if len(shown) >= IN_A_ROW and shown.min() >= ROW_INK:
            out[list(row)] = contrast[list(row)] < ROW_PALER * shown.min()
    return out


def in_this_light(log_probs: Floats, paint: Paint, down: Bools, shows: Bools | None = None) -> Floats:
    """Return the evidence (n, 12) with half of it taken from tiles that are blank by too much or too little light.

    down: (n,) which look face down; these may be printed on. shows: (n,) as `light_shows_ink`; None: nobody knows. It
    is taken from the evidence, not only from one frame's reading: no number of frames in the same light knows more.
    """
    bright = too_light(paint) if shows is None else too_light(paint) & ~shows
    hidden = down & (bright | (paint.body.max(axis=1, initial=0.0) < BLACK))
    paled = down & _paled(paint, down)
    return infer.faded(log_probs, np.where(paled, PALED, np.where(hidden, HIDDEN, 0.0)))


def too_light(paint: Paint) -> Bools:
    """Return (n,) which tiles are blown out so far that a digit may hide there."""
    return np.asarray(paint.washed > BLOWN)


def light_shows_ink(paint: Paint, clips: Floats, down: Bools, row: Ints) -> Bools:
    """Return (n,) in whose light tiles of the same row, printed in the same ink, show it all the same.

    clips: (n, 2) as `vision.colour.paint.clips`; down: (n,) which look face down; row: (n,) of each, -1 for none.
    """
    bold = (row[:, None] == row[None]) & (row >= 0) & ~down & (paint.contrast() > BOLD)
    as_light = clips[None, :, 0] + LITTLE >= AS_MUCH * clips.max(axis=1)[:, None]
    return np.asarray((bold & as_light).sum(axis=1) >= LIT_ALIKE)


def like_open_tiles(paint: Paint, down: Bools) -> Bools:
    """Return (n,) which tiles that look face down, a mask (n,), have the hue of open tiles where backs have another."""
    out, hue = np.zeros(len(down), dtype=bool), _hue(paint.body)
    if down.sum() <= A_FEW or (~down).sum() < A_FEW:
        return out
    for k in np.flatnonzero(down).tolist():
        others = down & (np.arange(len(down)) != k)
        out[k] = _nearer_to(hue[k], hue[~down], hue[others])
    return out


def like_no_other(paint: Paint, down: Bools) -> Bools:
    """Return (n,) which tiles that look face down, a mask (n,), have a colour that no other back and no open tile has.

    A scrap of paper that lies on a tile, or ink that nobody sees. Where all lie down as a rule but the last few, a lone
    back is nothing strange.
    """
    out = np.zeros(len(down), dtype=bool)
    colour = lab_of(paint.body) * (LIGHT_DIFFERS, 1.0, 1.0)
    away = np.linalg.norm(colour[down][:, None] - colour[None], axis=2)
    away[np.arange(len(away)), np.flatnonzero(down)] = np.inf
    out[down] = away.min(axis=1, initial=np.inf) > LIKE_NONE
    return out


def _nearer_to(hue: Floats, open_: Floats, backs: Floats) -> bool:
    """Return whether a hue (2,) is one of open tiles, (m, 2), and these are apart from those of backs, (k, 2)."""
    start, way = median(open_), median(backs) - median(open_)
    far = float(np.linalg.norm(way))
    along = way / max(far, 1e-9)
    scatter = [max(float(np.std(hues @ along)), OWN_HUE) for hues in (open_, backs)]
    off = float((hue - start) @ along)
    return far > APART * math.hypot(*scatter) and off < LIKE_OPEN * far and far - off > OUT_OF * scatter[1]


def _hue(bgr: Floats) -> Floats:
    """Return (n, 2) how blue and how red colours (n, 3) are, over green: light and shade leave it as it is."""
    light = np.log(np.maximum(linear(bgr), 1e-3))
    return np.asarray(light[:, [0, 2]] - light[:, 1:2])


def _paled(paint: Paint, down: Bools) -> Bools:
    """Return (n,) which tiles a lamp makes as pale as the ink of this tray, where its ink is paler than its tiles."""
    none = np.zeros(len(down), dtype=bool)
    if down.all() or not down.any():
        return none
    bodies, inks = lab_of(paint.body), lab_of(paint.ink)
    if np.median((inks - bodies)[~down, 0]) <= 0:
        return none
    white = off_white(paint.body) < NO_INK
    wet = (paint.washed >= DRY) & (white | (np.linalg.norm(bodies - median(inks[~down]), axis=1) < NO_INK))
    wet &= down
    if np.count_nonzero(wet) >= WHITE_BACKS and wet[down].mean() >= FEW:
        wet = none
    pale = white if white[down].mean() < FEW else none
    return np.asarray(_unlike_backs(pale, bodies, down & ~white) | _unlike_backs(wet, bodies, down & ~wet))


def _unlike_backs(pale: Bools, bodies_lab: Floats, backs: Bools) -> Bools:
    """Return (n,) those of the pale tiles, a mask (n,), that are no backs as white as others are. backs: (n,) these."""
    if np.count_nonzero(backs) < WHITE_BACKS:
        return pale
    away = np.linalg.norm(bodies_lab - median(bodies_lab[backs]), axis=1)
    return np.asarray(pale & (away > AS_PALE))
