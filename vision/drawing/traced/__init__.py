"""Pictures by light simulation: trays of true size rendered by POV-Ray, with the truth beside them.

The second, independent maker of pictures beside the drawing code: real gloss, sides, shadows and glare. Needs the
program `povray` (Debian's package of that name); numpy and cv2 otherwise. `python -m vision.drawing.traced OUT`.
"""

from vision.drawing.traced.chance import random_look, small_look
from vision.drawing.traced.laying import FAMILIES, random_scene
from vision.drawing.traced.look import TracedLook
from vision.drawing.traced.making import render_tray, trace_one
from vision.drawing.traced.pieces import TracedDie, TracedScene
from vision.drawing.traced.povray import TracerFailed
from vision.drawing.traced.staging import trace

__all__ = [
    "FAMILIES",
    "TracedDie",
    "TracedLook",
    "TracedScene",
    "TracerFailed",
    "random_look",
    "random_scene",
    "render_tray",
    "small_look",
    "trace",
    "trace_one",
]
