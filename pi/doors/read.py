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

from pi.bare_felt import kept_felt
from pi.errors import BadSource
from pi.own_set_file import OwnSetFile
from pi.pictures import load_picture, picture_file
from pi.sheets.eyes import DICE, eyes_mat
from vision.empty_tray import felt_of
from vision.errors import BadBareFelt, BadCorners, BadOwnSet, PiecesOnFelt
from vision.geometry import Quad, quad
from vision.ground.bare_felt import BareFelt
from vision.layout import Expectation
from vision.mats.read import read_mat
from vision.options import apart
from vision.overlay import draw_reading
from vision.own_set import OwnSet
from vision.reader import read
from vision.reading import Reading
from vision.tray.landmarks import checked_corners
from vision.tray.rectify import Tray, tray_shown

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
    parser.add_argument(
        "--corners",
        type=four_corners,
        metavar="'X,Y X,Y X,Y X,Y'",
        help="the felt's four corners in the pictures' pixels, top left first, then clockwise: for a tray that shows"
        " neither markers nor its edge (default: they are found; four markers are more exact)",
    )
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FOLDER",
        help="a table's state folder: read with the set that was taught there (default: the shipped models)",
    )
    parser.add_argument(
        "--bare",
        metavar="PICTURE",
        help="the same tray with nothing on it: what is printed on its felt is then taken for no piece (default: what"
        " the table of --state keeps of its felt)",
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
    owner, bare = _taught_of(args), _bare_of(args)
    for name in args.pictures:
        picture = load_picture(name)
        tray = tray_at(picture, args.corners, name) if args.corners else None
        started = time.perf_counter()
        reading = _read(picture, args.expect, tray=tray, owner=owner, bare=bare)
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


def drawings(into: str, names: Sequence[str], *, ending: str = ".png") -> dict[str, Path]:
    """Return where each picture is drawn, see `vision.options.apart`."""
    return apart(Path(into), names, ending=ending)


def expected(text: str) -> str:
    """Return what to expect; raises ArgumentTypeError for what is neither a layout nor a printed mat."""
    if text in {x.value for x in Expectation} or text == RUN_BUSTER or eyes_mat(text) is not None:
        return text
    names = ", ".join((*(x.value for x in Expectation), RUN_BUSTER))
    raise argparse.ArgumentTypeError(f"{text!r} cannot be expected (expected {names}, or a mat like blob:8)")


def four_corners(text: str) -> Quad:
    """Return four points "x,y" parted by spaces; raises ArgumentTypeError for anything else."""
    try:
        points = [tuple(float(value) for value in point.split(",")) for point in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise argparse.ArgumentTypeError(f"{text!r} is not four corners (expected 'x,y x,y x,y x,y' in pixels)")
    return quad(np.array(points))


def tray_at(picture: np.ndarray, corners: Quad, name: str) -> Tray:
    """Return the tray that the corners span; raises BadSource where that is none in this picture."""
    try:
        checked_corners(corners, picture_wh=(picture.shape[1], picture.shape[0]))
    except BadCorners as no:
        raise BadSource(f"{no}, in {name}") from None
    return tray_shown(picture, corners)


def _bare_of(args: argparse.Namespace) -> BareFelt | None:
    """Return the felt that is known with nothing on it; None where none is. Raises BadSource for a picture of none."""
    if args.bare is None:
        return kept_felt(args.state) if args.state else None
    picture = load_picture(args.bare)
    tray = tray_at(picture, args.corners, args.bare) if args.corners else None
    try:
        return _felt_of(picture, tray, args.bare)
    except BadBareFelt as no:
        raise BadSource(f"{no}, in {args.bare}") from None


def _felt_of(picture: np.ndarray, tray: Tray | None, name: str) -> BareFelt:
    """Return the felt in a picture; say where something looks like a piece there: who asked may have looked."""
    try:
        return felt_of(picture, tray)
    except PiecesOnFelt as no:
        print(f"feltside: taken for a print: {no}, in {name}", file=sys.stderr)
        return felt_of(picture, tray, printed=True)


def _taught_of(args: argparse.Namespace) -> OwnSet | None:
    """Return the set that was taught at a table; None where no table is named.

    Raises BadSource where none is in force there, or it is damaged; but for a table that keeps its felt, and no set.
    """
    if args.state is None:
        return None
    return None if kept_felt(args.state) and not OwnSetFile(args.state).path.exists() else _taught(args.state)


def _taught(state: Path) -> OwnSet:
    """Return the set that was taught at a table; raises BadSource where none is in force, or it is damaged."""
    try:
        own = OwnSetFile(state).load()
    except BadOwnSet as no:
        raise BadSource(f"{no}, in {state}") from None
    if own is None:
        raise BadSource(f"no set is taught (expected one in force, see `feltside teach`), in {state}")
    return own


def _read(
    picture: np.ndarray, expect: str, *, tray: Tray | None, owner: OwnSet | None, bare: BareFelt | None
) -> Reading:
    mat = eyes_mat(DICE if expect == RUN_BUSTER else expect) if expect != DICE else None
    if mat is None:
        return read(picture, expect=expect, tray=tray, owner=owner, bare=bare)
    if tray is not None:
        raise BadSource(f"a mat lies where its printed markers say (expected no --corners), for {expect}")
    return read_mat(picture, mat)


def as_line(name: str, reading: Reading, milliseconds: float) -> dict[str, Any]:
    """Return the JSON object of one picture.

    `status` is read (every piece is sure), unsure, busy, no-tray or empty; corners run clockwise from the
    tile's own top left, in the picture's pixels; rows and columns count from 0 (diamond: in its widest row). Of a
    mat `places` holds every place, from 0, with what lies on it ("empty", "dark" and "light", "first" and "second"),
    and `strays` what lies on none. `unread`, only where there is any, outlines what was not read, or may be missing.
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
