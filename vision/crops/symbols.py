"""What a tile shows: a small net over crops cut straight from the frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

import numpy as np

from vision.crops.cutting import Box, cut
from vision.crops.head import Head
from vision.crops.nets import MODELS, evened, outputs, with_features
from vision.reading import SYMBOLS

Array = np.ndarray[Any, np.dtype[Any]]

CROP_WH = (40, 48)
"""Size of a crop in pixels."""
TILE_BOX = (4.0, 7.0, 36.0, 43.0)
"""Where the tile's four virtual corners come to lie in the crop: left, top, right, bottom. The margin shows
the arcs and the neighbours."""
MODEL = MODELS / "symbols.onnx"
LARGE_MODEL = MODELS / "symbols-large.onnx"
"""Heard beside the other on tiles of which that one is not quite sure: twice the work for half a dozen of forty."""
DOUBTFUL, DOUBTED = 0.9995, 0.03
"""Below this probability of a symbol, and above this one that nothing can be read, the larger net is asked, too."""
TURNED = 0.01
"""A six or nine that lies upside down by more than this, to the small net, is looked at by the larger one, which alone
says how it lies: of 1,655 drawn and traced in fonts no net saw, 46 of them turned, the small one said of 6 turned ones
that they are not (below 0.15) and doubted 18 upright ones, the larger 1 and 11, their mean 5 and 10 (by nets before
these)."""
BELIEVED = 0.9
"""How much of the net's logits is believed. They are calibrated on drawn tiles, and no real tile is one."""
TURNABLE = (SYMBOLS.index("6"), SYMBOLS.index("9"))
"""Symbols that are each other upside down."""
UPSIDE_DOWN = len(SYMBOLS)
"""Where the net's output says that a tile is, after its symbols."""
LEGIBLE = 2.3
"""How much the net's logit that nothing can be read is lowered. It has learnt to say so of numbers above 9, too, and
says it too often of plain tiles: of one digit in a hundred above 0.05, drawn or traced. Chosen looking at 128
traced trays of tiles: with 2.3 121 are read at once, with 1.2 119, with 0 116; of 547 photographed digits 363 are then
sure, of 385 numbers above 9 none; none of the sure ones is wrong (by nets before these)."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """What the net says about n crops."""

    log_probs: Array
    """(n, 12) float32, natural logarithms in the order of `vision.reading.SYMBOLS`; each row sums to one in `exp`.
    Calibrated on drawn tiles in fonts the net was not trained on, and then believed a little less (BELIEVED)."""
    p_upside_down: Array
    """(n,) float32: the tile lies with its arcs (or its symbol, or its bar) the other way round."""
    p_unreadable: Array
    """(n,) float32: nothing to be read: covered, washed out, or no tile at all."""
    familiar: Array | None = None
    """(n,) float32: looks like a tile of the owner's own set; None where nobody taught one."""
    features: Array | None = None
    """(n, m) float32: the net's last features, by which tiles of one tray can be compared; None where they are not
    to be, as other knowledge went into `log_probs` already."""


Look = Callable[[Array, Array], Symbols]
"""Picture and (n, 4, 2) quads in it -> what the tiles show."""


def cut_crops(
    frame_bgr: Array,
    quads_px: Array,
    *,
    upside_down: bool = False,
    size_wh: tuple[int, int] = CROP_WH,
    box: Box = TILE_BOX,
) -> Array:
    """Return the tiles cut from the frame, (n, 48, 40, 3) uint8, or of another size_wh with the tile in another box.

    quads_px: (n, 4, 2) virtual corners TL TR BR BL in the frame. upside_down: cut them turned by 180 degrees.
    """
    quads = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    return cut(frame_bgr, np.roll(quads, 2, axis=1) if upside_down else quads, size_wh=size_wh, box=box)


def normalised(crops_bgr: Array) -> Array:
    """Return the net's input, (n, 3, h, w) float32: each crop with mean 0, its brightest variation 1.

    Takes exposure and the lamp's colour out, keeps the contrast between ink and body relative to all others.
    """
    crops = np.asarray(crops_bgr)
    return evened(crops, rim=(crops.shape[1] // 6, crops.shape[2] // 6), floor=30.0, most=4.0)


class Effort(Enum):
    """How much of the nets is heard."""

    HASTY = auto()
    """The small one alone, whatever it doubts."""
    USUAL = auto()
    """The large one, too, of what the small one doubts."""
    CLOSE = auto()
    """Both, of every crop."""


def classify(crops_bgr: Array, *, head: Head | None = None, effort: Effort = Effort.USUAL) -> Symbols:
    """Return what the crops of `cut_crops` show.

    crops_bgr: (n, 48, 40, 3) uint8; n = 0 is fine. head: what was learnt of the owner's own set, which the small net
    alone is heard with; None for the shipped nets alone. Raises BadModel when a shipped model is missing. Not for two
    threads at once.
    """
    if len(crops_bgr) == 0:
        empty = np.zeros(0, np.float32)
        return Symbols(np.zeros((0, len(SYMBOLS)), np.float32), empty, empty)
    if head is not None:
        return _with_head(crops_bgr, head)
    blob = normalised(crops_bgr)
    features, out = with_features(MODEL, blob)
    if effort is not Effort.HASTY:
        out = _with_large(blob, out, every=effort is Effort.CLOSE)
    return replace(_symbols(out), features=features)


def _with_large(blob: Array, out: Array, *, every: bool = False) -> Array:
    """Return the logits (n, 14), those of doubtful crops the mean of what both nets say; which way up: see TURNED.

    every: not of doubtful crops alone.
    """
    first = _symbols(out)
    doubtful = every | (first.log_probs.max(axis=1) < np.log(DOUBTFUL)) | (first.p_unreadable > DOUBTED)
    turned = np.isin(first.log_probs.argmax(axis=1), TURNABLE) & (first.p_upside_down > TURNED)
    at = np.flatnonzero(doubtful | turned)
    if len(at) == 0:
        return out
    both, larger = out.copy(), outputs(LARGE_MODEL, blob[at])
    both[at] = (out[at] + larger) / 2
    both[turned, UPSIDE_DOWN] = larger[turned[at], UPSIDE_DOWN]
    return both


def half_turned(crops_bgr: Array) -> Array:
    """Return crops as if the tiles had been cut the other way round."""
    left, top, right, bottom = TILE_BOX
    move = (round(top + bottom) - CROP_WH[1], round(left + right) - CROP_WH[0])
    return np.roll(crops_bgr[:, ::-1, ::-1], move, axis=(1, 2))


def _symbols(out: Array) -> Symbols:
    logits = BELIEVED * out[:, : len(SYMBOLS)]
    top = logits.max(1, keepdims=True)
    log_probs = logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))
    flags = 1 / (1 + np.exp(-np.clip(out[:, len(SYMBOLS) :] - (0.0, LEGIBLE), -30, 30)))
    return Symbols(log_probs.astype(np.float32), flags[:, 0], flags[:, 1])


def _with_head(crops_bgr: Array, head: Head, *, again: bool = True) -> Symbols:
    """Return what net and head say together; what lies the wrong way round is looked at once more, turned."""
    features, out = with_features(MODEL, normalised(crops_bgr))
    alone = _symbols(out)
    opinion = head.mix(alone.log_probs, features, blank=np.exp(alone.log_probs[:, SYMBOLS.index("down")]))
    # A taught tile is known to be readable and upright; of the rest the net's own flags hold.
    log_probs, turned, unreadable = (
        opinion.log_probs,
        alone.p_upside_down * opinion.strange,
        alone.p_unreadable * opinion.strange,
    )
    if again and opinion.turned.any():
        at = np.flatnonzero(opinion.turned)
        other = _with_head(half_turned(crops_bgr[at]), head, again=False)
        log_probs[at], turned[at], unreadable[at] = other.log_probs, 1.0 - other.p_upside_down, other.p_unreadable
    return Symbols(log_probs, turned, unreadable, 1.0 - opinion.strange)
