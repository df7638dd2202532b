"""The weave of felt: what is much smoother than the felt around it is a tile, even of exactly its colour.

Shadows, folds and crumbs make felt look rougher, nothing makes it smoother but what lies on it (or a smear on the lens,
which `vision.board.smeared` looks for). But what looks like a tile and is much rougher is one on which something lies,
or is printed that nobody can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops.symbols import cut_crops
from vision.geometry import Bools, Floats, nearest
from vision.ground.felt import Felt
from vision.tray.rectify import Image, Tray

SIZE, MIDDLE = 48, 0.7
"""Side in pixels of what is compared, and its share of a place: at its edges lie neighbours and their shadows."""
FINE = 1.5
"""Standard deviation of the blur, in those pixels, by which anything finer is weave."""
SMOOTHER = 0.4
"""Of a back at least so much less is seen than of felt, as a natural logarithm: of 390 backs of the felt's colour, on
120 traced boards, 85 % have it. None of the places from which 184 tiles had been taken there had more than 0.14, of
32,000 bare places on 308 such boards none more than 0.31; drawn felt has more where a lamp bleaches it (3 in 1,000)."""
TYPICAL = 75.0
"""Per cent of a place's pixels that show less than what is typical there: a crumb or a thread covers fewer than the
rest."""
LEAST = 0.3
"""What a plain area shows of itself, in grey values."""
NEAREST, FEWEST = 12, 6
"""With so many bare places nearby a place is compared, at least with so many."""
STEP, AWAY, STRANGE = 0.5, 1.15, 0.05
"""Places to compare with lie so far from each other and from pieces, over a piece's larger side, and at most so much of
them is no felt."""

Grey = NDArray[np.float32]
Smoother = Callable[[Floats], Bools]
"""(k, 4, 2) places on the tray -> (k,) which are much smoother than the felt around them."""


def smoother_than_felt(picture_bgr: Image, tray: Tray, ground: Felt, quads_mm: Floats, *, pieces_mm: Floats) -> Bools:
    """Return (n,) which places are much smoother than the bare felt around them.

    quads_mm: (n, 4, 2) on the tray, TL TR BR BL. pieces_mm: (k, 4, 2) all that was found there. None is where too
    little bare felt is seen to compare with.
    """
    out = np.zeros(len(quads_mm), dtype=bool)
    for k, grey in _among_felt(picture_bgr, tray, ground, quads_mm, pieces_mm):
        seen = np.log(np.stack([_fine(grey).std(axis=(1, 2)) + LEAST, grey.mean(axis=(1, 2)) + 1.0], axis=1))
        rough, darker = np.median(seen[1:], axis=0) - seen[0]
        # In a shadow less is seen of felt, too, but no less than there is less light.
        out[k] = rough - max(darker, 0.0) > SMOOTHER
    return out


def rougher_than_felt(picture_bgr: Image, tray: Tray, ground: Felt, quads_mm: Floats, *, pieces_mm: Floats) -> Floats:
    """Return (n,) how much rougher places typically are than the bare felt around them, as natural logarithms.

    All as for `smoother_than_felt`; 0 where too little bare felt is seen. Crumbs and threads hardly count.
    """
    out = np.zeros(len(quads_mm))
    for k, grey in _among_felt(picture_bgr, tray, ground, quads_mm, pieces_mm):
        seen = np.log(np.percentile(np.abs(_fine(grey)), TYPICAL, axis=(1, 2)) + LEAST)
        out[k] = seen[0] - np.median(seen[1:])
    return out


def _among_felt(
    picture_bgr: Image, tray: Tray, ground: Felt, quads_mm: Floats, pieces_mm: Floats
) -> Iterator[tuple[int, Grey]]:
    """Yield the number of each place and (m, SIZE, SIZE) the middle of it and, after it, of bare felt near it.

    Nothing where too little bare felt is seen.
    """
    bare = _bare_places(tray, ground, quads_mm, pieces_mm) if len(quads_mm) else quads_mm
    if len(bare) < FEWEST:
        return
    middle = bare.mean(axis=1)
    for k, quad in enumerate(quads_mm):
        away = np.linalg.norm(middle - quad.mean(axis=0), axis=1)
        near = bare[np.argsort(away, kind="stable")[:NEAREST]]
        yield k, _middles(picture_bgr, tray.to_px(np.concatenate([quad[None], near])))


def _bare_places(tray: Tray, ground: Felt, quads_mm: Floats, pieces_mm: Floats) -> Floats:
    """Return (m, 4, 2) places of the first one's shape where bare felt lies."""
    shape = quads_mm[0] - quads_mm[0].mean(axis=0)
    side = float(np.ptp(shape, axis=0).max())
    across, down = (np.arange(side, length - side / 2, STEP * side) for length in tray.size_mm)
    points = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    taken = np.concatenate([pieces_mm, quads_mm]).mean(axis=1)
    away = nearest(points, taken)
    places = points[away > AWAY * side][:, None] + shape
    return np.asarray(places[ground.covered(places) < STRANGE])


def _middles(picture_bgr: Image, quads_px: Floats) -> Grey:
    """Return (n, SIZE, SIZE) the grey values in the middle of each place."""
    edge = SIZE * (1 / MIDDLE - 1) / 2
    crops = cut_crops(picture_bgr, quads_px, size_wh=(SIZE, SIZE), box=(-edge, -edge, SIZE + edge, SIZE + edge))
    return np.asarray(crops.astype(np.float32).mean(axis=3))


def _fine(grey: Grey) -> Grey:
    """Return (n, SIZE, SIZE) what is finer than FINE."""
    return np.array([one - cv2.GaussianBlur(one, (0, 0), FINE) for one in grey])
