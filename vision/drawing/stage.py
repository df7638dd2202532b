"""Put it together: a scene and a look become a picture and its truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from vision.drawing.camera import Camera, make_camera
from vision.drawing.dice import paint_die, paint_disk, rounded_square, sized
from vision.drawing.film import add_gloss, cast_shadows, expose, light_frame, soften, tone
from vision.drawing.hand import hand_layers, paint_hand
from vision.drawing.look import FilmLook, Look
from vision.drawing.mats import paint_counter, paint_pawn, paint_sheet
from vision.drawing.scene import DrawnTile, Hand, TrayScene
from vision.drawing.surfaces import paint_felt, paint_markers, paint_table, rim_bars
from vision.drawing.tiles import paint_tile, tile_outline, to_tray
from vision.drawing.truth import truth_of

Array = np.ndarray[Any, np.dtype[Any]]
ON_THE_GROUND = (
    "camera", "tray_mm", "felt", "felt_texture", "rim", "rim_mm", "bare", "table", "table_bgr", "clutter"
)  # fmt: skip
"""What of a look is seen where nothing lies."""


@dataclass(frozen=True)
class Drawn:
    """A picture and what is true about it."""

    picture_bgr: Array
    """(h, w, 3) uint8."""
    truth: dict[str, Any]
    """As in the label files of evaluation: tiles, dice, disks, markers, tray, camera, hand_present ..."""
    hand_mask: Array | None = None
    """(h, w) uint8, 255 where the hand is; None without one."""
    later: tuple[Array, ...] = ()
    """Further frames of the same still scene, (h, w, 3) uint8 each, with noise of their own."""
    shorter: tuple[Array, ...] = ()
    """The same still scene in the shorter exposures of `vision.frames.short.SHARES`, (h, w, 3) uint8 each."""
    bare: Array | None = None
    """(h, w, 3) uint8: the same tray before anything was laid on it; None where none was taken."""


class Stage:
    """A scene drawn once; frames of it differ by noise, and by a hand that comes and goes.

    On one core a frame of 1280x960 costs about 5 ms (30 with a hand, 20 more with `look.film.jpeg`), the stage
    itself about 200 ms. The truth of all frames without a hand is one and the same dict: read it only.
    """

    def __init__(self, scene: TrayScene, look: Look, *, size_wh_px: tuple[int, int] = (1280, 960)) -> None:
        """Draw the scene without noise."""
        self.scene, self.look, self.size_wh_px = scene, look, size_wh_px
        self.camera = make_camera(look.camera, size_wh_px=size_wh_px)
        self._light = np.random.default_rng([scene.seed, 5])
        self._gloss: dict[int, float] = {}
        base = self._paint(np.random.default_rng([scene.seed, 3]))
        base = light_frame(base, look.lamp, self._light)
        self._bare = tone(soften(base, look.film), look.film.contrast)
        self._bare_truth = self._truth(None)
        self._layers: tuple[Hand, tuple[Array, Array, Array]] | None = None

    def _paint(self, rng: np.random.Generator) -> Array:
        look, camera = self.look, self.camera
        seen = {name: getattr(look, name) for name in ON_THE_GROUND}
        frame = _ground(self.scene.seed, self.size_wh_px, **seen).copy()
        if self.scene.mat is not None:
            paint_sheet(frame, self.scene.mat, camera, np.random.default_rng([self.scene.seed, 7]))
        elif look.markers:
            paint_markers(frame, look, camera)
        self._shadows(frame)
        self._pieces(frame, rng)
        return frame

    def _shadows(self, frame: Array) -> None:
        look = self.look
        outlines = [self._foot(p) for p in self.scene.tiles if p.z_mm == 0]
        for d in self.scene.dice:
            s = sized(look.die, d).size_mm
            square = rounded_square(s / 2, look.die.round * s)
            outlines.append((to_tray(square, d.x_mm, d.y_mm, d.angle_deg, 0), s))
        disk = rounded_square(look.disk_mm / 2, look.disk_mm / 2)
        outlines += [(to_tray(disk, d.x_mm, d.y_mm, 0, 0), self.look.disk_thick_mm) for d in self.scene.disks]
        if self.scene.mat is not None:
            for c in self.scene.mat.counters:
                outlines.append((to_tray(rounded_square(c.radius_mm, c.radius_mm), c.x_mm, c.y_mm, 0, 0), c.thick_mm))
            for p in self.scene.mat.pawns:
                body = rounded_square(0.6 * p.radius_mm, 0.6 * p.radius_mm)
                outlines.append((to_tray(body, p.x_mm, p.y_mm, 0, 0), p.height_mm))
        if look.rim is not None and not look.bare:
            outlines += [(bar, look.rim_mm) for bar in rim_bars(look.tray_mm)]
        self._cast(frame, outlines)

    def _foot(self, tile: DrawnTile) -> tuple[Array, float]:
        """Return the outline (n, 3) of what a tile lies with on the felt or another tile, and how high it is, in mm."""
        shape = self.look.tile
        foot = to_tray(tile_outline(shape), tile.x_mm, tile.y_mm, tile.angle_deg, tile.z_mm)
        return foot, shape.thickness_mm

    def _cast(self, frame: Array, outlines: list[tuple[Array, float]]) -> None:
        px_per_mm = self.look.camera.px_per_mm * self.size_wh_px[0] / 1280
        cast_shadows(frame, outlines, self.look.lamp, self.camera, px_per_mm)

    def _pieces(self, frame: Array, rng: np.random.Generator) -> None:
        """Paint pieces from the far side to the near one, so that tall dice hide what is behind them."""
        look, camera, eye = self.look, self.camera, self.camera.position_mm()
        for k, tile in enumerate(self.scene.tiles):
            if tile.z_mm > 0:
                self._cast(frame, [self._foot(tile)])
            outline = paint_tile(frame, tile, look, camera, rng)
            middle = np.array([tile.x_mm, tile.y_mm])
            self._gloss[k] = add_gloss(frame, outline, middle, look.lamp, rng)
        for disk in self.scene.disks:
            outline = paint_disk(frame, disk, look, camera, rng)
            add_gloss(frame, outline, np.array([disk.x_mm, disk.y_mm]), look.lamp, rng)
        if self.scene.mat is not None:
            for counter in self.scene.mat.counters:
                outline = paint_counter(frame, counter, camera)
                add_gloss(frame, outline, np.array([counter.x_mm, counter.y_mm]), look.lamp, rng)
            for pawn in sorted(self.scene.mat.pawns, key=lambda p: -float(np.hypot(p.x_mm - eye[0], p.y_mm - eye[1]))):
                outline = paint_pawn(frame, pawn, camera)
                add_gloss(frame, outline, np.array([pawn.x_mm, pawn.y_mm]), look.lamp, rng)
        for die in sorted(self.scene.dice, key=lambda d: -float(np.hypot(d.x_mm - eye[0], d.y_mm - eye[1]))):
            outline = paint_die(frame, die, look, camera)
            add_gloss(frame, outline, np.array([die.x_mm, die.y_mm]), look.lamp, rng)

    def frame(self, *, rng: np.random.Generator, hand: Hand | None = None, film: FilmLook | None = None) -> Drawn:
        """Return one frame: fresh noise, and `hand` (or the scene's own) over the tray."""
        hand = hand or self.scene.hand
        picture, mask = self._bare, None
        if hand is not None:
            layers = self._hand(hand)
            mask = layers[0]
            picture = picture.copy()
            scale = self.look.camera.px_per_mm * self.size_wh_px[0] / 1280
            x, y = self.look.lamp.shadow_mm
            paint_hand(picture, layers, (x * 3 * scale, -y * 3 * scale))
        picture = expose(picture, film or self.look.film, rng)
        return Drawn(picture, self._bare_truth if mask is None else self._truth(mask), mask)

    def _truth(self, mask: Array | None) -> dict[str, Any]:
        return truth_of(
            self.scene, self.look, self.camera, size_wh_px=self.size_wh_px, hand_mask=mask, gloss=self._gloss
        )

    def _hand(self, hand: Hand) -> tuple[Array, Array, Array]:
        if self._layers is None or self._layers[0] != hand:
            self._layers = (hand, hand_layers(hand, self.camera, self.size_wh_px))
        return self._layers[1]


def draw(
    scene: TrayScene,
    look: Look,
    *,
    size_wh_px: tuple[int, int] = (1280, 960),
    rng: np.random.Generator,
    hand: Hand | None = None,
    blur: float | None = None,
    noise: float | None = None,
) -> Drawn:
    """Return the picture of a scene and its truth; the same scene, look and rng state give the same picture.

    hand: instead of the scene's own. blur: sigma of the defocus in pixels, noise: sigma in grey values; None
    leaves either to the look.
    """
    look = look.with_film(blur_px=blur, noise=noise)
    scene = replace(scene, hand=hand or scene.hand)
    return Stage(scene, look, size_wh_px=size_wh_px).frame(rng=rng)


def camera_of(look: Look, *, size_wh_px: tuple[int, int] = (1280, 960)) -> Camera:
    """Return the camera with which a look sees the tray."""
    return make_camera(look.camera, size_wh_px=size_wh_px)


@lru_cache(maxsize=2)
def _ground(seed: int, size_wh_px: tuple[int, int], **seen: Any) -> Array:
    """Return the table and the bare felt on it, (h, w, 3) float32, to be copied.

    Kept, for the same tray is drawn with other pieces again and again: 25 of a stage's 105 ms. seen: of the look; the
    painters are given a look of no more than that, so that one who uses more of it is found out at once.
    """
    look = Look(**seen)
    camera = make_camera(look.camera, size_wh_px=size_wh_px)
    frame = np.empty((size_wh_px[1], size_wh_px[0], 3), np.float32)
    paint_table(frame, look, camera, np.random.default_rng([seed, 1]))
    if not look.bare:
        paint_felt(frame, look, camera, np.random.default_rng([seed, 2]))
    frame.flags.writeable = False
    return frame
