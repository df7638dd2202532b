"""Which of a board's sixes and nines lie upside down: their arcs tell, and both sides from which they may be looked at.

A tile's top and bottom edges are arcs, and all are laid in one direction: that tells a 6 from a 9 (RULES 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board.certainty import TURNED, UPRIGHT
from vision.board.spots import Spots
from vision.crops.arcs import SAGS, edges_seen
from vision.crops.symbols import TURNABLE, Look
from vision.geometry import Bools, Floats, Ints
from vision.tray.rectify import Image

COMPARED = 8
"""So many tiles at least show how a set's arcs are curved, if there are as many."""
LEAST_SAG = 2
"""In pixels of `vision.crops.arcs`, 1/28 of a tile's height: edges that are curved by less may be straight."""
PLAIN = 3.0
"""The logarithms of `edges_seen` times this are those of how likely an edge is curved so."""
ON_ITS_HEAD = 0.01
"""How often a tile lies upside down, where it is told how its set's arcs are curved."""
NEIGHBOUR, STRAY = 0.3, 0.02
"""How often an edge of a tile that lies upside down shows its neighbour's arc instead of its own, and how often the
edge of one that does not shows one that nothing of the set has: no edge counts for more."""
INNER, BESIDE = (0.12, 0.88), 0.35
"""Where corners of other tiles lie so far along an edge, over the tile's width, and no further from it than the second,
over its height, rows are staggered: the arcs of two tiles meet there in a cusp, which is bent the other way than the
edge. Of a dark tile on dark felt only these are seen."""
FROM_BOTH_SIDES = -2.5
"""What arcs leave in more doubt than this, as a logarithm, is looked at from both sides."""
SIDES = 0.6
"""What the difference of the net's logits of a tile's two sides counts. By one look it calls few tiles turned, as few
of those were that it learnt from; of two looks at one tile the one at its upright side is the surer one."""
LOGITS = 13.0
"""No more is believed of the net's logits, either way."""
RATHER, PLAINLY = -0.8, 3.0
"""Between these logarithms of how much likelier a tile lies upside down, than not, it is asked about; below them it is
upright, and above them it shows what it shows the other way round, unasked. Of 644 drawn and traced sixes and nines
that lie upright and alone in sets with arcs two are above the first, at -0.73 and -0.79, and of 1,317 pairs one; of 500
and 140 that lie upside down nine and ten below it."""
BOTH = 0.5
"""By how much rarer, as a logarithm, a 6 and a 9 of one colour both lie upside down than one that lies there alone."""
FIRM = 3.0
"""Those logarithms times this are what is believed of which side shows a tile's symbol: as they err by less than one,
either side is beyond doubt from PLAINLY on, and no single frame outvotes others that hardly see an arc."""
HALF = 0.1
"""How far from one half `upside_down` is of a tile of which it is in doubt."""
SAME = 0.5
"""A 6 and a 9 are turned together where the net says of both alike whether they are; of one that it sees turned it has
read what it is, and its colour's other one lies as it lies."""


def as_arcs_show(
    picture_bgr: Image, tiles: Spots, looks: Ints, groups: Sequence[Sequence[int]], *, look: Look, sides: Look
) -> Spots:
    """Return the tiles as the arcs of sixes and nines show them to lie: what lies upside down shows the other number.

    looks: (n,) what each shows. groups: indices of the tiles that share one set of symbols. look: what turned ones
    show; sides: which side is upright, by the shipped net. Where the set has no arcs, or none are seen, the tiles come
    back as they are.
    """
    at = np.flatnonzero(np.isin(looks, TURNABLE))
    if len(at) == 0:
        return tiles
    best = np.argsort(-tiles.score, kind="stable")
    others = best[~np.isin(best, at)]
    seen = np.concatenate([at, others[: max(0, COMPARED - len(at))]])
    met = meet_corners(tiles.quads_px)[seen]
    by_arcs = likelier_turned(edges_seen(picture_bgr, tiles.quads_px[seen]), met=met)
    if by_arcs is None:
        return tiles
    pairs = _pairs(at, looks, tiles.upside_down, groups)
    turned = _together(by_arcs[: len(at)], pairs)
    near = turned > FROM_BOTH_SIDES
    if near.any():
        by_net = np.zeros(len(at))
        by_net[near] = SIDES * _from_both_sides(picture_bgr, tiles.quads_px[at[near]], sides)
        turned += _together(by_net, pairs)
    for pair in pairs:
        turned[pair] -= BOTH
    # The net sees the cusps of others, too.
    turned = np.where(met[: len(at)].all(axis=1), np.minimum(turned, RATHER / 2), turned)
    return _heard(picture_bgr, tiles, at, turned, look)


def _pairs(at: Ints, looks: Ints, turned: Floats, groups: Sequence[Sequence[int]]) -> list[Ints]:
    """Return where in `at` a 6 and a 9 of one group are that can but be turned together: one would be a double.

    turned: (n,) by how much each is upside down to the net.
    """
    here = [np.flatnonzero(np.isin(at, group)) for group in groups]
    two = [pair for pair in here if len(pair) == 2 and looks[at[pair[0]]] != looks[at[pair[1]]]]
    return [pair for pair in two if abs(turned[at[pair[0]]] - turned[at[pair[1]]]) < SAME]


def _together(said: Floats, pairs: Sequence[Ints]) -> Floats:
    """Return what is said of each tile, and of both of a pair what is said of the two."""
    out = said.copy()
    for pair in pairs:
        out[pair] = said[pair].sum()
    return out


def likelier_turned(edges: Floats, *, met: Bools | None = None) -> Floats | None:
    """Return (n,) the logarithm of how much likelier each tile lies upside down than not; None where arcs do not tell.

    edges: (n, 2, sags) as of `edges_seen`, of tiles most of which are upright. met: (n, 2) as of `meet_corners`: such
    an edge does not speak for upside down. None for none of them.
    """
    both, straight = PLAIN * edges.sum(axis=1), len(SAGS) // 2
    set_has = np.logaddexp(np.log1p(-ON_ITS_HEAD) + both, np.log(ON_ITS_HEAD) + both[:, ::-1]).sum(axis=0)
    sag = straight + LEAST_SAG + int(set_has[straight + LEAST_SAG :].argmax())
    if set_has[sag] <= set_has[straight]:
        return None
    other_way = np.exp(PLAIN * (edges[:, :, 2 * straight - sag] - edges[:, :, sag]))
    upside_down = (1 - NEIGHBOUR) * other_way + NEIGHBOUR
    upright = (1 - STRAY) + STRAY * other_way
    says = np.log(upside_down / upright)
    if met is not None:
        says = np.where(met, np.minimum(says, 0.0), says)
    return np.asarray(says.sum(axis=1))


def meet_corners(quads_px: Floats) -> Bools:
    """Return (n, 2) at which top and bottom edges of tiles (n, 4, 2) the corners of others lie, as rows are staggered.

    Those between its own corners: of a row above that lies straight, corners meet at corners.
    """
    origin, across, down = quads_px[:, 0], quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    own = np.linalg.inv(np.stack([across, down], axis=2))
    # Corners of tile k as tile n has them: 0..1 along its width and along its height.
    from_here = (quads_px - origin[:, None, None]).reshape(len(quads_px), -1, 2)
    at = (from_here @ own.swapaxes(1, 2)).reshape(len(quads_px), *quads_px.shape)
    at[np.arange(len(at)), np.arange(len(at))] = np.nan
    along = (at[..., 0] > INNER[0]) & (at[..., 0] < INNER[1])
    near = np.abs(at[..., 1, None] - np.array([0.0, 1.0])) < BESIDE
    return np.asarray((along[..., None] & near).any(axis=(1, 2)))


def _from_both_sides(picture_bgr: Image, quads_px: Floats, look: Look) -> Floats:
    """Return (n,) by how much surer a tile is upright to the net when it is cut the other way round, in logits."""
    sides = look(picture_bgr, np.concatenate([quads_px, np.roll(quads_px, 2, axis=1)])).p_upside_down
    least = 1 / (1 + np.exp(LOGITS))
    said = np.clip(np.asarray(sides, dtype=np.float64), least, 1 - least)
    logits = np.log(said / (1 - said))
    return np.asarray(logits[: len(quads_px)] - logits[len(quads_px) :])


def _heard(picture_bgr: Image, tiles: Spots, at: Ints, turned: Floats, look: Look) -> Spots:
    """Return the tiles with what is known of those at some places. turned: (m,) logarithm of how much likelier."""
    log_probs, said = tiles.log_probs.copy(), tiles.upside_down.copy()
    by_net = said[at]
    said[at] = np.select(
        [
            turned > PLAINLY,
            turned > 0,
            turned > RATHER,
            by_net >= TURNED,
            (by_net > UPRIGHT) & (turned < FROM_BOTH_SIDES),
        ],
        [1.0, 0.5 + HALF, 0.5 - HALF, 0.5 - HALF, 0.0],
        by_net,
    )
    perhaps = turned > RATHER
    if perhaps.any():
        which, likely = at[perhaps], FIRM * turned[perhaps, None]
        other_way = look(picture_bgr, np.roll(tiles.quads_px[which], 2, axis=1)).log_probs
        log_probs[which] = np.logaddexp(
            log_probs[which] - np.logaddexp(0, likely), other_way - np.logaddexp(0, -likely)
        )
    return replace(tiles, log_probs=log_probs, upside_down=said)
