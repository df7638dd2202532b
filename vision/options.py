"""Numbers on the command line, and progress on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

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


def say_progress(what: str, done: int, total: int) -> None:
    """Write how many of how many are done over what was written before; a new line after the last."""
    print(f"\r{done}/{total} {what}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def one_by_one(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield items, and say after each how many of them are done."""
    for done, item in enumerate(items, 1):
        yield item
        say_progress(what, done, len(items))
