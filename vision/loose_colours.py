"""Which loose pieces (dice, disks) are of one colour, where nobody says how many colours there are.

Pieces of one colour differ by light and gloss: gloss and pearl take their colour away without changing its hue, light
and shadow change how light they are. So a step towards grey counts half where there is colour to lose, and one in
lightness counts less than half; both count half of that where the paler piece is the lighter one, as what mirrors a
lamp is. The ink is heard too: black dice have white pips. How far apart two pieces of one colour may be shows in how
far apart most neighbours are: dice of pearl differ among themselves more than black ones from brown.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from vision.geometry import Floats, Ints

LIGHT, TOWARDS_GREY = 0.45, 0.5
"""What a step in lightness, and one towards grey, count."""
COLOURED = 25.0
"""CIE chroma from which a colour has something to lose."""
MIRRORING = 0.9
"""What a step in lightness and towards grey counts, over the usual, if the paler of two tops is the lighter. With 0.5
white dice fell in with yellow ones."""
TINTED = 12.0
"""CIE chroma from which gloss can be told from grey."""
INK = 0.15
"""What a step in the lightness of the ink counts. It differs by 26 among dice of one colour (19 in 20 of 500 such
groups), by 70 between black pips and white ones."""
EDGE, EDGES_DIFFER = 0.4, 8.0
"""What a step from edge to edge counts beside one from top to top, as far as it is longer than the second (CIE): felt
and shadow lie at edges. MIRRORING and these: of 5,810 dice of four sets of trays, traced by two programs, and of
photographs 29 fall in with the wrong ones; with MIRRORING 0.5 and no edges heard here 50 did. Of 545 dice on another 80
trays, which chose nothing, 5 do (13 before)."""
STEPS = (12.0, 22.0)
"""The shortest and the longest step (CIE) within one colour."""
USUAL_STEPS = 3.0
"""A step so many times as long as the usual one between neighbours leads to another colour."""
COMMON_STEPS = (5.0, 5.0)
"""Steps (CIE) that dice have as a rule, heard beside those of a tray: two dice alone do not show what is usual."""
EDGES, MIRRORED, SAME_INK = 0.4, 30.0, 45.0
"""Groups are one where their edges are less than this share as far apart as their bodies, these no further than the
second (CIE), and the lightness of their inks no further than the third."""


def groups_of(lab: Floats, ink_lab: Floats, edge_lab: Floats) -> Ints:
    """Return (n,) groups 0..: pieces that a chain of small steps links, or edges that are alike.

    lab, ink_lab, edge_lab: (n, 3) CIE colours of the bodies, of what is printed on them and of their edges where these
    are darkest, in white light.
    """
    if len(lab) == 0:
        return np.zeros(0, dtype=np.int64)
    body, edge = _away(lab, mirroring=MIRRORING), _away(edge_lab)
    ink = np.abs(ink_lab[None, :, 0] - ink_lab[:, None, 0])
    beside = EDGE * np.maximum(edge - EDGES_DIFFER, 0.0)
    away = np.sqrt(body**2 + (INK * ink) ** 2 + beside**2)
    usual = float(np.median([*_gaps(away), *COMMON_STEPS]))
    group = _linked(away, float(np.clip(USUAL_STEPS * usual, *STEPS)))
    return _with_mirrors(group, body, ink, edge)


def _with_mirrors(group: Ints, body: Floats, ink: Floats, edge: Floats) -> Ints:
    """Return the groups with those made one that differ as what mirrors a lamp differs from what does not.

    body, ink, edge: (n, n) how far bodies, inks and edges are from each other.
    """
    while True:
        near, one, other = np.inf, 0, 0
        for a, b in combinations(np.unique(group).tolist(), 2):
            pairs = np.ix_(group == a, group == b)
            away = float(body[pairs].mean())
            alike = edge[pairs].mean() < EDGES * away and ink[pairs].mean() < SAME_INK
            if alike and away < min(near, MIRRORED):
                near, one, other = away, a, b
        if one == other:
            return np.asarray(np.unique(group, return_inverse=True)[1].reshape(-1), dtype=np.int64)
        group = np.where(group == other, one, group)


def _away(lab: Floats, *, mirroring: float = 1.0) -> Floats:
    """Return (n, n) how far colours are from each other.

    mirroring: what a step counts, over the usual, that a lamp in the surface may have made.
    """
    step = lab[None] - lab[:, None]
    middle = (lab[None, :, 1:] + lab[:, None, 1:]) / 2
    chroma = np.linalg.norm(middle, axis=2)
    hue = middle / np.maximum(chroma, 1e-9)[..., None]
    along = (step[..., 1:] * hue).sum(axis=2)
    counts = 1.0 - (1.0 - TOWARDS_GREY) * np.minimum(1.0, chroma / COLOURED)
    # Only what lies along the hue counts less; greys have none, and lose nothing.
    across = np.maximum((step[..., 1:] ** 2).sum(axis=2) - along**2, 0.0)
    own = np.linalg.norm(lab[:, 1:], axis=1)
    mirrors = (step[..., 0] * along < 0) & (np.minimum(own[:, None], own[None]) > TINTED)
    less = np.where(mirrors, mirroring, 1.0)
    return np.asarray(np.sqrt(less**2 * ((LIGHT * step[..., 0]) ** 2 + (counts * along) ** 2) + across))


def _gaps(away: Floats) -> Floats:
    """Return (n - 1,) the steps of the shortest tree that links all pieces."""
    linked, left = [0], set(range(1, len(away)))
    gaps = []
    while left:
        gap, piece = min((float(away[linked, k].min()), k) for k in left)
        linked.append(piece)
        gaps.append(gap)
        left.remove(piece)
    return np.array(gaps)


def _linked(away: Floats, step: float) -> Ints:
    """Return (n,) groups 0.. of pieces that are linked by steps no longer than `step`."""
    group = np.full(len(away), -1, dtype=np.int64)
    for start in range(len(away)):
        if group[start] >= 0:
            continue
        member = np.zeros(len(away), dtype=bool)
        member[start] = True
        while True:
            grown = np.asarray((away[member] <= step).any(axis=0))
            if np.array_equal(grown, member):
                break
            member = grown
        group[member] = int(group.max()) + 1
    return group
