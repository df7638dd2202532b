"""Programs of Debian's that paint for us."""

from __future__ import annotations

import shutil

from vision.errors import VisionError


def program(*names: str, missing: type[VisionError]) -> str:
    """Return where a program is, by the first of its names that is in the path; the first is its package's, too.

    Raises `missing` where it is not installed.
    """
    for name in names:
        if (found := shutil.which(name)) is not None:
            return found
    raise missing(f"{names[0]} is not installed (expected the program of Debian's package {names[0]} in the path)")
