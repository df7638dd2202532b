"""Run Chromium: a page in, a picture out."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from vision.drawing.programs import program
from vision.errors import VisionError

Array = np.ndarray[Any, np.dtype[Any]]
PATIENCE_S = 120.0
"""How long one page may take; two seconds as a rule."""


class BrowserFailed(VisionError, RuntimeError):
    """Raised when Chromium is missing or draws nothing."""


def browser() -> str:
    """Return where Chromium is; raise BrowserFailed where it is not installed."""
    return program("chromium", "chromium-browser", "chromium-headless-shell", missing=BrowserFailed)


def screenshot(page: str, *, size_wh_px: tuple[int, int]) -> Array:
    """Return what Chromium shows of a page of HTML, (h, w, 3) uint8 BGR; raise BrowserFailed where it shows nothing."""
    with TemporaryDirectory(prefix="browser-") as name:
        folder = Path(name)
        (folder / "page.html").write_text(page, encoding="utf-8")
        command = [
            browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}",
            f"--window-size={size_wh_px[0]},{size_wh_px[1] + 200}", f"--screenshot={folder / 'shot.png'}",
            f"file://{folder / 'page.html'}",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise BrowserFailed(f"chromium did not show the page within {PATIENCE_S:.0f} s") from None
        picture = cv2.imread(str(folder / "shot.png"))
    if picture is None:
        raise BrowserFailed(f"chromium drew no picture (exit status {done.returncode}): {done.stderr.strip()[-200:]}")
    return np.asarray(picture[: size_wh_px[1], : size_wh_px[0]], np.uint8)
