"""Possible tiles: where they lie and what their pixels say; which of them lie in a layout, and in which places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from vision.board.arrange import Arrangement, arrange, tell_apart
from vision.crops.symbols import Look
from vision.geometry import SQUARE, Bools, Floats
from vision.ground.felt import BARE, UNLIKE, Felt
from vision.ground.weave import Smoother
from vision.layout import LAYOUTS, Expectation, Layout
from vision.tray.rectify import Image, Tray

SCORES = (0.5, 0.35, 0.2)
"""Scores from which a piece is taken for a tile, in the order in which they are tried."""

LEFT_OVER_SCORE = 0.3
"""A piece found this well belongs somewhere: left over, it makes the reading unsure."""
NO_GAP_SCORE = 0.78
"""What looks like felt between the tiles of a layout with gaps is asked about from here on. A back in a soft shadow,
found at 0.81, was taken for felt and left out without a word; so were tiles on seven of 1,200 drawn trays, the best of
each at 0.82 to 0.88. Of the gaps there one is found so well."""
PERHAPS_A_BACK = 0.15
"""What has the colour of lit felt, in the one free place of a full layout, may be a back where `p_unreadable` is below
this, and is asked about. Where tiles had been forgotten on 60 traced trays, 2 such places had so little."""
LIKE_A_BACK = 0.05
"""A face-down tile of the colour of lit felt, found well enough (`vision.board.backs.BACK_SCORE`), is a back where
`p_unreadable` is below this, as 299 of 300 such backs on traced trays had it. Of the felt there four pieces between
tiles were found as well as that, and one of these had 0.03: hence FORGOTTEN."""
FORGOTTEN = 2
"""So many tiles may be missing from a full layout, and the nets may see backs there: such backs are asked about."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Possible tiles: where, and what the pixels say of each. All arrays of one length n."""

    centre_mm: Floats
    """(n, 2)."""
    size_mm: Floats
    """(n, 2) width, height."""
    lean: Floats
    """(n,) radians, clockwise."""
    score: Floats
    """(n,) 0..1."""
    quads_px: Floats
    """(n, 4, 2) corners in the picture, arc upwards as the tile lies."""
    log_probs: Floats
    """(n, 12) in the order of SYMBOLS."""
    unreadable: Floats
    """(n,) 0..1."""
    upside_down: Floats
    """(n,) 0..1."""
    covered: Floats
    """(n,) share of each that is not felt, 0..1."""

    def only(self, which: Bools) -> Spots:
        """Return the spots of a mask (n,)."""
        return Spots(
            self.centre_mm[which], self.size_mm[which], self.lean[which], self.score[which],
            self.quads_px[which], self.log_probs[which], self.unreadable[which], self.upside_down[which],
            self.covered[which],
        )  # fmt: skip

    def own_corners(self) -> Floats:
        """Return (n, 4, 2) TL TR BR BL of the tiles themselves in the picture: turned half round where its arcs are."""
        turned = (self.upside_down > 0.5)[:, None, None]
        return np.where(turned, self.quads_px[:, [2, 3, 0, 1]], self.quads_px)


def choose(spots: Spots, tray: Tray, expect: Expectation, marks: Floats) -> tuple[Bools, Layout, Arrangement]:
    """Return which spots are tiles, the layout they lie in and their places: the first cut that fits.

    A layout with gaps fits nearly any cut, so for AUTO a full one that fits is preferred at whatever cut, and of two
    cuts that leave gaps the one that leaves out nothing which was found well enough to belong somewhere.
    """
    best: tuple[tuple[bool, bool, bool, float], Bools, Layout, Arrangement] | None = None
    for cut in _cuts(spots.score, expect):
        if best is not None and (cut == best[1]).all():
            continue
        layout, places = _place(spots.only(cut), tray, expect, marks[cut])
        complete = layout.full or not (spots.score[~cut] >= LEFT_OVER_SCORE).any()
        settled = places.fits and complete and (layout.full or expect is not Expectation.AUTO)
        cost = (not settled, not places.fits, not complete, places.misfit + (0.0 if best is None else 0.3))
        if best is None or cost < best[0]:
            best = (cost, cut, layout, places)
        if settled:
            break
    assert best is not None
    return best[1], best[2], best[3]


def _cuts(score: Floats, expect: Expectation) -> list[Bools]:
    """Return masks of spots to be tried as the tiles: as many of the best as the layout has places, then by score."""
    cuts = [score >= SCORES[0]]
    ranked = np.sort(score)[::-1]
    names = LAYOUTS if expect is Expectation.AUTO else [expect]
    for n in sorted({LAYOUTS[e].places for e in names if LAYOUTS[e].full}):
        if len(ranked) >= n and ranked[n - 1] >= SCORES[-1]:
            cuts.insert(0, score >= ranked[n - 1])
    return cuts + [score >= s for s in SCORES[1:]]


def _place(spots: Spots, tray: Tray, expect: Expectation, marks: Floats) -> tuple[Layout, Arrangement]:
    size = np.median(spots.size_mm, axis=0) if len(spots.score) else np.array([25.0, 27.0])
    tile_mm = (float(size[0]), float(size[1]))
    hint = float(np.median(spots.lean)) if len(spots.score) else None
    if expect is not Expectation.AUTO:
        layout = LAYOUTS[expect]
        places = arrange(
            spots.centre_mm, layout=layout, tile_mm=tile_mm, tray_mm=tray.size_mm, lean_hint=hint, colours=marks
        )
        return layout, places
    layouts = (Expectation.WILD, Expectation.RECT, Expectation.DIAMOND, Expectation.DRAWBRIDGE)
    name, places = tell_apart(
        spots.centre_mm,
        layouts=tuple(LAYOUTS[e] for e in layouts),
        tile_mm=tile_mm,
        tray_mm=tray.size_mm,
        lean_hint=hint,
        colours=marks,
    )
    return LAYOUTS[name], places


def with_holes(
    picture_bgr: Image,
    spots: Spots,
    holes: Sequence[tuple[int, int, float, float]],
    tray: Tray,
    look: Look,
    ground: Felt,
    smoother: Smoother,
) -> Spots:
    """Return the spots with those where a tile must lie but none was found: to be asked about unless it is plain.

    What is smoother than felt is none, whatever its colour. Of more than FORGOTTEN holes what looks like felt is a back
    only where the nets see it as plainly as backs are seen.
    """
    at = np.array([(x, y) for _, _, x, y in holes])
    size, lean = np.median(spots.size_mm, axis=0), float(np.median(spots.lean))
    turn = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
    box = SQUARE * size / 2 @ turn
    quads_mm = at[:, None, :] + box
    covered, quads_px = ground.covered(quads_mm), tray.to_px(quads_mm)
    shown = look(picture_bgr, quads_px)
    unreadable = np.asarray(shown.p_unreadable, dtype=np.float64)
    perhaps = PERHAPS_A_BACK if len(holes) <= FORGOTTEN else LIKE_A_BACK
    there = (covered >= BARE) | (ground.unlike(quads_mm) > UNLIKE) | (unreadable < perhaps)
    covered[there] = np.maximum(covered[there], smoother(quads_mm[there]))
    n = len(at)
    more = Spots(
        at, np.tile(size, (n, 1)), np.full(n, lean), np.full(n, SCORES[-1]), quads_px,
        np.asarray(shown.log_probs, dtype=np.float64), unreadable,
        np.asarray(shown.p_upside_down, dtype=np.float64), covered,
    )  # fmt: skip
    more = more.only(there & (unreadable < 0.5))
    return Spots(*(np.concatenate([getattr(spots, f.name), getattr(more, f.name)]) for f in fields(Spots)))
