"""The felt without markers: a quadrilateral of one colour inside a rim. Says None rather than guess.

The picture's colours are clustered; every large patch of one colour whose outline is nearly four straight
lines is a candidate, its sides are pulled to the sharpest change of colour, and what remains is scored by
what a tray must be: convex, of the right proportions, filled with its colour, and of another colour outside
on all four sides. Two candidates that score alike and lie apart are no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, line_through, sides, turns, where_sides_meet

Image = NDArray[np.uint8]
Single = NDArray[np.float32]

SMALL_PX = 320
"""Long side of the picture in which candidates are sought."""
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
LEAST_SCORE = 0.55
ALIKE_SCORE = 0.9
"""A candidate that scores more than this, over the other's score, is as good."""
SAME = 0.12
"""Candidates whose corners are no further apart than this, over their size, are one."""
TILES_SCORE = 0.8
"""What lies on a candidate that scores more than this, over its own score, is tiles: nothing in it differs from felt
but they, and a rim with a lamp's light on it makes a tray score less."""
JUST_INSIDE, JUST_OUTSIDE = 0.05, -0.045
"""Shares of the way to a candidate's middle by which what lies on either side of its outline is looked at."""
NESTED, MOSTLY_FELT = 0.95, 0.7
"""So much of a felt lies within what is felt and rim together, and so much of that is felt at least: a rim is up to a
tenth as wide as its tray."""
OTHER_HUE, MOSTLY_RIM = 12.0, 0.75
"""By so much a rim's hue differs from its felt's (`_hues`), in so much of what lies between: some lies in its shade."""
OWN_COLOUR, NO_RIM = 12.0, 0.9
"""CIE distance (lightness counts less than half) within which felt has its own colour, and the share of what lies just
around a thing that has: then the thing lies on the felt."""
PERIMETER_MM = 1240.0
"""Of the nominal felt: what a pixel is worth, roughly."""
WALK_MM = (24.0, 12.0)
"""How far inside a first guess of a side the walk outwards begins, and how far outside it ends."""
ASPECT_SLACK = 0.22
"""Relative; perspective at 18 degrees of tilt changes the proportions by about a tenth."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    corners: Floats
    score: float


def find_felt(picture_bgr: Image, *, aspect: float) -> Floats | None:
    """Return (4, 2) the felt's corners TL TR BR BL in pixels; None where none is convincing.

    aspect: width over height of the felt.
    """
    h, w = picture_bgr.shape[:2]
    scale = SMALL_PX / max(h, w)
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = _lab(cv2.medianBlur(small, 3))
    found: list[_Candidate] = []
    for patches, differs in _ways_to_part(lab, small):
        for mask in patches:
            corners = _four_sided(mask)
            score = 0.0 if corners is None else _score(corners, lab, mask, aspect, differs)
            if corners is not None and score > 0.0:
                found.append(_Candidate(corners, score))
        best = _only_best(_on_the_table(found, lab), small)
        if best is not None:
            return _refine((best.corners + 0.5) / scale - 0.5, picture_bgr)
    return None


def _hues(bgr: NDArray[Any]) -> Single:
    """Return (h, w, 3) features that hardly change with brightness: log ratios of the colours, and a little light."""
    light = np.log(cv2.blur(bgr, (5, 5)).astype(np.float32) + np.float32(10.0))
    ratios = [light[..., 0] - light[..., 1], light[..., 2] - light[..., 1], 0.12 * light.mean(axis=2)]
    return np.asarray(np.stack(ratios, axis=-1) * np.float32(55.0), dtype=np.float32)


def _lab(bgr: NDArray[Any]) -> Single:
    lab = cv2.cvtColor(bgr.astype(np.float32) / np.float32(255.0), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, dtype=np.float32)


def _ways_to_part(lab: Single, small_bgr: NDArray[Any]) -> Iterator[tuple[Iterator[NDArray[np.uint8]], float]]:
    """Yield the ways to part a picture into large patches of one colour, the next only where one finds no felt.

    And with each how much the colour beyond such a patch must differ.

    Plain colours first. Where the lamp fades over the tray, hue alone still tells felt from table. Where a table shines
    in the felt's colour, the two touch through gaps in a thin rim: such bridges are cut; and where they are too wide,
    whatever has an edge between is parted. Where a glare or the lamp's fading makes several colours of a felt, its
    edges alone do that.
    """
    plain = _of_one_colour(lab * np.array([0.6, 1.0, 1.0], dtype=np.float32))
    yield _patches(plain, THIN_PX), DIFFERS
    yield _patches(_of_one_colour(_hues(small_bgr)), THIN_PX), DIFFERS
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
    """Yield the large parts of masks; what is narrower than least_px is no part of any."""
    narrow, thin = np.ones((least_px, least_px), np.uint8), np.ones((THIN_PX, THIN_PX), np.uint8)
    for mask in masks:
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, narrow)
        yield from _large_parts(np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, thin), dtype=np.uint8))


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
    away = [sum(np.square(plane - c) for plane, c in zip(planes, centre, strict=True)) for centre in centres]
    return np.asarray(np.argmin(away, axis=0), dtype=np.uint8)


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
    count, label, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    large = []
    for k in range(1, count):
        box = int(stats[k, cv2.CC_STAT_WIDTH]) * int(stats[k, cv2.CC_STAT_HEIGHT])
        if LEAST_SHARE * total < box < MOST_SHARE * 1.2 * total and stats[k, cv2.CC_STAT_AREA] > 0.25 * box:
            yield (label == k).astype(np.uint8)
        if stats[k, cv2.CC_STAT_AREA] > 0.3 * LEAST_SHARE * total:
            large.append((int(stats[k, cv2.CC_STAT_AREA]), k))
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


def _four_sided(mask: NDArray[np.uint8]) -> Floats | None:
    """Return (4, 2) TL TR BR BL of the quadrilateral that the mask's hull nearly is; None for other shapes."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(np.concatenate(contours))
    rough = _longest_sides(hull)
    if rough is None:
        return None
    corners = _fit_sides(_clockwise_from_top_left(rough), hull.reshape(-1, 2).astype(np.float64))
    if (turns(corners) <= 0).any():
        return None
    overlap = cv2.contourArea(hull) / max(area(corners), 1.0)
    return corners if 0.85 < overlap < 1.12 else None


def _longest_sides(hull: NDArray[Any]) -> Floats | None:
    """Return where the four longest sides of a hull meet: a corner cut off by glare or a sleeve does not count."""
    length = cv2.arcLength(hull, True)
    points = cv2.approxPolyDP(hull, 0.012 * length, True).reshape(-1, 2).astype(np.float64)
    if len(points) < 4:
        return None
    chosen = np.sort(np.argsort(-sides(points), kind="stable")[:4])
    lines = [(points[k], np.roll(points, -1, 0)[k] - points[k]) for k in chosen]
    corners = where_sides_meet(lines)
    slack = 0.15 * length
    low, high = points.min(axis=0) - slack, points.max(axis=0) + slack
    inside = bool((corners > low).all() and (corners < high).all())
    return corners if inside and np.isfinite(corners).all() else None


def _fit_sides(corners: Floats, hull: Floats) -> Floats:
    """Return corners after each side was laid through the middle of the hull's edge along it."""
    lines, dense = [], _densify(hull)
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        direction = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        normal = np.array([-direction[1], direction[0]])
        t, off = (dense - a) @ direction, (dense - a) @ normal
        near = (np.abs(off) < 4.0) & (t > 0.1 * np.linalg.norm(b - a)) & (t < 0.9 * np.linalg.norm(b - a))
        lines.append(line_through(dense[near]) if near.sum() >= 6 else (a, direction))
    return where_sides_meet(lines)


def _densify(hull: Floats) -> Floats:
    """Return points along a polygon (n, 2), a pixel apart, with both ends of each side."""
    along = np.roll(hull, -1, 0) - hull
    count = np.maximum(2, np.hypot(along[:, 0], along[:, 1]).astype(np.int64))
    first = np.repeat(np.cumsum(count) - count, count)
    t = (np.arange(len(first)) - first) * np.repeat(1.0 / (count - 1), count)
    t[np.cumsum(count) - 1] = 1.0
    return np.asarray(np.repeat(hull, count, 0) + np.repeat(along, count, 0) * t[:, None])


def _clockwise_from_top_left(corners: Floats) -> Floats:
    """Return corners TL TR BR BL, for a tray that lies upright within 45 degrees."""
    centre = corners.mean(axis=0)
    angle = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    ordered = corners[np.argsort(angle)]
    start = int(np.argmin(ordered.sum(axis=1)))
    return np.asarray(np.roll(ordered, -start, axis=0))


def _score(corners: Floats, lab: Single, mask: NDArray[np.uint8], aspect: float, differs: float) -> float:
    """Return 0..1 how much a quadrilateral is a tray: 0 for what cannot be one. differs: as of `_ways_to_part`."""
    height, width = lab.shape[:2]
    length = sides(corners)
    share = area(corners) / (height * width)
    if not LEAST_SHARE < share < MOST_SHARE or length.min() < 20:
        return 0.0
    wide = (length[0] + length[2]) / (length[1] + length[3])
    astray = abs(float(np.log(wide / aspect))) / ASPECT_SLACK
    skew = max(length[0] / length[2], length[2] / length[0], length[1] / length[3], length[3] / length[1])
    if astray > 1.0 or skew > 1.4:
        return 0.0
    inside = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    filled = float((mask & inside).sum()) / max(1, int(inside.sum()))
    rim = _other_outside(corners, lab, differs)
    if filled < 0.4 or rim < 0.5:
        return 0.0
    return float((1.0 - 0.4 * astray) * (0.4 + 0.6 * min(1.0, filled / 0.65)) * rim * (1.0 - 0.5 * (skew - 1.0)))


def _other_outside(corners: Floats, lab: Single, differs: float) -> float:
    """Return the share of the outline along which the colour just outside differs so much from that just inside.

    The worst side counts as much as the mean: a tray has four edges.
    """
    away = np.linalg.norm(_look(lab, _along(corners, JUST_INSIDE)) - _look(lab, _along(corners, JUST_OUTSIDE)), axis=1)
    each = (away > differs).reshape(4, -1).mean(axis=1)
    return float(0.5 * (each.min() + each.mean()))


def _along(corners: Floats, inwards: float) -> Floats:
    """Return (4 x 24, 2) points along an outline, side by side, moved towards its middle by a share of the way."""
    t = np.linspace(0.06, 0.94, 24)[:, None]
    moved = corners + inwards * (corners.mean(axis=0) - corners)
    return np.concatenate([p + t * (q - p) for p, q in zip(moved, np.roll(moved, -1, 0), strict=True)])


def _look(picture: Single, points: Floats) -> Floats:
    at = points.astype(np.float32)
    seen = cv2.remap(picture, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], dtype=np.float64)


def _on_the_table(found: list[_Candidate], lab: Single) -> list[_Candidate]:
    """Return the candidates that lie on no other one, nearly as good: five rows of eight tiles look like a tray."""
    good = [c for c in found if c.score >= LEAST_SCORE]
    lying = [
        (c, o)
        for c in found
        for o in good
        if o.score > TILES_SCORE * c.score and _within(c.corners, o.corners) and _felt_around(c.corners, o.corners, lab)
    ]
    # Of some tiles nearly all are of one colour: what is nearly the same lies there, too.
    return [
        c for c in found if not any(_apart(c, tiles) < SAME and _within(c.corners, o.corners) for tiles, o in lying)
    ]


def _within(inner: Floats, outer: Floats) -> bool:
    """Return whether a quadrilateral lies well inside another."""
    margin = 0.06 * float(np.sqrt(area(outer)))
    shape = outer.astype(np.float32).reshape(-1, 1, 2)
    return all(cv2.pointPolygonTest(shape, (float(x), float(y)), True) >= margin for x, y in inner)


def _felt_around(inner: Floats, outer: Floats, lab: Single) -> bool:
    """Return whether around a quadrilateral is nothing but the own colour of another, on which it lies.

    A felt that lies on something has a rim around it.
    """
    ground = np.median(_look(lab, _along(outer, 0.08)), axis=0)
    around = np.linalg.norm((_look(lab, _along(inner, -0.09)) - ground) * (0.4, 1.0, 1.0), axis=1)
    return bool((around < OWN_COLOUR).mean() > NO_RIM)


def _apart(one: _Candidate, other: _Candidate) -> float:
    """Return how far apart the corners of two candidates lie, over the size of the second."""
    return float(np.abs(one.corners - other.corners).max() / np.sqrt(area(other.corners)))


def _only_best(found: list[_Candidate], bgr: NDArray[Any]) -> _Candidate | None:
    """Return the best candidate; None if it is poor, or another that lies elsewhere is nearly as good.

    Of a felt, and felt and rim together, it is the felt. bgr: the small picture.
    """
    if not found:
        return None
    best = max(found, key=lambda c: c.score)
    if best.score < LEAST_SCORE:
        return None
    good = [o for o in found if o is best or (o.score > ALIKE_SCORE * best.score and _apart(o, best) > SAME)]
    if len(good) == 1:
        return best
    felt, hues = min(good, key=lambda c: area(c.corners)), _hues(bgr)
    return felt if all(_apart(o, felt) <= SAME or _rim_between(felt, o, hues) for o in good) else None


def _rim_between(inner: _Candidate, outer: _Candidate, hues: Single) -> bool:
    """Return whether one candidate is another with a rim around it, which has another hue: a shadow on felt has not.

    hues: as of `_hues`.
    """
    shared, _ = cv2.intersectConvexConvex(inner.corners.astype(np.float32), outer.corners.astype(np.float32))
    if shared < NESTED * area(inner.corners) or shared < MOSTLY_FELT * area(outer.corners):
        return False
    within, beyond = _along(inner.corners, JUST_INSIDE), _along(inner.corners, JUST_OUTSIDE)
    shape = outer.corners.astype(np.float32).reshape(-1, 1, 2)
    between = np.array([cv2.pointPolygonTest(shape, (float(x), float(y)), True) > 1.0 for x, y in beyond])
    away = np.linalg.norm((_look(hues, within) - _look(hues, beyond))[between, :2], axis=1)
    return len(away) > 0 and float((away > OTHER_HUE).mean()) > MOSTLY_RIM


def _refine(corners: Floats, picture_bgr: Image) -> Floats:
    """Return corners with each side laid where the felt's own colour ends, in full resolution.

    The first guess may be the rim's outer edge: each side is walked from well inside outwards, and where the
    colour leaves the felt's for good is the edge. Shadows darken felt but hardly change its hue.
    """
    soft = cv2.GaussianBlur(picture_bgr, (5, 5), 0).astype(np.float32)
    unit = float(sides(corners).sum()) / PERIMETER_MM
    lines = []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        points = _where_felt_ends(soft, a, b, unit)
        direction = (b - a) / np.linalg.norm(b - a)
        lines.append(_sturdy_line(points) if len(points) >= 24 else (a, direction))
    fresh = where_sides_meet(lines)
    far = float(np.abs(fresh - corners).max())
    return fresh if far < 40.0 * unit and (turns(fresh) > 0).all() else corners


def _where_felt_ends(bgr: Single, a: Floats, b: Floats, unit: float) -> Floats:
    """Return (m, 2) points along the side a-b at which the felt's colour ends, walking outwards.

    bgr: (h, w, 3) 0..255. Only what is walked over is made Lab: for a whole picture that takes 20 ms.
    """
    direction = (b - a) / np.linalg.norm(b - a)
    outwards = np.array([direction[1], -direction[0]])
    t = np.linspace(0.1, 0.9, 72)[:, None]
    offsets = np.arange(-WALK_MM[0] * unit, WALK_MM[1] * unit, 1.0)
    start, lasting = max(3, round(6 * unit)), max(2, round(2.5 * unit))
    if len(offsets) <= start + lasting:
        # A tray of some fifty pixels: a walk is too short to see anything end.
        return np.zeros((0, 2))
    line = a + t * (b - a)
    grid = (line[:, None, :] + offsets[None, :, None] * outwards).reshape(-1, 2)
    profile = _lab(_look(bgr, grid)[None]).reshape(len(t), len(offsets), 3)
    felt = np.median(profile[:, :start].reshape(-1, 3), axis=0)
    own = np.median(profile[:, :start], axis=1)
    # Light differs along a side, hue does not: brightness is compared with the start of each walk.
    reference = np.stack([own[:, 0], np.full(len(t), felt[1]), np.full(len(t), felt[2])], axis=1)
    off = (profile - reference[:, None, :]) * (0.45, 1.0, 1.0)
    off[..., 0] = np.where(off[..., 0] < 0, 0.5 * off[..., 0], off[..., 0])
    away = np.linalg.norm(off, axis=2)
    limit = max(6.0, 3.0 * float(np.quantile(away[:, :start], 0.8)))
    outside = away > limit
    shifted = np.stack([outside[:, k : len(offsets) - lasting + k] for k in range(lasting)])
    run = np.asarray(shifted.all(axis=0), dtype=bool)
    ends = run.any(axis=1) & (np.linalg.norm((own - felt)[:, 1:], axis=1) < limit)
    first = run.argmax(axis=1)
    return np.asarray((line + offsets[first][:, None] * outwards)[ends])


def _sturdy_line(points: Floats) -> tuple[Floats, Floats]:
    """Return the line most points lie on: a corner, a shadow or a sleeve may spoil many of them."""
    rng = np.random.default_rng(3)
    p, q = points[[rng.choice(len(points), 2, replace=False) for _ in range(60)]].transpose(1, 0, 2)
    apart = np.linalg.norm(q - p, axis=1)
    far = apart >= 20.0
    if not far.any():
        return line_through(points)
    normals = np.column_stack([p[:, 1] - q[:, 1], q[:, 0] - p[:, 0]])[far] / apart[far, None]
    near = np.abs(np.einsum("kmx,kx->km", points - p[far, None], normals)) < 1.8
    return line_through(points[near[near.sum(axis=1).argmax()]])
