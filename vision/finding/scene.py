"""The tray from above: which found pieces are real, what lies there beside them, and in what light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.finding.pieces import Pieces
from vision.geometry import Floats, inverse, median, transform
from vision.ground import conditions
from vision.ground.felt import BARE, PLAINER, RESIDUE_PX_PER_MM, Felt, Residue, free_surface, look_at_felt
from vision.ground.hard_light import is_only_light
from vision.ground.papers import covered_papers, on_papers, papers_of, papers_on
from vision.ground.sleeves import is_sleeve_over
from vision.reading import Problem
from vision.tray.aslant import Camera, bodies_of
from vision.tray.places import on_felt
from vision.tray.rectify import Image, Tray, rectified_from_mm

SCALE = 1.0
"""Pixels per millimetre of the rectified picture in which pieces are sought."""
WITHIN_MM = 4.0
"""What has its middle so far within the paper of a marker that is seen whole is its print, and no piece."""
MARGIN_MM = 20.0
"""Around the felt in that picture: the piece finder has learned what a rim looks like."""
PLAIN_SCORE = 0.45
"""Fingers look like pieces at times, but not as plainly as pieces do."""
LIKE_TILES = 6
"""From so many tiles on, what they have in common is known better than what each one is."""
OWN_ANGLE = 0.7
"""How much of a tile's deviation from the others' direction is its own."""
LINED_UP_DEG = 8.0
"""Tiles that lie side by side differ by less than this in direction."""
LONGEST_ROW = 10
FROM_RIM_MM = (5.0, -4.0, 0.0)
"""The middle of a piece, by its kind, is never nearer to the edge of the felt. What looks like a tile there is the
corner of the rim; the top of a die that leans against the rim may be seen beyond the edge."""
OVER_RIM_MM = 8.0
"""... but for a tile that continues plain others on the felt, whose middle may be so far beyond it: where a board is
higher than the felt."""
HIDDEN_MM = 18.0
"""A white patch of felt larger than this may hide a tile: most of one, with whatever little is seen of its edges."""
FELT_HAND_MM2, FELT_SHARE = (2500.0, 32000.0), 0.1
"""What the net takes for a hand, and has the felt's colour but for so small a share of it, is a hand on felt of its own
hue only where it has the size of one: of 33 hands on traced trays five were so, from 9,600 to 18,600 mm2; the others
had 0.27 at least. Prints and folds are smaller, and bands of light go all over a tray."""
EMPTY_SCORE = 0.3
"""A tray on which nothing is found with this score is empty."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The tray from above and what was found on it."""

    found: Pieces
    """Without what lies on markers, beyond the felt, or is bare felt."""
    quads_mm: Floats
    """(n, 4, 2) of these pieces."""
    covered: Floats
    """(n,) share of each that is not felt."""
    faint_mm: Floats
    """(k, 4, 2) of what was hardly found: nothing, or something that lies on others."""
    ground: Felt
    explained: list[Floats]
    """(4, 2) each: the pieces that explain what is not felt."""
    papers: list[Floats]
    """(4, 2) each: the markers that do, too."""
    strange: list[Residue]
    """What none of these explains."""
    light_mm: list[Floats]
    """(4, 2) each: as large as an arm, and looks like light on felt. Nobody waits for it, and it is always asked about:
    no tray is read through it."""
    hidden: list[Floats]
    """(4, 2) each: the paper of markers that this picture does not show, as pieces may lie on it."""
    beside: list[Floats]
    """(4, 2) each: dice and disks plainly found just beyond the felt: fallen off, or the felt reaches further than is
    known."""
    blown: NDArray[np.bool_]
    """(h, w) at SCALE: where a lamp hides what is white."""
    hand: bool
    """The net sees one, and it is no felt."""
    arm: bool
    """Something as large as an arm lies over the tray."""
    problems: Problem
    camera: Camera

    def unexplained(self, pieces_mm: Floats | None = None) -> list[Floats]:
        """Return the outlines (4, 2) of what is strange.

        pieces_mm: (n, 4, 2) where pieces lie for certain, however hardly they were found; None for nowhere else.
        """
        strange = self.strange
        if pieces_mm is not None and strange:
            strange = self.ground.residue([*self.explained, *pieces_mm], papers_mm=self.papers)
        return [residue.outline_mm for residue in strange]

    def without(self, nothing: NDArray[np.bool_]) -> Scene:
        """Return the same without some of its finds, a mask (n,): what they explain stays explained."""
        keep = ~nothing
        return replace(self, found=self.found.only(keep), quads_mm=self.quads_mm[keep], covered=self.covered[keep])


def in_flat(points_mm: Floats) -> Floats:
    """Return points (..., 2) of the tray in the rectified picture at SCALE with MARGIN_MM."""
    return transform(points_mm, rectified_from_mm(px_per_mm=SCALE, margin_mm=MARGIN_MM))


def found_mm(found: Pieces, *, least: float = EMPTY_SCORE) -> list[Floats]:
    """Return (4, 2) mm each where pieces are found with at least some score in the rectified picture at SCALE."""
    to_mm = inverse(rectified_from_mm(px_per_mm=SCALE, margin_mm=MARGIN_MM))
    return list(_on_tray(found, to_mm)[found.score >= least])


def look_around(flat: Image, tray: Tray, found: Pieces, camera: Camera) -> Scene:
    """Return what lies on the felt. flat: rectified at SCALE with MARGIN_MM; found: the pieces in it."""
    found = _of_one_set(found)
    edge = round(MARGIN_MM * SCALE)
    felt = np.ascontiguousarray(flat[edge:-edge, edge:-edge])
    papers = papers_of(tray)
    seen = [papers[number] for number, _ in tray.markers]
    to_mm = inverse(rectified_from_mm(px_per_mm=SCALE, margin_mm=MARGIN_MM))
    quads, faint = _on_tray(found, to_mm), np.zeros((0, 4, 2))
    if found.faint is not None:
        faint = _on_tray(found.faint, to_mm)
    on_felt, on_paper = _on_the_felt(quads, found.kind, tray), on_papers(quads.mean(axis=1), seen, beyond_mm=-WITHIN_MM)
    loose = ~found.are("tile") & (found.score >= PLAIN_SCORE)
    beside = list(quads[loose & ~on_felt & ~on_paper])
    keep = (on_felt | _over_the_rim(found, quads, on_felt, tray)) & ~on_paper
    found, quads = found.only(keep), quads[keep]
    blown = conditions.blown_out(felt)
    problems = _light_problems(felt, tray, blown, papers_mm=seen, pieces_mm=quads[found.score >= PLAIN_SCORE])
    certain = found.score >= EMPTY_SCORE
    pieces, printed = _seen_of(found, quads, certain, camera), papers_on(tray)
    perhaps = [] if printed else papers
    ground = look_at_felt(felt, [*pieces, *printed], px_per_mm=SCALE, perhaps_mm=perhaps)
    hidden = covered_papers(flat, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    covered = ground.covered(quads)
    bare = covered < BARE
    # A piece in the felt's own colour looks bare; where it was plainly found, its rim is no stranger.
    known = certain & (~bare | (found.score >= PLAIN_SCORE))
    explained = _seen_of(found, quads, known, camera)
    strange = ground.residue(explained, papers_mm=papers)
    plain = _laid_beside(found, quads, (found.score >= PLAIN_SCORE) & ~bare)
    # Where everything is a piece, however hardly found, nothing reaches in: two dice together are as large as a finger.
    alike = not strange or bool((plain == known).all())
    known_mm = explained if alike else _seen_of(found, quads, plain, camera)
    beyond = strange if alike else ground.residue(known_mm, papers_mm=papers)
    hand = _hand_there(found.hand, ground, quads)
    arm, light_mm = _arms(flat, ground, beyond, found.hand, [*known_mm, *papers])
    arm = arm or (not hand and is_sleeve_over(flat, ground, [*known_mm, *printed], margin_mm=MARGIN_MM))
    return Scene(
        found, quads, covered, faint, ground, explained, papers, strange,
        light_mm, hidden, beside, blown, hand, arm, problems, camera,
    )  # fmt: skip


def _arms(
    flat: Image, ground: Felt, beyond: list[Residue], hand: NDArray[np.float32], taken_mm: list[Floats]
) -> tuple[bool, list[Floats]]:
    """Return whether an arm is among what no piece explains, and the outlines (4, 2) of what only looks like light.

    flat: as for `look_around`; hand: as in `Pieces`; taken_mm: (4, 2) each, pieces and markers.
    """
    hand_at = partial(_hand_at, hand)
    arms = conditions.as_arms(beyond, hand_at=hand_at)
    light = conditions.lit_alone(arms, hand_at=hand_at, light=_light_among(flat, ground, taken_mm))
    return len(light) < len(arms), [one.outline_mm for one in light]


def _light_among(flat: Image, ground: Felt, taken_mm: list[Floats]) -> Callable[[Residue], bool]:
    """Return who tells whether something looks like light on felt. flat: as for `look_around`; taken_mm: (4, 2)."""

    def looks_lit(thing: Residue) -> bool:
        return is_only_light(flat, ground, thing.cells, taken_mm, px_per_mm=SCALE, margin_mm=MARGIN_MM)

    return looks_lit


def _hand_at(hand: NDArray[np.float32], outline_mm: Floats) -> float:
    """Return how likely some of a hand lies within an upright rectangle (4, 2). hand: as in `Pieces`."""
    low, high = ((outline_mm[k] + MARGIN_MM) / conditions.HAND_CELL_MM for k in (0, 2))
    (x0, y0), (x1, y1) = np.floor(low).astype(int), np.ceil(high).astype(int)
    return float(hand[y0:y1, x0:x1].max(initial=0.0))


def _hand_there(hand: NDArray[np.float32], ground: Felt, quads_mm: Floats) -> bool:
    """Return whether the net sees a hand, and not a print, a fold or bands of light on the felt.

    hand: as in `Pieces`. quads_mm: (n, 4, 2) the pieces.
    """
    area_mm2 = conditions.hand_area(hand)
    if area_mm2 <= conditions.HAND_MM2:
        return False
    if FELT_HAND_MM2[0] <= area_mm2 <= FELT_HAND_MM2[1]:
        return True
    cell_px, margin_px = conditions.HAND_CELL_MM * RESIDUE_PX_PER_MM, MARGIN_MM * RESIDUE_PX_PER_MM
    row, column = (((np.arange(n) + margin_px) / cell_px).astype(int) for n in ground.strange.shape)
    over = (hand > conditions.HAND_CERTAIN)[np.ix_(row, column)]
    beside = over & (free_surface(ground.strange.shape, list(quads_mm)) > 0)
    return not beside.any() or bool(ground.strange[beside].mean() >= FELT_SHARE)


def _over_the_rim(found: Pieces, quads_mm: Floats, lies: NDArray[np.bool_], tray: Tray) -> NDArray[np.bool_]:
    """Return (n,) the plainly found tiles that reach over the rim and continue those on the felt, (n,) `lies`.

    A diamond of nine rows (RULES.md 1) of tiles 29 mm high is higher than the felt.
    """
    plain = found.are("tile") & (found.score >= PLAIN_SCORE)
    if (plain & lies).sum() < LIKE_TILES or not (plain & ~lies).any():
        return np.zeros(len(plain), dtype=bool)
    near = on_felt(quads_mm.mean(axis=1), tray, inset_mm=-OVER_RIM_MM)
    return np.asarray(plain & ~lies & near & _laid_beside(found, quads_mm, plain & lies))


def _light_problems(
    felt: Image, tray: Tray, blown: NDArray[np.bool_], *, papers_mm: list[Floats], pieces_mm: Floats
) -> Problem:
    """Return what is measured of light and sharpness. papers_mm: of the markers seen; pieces_mm: plainly found."""
    paper = conditions.paper_level(felt, [SCALE * corners for corners in papers_mm])
    if paper is None:
        paper = conditions.lightest(felt, SCALE * pieces_mm)
    problems = conditions.picture_problems(felt, tray, washed=np.zeros(0), paper=paper)
    hides = conditions.hides_a_piece(blown, side_px=SCALE * HIDDEN_MM)
    return problems | Problem.GLARE if hides else problems


def _on_tray(found: Pieces, to_mm: Floats) -> Floats:
    """Return (n, 4, 2) the outlines of pieces found in the rectified picture. to_mm: (3, 3) from there to the tray."""
    return transform(found.quads_px().reshape(-1, 2), to_mm).reshape(-1, 4, 2)


def _seen_of(found: Pieces, quads_mm: Floats, which: NDArray[np.bool_], camera: Camera) -> list[Floats]:
    """Return (4, 2) what is seen of the pieces of a mask (n,): of dice, which stand up, their flanks too."""
    dice = which & found.are("die")
    height = found.size_px[dice].mean(axis=1) / SCALE
    return [*quads_mm[which & ~dice], *bodies_of(quads_mm[dice], camera, height_mm=height)]


def nothing_lies(scene: Scene, *, fibres: bool) -> bool:
    """Return whether no piece lies on the felt.

    fibres: where tiles are due, a few finds under which bare felt shows are fibres. Never of dice: one in the felt's
    own colour is asked about.
    """
    score = scene.found.score
    found = score >= EMPTY_SCORE
    if not fibres or found.sum() >= LIKE_TILES:
        return not found.any()
    return not (found & ((scene.covered >= BARE) | (score >= PLAINER))).any()


def _laid_beside(found: Pieces, quads_mm: Floats, plain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n,) the plainly found pieces, and the less plainly found tiles that continue rows of them.

    A face-down tile of one colour is hardly more than a patch; a finger seldom lies square to its neighbour.
    """
    tiles = found.are("tile") & (found.score >= EMPTY_SCORE)
    if not plain.any() or not (tiles & ~plain).any():
        return plain
    middle, own = quads_mm.mean(axis=1), quads_mm[:, 1] - quads_mm[:, 0]
    step = np.linalg.norm(middle[:, None] - middle[None], axis=2) / np.linalg.norm(own, axis=1)[:, None]
    turn = np.abs(found.angle_deg[:, None] - found.angle_deg[None])
    beside = (step > 0.8) & (step < 1.3) & (turn < LINED_UP_DEG) & tiles[:, None] & tiles[None]
    laid = plain.copy()
    for _ in range(LONGEST_ROW):
        laid |= tiles & beside[:, laid].any(axis=1)
    return laid


def _of_one_set(found: Pieces) -> Pieces:
    """Return the pieces with the tiles' sizes made one, and their directions drawn together.

    Tiles of a set have one size, and the finder's error in each is larger than any real difference; of a
    tile's direction about a third is error (measured on drawn trays: fewer symbols misread, less doubt).
    """
    tiles = found.are("tile")
    plain = tiles & (found.score >= PLAIN_SCORE)
    if plain.sum() < LIKE_TILES:
        return found
    size, angle = found.size_px.copy(), found.angle_deg.copy()
    size[tiles] = median(found.size_px[plain])
    usual = float(median(found.angle_deg[plain]))
    near = tiles & (np.abs(found.angle_deg - usual) < 20.0)
    angle[near] = usual + OWN_ANGLE * (found.angle_deg[near] - usual)
    return replace(found, size_px=size, angle_deg=angle)


def _on_the_felt(quads_mm: Floats, kind: NDArray[np.int64], tray: Tray) -> NDArray[np.bool_]:
    """Return (n,) which quadrilaterals have their middle on the felt.

    kind: (n,) index into KINDS: tiles are flat and cannot reach into the rim, as the top of a die seen aslant can.
    """
    return on_felt(quads_mm.mean(axis=1), tray, inset_mm=np.array(FROM_RIM_MM)[kind][:, None])
