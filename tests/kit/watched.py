"""A simulated tray with camera, real eye and watcher in one process, on a clock of our own: nothing waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi.frames import Cue, Metronome
from pi.settings import CameraSettings
from pi.simulator import SimulatedCamera
from pi.stand_ins.laying import SimulatedTray
from pi.watcher import Eye
from pi.watching import Watching, Wish
from tests.pi.cameras import Clock

Send = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Watched:
    """What lies there, who looks, and who tells of it."""

    tray: SimulatedTray
    camera: SimulatedCamera
    watching: Watching

    def step(self, cue: Cue) -> None:
        """Take one picture and look at it."""
        self.camera.cue(cue)
        self.watching.step(self.camera.frame(), Wish(cue))


def watched(folder: Path, send: Send) -> Watched:
    """Return a table's eye over what is laid in a folder. send: is told what the watcher would tell the table."""
    clock = Clock()
    settings = CameraSettings(seed=4, hurried=True, size=(1280, 960), folder=str(folder))
    watching = Watching(
        look=Eye(),
        send=send,
        evidence_folder=folder / "evidence",
        live=folder / "live.jpg",
        now=lambda: datetime(2026, 11, 21, tzinfo=UTC),
        monotonic_ns=clock,
    )
    beat = Metronome(5, monotonic_ns=clock, sleep=clock.sleep)
    return Watched(SimulatedTray(folder), SimulatedCamera(settings, beat=beat), watching)
