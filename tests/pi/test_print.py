"""Printed sheets: true to scale, and laid out so that the eye finds on them what it looks for."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi import cli
from pi.pdf import POINTS_A_MM, Sheet, Words, pdf, svg
from pi.rules.games import RULESETS
from pi.sheets import fiducials, scores
from pi.sheets.boards import centre_of, runaround
from pi.sheets.mats import blob, palindromes, run_buster
from pi.sheets.paper import CHECK, PAPERS, RULER_MM, pages
from pi.stand_ins.mats import NOWHERE, RUN_BUSTER, TRAY_MM, hand_place, zone_at
from vision import layout
from vision.tray import rectify
from vision.tray.rectify import find_tray

PX_A_MM = 4


def printed(sheet: Sheet) -> np.ndarray:
    """Draw a sheet's filled shapes as a printer would."""
    picture = np.full((round(sheet.height * PX_A_MM), round(sheet.width * PX_A_MM), 3), 255, np.uint8)
    for thing in sheet.things:
        if not isinstance(thing, Words) and thing.fill is not None:
            points = np.round(np.array(thing.points) * PX_A_MM).astype(np.int32)
            cv2.fillPoly(picture, [points], [round(255 * thing.fill)] * 3)
    return picture


def test_the_markers_are_those_the_eye_looks_for():
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, pattern in enumerate(fiducials.PATTERNS):
        bits = cv2.aruco.generateImageMarker(dictionary, number, 6)[1:5, 1:5] > 0
        assert ["".join(map(str, row)) for row in bits.astype(int)] == list(pattern)
    assert (fiducials.MARKER_MM, fiducials.INSET_MM) == (rectify.MARKER_MM, rectify.INSET_MM)
    assert TRAY_MM == layout.TRAY_MM


@pytest.mark.parametrize("mat", [run_buster(0), palindromes(16), blob(8), runaround(20)], ids=lambda s: s.title)
def test_the_eye_finds_a_mat_that_lies_bare_where_its_markers_say(mat: Sheet):
    # Around it a table, or the mat's edge would be the picture's.
    picture = cv2.copyMakeBorder(printed(mat), 120, 120, 120, 120, cv2.BORDER_CONSTANT, value=(60, 90, 70))
    tray = find_tray(picture)
    assert tray is not None
    assert tray.found == "markers"
    corners = np.array(tray.corners)
    wanted = np.array([[0, 0], [TRAY_MM[0], 0], TRAY_MM, [0, TRAY_MM[1]]]) * PX_A_MM + 120
    assert np.abs(corners - wanted).max() < 0.5 * PX_A_MM


def test_a_page_has_the_size_it_says_and_the_line_that_checks_the_printer():
    (page,) = pages(run_buster(0), paper="a3")
    text = pdf([page]).decode("cp1252")
    box = [float(n) for n in re.search(r"/MediaBox \[([^\]]+)\]", text)[1].split()]
    assert box == pytest.approx([0, 0, 420 * 72 / 25.4, 297 * 72 / 25.4], abs=1e-3)
    assert f"{POINTS_A_MM:.6f} 0 0 {-POINTS_A_MM:.6f} 0 {297 * POINTS_A_MM:.3f} cm" in text
    assert "/PrintScaling /None" in text
    lines = [t.points for t in page.things if not isinstance(t, Words) and not t.closed]
    assert any(b[0] - a[0] == pytest.approx(RULER_MM) for a, b in (p for p in lines if len(p) == 2))


def test_a_hand_zone_is_in_the_file_where_the_eye_takes_it_to_be():
    """The zone's box is drawn 2 mm inside the zone; on A3 the mat lies in the middle."""
    zone = RUN_BUSTER[1]
    left, top = (420 - TRAY_MM[0]) / 2 + zone.left + 2, (297 - TRAY_MM[1]) / 2 + zone.top + 2
    text = pdf(pages(run_buster(0), paper="a3")).decode("cp1252")
    assert f"{left:.3f} {top:.3f} m {left + zone.width - 4:.3f} {top:.3f} l" in text


def test_a_mat_on_two_sheets_of_a4_is_cut_in_the_middle():
    halves = pages(palindromes(16), paper="a4")
    assert [(page.width, page.height) for page in halves] == [(210.0, 297.0)] * 2
    assert pdf(halves).decode("cp1252").count("/Type /Page ") == 2


def test_the_table_of_places_in_a_pdf_is_right():
    data = pdf([runaround(20)])
    start = int(re.search(rb"startxref\n(\d+)", data)[1])
    assert data[start:].startswith(b"xref\n0 6\n")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), start=1):
        assert data[int(place) :].startswith(b"%d 0 obj" % number)
    for length, body in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL):
        assert len(body) == int(length)


@pytest.mark.parametrize("spaces", [12, 20, 40])
def test_runarounds_partners_lie_across_the_wall(spaces: int):
    """RULES.md 3: a loop of spaces in two lanes back to back; the starting spaces lie at its two ends."""
    for space in range(1, spaces // 2):
        (x, y), (other_x, other_y) = (centre_of(n, spaces=spaces) for n in (space, spaces - space))
        assert x == other_x
        assert y < TRAY_MM[1] / 2 < other_y
    assert centre_of(0, spaces=spaces)[0] < centre_of(1, spaces=spaces)[0]
    assert 0 < centre_of(0, spaces=spaces)[0] < centre_of(spaces // 2, spaces=spaces)[0] < TRAY_MM[0]


def test_each_place_of_a_hand_lies_in_its_zone_and_far_from_the_markers():
    for seat in range(1, 7):
        for value in range(1, 7):
            x, y = hand_place(seat, value)
            assert zone_at(x, y) == seat
            assert min(abs(x), abs(TRAY_MM[0] - x)) > 40
    assert zone_at(*RUN_BUSTER[0].middle) == 0
    assert zone_at(-5, 265) == NOWHERE  # a die off the mat lies in no zone
    assert zone_at(5, 130) == NOWHERE  # half over the edge
    assert zone_at(20, 130) == 0


def test_svg_has_its_true_size_too():
    text = svg(fiducials.sheet())
    assert 'width="180mm" height="130mm" viewBox="0 0 180 130"' in text


@pytest.mark.parametrize(
    "words",
    [
        ["mat", "run-buster"],
        ["mat", "blob", "--size", "10"],
        ["board", "runaround", "--spaces", "24"],
        ["fiducials", "--paper", "letter"],
        *(["scoresheet", game] for game in RULESETS),
    ],
    ids=" ".join,
)
def test_the_command_writes_a_file(words: list[str], tmp_path: Path):
    out = tmp_path / "sheet.pdf"
    assert cli.main(["print", *words, "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF-1.4")


@pytest.mark.parametrize(("name", "rows"), [("a4", 24), ("letter", 22), ("a3", 24), ("own", 24)])
@pytest.mark.parametrize("game", RULESETS)
def test_every_games_score_sheet_goes_on_every_paper(game: str, name: str, rows: int, tmp_path: Path):
    """On letter, 18 mm lower than A4, as many rows as there is room for: a row is as high as a hand writes."""
    out = tmp_path / "sheet.svg"
    assert cli.main(["print", "scoresheet", game, "--paper", name, "--out", str(out)]) == 0
    high = min(PAPERS.get(name, PAPERS["a4"])[1], PAPERS["a4"][1])
    (page,) = pages(scores.sheet(game, paper_mm=high), paper=name)
    assert name == "own" or sorted((page.width, page.height)) == sorted(PAPERS[name])
    points = [point for thing in page.things if not isinstance(thing, Words) for point in thing.points]
    assert all(0 <= x <= page.width and 0 <= y <= page.height for x, y in points)
    labels = {thing.text: thing.y for thing in page.things if isinstance(thing, Words)}
    assert (str(rows) in labels, str(rows + 1) in labels) == (True, False)
    assert labels["sum"] - labels[str(rows)] == pytest.approx(scores.ROW_MM)
    table = labels["seat"] - 6.3 + scores.ROW_MM * (rows + 2)
    assert name == "own" or table < labels[CHECK] - 3, "the line that checks the printer lies below it"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mat", "blob", "--size", "40", "--out", "a.pdf"], "at --size"),
        (["mat", "run-buster", "--size", "5", "--out", "a.pdf"], "has one size (expected no --size)"),
        (["board", "runaround", "--spaces", "13", "--out", "a.pdf"], "even number of spaces"),
        (["fiducials", "--out", "a.png"], "neither .pdf nor .svg"),
        (["fiducials", "--out", "no/such/folder.pdf"], "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_sentence(words: list[str], sentence: str, capsys):
    assert cli.main(["print", *words]) == 2
    assert sentence in capsys.readouterr().err
