"""vision's Reading -> the rules' Tray: symbols, places and confidences; nothing is decided here."""

from __future__ import annotations

from typing import Any

import numpy as np

from pi.rules import commands
from pi.rules.commands import ReadTray
from pi.rules.events import SeenTile, Tray
from pi.rules.games.run_buster import ReadDice, SeenDie
from pi.rules.values import DOWN, Seat
from pi.stand_ins.mats import TRAY_MM, zone_at
from vision.geometry import homography4, rectangle, transform
from vision.reading import Point, Reading, TileReading

LIKELY_KEPT = 4
"""How many alternatives a tile carries into the journal."""
LIKELY_LEAST = 0.001
"""Alternatives less probable than this are not worth a button."""


def tray_of(reading: Reading, *, frame: str, source: str = "camera") -> Tray:
    """Return the tray that a reading claims.

    frame: name of the evidence. A tile face down becomes '?'; places without a tile are simply not there,
    and the rules say what is missing.
    """
    return Tray(tuple(seen(tile) for tile in reading.tiles), frame, source)


def seen(tile: TileReading) -> SeenTile:
    """Return one tile in the rules' words."""
    return SeenTile(
        row=tile.row,
        column=tile.column,
        symbol=symbol_of(tile.symbol),
        colour=tile.colour,
        confidence=round(float(tile.confidence), 6),
        sure=bool(tile.sure),
        likely=tuple(
            (symbol_of(symbol), round(float(chance), 4))
            for symbol, chance in tile.likely[:LIKELY_KEPT]
            if chance >= LIKELY_LEAST
        ),
    )


def symbol_of(symbol: str) -> str:
    """Return vision's symbol as the rules write it ("down" is '?')."""
    return DOWN if symbol == "down" else symbol


def dice_of(reading: Reading, *, frame: str) -> ReadDice:
    """Return the dice with the zones of Run Buster's mat in which they lie.

    A die is placed by the middle of its top face; a die's height moves that by some millimetres away from
    below the camera, which the zones' margins take.
    """
    return ReadDice(
        tuple(
            SeenDie(Seat(zone_at(*_on_felt(reading, die.centre))), die.value, bool(die.sure)) for die in reading.dice
        ),
        frame,
    )


def _on_felt(reading: Reading, point: Point) -> Point:
    """Return a point of the picture in millimetres of the felt; whatever was read lies on a tray."""
    assert reading.tray is not None
    ((x, y),) = transform([point], homography4(np.array(reading.tray), rectangle(TRAY_MM)))
    return float(x), float(y)


def read_dice(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command with which the watcher hands settled dice in."""
    return commands.encode(dice_of(reading, frame=frame))


def handed_in(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command for whatever was read: dice or tiles."""
    return (read_dice if reading.expected == "dice" else read_tray)(reading, frame=frame)


def read_tray(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command with which the watcher hands a settled reading in, as it goes over the wire."""
    return commands.encode(ReadTray(tray_of(reading, frame=frame)))
