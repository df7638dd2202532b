"""Text from files or standard input, with one clear sentence when that fails."""

from __future__ import annotations

import sys
from pathlib import Path

from pi.errors import BadSource


def read_text(name: str) -> str:
    """Return the text of a file, or of standard input for '-'; raises BadSource, for a name that is empty, too."""
    if not name:
        raise BadSource("a name is empty (expected a file's, or - for standard input)")
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        said = "standard input" if name == "-" else name
        raise BadSource(f"{said} is not text (expected UTF-8)") from None
    except OSError as no:
        raise BadSource(f"{name} cannot be read: {no.strerror}") from None
