"""A picture parted into large patches of one colour, in several ways: each may be a felt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Single = NDArray[np.float32]

THIN_PX, BRIDGE_PX = 3, 13
"""Of the small picture: noise is no wider than the first, what joins felt and table no wider than the second."""
CLUSTERS = 8
EDGES = (25, 60)
"""Steps of brightness from which an edge goes on, and from which it begins (Canny), of 0..255 in the small picture."""
DIFFERS, DIFFERS_AT_EDGES = 7.0, 4.0
"""CIE distance between a felt and what lies just outside, and where edges part the two all around: in little light a
brown felt in a red-brown rim, with a table beyond it as light as a gleam on the felt, has 5."""
LEAST_SHARE, MOST_SHARE = 0.05, 0.85
"""Of the picture's area."""
LEAST_FILLED = 0.25
"""Share of the box around it that a felt fills at least."""


def hues_of(bgr: NDArray[Any]) -> Single:
    """Return (h, w, 3) features that hardly change with brightness: log ratios of the colours, and a little light."""
    light = np.log(cv2.blur(bgr, (5, 5)).astype(np.float32) + np.float32(10.0))
    ratios = [light[..., 0] - light[..., 1], light[..., 2] - light[..., 1], 0.12 * light.mean(axis=2)]
    return np.asarray(np.stack(ratios, axis=-1) * np.float32(55.0), dtype=np.float32)


def lab_of(bgr: NDArray[Any]) -> Single:
    """Return (h, w, 3) CIE Lab of colours 0..255."""
    lab = cv2.cvtColor(bgr.astype(np.float32) / np.float32(255.0), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, dtype=np.float32)


def ways_to_part(lab: Single, small_bgr: NDArray[Any]) -> Iterator[tuple[Iterator[NDArray[np.uint8]], float]]:
    """Yield the ways to part a picture into large patches of one colour, the next only where one finds no felt.

    And with each how much the colour beyond such a patch must differ.

    Plain colours first. Where the lamp fades over the tray, hue alone still tells felt from table. Where a table shines
    in the felt's colour, the two touch through gaps in a thin rim: such bridges are cut; and where they are too wide,
    whatever has an edge between is parted. Where a glare or the lamp's fading makes several colours of a felt, its
    edges alone do that.
    """
    plain = _of_one_colour(lab * np.array([0.6, 1.0, 1.0], dtype=np.float32))
    yield _patches(plain, THIN_PX), DIFFERS
    yield _patches(_of_one_colour(hues_of(small_bgr)), THIN_PX), DIFFERS
    yield _patches(plain, BRIDGE_PX), DIFFERS
    smooth = _without_edges(small_bgr)
    yield _patches([mask & smooth for mask in plain], THIN_PX), DIFFERS
    yield _patches([smooth], THIN_PX), DIFFERS_AT_EDGES


def _without_edges(bgr: NDArray[Any]) -> NDArray[np.uint8]:
    """Return (h, w) 1 where no edge is near, in any of the colours."""
    found = [cv2.Canny(cv2.GaussianBlur(channel, (0, 0), 1.0), *EDGES) for channel in cv2.split(bgr)]
    edges = cv2.dilate(np.maximum.reduce(found), np.ones((3, 3), np.uint8))
    return np.asarray(edges == 0, dtype=np.uint8)


def _patches(masks: Sequence[NDArray[np.uint8]], least_px: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the large parts of masks, each once; what is narrower than least_px is no part of any."""
    narrow, thin = np.ones((least_px, least_px), np.uint8), np.ones((THIN_PX, THIN_PX), np.uint8)
    seen = set()
    for mask in masks:
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, narrow)
        for part in _large_parts(np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, thin), dtype=np.uint8)):
            # What two colours make together is often what one of them made alone.
            if (same := part.tobytes()) not in seen:
                seen.add(same)
                yield part


def _of_one_colour(features: Single) -> list[NDArray[np.uint8]]:
    """Return masks of each colour of a picture, and of two colours of one hue together."""
    flat = features.reshape(-1, 3)
    centres = _clusters(flat[:: max(1, len(flat) // 6000)])
    nearest = _nearest(features, centres)
    sets: list[tuple[int, ...]] = [(k,) for k in range(len(centres))]
    # A felt in uneven light falls apart into two clusters of one hue.
    sets += [
        (i, j)
        for i in range(len(centres))
        for j in range(i)
        if np.linalg.norm((centres[i] - centres[j])[1:]) < 14 and abs(centres[i][0] - centres[j][0]) < 22
    ]
    return [np.asarray(cv2.LUT(nearest, _members(group)), dtype=np.uint8) for group in sets]


def _nearest(features: Single, centres: Single) -> NDArray[np.uint8]:
    """Return (h, w) which of the centres (k, 3) is nearest to each pixel."""
    # Plane by plane: over an axis of three numpy's sums take five times as long.
    planes = [np.ascontiguousarray(features[..., k]) for k in range(3)]
    nearest, least = np.zeros(planes[0].shape, np.uint8), np.full(planes[0].shape, np.inf, np.float32)
    away, along = np.empty_like(least), np.empty_like(least)
    for number, centre in enumerate(centres):
        away.fill(0.0)
        for plane, c in zip(planes, centre, strict=True):
            np.subtract(plane, c, out=along)
            np.square(along, out=along)
            away += along
        nearest[away < least] = number
        np.minimum(away, least, out=least)
    return nearest


def _members(group: Sequence[int]) -> NDArray[np.uint8]:
    """Return (256,) 1 for the numbers of a group."""
    out = np.zeros(256, dtype=np.uint8)
    out[list(group)] = 1
    return out


def _large_parts(mask: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield a mask's large connected parts, and the two largest together.

    (A diamond of tiles that reaches from rim to rim cuts its felt in two.)
    """
    total = mask.size
    if cv2.countNonZero(mask) <= LEAST_FILLED * LEAST_SHARE * total:  # three of five masks: no part can be large
        return
    # OpenCV's own measuring of all parts takes three times as long as parting: only large ones are measured.
    _, label = cv2.connectedComponents(mask, connectivity=4)
    areas = np.bincount(label.ravel()).tolist()
    large = []
    for k, px in enumerate(areas[1:], 1):
        if px > LEAST_FILLED * LEAST_SHARE * total:
            part = (label == k).astype(np.uint8)
            _, _, w, h = cv2.boundingRect(part)
            if LEAST_SHARE * total < w * h < MOST_SHARE * 1.2 * total and px > LEAST_FILLED * w * h:
                yield part
        if px > 0.3 * LEAST_SHARE * total:
            large.append((px, k))
    if len(large) >= 2:
        pair = [k for _, k in sorted(large, reverse=True)[:2]]
        yield ((label == pair[0]) | (label == pair[1])).astype(np.uint8)


def _clusters(samples: Single) -> Single:
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(7)
    count = min(CLUSTERS, len(samples))
    start = np.zeros((len(samples), 1), dtype=np.int32)
    _, _, centres = cv2.kmeans(samples, count, start, criteria, 2, cv2.KMEANS_PP_CENTERS)
    return np.asarray(centres, dtype=np.float32)


__all__ = ["LEAST_SHARE", "MOST_SHARE", "Single", "hues_of", "lab_of", "ways_to_part"]
