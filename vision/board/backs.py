"""Which finds that have nearly the felt's colour are tiles that lie face down: by light, by the nets, by each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.board.spots import FORGOTTEN, LIKE_A_BACK, SCORES, Spots
from vision.geometry import Bools, Floats
from vision.ground.felt import BARE, UNLIKE, Felt
from vision.ground.weave import Smoother
from vision.reading import SYMBOLS

BACK_SCORE = 0.35
"""A face-down tile in a colour that felt has in a shadow is found at least this well. Of felt in a full layout nothing
is (0.34 at most, on 332 trays); between the tiles of a layout with gaps it may be (up to 0.71). See LIKE_A_BACK."""
A_LITTLE_UNLIKE, PLAINLY_A_BACK = 0.08, 0.003
"""... unless they are further than this from lit felt, as 1 in 145 of 69,000 bare places on traced trays is, and have
less `p_unreadable`. Where tiles had been forgotten on 60 such trays no felt was further than 0.068, or had less than
0.008."""
OTHERS, HUE, SHARED = 4, 0.08, 0.5
"""What was found less well than BACK_SCORE is a back like others if there are so many of those, whose hue differs from
the felt's by the second at least (a natural logarithm), and it differs from theirs by no more than this share of that.
Light makes felt darker, but hardly gives it the hue of backs."""
AS_THE_OTHERS = 0.4
"""... and counts as found this well."""

VAGUE, HARDLY_READ, FRAMED_SCORE = 0.85, 0.004, 0.5
"""Between the tiles of a layout with gaps what has the felt's colour, shows no symbol likelier than the first, has more
`p_unreadable` than the second and is found less well than the third is felt. On 884 trays of Draw Bridge, drawn hard
and traced, 11 of 12 gaps were so in which the net saw symbols, and none of 1,188 tiles of the felt's colour: those
found less well than the third had 0.001 at most."""
BY_COLOUR, FARTHEST, BY_SCORE = 27.0, 0.2, 11.5
"""How much of what speaks for a back comes from how far a place is from lit felt, the second at most (felt in a deep
shadow is further), and from how well it is found; the rest is the logarithm of how little of `p_unreadable` it has,
which is no less than LEAST_UNREADABLE. Weights of a logistic regression on 885 finds of felt and 109 of backs, on some
640 boards of Draw Bridge by three programs, 70 of them with backs of nearly the felt's colour."""
LEAST_UNREADABLE = 1e-6
A_BACK, A_SECOND = 14.5, 10.5
"""Between the tiles of a layout with gaps a find of the felt's colour is a back from the first on: five of these
885 are felt, and six of the 109 backs have less. Beside another that is further from lit felt than A_LITTLE_UNLIKE and
differs from this one by no more than AS_FAR in each colour the second is enough."""
AS_FAR = 0.06


def like_felt(spots: Spots) -> Bools:
    """Return (n,) which spots have nearly the felt's colour and show no symbol: felt, or backs."""
    symbol = (spots.log_probs.argmax(axis=1) != SYMBOLS.index("down")) & (spots.unreadable < 0.5)
    return np.asarray((spots.covered < BARE) & ~symbol)


def framed_felt(spots: Spots) -> Bools:
    """Return (n,) which spots are felt that neighbours frame, in which the net sees something or other, hardly.

    Of a layout with gaps; in a full one a tile must lie there.
    """
    vague = (spots.log_probs.max(axis=1) < np.log(VAGUE)) & (spots.unreadable > HARDLY_READ)
    return np.asarray((spots.covered < BARE) & vague & (spots.score < FRAMED_SCORE))


def a_little_unlike(quads_mm: Floats, ground: Felt) -> Bools:
    """Return (n,) which places (n, 4, 2) on the tray are further from lit felt than hardly any felt is."""
    return np.asarray(np.abs(ground.off_lit(quads_mm)).max(axis=1) > A_LITTLE_UNLIKE)


def backs_in_gaps(spots: Spots, quads_mm: Floats, ground: Felt) -> Bools:
    """Return (n,) which spots that pass for felt between the tiles of a layout with gaps are backs of its colour.

    quads_mm: (n, 4, 2) where they lie on the tray. In Draw Bridge (RULES 1) nobody misses a tile that is not seen: one
    that lies face down by mistake is to be asked about, not to be taken for a gap.
    """
    perhaps = like_felt(spots) | framed_felt(spots)
    if not perhaps.any():
        return perhaps
    off = ground.off_lit(quads_mm[perhaps])
    unlike = np.abs(off).max(axis=1)
    shown = -np.log(np.maximum(spots.unreadable[perhaps], LEAST_UNREADABLE))
    speaks = shown + BY_COLOUR * np.minimum(unlike, FARTHEST) + BY_SCORE * spots.score[perhaps]
    first = speaks > A_BACK
    known = off[first & (unlike > A_LITTLE_UNLIKE)]
    alike = (np.abs(off[:, None] - known).max(axis=2) < AS_FAR).any(axis=1)
    perhaps[perhaps] = first | (alike & (speaks > A_SECOND))
    return perhaps


def with_backs(spots: Spots, quads_mm: Floats, ground: Felt, smoother: Smoother) -> Spots:
    """Return the spots that are not like felt, and of the others those that are backs of nearly the felt's colour.

    quads_mm: (n, 4, 2) where they lie on the tray.
    Backs of a colour that felt has in a shadow are told by light, those of exactly its colour by the nets alone. As
    these may see a back where a tile was forgotten, one or two such backs are asked about unless they are smoother than
    felt; nobody forgets more.
    """
    perhaps = like_felt(spots)
    real, back = ~perhaps, perhaps & (spots.score >= BACK_SCORE)
    if not back.any():
        return spots.only(real)
    off = np.zeros((len(real), 3))
    off[perhaps] = ground.off_lit(quads_mm[perhaps])
    unlike = np.abs(off).max(axis=1)
    lit = back & (unlike <= UNLIKE)
    seen = lit & (spots.unreadable < LIKE_A_BACK)
    by_nets_alone = seen & ~((unlike > A_LITTLE_UNLIKE) & (spots.unreadable < PLAINLY_A_BACK))
    alike = perhaps & ~back & (unlike > UNLIKE) & (spots.unreadable < LIKE_A_BACK) & _as_others(off, back & ~lit)
    score = np.where(alike, AS_THE_OTHERS, spots.score)
    if seen.sum() <= FORGOTTEN and by_nets_alone.any():
        by_nets_alone[by_nets_alone] = ~smoother(quads_mm[by_nets_alone])
        score = np.where(by_nets_alone, SCORES[-1], score)
    return replace(spots, score=score).only(real | (back & ~lit) | seen | alike)


def _as_others(off: Floats, others: Bools) -> Bools:
    """Return (n,) which spots have the hue of the `others` (n,), where light cannot give it to felt.

    off: (n, 3) as of `Felt.off_lit`.
    """
    if np.count_nonzero(others) < OTHERS:
        return np.zeros(len(off), dtype=bool)
    hue = off - off.mean(axis=1, keepdims=True)
    theirs = np.median(hue[others], axis=0)
    limit = SHARED * float(np.abs(theirs).max())
    return np.asarray((np.abs(hue - theirs).max(axis=1) < limit) & (limit > SHARED * HUE))
