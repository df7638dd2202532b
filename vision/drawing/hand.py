"""A hand with its forearm and sleeve, drawn from capsules: enough to teach a net and to be seen as one."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.scene import Hand

Array = np.ndarray[Any, np.dtype[Any]]

SKINS = ((140, 172, 216), (110, 148, 200), (78, 112, 165), (52, 78, 122), (36, 52, 86), (160, 190, 232))


def _bones(hand: Hand, rng: np.random.Generator) -> tuple[list[Array], Array]:
    """Return capsules of the hand (each (n, 3): x, y, radius in mm) and of the arm, fingers along +x."""
    spread, bend = rng.uniform(0.6, 1.5), rng.uniform(0.55, 1.0)
    parts = [np.array([[-35, 0, 30.0], [0, 0, 38], [22, 6, 30], [22, -8, 30]])]
    for k, (y, length) in enumerate(((26, 66), (9, 76), (-9, 72), (-25, 58))):
        angle = np.radians((1.5 - k) * 6 * spread + rng.normal(0, 4))
        d = np.array([np.cos(angle), np.sin(angle)])
        base = np.array([26.0, y])
        knee = base + d * length * 0.55
        tip = knee + np.array([np.cos(angle * 0.6), np.sin(angle * 0.6)]) * length * 0.5 * bend
        parts.append(np.array([[*base, 10.5], [*knee, 9.2], [*tip, 7.6]]))
    side = 1 if rng.random() < 0.5 else -1
    parts.append(np.array([[-12, side * 24, 14.0], [14, side * 50, 11], [40, side * 58 * rng.uniform(0.8, 1.1), 9]]))
    arm = np.array([[-30, 0, 30.0], [-120, 0, 31], [-420, rng.normal(0, 40), 44]])
    return parts, arm


def _capsules(mask: Array, bones: Array, camera: Camera, place: tuple[Array, Array], z: float) -> None:
    turn, at = place
    points = np.c_[bones[:, :2] @ turn.T + at, np.full(len(bones), z)]
    px = camera.project(points)
    edge = camera.project(points + [1.0, 0, 0])
    scale = np.linalg.norm(edge - px, axis=1)
    radius = bones[:, 2] * scale
    for k in range(len(px)):
        centre = tuple(np.clip(px[k], -4000, 4000).round().astype(int).tolist())
        cv2.circle(mask, centre, int(radius[k]), (255,), -1, cv2.LINE_AA)
        if k:
            d = px[k] - px[k - 1]
            n = np.array([-d[1], d[0]]) / (np.linalg.norm(d) + 1e-6)
            poly = [px[k] + n * radius[k], px[k] - n * radius[k], px[k - 1] - n * radius[k - 1]]
            poly.append(px[k - 1] + n * radius[k - 1])
            fixed = np.clip(np.array(poly), -4000, 4000).round().astype(np.int32)
            cv2.fillConvexPoly(mask, fixed, (255,), cv2.LINE_AA)


def hand_layers(hand: Hand, camera: Camera, size_wh_px: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Return (mask, shade, colour): uint8 (h, w) coverage, float32 (h, w) shading, uint8 (h, w, 3) surface."""
    rng = np.random.default_rng(hand.seed)
    w, h = size_wh_px
    parts, arm = _bones(hand, rng)
    a = np.radians(hand.angle_deg)
    place = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]), np.array([hand.x_mm, hand.y_mm]))
    z = float(rng.uniform(12, 45))
    shade = np.zeros((h, w), np.float32)
    mask = np.zeros((h, w), np.uint8)
    colour = np.zeros((h, w, 3), np.uint8)
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1)
    sleeve = rng.uniform(15, 230, 3)
    reach = float(rng.choice([60.0, 110.0, 200.0, 600.0]))
    for k, bones in enumerate([arm, *parts]):
        one = np.zeros((h, w), np.uint8)
        _capsules(one, bones, camera, place, z + (30 if k == 0 else 6))
        soft = cv2.boxFilter(cv2.resize(one, (w // 4, h // 4), interpolation=cv2.INTER_AREA), -1, (7, 7))
        x, y, bw, bh = cv2.boundingRect(one)
        cut = (slice(y, y + bh), slice(x, x + bw))
        lit = cv2.resize(soft, (w, h))[cut].astype(np.float32) / 255
        on = one[cut] > 127
        shade[cut][on] = 0.62 + 0.4 * lit[on]
        colour[cut][on] = np.clip(skin, 0, 255)
        mask[cut] = np.maximum(mask[cut], one[cut])
    _dress(colour, mask, camera, place, reach, sleeve, z)
    return mask, shade, colour


def _dress(
    colour: Array, mask: Array, camera: Camera, place: tuple[Array, Array], reach: float, sleeve: Array, z: float
) -> None:
    """Colour the arm beyond `reach` mm from the palm as a sleeve."""
    cuff = np.array([[-reach, -160.0], [-reach, 160], [-reach - 700, 300], [-reach - 700, -300]])
    points = camera.project(np.c_[cuff @ place[0].T + place[1], np.full(4, z + 30)])
    zone = np.zeros(colour.shape[:2], np.uint8)
    cv2.fillConvexPoly(zone, np.clip(points, -9000, 9000).round().astype(np.int32), (255,))
    colour[cv2.min(zone, mask) > 0] = np.clip(sleeve, 0, 255)


def paint_hand(frame: Array, layers: tuple[Array, Array, Array], shadow_px: tuple[float, float]) -> None:
    """Lay the hand and its shadow over the frame (uint8 or float32), which is changed."""
    mask, shade, colour = layers
    h, w = mask.shape
    small = cv2.resize(mask, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
    move = np.array([[1, 0, shadow_px[0] / 4], [0, 1, shadow_px[1] / 4]], np.float32)
    cast = cv2.GaussianBlur(cv2.warpAffine(small, move, (w // 4, h // 4)), (0, 0), 3)
    x, y, bw, bh = cv2.boundingRect((cv2.resize(cast, (w, h)) > 4).astype(np.uint8) | (mask > 0).astype(np.uint8))
    cut = (slice(y, y + bh), slice(x, x + bw))
    dark = 1 - 0.45 * cv2.resize(cast, (w, h))[cut].astype(np.float32) / 255
    alpha = (mask[cut].astype(np.float32) / 255)[..., None]
    ground = frame[cut] * dark[..., None]
    surface = colour[cut].astype(np.float32) * shade[cut][..., None]
    frame[cut] = np.clip(ground + (surface - ground) * alpha, 0, 255).astype(frame.dtype)
