"""A reading against the truth: what was right, what was doubted, what was silently wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any, NamedTuple

from vision.errors import BadLabels
from vision.layout import Expectation
from vision.reading import INCOMPLETE, Reading, Status

EXPECTED: Mapping[str, Expectation] = {
    "A": Expectation.ROWS,
    "B": Expectation.WILD,
    "C": Expectation.WILD,
    "D": Expectation.DRAWBRIDGE,
    "E58": Expectation.RECT,
    "E41": Expectation.DIAMOND,
    "F": Expectation.DICE,
    "F2": Expectation.DICE,
    "FB": Expectation.DICE,
    "FL": Expectation.DICE,
    "FM": Expectation.DICE,
    "FD": Expectation.DICE,
    "G": Expectation.DISKS,
    "GM": Expectation.DISKS,
    "GD": Expectation.DISKS,
    "BP": Expectation.WILD,
    "GP": Expectation.DISKS,
    "HAND": Expectation.ROWS,
    "EMPTY": Expectation.ROWS,
    "BUMP": Expectation.ROWS,
}
"""What is expected on the pictures of each family."""

Truth = Mapping[str, Any]
"""A label file: see LABELS.md beside the pictures."""
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Score:
    """How one picture was read."""

    expect: Expectation
    status: Status
    wanted: Status
    """READ for a tray that is ready, BUSY under a hand, EMPTY without pieces."""
    items: int
    """Pieces to be read."""
    wrong: tuple[str, ...]
    """Each wrong, missing or invented piece, in words; only where a reading was given."""
    wrong_sure: int
    """Of these, how many were reported sure, or are missing and nothing was said of that."""
    asked: int
    """Pieces the reading is not sure of."""
    colour_items: int
    colour_wrong: int
    """Pieces with another colour than most of theirs, or with that of others."""
    colour_sure: tuple[int, int]
    """Pieces of whose colour the reading is sure, and how many of these have a wrong one."""
    confidences: tuple[tuple[float, bool], ...]
    """(confidence, right) of every piece that has a counterpart."""
    beyond_taps: int = 0
    """Of the wrong ones, how many no answer to a question puts right: reported sure, missing or invented."""
    doubt: float = 0.0
    """Expected number of wrong pieces, by the reading's own confidences."""

    @property
    def given(self) -> bool:
        """Return whether a reading was given, sure or not: of others no piece is right or wrong."""
        return self.status in (Status.READ, Status.UNSURE)

    @property
    def right(self) -> bool:
        """Return whether the picture was read as it should be, at first, sure or not."""
        if self.wanted is not Status.READ:
            return self.status is self.wanted
        return self.given and not self.wrong

    @property
    def right_after_taps(self) -> bool:
        """Return whether the reading is right once every doubted piece was answered."""
        if self.wanted is not Status.READ:
            return self.status is self.wanted
        return self.given and self.beyond_taps == 0

    @property
    def silently_wrong(self) -> bool:
        """Return whether a wrong reading was passed off as sure, or a tray with pieces on it as empty."""
        if self.status is Status.EMPTY:
            return self.wanted is Status.READ
        return self.status is Status.READ and (self.wanted is not Status.READ or bool(self.wrong))


def score(reading: Reading, truth: Truth, *, expect: Expectation | None = None) -> Score:
    """Return how a reading compares with the truth; expect: None for what the family's pictures show.

    Raises BadLabels where the labels name no known family.
    """
    if expect is None:
        expect = expectation_of(truth)
    wanted = _wanted(truth)
    if wanted is not Status.READ or reading.status not in (Status.READ, Status.UNSURE):
        items = len(_items(truth, expect))
        return Score(expect, reading.status, wanted, items, (), 0, 0, 0, 0, (0, 0), ())
    if expect is Expectation.DICE:
        return _score_loose(reading, truth, expect, [(d.centre, d.value, d) for d in reading.dice])
    if expect is Expectation.DISKS:
        shown = [(d.centre, (d.kind, d.value), d) for d in reading.disks]
        return _score_loose(reading, truth, expect, shown)
    return _score_tiles(reading, truth, expect)


def expectation_of(truth: Truth) -> Expectation:
    """Return what is expected on a labelled picture; raise BadLabels for an unknown family."""
    family = truth.get("family")
    if family not in EXPECTED:
        raise BadLabels(f"labels of {truth.get('image')}: unknown family {family!r}")
    return EXPECTED[str(family)]


def _wanted(truth: Truth) -> Status:
    if truth.get("hand_present"):
        return Status.BUSY
    if truth.get("empty"):
        return Status.EMPTY
    return Status.READ if truth.get("ready", True) else Status.BUSY


def _items(truth: Truth, expect: Expectation) -> list[Any]:
    key = {Expectation.DICE: "dice", Expectation.DISKS: "disks"}.get(expect, "tiles")
    return list(truth.get(key, ()))


class _Wrong(NamedTuple):
    """One piece that was not read as it lies there."""

    words: str
    sure: bool
    """Reported sure, or missing and nothing was said of that."""
    beyond_taps: bool
    """No answer to a question puts it right."""

    @classmethod
    def missing(cls, what: str, reading: Reading) -> _Wrong:
        return cls(f"{what} not seen", not reading.problems & INCOMPLETE, True)

    @classmethod
    def misread(cls, what: str, shown: object, got: Any) -> _Wrong:
        return cls(f"{what} read as {shown} ({got.confidence:.4f})", got.sure, got.sure)

    @classmethod
    def unnoticed(cls, what: str) -> _Wrong:
        return cls(f"{what} unnoticed", True, True)

    @classmethod
    def invented(cls, what: str, got: Any) -> _Wrong:
        return cls(f"{what} invented", got.sure, True)


def _scored(
    reading: Reading, expect: Expectation, items: int, pieces: Sequence[Any], wrong: Sequence[_Wrong],
    colours: Sequence[tuple[str, str, bool]], confidences: Sequence[tuple[float, bool]],
) -> Score:  # fmt: skip
    """Return the score of a reading's pieces. colours: (true name, name as read, sure) of those that have one."""
    amiss, sure = misnamed([(true, name) for true, name, _ in colours]), [is_sure for _, _, is_sure in colours]
    return Score(
        expect,
        reading.status,
        Status.READ,
        items,
        wrong=tuple(w.words for w in wrong),
        wrong_sure=sum(w.sure for w in wrong),
        asked=sum(not piece.sure for piece in pieces),
        colour_items=len(colours),
        colour_wrong=sum(amiss),
        colour_sure=(sum(sure), sum(one and other for one, other in zip(amiss, sure, strict=True))),
        confidences=tuple(confidences),
        beyond_taps=sum(w.beyond_taps for w in wrong),
        doubt=sum(1.0 - piece.confidence for piece in pieces),
    )


def _score_tiles(reading: Reading, truth: Truth, expect: Expectation) -> Score:
    real = {(int(t["row"]), int(t["grid_col"])): t for t in _items(truth, expect) if t["row"] is not None}
    first = _first_row(real, reading) if expect is Expectation.DRAWBRIDGE else 0
    seen = {(t.row + first, t.column): t for t in reading.tiles}
    wrong, confidences = [], []
    for place, tile in real.items():
        got, legible = seen.get(place), tile.get("legibility")
        # Of a tile that nobody can read nothing is asked but that it is not taken for sure as something else.
        passed_off = got is not None and got.sure and got.symbol != tile["label"]
        if legible == "covered" or (legible == "unreadable" and not passed_off):
            continue
        if got is None:
            wrong.append(_Wrong.missing(f"{place}: {tile['label']}", reading))
            continue
        right = got.symbol == tile["label"]
        confidences.append((got.confidence, right))
        if not right:
            wrong.append(_Wrong.misread(f"{place}: {tile['label']}", got.symbol, got))
    for place in seen.keys() - real.keys():
        wrong.append(_Wrong.invented(f"{place}: {seen[place].symbol}", seen[place]))
    if reading.status is Status.READ:
        others = [t for t in _items(truth, expect) if t["row"] is None]
        wrong += [_Wrong.unnoticed(f"{t['label']} on others at {t['center']}") for t in others]
    pairs = [(str(real[p]["color"]), t.colour) for p, t in seen.items() if p in real and real[p].get("color")]
    open_pairs = [(c, name, True) for c, name in pairs if name is not None]
    return _scored(reading, expect, len(real), reading.tiles, wrong, open_pairs, confidences)


def _first_row(real: Mapping[Place, Any], reading: Reading) -> int:
    """Return by how many rows a Draw Bridge array is read too high.

    A colour of which no tile lies yet has no row that could be seen: an array is the same with and without it.
    """
    return min((r for r, _ in real), default=0) - min((t.row for t in reading.tiles), default=0)


def _score_loose(
    reading: Reading, truth: Truth, expect: Expectation, shown: list[tuple[tuple[float, float], Any, Any]]
) -> Score:
    """Return the score of pieces without places, matched by their centres.

    A disk among dice, or a die among disks, is no piece of this game: somebody must be asked, however it is shown.
    """
    dice = expect is Expectation.DICE
    real = [(d["center"], d["value"] if dice else (d["kind"], d["value"]), d) for d in _items(truth, expect)]
    reach = _half_piece(real)
    wrong, confidences, pairs = [], [], []
    left = list(shown)
    for centre, value, label in real:
        near = min(left, key=lambda s: hypot(s[0][0] - centre[0], s[0][1] - centre[1]), default=None)
        if near is None or hypot(near[0][0] - centre[0], near[0][1] - centre[1]) > reach:
            wrong.append(_Wrong.missing(f"{value} at {centre}", reading))
            continue
        left.remove(near)
        right = near[1] == value
        confidences.append((near[2].confidence, right))
        if dice:
            pairs.append((str(label["color"]), str(near[2].colour), bool(near[2].colour_sure)))
        if not right:
            wrong.append(_Wrong.misread(f"{value} at {centre}", near[1], near[2]))
    for centre, value, found in left:
        wrong.append(_Wrong.invented(f"{value} at ({centre[0]:.0f}, {centre[1]:.0f})", found))
    if reading.status is Status.READ:
        others = truth.get("disks" if dice else "dice", ())
        wrong += [_Wrong.unnoticed(f"{'disk' if dice else 'die'} at {piece['center']}") for piece in others]
    return _scored(reading, expect, len(real), [s[2] for s in shown], wrong, pairs, confidences)


def _half_piece(real: list[tuple[Any, Any, Any]]) -> float:
    """Return half a piece in pixels, from the truth's own outlines."""
    widths = []
    for _, _, label in real:
        points = label.get("top_quad") or label.get("outline") or label.get("silhouette")
        if points:
            widths.append(max(p[0] for p in points) - min(p[0] for p in points))
    return 0.6 * sum(widths) / len(widths) if widths else 12.0


def misnamed(pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """Return which pieces have another name than most of their colour, or share it with another colour."""
    votes: dict[str, Counter[str]] = {}
    for colour, name in pairs:
        votes.setdefault(colour, Counter())[name] += 1
    owner: dict[str, str] = {}
    for colour, names in sorted(votes.items(), key=lambda item: -item[1].most_common(1)[0][1]):
        owner.setdefault(names.most_common(1)[0][0], colour)
    return [owner.get(name) != colour for colour, name in pairs]


def fraction(hits: int, trials: int) -> str:
    """Return a share in words: how many of how many, and its Wilson interval."""
    return f"{hits}/{trials} {interval(hits, trials)}"


def interval(hits: int, trials: int, *, digits: int = 1) -> str:
    """Return the Wilson interval of a share in words, in percent.

    >>> interval(9, 10)
    '59.6-98.2 %'
    """
    low, high = wilson(hits, trials)
    return f"{100 * low:.{digits}f}-{100 * high:.{digits}f} %"


def wilson(hits: int, trials: int, *, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a share (Wilson 1927): (0, 1) for no trials.

    >>> tuple(round(v, 3) for v in wilson(9, 10))
    (0.596, 0.982)
    """
    if trials == 0:
        return 0.0, 1.0
    p, z2 = hits / trials, z * z
    middle = (p + z2 / (2 * trials)) / (1 + z2 / trials)
    half = z / (1 + z2 / trials) * sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)
