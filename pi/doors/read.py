"""`feltside read`: pictures of a tray in, one JSON object a line out (the contract in full: `as_line`)."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi.errors import BadSource
from pi.pictures import load_picture, picture_file
from pi.sheets.eyes import DICE, eyes_mat
from vision.layout import Expectation
from vision.mats.read import read_mat
from vision.options import apart
from vision.overlay import draw_reading
from vision.reader import read
from vision.reading import Reading

RUN_BUSTER = "run-buster"
"""Run Buster's mat, whose dice lie in zones; `dice` are read on the bare felt."""

PICTURES = {".png", ".jpg", ".jpeg"}
"""How names of pictures end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside read`."""
    parser.add_argument(
        "--expect",
        type=expected,
        default="auto",
        metavar="WHAT",
        help=f"what lies on the tray: {', '.join(x.value for x in Expectation)}, or a printed mat as its game "
        "names it: run-buster, blob:8, palindromes:16, runaround:20 (default: auto)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line (the default and only form)")
    parser.add_argument(
        "--draw", type=folder, metavar="FOLDER", help="also write each picture there, with the reading drawn over it"
    )
    parser.add_argument("pictures", nargs="+", metavar="PICTURE", help="JPEG or PNG, a camera's view of the tray")


def run(args: argparse.Namespace) -> int:
    """Read every picture; a missing one is said before any is read."""
    for name in args.pictures:
        picture_file(name)
    drawn = drawings(args.draw, args.pictures) if args.draw else {}
    for name in args.pictures:
        picture = load_picture(name)
        started = time.perf_counter()
        reading = _read(picture, args.expect)
        print(json.dumps(as_line(name, reading, (time.perf_counter() - started) * 1e3)), flush=True)
        if args.draw:
            save_picture(drawn[name], draw_reading(picture, reading))
    return 0


def folder(text: str) -> str:
    """Return a folder's name; raises ArgumentTypeError for that of a picture, or of any other file, which are none."""
    if Path(text).suffix.lower() in PICTURES:
        raise argparse.ArgumentTypeError(f"{text} is a picture's name (expected a folder, in which pictures are drawn)")
    if os.path.exists(text) and not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"{text} is a file (expected a folder, in which pictures are drawn)")
    return text


def drawings(into: str, names: Sequence[str]) -> dict[str, Path]:
    """Return where each picture is drawn, see `vision.options.apart`."""
    return apart(Path(into), names, ending=".png")


def expected(text: str) -> str:
    """Return what to expect; raises ArgumentTypeError for what is neither a layout nor a printed mat."""
    if text in {x.value for x in Expectation} or text == RUN_BUSTER or eyes_mat(text) is not None:
        return text
    names = ", ".join((*(x.value for x in Expectation), RUN_BUSTER))
    raise argparse.ArgumentTypeError(f"{text!r} cannot be expected (expected {names}, or a mat like blob:8)")


def _read(picture: np.ndarray, expect: str) -> Reading:
    mat = eyes_mat(DICE if expect == RUN_BUSTER else expect) if expect != DICE else None
    return read(picture, expect=expect) if mat is None else read_mat(picture, mat)


def as_line(name: str, reading: Reading, milliseconds: float) -> dict[str, Any]:
    """Return the JSON object of one picture.

    `status` is read (every piece is sure), unsure, busy, no-tray or empty; corners run clockwise from the
    tile's own top left, in the picture's pixels; rows and columns count from 0 (diamond: in its widest row). Of a
    mat `places` holds every place, from 0, with what lies on it ("empty", "dark" and "light", "first" and "second"),
    and `strays` what lies on none.
    """
    return {"picture": name, **reading.as_json(), "milliseconds": round(milliseconds, 1)}


def save_picture(path: Path, picture_bgr: np.ndarray) -> None:
    """Write a picture, making its folder; raises BadSource when that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(path.suffix, picture_bgr)[1].tobytes())
    except OSError as no:
        raise BadSource(f"{path} cannot be written: {no.strerror}") from None
    print(f"drawn: {path}", file=sys.stderr)
