"""On disk, whatever becomes of the power.

A file that was written is in memory until somebody asks for it to be stored; and a new, moved or removed name is kept
by its folder, not by the file: a rename (rename(2)) lasts through a power cut only once the folder has been stored as
well (fsync(2), which says so of a file's entry in its directory).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def sync(path: Path) -> None:
    """Return when a file's contents, or a folder's names, are on disk; raises OSError when they cannot be."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file by what is on disk already; the name lasts once its folder is stored, too."""
    draft = path.with_suffix(".part")
    draft.write_bytes(data)
    sync(draft)
    draft.replace(path)


def write_json(path: Path, data: Any) -> None:
    """Replace a file at once: readers see the old one or the new one. It lasts once its folder is stored, too."""
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(data), "utf-8")
    draft.replace(path)
