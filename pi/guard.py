"""What the watcher keeps an eye on besides the pieces: where the tray lies, and in what light.

Every few seconds the tray is looked for afresh and the light is measured; what lasts becomes a notice that
people read on the table page. Frames bring their own time; the date is only for people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pi.frames import Frame, Picture
from vision.errors import BadCorners
from vision.frames.light import LightWatch, measure
from vision.geometry import quad
from vision.ground.conditions import light_amiss
from vision.reading import Problem
from vision.tray.glance import Glance
from vision.tray.landmarks import Landmarks
from vision.tray.rectify import Tray, find_tray, tray_from_clicks
from vision.tray.registration import Registration

SOUGHT_NS = 2_000_000_000
"""How often the tray is looked for: some 5 ms where its markers are seen."""
SOUGHT_LOST_NS = 400_000_000
"""The same while it is not where it was, or not known yet, or the picture has changed."""
SOUGHT_EDGE_NS = 6_000_000_000
"""The same where a marker is not seen: the felt's edge, which is then looked at, costs ten times as much."""
MEASURED_NS = 700_000_000
"""How often the light is measured: some 3 ms."""
TOLD_NS = 30_000_000_000
"""For how long a bump is told after the tray was found again: long enough to be read."""
STAYS_NS = 15_000_000_000
"""A light that has been another for this long is taken as the new one between rounds."""

UNLIT = {Problem.DARK: "too-dark", Problem.BRIGHT: "too-bright"}
"""What is told where it is for the light that no tray is seen."""


@dataclass(slots=True)
class Guard:
    """Keeps the registration of the tray and the light it was calibrated in."""

    find: Callable[[Picture], Tray | None] | None = None
    """Who looks for the tray; None: `find_tray`, by the corners that were shown if any."""
    shown: Landmarks | None = None
    """The corners that people have shown, with what lies around them; None: markers or the felt's edge tell."""
    registration: Registration = Registration()
    light: LightWatch = LightWatch()
    _around: Landmarks | None = None
    """What lies around the felt where its edge was found: a small bump shows there, and in no edge."""
    _sought_ns: int | None = None
    _by_edge: bool = False
    """The last look needed the edge of the felt."""
    _changed: bool = False
    """The picture is no longer the one in which the tray was sought last."""
    _measured_ns: int | None = None
    _amiss: Problem = Problem.NONE
    """DARK or BRIGHT where the light of the last look shows no tray."""
    _amiss_ns: int = 0
    """Since when."""
    _dates: dict[tuple[str, int], str] = field(default_factory=dict)

    @property
    def tray(self) -> Tray | None:
        """Where the tray lies; None while that is not known, or the last look did not bear it out."""
        return None if self.registration.unsettled else self.registration.tray

    @property
    def unlit(self) -> Problem:
        """DARK or BRIGHT while it is for the light that several pictures in a row show no tray; else NONE."""
        gone = self.registration.missing or self.registration.lost_ns is not None
        return self._amiss if gone else Problem.NONE

    def see(self, frame: Frame, small: Glance, *, busy: bool, changed: bool, metered: bool) -> None:
        """Take a frame. busy: a hand or motion is in it; metered: the camera's automatics rest.

        changed: the picture is not as it was; then the tray is looked for sooner.
        """
        self._changed = self._changed or changed
        if busy:
            return
        if _due(self._sought_ns, frame.at_ns, self._pause_ns()):
            self._sought_ns, self._changed = frame.at_ns, False
            found = self._followed(frame.picture_bgr, self.seek(frame.picture_bgr))
            self._by_edge = found is not None and not found.complete
            self._register(frame, found)
            self._see_light(frame, found)
        tray = self.tray
        if tray is not None and metered and _due(self._measured_ns, frame.at_ns, MEASURED_NS):
            self._measured_ns = frame.at_ns
            now = measure(small.small, tray.corners, factor=small.factor, size_mm=tray.size_mm)
            self.light = self.light.step(now, at_ns=frame.at_ns)

    def seek(self, picture_bgr: Picture) -> Tray | None:
        """Return where a picture shows the tray, whatever is remembered of it."""
        if self.find is not None:
            return self.find(picture_bgr)
        return find_tray(picture_bgr, shown=self.shown.follow if self.shown else None)

    def _followed(self, picture_bgr: Picture, found: Tray | None) -> Tray | None:
        """Return a tray without markers where what lies around it says it is now; else as it was found."""
        if self._around is None or (found is not None and found.found != "edge"):
            return found
        corners = self._around.follow(picture_bgr)
        return found if corners is None else tray_from_clicks(quad(corners))

    def _register(self, frame: Frame, found: Tray | None) -> None:
        """Take what was found; where the felt's edge is all there is, keep what lies around it."""
        before = self.registration.tray
        self.registration = self.registration.step(found, at_ns=frame.at_ns)
        tray = self.registration.tray
        if tray is before or tray is None or tray.found == "corners":
            return
        try:
            around = Landmarks.of(frame.picture_bgr, tray.corners) if tray.found == "edge" else None
        except BadCorners:  # they reach beyond the picture
            around = None
        self._around = around if around is not None and around.watched else None

    def _see_light(self, frame: Frame, found: Tray | None) -> None:
        """Keep whether it is the light that shows no tray, and since when."""
        amiss = light_amiss(frame.picture_bgr) if found is None else Problem.NONE
        if amiss is not self._amiss:
            self._amiss, self._amiss_ns = amiss, frame.at_ns

    def show(self, shown: Landmarks | None) -> None:
        """Take the tray to lie where people say it does; None: where markers or its edge say."""
        self.shown = shown
        self.calibrate()

    def calibrate(self) -> None:
        """Take the place and the light as they are now for the right ones."""
        self.registration, self.light = self.registration.again(), self.light.again()
        self._sought_ns = self._measured_ns = self._around = None
        self._dates.clear()

    def stays_changed(self, at_ns: int) -> bool:
        """Tell whether the light has been another for so long that it is the new one."""
        change = self.light.change
        return change is not None and at_ns - change.since_ns >= STAYS_NS

    def problems(self, at_ns: int) -> Problem:
        """Return BUMPED, LIGHT_CHANGED, and DARK or BRIGHT, as they stand."""
        found = self.unlit
        if self._bump_fresh(at_ns) or (self.registration.lost_ns is not None and not found):
            found |= Problem.BUMPED
        if self.light.change is not None:
            found |= Problem.LIGHT_CHANGED
        return found

    def notices(self, at_ns: int, *, now: datetime) -> list[dict[str, Any]]:
        """Return what people should know, oldest kind first; texts only, free of secrets.

        now: the date, of which the table's own time of day is told.
        """
        told: list[dict[str, Any]] = []
        lost, bump, change = self.registration.lost_ns, self.registration.bump, self.light.change
        if self.unlit:
            # Nothing tells that the tray was moved as well.
            told.append({"what": UNLIT[self.unlit], "at": self._date("unlit", self._amiss_ns, now)})
        elif lost is not None:
            told.append({"what": "tray-lost", "at": self._date("lost", lost, now)})
        elif bump is not None and self._bump_fresh(at_ns):
            told.append({"what": "bumped", "how": f"{bump.mm:.1f}", "at": self._date("bump", bump.at_ns, now)})
        if change is not None:
            what = "light-changed" if change.sudden else "light-crept"
            told.append({"what": what, "how": change.word, "at": self._date("light", change.since_ns, now)})
        return told

    def _bump_fresh(self, at_ns: int) -> bool:
        bump = self.registration.bump
        return bump is not None and at_ns - bump.at_ns < TOLD_NS

    def _pause_ns(self) -> int:
        tray = self.registration.tray
        quick = tray is not None and (tray.markers or tray.found == "corners")
        if tray is None or self.registration.unsettled or (self._changed and quick):
            return SOUGHT_LOST_NS
        return SOUGHT_EDGE_NS if self._by_edge else SOUGHT_NS

    def _date(self, what: str, at_ns: int, now: datetime) -> str:
        """Return the time of day at which something was first told."""
        return self._dates.setdefault((what, at_ns), f"{now.astimezone():%H:%M}")


def _due(last_ns: int | None, now_ns: int, every_ns: int) -> bool:
    return last_ns is None or not 0 <= now_ns - last_ns < every_ns
