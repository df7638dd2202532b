"""What vision refuses, and why: one small family, each with a builtin parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Outline = tuple[tuple[float, float], ...]
"""Corners of something in a picture, in its pixels."""


class Spot(NamedTuple):
    """Where to look."""

    picture: int
    """Its number, from 1."""
    outline: Outline
    among: Outline
    """Around everything that lies in that picture."""


class VisionError(Exception):
    """Parent of everything vision raises on purpose."""


class BadPicture(VisionError, ValueError):
    """Raised when an array is not a colour picture (uint8, height x width x 3, blue green red)."""


class UnknownExpectation(VisionError, ValueError):
    """Raised when a text names no layout that vision can read."""


class BadCorners(VisionError, ValueError):
    """Raised when four given corners span no tray."""


class TurnedCorners(BadCorners):
    """Raised when four given corners span a tray, but begin at another corner than its top left one."""


class BadLabels(VisionError, ValueError):
    """Raised when a label file is not in the form that evaluation reads."""


class BadFolder(VisionError, OSError):
    """Raised when a folder cannot be written in."""


class BadScene(VisionError, ValueError):
    """Raised when a scene to be drawn holds what no tray can hold."""


class BadModel(VisionError, RuntimeError):
    """Raised when a shipped model is missing or does not fit this program."""


class BadBareFelt(VisionError, ValueError):
    """Raised when a picture shows no bare felt to be known again, and when what is kept of one is damaged."""


class PiecesOnFelt(BadBareFelt):
    """Raised when a felt that should be bare shows what looks like pieces; carries where, in the picture's pixels."""

    def __init__(self, words: str, outlines: Sequence[Sequence[tuple[float, float]]]) -> None:
        """Take the sentence, and four corners for each."""
        super().__init__(words)
        self.outlines = tuple(outlines)


class BadOwnSet(VisionError, ValueError):
    """Raised when what is kept of a taught set is damaged or of another version."""


class CannotLearn(VisionError, ValueError):
    """Raised when pictures do not show what their owner says they show; the sentence names the tile."""


class DoubtedLesson(CannotLearn):
    """Raised when pieces do not look like what their owner says; who has looked again may insist (`Lesson.as_said`)."""

    def __init__(self, sentence: str, *, doubts: tuple[str, ...], where: tuple[Spot, ...]) -> None:
        """Keep all that is doubted.

        sentence: of the first. doubts: a sentence each. where: each of them lies.
        """
        super().__init__(sentence)
        self.doubts, self.where = doubts, where

    @property
    def advice(self) -> str:
        """Return what to do, where what is doubted is told beside it."""
        return str(self).partition(": ")[2]

    @property
    def pictures(self) -> tuple[int, ...]:
        """Return the pictures, from 1, in which something is doubted."""
        return tuple(sorted({spot.picture for spot in self.where}))
