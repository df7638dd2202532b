"""Numbers and folders on the command line, and progress on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from vision.errors import BadFolder

Item = TypeVar("Item")


def at_least(least: int) -> Callable[[str], int]:
    """Return what argparse turns a text into a whole number with, of at least so much; it says so of all others."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        return value

    return number


def share(text: str) -> float:
    """Return what argparse turns a text into a share with, above 0 and below 1; it says so of all others."""
    return _above_zero(text, below=1.0, wanted="between 0 and 1")


def above_zero(text: str) -> float:
    """Return what argparse turns a text into a finite number above 0 with; it says so of all others."""
    return _above_zero(text, below=float("inf"), wanted="above 0")


def _above_zero(text: str, *, below: float, wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < below:
        raise argparse.ArgumentTypeError(f"{text!r} is no number {wanted}")
    return value


def folder_to_read(folder: Path) -> Path:
    """Return a folder that is there; raises BadFolder for any other."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "is not there"
        raise BadFolder(f"{folder}: {what} (expected a folder)")
    return folder


def folder_to_write(folder: Path) -> Path:
    """Return a folder that is there now, and may be written in; raises BadFolder for any other."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadFolder(f"{folder}: {problem.strerror} (expected a folder to write in)") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadFolder(f"{folder}: may not be written (expected a folder to write in)")
    return folder


def apart(into: Path, names: Sequence[str], *, ending: str) -> dict[str, Path]:
    """Return where in a folder each picture is drawn: those of one name, from several folders, are numbered.

    names: of the pictures' files. ending: of what is drawn, ".png" say. Never over one of the pictures themselves,
    which may lie in that folder.
    """
    found, kept = dict[str, Path](), {Path(name).resolve() for name in names}
    for name in dict.fromkeys(names):
        path, number = into / f"{Path(name).stem}{ending}", 2
        while path in found.values() or path.resolve() in kept:
            path, number = path.with_name(f"{Path(name).stem}-{number}{ending}"), number + 1
        found[name] = path
    return found


def say_progress(what: str, done: int, total: int) -> None:
    """Write how many of how many are done over what was written before; a new line after the last."""
    print(f"\r{done}/{total} {what}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def one_by_one(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield items, and say after each how many of them are done."""
    for done, item in enumerate(items, 1):
        yield item
        say_progress(what, done, len(items))
