"""From drawn pictures to what the net of dice and disks learns from: crops of faces, and of what may pass for one."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from vision.crops import around, outline, standing
from vision.crops.faces import FACES, closer, cut_faces
from vision.drawing import Drawn
from vision.drawing.truth import spread
from vision.geometry import upright_around
from vision.training.samples import UNREADABLE, jittered

SEEN = 0.25
"""A flank is seen from where on its depth in the picture is this much of the die's side."""
FLANKS, PIPS, HALVES = (0.5, 1.0), (0.3, 0.6), (0.42, 0.62)
"""How wide the finder's square is around a flank, around a pip, over the die's side; and how far off it is where it
lies half on the die."""
WIDE = 72
"""Side in pixels of what is kept of a die for the net of outlines, which sees 48 of them, from anywhere about there."""
LIES_OPEN = 0.7
"""Share of a piece from which it is shown as one that stands, or lies flat."""
FREE = 0.9
"""What another die covers more of than the rest may be that die."""


def faces_of(drawn: Drawn, rng: np.random.Generator, *, copies: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return crops of dice and disks, (n, 48, 48, 3) uint8, and their index into FACES, (n,) uint8.

    255: neither, or covered. What is covered in part is left out: who could say whether it can be read?
    """
    quads, labels, dice = [], [], []
    for die in drawn.truth["dice"]:
        label = _label(FACES.index(("die", die["value"])), _open(drawn, np.array(die["top_quad"]), ()))
        for _ in range(copies):
            turned = np.roll(np.array(die["top_quad"]), int(rng.integers(4)), 0)
            # The finder's middle lies between that of the top face and that of the whole die.
            turned = turned + rng.uniform(0, 0.7) * (np.array(die["body_center"]) - np.array(die["center"]))
            # Any angle now and then: round dice have no edges to see it by, and readings are fused over angles.
            quads.append(jittered(turned, rng, turn_deg=float(rng.choice([4.0, 60.0])), off=0.08))
            labels.append(label)
            dice.append(True)
    for disk in drawn.truth["disks"]:
        square = upright_around(disk["outline"])
        clear = _open(drawn, 0.15 * square.mean(0) + 0.85 * square, drawn.truth["dice"])
        for _ in range(copies):
            quads.append(jittered(square, rng, turn_deg=60.0, off=0.06))
            shown = FACES.index((disk["kind"], disk["value"])) if disk.get("legibility") != "blank" else UNREADABLE
            labels.append(_label(shown, clear))
            dice.append(False)
    if quads:
        for k in rng.integers(len(quads), size=max(1, len(quads) // 12)):
            quads.append(quads[k] + rng.choice([-1, 1], 2) * np.ptp(quads[k], axis=0) * rng.uniform(0.5, 1.5))
            labels.append(UNREADABLE)
            dice.append(dice[k])
    # By chances of their own: what is made of this tray after it stays as it was without them.
    decoys = decoys_of(drawn, copy.deepcopy(rng), copies=max(1, copies // 3))
    quads, labels, dice = quads + decoys, labels + [UNREADABLE] * len(decoys), dice + [True] * len(decoys)
    kept = np.array(labels, int) >= 0
    cut = closer(np.array(quads, np.float32).reshape(-1, 4, 2), np.array(dice, bool))[kept]
    return cut_faces(drawn.picture_bgr, cut), np.array(labels, int)[kept].astype(np.uint8)


def standing_of(drawn: Drawn, rng: np.random.Generator, *, copies: int) -> tuple[np.ndarray, np.ndarray]:
    """Return crops of dice and disks with what is around, (n, 48, 48, 3) uint8, and which stand up, (n,) uint8.

    What a hand or a die covers is left out.
    """
    quads, stands = [], []
    for die in drawn.truth["dice"]:
        top = np.array(die["top_quad"])
        down = np.array(die["body_center"]) - np.array(die["center"])
        if _open(drawn, top, ()) > LIES_OPEN:
            tops = (np.roll(top, int(rng.integers(4)), 0) + rng.uniform(0, 0.5) * down for _ in range(copies))
            quads += [jittered(t, rng, turn_deg=float(rng.choice([4.0, 60.0])), off=0.07) for t in tops]
            stands += [1] * copies
    for disk in drawn.truth["disks"]:
        square = upright_around(disk["outline"])
        if _open(drawn, 0.15 * square.mean(0) + 0.85 * square, drawn.truth["dice"]) > LIES_OPEN:
            quads += [jittered(square, rng, turn_deg=60.0, off=0.07) for _ in range(copies)]
            stands += [0] * copies
    crops = around.cut(drawn.picture_bgr, np.array(quads).reshape(-1, 4, 2), share=standing.SHARE)
    return crops, np.array(stands, np.uint8)


def tops_of(drawn: Drawn) -> np.ndarray:
    """Return the dice with what is around them, (n, 72, 72, 3) uint8, each top exactly in the middle of its crop.

    What a hand covers is left out.
    """
    tops = [np.array(die["top_quad"]) for die in drawn.truth["dice"]]
    seen = [top for top in tops if _open(drawn, top, ()) > LIES_OPEN]
    return around.cut(drawn.picture_bgr, np.array(seen).reshape(-1, 4, 2), share=outline.SHARE, side=WIDE)


def decoys_of(drawn: Drawn, rng: np.random.Generator, *, copies: int) -> list[np.ndarray]:
    """Return quads (4, 2) of what a finder may take for a die and is none: the flanks of dice, pips, halves of dice.

    copies: of each flank; of the others there is one of each kind a die.
    """
    out = []
    for k, die in enumerate(drawn.truth["dice"]):
        others = [*drawn.truth["dice"][:k], *drawn.truth["dice"][k + 1 :]]
        top, middle = np.array(die["top_quad"]), np.array(die["center"])
        down = 2 * (np.array(die["body_center"]) - middle)
        found = [_square(top, at, rng.uniform(*FLANKS)) for at in _flanks(top, down) for _ in range(copies)]
        across, along = (top[1] - top[0]) / 4, (top[3] - top[0]) / 4
        if die["value"] > 1:
            corner = middle + across * rng.choice([-1, 1]) + along * rng.choice([-1, 1])
            found.append(_square(top, corner, rng.uniform(*PIPS)))
        turn, far = rng.uniform(0, 2 * np.pi), 4 * rng.uniform(*HALVES)
        found.append(_square(top, middle + far * (across * np.cos(turn) + along * np.sin(turn)), 1.0))
        found = [jittered(quad, rng, turn_deg=float(rng.choice([4.0, 60.0])), off=0.08) for quad in found]
        out += [quad for quad in found if _open(drawn, quad.mean(0) + 0.5 * (quad - quad.mean(0)), others) > FREE]
    return out


def _flanks(top: np.ndarray, down: np.ndarray) -> list[np.ndarray]:
    """Return the middles (2,) of the flanks to be seen of a die. top: (4, 2); down: (2,) from its top to its foot."""
    out, side = [], float(np.linalg.norm(top[1] - top[0]))
    for k in range(4):
        edge = (top[k] + top[(k + 1) % 4]) / 2
        outward = edge - top.mean(0)
        if down @ outward / np.linalg.norm(outward) > SEEN * side:
            out.append(edge + down / 2)
    return out


def _square(top: np.ndarray, at: np.ndarray, wide: float) -> np.ndarray:
    """Return a die's top (4, 2) moved to a place and made so wide, over its side."""
    return at + wide * (top - top.mean(0))


def _label(face: int, open_: float) -> int:
    """Return what is to be said of a piece of which a share lies open: its face, 255, or -1 for nothing."""
    return face if open_ > 0.92 else UNREADABLE if open_ < 0.5 else -1


def _open(drawn: Drawn, quad: np.ndarray, dice: Sequence[dict[str, Any]]) -> float:
    """Return how much of a quad neither the hand nor one of the dice covers, 0..1."""
    points = spread(quad, across=9, inset=0.06)
    covered = np.zeros(len(points), bool)
    if drawn.hand_mask is not None:
        h, w = drawn.hand_mask.shape
        x, y = np.clip(points.round().astype(int), 0, (w - 1, h - 1)).T
        covered |= drawn.hand_mask[y, x] > 127
    for die in dice:
        top, middle = np.array(die["top_quad"], np.float32), np.array(die["body_center"], np.float32)
        # Its foot lies as far beyond its middle as its top before it.
        body = cv2.convexHull(np.concatenate([top, top + 2 * (middle - top.mean(0))]))
        # Most dice are far from most points, and each test takes long.
        near = ((points > body.min(axis=(0, 1)) - 1) & (points < body.max(axis=(0, 1)) + 1)).all(axis=1)
        for k in np.flatnonzero(near):
            covered[k] |= cv2.pointPolygonTest(body, (float(points[k, 0]), float(points[k, 1])), False) >= 0
    return 1 - float(covered.mean())
