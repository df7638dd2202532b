"""The table without a table: tiles shuffled by a seed, laid by drawn hands, seen by a simulated camera.

Per round, as people do it: the old tiles lie, a hand clears them away, tiles are laid face down, hands turn
them row by row, and then everything lies still, but for a hand now and then and a camera that hunts for
focus. What lies there is a function of (seed, match, round, layout), so that simulated players, who live in
another process, can know it without asking the eye.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from pi.frames import Cue, Frame, Metronome, Picture
from pi.settings import CameraSettings
from pi.sheets.raster import printed
from pi.stand_ins.mats import ROLL, RUN_BUSTER, TRAY_MM, Mat, hand_place, mat_of
from pi.stand_ins.shuffle import DEALT, Dealt, deal
from pi.stand_ins.tray_on_disk import Laid, read
from vision.drawing import (
    DrawnCounter,
    DrawnDie,
    DrawnMat,
    DrawnPawn,
    Hand,
    Look,
    Printed,
    Stage,
    TrayScene,
    scene_for_layout,
)

LAID = ("drawbridge", "dice", "rows", "rect", "mixed")
"""What players lay piece by piece, beside what they lay on mats: see `pi.stand_ins.tray_on_disk`."""
COUNTERS = {"dark": (30.0, 34.0, 44.0), "light": (150.0, 196.0, 222.0)}
PAWNS = {"first": (40.0, 36.0, 190.0), "second": (176.0, 84.0, 26.0)}
"""Bodies of the simulated counters and pawns, BGR."""
DICE_COLOURS = ("yellow", "red")
"""Of even and of odd seats."""
ROLL_PITCH_MM = (46.0, 44.0)
"""From die to die of a roll: dice that touch or lean are another test's business."""
PX_PER_MM = 2.8
"""How close the simulated camera hangs: the tray fills most of a frame 1280 pixels wide."""
DIAMOND_PITCH_MM = (26.2, 28.3)
"""Nine rows fit a tray of 260 mm only when they are laid edge to edge."""
REACH_MM = 250.0
"""How far from the middle of the tray a hand is out of sight."""
STILL_HURRIED = 12
"""Frames after the laying that still come without waiting, so that a reading may settle."""


def scene_of(dealt: Dealt, *, seed: int) -> TrayScene:
    """Return the tiles as a person lays them."""
    if dealt.expects == "diamond":
        pitch = DIAMOND_PITCH_MM
        return scene_for_layout(dealt.cells, layout="diamond", seed=seed, pitch_mm=pitch, untidy=0.3)
    return scene_for_layout(dealt.cells, layout=dealt.expects, seed=seed)


def scene_of_laid(laid: Laid, *, seed: int) -> TrayScene:
    """Return what players have laid; pieces that stay lie exactly where they lay before."""
    if laid.rows:
        return scene_for_layout(laid.rows, layout="rect" if len(laid.rows) == 5 else "drawbridge", seed=seed)
    if (printed_mat := mat_of(laid.mat)) is not None:
        return _scene_of_mat(laid, printed_mat, seed=seed)
    dice, rolled = [], 0
    chance = random.Random(f"{seed}/{laid.turn}")
    for die in laid.dice:
        turn = chance.uniform(0, 90)
        if die.zone:
            (x, y), turn = hand_place(die.zone, die.value), 37.0 * die.value + 20.0
        else:
            x, y = RUN_BUSTER[ROLL].middle
            x += (rolled % 3 - 1) * ROLL_PITCH_MM[0] + chance.uniform(-7, 7)
            y += (rolled // 3 - 0.5) * ROLL_PITCH_MM[1] + chance.uniform(-7, 7)
            rolled += 1
        dice.append(DrawnDie(x - TRAY_MM[0] / 2, TRAY_MM[1] / 2 - y, turn, die.value, DICE_COLOURS[die.owner % 2]))
    mat = DrawnMat(_sheet(laid.mat)) if laid.mat else None
    return TrayScene(dice=tuple(dice), seed=seed, layout="rows", mat=mat)


def _scene_of_mat(laid: Laid, mat: Mat, *, seed: int) -> TrayScene:
    """Return a printed mat with its pieces, each a little off the middle of its place."""
    counters, pawns = [], []
    for place, kind in laid.pieces:
        chance = random.Random(f"{seed}/{place}/{kind}")
        zone = mat.places[place]
        reach = 0.08 * min(zone.width, zone.height)
        x, y = _drawn_at(zone.middle)
        x, y = x + chance.uniform(-reach, reach), y + chance.uniform(-reach, reach)
        if kind in COUNTERS:
            counters.append(DrawnCounter(x, y, COUNTERS[kind], radius_mm=0.38 * zone.width, groove=0.5))
        else:
            pawns.append(DrawnPawn(x, y, PAWNS[kind]))
    dice = []
    for die in laid.dice:
        chance = random.Random(f"{seed}/{laid.turn}/{die.value}")
        zone = mat.rolls[die.zone]
        x, y = _drawn_at(zone.middle)
        x += chance.uniform(-0.35, 0.35) * zone.width
        dice.append(DrawnDie(x, y + chance.uniform(-3, 3), chance.uniform(0, 90), die.value, "yellow"))
    drawn = DrawnMat(_sheet(laid.mat), tuple(counters), tuple(pawns))
    return TrayScene(dice=tuple(dice), seed=seed, layout="rows", mat=drawn)


def _drawn_at(point: tuple[float, float]) -> tuple[float, float]:
    """Return a point of the felt in the drawing's coordinates."""
    return point[0] - TRAY_MM[0] / 2, TRAY_MM[1] / 2 - point[1]


@lru_cache(maxsize=4)
def _sheet(name: str) -> Printed:
    """Return a mat as it comes from the printer; one and the same each time, as scenes are told apart by it."""
    return Printed(printed(name), TRAY_MM)


def adding(before: TrayScene, after: TrayScene, *, tempo: Tempo, chance: random.Random) -> list[Shot]:
    """Return the frames in which a hand adds to what lies there, or takes away; the last one then stays."""
    hand = Hand(0, 0, angle_deg=chance.uniform(70, 110), seed=chance.randrange(1000))
    passing = _pass(hand, tempo.lay)
    return [
        *(Shot(before if k < tempo.lay / 2 else after, h) for k, h in enumerate(passing)),
        Shot(after),
    ]


def demo_look() -> Look:
    """Return the look of the simulated table: the plain one, the camera hanging close."""
    plain = Look.plain()
    return replace(plain, camera=replace(plain.camera, px_per_mm=PX_PER_MM))


@dataclass(frozen=True, slots=True)
class Shot:
    """What the camera sees for one frame."""

    scene: TrayScene
    hand: Hand | None = None
    blur_px: float = 0.0
    """Sigma of a lens out of focus."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How many frames each part of the laying takes."""

    old: int = 5
    sweep: int = 8
    lay: int = 8
    down: int = 6
    turn: int = 5
    groups: int = 4
    """In how many goes the tiles are turned up."""


CALM, HURRIED = Tempo(), Tempo(old=2, sweep=1, lay=1, down=1, turn=1, groups=1)


def laying(before: TrayScene, after: TrayScene, *, tempo: Tempo, chance: random.Random) -> list[Shot]:
    """Return the frames from the old tiles to the new ones lying face up; the last one then stays."""
    hand = Hand(0, 0, angle_deg=chance.uniform(70, 110), seed=chance.randrange(1000))
    empty = TrayScene(seed=after.seed, layout=after.layout)
    rows = max((t.row for t in after.tiles), default=0) + 1
    turned = [round(rows * k / tempo.groups) for k in range(tempo.groups + 1)]
    shots = [Shot(before)] * tempo.old
    shots += [Shot(before if k < tempo.sweep / 2 else empty, h) for k, h in enumerate(_pass(hand, tempo.sweep))]
    shots += [Shot(empty if k < 1 else _down_from(after, 0), h) for k, h in enumerate(_pass(hand, tempo.lay))]
    shots += [Shot(_down_from(after, 0))] * tempo.down
    for done, upto in zip(turned, turned[1:], strict=False):
        for k, h in enumerate(_pass(hand, tempo.turn)):
            shots.append(Shot(_down_from(after, done if k < tempo.turn / 2 else upto), h))
    return [*shots, Shot(after)]


def _pass(hand: Hand, frames: int) -> list[Hand]:
    """Return a hand that comes in from the near side, reaches the middle and draws back."""
    depth = [1 - abs(2 * (k + 0.5) / frames - 1) for k in range(frames)]
    return [replace(hand, x_mm=60 * (0.5 - d), y_mm=-REACH_MM * 0.55 * (1 - d)) for d in depth]


def _down_from(scene: TrayScene, row: int) -> TrayScene:
    """Return the scene with the tiles of `row` and all below face down."""
    tiles = tuple(replace(t, face_up=t.row < row) for t in scene.tiles)
    return replace(scene, tiles=tiles)


class SimulatedCamera:
    """A camera over a drawn tray; a `pi.frames.Camera`."""

    def __init__(
        self,
        settings: CameraSettings,
        *,
        look: Callable[[], Look] = demo_look,
        beat: Metronome | None = None,
    ) -> None:
        """Draw an empty tray until the first cue. look: the felt, the tiles and the lamp."""
        self._settings, self._look = settings, look()
        self._beat = beat or Metronome(settings.fps)
        self._cue = Cue()
        self._laid: tuple[str, int | None] = ("", None)
        self._on_disk: Laid | None = None
        self._shots: Sequence[Shot] = (Shot(TrayScene(seed=settings.seed)),)
        self._index = 0
        self._number = 0
        self._stages: dict[TrayScene, Stage] = {}

    def __enter__(self) -> Self:
        """Nothing to open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let the drawn stages go."""
        self._stages.clear()

    def cue(self, cue: Cue) -> None:
        """Note what the table is doing; a round that opens brings a new tray."""
        self._cue = cue

    def frame(self) -> Frame | None:
        """Draw the next frame."""
        self._lay_if_asked()
        self._lay_what_people_laid()
        chance = random.Random(f"{self._settings.seed}/{self._laid}/{self._index}")
        shot = self._shot(chance)
        hurried = self._settings.hurried and self._index < len(self._shots) + STILL_HURRIED
        picture = self._drawn(shot, np.random.default_rng(chance.getrandbits(64)))
        at_ns = self._beat.beat(hurried=hurried)
        self._index += 1
        self._number += 1
        return Frame(picture, at_ns, self._number - 1)

    def _lay_if_asked(self) -> None:
        cue = self._cue
        if cue.round is None or cue.expects not in DEALT or self._laid == (cue.match, cue.round):
            return
        if self._by_people() is not None:  # a quest's tiles are laid by whoever plays it
            return
        match = cue.match if self._settings.by_match else ""
        dealt = deal(cue.expects, seed=self._settings.seed, match=match, round=cue.round)
        chance = random.Random(f"{self._settings.seed}/{match}/{cue.round}/laying")
        after = scene_of(dealt, seed=chance.getrandbits(32))
        tempo = HURRIED if self._settings.hurried else CALM
        self._shots = laying(self._shots[-1].scene, after, tempo=tempo, chance=chance)
        self._laid, self._index = (cue.match, cue.round), 0

    def _lay_what_people_laid(self) -> None:
        expects = self._cue.expects or ""
        if (expects not in LAID and mat_of(expects) is None) or not self._settings.folder:
            return
        laid = self._by_people()
        if laid is None or laid == self._on_disk:
            return
        match = laid.match if self._settings.by_match else ""
        chance = random.Random(f"{self._settings.seed}/{match}/{laid.round}/{laid.turn}/laying")
        after = scene_of_laid(laid, seed=self._settings.seed + laid.round)
        tempo = HURRIED if self._settings.hurried else CALM
        self._shots = adding(self._shots[-1].scene, after, tempo=tempo, chance=chance)
        self._on_disk, self._index = laid, 0

    def _by_people(self) -> Laid | None:
        """Return what people have laid in the match that is played; None before anything."""
        laid = read(Path(self._settings.folder)) if self._settings.folder else None
        return None if laid is None or laid.match != self._cue.match else laid

    def _shot(self, chance: random.Random) -> Shot:
        """Return what is seen now: the laying, and then stillness with a nuisance now and then."""
        if self._index < len(self._shots):
            return self._shots[self._index]
        last = self._shots[-1]
        if self._settings.hurried or not (last.scene.tiles or last.scene.dice or last.scene.mat):
            return last
        phase = (self._index - len(self._shots)) % 90
        if 60 <= phase < 66:
            return replace(last, hand=_pass(Hand(0, 0, angle_deg=80.0, seed=len(self._laid[0])), 6)[phase - 60])
        return replace(last, blur_px=chance.uniform(1.5, 4.0)) if chance.random() < 0.02 else last

    def _drawn(self, shot: Shot, rng: np.random.Generator) -> Picture:
        stage = self._stages.get(shot.scene)
        if stage is None:
            # Two scenes are enough: the one before and the one now. Each holds some tens of megabytes.
            while len(self._stages) > 1:
                self._stages.pop(next(iter(self._stages)))
            stage = self._stages[shot.scene] = Stage(shot.scene, self._look, size_wh_px=self._settings.size)
        film = replace(self._look.film, jpeg=None)
        picture = stage.frame(rng=rng, hand=shot.hand, film=film).picture_bgr
        if shot.blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), shot.blur_px)
        return np.asarray(picture, dtype=np.uint8)
