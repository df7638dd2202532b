"""Which tiles of a board need no question: found well enough, in a place that is certain, and read beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision import infer
from vision.board.arrange import Arrangement
from vision.board.spots import Spots
from vision.board.stacked import on_another, out_of_row
from vision.crops.symbols import TURNABLE
from vision.geometry import Bools, Floats, Ints
from vision.layout import Layout
from vision.reading import SYMBOLS

Value = TypeVar("Value", np.bool_, np.int64)

WEAK_SCORE = 0.35
"""A tile found no more certainly than this is asked about."""
BEYOND_DOUBT = 0.9999
"""... unless it fills the one free place of a full layout and its own pixels leave no more doubt than this."""
STANDS_OUT = 0.9
"""... and, if it lies face down, at least this share of its place is not felt."""
NO_GAP = 0.5
"""... and where places may be free, what looks face down may be a gap unless this share of it is not felt. On 1,015
trays of Draw Bridge, drawn and traced, two gaps were found as tiles and had 0.25 of their neighbours' arcs in them; of
65 tiles there that looked face down 64 had 0.99 and more."""
UNREADABLE = 0.03
"""Below, `p_unreadable` is the net's own noise."""
BACK, UNREADABLE_BACK = 0.999, 0.1
"""... and below the second on a tile that is a back with the first probability at least, by net, ink and light: there
is nothing to be read. Of 36 backs in between, drawn and traced, none was printed on; tiles printed on that passed for
backs (ink in the body's own colour) had next to no `p_unreadable`."""
HIDDEN = 0.1
"""From here on something lies on a tile, or before it: though the others leave one symbol for it, whoever plays should
see what. Of 545 traced boards that are read at once none has a tile above 0.07."""
HIDDEN_AMONG_GAPS = 0.04
"""... or from here on where places may be free, so that the others leave no symbol for it: of 5,846 tiles of 520 such
boards none has more than 0.02, of other games' letters and numbers of two digits one in ten."""
EXPLAINED_AWAY, HARDLY = 1e-3, 1e-2
"""A symbol that the pixels of one tile find this unlikely was forced on it by the others: the rule was broken
rather; or hardly fits. Of 500 drawn boards on which a number lies twice none is read, with half and with twice of
the second; with twice of it two of 671 traced boards, both right, were asked about for nothing else."""
BROKEN = 0.02
"""From this probability on that a group breaks the rule of the set, it is said."""
FAINT, PALEST = 12.0, 6.0
"""CIE distance between ink and body: where none of a row's open tiles shows more, and one of its tiles is in doubt, no
back of it is certain, as all of a row is printed in one ink. On 448 traced boards it asks about nothing more; on
1,600 drawn ones, with ink that is hardly seen, about digits on eight trays that were sure backs. Where none shows
more than the second, none need be in doubt: none of 1,869 rows of other traced and shared boards is so, and 23 of 6,322
drawn ones, one of which held a digit that nobody sees."""
HARDLY_INKED = 0.2
"""An open tile that shows less than this share of the ink that the others of its row do in the middle is asked about:
a finger's print on a back was a zero, surely, with 0.09. On 148 rows, marched and shared, no tile shows less than 0.41,
and of 82 boards no other is asked about for it."""
STRANGE = 0.1
"""Of a board's mean doubt this share, for every tile: how likely the net is sure of what is not so. It must be, or the
set's rule makes much of odds that mean nothing in a hand that no training saw: of 60 hand-drawn sets 49 boards
with half to four tiles in doubt are borne out better by e^2.6 each (by all of the mean doubt by e^5), 21 with less
worse by e^0.014. Of 2,090 boards in fonts one more is asked about for it, whose four ones look like fours."""
WORN = 2
"""So many tiles of any board may be worn, smeared or in a bad light, in a hand that is known."""
UPRIGHT, TURNED = 0.15, 0.85
"""In between it is not clear which way up a tile lies."""
PLACED_RIGHT, BLANK_RIGHT, FAINT_RIGHT, HIDDEN_RIGHT, ALIKE_RIGHT = 0.3, 0.5, 0.8, 0.97, 0.9
"""How probable it is at most, whatever the pixels say, that this symbol lies in this place: where the place is in
doubt, where a whole row shows nothing, or hardly any ink, where something lies on it, and where another tile of its set
shows the same. Of the tiles of 1,960 trays of which the pixels said so at 99 % and more 59 of 297, none of 27, 44 of
55, 172 of 177 and 78 of 86 were right. Of the second nobody can tell: people do lay one row face down and no other, and
none of these trays had that."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of the n tiles of one board."""

    tiles: Spots
    """With all that was heard of each: ink and light, too."""
    mute: Floats
    """(n,) how likely the pixels of each say nothing: for what lies on it, or as the net hardly knows the hand."""
    places: Arrangement
    layout: Layout
    groups: Sequence[Sequence[int]]
    """Indices of the tiles that share one set of symbols."""
    looks: Ints
    """(n,) the symbol each shows by itself, before its light was looked at; of what arcs turn, the one it is then."""
    post: infer.Posterior
    colour_told: Bools
    """(n,) whose colour is beyond doubt."""
    hidden: Bools
    """(n,) as by `hidden_tiles`, and what looks face down but may be smeared, or has an open tile's hue, or a
    colour of its own."""
    contrast: Floats
    """(n,) CIE distance between ink and body."""
    once_disputed: Bools
    """(n,) which broke the rule of the set until they were looked at closely: the rule makes nothing of them certain,
    their own pixels must."""

    @property
    def set_broken(self) -> bool:
        """Return whether the symbols can hardly be those of one set."""
        return bool(self._bent(EXPLAINED_AWAY).any()) or bool((self.post.broken > BROKEN).any())

    def disputed(self) -> Bools:
        """Return (n,) the tiles by which a set is broken: what shows the same as another of its group, or was bent."""
        out, bent = np.zeros(len(self.looks), dtype=bool), self._bent(EXPLAINED_AWAY)
        alike = contested(self.tiles.log_probs.argmax(axis=1), self.groups)
        for group, broken in zip(map(list, self.groups), self.post.broken > BROKEN, strict=True):
            if broken or bent[group].any():
                out[group] = alike[group] | bent[group]
        return out

    def as_it_looks(self) -> infer.Posterior:
        """Return what is shown: a tile that the rule bent a long way shows what it looks like, to be asked about."""
        shown = self.tiles.log_probs.argmax(axis=1)
        return replace(self.post, best=np.where(self._bent(EXPLAINED_AWAY), shown, self.post.best))

    def certain(self, shown: infer.Posterior, doubted: Bools) -> Bools:
        """Return (n,) which tiles need no question. shown: of `as_it_looks`; doubted: (n,) as `doubted` has it."""
        as_shown = np.where(self._bent(HARDLY), self.looks, self.post.best)
        alone = ~contested(as_shown, self.groups) & ~contested(shown.best, self.groups)
        return np.asarray(infer.sure(shown.confidence) & alone & ~doubted)

    def doubted(self, shown: infer.Posterior) -> Bools:
        """Return (n,) of which tiles more is in doubt than the symbol: no sum over frames makes them certain.

        Whether they are there, where, on or under others, of which colour, which way up, or of this set at all. shown:
        of `as_it_looks`.
        """
        seen = replace(self, post=shown)
        found = (self.tiles.score > WEAK_SCORE) | self._plainly_shown()
        placed = by_piece(~self.places.doubtful, self.places, len(shown.best), otherwise=False) & ~self.hidden
        unheard = not self.layout.colours_count and not self.layout.row_colours
        told = self.colour_told | (seen._by_its_own_pixels() & unheard)
        out = ~(found & placed & told) | seen._which_way_up() | (self.once_disputed & ~seen._by_its_own_pixels())
        out |= seen._in_a_faint_row() | seen._shows_nothing() | seen._hardly_inked()
        return np.asarray(out if self.layout.full else out | seen._may_be_a_gap())

    def at_most(self, shown: infer.Posterior) -> Floats:
        """Return (n,) how probable the symbols are at most, for what else is in doubt. shown: of `as_it_looks`."""
        seen = replace(self, post=shown)
        out = np.where(contested(shown.best, self.groups), ALIKE_RIGHT, 1.0)
        out[self.hidden] = np.minimum(out[self.hidden], HIDDEN_RIGHT)
        out[seen._in_a_faint_row()] = FAINT_RIGHT
        out[seen._shows_nothing() | seen._may_be_a_gap()] = BLANK_RIGHT
        doubtful = by_piece(self.places.doubtful, self.places, len(out), otherwise=True)
        out[doubtful] = np.minimum(out[doubtful], PLACED_RIGHT)
        return np.asarray(out, dtype=np.float64)

    def _bent(self, limit: float) -> Bools:
        """Return (n,) tiles that plainly show something, but hardly what the others leave over for them."""
        own = infer.soften(self.tiles.log_probs)
        left = own[np.arange(len(own)), self.post.best] < limit
        return np.asarray(left & (own.max(axis=1) > 0.5) & (self.tiles.unreadable < 0.5))

    def _plainly_shown(self) -> Bools:
        """Return (n,) tiles, found however poorly, where the layout wants one, that leave no doubt what they show.

        A back shows nothing that felt could not show, so it must be more than felt.
        """
        own = infer.soften(self.tiles.log_probs, floor=0.0)
        beyond = (own.max(axis=1) > BEYOND_DOUBT) & (self.tiles.unreadable < UNREADABLE)
        there = (own.argmax(axis=1) != infer.DOWN) | (self.tiles.covered > STANDS_OUT)
        return np.asarray(beyond & there & self.layout.full & self.places.fits)

    def _by_its_own_pixels(self) -> Bools:
        """Return (n,) tiles that show what they are read as beyond doubt, whichever set they belong to."""
        own = infer.soften(self.tiles.log_probs)[np.arange(len(self.post.best)), self.post.best]
        return np.asarray((1.0 - own <= infer.DOUBT_PER_TILE) & (self.tiles.unreadable < UNREADABLE))

    def _down(self) -> Bools:
        """Return (n,) which tiles are read as face down."""
        return np.asarray(self.post.best == infer.DOWN)

    def _rows(self) -> Ints:
        """Return (n,) the row of each tile, -1 for one without a place."""
        return by_piece(self.places.row, self.places, len(self.looks), otherwise=-1)

    def _in_a_blank_row(self) -> Bools:
        """Return (n,) the face-down tiles of rows in which no tile shows anything: nobody may be able to see their ink.

        Where tiles are laid one by one (Draw Bridge, RULES 1) hardly any lies face down.
        """
        row, down = self._rows(), self._down()
        return np.asarray(down & ~np.isin(row, row[~down]))

    def _shows_nothing(self) -> Bools:
        """Return (n,) the face-down tiles whose ink may be such that nobody sees it: on a full board, one row's.

        On a full one people do lay whole rows face down; who does that lays others so, too.
        """
        blank = self._in_a_blank_row()
        if not self.layout.full:
            return blank
        return np.asarray(blank & (self.layout.row_colours and self._no_others_down(blank)))

    def _hardly_inked(self) -> Bools:
        """Return (n,) the open tiles with next to no ink beside those of their row: a finger's print on a back, say."""
        open_, row, out = ~self._down(), self._rows(), np.zeros(len(self.looks), dtype=bool)
        if not self.layout.row_colours:
            return out
        for one in np.unique(row[open_ & (row >= 0)]):
            here = open_ & (row == one)
            out |= here & (self.contrast < HARDLY_INKED * np.median(self.contrast[here]))
        return out

    def _in_a_faint_row(self) -> Bools:
        """Return (n,) the face-down tiles of rows in which hardly any ink is seen, but some is, or may be."""
        out = np.zeros(len(self.looks), dtype=bool)
        if not self.layout.row_colours:
            return out
        row, down, asked = self._rows(), self._down(), ~infer.sure(self.post.confidence)
        for r in np.unique(row[(asked | ~down) & (row >= 0)]):
            here = row == r
            if self.contrast[here & ~down].max(initial=0.0) < (FAINT if asked[here].any() else PALEST):
                out |= here & down
        return out

    def _no_others_down(self, blank: Bools) -> bool:
        """Return whether the tiles of one row, (n,) as of `_in_a_blank_row`, are the only ones that lie face down.

        A colour's row whose ink is as pale as its tiles, or washed out, looks so. Of 350 trays with tiles face down,
        drawn and traced, 127 have whole rows of these, and others as well; of 400 drawn ones without any three had a
        row in which no ink could be seen, and were silently wrong.
        """
        return bool((blank == self._down()).all()) and len(np.unique(self._rows()[blank])) == 1

    def _may_be_a_gap(self) -> Bools:
        """Return (n,) the face-down tiles that are felt for the most part: neighbours reach into gaps between them."""
        return np.asarray(self._down() & (self.tiles.covered < NO_GAP))

    def _which_way_up(self) -> Bools:
        """Return (n,) sixes and nines of which it is not clear which way up they lie.

        A group that shows both has one of each, and both would have to lie the wrong way round.
        """
        turned, turnable = self.tiles.upside_down, np.isin(self.post.best, TURNABLE)
        out = turnable & (turned > UPRIGHT) & (turned < TURNED)
        for group in map(list, self.groups):
            if turnable[group].sum() == len(TURNABLE) and not out[group].all():
                out[group] &= bool(out[group].sum() == len(TURNABLE))
        return np.asarray(out)


def says_nothing(tiles: Spots) -> Floats:
    """Return (n,) how likely the pixels of each tile say nothing at all, 0 where that is but the net's own noise."""
    back = infer.soften(tiles.log_probs, floor=0.0)[:, infer.DOWN] > BACK
    return np.where(tiles.unreadable > np.where(back, UNREADABLE_BACK, UNREADABLE), tiles.unreadable, 0.0)


def unknown_hand(log_probs: Floats, best: Ints, mute: Floats) -> float:
    """Return how likely each tile's pixels say nothing, as a net that doubts many of a board hardly knows its hand.

    log_probs: (n, 12) of each tile alone. best: (n,) what each shows by all of them and the set's rule. mute: (n,) as
    `says_nothing` has it: what lies on a tile is no matter of the hand, nor a back, nor are the few (WORN) that are in
    doubt most.
    """
    own = infer.soften(log_probs, floor=0.0)[np.arange(len(best)), best]
    doubt = np.sort(np.where((mute > 0.0) | (best == infer.DOWN), 0.0, 1.0 - own))[:-WORN]
    return STRANGE * float(doubt.sum()) / len(own) if len(doubt) else 0.0


def contested(shown: Ints, groups: Sequence[Sequence[int]]) -> Bools:
    """Return (n,) tiles that show what another tile of their group shows too. shown: (n,) index into SYMBOLS."""
    out = np.zeros(len(shown), dtype=bool)
    for group in map(list, groups):
        here = shown[group]
        out[group] = (here != infer.DOWN) & (np.bincount(here, minlength=len(SYMBOLS))[here] > 1)
    return out


def hidden_tiles(tiles: Spots, places: Arrangement, *, full: bool) -> Bools:
    """Return (n,) tiles on which something lies, or which lie on others: what they show is not theirs to say.

    full: of a layout without gaps.
    """
    stacked = on_another(tiles.quads_px, partial(out_of_row, tiles, places))
    return stacked | (tiles.unreadable >= (HIDDEN if full else HIDDEN_AMONG_GAPS))


def by_piece(values: NDArray[Value], places: Arrangement, n: int, *, otherwise: Value | int | bool) -> NDArray[Value]:
    """Return (n,) by piece what is said place by place; `otherwise` of a piece without a place."""
    out = np.full(n, otherwise, dtype=values.dtype)
    out[places.index] = values
    return out
