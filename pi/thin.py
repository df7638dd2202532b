"""Evidence makes room: the oldest pictures go before an event is ever refused.

Of each reading first the camera's whole picture goes, then the tray from above; what was read stays, it is small.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

LOG = logging.getLogger("feltside.thin")
STEP = 8_000_000
"""Bytes freed at a time."""
RESERVE = 100_000_000
"""Bytes of the card that pictures leave free for events."""
MOST = 1_000_000_000
"""Bytes that pictures may take altogether: some 3,000 readings (0.35 MB each, measured 2026-11-21)."""


def thin(folder: Path, *, wanted: int = STEP) -> bool:
    """Remove the oldest pictures of an evidence folder until `wanted` bytes are free; tell whether any went."""
    freed = 0
    for path in _oldest(folder):
        try:
            size = path.stat().st_size
            path.unlink()
        except OSError as no:
            LOG.warning("a picture could not be removed: %s", no.strerror)
            return freed > 0
        freed += size
        if freed >= wanted:
            break
    if freed:
        LOG.warning("%d bytes of the oldest pictures were removed to make room", freed)
    return freed > 0


def make_room(folder: Path, *, reserve: int = RESERVE, most: int = MOST) -> None:
    """Thin the pictures when the card has less than `reserve` bytes left, or they take more than `most`.

    Cheap enough to be called before each reading: there is one a round, and at most some 10,000 files.
    """
    if not folder.is_dir():
        return
    disk = os.statvfs(folder)
    short = reserve - disk.f_bavail * disk.f_frsize
    over = sum(entry.stat().st_size for entry in os.scandir(folder)) - most
    if (wanted := max(short, over)) > 0:
        thin(folder, wanted=max(wanted, STEP))


def _oldest(folder: Path) -> Iterator[Path]:
    """Yield pictures in the order in which they are given up. Names begin with the time they were taken."""
    if not folder.is_dir():
        return
    pictures = sorted(folder.glob("*.jpg"))
    half = pictures[: len(pictures) // 2] or pictures
    whole = [path for path in half if not path.name.endswith(".tray.jpg")]
    yield from whole
    yield from (path for path in pictures if path not in set(whole))
