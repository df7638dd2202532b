"""Load the shipped models, once each, with the engine that runs them fastest."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import BadModel

Array = np.ndarray[Any, np.dtype[Any]]

MODELS = Path(__file__).parents[1] / "models"


def evened(pictures_bgr: Array, *, rim: tuple[int, int] = (0, 0), floor: float, most: float | None = None) -> Array:
    """Return (n, 3, h, w) float32: each channel of each picture with mean 0, all three with a common spread near 1.

    pictures_bgr: (n, h, w, 3), uint8 or float32. rim: rows above and below, columns left and right that do not
    count for mean and spread. floor: added to the variance, so that noise on a plain picture stays small.
    most: results are clipped to -most..most; None for no clipping. OpenCV's sums, as numpy's over three axes of
    a turned array take as long as the net.
    """
    n, h, w = pictures_bgr.shape[:3]
    middles, deviations = np.empty((n, 3)), np.empty((n, 3))
    for k, inside in enumerate(pictures_bgr[:, rim[0] : h - rim[0], rim[1] : w - rim[1]]):
        cv2.meanStdDev(inside, middles[k], deviations[k])
    mean = middles.astype(np.float32)
    spread = np.sqrt((deviations**2).mean(axis=1) + middles.var(axis=1) + floor).astype(np.float32)
    out = np.empty((n, 3, h, w), np.float32)
    out[...] = pictures_bgr.transpose(0, 3, 1, 2)
    out -= mean[:, :, None, None]
    out /= spread[:, None, None, None]
    return out if most is None else np.clip(out, -most, most, out=out)


@lru_cache(maxsize=16)
def load_net(path: Path) -> Any:
    """Return the cv2.dnn net in an ONNX file; raises BadModel when it is missing or no model.

    OpenCV 5 runs our small nets a third faster with its classic engine (40 crops: 16 ms against 23 ms on one
    core, 2026-11, 5.0.0); OpenCV 4 has no other.
    """
    if not path.is_file():
        raise BadModel(f"the model is missing at {path} (make it again with: python -m vision.training)")
    try:
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        if engine is None:
            return cv2.dnn.readNetFromONNX(str(path))
        return cv2.dnn.readNetFromONNX(str(path), engine=engine)
    except cv2.error as e:
        raise BadModel(f"{path} is no model that OpenCV {cv2.__version__} can run") from e


def outputs(path: Path, blob: Array) -> Array:
    """Return what the net in a file makes of its input: (n, ...) float32. Raises BadModel as `load_net`.

    Not for two threads at once.
    """
    net = load_net(path)
    net.setInput(blob)
    return np.asarray(net.forward(), np.float32)


@lru_cache(maxsize=8)
def _ends(path: Path) -> tuple[str, str]:
    """Return the names of a net's last features (the layer that flattens them) and of its output."""
    net = load_net(path)
    flat = [name for name in net.getLayerNames() if name.endswith("/Flatten")]
    if len(flat) != 1:
        raise BadModel(
            f"{path} has {len(flat)} layers of features (expected 1): sets can only be taught to a net with one"
        )
    return flat[0], str(net.getUnconnectedOutLayersNames()[0])


def with_features(path: Path, blob: Array) -> tuple[Array, Array]:
    """Return what the net in a file makes of its input: (n, features) and (n, outputs), float32.

    Costs some 2 % more than the output alone. Raises BadModel as `load_net`, and for a net without such a layer.
    """
    net = load_net(path)
    net.setInput(blob)
    features, out = net.forward(_ends(path))
    return np.array(features, np.float32).reshape(len(blob), -1), np.array(out, np.float32)
