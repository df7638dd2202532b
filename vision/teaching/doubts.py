"""What the eye doubts of a lesson: pieces that do not look like what their owner says.

A doubt is no proof: of 323 right lessons of a child's digits ten were doubted (FIGURES.md). So whoever laid the tiles
may look again and insist (`Lesson.as_said`); what was doubted is then kept with the set.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision.errors import DoubtedLesson, Outline, Spot
from vision.teaching.english import one

AGAINST = "Learnt as you said, against the eye's doubt"
"""What a set is called whose owner insisted; the doubts follow."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One piece, or one row, that does not look like what was said of it. All are counted from 0, by people from 1."""

    picture: int
    row: int
    place: int | None
    """None: the row as a whole."""
    taught: str
    """What was said of it; empty for a row."""
    seen: str
    """What it looks like; empty for a row, a back, and what is hidden."""
    refusal: str
    """Why the lesson is refused, and what to do, as an error goes on after row and place."""
    beyond: str = ""
    """What it says of the whole lesson, where it is not of this piece alone."""
    outline: Outline = ()
    """Where the piece, or the row, lies in its picture; empty until somebody who has the picture tells."""
    among: Outline = ()
    """Around all pieces of that picture; empty until then."""

    @property
    def where(self) -> str:
        """Return the row, its place and the picture, for people."""
        if self.place is None:
            return f"row {self.row + 1} of picture {self.picture + 1}"
        return f"row {self.row + 1}, place {self.place + 1}, of picture {self.picture + 1}"

    @property
    def spot(self) -> Spot:
        """Return where to look."""
        return Spot(self.picture + 1, self.outline, self.among)

    @property
    def sentence(self) -> str:
        """Return what is doubted, without what to do about it.

        >>> Doubt(0, 1, 6, "1", "7", "").sentence
        'Row 2, place 7, of picture 1 was said to be a 1, but looks like a 7.'
        """
        where = f"{self.where[:1].upper()}{self.where[1:]}"
        if self.place is None:
            return f"{where} does not look as the other rows do."
        if not self.seen:
            return f"{where} was said to be {one(self.taught)}, but looks face down, hidden or askew."
        beyond = f", and {self.beyond}" if self.beyond else ""
        return f"{where} was said to be {one(self.taught)}, but looks like {one(self.seen)}{beyond}."


def each_once(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Return the first doubt of each piece, in the order in which they came."""
    found: dict[tuple[int, int, int | None], Doubt] = {}
    for doubt in doubts:
        found.setdefault((doubt.picture, doubt.row, doubt.place), doubt)
    return tuple(found.values())


def refuse(doubts: Iterable[Doubt]) -> None:
    """Raise DoubtedLesson where there are any: its sentence is the first one's, all go along."""
    if every := each_once(doubts):
        raise DoubtedLesson(
            f"{every[0].where} {every[0].refusal}",
            doubts=tuple(doubt.sentence for doubt in every),
            where=tuple(doubt.spot for doubt in every),
        )
