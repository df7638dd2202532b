"""vision's Reading -> the rules' Tray: symbols, places and confidences; nothing is decided here."""

from __future__ import annotations

from typing import Any

from pi.rules import commands
from pi.rules.commands import ReadTray
from pi.rules.events import SeenTile, Tray
from pi.rules.values import DOWN
from vision.reading import Reading, TileReading

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


def read_tray(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command with which the watcher hands a settled reading in, as it goes over the wire."""
    return commands.encode(ReadTray(tray_of(reading, frame=frame)))
