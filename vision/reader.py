"""A picture and what is expected in, a reading out: the one door of the eye.

Order of work: tray -> what the lens bends undone -> rectified picture -> where pieces lie -> rows and columns -> what
they show -> rules of the set -> how sure. Nothing here touches a file (but the shipped models), a clock (but the one
handed in) or chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from vision.board.stacked import shows_symbols
from vision.board.turning import as_its_tiles_stand
from vision.dice.aim import aimed_finds
from vision.dice.fallen import beyond_the_felt
from vision.dice.overlooked import seen_by_both
from vision.dice.reader_loose import read_loose_tray
from vision.empty_tray import doubting_prints, without_print
from vision.errors import BadPicture
from vision.eyes import Clock, Eyes, Stopwatch, shipped_eyes
from vision.finding.finer import with_finer
from vision.finding.pieces import Pieces
from vision.finding.scene import EMPTY_SCORE, MARGIN_MM, SCALE, Scene, in_flat, look_around, nothing_lies
from vision.geometry import Floats
from vision.ground import conditions
from vision.ground.bare_felt import BareFelt
from vision.ground.clipping import clipping_level, up_to_white
from vision.ground.hairs import USUAL_MM, without_hairs
from vision.layout import Expectation
from vision.own_set import OwnSet
from vision.reader_tiles import read_tiles_tray
from vision.reading import DISTURBING, Problem, Reading, Status
from vision.tray.aslant import camera_over
from vision.tray.rectify import LEAST_PX, Image, Tray, find_tray, is_mirrored, rectify
from vision.tray.registration import shift_mm
from vision.tray.straight import straightened
from vision.unread import each_once, places_of

BUMP_MM = 1.5
"""A tray that moved further than this since its registration was bumped: say so, and read it where it lies."""
ONES = 0.5
"""The finder takes dice that show a one for disks, disks hardly ever for dice: this share of dice makes all of them
dice."""
LOOSE = frozenset({Expectation.DICE, Expectation.DISKS})
TILE_LAYOUTS = frozenset(
    {
        Expectation.ROWS,
        Expectation.WILD,
        Expectation.RECT,
        Expectation.MIXED,
        Expectation.DIAMOND,
        Expectation.DRAWBRIDGE,
        Expectation.AUTO,
    }
)


def read(
    picture_bgr: Image,
    *,
    expect: Expectation | str = Expectation.ROWS,
    tray: Tray | None = None,
    clock: Clock | None = None,
    like: Tray | None = None,
    owner: OwnSet | None = None,
    eyes: Eyes | None = None,
    turn: bool = True,
    bare: BareFelt | None = None,
) -> Reading:
    """Return what lies on the tray.

    picture_bgr: (h, w, 3) uint8, any size from 64 x 64 up. expect: what the caller knows to lie there.
    tray: registration of the same fixed camera, for pictures in which a hand covers markers; None looks
    afresh. like: as `find_tray` has it. clock: seconds, for `Reading.milliseconds`. owner: what `vision.teach`
    learned of this table's set, fitted; None for the shipped models alone. eyes: other nets than the shipped ones;
    owner then has no say.
    turn: whether a board whose tiles stand on their heads is read from the tray's other side; False while signs are
    taught that the eye may not know. bare: this table's felt as it is with nothing on it: what is printed there is no
    piece; None where it is plain, or was never shown.

    Raises BadPicture for an array that is no colour picture and UnknownExpectation for a text that names
    no layout; never for what is in the picture.
    """
    check_picture(picture_bgr)
    what = expect if isinstance(expect, Expectation) else Expectation.parse(expect)
    watch = Stopwatch(clock)
    found = find_tray(picture_bgr, hint=tray, like=like)
    watch.lap("tray")
    if found is None or is_mirrored(picture_bgr, found):
        # What was taken for the felt's edge is a mirror's: a two looks like a three there.
        reading = no_tray(picture_bgr, what.value)
    else:
        eyes = eyes or shipped_eyes(owner)
        plain = without_print(picture_bgr, found, bare, eyes=eyes)
        if bare is not None:
            watch.lap("print")
        seen = straightened(plain.picture_bgr, found)
        look = partial(_read_tray, seen.picture_bgr, what=what, eyes=eyes, watch=watch)
        reading = as_its_tiles_stand(look, seen.tray) if turn else look(seen.tray)
        reading = doubting_prints(seen.as_given(reading), plain)
        if plain.other and reading.status is not Status.BUSY:
            reading = replace(reading, problems=reading.problems | Problem.OTHER_FELT)
        if tray is not None and shift_mm(tray, found) > BUMP_MM:
            reading = replace(reading, problems=reading.problems | Problem.BUMPED)
    watch.lap("rest")
    return replace(reading, milliseconds=dict(watch.laps))


def no_tray(picture_bgr: Image, expected: str) -> Reading:
    """Return that a picture shows no tray (and if its light is why) or one as a mirror does. expected: of `Reading`."""
    mirrored = Problem.MIRRORED if is_mirrored(picture_bgr, None) else Problem.NONE
    problems = Problem.NO_TRAY | mirrored | conditions.light_amiss(picture_bgr)
    return Reading(Status.NO_TRAY, problems=problems, expected=expected)


@dataclass(frozen=True, slots=True)
class _Sight:
    """One picture of a tray, and who looks at it."""

    picture_bgr: Image
    tray: Tray
    eyes: Eyes
    watch: Stopwatch
    flat: Image
    """The picture rectified, at SCALE with MARGIN_MM."""
    coarse: Pieces
    """What was found there, of whatever kind."""

    def scene(self, what: Expectation) -> Scene:
        """Return what lies there; dice and disks are sought more finely."""
        found = self.coarse
        if what in LOOSE and self.eyes.find_loose is not None:
            found = with_finer(self.picture_bgr, self.tray, found, find=self.eyes.find_loose)
            if what is Expectation.DICE:
                found = seen_by_both(self.picture_bgr, self.tray, found, self.coarse, self.eyes.faces)
                found = aimed_finds(self.picture_bgr, self.tray, found, self.eyes.faces)
            self.watch.lap("pieces")
        high, wide = self.picture_bgr.shape[:2]
        scene = look_around(self.flat, self.tray, found, camera_over(self.tray, picture_wh=(wide, high)))
        self.watch.lap("conditions")
        return scene

    def reads(self, what: Expectation) -> Reading:
        """Return what lies there, or that nothing can be read now."""
        scene = self.scene(what)
        return self._asking_of_light(scene, self._reads(what, scene))

    def _asking_of_light(self, scene: Scene, reading: Reading) -> Reading:
        """Return a reading that people are asked about where something as large as an arm looks like light."""
        if not scene.light_mm or reading.status is Status.BUSY:
            return reading
        # A mark of its own: whoever looks for gleams or shadows may have left it out.
        unread = each_once(reading.unread + places_of(scene.light_mm, self.tray))
        return replace(reading, status=Status.UNSURE, problems=reading.problems | Problem.COUNT, unread=unread)

    def _reads(self, what: Expectation, scene: Scene) -> Reading:
        """Return the same, but for such light."""
        blank = Reading(Status.EMPTY, problems=scene.problems, tray=self.tray.corners, expected=what.value)
        if scene.hand or scene.arm:
            return replace(blank, status=Status.BUSY, problems=scene.problems | Problem.HAND)
        if what is Expectation.AUTO and (kind := _what_lies_there(scene.found)) in LOOSE:
            return self.reads(kind)
        if nothing_lies(scene, fibres=what in TILE_LAYOUTS) and not self._tiles_like_felt(what, scene):
            return self._empty(what, scene, blank)
        if conditions.moved_while_taken(self.flat, in_flat(scene.quads_mm[scene.found.score >= EMPTY_SCORE])):
            return replace(blank, status=Status.BUSY, problems=scene.problems | Problem.MOTION)
        read = read_tiles_tray if what in TILE_LAYOUTS else read_loose_tray
        reading = read(self.picture_bgr, self.tray, what, self.eyes, scene, self.watch)
        return self._with_others(scene, reading) if what is Expectation.AUTO else reading

    def _empty(self, what: Expectation, scene: Scene, blank: Reading) -> Reading:
        """Return that nothing lies there, unless something may lie where no find is. blank: an empty tray's reading."""
        unread, loose = self._left_over(scene), what not in TILE_LAYOUTS - {Expectation.AUTO}
        if loose:
            unread += [*scene.hidden, *beyond_the_felt(self.picture_bgr, self.tray, self.eyes, scene)]
        # Two dice on the two markers of one side lie beyond what is known of the tray then.
        if unread or (loose and self.tray.vague):
            asked, problems = places_of(unread, self.tray), scene.problems | Problem.COUNT
            return replace(blank, status=Status.UNSURE, problems=problems, unread=asked)
        return blank

    def _left_over(self, scene: Scene) -> list[Floats]:
        """Return the outlines (4, 2) of what lies on a tray without pieces, but for hairs."""
        left, strange, none = scene.unexplained(), scene.ground.strange, np.zeros((0, 4, 2))
        return without_hairs(left, self.picture_bgr, self.tray, strange, pieces_mm=none, side_mm=USUAL_MM)

    def _tiles_like_felt(self, what: Expectation, scene: Scene) -> bool:
        """Return whether tiles lie on a tray that is bare by its colour: a game's first two, on felt as pale."""
        if what not in TILE_LAYOUTS:
            return False
        seen = scene.found.are("tile") & (scene.found.score >= EMPTY_SCORE)
        return shows_symbols(self.picture_bgr, self.tray.to_px(scene.quads_mm[seen]), self.eyes.look)

    def _with_others(self, scene: Scene, reading: Reading) -> Reading:
        """Return a reading of tiles with the disks that lie beside them."""
        if _lies_there(scene.found, "disk"):
            return _with_disks(reading, self.reads(Expectation.DISKS))
        if _lies_there(scene.found, "die"):
            # No game of ours lays dice beside tiles: it may be a tile or a disk.
            return replace(reading, status=Status.UNSURE, problems=reading.problems | Problem.COUNT)
        return reading


def _read_tray(picture_bgr: Image, tray: Tray, what: Expectation, eyes: Eyes, watch: Stopwatch) -> Reading:
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    level = clipping_level(flat)
    picture_bgr, flat = up_to_white(picture_bgr, level), up_to_white(flat, level)
    watch.lap("rectify")
    found = eyes.find(flat)
    watch.lap("pieces")
    return _Sight(picture_bgr, tray, eyes, watch, flat, found).reads(what)


def _with_disks(tiles: Reading, disks: Reading) -> Reading:
    """Return what lies on a tray of tiles with disks beside them; nothing where the finer look sees a hand."""
    if disks.status is Status.BUSY:
        return disks
    problems = tiles.problems | disks.problems
    unseen = tiles.unseen or disks.unseen
    read = tiles.status is Status.READ and all(d.sure for d in disks.disks) and not problems & DISTURBING
    read = read and not unseen
    status, unread = Status.READ if read else Status.UNSURE, each_once(tiles.unread + disks.unread)
    return replace(tiles, status=status, disks=disks.disks, unread=unread, unseen=unseen, problems=problems)


def _what_lies_there(found: Pieces) -> Expectation:
    """Return AUTO (a layout of tiles, to be told apart by its places), DICE or DISKS, by what there is most of."""
    tiles, dice, disks = (float(found.score[found.are(k)].sum()) for k in ("tile", "die", "disk"))
    if tiles >= max(dice, disks):
        return Expectation.AUTO
    return Expectation.DICE if dice >= ONES * disks else Expectation.DISKS


def _lies_there(found: Pieces, kind: str) -> bool:
    """Return whether a piece of one of KINDS was found."""
    return bool((found.are(kind) & (found.score >= EMPTY_SCORE)).any())


def check_picture(picture_bgr: Any) -> None:
    """Raise BadPicture unless the array is a colour picture of at least LEAST_PX each way."""
    if not isinstance(picture_bgr, np.ndarray):
        raise BadPicture(f"a picture is a numpy array, got {type(picture_bgr).__name__}")
    if picture_bgr.dtype != np.uint8 or picture_bgr.ndim != 3 or picture_bgr.shape[2] != 3:
        raise BadPicture(
            f"a picture is uint8 of shape (height, width, 3), got {picture_bgr.dtype} of {picture_bgr.shape}"
        )
    if min(picture_bgr.shape[:2]) < LEAST_PX:
        got = f"got {picture_bgr.shape[1]} x {picture_bgr.shape[0]}"
        raise BadPicture(f"a picture has at least {LEAST_PX} x {LEAST_PX} pixels, {got}")
