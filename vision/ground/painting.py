"""Plain felt, painted into a picture where something is printed on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats
from vision.ground.felt_light import LIFT
from vision.ground.smooth import smooth_terms
from vision.tray.rectify import Image


def plain_felt(lit: NDArray[np.float32], gain: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (h, w, 3) plain felt as it would look: lit as fitted (3, 6), lighter by a logarithm (h, w)."""
    h, w = gain.shape
    seen = np.exp(lit @ smooth_terms((h, w)) + gain.reshape(-1)) - np.float32(LIFT)
    return np.asarray(np.clip(seen.T.reshape(h, w, 3), 0.0, 255.0), np.float32)


def painted(
    picture_bgr: Image, to_px: Floats, over: Bools, plain: NDArray[np.float32], grain: NDArray[np.float32]
) -> Image:
    """Return a picture with plain felt (h, w, 3) where a mask (h, w) says so. to_px: (3, 3) from their pixels to its.

    grain: (3,) what felt differs by; felt without any looks like a tile's smooth face.
    """
    size = picture_bgr.shape[1::-1]
    share = cv2.warpPerspective(over.astype(np.float32), to_px, size).reshape(-1)
    at = np.flatnonzero(share)
    felt = cv2.warpPerspective(plain, to_px, size, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 3).take(at, axis=0)
    felt = felt + np.random.default_rng(1).standard_normal((len(at), 1), np.float32) * grain
    out = picture_bgr.reshape(-1, 3).copy()
    seen = out.take(at, axis=0).astype(np.float32)
    # Half covered is covered: what is left of a print's edge would be a line.
    seen += np.minimum(1.0, 2 * share[at, None]) * (felt - seen)
    out[at] = np.clip(seen, 0, 255)
    return out.reshape(picture_bgr.shape)


__all__ = ["painted", "plain_felt"]
