"""What the watcher does with each frame: look, wait until it is settled, keep the evidence, hand it in.

No camera, process, thread or socket in here: all of that is handed in (`pi.watcher` puts it together).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pi.bare_felt import OTHER, KeptFelt
from pi.bracket import Bracket
from pi.camera_light import SEARCHING, LightLock
from pi.corners import Corners
from pi.evidence import frame_name, keep
from pi.frames import Cue, Frame, Picture
from pi.guard import Guard
from pi.live import keep_live, thought_of, with_felt, with_outcomes
from pi.sheets.eyes import eyes_mat
from pi.teaching import Teaching
from pi.thin import make_room
from pi.translate import handed_in
from pi.watch_words import camera_status, eye_status, light_in_the_way, seen_words, tray_sight
from vision.frames.alike import same
from vision.frames.blend import Blend
from vision.frames.short import SHARES
from vision.layout import Expectation
from vision.mats.mat import Mat
from vision.reading import Problem, Reading, Status
from vision.settle import LATE_NS, Settler, settles
from vision.tray.glance import Glance, glance, identical, part_of, stirred, unchanged

LOG = logging.getLogger("feltside.watcher")
LIVE_EVERY_NS = 500_000_000
FPS_OVER_NS = 10_000_000_000
"""How long frames are counted before their number a second is told."""
STATUS_EVERY_NS = 1_000_000_000
LOOKS: Mapping[Status, int] = {Status.UNSURE: 12, Status.READ: 4}
LOOKS_ELSE = 3
"""Looks at a still tray, by what they said together; what so many did not tell, more will not."""
MOST_LOOKS = 12
"""Looks at a still tray that do not come to agree; then the table is asked."""
MOST_BRACKETS = 3
"""A shadow that comes and goes over a still tray makes it a new scene each time: nobody wants its light to blink."""
REFUSALS = 2
"""A hand that comes just then may keep a picture light; a camera that lets in no less light twice never does."""
Look = Callable[[Picture, Expectation | Mat], Reading]
"""Picture and what to expect in, reading out."""
Send = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A request to the table in, its answer out; raises TableAway."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the table wants of the eye, from a line of its subscription."""

    cue: Cue = Cue()
    read: bool = False
    """The open round has a reading already."""
    seq: int = 0
    calibrate: str | None = None
    """Changes when somebody asks for the tray and the light to be taken as they are now; None: not heard yet."""
    teach: Mapping[str, Any] | None = None
    """What was last wished for of `pi.teaching`, with an id; None: nothing yet."""
    corners: Mapping[str, Any] | None = None
    """What was last wished for of `pi.corners`; None: the table has not been heard yet."""
    felt: Mapping[str, Any] | None = None
    """What was last wished for of `pi.bare_felt`; None: the table has not been heard yet."""
    tryout: bool = False
    """No match is played, and somebody wants to see what the eye reads."""

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Wish:
        """Return the wish that a subscription's line carries; fields it lacks are as at the start."""
        number, expects = line.get("round"), line.get("expects")
        cue = Cue(
            match=str(line.get("match") or ""),
            round=number if isinstance(number, int) else None,
            expects=expects if isinstance(expects, str) else None,
        )
        status = line.get("status") or {}
        asked, teach = status.get("asked") or {}, status.get("teach")
        calibrate, seq = str(asked.get("calibrate") or ""), int(line.get("seq") or 0)
        tryout = (status.get("tryout") or {}).get("read") is True
        corners = status.get("corners") or {}
        felt = status.get("felt") or {}
        return cls(cue, bool(line.get("read")), seq, calibrate, teach, corners, felt, tryout)


@dataclass(slots=True)
class Watching:
    """The loop's body and its memory. `step` takes one frame and one wish."""

    look: Look
    send: Send
    evidence_folder: Path
    live: Path
    now: Callable[[], datetime]
    """The date in UTC, for names that people read."""
    monotonic_ns: Callable[[], int]
    guard: Guard = field(default_factory=Guard)
    """Keeps an eye on where the tray lies, and in what light."""
    lock: LightLock | None = None
    """Locks the camera's exposure and white balance; None for one that has none to lock."""
    teaching: Teaching | None = None
    """Learns the owner's set; None: the shipped models alone."""
    corners: Corners | None = None
    """Keeps the tray's corners as people showed them; None: nobody can."""
    felt: KeptFelt | None = None
    """Keeps the table's felt as it was shown empty; None: nobody can."""
    wish: Wish = Wish()
    settler: Settler | None = None
    reading: Reading | None = None
    """The latest look; None while the eye rests."""
    laid: Reading | None = None
    """The latest look at what lies there while no round is open; None while nobody wants one."""
    looks: int = 0
    """Looks since the tray last changed."""
    said: dict[str, Any] = field(default_factory=dict)
    """The status as last told."""
    words: str = ""
    """What the table answered to the last reading handed in."""
    unkept: str = ""
    """Why the last picture could not be kept; empty while they can."""
    _glance: Glance | None = None
    """Of the frame that was looked at."""
    _blend: Blend = field(default_factory=Blend)
    """Of the frames of this still tray that were looked at."""
    _before: Glance | None = None
    """Of the frame before this one."""
    _bracket: Bracket | None = None
    """The look in less light that is being taken; None while the light is as usual."""
    _darker: list[Picture] = field(default_factory=list)
    """What was taken of this still tray in less light, the lightest first."""
    _brackets: int = 0
    """Looks in less light since the round began, or a hand was seen last."""
    _refused: int = 0
    """How often in a row the camera has let in no less light when it was told to."""
    _repeats: int = 0
    _at_ns: int = 0
    _live_ns: int | None = None
    _said_ns: int | None = None
    _missed: int = 0
    _number: int = -1
    _frames: int = 0
    _since_ns: int | None = None
    _fps: float | None = None
    _size: tuple[int, int] | None = None
    """Width and height of the latest picture; None before the first."""

    def step(self, frame: Frame, wish: Wish) -> None:
        """Take one frame; `wish` is what the table wants now."""
        self._count(frame)
        self._turn_to(wish)
        if self._bracket is None:
            self._teach(frame, wish)
        small = glance(frame.picture_bgr)
        if self._is_new(frame, small) and not self._in_less_light(frame, small):
            if self.settler is not None:
                if self.settler.lapsed(frame.at_ns):
                    # However still the tray lies: nobody saw what happened meanwhile.
                    self._afresh()
                self._watch(frame, self.settler, small)
            self._guard(frame, small)
            self._take_corners(frame, wish)
            self._take_felt(frame, wish, small)
            self._before = small
        self._show_live(frame)
        self._tell()

    def _in_less_light(self, frame: Frame, small: Glance) -> bool:
        """Tell whether a frame was taken in less light, or while it changed: then it is seen here, and nowhere else."""
        if self._bracket is not None and self.settler is not None and self.settler.lapsed(frame.at_ns):
            # Nobody saw what happened meanwhile: there is nothing to wait for any more.
            self._afresh()
        bracket, settler = self._bracket, self.settler
        if bracket is None:
            return False
        if not bracket.over:
            if settler is None or not settler.waits:
                bracket.end()
            else:
                self.settler = settler.waited(at_ns=frame.at_ns)
                bracket.step(frame, small, part=part_of(small, self.guard.tray))
            return True
        self._bracket, self._refused = None, self._refused + 1 if bracket.refused else 0
        if settler is not None and settler.waits:
            self._hear(bracket, frame, settler, small)
        return False

    def _hear(self, bracket: Bracket, frame: Frame, settler: Settler, small: Glance) -> None:
        """Put both exposures together, if nothing has changed meanwhile."""
        part = part_of(small, self.guard.tray)
        if bracket.disturbed or self._glance is None or not unchanged(self._glance, small, part=part):
            self._afresh()
            return
        darkest, before = bracket.picture, self._darker if settler.exposures else []
        self._darker = before if darkest is None else [*before, darkest]
        seen, shows = bracket.seen_of(settler.fused(), [self._blend.mean(), *self._darker])
        self.settler, settled = settler.told(seen, at_ns=frame.at_ns, bracket=self._may_dim())
        if settled is not None:
            cleared = shows if settled.status is Status.READ else None
            self._hand_in(cleared or frame, settled)

    def _teach(self, frame: Frame, wish: Wish) -> None:
        """Do what teaching asks for; another set comes into force while no round is open."""
        if self.teaching is None:
            return
        if wish.calibrate is not None:  # the table has been heard
            shown = self.guard.tray if self.guard.shown is not None else None
            self.teaching.step(frame, wish.teach or {}, open_round=self.settler is not None, tray=shown)
        if self.settler is None:
            self.teaching.refresh()

    def _take_corners(self, frame: Frame, wish: Wish) -> None:
        """Take the tray to lie where somebody says, also in an open round: without a tray it cannot go on."""
        # A hand that points at the tablet is out of the picture soon; around it lies nothing that stays.
        if self.corners is not None and not self._busy() and self.corners.step(frame, wish.corners):
            self.guard.show(self.corners.landmarks)
            self._afresh()

    def _take_felt(self, frame: Frame, wish: Wish, small: Glance) -> None:
        """Take the felt for bare as somebody says it is, also in an open round: its print may be taken for a hand."""
        if self.felt is not None and self.felt.step(frame, wish.felt, tray=self.guard.tray, small=small):
            self._afresh()

    def calibrate(self) -> None:
        """Take the tray's place and the light as they are now; the camera measures its exposure anew."""
        self.guard.calibrate()
        if self.lock is not None:
            self.lock.again()
        self._refused = 0
        self._afresh()

    def _count(self, frame: Frame) -> None:
        size = (frame.picture_bgr.shape[1], frame.picture_bgr.shape[0])
        if self._size not in (None, size):
            self.calibrate()  # what is known of the tray's place is in another picture's pixels
        self._size = size
        if self._number >= 0:
            self._missed += max(0, frame.number - self._number - 1)
        self._number = frame.number
        self._frames += 1
        if self._since_ns is None or frame.at_ns < self._since_ns:
            self._since_ns, self._frames = frame.at_ns, 0
        elif (past_ns := frame.at_ns - self._since_ns) >= FPS_OVER_NS:
            fps = self._frames * 1e9 / past_ns
            # Rounded, so that a camera that is well is no news.
            self._fps = round(fps) if fps >= 2 else round(fps, 1)
            self._since_ns, self._frames = frame.at_ns, 0

    def _is_new(self, frame: Frame, small: Glance) -> bool:
        """Tell whether this frame shows what is now: not one that comes late, nor one that was shown before."""
        # The settler takes one of the very same moment for late, too: what neither hears must not be compared with.
        if self._before is not None and 0 <= self._at_ns - frame.at_ns < LATE_NS:
            return False
        self._at_ns = frame.at_ns
        repeated = not frame.still and self._before is not None and identical(self._before, small)
        self._repeats = self._repeats + 1 if repeated else 0
        return not repeated

    def _show_live(self, frame: Frame) -> None:
        now_ns = self.monotonic_ns()
        if self._live_ns is None or now_ns - self._live_ns >= LIVE_EVERY_NS:
            self._live_ns = now_ns
            width = frame.picture_bgr.shape[1]
            self.laid = self._laid(frame)
            thought = thought_of(
                self._reading_now(),
                width_px=width,
                problems=self.guard.problems(self._at_ns),
                tray=self.guard.tray,
            )
            if self.felt is not None:
                prints, asked = self.felt.prints(self.guard.tray), self.felt.asks(self._at_ns)
                thought = with_felt(thought, width_px=width, printed=prints, asked=asked)
            thought = with_outcomes(thought, self._outcomes())
            self._try(lambda: keep_live(self.live, frame.picture_bgr, number=frame.number, thought=thought))

    def _laid(self, frame: Frame) -> Reading | None:
        """Return what the eye thinks of tiles laid for a lesson or a tryout, while no round is open; else None."""
        taught = self.teaching is not None and self.teaching.looking
        if self.settler is not None or not (taught or self.wish.tryout):
            return None
        return self.look(frame.picture_bgr, Expectation.WILD)

    def _turn_to(self, wish: Wish) -> None:
        """Begin anew for a new round, and when the table wants the same round read again."""
        asked_again = self.wish.read and not wish.read
        calibrate = self.wish.calibrate not in (None, wish.calibrate)
        if wish.cue == self.wish.cue and not asked_again:
            self.wish = wish
        else:
            self.wish, self.words = wish, ""
            self.settler = _settler(wish.cue.expects)
            self._forget()
        # Between rounds a light that stays is the new one; in a round nobody's picture changes under the game.
        if calibrate or (self.settler is None and self.guard.stays_changed(self._at_ns)):
            self.calibrate()

    def _forget(self) -> None:
        self._brackets = 0
        self.reading, self._glance, self.looks = None, None, 0

    def _afresh(self) -> None:
        """Look again at what lies there, forgetting what earlier frames said of it."""
        self._glance, self.looks = None, 0
        if self.settler is not None:
            self.settler = self.settler.afresh()

    def _guard(self, frame: Frame, small: Glance) -> None:
        """Let the guard see the frame; in another light, or another place, colours and tiles are read afresh."""
        guard, before = self.guard, self._watched()
        metered = self.lock is None or self.lock.state != SEARCHING
        guard.see(frame, small, busy=self._busy(), changed=self.looks <= 1, metered=metered)
        if self.lock is not None and guard.tray is not None:
            self.lock.tray_found()
        if self._watched() != before:
            self._afresh()

    def _busy(self) -> bool:
        """Return whether a hand is in the frame, or something moves on the tray.

        As long as nobody knows where that lies, what moves may move beside it.
        """
        seen = self.reading
        if seen is None or seen.status is not Status.BUSY:
            return False
        return self.guard.tray is not None or Problem.HAND in seen.problems

    def _watched(self) -> tuple[object, ...]:
        """Return what makes earlier looks worthless when it becomes another: the light, the tray's place."""
        change, place = self.guard.light.change, self.guard.registration
        # A change of the light goes on being measured: it is news when it begins and when it ends.
        return None if change is None else change.since_ns, place.bump, place.lost_ns

    def _watch(self, frame: Frame, settler: Settler, small: Glance) -> None:
        # What moves beside the tray keeps nobody waiting.
        part = part_of(small, self.guard.tray)
        still = self._glance is not None and unchanged(self._glance, small, part=part)
        bracket = self._may_dim()
        if still and self._seen_enough(settler):
            self.settler, settled = settler.again(at_ns=frame.at_ns, bracket=bracket)
        else:
            # Compared with the frame that was looked at, not the one before: slow changes add up.
            moving = not still and self._before is not None and stirred(self._before, small, part=part)
            self._glance, self.looks = small, self.looks + 1 if still else 1
            self._blend.add(frame.picture_bgr, anew=not still)
            reading = self.look(frame.picture_bgr, settler.expect)
            after, settled = settler.step(
                reading,
                at_ns=frame.at_ns,
                stirred=moving,
                still=still,
                mean=lambda: self.look(self._blend.mean(), settler.expect),
                bracket=bracket,
            )
            if self.looks >= MOST_LOOKS and not after.ripe:
                after, settled = after.torn()
            self.settler, self.reading = after, after.seen
            if Problem.HAND in reading.problems:
                self._brackets = 0
        if settled is not None:
            self._hand_in(frame, settled)
        elif self.settler.waits and self.lock is not None:
            taken = self.settler.exposures
            self._bracket = Bracket.begin(self.lock, self.look, settler.expect, small, share=SHARES[taken])
            self._brackets += taken == 0

    def _may_dim(self) -> bool:
        """Tell whether the camera can let in less light, does so when it is told to, and has not too often."""
        able = self.lock is not None and self.lock.can_dim and self._refused < REFUSALS
        begun = self.settler is not None and self.settler.exposures > 0
        return able and (begun or self._brackets < MOST_BRACKETS)

    def _seen_enough(self, settler: Settler) -> bool:
        """Tell whether another look at the same picture would tell nothing new."""
        reading = self._reading_now()
        if reading is None or self.looks < LOOKS.get(reading.status, LOOKS_ELSE):
            return False
        return self.looks >= MOST_LOOKS or settler.ripe or not settles(reading)

    def _hand_in(self, frame: Frame, settled: Reading) -> None:
        if not worth_telling(settled):
            self.words = ""
            return
        name = frame_name(frame, now=self.now())
        make_room(self.evidence_folder)
        self._try(lambda: keep(self.evidence_folder, frame, settled, name=name))
        answer = self.send(handed_in(settled, frame=name))
        self.words = str(answer.get("sentence") or answer.get("error") or "")
        if "error" in answer:
            LOG.error("the table could not take a reading: %s", answer["error"])

    def _try(self, write: Callable[[], None]) -> None:
        """Write pictures; a card that takes none costs the picture, not the reading, and is named."""
        try:
            write()
        except OSError as no:
            if not self.unkept:
                LOG.error("a picture could not be kept: %s", no.strerror or no)
            self.unkept = no.strerror or str(no)
        else:
            self.unkept = ""

    def _tell(self) -> None:
        """Tell the table how camera and eye are: when that changed, and as a sign of life."""
        reading, shown = self._reading_now(), self.guard.shown is not None
        sight, amiss = tray_sight(reading, self.guard.registration), light_in_the_way(reading, self.guard.unlit)
        camera = camera_status(
            seen_words(self.guard.tray, sight=sight, shown=shown, size_wh_px=self._size, amiss=amiss),
            sight=sight,
            dropped=self._missed,
            unkept=self.unkept,
            repeats=self._repeats,
            lock=self.lock,
            fps=self._fps,
        )
        status = {"camera": camera, "eye": self._eye_status()}
        if self.teaching is not None:
            status["eye"]["set"] = self.teaching.said()
            status["taught"] = self.teaching.status()
        now_ns = self.monotonic_ns()
        due = self._said_ns is None or now_ns - self._said_ns >= STATUS_EVERY_NS
        if due or status != self.said:
            self.said, self._said_ns = status, now_ns
            self.send({"status": status})

    def _of_wishes(self) -> list[dict[str, Any]]:
        """Return what people should know of the corners and of the felt that they have shown."""
        told = self._outcomes()
        shown, tray = self.guard.shown, self.guard.tray
        if shown is not None and tray is None and self.guard.registration.missing and not self.guard.unlit:
            told.append("corners-lost")
        elif shown is not None and not shown.watched and not (tray is not None and tray.complete):
            told.append("corners-plain")
        reading = self._reading_now()
        if self.felt is not None and reading is not None and Problem.OTHER_FELT in reading.problems:
            told.append(OTHER)
        return [{"what": what} for what in told]

    def _outcomes(self) -> list[str]:
        """Return what became of the last corners and the last bare felt that people have shown, for a while."""
        told = [shown.told(self._at_ns) for shown in (self.corners, self.felt) if shown is not None]
        return [what for what in told if what]

    def _eye_status(self) -> dict[str, Any]:
        # Where people showed the corners, calibrating finds no tray that is not there any more.
        lost = "tray-lost" if self.guard.shown is not None else None
        notices = [n for n in self.guard.notices(self._at_ns, now=self.now()) if n["what"] != lost] + self._of_wishes()
        watch = self.guard.problems(self._at_ns)
        return eye_status(self._reading_now(), watch=watch, words=self._words_now(), notices=notices)

    def _words_now(self) -> str:
        """Return what the table answered, as long as there lies what it was answered about."""
        now, told = self._reading_now(), None if self.settler is None else self.settler.believed
        return self.words if self.words and now is not None and told is not None and same(told, now) else ""

    def _reading_now(self) -> Reading | None:
        """Return what the eye thinks now; of a scene that lies still the frames together tell more than the last."""
        if self.settler is None:
            return self.laid
        if self.reading is None:
            return None
        return self.settler.fused() if self.settler.scene is not None else self.reading


def worth_telling(reading: Reading) -> bool:
    """Tell whether a settled reading is a claim about a laid tray.

    An empty tray is none, and one that still lies face down for the most part says only that the players
    are not ready; both are told as status.
    """
    if reading.expected == "dice":
        # Dice that have all gone are news too: hands lay there.
        return reading.status is Status.EMPTY or (reading.status in (Status.READ, Status.UNSURE) and bool(reading.dice))
    if reading.places:
        return reading.status in (Status.READ, Status.UNSURE)
    if reading.status not in (Status.READ, Status.UNSURE) or not reading.tiles:
        return False
    return 2 * sum(tile.symbol == "down" for tile in reading.tiles) < len(reading.tiles)


def _settler(expects: str | None) -> Settler | None:
    return None if expects is None else Settler(_expected(expects))


def _expected(expects: str) -> Expectation | Mat:
    """Return the mat with places that a ruleset names, or the layout; dice lie on a mat or on bare felt."""
    mat = eyes_mat(expects)
    return mat if mat is not None and mat.places else Expectation.parse(expects)
