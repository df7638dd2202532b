"""What several frames of one still scene say together of its dice and disks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from vision import infer
from vision.crops.faces import FACES
from vision.dice.loose import likely_faces
from vision.frames.together import MAJORITY, together
from vision.geometry import Floats
from vision.reading import DieReading, DiskReading, Point, Reading, Status

NEAR_PX = 8.0
"""A piece lies where it lay while its middle seems to move by less than this."""
Face = tuple[str, int]
"""One of FACES."""


@dataclass(frozen=True, slots=True)
class LooseVote:
    """What one frame says of one die or disk."""

    is_die: bool
    centre: Point
    evidence: tuple[float, ...] | None
    """Log-likelihood of each of FACES; None where the frame doubts more than the face."""
    claim: Face | None
    """What the piece shows, where the frame alone is sure of it."""
    colour: str | None = None
    """A die's colour as the frame names it; None of a disk, and where the frame is not sure of it."""


def loose_votes_of(reading: Reading) -> tuple[LooseVote, ...]:
    """Return a frame's votes on its dice, then its disks."""
    dice = (LooseVote(True, d.centre, d.evidence, face_of(d) if d.sure else None, d.told) for d in reading.dice)
    disks = (LooseVote(False, d.centre, d.evidence, face_of(d) if d.sure else None) for d in reading.disks)
    return (*dice, *disks)


def face_of(piece: DieReading | DiskReading) -> Face:
    """Return what a piece shows, as FACES has it."""
    return ("die" if isinstance(piece, DieReading) else piece.kind, piece.value)


def fuse_loose(reading: Reading, frames: Sequence[Sequence[LooseVote]]) -> Reading:
    """Return a reading with its dice and disks read anew from several frames; as it is where one shows other pieces.

    A piece that most frames doubt for more than its face (faintly found, hardly legible) stays doubted; one that all
    of them doubt so shows what the reading has.
    """
    own = loose_votes_of(reading)
    orders = [order for votes in frames if (order := matched(own, votes)) is not None]
    if not own or len(frames) < 2 or len(orders) < len(frames):
        return reading
    heard = list(zip(*orders, strict=True))
    p = infer.soften(np.array([_evidence(votes) for votes in heard]))
    enough = infer.sure(p.max(axis=1))
    said = [_said(row, votes, enough=bool(e)) for row, votes, e in zip(p, heard, enough, strict=True)]
    n = len(reading.dice)
    dice = tuple(_die(die, s) for die, s in zip(reading.dice, said[:n], strict=True))
    disks = tuple(_disk(disk, s) for disk, s in zip(reading.disks, said[n:], strict=True))
    now = replace(reading, dice=dice, disks=disks)
    status = Status.READ if all(s.sure for s in said) else Status.UNSURE
    return now if reading.places or reading.tiles else replace(now, status=status)


@dataclass(frozen=True, slots=True)
class _Said:
    """What all frames say of one piece."""

    face: Face
    p: Floats | None
    """(13,) in the order of FACES; None where no frame has anything to say of its face."""
    sure: bool
    colour: str | None


def _said(p: Floats, votes: Sequence[LooseVote], *, enough: bool) -> _Said:
    """Return what the frames' votes say together of one piece. enough: whether p alone leaves so little doubt."""
    face, heard = FACES[int(p.argmax())], any(v.evidence is not None for v in votes)
    return _Said(face, p if heard else None, heard and enough and _carried(face, votes), _colour(votes))


def matched(own: Sequence[LooseVote], others: Sequence[LooseVote]) -> list[LooseVote] | None:
    """Return another frame's votes in the order of our own; None where other pieces lie there."""
    left, out = list(others), []
    for vote in own:
        near = [v for v in left if v.is_die is vote.is_die and beside(v.centre, vote.centre)]
        if not near:
            return None
        out.append(near[0])
        left.remove(near[0])
    return None if left else out


def beside(a: Point, b: Point) -> bool:
    """Return whether a piece lies where it lay."""
    return hypot(a[0] - b[0], a[1] - b[1]) < NEAR_PX


def _evidence(votes: Sequence[LooseVote]) -> Floats:
    """Return (13,) what the frames that have anything to say of a piece's face say together; zeros for none."""
    frames = np.array([v.evidence for v in votes if v.evidence is not None], dtype=np.float64)
    if len(frames) == 0:
        return np.zeros(len(FACES))
    return np.asarray(together(frames[:, None])[0] if len(frames) > 1 else frames[0])


def _carried(face: Face, votes: Sequence[LooseVote]) -> bool:
    """Return whether the frames one by one bear out what they say together of a piece."""
    claims = {v.claim for v in votes} - {None}
    seen = sum(v.evidence is not None and FACES[int(np.argmax(v.evidence))] == face for v in votes)
    return claims <= {face} and seen >= MAJORITY * len(votes)


def _colour(votes: Sequence[LooseVote]) -> str | None:
    """Return the colour that most frames are sure of, of two the newer one; None of a disk, and where none is.

    Each frame names all dice of one colour alike, so that they stay alike where most frames see them so.
    """
    named = [v.colour for v in reversed(votes) if v.colour is not None]
    return Counter(named).most_common(1)[0][0] if named else None


def _die(die: DieReading, said: _Said) -> DieReading:
    die = replace(die, colour=said.colour or die.colour, colour_sure=said.colour is not None, sure=said.sure)
    if said.p is None:
        return die
    return replace(die, value=said.face[1], confidence=float(said.p.max()), likely=likely_faces(said.p))


def _disk(disk: DiskReading, said: _Said) -> DiskReading:
    if said.p is None:
        return replace(disk, sure=False)
    kind, value = said.face
    return replace(disk, kind=kind, value=value, sure=said.sure, confidence=float(said.p.max()))
