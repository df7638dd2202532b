"""What the tiles of one tray say of each other, and what a second look says of the doubtful ones.

All tiles of a set are printed in one hand: the fives of four colours look alike, and unlike the fours that are
plain. Whoever has never seen a font still knows which of its signs are the same. So every tile is compared,
in the net's own last features, with what the other tiles of the tray plainly show.

The weights are fitted by `python -m vision.training.fit_kin`, on drawn trays in fonts that the net was not trained
on, with the net's share held near one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.crops.symbols import Look, Symbols
from vision.geometry import Floats
from vision.reading import SYMBOLS
from vision.tray.rectify import Image

DOWN = SYMBOLS.index("down")

DOUBTFUL = 0.99
"""A tile of which the net is less sure than this is looked at again."""
MOST_AGAIN = 6
"""So many tiles, the most doubtful, are looked at again: a second look costs four crops a tile, or two."""
SHIFTS = ((0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05))
"""How far a second look is shifted, over the tile's width and height: as far as the finder errs."""
NEARLY, SHAKY, FURTHER = 0.998, 0.95, ((0.1, 0.0), (-0.1, 0.0))
"""Of one that is doubtful by less than the first, two cuts further aside are heard where their mean with the first one
is below the second: what a net only just takes for another symbol it takes for itself there. Of 489 such digits on
1,353 boards by five programs six are wrong, four of these below it, and 184 of the others, for most of which the set
speaks."""
PLAIN = 0.9
"""Tiles that the net is this sure of are examples of their symbol."""
LEAST_LIKE = 0.16
"""Features less alike than this say no more against a symbol."""
SHARP = SYMBOLS.index("#")
ALIKE, AS_SHARP, SHARPS, LESS, NOISE = 0.7, 0.97, 2, 3.0, 0.01
"""A tile that looks like a sharp by more than the second, and is more like other plain sharps of the tray than the
first, of which there are at least so many, can be read by so much more (of the logit) than the net says, where that
says more against it than the last. It has learnt that a number of two digits is no sharp, and shies at small ones: of
13,305 tiles on 370 traced boards the 20 of which it says so most are all sharps, and right. Of 264 numbers and worn
tiles on 240 drawn boards (in fonts it never saw) that look like a sharp more than like anything else, none is as like
the sharps there (0.65 at most)."""
NET, LIKE, STEEP, OFFSET = 1.01, -3.95, 0.82, -1.78
"""log p = NET log p(net) + OFFSET + LIKE s + STEEP exp(3 s), s the likeness to the symbol's examples."""


def look_again(picture_bgr: Image, quads_px: Floats, shown: Symbols, look: Look) -> Floats:
    """Return (n, 12) log-probabilities, those of doubtful tiles the mean over five cuts of each.

    quads_px: (n, 4, 2) as they were cut for `shown`. The mean of logarithms: one cut that says no is heard. Of nearly
    sure ones see NEARLY.
    """
    first = np.asarray(shown.log_probs, dtype=np.float64)
    if len(first) == 0:
        return first
    worst = np.argsort(first.max(axis=1), kind="stable")[:MOST_AGAIN]
    out, hardly = first.copy(), doubtful(first[worst])
    nearly = ~hardly & (first[worst].max(axis=1) < np.log(NEARLY))
    if hardly.any():
        out[worst[hardly]] = _over_cuts(picture_bgr, quads_px[worst[hardly]], first[worst[hardly]], look, SHIFTS)
    if nearly.any():
        at = worst[nearly]
        further = _over_cuts(picture_bgr, quads_px[at], first[at], look, FURTHER)
        shaky = further[np.arange(len(at)), first[at].argmax(axis=1)] < np.log(SHAKY)
        out[at[shaky]] = further[shaky]
    return out


def look_closely(picture_bgr: Image, quads_px: Floats, look: Look) -> Floats:
    """Return (n, 12) log-probabilities of tiles (n, 4, 2), the mean over five cuts of each, whatever they showed."""
    shown = np.asarray(look(picture_bgr, quads_px).log_probs, dtype=np.float64)
    return _over_cuts(picture_bgr, quads_px, shown, look, SHIFTS)


def _over_cuts(
    picture_bgr: Image, quads_px: Floats, shown: Floats, look: Look, shifts: tuple[tuple[float, float], ...]
) -> Floats:
    """Return (n, 12) the mean of what tiles (n, 4, 2) showed as they are and what they show at some more cuts."""
    across, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    shifted = [quads_px + (x * across + y * down)[:, None] for x, y in shifts]
    more = np.asarray(look(picture_bgr, np.concatenate(shifted)).log_probs, dtype=np.float64)
    return normalised((shown + more.reshape(len(shifts), len(quads_px), -1).sum(axis=0)) / (len(shifts) + 1))


def doubtful(log_probs: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """Return (n,) of which tiles the net is not sure; log_probs: (n, 12)."""
    return np.asarray(log_probs.max(axis=1) < np.log(DOUBTFUL))


def compare(log_probs: Floats, features: NDArray[np.float32]) -> Floats:
    """Return (n, 12) log-probabilities after comparing each tile with the plain ones of each symbol.

    features: (n, m) of the same tiles. Face-down tiles are no examples: an open tile whose ink is the colour of
    its body looks like them. A symbol without another tile that shows it plainly keeps its weight.
    """
    if len(log_probs) < 2:
        return log_probs
    net, offset, like, steep = np.moveaxis(terms(log_probs, features), 2, 0)
    return normalised(NET * net + (OFFSET * offset + LIKE * like + STEEP * steep))


def unreadable(shown: Symbols) -> Floats:
    """Return (n,) how likely nothing can be read on each tile: less than the net says on one of a tray's sharps.

    As the net says where nothing can be compared.
    """
    p = np.asarray(shown.p_unreadable, dtype=np.float64)
    if shown.features is None or len(p) < 2:
        return p
    log_probs = np.asarray(shown.log_probs, dtype=np.float64)
    plain, sharp = np.exp(log_probs[:, SHARP]) > PLAIN, (np.exp(log_probs[:, SHARP]) > AS_SHARP) & (p > NOISE)
    if not sharp.any():
        return p
    like, known = _likeness(log_probs, shown.features)
    alike = sharp & known[:, SHARP] & (like[:, SHARP] >= ALIKE) & (np.count_nonzero(plain) - plain >= SHARPS)
    return np.where(alike, p / (p + (1.0 - p) * np.exp(LESS)), p)


def terms(log_probs: Floats, features: NDArray[np.float32]) -> Floats:
    """Return (n, 12, 4) what NET, OFFSET, LIKE and STEEP are the weights of, of tiles as for `compare`."""
    like, known = _likeness(log_probs, features)
    return np.stack([log_probs, known, known * like, known * np.exp(3.0 * like)], axis=2)


def _likeness(log_probs: Floats, features: NDArray[np.float32]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return how alike each tile is to the other tiles that plainly show a symbol, and whether there are any.

    Both (n, 12); likeness -1..1, LEAST_LIKE at least, nothing said where there are none.
    """
    apart = features - features.mean(axis=0)
    apart /= np.linalg.norm(apart, axis=1, keepdims=True) + 1e-9
    alike = np.asarray(apart @ apart.T, dtype=np.float64)
    np.fill_diagonal(alike, 0.0)
    p = np.exp(normalised(log_probs))
    example = np.where(p > PLAIN, p, 0.0)
    example[:, DOWN] = 0.0
    others = example.sum(axis=0) - example
    like = np.divide(alike @ example, others, out=np.zeros_like(others), where=others > 0.5)
    return np.maximum(like, LEAST_LIKE), others > 0.5


def normalised(log_weights: Floats) -> Floats:
    """Return (n, 12) logarithms of probabilities that sum to one in each row."""
    top = log_weights.max(axis=1, keepdims=True)
    return np.asarray(log_weights - top - np.log(np.exp(log_weights - top).sum(axis=1, keepdims=True)))
