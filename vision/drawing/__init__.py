"""Draw trays with tiles, dice, disks and hands, truth included: for the simulator, the tests and the training.

Needs numpy and cv2 only. A minute's use:

>>> import numpy as np
>>> scene = scene_for_layout([["red:7", "red:#", "down"], [], [], []], layout="rows", seed=1)
>>> drawn = draw(scene, Look.plain(), size_wh_px=(640, 480), rng=np.random.default_rng(1))
>>> drawn.picture_bgr.shape, [t["label"] for t in drawn.truth["tiles"]]
((480, 640, 3), ['7', '#', 'down'])
"""

from vision.drawing.camera import Camera, CameraLook, make_camera
from vision.drawing.chance import random_look
from vision.drawing.glyphs import GlyphSet, built_in
from vision.drawing.look import PALETTE, FilmLook, LampLook, Look, TileLook
from vision.drawing.mats import DrawnCounter, DrawnMat, DrawnPawn, Printed
from vision.drawing.scene import (
    COLOURS,
    LAYOUTS,
    TRAY_MM,
    DrawnDie,
    DrawnDisk,
    DrawnTile,
    Hand,
    TrayScene,
    scene_for_layout,
)
from vision.drawing.stage import Drawn, Stage, camera_of, draw

__all__ = [
    "COLOURS",
    "LAYOUTS",
    "PALETTE",
    "TRAY_MM",
    "Camera",
    "CameraLook",
    "Drawn",
    "DrawnCounter",
    "DrawnDie",
    "DrawnDisk",
    "DrawnMat",
    "DrawnPawn",
    "DrawnTile",
    "FilmLook",
    "GlyphSet",
    "Hand",
    "LampLook",
    "Look",
    "Printed",
    "Stage",
    "TileLook",
    "TrayScene",
    "built_in",
    "camera_of",
    "draw",
    "make_camera",
    "random_look",
    "scene_for_layout",
]
