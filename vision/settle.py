"""Readings over time -> the one we believe. Pure: time is an argument.

A reading counts when the tray has lain still and the same for long enough; a hand starts the wait again;
what frames say of a tile is put together (`vision.frames.votes`), so that what one frame cannot tell five can.

Frames that tell nothing are told apart from frames that say the same again: one that comes late (its time lies
before the last one's) is not heard; after a gap in time the wait starts again; a frame in which nothing changed
counts for the time, but only a look at its own noise counts as a vote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from vision.frames.alike import contradict, finds_more, in_place, same, same_scene, takes_back
from vision.frames.missed import missed_of
from vision.frames.short import SHARES, in_all
from vision.frames.votes import MOST_FRAMES, Vote, fuse, vote_of
from vision.layout import Expectation
from vision.mats.mat import Mat
from vision.reading import Problem, Reading, Status

LATE_NS = 5_000_000_000
"""A time further back than this is a clock that was set anew, not a frame that comes late."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a tray must lie still before its reading counts."""

    frames: int = 3
    """Readings that must agree."""
    still_ns: int = 400_000_000
    """From the first of them to the last, nanoseconds."""
    unsure_frames: int = 6
    """Frames before the table is asked about what is not sure."""
    shift: float = 0.3
    """How far a tile may seem to move from where it lay at first, in tile widths."""
    gap_ns: int = 4_000_000_000
    """Longest time without a frame; what happened in it nobody saw."""
    again_ns: int = 2_000_000_000
    """From one question about a scene to the next, at least: each look may change what is in doubt."""


@dataclass(frozen=True, slots=True)
class Settler:
    """What was seen lately. Frozen: `step` returns the next one.

    >>> settler = Settler(Expectation.ROWS)
    >>> settler, settled = settler.step(Reading(Status.EMPTY), at_ns=0)
    >>> settled is None, settler.frames
    (True, 1)
    """

    expect: Expectation | Mat
    patience: Patience = field(default_factory=Patience)
    last_ns: int | None = None
    """Time of the latest frame; None before the first."""
    since_ns: int = 0
    """Time of the first frame of the scene that lies there now."""
    frames: int = 0
    """Frames of it so far; 0 while nothing settles (a hand, no tray, or nothing seen yet)."""
    looks: int = 0
    """Of these, how many were read."""
    first: Reading | None = None
    """Its first reading: what creeps moves away from it in the end."""
    scene: Reading | None = None
    """Its last reading."""
    rival: Reading | None = None
    """Another reading of the same still picture that does not agree on what lies where."""
    votes: tuple[Vote, ...] = ()
    """Of the last MOST_FRAMES readings, each with its tiles in the order of the scene's."""
    others: tuple[Reading, ...] = ()
    """Earlier readings of the same still picture that showed other pieces, at most MOST_FRAMES."""
    cleared: bool | None = None
    """Whether the mean of its frames, read as one, leaves no doubt and says the same; None while nobody looked."""
    shorter: tuple[Reading, ...] = ()
    """What the shorter exposures of this still scene show, alone and in one picture."""
    exposures: int = 0
    """How many of SHARES were taken of it: all of them where one could not be. Then the table may be asked."""
    waits: bool = False
    """The table would be asked now, but the next of SHARES can be had first."""
    asked_ns: int | None = None
    """When the table was asked about this scene; None if it was not."""
    weighed: tuple[tuple[Vote, ...], Reading] | None = None
    """The votes that were put together last, and what they said: that costs more than all else about a still frame."""
    seen: Reading | None = None
    """The latest reading, motion named; None before the first."""
    believed: Reading | None = None
    """The last reading that settled; None before the first."""

    @property
    def ripe(self) -> bool:
        """Whether enough readings agree."""
        return self.looks >= self.patience.frames

    def step(
        self,
        reading: Reading,
        *,
        at_ns: int,
        stirred: bool = False,
        still: bool = False,
        mean: Callable[[], Reading] | None = None,
        bracket: bool = False,
    ) -> tuple[Settler, Reading | None]:
        """Return the next state, and the settled reading once per change (None otherwise).

        at_ns: when the frame was exposed, any monotonic clock. stirred: something moved since the frame before
        (`vision.tray.glance`). still: nothing changed since the last look, so that another reading of it is no news
        but a contradiction. mean: reads the mean of all frames of this still picture, in which noise is less than in
        any of them; asked once a scene at most, before the table is. None: nobody keeps one. bracket: a shorter
        exposure can be had: a state that `waits` asks nobody until it is `told` of one. A hand, motion or a lost tray
        starts the wait again and forgets what was added up; what was believed stays believed.
        """
        if self._late(at_ns):
            return self, None
        if stirred and settles(reading):
            reading = in_motion(reading)
        state = replace(self._over_a_gap(at_ns), last_ns=at_ns, seen=reading)
        if not settles(reading):
            return state._forgotten(), None
        return state._with(reading, at_ns, still)._tell(at_ns, mean, bracket=bracket)

    def again(self, *, at_ns: int, bracket: bool = False) -> tuple[Settler, Reading | None]:
        """Return the same for a frame in which nothing changed since the last look, without reading it."""
        if self._late(at_ns):
            return self, None
        state = replace(self._over_a_gap(at_ns), last_ns=at_ns)
        if state.scene is None:
            return state, None
        return replace(state, frames=state.frames + 1)._tell(at_ns, bracket=bracket)

    def waited(self, *, at_ns: int) -> Settler:
        """Return the same for a frame of a shorter exposure, which is none of this scene's."""
        return self if self._late(at_ns) else replace(self, last_ns=at_ns)

    def told(self, shorter: Sequence[Reading], *, at_ns: int, bracket: bool = False) -> tuple[Settler, Reading | None]:
        """Return a state that waits for a shorter exposure once there is one, and what is settled by all.

        shorter: what it shows, by `vision.frames.in_less_light.seen_of`; nothing where it could not be had, or told
        nothing: then the table is asked. bracket: the next of SHARES can be had, too: the state may wait for that.
        """
        if self.scene is None:
            return replace(self, waits=False), None
        taken = self.exposures + 1 if shorter else len(SHARES)
        seen = (*self.shorter, *shorter)
        return replace(self, shorter=seen, exposures=taken, waits=False, weighed=None)._tell(at_ns, bracket=bracket)

    def torn(self) -> tuple[Settler, Reading | None]:
        """Return the scene as one to be asked about, when readings of a still picture never come to agree."""
        if self.scene is None:
            return self, None
        now = _doubted(self.fused(), self.rival)
        if self.believed is not None and same(self.believed, now):
            return self, None
        return replace(self, believed=now), now

    def lapsed(self, at_ns: int) -> bool:
        """Return whether nobody saw for too long what happened before a frame at `at_ns`: the wait starts again."""
        return self.last_ns is not None and not 0 < at_ns - self.last_ns <= self.patience.gap_ns

    def afresh(self) -> Settler:
        """Return the settler that has seen nothing of this scene yet, but still knows what it believed."""
        return self._forgotten()

    def fused(self) -> Reading:
        """Return the scene read from all its frames together; raise ValueError while there is none."""
        if self.scene is None:
            raise ValueError("there is no scene to read yet")
        if self.weighed is not None and self.weighed[0] is self.votes:
            return self.weighed[1]
        others = [missed_of(other, now=self.scene) for other in self.others]
        now = fuse(self.scene, self.votes, others, cleared=self.cleared is True)
        return in_all(now, self.shorter)

    def _late(self, at_ns: int) -> bool:
        return self.last_ns is not None and self.last_ns - LATE_NS < at_ns <= self.last_ns

    def _over_a_gap(self, at_ns: int) -> Settler:
        return self._forgotten() if self.lapsed(at_ns) else self

    def _forgotten(self) -> Settler:
        gone = replace(self, frames=0, looks=0, first=None, scene=None, rival=None, votes=(), others=(), asked_ns=None)
        return gone._unasked()

    def _unasked(self) -> Settler:
        """Return the same of another scene: what its mean or a shorter exposure showed says nothing of this one."""
        return replace(self, cleared=None, shorter=(), exposures=0, waits=False)

    def _with(self, reading: Reading, at_ns: int, still: bool) -> Settler:
        vote = vote_of(reading)
        if self.first is not None and self.scene is not None:
            alike = same_scene(self.first, reading, shift=self.patience.shift)
            if alike and (still or not contradict(self.scene, reading)):
                votes = (*self.votes, vote)[-MOST_FRAMES:]
                now = replace(self, frames=self.frames + 1, looks=self.looks + 1, scene=reading, votes=votes)
                return now if still else now._unasked()
        rival = self.scene if still else None
        others = () if rival is None else (*self.others, *[rival] * len(self.votes))[-MOST_FRAMES:]
        anew = replace(self, since_ns=at_ns, frames=1, looks=1, first=reading, scene=reading, votes=(vote,))
        return replace(anew, rival=rival, others=others, asked_ns=None)._unasked()

    def _tell(
        self, at_ns: int, mean: Callable[[], Reading] | None = None, *, bracket: bool = False
    ) -> tuple[Settler, Reading | None]:
        now = self.fused()
        state = replace(self, weighed=(self.votes, now))
        if mean is not None and state._about_to_ask(now):
            state = state._heard(mean())
            now = state.fused()
        if not self.ripe or self.frames < self.patience.frames or at_ns - self.since_ns < self.patience.still_ns:
            return state, None
        if now.status is Status.UNSURE and self.frames < self.patience.unsure_frames:
            return state, None
        if self.believed is not None and (self._known(now) or self._just_asked(now, at_ns)):
            return state, None
        if bracket and now.status is Status.UNSURE and self.exposures < len(SHARES):
            return replace(state, waits=True), None
        return replace(state, believed=now, asked_ns=at_ns if now.status is Status.UNSURE else None), now

    def _known(self, now: Reading) -> bool:
        """Return whether a reading is no news; one more thing beside what was asked about is."""
        return self.believed is not None and same(self.believed, now) and not finds_more(now, self.believed)

    def _just_asked(self, now: Reading, at_ns: int) -> bool:
        """Return whether the table was asked of this scene a moment ago, and nothing is in doubt that was not then."""
        if self.asked_ns is None or self.believed is None or now.status is not Status.UNSURE:
            return False
        recent = 0 <= at_ns - self.asked_ns < self.patience.again_ns
        return recent and not takes_back(now, self.believed)

    def _about_to_ask(self, now: Reading) -> bool:
        """Return whether the table will be asked about what may be but noise in few of the frames."""
        enough = self.ripe and self.frames >= self.patience.unsure_frames
        return enough and now.status is Status.UNSURE and self.cleared is None

    def _heard(self, mean: Reading) -> Settler:
        """Return the state that has heard the mean of all its frames: what few of these doubt is noise, or stands."""
        cleared = replace(self, cleared=True, weighed=None)
        now, here = cleared.fused(), self.first
        agrees = mean.status is Status.READ and here is not None and same_scene(here, mean) and same(now, mean)
        return replace(cleared, weighed=(self.votes, now)) if agrees else replace(self, cleared=False)


def settles(reading: Reading) -> bool:
    """Return whether a reading may count at all: a busy or missing tray never does, nor an empty one in the dark."""
    if reading.problems & (Problem.HAND | Problem.MOTION):
        return False
    if reading.status is Status.EMPTY:
        return Problem.DARK not in reading.problems
    return reading.status in (Status.READ, Status.UNSURE)


def in_motion(reading: Reading) -> Reading:
    """Return the reading of a frame in which something moves: none, but for its tray."""
    problems = reading.problems | Problem.MOTION
    return Reading(Status.BUSY, problems=problems, tray=reading.tray, expected=reading.expected)


def _doubted(reading: Reading, rival: Reading | None) -> Reading:
    """Return a reading that is sure only of what its rival says too."""
    others = {(t.row, t.column): t for t in rival.tiles} if rival else {}
    tiles = []
    for tile in reading.tiles:
        other = others.get((tile.row, tile.column))
        agree = other is not None and other.symbol == tile.symbol and in_place(other, tile, 0.3)
        tiles.append(tile if agree else replace(tile, sure=False))
    dice = tuple(replace(d, sure=False) for d in reading.dice)
    disks = tuple(replace(d, sure=False) for d in reading.disks)
    held = [p.holds for p in rival.places] if rival else []
    places = tuple(
        p if k < len(held) and held[k] == p.holds else replace(p, sure=False) for k, p in enumerate(reading.places)
    )
    problems = reading.problems | Problem.LAYOUT
    doubted = replace(reading, status=Status.UNSURE, tiles=tuple(tiles), dice=dice, disks=disks, problems=problems)
    return replace(doubted, places=places)
