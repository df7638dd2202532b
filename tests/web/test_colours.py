"""Colours for eyes that see fewer of them: every pair that means something is told apart, or has a second cue.

Eyes are simulated after Machado, Oliveira, Fernandes (2009), severity 1; distances are Euclidean in Oklab
(Ottosson 2020), where 0.02 is about the least difference people notice side by side.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from pi.rules import commands as ask
from tests.builders import THREE_RUNS, lock, start, tray
from tests.conftest import ROOT
from tests.web.builders import house
from web import health

Rgb = tuple[float, ...]
EYES: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What is left of linear red, green and blue."""
CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
APART = 0.1
"""Five times what is just noticed: told apart from across a room, too."""
CSS = "\n".join((ROOT / "web" / "static" / name).read_text() for name in ("feltside.css", "games.css"))
DARK_ROOT, LIGHT_ROOT = (
    dict(re.findall(r"--([\w-]+): (#\w{6})", r)) for r in re.findall(r":root \{(.*?)\n *\}", CSS, re.S)[:2]
)
THEMES = {"dark": DARK_ROOT, "light": DARK_ROOT | LIGHT_ROOT}
FELTS = ("felt", "felt-2", "felt-3")
EDGE = "#101a16"
"""Every run's line lies on a dark edge of its own."""
both = pytest.mark.parametrize("theme", THEMES)
every = pytest.mark.parametrize("eyes", EYES)


def times(matrix: tuple[Rgb, ...], value: Rgb) -> Rgb:
    return tuple(sum(m * v for m, v in zip(row, value, strict=True)) for row in matrix)


def seen(colour: str, eyes: str) -> Rgb:
    """Return a colour as linear red, green and blue, as these eyes have it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return tuple(min(1.0, max(0.0, p)) for p in times(EYES[eyes], linear))


def distance(one: str, other: str, eyes: str) -> float:
    a, b = (times(OKLAB, tuple(c ** (1 / 3) for c in times(CONES, seen(x, eyes)))) for x in (one, other))
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5


def contrast(one: str, other: str, eyes: str) -> float:
    """Return the contrast ratio of WCAG 2.2, 1.4.3."""
    dim, bright = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (seen(one, eyes), seen(other, eyes)))
    return (bright + 0.05) / (dim + 0.05)


def test_the_simulation_is_the_published_one():
    """White stays white for everybody; red and green, far apart for most, come close for protans and deutans."""
    for eyes in EYES:
        assert distance("#ffffff", "#ffffff", eyes) == 0
        assert seen("#ffffff", eyes) == pytest.approx((1, 1, 1), abs=0.001)
    red, green = "#c03030", "#4a8a2a"
    assert distance(red, green, "all colours") > 0.2
    assert distance(red, green, "deutan") < distance(red, green, "all colours") / 2
    assert distance("#2060c0", "#c0a020", "deutan") > 0.2


@both
@every
def test_words_can_be_read_on_every_felt(theme, eyes):
    colours = THEMES[theme]
    for ink in ("ink", "soft", "good", "bad"):
        assert min(contrast(colours[ink], colours[felt], eyes) for felt in FELTS) >= 4.3, ink
    assert contrast(colours["on-amber"], colours["amber"], eyes) >= 4.5


@both
@every
def test_right_and_wrong_are_told_apart_by_every_eye(theme, eyes):
    colours = THEMES[theme]
    assert distance(colours["good"], colours["bad"], eyes) >= APART
    assert distance(colours["good"], colours["amber"], eyes) >= APART / 2


@every
def test_the_lines_of_runs_are_told_apart_and_stand_out(eyes):
    tones = re.findall(r"--tone-\d: (#\w{6})", CSS)
    assert len(tones) == 6
    assert min(distance(a, b, eyes) for a, b in combinations(tones, 2)) >= APART
    assert min(contrast(tone, EDGE, eyes) for tone in tones) >= 3, "WCAG 1.4.11: non-text contrast"


def test_each_tile_colour_has_a_shape_and_its_name():
    """Red and green, blue and purple come close for some eyes: the shape beside each says which it is."""
    marks = re.findall(r"\.hue-(\w+) \.icon[^{]*\{ fill: (#\w{6})", CSS)[:4]
    close = [
        (a, b)
        for (a, one), (b, other) in combinations(marks, 2)
        if min(distance(one, other, eyes) for eyes in EYES) < APART
    ]
    assert ("red", "green") in close
    assert ("blue", "purple") in close
    parts = (ROOT / "web" / "templates" / "parts.html").read_text()
    shapes = dict(re.findall(r'colour (?:==|in) \(?"(\w+)"[^%]*%\}(<[^>]+>)', parts))
    assert {name for pair in close for name in pair} <= set(shapes)
    assert len(set(shapes.values())) == len(shapes)
    assert '<span class="hear">{{ _(colour) }}' in parts


def test_whatever_is_coloured_says_the_same_without_colour(tmp_path, monkeypatch):
    """Each cue by colour on the pages stands beside a sign, a number or a word of its own."""
    states = [health.Sign("Disk", state, "x") for state in ("ok", "note", "bad")]
    monkeypatch.setattr(health, "signs", lambda *_, **__: tuple(states))
    home = house(tmp_path)
    home.play(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS)), lock(1, 3), lock(2, 2, at=2.0))
    home.play(ask.CorrectTile(1, 1, 0, "3"), ask.AdjustPoints(1, 9, "cake"))
    board, table, page = (home.browser().get(path).text for path in ("/", "/table", "/round/1"))
    for lane in re.findall(r'<article class="lane[^"]* (?:right|wrong)".*?</article>', board, re.S):
        assert 'class="icon"' in lane.partition("deed")[2]
        assert re.search(r'class="why">(Right|Wrong):', lane)
    assert 'class="icon"' in board.partition('<h2 class="name">Ann')[2][:40], "the winner wears a crown"
    signs = re.findall(r'<li class="sign-(\w+)">(<svg.*?</svg>)<span class="hear">([^<]+)', table, re.S)
    assert len({shape for _, shape, _ in signs}) == len({word for *_, word in signs}) == len(signs) == 3
    runs = re.findall(r'<g class="run tone-\d" data-run="(\d+)"', page)
    assert re.findall(r'<g class="run badge tone-\d" data-run="(\d+)"', page) == runs
    assert len(runs) >= 3
    claims = page.partition('<ol class="claims">')[2].partition("</ol>")[0]
    assert re.findall(r'<span class="hear">(\w+)</span>', claims) == ["right", "wrong"]
    assert "was 2, by table" in page, "a corrected tile says so, beside its dashes"


@pytest.mark.parametrize("theme", THEMES)
def test_a_seats_pieces_differ_by_more_than_colour(theme):
    """Games of two: the second seat's counters are hollow with a double edge, and each bears its number."""
    assert re.search(r"\.counter\.seat-2, \.pawn\.seat-2 \{ background: transparent;[^}]*border-style: double", CSS)
    games = ROOT / "web" / "templates" / "game"
    assert '<span class="pawn seat-{{ s.seat }}"' in (games / "runaround.html").read_text()
    ink, felt = THEMES[theme]["ink"], THEMES[theme]["felt"]
    assert all(contrast(ink, felt, eyes) >= 7 for eyes in EYES), "dark and light squares: WCAG 1.4.6"
