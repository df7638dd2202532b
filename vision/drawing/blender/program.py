"""Run Blender: a description in, linear light out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from vision.drawing.programs import program
from vision.errors import VisionError

Array = np.ndarray[Any, np.dtype[Any]]
INSIDE = Path(__file__).parent / "inside" / "paint.py"
NOT_CARVED = "nothing could be carved"
"""What `inside/paint.py` says then."""
PATIENCE_S = 900.0
"""How long one tray may take; some half a minute as a rule."""


class BlenderFailed(VisionError, RuntimeError):
    """Raised when Blender is missing or paints nothing."""


class NothingCarved(BlenderFailed):
    """Raised when Blender gives up engraving a digit."""


def blender() -> str:
    """Return where Blender is; raise BlenderFailed where it is not installed."""
    return program("blender", missing=BlenderFailed)


def light_of(description: dict[str, Any], pictures: dict[str, Array]) -> Array:
    """Return the light that a camera gets from a described scene, (h, w, 3) float32 linear BGR.

    pictures: what is printed, uint8, by the name that the description's materials have for it.
    Raises BlenderFailed with Blender's last words, NothingCarved where they say so.
    """
    with TemporaryDirectory(prefix="blender-") as name:
        folder = Path(name)
        for file, picture in pictures.items():
            cv2.imwrite(str(folder / file), picture)
        (folder / "scene.json").write_text(json.dumps(description), encoding="utf-8")
        command = [
            blender(), "--background", "--factory-startup", "-noaudio", "--python-exit-code", "3", "--python",
            str(INSIDE), "--", str(folder / "scene.json"), str(folder / "light.hdr"),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise BlenderFailed(f"blender did not paint the tray within {PATIENCE_S:.0f} s") from None
        coarse, fine = (_light(folder / name) for name in ("coarse-light.hdr", "light.hdr"))
    if coarse is None or fine is None:
        last = " ".join((done.stderr or done.stdout).split())[-300:]
        failed = NothingCarved if NOT_CARVED in last else BlenderFailed
        raise failed(f"blender painted nothing (exit status {done.returncode}): {last}")
    return _together(coarse, fine, description["render"])


def _light(file: Path) -> Array | None:
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_UNCHANGED), np.float32) if file.is_file() else None


def _together(coarse: Array, fine: Array, spec: dict[str, Any]) -> Array:
    """Return the frame: the window as finely as it was traced, around it what was traced at half the size."""
    w, h = spec["size"]
    light = cv2.resize(coarse, (w, h), interpolation=cv2.INTER_LINEAR)
    left, top = round(spec["window"][0] * w), h - round(spec["window"][3] * h)
    light[top : top + fine.shape[0], left : left + fine.shape[1]] = fine
    return np.asarray(light, np.float32)
