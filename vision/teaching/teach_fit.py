"""Fit a `Head` to what an owner taught: each piece in many lights, and what must not be taken for one.

Ridge regression on the last features of the shipped nets. On sets that no training saw one picture is enough:
of 192 trays of `vision.teaching.teach_sets` logistic regression, alone or with the shipped net's own word, read none
more (2026-11-21). Chance comes from a fixed seed: the same lesson gives the same fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import faces, symbols
from vision.crops.head import Head
from vision.crops.nets import with_features
from vision.drawing.glyphs import built_in
from vision.own_set import OwnSet, Taught, net_mark
from vision.reading import SYMBOLS

Array = np.ndarray[Any, np.dtype[Any]]
Bytes = NDArray[np.uint8]

CROPS = 800
"""Pictures of taught pieces to be fitted to, about: fewer of each piece where there are more pieces."""
TURNED = 3
"""Of each tile, so many lie the other way round."""
TURNED_WEIGHT = 0.15
"""A tile the wrong way round is rare; a turned six is a nine, and mostly one."""
BLANKS, WILDS, STRAYS = 12, 16, 2
"""Of each colour's blank, of a wild drawn on it where none was taught, and of each stray."""
RIDGE = 0.05
"""Weight of the penalty, over the mean variance of the features."""
MOST_TRUST = 0.5
WILD = SYMBOLS.index("#")
Progress = Callable[[float], None]
"""Told how far the fit is, 0..1."""


def silent(_: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class _Pile:
    """Crops that stand for one thing each."""

    crops: Bytes
    target: NDArray[np.int64]
    """(n,) which output of the head."""
    weight: float


def fit(own: OwnSet, *, progress: Progress = silent) -> OwnSet:
    """Return the set with heads that fit the nets shipped now; some seconds. Raises BadModel as the nets do."""
    tile_head = None if own.tiles is None else fit_tiles(own.tiles, own.strays, progress=progress)
    die_head = None if own.dice is None else fit_dice(own.dice)
    return OwnSet(own.made, own.tiles, own.dice, own.strays, tile_head, die_head)


def fit_tiles(tiles: Taught, strays: Bytes, *, progress: Progress = silent) -> Head:
    """Return the head for tiles. strays: (m, 48, 40, 3) crops of what is no tile."""
    rng = np.random.default_rng(len(tiles))
    shows = tuple(int(s) for s in np.unique(tiles.shows))
    target = np.searchsorted(np.array(shows), tiles.shows).astype(np.int64)
    turned, other = len(shows), len(shows) + 1
    times = max(6, round(CROPS / len(tiles)))
    blanks = _blanks(tiles)
    piles = [_Pile(tiles.crops, target, 1.0), _many(tiles.crops, target, times, rng)]
    upside = symbols.half_turned(tiles.crops)
    piles.append(_many(upside, np.full(len(tiles), turned), TURNED, rng, weight=TURNED_WEIGHT))
    piles.append(_many(blanks, np.full(len(blanks), other), BLANKS, rng))
    if WILD not in shows:
        wilds = _wilds(tiles, blanks, rng)
        piles.append(_many(wilds, np.full(len(wilds), other), WILDS // 2, rng))
    if len(strays):
        piles.append(_many(strays, np.full(len(strays), other), STRAYS, rng, weight=0.5))
    features, out = _features(piles, symbols.MODEL, symbols.normalised, progress)
    said = out[: len(tiles), : len(SYMBOLS)].argmax(axis=1)
    return _ridge(piles, features, shows, net_mark(symbols.MODEL), trust=_trust(float((said == tiles.shows).mean())))


def fit_dice(dice: Taught) -> Head:
    """Return the head for dice: they may lie any way round."""
    rng = np.random.default_rng(len(dice))
    shows = tuple(int(s) for s in np.unique(dice.shows))
    target = np.searchsorted(np.array(shows), dice.shows).astype(np.int64)
    times = max(8, round(0.6 * CROPS / len(dice)))
    piles = [_Pile(dice.crops, target, 1.0), _many(dice.crops, target, times, rng, square=True)]
    beside = np.concatenate(
        [np.roll(dice.crops, faces.SIDE // 2, axis=1), np.roll(dice.crops, faces.SIDE // 2, axis=2)]
    )
    piles.append(_many(beside, np.full(len(beside), len(shows) + 1), 4, rng, square=True))
    features, out = _features(piles, faces.MODEL, faces.normalised, silent)
    said = out[: len(dice), : len(faces.FACES)].argmax(axis=1)
    return _ridge(piles, features, shows, net_mark(faces.MODEL), trust=_trust(float((said == dice.shows).mean())))


def _trust(right: float) -> float:
    """Return how much the net's own word counts, by how much of what was taught it reads."""
    return MOST_TRUST * max(0.0, (right - 0.8) / 0.2)


def _features(
    piles: list[_Pile], model: Any, normalised: Callable[[Array], Array], progress: Progress
) -> tuple[Array, Array]:
    crops = np.concatenate([p.crops for p in piles])
    found, outs = [], []
    for at in range(0, len(crops), 64):
        features, out = with_features(model, normalised(crops[at : at + 64]))
        found.append(features)
        outs.append(out)
        progress(min(1.0, (at + 64) / len(crops)) * 0.8)
    return np.concatenate(found), np.concatenate(outs)


def _ridge(piles: list[_Pile], features: Array, shows: tuple[int, ...], net: str, *, trust: float) -> Head:
    """Return the head that tells the piles apart with least squares (by products: crops are fewer than features)."""
    target = np.concatenate([p.target for p in piles])
    weight = np.concatenate([np.full(len(p.crops), p.weight) for p in piles]).astype(np.float32)
    wanted = np.eye(len(shows) + Head.OTHERS, dtype=np.float32)[target]
    middle = np.average(features, axis=0, weights=weight).astype(np.float32)
    level = np.average(wanted, axis=0, weights=weight).astype(np.float32)
    root = np.sqrt(weight)[:, None]
    away = (features - middle) * root
    products = (away @ away.T).astype(np.float64)
    products[np.diag_indices_from(products)] += RIDGE * np.trace(products) / len(products)
    weights = away.T @ np.linalg.solve(products, (wanted - level) * root).astype(np.float32)
    # One taught piece in fifty counts as mistaken: no row of ten is ever surer than that allows.
    return Head(shows, middle, weights, level, trust, 0.02 / len(piles[0].crops), net)


def _blanks(tiles: Taught) -> Bytes:
    """Return each colour's tile without its digit: what most of its tiles show in each pixel."""
    blanks = [np.median(tiles.crops[tiles.colour == c], axis=0) for c in np.unique(tiles.colour)]
    return np.asarray(np.stack(blanks), np.uint8)


def _wilds(tiles: Taught, blanks: Bytes, rng: np.random.Generator) -> Bytes:
    """Return wilds (#) as they might look on these tiles: they are no digits, though none was shown to us."""
    out = []
    for colour, blank in zip(np.unique(tiles.colour), blanks, strict=True):
        ink = _ink(tiles.crops[tiles.colour == colour], blank)
        for _ in range(2):
            mask = built_in(float(rng.uniform(0.08, 0.22)), float(rng.uniform(-0.05, 0.2)))["#"]
            alpha = _laid(mask, height=float(rng.uniform(17, 27)), wide=float(rng.uniform(0.8, 1.2)))
            out.append(np.clip(blank + (ink - blank) * alpha[..., None], 0, 255).astype(np.uint8))
    return np.stack(out)


def _laid(mask: Bytes, *, height: float, wide: float) -> Array:
    """Return a mask in the middle of a tile's crop, (48, 40) float32 0..1."""
    scale = height / mask.shape[0]
    w, h = symbols.CROP_WH
    matrix = np.array(
        [[scale * wide, 0, (w - mask.shape[1] * scale * wide) / 2], [0, scale, (h + 1 - height) / 2]], np.float32
    )
    soft = cv2.GaussianBlur(mask, (0, 0), 0.5 / scale)
    return np.asarray(cv2.warpAffine(soft, matrix, (w, h), flags=cv2.INTER_LINEAR), np.float32) / np.float32(255)


def _ink(crops: Bytes, blank: Bytes) -> Array:
    """Return (3,) the ink of tiles of one colour: the pixels that differ most from their blank."""
    left, top, right, bottom = (int(v) for v in symbols.TILE_BOX)
    inner = crops[:, top + 2 : bottom - 2, left + 2 : right - 2].astype(np.float32)
    away = np.abs(inner - blank[top + 2 : bottom - 2, left + 2 : right - 2]).sum(axis=3).reshape(len(crops), -1)
    furthest = np.argsort(away, axis=1)[:, -40:]
    return np.median(
        np.take_along_axis(inner.reshape(len(crops), -1, 3), furthest[:, :, None], 1).reshape(-1, 3), axis=0
    )


def _many(
    crops: Bytes, target: Array, times: int, rng: np.random.Generator, *, weight: float = 1.0, square: bool = False
) -> _Pile:
    """Return each crop many times, as other pictures would show it. square: pieces that lie any way round."""
    seen = [lit(moved(crop, rng, square=square), rng) for _ in range(times) for crop in crops]
    return _Pile(np.stack(seen), np.tile(np.asarray(target, np.int64), times), weight)


def moved(crop: Bytes, rng: np.random.Generator, *, square: bool = False) -> Bytes:
    """Return a crop as a less exact find would cut it: shifted, turned, stretched by a few percent."""
    h, w = crop.shape[:2]
    turn = np.radians(rng.normal(0, 2.5) + (90.0 * rng.integers(4) if square else 0.0))
    wide, high = np.exp(rng.normal(0, 0.045, 2))
    c, s = np.cos(turn), np.sin(turn)
    shape = np.array([[wide * c, -high * s + rng.normal(0, 0.03)], [wide * s, high * c]])
    middle = np.array([(w - 1) / 2, (h - 1) / 2])
    shift = middle - shape @ middle + rng.normal(0, [0.035 * w, 0.033 * h])
    matrix = np.column_stack([shape, shift]).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(crop, matrix, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def lit(crop: Bytes, rng: np.random.Generator) -> Bytes:
    """Return a crop as another light and another focus would show it."""
    seen = _focused(crop.astype(np.float32), rng)
    seen = 255 * (np.clip(seen, 0, 255) / 255) ** np.exp(rng.normal(0, 0.25))
    seen *= np.exp(rng.normal(0, 0.18)) * (1 + rng.normal(0, 0.05, 3))
    h, w = crop.shape[:2]
    x, y = np.arange(w, dtype=np.float32)[None] / w, np.arange(h, dtype=np.float32)[:, None] / h
    seen *= (1 + rng.normal(0, 0.12) * (x - 0.5) + rng.normal(0, 0.12) * (y - 0.5))[..., None]
    if rng.random() < 0.3:  # the lamp's image
        reach = rng.uniform(0.12, 0.5)
        spot = np.exp(-((x - rng.random()) ** 2 + (y - rng.random()) ** 2) / (2 * reach * reach))
        seen += (250 - seen) * (spot * rng.uniform(0.1, 0.7))[..., None]
    if rng.random() < 0.2:  # the edge of a shadow
        turn = rng.uniform(0, 2 * np.pi)
        along = (x - 0.5) * np.cos(turn) + (y - 0.5) * np.sin(turn) + rng.uniform(-0.4, 0.4)
        seen *= (1 - rng.uniform(0.1, 0.5) / (1 + np.exp(-along / rng.uniform(0.02, 0.1))))[..., None]
    seen += rng.normal(0, rng.gamma(1.5, 2.5), seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def _focused(crop: Array, rng: np.random.Generator) -> Array:
    kind = rng.random()
    if kind < 0.5:
        return cv2.GaussianBlur(crop, (0, 0), float(rng.uniform(0.3, 1.1)))
    if kind < 0.65:  # sharpened by the camera
        return np.asarray(crop + (crop - cv2.GaussianBlur(crop, (0, 0), 1.0)) * rng.uniform(0.3, 1.2))
    if kind < 0.8:  # shaken
        turn = rng.uniform(0, np.pi)
        kernel = np.zeros((5, 5), np.float32)
        for t in np.linspace(-1.7, 1.7, 9):
            kernel[round(2 + t * np.sin(turn)), round(2 + t * np.cos(turn))] += 1
        return np.asarray(cv2.filter2D(crop, -1, kernel / kernel.sum()))
    return crop
