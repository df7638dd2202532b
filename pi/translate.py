"""vision's Reading -> the rules' Tray: symbols, places and confidences; nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pi.rules import commands, vouching
from pi.rules.commands import ReadTray
from pi.rules.events import SeenTile, Tray
from pi.rules.seen import ReadDice, ReadMat, SeenDie, SeenMatDie, SeenPlace, SeenStray
from pi.rules.values import DOWN
from pi.stand_ins.mats import mat_of, zone_at
from vision.geometry import transform
from vision.reading import DieReading, DiskReading, PlaceReading, Point, Problem, Reading, Status, TileReading
from vision.tray.rectify import felt_from_px

LIKELY_KEPT = 4
"""How many alternatives a tile carries into the journal."""
LIKELY_LEAST = 0.001
"""Alternatives less probable than this are not worth a button."""


def tray_of(reading: Reading, *, frame: str, source: str = "camera") -> Tray:
    """Return the tray that a reading claims.

    frame: name of the evidence. A tile face down becomes '?'; places without a tile are simply not there,
    and the rules say what is missing.
    """
    placed, tiles = Problem.LAYOUT not in reading.problems, tuple(seen(tile) for tile in reading.tiles)
    return Tray(tiles, frame, source, placed, doubt_of(reading), marks_of(reading))


def doubt_of(reading: Reading) -> tuple[str, ...]:
    """Return what of a reading that is not sure no single unsure tile stands for; () where these tell all."""
    if reading.status is Status.READ:
        return ()
    asked, problems = any(not tile.sure for tile in reading.tiles), reading.problems
    doubts = {
        vouching.COUNT: Problem.COUNT in problems or bool(reading.unread),
        vouching.LAYOUT: Problem.LAYOUT in problems,
        vouching.SET: Problem.SET in problems and not asked,  # which number lies there twice, an answer tells
        vouching.UNSEEN: reading.unseen,
        vouching.BESIDE: not _all_sure(reading.disks, reading.dice),
    }
    found = tuple(name for name, holds in doubts.items() if holds)
    return found if found or asked else (vouching.OTHER,)


def _all_sure(*pieces: Iterable[DieReading | DiskReading | PlaceReading]) -> bool:
    return all(piece.sure for several in pieces for piece in several)


def marks_of(reading: Reading) -> tuple[Point, ...]:
    """Return where things lie that were not read, in millimetres of the felt."""
    if reading.tray is None:
        return ()
    middles = [(sum(x for x, _ in o) / len(o), sum(y for _, y in o) / len(o)) for o in reading.unread if o]
    return tuple((round(x, 1), round(y, 1)) for x, y in (_on_felt(reading, middle) for middle in middles))


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
    strange = bool(reading.problems & (Problem.COUNT | Problem.LAYOUT)) or _else_unsure(reading)
    dice = tuple(_seen_die(reading, die) for die in reading.dice)
    return ReadDice(dice, frame, strange=strange, unseen=reading.unseen)


def _else_unsure(reading: Reading) -> bool:
    """Tell whether a reading is not sure for another reason than its pieces, strays and glares, which are told."""
    told = not _all_sure(reading.dice, reading.places) or bool(reading.strays) or reading.unseen
    return reading.status is Status.UNSURE and not told


def _seen_die(reading: Reading, die: DieReading) -> SeenDie:
    return SeenDie(zone_at(*_on_felt(reading, die.centre)), die.value, bool(die.sure), faces_of(die))


def faces_of(die: DieReading) -> tuple[tuple[int, float], ...]:
    """Return the faces that an unsure die may show; () for a sure one, of which there is nothing to ask."""
    if die.sure:
        return ()
    likely = die.likely or ((die.value, float(die.confidence)),)
    return tuple((int(face), round(float(chance), 4)) for face, chance in likely if chance >= LIKELY_LEAST)


def _on_felt(reading: Reading, point: Point) -> Point:
    """Return a point of the picture in millimetres of the felt; whatever was read lies on a tray."""
    assert reading.tray is not None
    ((x, y),) = transform([point], felt_from_px(reading.tray))
    return float(x), float(y)


def mat_read(reading: Reading, *, frame: str) -> ReadMat:
    """Return a mat's places, what lies beside them, and the dice in the roll zones."""
    mat = mat_of(reading.expected or "")
    places = tuple(
        SeenPlace(
            place.place,
            place.holds,
            bool(place.sure),
            () if place.sure else tuple((holds, round(float(p), 4)) for holds, p in place.likely if p >= LIKELY_LEAST),
        )
        for place in reading.places
    )
    strays = tuple(SeenStray(stray.near) for stray in reading.strays)
    dice = []
    for die in reading.dice:
        x, y = _on_felt(reading, die.centre)
        # One that lies in no zone is kept too: the rules number dice as the evidence does.
        player = zone_at(x, y, zones=mat.rolls if mat else ())
        at = round(x, 1), round(y, 1)
        dice.append(SeenMatDie(player, die.value, at, bool(die.sure), faces_of(die)))
    strange = bool(reading.problems & Problem.COUNT) or bool(reading.unread) or _else_unsure(reading)
    return ReadMat(reading.expected or "", places, strays, tuple(dice), frame, strange=strange, unseen=reading.unseen)


def read_dice(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command with which the watcher hands settled dice in."""
    return commands.encode(dice_of(reading, frame=frame))


def handed_in(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command for whatever was read: a mat, dice or tiles."""
    if reading.places:
        return commands.encode(mat_read(reading, frame=frame))
    return (read_dice if reading.expected == "dice" else read_tray)(reading, frame=frame)


def read_tray(reading: Reading, *, frame: str) -> dict[str, Any]:
    """Return the command with which the watcher hands a settled reading in, as it goes over the wire."""
    return commands.encode(ReadTray(tray_of(reading, frame=frame)))
