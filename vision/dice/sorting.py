"""Which finds on a tray of dice, or of disks, are pieces to read, which may be nothing, and what else lies there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.crops import standing
from vision.dice import loose_doubts, loose_spots, torn
from vision.dice.cast import NO_FACE, SHADED, dark_felt, in_reach
from vision.dice.finds import Finds, Shown, among
from vision.dice.flanking import flanks_of, in_a_flank, parts_of_dice
from vision.dice.lint import REACH
from vision.dice.loose_spots import PLAINLY_DISK
from vision.dice.patterns import PLAINLY, like_the_rim, on_the_rim
from vision.dice.sizes import of_no_set
from vision.finding.scene import EMPTY_SCORE
from vision.geometry import Bools, Floats, Ints, widths
from vision.ground import felt
from vision.tray.places import on_felt

OUTRIGHT = 0.85
"""No shadow is found so well: of 31 on 290 trays, drawn by two programs, the best was found at 0.73. A grey die between
two others, as dark as felt in a shadow, with a lamp's image painted on it, was found at 0.90."""
HALF = 0.5
"""What is not even half covered by anything may be the gap between other pieces, or felt with a fibre on it."""
SEEN = 0.55
"""What looks like felt and was found less certainly than this is asked what it shows, before it counts as anything."""
BLANK, BLANK_IF_FOUND = 0.1, 0.6
"""... and is no piece if its `p_unreadable` is above the first, or the second where it was found as well as a piece
should be. On 980 traced trays 60 of 64 dice of the felt's colour had 0.06 and less, and 499 of 504 bits of felt with a
fibre or a dent more than 0.1; of the latter none was found so well, was below 0.6 and showed one face."""
PERHAPS = 0.5
"""What looks like felt, shows more than a single pip by less `p_unreadable` than this, and has edges, is asked about
where it is no die's shadow. Of 600 traced trays of dice three dice are such, one half hidden by the rim, and nothing
else: three shadows lie beside their dice."""
NO_DIE = 0.9
"""What looks like felt, touches a die of its size, was found as well as a piece should be and shows one face is asked
about unless its `p_unreadable` is above this: of a die in the colour that felt has in a shadow nothing would be left
over. On 450 traced trays nothing is such; to two of four finders one die was, a grey one between others."""
HINT = 0.02
"""... and is something, however faintly it was found, if it is below this; in between no piece if no face is likelier
than NO_FACE, as of a shadow."""
SHOWING = 0.1
"""What shows a face, by less `p_unreadable` than this, is no fibre, whatever its edges: of 528 bits of felt on traced
trays 5 have less; a disk of the felt's own colour with hardly any edge had less than 0.001, and dice up to 0.06."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What became of the finds; all arrays of one length n."""

    real: Bools
    """Pieces to read."""
    doubted: Bools
    """Of these, which may be nothing at all, whatever they show."""
    foreign: Bools
    """Something else than what is expected, or something that nobody can tell."""
    torn: Ints
    """Of dice: 0 for a die, 1 for what may be a disk, 2 for what looks like one, 3 for what was plainly found so."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is known of the finds before they are sorted; all arrays of one length n."""

    score: Floats
    """How well each was found, 0..1."""
    torn: Ints
    """As `Sorted` has it."""
    round_: Bools
    """Among disks, what the finder takes for dice and is none by its shape."""
    wanted: Bools
    """Of a kind that is expected. The finder takes a die that shows a one for a disk at times, and a dotted disk for a
    die; whoever expects dice has no disks there."""
    bare: Bools
    """What looks like bare felt."""
    thin: Bools
    """What is not even half covered by anything."""
    hardly: Bools
    """Wanted, thin, and not plainly found."""
    dark: Bools
    """Wanted, and as dark as felt in a die's shadow."""
    plain: Bools
    """Wanted, and found as well as a piece should be."""
    shown: Shown
    """What those show that were hardly found, or lie in the dark."""
    edged: Bools
    """Those of the hardly found ones that have edges of their own."""

    @property
    def counts(self) -> Bools:
        """Return which finds nobody would pass over."""
        return self.score >= EMPTY_SCORE


def sort(finds: Finds) -> Sorted:
    """Return which finds to read, which to doubt and which are foreign."""
    seen = _seen(finds)
    may_be_nothing, lint = _lint(finds, seen)
    foreign = _foreign(finds, seen, lint)
    blank, faint = _weak(finds, seen, lint)
    real = seen.wanted & ~lint & ~blank & ~(faint & (seen.score < loose_doubts.PLAIN))
    foreign |= faint & ~blank & ~real & (seen.counts | (seen.shown.unreadable < HINT))
    foreign |= _perhaps_dice(finds, seen, blank, lint, real)
    out = Sorted(real, faint, foreign, seen.torn)
    if not finds.dice:
        return _of_the_set(finds, seen, out)
    out = _without_nothing(finds, seen, out, may_be_nothing, passed_over=(lint | blank) & ~real & ~foreign)
    # What is nothing has put no die away that it overlaps.
    return _without_flanks(finds, out)


def _seen(finds: Finds) -> _Seen:
    """Return what is known of the finds before they are sorted."""
    found, covered = finds.scene.found, finds.scene.covered
    tiles, thin = finds.of("tile"), covered < HALF
    may_be_disks = torn.torn_between(finds)
    round_ = torn.round_ones(finds)
    wanted = ~tiles if finds.dice else finds.of("disk") | (finds.of("die") & (may_be_disks > 0)) | round_
    hardly = wanted & thin & (found.score < felt.PLAINER)
    dark = dark_felt(finds.scene.ground, finds.scene.quads_mm, wanted & (covered < SHADED) & finds.dice)
    plain, bare = wanted & (found.score >= loose_doubts.PLAIN), covered < felt.BARE
    # A die may be of the felt's own colour, and cast a shadow.
    shown, edged = finds.shown(hardly | dark | (plain & bare & dark.any())), finds.outlined(hardly)
    return _Seen(np.asarray(found.score), may_be_disks, round_, wanted, bare, thin, hardly, dark, plain, shown, edged)


def _lint(finds: Finds, seen: _Seen) -> tuple[Bools, Bools]:
    """Return (n,) which finds may be nothing but felt, by where they lie, and which are: fibres, and shadows of dice.

    What shows a face beyond doubt is asked about at least, and what lies in the dark where no die casts a shadow.
    """
    a_disk = (seen.torn == PLAINLY_DISK) & (seen.score >= SEEN)
    lint = seen.hardly & (seen.shown.unreadable > SHOWING) & ~seen.edged & ~a_disk
    casting = _casting(seen, lint)
    shaded = in_reach(finds.scene.quads_mm, seen.dark, casting) & (seen.score < OUTRIGHT)
    may_be_nothing = ~seen.dark | shaded
    lint = lint | (finds.there(seen.dark & may_be_nothing & ~seen.shown.faced) < standing.NO_PIECE)
    return may_be_nothing, lint


def _casting(seen: _Seen, lint: Bools) -> Bools:
    """Return (n,) which finds are dice that cast shadows."""
    return seen.plain & ~lint & (seen.shown.faced | (~seen.bare & ~seen.dark))


def _foreign(finds: Finds, seen: _Seen, lint: Bools) -> Bools:
    """Return (n,) which finds are plainly something else than what is expected."""
    plainly = ~seen.bare | (finds.of("die") & (seen.score >= SEEN))
    out = ~seen.wanted & seen.counts & plainly & ~lint
    return out if finds.dice else out & ~finds.tiles_in_earnest() & ~(finds.of("tile") & seen.thin)


def _weak(finds: Finds, seen: _Seen, lint: Bools) -> tuple[Bools, Bools]:
    """Return (n,) which finds on what looks like bare felt show no face, and which show none beyond doubt.

    Dice may be of the felt's colour. What looks like bare felt is no piece unless it shows a face; if that is not
    unmistakable, it may be one more, or nothing: the table is asked.
    """
    shown, crumb = seen.shown, seen.shown.single & ~seen.edged & finds.dice
    weak = seen.wanted & ~lint & seen.bare & (seen.score < np.where(crumb, felt.PLAINER, SEEN))
    limit = np.where(seen.score < loose_doubts.PLAIN, BLANK, BLANK_IF_FOUND)
    blank = weak & (shown.unreadable > np.where(shown.likeliest < NO_FACE, HINT, limit))
    return blank, weak & ~(shown.plainly & (seen.score >= loose_spots.FOUND))


def _perhaps_dice(finds: Finds, seen: _Seen, blank: Bools, lint: Bools, real: Bools) -> Bools:
    """Return (n,) which finds without a face are asked about as dice none the less; none among disks.

    Half hidden by the rim, or dark on dark: nobody says what it shows, but it has edges, and no die casts it.
    """
    if not finds.dice:
        return np.zeros(len(blank), dtype=bool)
    shown = seen.shown
    edged = blank & seen.edged & ~shown.single & (shown.unreadable < PERHAPS)
    edged &= ~in_a_flank(finds, edged, real)
    # What lies in the dark may be lint by now that cast shadows before: it is left out, and so must it be.
    out = edged & ~in_reach(finds.scene.quads_mm, edged & seen.dark, _casting(seen, lint) & ~seen.dark)
    return out | (blank & seen.plain & (shown.likeliest > NO_FACE) & (shown.unreadable < NO_DIE) & finds.beside(real))


def _without_nothing(finds: Finds, seen: _Seen, out: Sorted, may_be_nothing: Bools, *, passed_over: Bools) -> Sorted:
    """Return how finds are sorted once it is asked whether anything lies there, of what looks like felt or a shadow.

    passed_over: (n,) what neither shows a face nor is asked about.
    """
    hardly = seen.hardly & (seen.shown.unreadable > SHOWING) & (out.foreign | out.real)
    # A fibre may look like a tile, too.
    hardly |= ~seen.wanted & seen.thin & (seen.score < SEEN) & out.foreign
    there = finds.there(passed_over | hardly | (seen.bare & (out.foreign | (out.real & out.doubted))))
    nothing = may_be_nothing & (out.foreign | out.real) & (there < standing.NO_PIECE)
    nothing &= ~finds.shown(nothing).faced
    real, foreign, doubted = out.real & ~nothing, out.foreign & ~nothing, out.doubted & ~(there > standing.A_PIECE)
    by_the_rim = _lint_by_the_rim(finds, seen) & ~(there > standing.A_PIECE)
    perhaps = np.flatnonzero(passed_over & (there > standing.PERHAPS) & ~by_the_rim)
    foreign[perhaps[finds.may_stand(perhaps, above=standing.RATHER_STANDS)]] = True
    foreign &= ~_grain_of_the_rim(finds, foreign & ~(there > standing.A_PIECE))
    return replace(out, real=real, foreign=foreign, doubted=doubted)


def _grain_of_the_rim(finds: Finds, foreign: Bools) -> Bools:
    """Return (n,) which of the finds of a mask (n,) show no face and look as the rim, or the table, does beside."""
    perhaps = foreign & on_the_rim(finds.scene.quads_mm, finds.tray)
    shown, out = finds.shown(perhaps), np.zeros(len(foreign), dtype=bool)
    for k in np.flatnonzero(perhaps & (shown.likeliest < PLAINLY) & (shown.unreadable > HINT)):
        out[k] = like_the_rim(finds.picture_bgr, finds.tray, finds.scene.quads_mm[k])
    return out


def _lint_by_the_rim(finds: Finds, seen: _Seen) -> Bools:
    """Return (n,) which finds may show the rim's edge for a piece's: without any of their own, or a face."""
    quads_mm = finds.scene.quads_mm
    near = ~on_felt(quads_mm.mean(axis=1), finds.tray, inset_mm=REACH * widths(quads_mm)[:, None])
    return np.asarray(near & seen.hardly & ~seen.edged & (seen.shown.unreadable > NO_DIE))


def _without_flanks(finds: Finds, out: Sorted) -> Sorted:
    """Return how finds are sorted once the flanks of dice are put away."""
    if not out.real.any():
        return out
    flank, unsure = flanks_of(finds, out.real)
    real = out.real & ((out.torn == PLAINLY_DISK) | ~flank)
    foreign = (out.foreign & ~parts_of_dice(finds, out.foreign, real)) | torn.too_large(finds, real)
    return replace(out, real=real, doubted=out.doubted | unsure, foreign=foreign)


def _of_the_set(finds: Finds, seen: _Seen, out: Sorted) -> Sorted:
    """Return how finds among disks are sorted once their sizes are compared, and what may be a die is doubted."""
    of_no = among(out.real, of_no_set(np.asarray(finds.scene.found.size_px, np.float64)[out.real]))
    doubted = out.doubted | of_no | (finds.of("die") & ~seen.round_)
    # A fibre may look like a digit.
    perhaps = seen.thin & (seen.score < SEEN) & ((out.real & doubted) | out.foreign)
    nothing = finds.there(perhaps) < standing.NO_PIECE
    return replace(out, real=out.real & ~nothing, foreign=out.foreign & ~nothing, doubted=doubted)
