"""The table's own felt, shown empty on a page: kept for the next start, so that what is printed there is no piece.

Pages put a wish into the table's status ("felt"); the watcher, which has the camera, takes the felt once nothing has
moved over it for a while: a hand that has just put away the last tile must not be kept as a print.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi.durable import sync, write_bytes, write_json
from pi.frames import Frame
from vision.empty_tray import felt_of
from vision.errors import BadBareFelt, PiecesOnFelt
from vision.geometry import Quad, quad
from vision.ground.bare_felt import BareFelt
from vision.tray.glance import Glance, unchanged
from vision.tray.rectify import Tray

FILE, WISH = "bare_felt.npz", "bare_felt.json"
PIECES, UNSEEN, UNFIT, MOVES = "felt-pieces", "felt-unseen", "felt-unfit", "felt-moves"
UNKEPT, PLAIN, OTHER = "felt-unkept", "felt-plain", "felt-other"
"""What people are told of a felt: OTHER is said by whoever reads it, the others of a wish."""
STILL_NS = 1_500_000_000
"""The felt is taken when nothing has changed for so long."""
PATIENCE_NS = 20_000_000_000
"""... and not at all when something moves for so long."""
TOLD_NS = 30_000_000_000
"""For how long people are told what became of their wish."""


@dataclass(slots=True)
class KeptFelt:
    """The felt that is kept, and how the last wish went."""

    state: Path
    felt: BareFelt | None = None
    """None: none was shown, or it was forgotten."""
    notice: str = ""
    """What people should know of the last wish: PIECES, UNSEEN, UNFIT, MOVES, UNKEPT, PLAIN or nothing."""
    like_pieces: Sequence[Sequence[tuple[float, float]]] = ()
    """Outlines of what looked like pieces when PIECES was said, in that frame's pixels."""
    _done: str = ""
    """The last wish that was carried out or refused, by this watcher or the one before."""
    _noticed_ns: int = 0
    _begun_ns: int | None = None
    """When the wish was heard that waits for a still picture; None: none waits."""
    _still: tuple[Glance, int] | None = field(default=None, repr=False)
    """A frame since which nothing has changed, and when that was."""

    def load(self) -> BareFelt | None:
        """Take up the felt that is kept; without one, or with a damaged file, None: it is shown again."""
        try:
            self._done = str(json.loads((self.state / WISH).read_text("utf-8")).get("wish", ""))
        except (OSError, ValueError, AttributeError):
            self._done = ""
        self.felt = kept_felt(self.state)
        return self.felt

    def told(self, at_ns: int) -> str:
        """Return what people should know of the last wish, at a time of the frames' clock: for a while."""
        late = not 0 <= at_ns - self._noticed_ns < TOLD_NS
        return "" if late and self.notice != UNKEPT else self.notice

    def asks(self, at_ns: int) -> Sequence[Sequence[tuple[float, float]]]:
        """Return the outlines of what looks like pieces on a felt that should be bare, while that is told."""
        return self.like_pieces if self.told(at_ns) == PIECES else ()

    def prints(self, tray: Tray | None) -> list[Quad]:
        """Return what is printed, four corners each in a frame's pixels. tray: where it lies; None: nobody knows."""
        if tray is None or self.felt is None:
            return []
        return [quad(tray.to_px(outline)) for outline in self.felt.prints_mm]

    def step(self, frame: Frame, wish: Mapping[str, Any] | None, *, tray: Tray | None, small: Glance) -> bool:
        """Carry out a wish as soon as that can be; tell whether another felt is known now.

        wish: {"id", "do": "keep", "printed" or "forget"}: "printed" after a person has looked at what seems a piece.
        None while the table has not been heard. tray: where it lies; None while that is not known. small: the frame.
        """
        number = str((wish or {}).get("id") or "")
        if wish is None or not number or number == self._done:
            self._begun_ns = self._still = None
            return False
        if wish.get("do") == "forget":
            return self._put(None, number, frame, "")
        if not self._rests(frame, small):
            return self._waited_too_long(number, frame)
        try:
            felt = felt_of(frame.picture_bgr, tray, printed=wish.get("do") == "printed")
        except BadBareFelt as no:
            self.like_pieces = no.outlines if isinstance(no, PiecesOnFelt) else ()
            self._end(number, frame, PIECES if self.like_pieces else UNSEEN if tray is None else UNFIT)
            return False
        return self._put(felt, number, frame, "" if felt.printed.any() else PLAIN)

    def _rests(self, frame: Frame, small: Glance) -> bool:
        """Tell whether nothing has changed for long enough."""
        if self._begun_ns is None:
            self._begun_ns = frame.at_ns
        if self._still is None or not unchanged(self._still[0], small):
            self._still = small, frame.at_ns
        return frame.at_ns - self._still[1] >= STILL_NS

    def _waited_too_long(self, number: str, frame: Frame) -> bool:
        """Give a wish up that waits for a still picture in vain; no other felt is known then."""
        if self._begun_ns is not None and frame.at_ns - self._begun_ns >= PATIENCE_NS:
            self._end(number, frame, MOVES)
        return False

    def _put(self, felt: BareFelt | None, number: str, frame: Frame, notice: str) -> bool:
        """Let another felt count, and keep it; where the card takes nothing it counts until the next start."""
        self.felt = felt
        try:
            if felt is None:
                (self.state / FILE).unlink(missing_ok=True)
            else:
                write_bytes(self.state / FILE, felt.to_bytes())
        except OSError:
            notice = UNKEPT
        self._end(number, frame, notice)
        return True

    def _end(self, number: str, frame: Frame, notice: str) -> None:
        """Remember that a wish was dealt with, also after the next start, and what there is to say of it."""
        self._done, self.notice, self._noticed_ns = number, notice, frame.at_ns
        self._begun_ns = self._still = None
        try:
            write_json(self.state / WISH, {"wish": number})
            sync(self.state)
        except OSError:
            self.notice = UNKEPT


def kept_felt(state: Path) -> BareFelt | None:
    """Return the felt that a table keeps in its state folder; None without one, or where its file is damaged."""
    try:
        return BareFelt.from_bytes((state / FILE).read_bytes())
    except (OSError, BadBareFelt):
        return None


__all__ = ["KeptFelt", "kept_felt"]
