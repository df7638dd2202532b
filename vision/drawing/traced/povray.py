"""Run POV-Ray: a scene's text and pictures in, linear light out."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from vision.drawing.programs import program
from vision.errors import VisionError

Array = np.ndarray[Any, np.dtype[Any]]


class TracerFailed(VisionError, RuntimeError):
    """Raised when POV-Ray is missing or refuses a scene."""


def tracer() -> str:
    """Return where POV-Ray is; raise TracerFailed where it is not installed."""
    return program("povray", missing=TracerFailed)


def shown(name: str, *, gamma: str = "srgb") -> str:
    """Return how a scene's text names one of its pictures. gamma: "1.0" for heights, which are no light."""
    return f'tiff "{name}.tiff" gamma {gamma} interpolate 2'


class Studio:
    """A folder with one scene's text and pictures, from which several views are rendered; use as a context."""

    def __init__(self, text: str, pictures: Mapping[str, Array]) -> None:
        """Write the scene; pictures: by the names that its text gives to `shown`, uint8 arrays."""
        self._program = tracer()
        self._folder = TemporaryDirectory(prefix="traced-")
        self.path = Path(self._folder.name)
        (self.path / "scene.inc").write_text(text, encoding="ascii")
        for name, picture in pictures.items():
            # Not compressed: it takes longer to make them small than to read them large. As PNG they take eight times
            # as long to write, as BMP or PPM three times as long to read.
            cv2.imwrite(str(self.path / f"{name}.tiff"), picture, [cv2.IMWRITE_TIFF_COMPRESSION, 1])

    def __enter__(self) -> Studio:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the folder."""
        self._folder.cleanup()

    def render(self, camera: str, *, size_wh_px: tuple[int, int], threads: int = 1) -> Array:
        """Return the view, (h, w, 3) float32 linear BGR; raise TracerFailed with POV-Ray's last words."""
        (self.path / "view.pov").write_text(f'#version 3.7;\n{camera}\n#include "scene.inc"\n', encoding="ascii")
        command = [
            self._program, "+Iview.pov", "+Oview.hdr", "+FH", f"+W{size_wh_px[0]}", f"+H{size_wh_px[1]}",
            "-D", "-A", "+GF", "-GD", "-GR", "-GS", "-GW", f"+WT{threads}", "-P",
        ]  # fmt: skip
        done = subprocess.run(
            command, cwd=self.path, capture_output=True, text=True, check=False, env=None, stdin=subprocess.DEVNULL
        )
        out = self.path / "view.hdr"
        picture = cv2.imread(str(out), cv2.IMREAD_UNCHANGED) if out.is_file() else None
        if done.returncode != 0 or picture is None:
            last = _complaint(done.stderr)
            raise TracerFailed(f"povray refused the scene (exit status {done.returncode}): {last}")
        return np.asarray(picture, np.float32)


def _complaint(words: str) -> str:
    """Return the line in which POV-Ray says what it does not like, or its last words."""
    lines = [line.strip() for line in words.splitlines() if "rror" in line]
    return lines[0][:400] if lines else " ".join(words.split())[-300:]
