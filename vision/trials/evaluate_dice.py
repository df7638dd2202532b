"""How well dice are read on photographs: `python -m vision.evaluate FOLDER` where FOLDER/labels.json lists dice.

labels.json: a list of {"file", "dice": [{"value", "colour", "colour_alt", "bbox" [x0, y0, x1, y1], "bbox_kind",
"face"}], "ignore": [...]}. Boxes are loose (some frame the pips only), so pieces are matched by their middles. There
is no tray in these pictures: the picture is taken for the tray, its scale is found by what fits (vision.dice.photos).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from pathlib import Path
from typing import Any

from vision.dice.photos import read_dice
from vision.errors import BadLabels
from vision.options import one_by_one
from vision.overlay import draw_reading
from vision.reading import DieReading, Reading, Status
from vision.tray.rectify import Image
from vision.trials.labelled import check_piece, picture_at
from vision.trials.photographs import labels_of
from vision.trials.report import Failure, Outcome
from vision.trials.scoring import interval

Label = dict[str, Any]
NEEDED = ("value", "colour", "bbox")
"""What must be said of each die."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was seen of some photographs' dice."""

    dice: int = 0
    """Dice with pips; symbols are not read."""
    found: int = 0
    right: int = 0
    """Found, with the right value."""
    sure: int = 0
    sure_wrong: int = 0
    invented: int = 0
    """Something else was taken for a die."""
    invented_sure: int = 0
    coloured: int = 0
    """Found, with the right colour."""

    def __add__(self, other: Counts) -> Counts:
        """Return the sums."""
        return Counts(*(getattr(self, name) + getattr(other, name) for name in Counts.__dataclass_fields__))


def load_labels(folder: Path) -> list[Label]:
    """Return the labelled photographs of dice in a folder.

    Raises BadLabels for a labels.json that is not JSON, or leaves out what is NEEDED, or whose boxes are none.
    """
    path = folder / "labels.json"
    labels = labels_of(path)
    for k, label in enumerate(labels):
        _check(label, f"{path}: photograph {k}")
    return labels


def _check(label: Label, where: str) -> None:
    """Raise BadLabels for a photograph without what is NEEDED of it and its dice, or with a box that is none."""
    if not isinstance(label.get("file"), str) or not isinstance(label["dice"], list):
        raise BadLabels(f"{where} does not say its file and its dice")
    for n, die in enumerate(label["dice"]):
        check_piece(die, f"{where}: dice[{n}]", needed=NEEDED, place="bbox", numbers=4)


def picture_of(folder: Path, label: Label) -> Image:
    """Return a labelled photograph; raise BadLabels where there is none."""
    return picture_at(folder / label["file"])


def with_pips(label: Label) -> list[Label]:
    """Return the labels of a photograph's dice that show pips: symbols are not read."""
    return [d for d in label["dice"] if d.get("face", "pips") == "pips"]


def count_dice(found: Sequence[DieReading], label: Label) -> Counts:
    """Return how the dice found in one photograph compare with its label."""
    dice = with_pips(label)
    counts, left = Counts(dice=len(dice)), set(range(len(found)))
    for k, n in matched(found, dice):
        got, die = found[n], dice[k]
        left.remove(n)
        right = got.value == die["value"]
        named = got.colour in (die["colour"], *die.get("colour_alt", ()))
        counts += Counts(found=1, right=right, sure=got.sure, sure_wrong=got.sure and not right, coloured=named)
    for got in (found[n] for n in left):
        if not _ignored(got, label):
            counts += Counts(invented=1, invented_sure=got.sure)
    return counts


def matched(found: Sequence[DieReading], dice: Sequence[Label]) -> list[tuple[int, int]]:
    """Return which die is which find, as indices of both: the two that lie nearest first, as far as a die reaches.

    Where dice touch, the find on one of them is no wrong reading of its neighbour that was not seen.
    """
    pairs = [(_away(got, die), k, n) for k, die in enumerate(dice) for n, got in enumerate(found)]
    out: dict[int, int] = {}
    for away, k, n in sorted(pairs):
        if k not in out and n not in out.values() and away <= _reach(found[n], dice[k]):
            out[k] = n
    return list(out.items())


def _away(got: DieReading, die: Label) -> float:
    x0, y0, x1, y1 = die["bbox"]
    return hypot(got.centre[0] - (x0 + x1) / 2, got.centre[1] - (y0 + y1) / 2)


def _reach(got: DieReading, die: Label) -> float:
    """Return how far off the middle of a die may lie: half of the larger of the two, where the box frames the die."""
    side = hypot(got.corners[1][0] - got.corners[0][0], got.corners[1][1] - got.corners[0][1])
    x0, y0, x1, y1 = die["bbox"]
    framed = 0.0 if die.get("bbox_kind") == "pips" else max(x1 - x0, y1 - y0)
    return 0.6 * max(side, framed)


def _ignored(got: DieReading, label: Label) -> bool:
    """Return whether something lies in a region that the label leaves out, or on a die without pips."""
    boxes = [r.get("bbox", r) if isinstance(r, dict) else r for r in label.get("ignore", ())]
    boxes += [d["bbox"] for d in label["dice"] if d.get("face", "pips") != "pips"]
    return any(b[0] < got.centre[0] < b[2] and b[1] < got.centre[1] < b[3] for b in boxes if len(b) == 4)


Seen = tuple[Label, Sequence[DieReading]]
"""A photograph, and the dice that were found in it."""


def look(
    folder: Path,
    labels: Sequence[Label],
    *,
    read: Callable[[Image], Sequence[DieReading]] = lambda picture: read_dice(picture).dice,
) -> list[Seen]:
    """Return what is found in each photograph, saying how far it is; raise BadLabels for a missing picture."""
    return [(label, read(picture_of(folder, label))) for label in one_by_one(labels, "pictures")]


def by_source(seen: Sequence[Seen]) -> dict[str, Counts]:
    """Return the counts by source: the first folder of the file's path."""
    out: dict[str, Counts] = defaultdict(Counts)
    for label, found in seen:
        out[str(label["file"]).partition("/")[0]] += count_dice(found, label)
    return dict(out)


def outcome(folder: Path) -> Outcome:
    """Return what came of a folder of photographs; raise BadLabels where it is not of that form."""
    seen = look(folder, load_labels(folder))
    counts = by_source(seen)
    said = [
        (found[n].confidence, found[n].value == with_pips(label)[k]["value"])
        for label, found in seen
        for k, n in matched(found, with_pips(label))
    ]
    wrong = any(count.sure_wrong or count.invented_sure for count in counts.values())
    return Outcome(table(counts), tuple(said), tuple(_failures(folder, seen)), wrong)


def _failures(folder: Path, seen: Sequence[Seen]) -> Iterator[Failure]:
    """Yield the photographs in which not every die was found, right and sure, and nothing else."""
    for label, found in seen:
        c = count_dice(found, label)
        if c.right == c.dice == c.sure and not c.invented and not c.sure_wrong:
            continue
        title = f"{c.right} of {c.dice} right, {c.sure_wrong} surely wrong, {c.invented} invented"
        wanted = ", ".join(f"{die['colour']} {die['value']}" for die in with_pips(label))
        reading = Reading(Status.UNSURE, dice=tuple(found))
        yield Failure(folder / label["file"], title, f"there lie: {wanted}", partial(_drawn, folder, label, reading))


def _drawn(folder: Path, label: Label, reading: Reading) -> Image:
    return draw_reading(picture_of(folder, label), reading)


def table(counts: dict[str, Counts]) -> str:
    """Return the figures as text: by source, and of all."""
    lines = [
        f"{'photographs of':18}{'dice':>6}{'found':>7}{'right':>7}{'of all':>16}{'sure':>6}{'SURE, WRONG':>13}"
        f"{'invented':>10}{'(sure)':>8}{'colours':>9}"
    ]
    everything = sum(counts.values(), Counts())
    for name, c in [*sorted(counts.items()), ("all", everything)]:
        lines.append(
            f"{name:18}{c.dice:6d}{c.found:7d}{c.right:7d}{interval(c.right, c.dice):>16}{c.sure:6d}"
            f"{c.sure_wrong:13d}{c.invented:10d}{c.invented_sure:8d}{c.coloured:9d}"
        )
    return "\n".join(lines)
