"""What an owner has taught: crops of their tiles and dice, colours with names, and what was fitted to them.

Plain values; `vision.teach` makes them, `vision.crops.symbols` and `vision.crops.faces` ask `Head` what it thinks of a
crop. The crops are kept, so that the fit can be made again when the shipped nets change.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops.faces import FACES, SIDE
from vision.crops.faces import MODEL as FACES_MODEL
from vision.crops.head import Head
from vision.crops.symbols import CROP_WH
from vision.crops.symbols import MODEL as SYMBOLS_MODEL
from vision.errors import BadOwnSet
from vision.reading import SYMBOLS

Bytes = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

VERSION = 1
MOST_BYTES = 20_000_000
"""A file larger than this is none of ours."""
MOST_CROPS = 2000
DAMAGED = (
    KeyError, ValueError, TypeError, OSError, EOFError, IndexError, OverflowError, NotImplementedError, RuntimeError,
    MemoryError, SyntaxError, AttributeError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
"""What NumPy and its unpacker raise over rubbish."""
MOST_COLOURS = 12
MOST_CHARACTERS = 200
"""Of a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """Pieces of one kind with what their owner says they are. All arrays of one length n."""

    crops: Bytes
    """(n, h, w, 3) as the nets get them."""
    shows: Bytes
    """(n,) index into SYMBOLS for tiles, into FACES for dice."""
    colour: Bytes
    """(n,) index into `names`."""
    names: tuple[str, ...]
    """Plain names of the colours."""
    body_bgr: Floats32
    """(len(names), 3) what the bodies would look like under white light, 0..255."""
    ink_bgr: Floats32
    """(len(names), 3) the ink."""
    by_ink: bool
    """The colour is in the ink: all bodies are alike."""
    doubts: tuple[str, ...] = ()
    """What the eye doubted when these were taught, and their owner insisted on: a sentence each."""

    def __len__(self) -> int:
        """Return how many pieces were taught."""
        return len(self.crops)

    @property
    def palette(self) -> dict[str, tuple[tuple[float, float, float], ...]]:
        """Return each name with what it looks like, red green blue 0..255, as `vision.colour.colour_names` wants it."""
        bgr = self.ink_bgr if self.by_ink else self.body_bgr
        return {name: ((float(r), float(g), float(b)),) for name, (b, g, r) in zip(self.names, bgr, strict=True)}


@dataclass(frozen=True, slots=True, eq=False)
class OwnSet:
    """One owner's set."""

    made: str
    """The day it was taught, ISO 8601, for people."""
    tiles: Taught | None = None
    dice: Taught | None = None
    strays: Bytes = field(default_factory=lambda: np.zeros((0, CROP_WH[1], CROP_WH[0], 3), np.uint8))
    """(m, 48, 40, 3) what is no tile in the pictures that taught: felt, seams."""
    tile_head: Head | None = None
    """None until fitted, and where no tiles were taught."""
    die_head: Head | None = None

    @property
    def doubts(self) -> tuple[str, ...]:
        """Return what the eye doubted, and the owner insisted on, of tiles and dice: a sentence each."""
        return tuple(doubt for kind in (self.tiles, self.dice) if kind is not None for doubt in kind.doubts)

    @property
    def fitted(self) -> bool:
        """Return whether the heads fit the nets that are shipped now."""
        tiles = self.tiles is None or (self.tile_head is not None and self.tile_head.net == net_mark(SYMBOLS_MODEL))
        dice = self.dice is None or (self.die_head is not None and self.die_head.net == net_mark(FACES_MODEL))
        return tiles and dice


@lru_cache(maxsize=8)
def net_mark(path: Path) -> str:
    """Return what tells one version of a shipped net from another; empty where the file is missing."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:32] if path.is_file() else ""


def to_bytes(own: OwnSet) -> bytes:
    """Return the set as the bytes of a file (NumPy's .npz), some hundred kilobytes."""
    parts: dict[str, Any] = {"version": np.array(VERSION), "made": np.array(own.made), "strays": own.strays}
    for name, taught in (("tiles", own.tiles), ("dice", own.dice)):
        if taught is not None:
            fields = ("crops", "shows", "colour", "body_bgr", "ink_bgr")
            parts |= {f"{name}.{f}": getattr(taught, f) for f in fields}
            parts |= {f"{name}.names": np.array(taught.names), f"{name}.by_ink": np.array(taught.by_ink)}
            parts |= {f"{name}.doubts": np.array(taught.doubts)} if taught.doubts else {}
    for name, head in (("tile_head", own.tile_head), ("die_head", own.die_head)):
        if head is not None:
            parts |= {f"{name}.{f}": v for f, v in head.parts().items()}
    out = io.BytesIO()
    np.savez_compressed(out, **parts)
    return out.getvalue()


def from_bytes(data: bytes) -> OwnSet:
    """Return the set kept in a file's bytes; raises BadOwnSet for anything that `to_bytes` did not make."""
    if len(data) > MOST_BYTES:
        raise BadOwnSet(f"a taught set has at most {MOST_BYTES} bytes, got {len(data)}")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            parts = {name: kept[name] for name in kept.files}
        if int(parts["version"]) != VERSION:
            raise BadOwnSet(f"the taught set is of version {int(parts['version'])} (expected {VERSION})")
        own = OwnSet(
            made=str(parts["made"]),
            tiles=_taught(parts, "tiles", (CROP_WH[1], CROP_WH[0]), len(SYMBOLS)),
            dice=_taught(parts, "dice", (SIDE, SIDE), len(FACES)),
            strays=_sized(_checked(parts["strays"], np.uint8, (None, None, None, 3)), (CROP_WH[1], CROP_WH[0])),
            tile_head=_head(parts, "tile_head", len(SYMBOLS)),
            die_head=_head(parts, "die_head", len(FACES)),
        )
    except BadOwnSet:
        raise
    except DAMAGED as no:
        # What the unpacker says is for whoever wrote it: it goes along as the cause.
        raise BadOwnSet("the taught set is damaged (expected a file as teaching a set writes it)") from no
    if own.tiles is None and own.dice is None:
        raise BadOwnSet("the taught set holds neither tiles nor dice")
    return own


def _taught(parts: dict[str, Any], name: str, size: tuple[int, int], classes: int) -> Taught | None:
    if f"{name}.crops" not in parts:
        return None
    crops = _sized(_checked(parts[f"{name}.crops"], np.uint8, (None, None, None, 3)), size)
    n, names = len(crops), tuple(str(c) for c in parts[f"{name}.names"])
    if not 0 < n <= MOST_CROPS or not 0 < len(names) <= MOST_COLOURS or len(set(names)) < len(names):
        raise BadOwnSet(f"the taught set has {n} {name} of {len(names)} colours: that cannot be")
    shows = _checked(parts[f"{name}.shows"], np.uint8, (n,))
    colour = _checked(parts[f"{name}.colour"], np.uint8, (n,))
    if shows.max() >= classes or colour.max() >= len(names):
        raise BadOwnSet(f"the taught set's {name} show what there is not")
    return Taught(
        crops,
        shows,
        colour,
        names,
        _checked(parts[f"{name}.body_bgr"], np.float32, (len(names), 3)),
        _checked(parts[f"{name}.ink_bgr"], np.float32, (len(names), 3)),
        bool(parts[f"{name}.by_ink"]),
        _sentences(parts.get(f"{name}.doubts", ())),
    )


def _sentences(kept: Any) -> tuple[str, ...]:
    """Return sentences for people as kept; sets of before 2026-12 have none."""
    said = tuple(str(sentence) for sentence in kept)
    if len(said) > MOST_CROPS or not all(len(s) <= MOST_CHARACTERS and s.isprintable() for s in said):
        raise BadOwnSet(f"the taught set has {len(said)} sentences of what was doubted that cannot be ours")
    return said


def _sized(crops: Any, size: tuple[int, int]) -> Bytes:
    """Return crops (n, h, w, 3) as the nets of today want them: those taught for earlier ones may be smaller."""
    if crops.shape[1:3] == size:
        return np.asarray(crops)
    if not all(8 <= n <= 256 for n in crops.shape[1:3]):
        raise BadOwnSet(f"the taught set holds crops of {crops.shape[1]} x {crops.shape[2]} pixels: that cannot be")
    out = np.zeros((len(crops), *size, 3), np.uint8)
    for k, crop in enumerate(crops):
        out[k] = cv2.resize(crop, size[::-1], interpolation=cv2.INTER_LINEAR)
    return out


def _head(parts: dict[str, Any], name: str, classes: int) -> Head | None:
    if f"{name}.weights" not in parts:
        return None
    weights = parts[f"{name}.weights"]
    if weights.ndim != 2:
        raise BadOwnSet(f"{name} is damaged")
    features, outputs = weights.shape
    shows = tuple(int(c) for c in parts[f"{name}.shows"])
    if len(shows) + Head.OTHERS != outputs or not set(shows) <= set(range(classes)):
        raise BadOwnSet(f"{name} tells apart what there is not")
    return Head(
        shows=shows,
        middle=_checked(parts[f"{name}.middle"], np.float32, (features,)),
        weights=_checked(weights, np.float32, (features, outputs)),
        offset=_checked(parts[f"{name}.offset"], np.float32, (outputs,)),
        trust=float(parts[f"{name}.trust"]),
        floor=float(parts[f"{name}.floor"]),
        net=str(parts[f"{name}.net"]),
    )


def _checked(array: Any, dtype: Any, shape: Sequence[int | None]) -> Any:
    """Return the array; raises BadOwnSet unless it is of this type and shape (None: any length) and finite."""
    fits = array.dtype == dtype and array.ndim == len(shape)
    if not fits or any(w is not None and w != h for w, h in zip(shape, array.shape, strict=True)):
        raise BadOwnSet(f"the taught set holds {array.dtype} of {array.shape} (expected {np.dtype(dtype)} of {shape})")
    if not np.isfinite(array).all():
        raise BadOwnSet("the taught set holds numbers that are none")
    return array
