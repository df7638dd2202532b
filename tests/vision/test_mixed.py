"""Four rows of ten with colours mixed, as solitaire quests are laid (RULES.md 1): read like any other layout."""

from __future__ import annotations

import random

import numpy as np

from vision.drawing import Look, scene_for_layout
from vision.drawing.stage import Stage
from vision.reader import read
from vision.reading import Status


def test_forty_tiles_with_mixed_colours_are_read_with_their_colours():
    deck = [f"{colour}:{number}" for colour in ("red", "blue", "green", "yellow") for number in "0123456789"]
    random.Random(4).shuffle(deck)
    scene = scene_for_layout([deck[n : n + 10] for n in range(0, 40, 10)], layout="mixed", seed=4)
    picture = Stage(scene, Look.plain()).frame(rng=np.random.default_rng(4)).picture_bgr
    seen = read(picture, expect="mixed")
    assert seen.status is Status.READ
    tiles = sorted(seen.tiles, key=lambda tile: (tile.row, tile.column))
    assert [tile.symbol for tile in tiles] == [card.split(":")[1] for card in deck]
    colours: dict[str, set[str]] = {}
    for card, tile in zip(deck, tiles, strict=True):
        colours.setdefault(card.split(":")[0], set()).add(tile.colour)
    assert sorted(len(names) for names in colours.values()) == [1, 1, 1, 1], "tiles of one colour get one name"
    assert len(set.union(*colours.values())) == 4, "four sets get four names"
