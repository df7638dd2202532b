"""From the log of `filelog.c` to the disks that a power cut may leave.

The model is harsher than any real card that keeps its promises: what was synced is there; of what was not synced
since, any part may be there or not, in any order, torn at 512-byte sectors, with the file grown or not; names that
were made, changed or removed are certain only when their folder was synced, and come true in their order.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
_HEAD = struct.Struct("<4scHHqq")


@dataclass(frozen=True, slots=True)
class Op:
    """One line of the log."""

    what: str
    path: str
    other: str
    offset: int
    data: bytes


def read_log(file: Path) -> list[Op]:
    """Return the log; a last record that was cut short is left out."""
    raw, at, found = file.read_bytes(), 0, []
    while at + _HEAD.size <= len(raw):
        magic, what, a, b, offset, length = _HEAD.unpack_from(raw, at)
        assert magic == b"FLOG", f"no record at byte {at}"
        body = at + _HEAD.size
        end = body + a + b + length
        if end > len(raw):
            break
        path, other = raw[body : body + a].decode(), raw[body + a : body + a + b].decode()
        found.append(Op(what.decode(), path, other, offset, raw[body + a + b : end]))
        at = end
    return found


@dataclass(slots=True)
class Inode:
    """A file's content: what is certain, and what was done since the last sync."""

    synced: bytes = b""
    since: list[Op] = field(default_factory=list)

    def after(self, ops: Sequence[Op]) -> bytes:
        """Return the content after some operations."""
        data = bytearray(self.synced)
        for op in ops:
            if op.what == "T":
                data = data[: op.offset] + bytes(max(0, op.offset - len(data)))
            else:
                data += bytes(max(0, op.offset - len(data)))
                data[op.offset : op.offset + len(op.data)] = op.data
        return bytes(data)


Change = tuple[str, tuple[tuple[str, "Inode | None"], ...]]
"""(folder, what changes at once: a name and its inode, None for gone)."""


class Disk:
    """What a folder's disk may hold, followed along a log."""

    def __init__(self, folder: Path) -> None:
        """Begin with what lies in the folder: all of it is certain."""
        self._root = str(folder)
        self._names = {str(p): Inode(p.read_bytes()) for p in folder.rglob("*") if _kept(p)}
        self._certain = dict(self._names)
        self._changes: list[Change] = []
        """Of names, since their folder was synced."""

    def do(self, op: Op) -> None:
        """Follow one operation."""
        match op.what:
            case "C":
                self._name((op.path, Inode()))
            case "U":
                self._name((op.path, None))
            case "R":
                self._name((op.other, self._names[op.path]), (op.path, None))
            case "S" if op.path in self._names:
                inode = self._names[op.path]
                inode.synced, inode.since = inode.after(inode.since), []
            case "S":
                settled = [change for change in self._changes if change[0] == op.path]
                self._changes = [change for change in self._changes if change[0] != op.path]
                _settle(self._certain, settled)
            case "W" | "T" if op.path in self._names:
                self._names[op.path].since.append(op)

    def left(self, chance: random.Random, *, harsh: float) -> dict[str, bytes]:
        """Return one possible disk: path -> content. harsh: 0 keeps everything (a killed process), 1 does its worst."""
        names = dict(self._certain)
        count = len(self._changes)
        _settle(names, self._changes[: count if chance.random() >= harsh else chance.randint(0, count)])
        return {path: inode.after(_survivors(inode.since, chance, harsh=harsh)) for path, inode in names.items()}

    def _name(self, *changes: tuple[str, Inode | None]) -> None:
        _settle(self._names, [("", changes)])
        self._changes.append((changes[0][0].rpartition("/")[0], changes))


def _settle(names: dict[str, Inode], changes: Sequence[Change]) -> None:
    for _, together in changes:
        for path, inode in together:
            if inode is None:
                names.pop(path, None)
            else:
                names[path] = inode


def _kept(path: Path) -> bool:
    return path.is_file() and not path.name.endswith("-shm")


def _survivors(since: Sequence[Op], chance: random.Random, *, harsh: float) -> list[Op]:
    if chance.random() >= harsh:
        return list(since)
    match chance.randrange(4):
        case 0:
            return []
        case 1:  # in order, the last one torn
            kept = list(since[: chance.randint(0, len(since))])
            return kept[:-1] + list(_torn(kept[-1], chance)) if kept else kept
        case 2:  # any of them
            return [op for op in since if chance.random() < 0.5]
    return [part for op in since for part in (_torn(op, chance) if chance.random() < 0.7 else (op,))]


def _torn(op: Op, chance: random.Random) -> Iterator[Op]:
    if op.what != "W":
        if chance.random() < 0.5:
            yield op
        return
    # Sectors of the disk, not of the write: they begin at multiples of 512 in the file.
    cuts = [0, *range(SECTOR - op.offset % SECTOR, len(op.data), SECTOR), len(op.data)]
    for start, end in zip(cuts, cuts[1:], strict=False):
        if chance.random() < 0.5:
            yield Op("W", op.path, "", op.offset + start, op.data[start:end])


def lay(image: dict[str, bytes], *, of: Path, to: Path, chance: random.Random) -> None:
    """Write a possible disk into a folder, with rubbish for SQLite's shared memory, which nobody ever syncs."""
    for path, data in image.items():
        target = to / Path(path).relative_to(of)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    if (to / "feltside.sqlite").exists() and chance.random() < 0.5:
        (to / "feltside.sqlite-shm").write_bytes(chance.randbytes(32768))
