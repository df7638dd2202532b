"""A look into SQLite's write-ahead log, to tell a torn last write from damage further up.

On opening, SQLite takes the log up to the first frame whose checksum fails and forgets the rest without a
word. After a crash that is right: only the last transaction can be torn, and nobody was told of it. But a
page that went bad further up would take acknowledged transactions with it. Format: sqlite.org/fileformat2,
"The Write-Ahead Log".
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER, _FRAME = 32, 24
_BIG_ENDIAN = 0x377F0683
_MAGICS = (0x377F0682, _BIG_ENDIAN)
Sums = tuple[int, int]


def lost_commits(path: Path) -> bool:
    """Tell whether SQLite would drop a transaction from this log that was certainly synced.

    A transaction is certainly synced when a later one was begun. False when there is no log, or a whole
    one, or one of which only the last transaction is torn.
    """
    try:
        log = path.read_bytes()
    except FileNotFoundError:
        return False
    if len(log) < _HEADER:
        return False
    magic, _, page, _, *salts = struct.unpack(">6I", log[:24])
    order = ">" if magic == _BIG_ENDIAN else "<"
    whole_header = magic in _MAGICS and 512 <= page <= 65536 and not page & (page - 1)
    if not whole_header or _sums(log[:24], (0, 0), order) != struct.unpack(">2I", log[24:32]):
        # SQLite ignores such a log whole. It is torn when it was being begun anew, all of it checkpointed
        # before; if it was damaged later, the journal's own note of the last acknowledged seq tells.
        return False
    return _lost_after_good(log, page, struct.pack(">2I", *salts), order)


def _lost_after_good(log: bytes, page: int, salts: bytes, order: str) -> bool:
    sums: Sums = struct.unpack(">2I", log[24:32])
    size, good, commits = _FRAME + page, True, 0
    for start in range(_HEADER, len(log) - size + 1, size):
        frame = log[start : start + size]
        if frame[8:16] != salts and good:
            return False  # frames of an earlier round of the log: the end of this one
        if good:
            sums = _sums(frame[_FRAME:], _sums(frame[:8], sums, order), order)
            good = sums == struct.unpack(">2I", frame[16:24])
        if not good and frame[8:16] == salts and frame[4:8] != b"\0\0\0\0":
            commits += 1
    return commits > 1


def _sums(data: bytes, start: Sums, order: str) -> Sums:
    """Return SQLite's running checksum over 8-byte steps."""
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for x, y in zip(words[::2], words[1::2], strict=True):
        one = (one + x + two) & 0xFFFFFFFF
        two = (two + y + one) & 0xFFFFFFFF
    return one, two
