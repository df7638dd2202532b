"""Dark and light counters on a mat: which places are covered, by what, and what lies on a line between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.mats.marks import HIDDEN, LIKE, Marks, edges_of
from vision.mats.mat import Mat
from vision.reading import EMPTY

HALF_SHOWN, SHOWN_SLOPE = 0.58, 25.0
"""Where a figure is as likely covered as bare, and how fast that changes; fitted to drawn mats."""
HALF_LIGHT, LIGHT_SLOPE = -0.75, 10.0
"""The same for a counter's brightness beside paper (logarithm): dark below, light above."""
HALF_DARK, DARK_SLOPE = -0.85, 25.0
"""Below this nothing of the drawn mats was light, in whatever shadow."""
NO_PAPER, PAPER_SLOPE = -0.8, 12.0
"""So dark (logarithm) the middle of a bare place is not: of 1,992 the darkest was -0.47."""
MAYBE = 0.3
"""... and one that is, and yet seems to show its figure, may be covered: where all paper is blown out hardly any of it
is left that print could be held against."""
NO_PRINT = -1.0
"""Nor is in a lamp's image the darker part of a bare place."""
NO_PAPER_LEFT = -0.6
"""Nor is its brighter part."""
SURE = 0.98
"""Least probability of a place that is not asked about."""
UNEVEN, UNEVEN_DARK = 0.4, 0.9
"""A light, a dark counter whose top differs by more within is lit by a lamp's image, or there are two."""
SPECKS = 0.2
"""A light counter whose darker part is so much darker than its middle may be bare paper with its figure blurred."""
GLARE_AMONG_DARK = 0.3
"""Dark counters of one set that differ by more show a lamp's image; then light ones may be dark."""
BRIGHTER = 0.12
"""Something so much brighter than paper is a lamp's image, whatever lies below."""
GLOWS = 0.06
"""Paper beside a place that is so much brighter than the mat's light has it (a logarithm) is at a lamp's image."""
WASHED, WASHED_AROUND = 0.4, 0.2
"""More of a place's middle than the first, or of the paper beside it than the second, is brighter than the camera can
tell: a lamp on a laminated mat, or too much light for white paper. Nobody can see there whether a figure is hidden by
something light or by the light. Held against the paper beside it alone, a bare place in a lamp's image was a light
counter where all paper was nearly white: of 360 drawn mats that mirror a lamp 87 were silently wrong."""
APART = 0.11
"""A light counter so much darker or lighter than any other of the set may be a dark one in a lamp's image."""
FELLOWS, ALIKE = 4, 0.06
"""A light counter with so many others so near to its brightness is one of the set: lamps light no dark ones so."""
DIM, FEW = -0.12, 2
"""A light counter dimmer than this and than another, without two more like it, may be a dark one in a lamp's image; so
may all such where light ones differ by more than those of one set."""
ONE_SET = 0.25
"""Light counters of one set differ by no more, wherever they lie."""
STILL_LIGHT, HIDES = -0.65, 0.3
"""Such a one shows nothing darker than this, and no more of the figure than this."""
GROUPS_APART, IN_GROUP, IN_DARK_GROUP = 0.35, 0.06, 0.25
"""Light and dark counters lie so far apart in a picture that tells them plainly, and so near among each other."""
PLAINLY_DARK, NO_LIGHT_PART = -1.15, -0.33
"""A counter so dark in its middle, of which no part is as light as this, is dark, whatever shines on it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one place holds."""

    likely: tuple[tuple[str, float], ...]
    """With probabilities, likeliest first."""
    sure: bool
    alike: bool = False
    """As `PlaceReading.alike`."""


def tell_counters(marks: Marks) -> tuple[Told, ...]:
    """Return what each place holds."""
    covered = _covered(marks)
    light = marks.middle > HALF_LIGHT
    lightly = _logistic(LIGHT_SLOPE * (marks.middle - HALF_LIGHT))
    darkly = np.maximum(1 - lightly, _logistic(DARK_SLOPE * (HALF_DARK - marks.middle)))
    kind = np.where(light, lightly, darkly)
    kind[_in_their_group(marks, covered > 0.5)] = 0.995
    odd = _odd_ones(marks, covered > 0.5) & ~_clear_ones(marks, covered > 0.5)
    bare, alike = _may_be_bare(marks), _of_a_set(marks, covered > 0.5, fellows=FEW)
    out = []
    for k in range(len(covered)):
        names = ("light", "dark") if light[k] else ("dark", "light")
        chances = {EMPTY: 1 - covered[k], names[0]: covered[k] * kind[k], names[1]: covered[k] * (1 - kind[k])}
        if odd[k] and covered[k] > 0.5:
            # What looks as none should may be the other kind as well, or a figure that glare or blur hides.
            other = {EMPTY: 0.4 * bare[k], names[0]: 0.0, names[1]: 1 - 0.4 * bare[k]}
            chances = {name: 0.85 * p + 0.15 * other[name] for name, p in chances.items()}
        likely = tuple(sorted(((name, float(p)) for name, p in chances.items()), key=lambda item: -item[1]))
        out.append(Told(likely, bool(likely[0][1] >= SURE), bool(alike[k])))
    return tuple(out)


def _covered(marks: Marks) -> Floats:
    """Return how likely each place is covered: its figure does not show, or it is darker than paper ever is."""
    hidden = _logistic(SHOWN_SLOPE * (HALF_SHOWN - marks.shown))
    # Only where no part is lighter and no border hidden: over the line a dark counter leaves some paper free.
    whole = (marks.high < NO_PAPER_LEFT) & ~marks.crossed
    dark = _logistic(PAPER_SLOPE * (NO_PAPER - marks.middle))
    covered = np.where(whole, np.maximum(hidden, dark), np.maximum(hidden, np.minimum(dark, MAYBE)))
    # The rim of a lamp's image on a counter has contrast, too, and is darker than print that is bared by blur alone.
    unlike = (marks.likeness < LIKE) | (marks.low < NO_PRINT)
    return np.where(_in_a_lamp(marks) & unlike, np.maximum(covered, MAYBE), covered)


def _may_be_bare(marks: Marks) -> NDArray[np.bool_]:
    specks = (marks.middle - marks.low > SPECKS) & (marks.shown > HIDES)
    return np.asarray(specks | _in_a_lamp(marks))


def _in_a_lamp(marks: Marks) -> NDArray[np.bool_]:
    """Return where a lamp may be mirrored: what shows no figure there may lie bare, what is light may be dark."""
    beside = (marks.glow > GLOWS) | ((marks.around > WASHED_AROUND) & (not _blown_out(marks)))
    return np.asarray((marks.middle > BRIGHTER) | (marks.washed > WASHED) | beside)


def _blown_out(marks: Marks) -> bool:
    """Return whether most of the paper is: then the light of the room does it, and no lamp's image shows on it.

    Nor does such paper say how light a counter is: what is as light as it may be a dark one that mirrors something.
    """
    return bool(np.median(marks.around) > WASHED_AROUND)


def _in_their_group(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters lie among others of their kind, in a picture that tells both kinds plainly apart."""
    light = covered & (marks.middle > HALF_LIGHT)
    dark = covered & ~light
    out = np.zeros(len(covered), np.bool_)
    if min(light.sum(), dark.sum()) < FELLOWS or not _parted(marks, light, dark) or _blown_out(marks):
        return out
    for group, near in ((light, IN_GROUP), (dark, IN_DARK_GROUP)):
        out |= group & (_fellows(marks.middle, group, near) >= FELLOWS)
    return out


def _parted(marks: Marks, light: NDArray[np.bool_], dark: NDArray[np.bool_]) -> bool:
    """Return whether light counters lie close together and well above all dark ones: in a lamp's image they do not."""
    if not light.any() or np.ptp(marks.middle[light]) > ONE_SET:
        return False
    return not dark.any() or bool(marks.middle[light].min() - marks.middle[dark].max() >= GROUPS_APART)


def _fellows(middle: Floats, group: NDArray[np.bool_], near: float) -> NDArray[np.int64]:
    """Return for each place how many others of a group are as bright, within `near`."""
    alike = (np.abs(middle[:, None] - middle[None, group]) < near).sum(axis=1)
    return np.asarray(alike - group.astype(np.int64))


def _clear_ones(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters are what they look like, although something shines on the mat."""
    one_of_set = _of_a_set(marks, covered, fellows=FELLOWS) & (not _blown_out(marks))
    dark = covered & (marks.middle < PLAINLY_DARK) & (marks.high < NO_LIGHT_PART)
    return np.asarray(one_of_set | dark)


def _of_a_set(marks: Marks, covered: NDArray[np.bool_], *, fellows: int) -> NDArray[np.bool_]:
    """Return which light counters are as bright as so many others, in a picture that tells both kinds plainly apart,
    and show neither print nor a lamp's image; where all paper is blown out they may be, too."""
    light = covered & (marks.middle > HALF_LIGHT)
    if not _parted(marks, light, covered & ~light):
        return np.zeros(len(covered), np.bool_)
    even = (marks.low > STILL_LIGHT) & (marks.middle - marks.low <= SPECKS) & (marks.shown < HIDES)
    lit = _in_a_lamp(marks) & (not _blown_out(marks))
    return np.asarray(light & even & ~lit & (_fellows(marks.middle, light, ALIKE) >= fellows))


def _odd_ones(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters look as none should: lit by a lamp's image, or unlike the others of the set."""
    light = marks.middle > HALF_LIGHT
    uneven = marks.high - marks.low > np.where(light, UNEVEN, UNEVEN_DARK)
    glaring = _in_a_lamp(marks)
    uneven |= light & (marks.middle - marks.low > SPECKS)
    if _blown_out(marks):
        glaring |= light
    of_light = marks.middle[covered & light]
    if len(of_light) > 1:
        unlike = of_light.max() - marks.middle > APART
        few = (_fellows(marks.middle, covered & light, ALIKE) < FEW) | (np.ptp(of_light) > ONE_SET)
        glaring |= light & unlike & (marks.middle < DIM) & few
    dark = marks.middle[covered & ~light]
    if len(dark) > 1 and np.ptp(dark) > GLARE_AMONG_DARK:
        glaring |= light
    of_set = np.flatnonzero(covered & light)
    if len(of_set) > 1:
        away = np.abs(marks.middle[of_set, None] - marks.middle[of_set]) + 9.0 * np.eye(len(of_set))
        glaring[of_set] |= away.min(axis=1) > APART
    return np.asarray(uneven | glaring)


def counters_on_lines(marks: Marks, mat: Mat, told: tuple[Told, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each thing that lies on a border between places that are not covered the places beside it."""
    edges = edges_of(mat)
    found: list[tuple[int, ...]] = []
    for k in np.flatnonzero(marks.border < HIDDEN):
        beside = edges.beside[k]
        bare = all(told[place].likely[0][0] == EMPTY for place in beside)
        if bare and not any(set(beside) & set(other) for other in found):
            found.append(beside)
    return tuple(found)


def _logistic(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0))))
