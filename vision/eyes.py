"""What the eye sees with: the nets that come with the package, or others in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.board import on_others
from vision.board.spots import SCORES
from vision.colour.colour_names import Known
from vision.crops import digits, faces, outline, second_look, standing, symbols
from vision.crops.head import Head
from vision.finding import pieces
from vision.finding.pieces import Pieces
from vision.finding.scene import SCALE
from vision.geometry import Floats
from vision.own_set import OwnSet
from vision.tray.rectify import Image

Clock = Callable[[], float]
"""Seconds, monotonic; differences only."""
LEAST_SCORE = min(SCORES)


@dataclass(frozen=True, slots=True)
class Eyes:
    """The learned parts, so that tests and an owner's own set can put others in their place."""

    find: Callable[[Image], Pieces]
    """Rectified picture at SCALE -> pieces."""
    look: symbols.Look
    """Picture and (n, 4, 2) quads in it -> what the tiles show."""
    faces: second_look.Look
    """Picture, (n, 4, 2) quads and which of them are dice -> what dice and disks show."""
    tile_colours: Known | None = None
    """The colours of the owner's tiles; None where nobody taught them."""
    die_colours: Known | None = None
    find_loose: Callable[[Image], Pieces] | None = None
    """Rectified picture as `vision.finding.finer` makes it -> dice and disks; None: `find` alone finds them."""
    digits: second_look.SecondOpinion | None = None
    """Heard on the digits of doubtful disks; None for nobody."""
    untaught: symbols.Look | None = None
    """As `look`, by the nets alone: whoever was taught an owner's set sees it in parts of its digits, too. None: `look`
    was taught nothing."""
    hasty: symbols.Look | None = None
    """As `untaught`, but by the smaller net alone: where it sees no symbol nobody need look closely. None: look closely
    at once."""
    closely: symbols.Look | None = None
    """As `look`, by all nets that there are, for tiles that contradict each other; None: nobody looks again."""
    lie_on_others: on_others.Look | None = None
    """Picture and (n, 4, 2) quads in it, arcs up -> (n,) how likely each tile lies on others; None: nobody looks."""
    faces_apart: second_look.Look | None = None
    """As `faces`, of doubtful dice with their colours spread apart; None: nobody looks so."""
    stands: standing.Look | None = None
    """Picture and (n, 4, 2) quads in it -> (n,) the logit that each stands up as dice do; None: nobody looks."""
    there: standing.Look | None = None
    """As `stands`, the logit that a piece lies there at all; None: nobody looks."""
    exactly: outline.Look | None = None
    """Picture and (n, 4, 2) quads in it -> (n, 4, 2) where these dice's tops lie exactly; None: nobody looks."""


def shipped_eyes(owner: OwnSet | None = None) -> Eyes:
    """Return the nets that come with the package. owner: with what was learnt of this owner's set on top."""
    tile_head = None if owner is None else owner.tile_head
    die_head = None if owner is None else owner.die_head

    def find(rectified_bgr: Image) -> Pieces:
        return pieces.find_pieces(rectified_bgr, px_per_mm=SCALE, score=LEAST_SCORE)

    def look_at_faces(picture_bgr: Image, quads_px: Floats, is_die: NDArray[np.bool_]) -> faces.Faces:
        return faces.look(picture_bgr, quads_px, is_die, head=die_head)

    def find_loose(rectified_bgr: Image) -> Pieces:
        return pieces.find_loose(rectified_bgr, px_per_mm=pieces.LOOSE_PX_PER_MM, score=LEAST_SCORE)

    return Eyes(
        find, partial(_look, head=tile_head), look_at_faces, *_known_colours(owner), find_loose, digits.second_opinion,
        None if owner is None else _look, partial(_look, effort=symbols.Effort.HASTY),
        partial(_look, effort=symbols.Effort.CLOSE) if owner is None else None,
        partial(on_others.classify, taught=owner is not None), faces.look_apart if die_head is None else None,
        standing.logits, standing.there, outline.exactly if die_head is None else None,
    )  # fmt: skip


def _look(
    picture_bgr: Image,
    quads_px: Floats,
    *,
    head: Head | None = None,
    effort: symbols.Effort = symbols.Effort.USUAL,
) -> symbols.Symbols:
    """Return what tiles show. head: what was learnt of the owner's; None for the nets alone."""
    return symbols.classify(symbols.cut_crops(picture_bgr, quads_px), head=head, effort=effort)


def _known_colours(owner: OwnSet | None) -> tuple[Known | None, Known | None]:
    """Return the colours of an owner's tiles, and of their dice."""
    taught = (None, None) if owner is None else (owner.tiles, owner.dice)
    tiles, dice = (None if t is None else Known(t.palette, t.by_ink) for t in taught)
    return tiles, dice


@dataclass(slots=True)
class Stopwatch:
    """Milliseconds by stage, for who asks."""

    clock: Clock | None
    laps: dict[str, float] = field(default_factory=dict)
    last: float = 0.0

    def __post_init__(self) -> None:
        """Start the watch."""
        if self.clock is not None:
            self.last = self.clock()

    def lap(self, name: str) -> None:
        """Count the time since the last lap for a stage."""
        if self.clock is not None:
            now = self.clock()
            self.laps[name] = self.laps.get(name, 0.0) + (now - self.last) * 1e3
            self.last = now
