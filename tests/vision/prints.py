"""Felts with a print, painted under whatever lies on a drawn tray."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.trays import tray_of
from vision.drawing import Drawn
from vision.tray.rectify import Image

INK = {"gold": (70, 165, 205), "white": (225, 228, 230), "dark": (25, 40, 20)}


def printed(picture: Drawn, outline_mm: np.ndarray, ink: tuple[int, int, int], *, wide_mm: float | None) -> Image:
    """Return the picture with an outline (n, 2) printed on its felt, under all tiles; wide_mm: None fills it."""
    tray, mask = tray_of(picture), np.zeros(picture.picture_bgr.shape[:2], np.uint8)
    at = np.round(tray.to_px(outline_mm)).astype(np.int32)
    if wide_mm is None:
        cv2.fillPoly(mask, [at], 255, cv2.LINE_AA)
    else:
        cv2.polylines(mask, [at], True, 255, max(1, round(wide_mm * tray.scale())), cv2.LINE_AA)
    for tile in picture.truth["tiles"]:
        cv2.fillConvexPoly(mask, np.round(tile["quad"]).astype(np.int32), 0)
    share = (cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255)[..., None]
    return (picture.picture_bgr + share * (np.array(ink) - picture.picture_bgr)).astype(np.uint8)


def oval(middle: tuple[float, float], half: tuple[float, float], straight: float = 0.0) -> np.ndarray:
    """Return an ellipse (n, 2) mm, drawn apart along x by straight sides."""
    t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    arc = np.c_[np.cos(t), np.sin(t)]
    return np.array(middle) + arc * half + np.sign(arc) * (straight, 0.0)
