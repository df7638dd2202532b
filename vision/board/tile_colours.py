"""What colours the tiles of a board have, in whatever light these lie: a row's own, or four that are mixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from vision import infer
from vision.board.arrange import Arrangement
from vision.board.certainty import by_piece
from vision.board.spots import Spots
from vision.board.tile_light import TileLight, at_an_edge, differ_smoothly, felt_agrees, light_on_tiles
from vision.colour import colours, mixed
from vision.colour.colour_names import Known
from vision.colour.paint import Paint
from vision.geometry import Bools, Floats, Ints
from vision.ground.felt import Felt
from vision.ground.white import Papers
from vision.layout import Layout
from vision.tray.rectify import Image, Tray

Names = Callable[..., colours.Colours]
"""`vision.colour.colours.name_colours`, with what is known already."""


@dataclass(frozen=True, slots=True)
class Namer:
    """What is known of a picture before anything is known of the board in it."""

    picture_bgr: Image
    tray: Tray
    ground: Felt
    known: Known | None
    """The colours of the owner's set; None where nobody taught them."""
    in_rows: bool
    """Each row is said to have a colour of its own, so that a tile's is held against its row's..."""
    even: bool
    """... if light is as even as felt and papers show, or bodies, all alike, tell how it falls on each."""
    papers: Papers

    def name(self, paint: Paint, tiles: Spots, places: Arrangement, layout: Layout, *, down: Bools) -> colours.Colours:
        """Return the colours: a row's own in `rows`, but for misplaced tiles, four mixed ones elsewhere.

        down: (n,) which tiles lie face down.
        """
        row = by_piece(places.row, places, len(down), otherwise=-1) if layout.row_colours else None
        by_ink = None if self.known is None else self.known.by_ink
        light = self._light(paint, tiles, ~down, row, by_ink=by_ink)
        if light is not None:
            paint = paint.in_more_light(light.gain)
        name_of = partial(
            colours.name_colours,
            white_bgr=self._white(paint, tiles, light),
            known=self.known,
            by_ink=True if light is not None and light.one_material else None,
        )
        if layout.row_colours:
            return self._of_rows(paint, tiles, rows_of(places), down, light, name_of)
        return self._mixed(paint, tiles, down, light, name_of)

    def _of_rows(
        self, paint: Paint, tiles: Spots, rows: list[list[int]], down: Bools, light: TileLight | None, name_of: Names
    ) -> colours.Colours:
        numbers, alike = None, light is not None and light.one_material
        if self.in_rows and (self.even or alike):
            numbers = tiles.log_probs.argmax(axis=1)
            if light is not None:
                numbers = np.where(at_an_edge(self.picture_bgr, tiles.quads_px), infer.DOWN, numbers)
        visible = ~down
        if down.any() and not alike and colours.backs_show_colour(paint, rows, down):
            visible = np.ones_like(down)
        return name_of(paint, open_tiles=visible, groups=rows, numbers=numbers)

    def _mixed(
        self, paint: Paint, tiles: Spots, down: Bools, light: TileLight | None, name_of: Names
    ) -> colours.Colours:
        n, shown = int((~down).sum()), tiles.log_probs.argmax(axis=1)
        sizes = [10, 10, 10, 10 + n - 40] if n in (40, 41) else None
        name_of = partial(name_of, open_tiles=~down, groups=None, sizes=sizes, numbers=shown, at=tiles.centre_mm)
        found = name_of(paint)
        if light is None:
            found = self._in_light_of_groups(paint, tiles, found, name_of)
            taught = self.known is not None
            if found.by_ink or taught or not differ_smoothly(paint, at=tiles.centre_mm, shown=~down):
                return found
            return colours.unseen(len(down))
        return found.untold(at_an_edge(self.picture_bgr, tiles.quads_px))

    def _in_light_of_groups(
        self, paint: Paint, tiles: Spots, found: colours.Colours, name_of: Names
    ) -> colours.Colours:
        """Return colours, or clearer ones in the light that their own groups tell, where bodies are of four colours."""
        light = self._light(paint, tiles, found.group >= 0, found.group, by_ink=found.by_ink)
        if light is None:
            return found
        evened = paint.in_more_light(light.gain)
        other = name_of(evened)
        if not colours.clearer(other, evened, found, paint):
            return found
        torn = at_an_edge(self.picture_bgr, tiles.quads_px) & ~mixed.agreeing(other.group, found.group)
        return other.untold(torn)

    def _light(
        self, paint: Paint, tiles: Spots, shown: Bools, row: Ints | None, *, by_ink: bool | None
    ) -> TileLight | None:
        light = light_on_tiles(paint, at=tiles.centre_mm, shown=shown, row=row, by_ink=by_ink)
        believed = light is not None and felt_agrees(light, self.ground, self.tray.to_mm(tiles.quads_px))
        return light if believed else None

    def _white(self, paint: Paint, tiles: Spots, light: TileLight | None) -> Floats | None:
        """Return the white paper of the light that the paint is seen in."""
        lit = np.ones(len(paint.body), dtype=bool) if light is None else light.lit
        lightest = float(np.quantile(np.maximum(paint.body, paint.ink).mean(axis=1), 0.9))
        pieces_mm = self.tray.to_mm(tiles.quads_px[lit])
        return self.papers.white(ground=self.ground, pieces_mm=pieces_mm, lightest=lightest)


def rows_of(places: Arrangement) -> list[list[int]]:
    """Return the tiles of each row."""
    return [places.index[places.row == r].tolist() for r in np.unique(places.row)]


def groups_of(places: Arrangement, layout: Layout, named: colours.Colours) -> list[list[int]]:
    """Return the tiles that share one set of symbols: a row's, or a colour's where colours are mixed."""
    if layout.row_colours:
        return rows_of(places)
    by_colour = [np.flatnonzero(named.group == g).tolist() for g in range(len(named.names))]
    return [g for g in by_colour if g] + [[int(k)] for k in np.flatnonzero(named.group < 0)]
