"""Every sentence of the pages is in the catalogue of every language, with the same places for values."""

from __future__ import annotations

import ast
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from pi.odds.mathematics import against, chapters
from pi.opponents.strengths import STRENGTHS
from pi.rules import commands as ask
from pi.rules.games import RULESETS
from tests.builders import ONE_RUN, lock, start, tray
from tests.conftest import ROOT
from tests.web.builders import house, post
from tests.web.sentences import sentences, speakers
from web.catalogue import PLACE, BadCatalogue, read_entries, read_language
from web.speech import FOLDER, count, decimal, echo, either, known, languages, listed, ordinal, say, speaking

TEMPLATE = re.compile(r"""\{[{%].*?[%}]\}""", re.S)
SAID = re.compile(r"""(?<![\w.])_\(\s*"((?:[^"\\]|\\.)*)"\s*[,)]""")
COUNTED = re.compile(r"""n_\([^"]*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\s*[,)]""")
OTHERS = [code for code in languages() if code != "en"]


def templates() -> Iterator[tuple[set[str], set[str]]]:
    for path in (ROOT / "web" / "templates").rglob("*.html"):
        text = path.read_text()
        yield set(SAID.findall(text)), {many for _, many in COUNTED.findall(text)}


def code() -> Iterator[tuple[set[str], set[str]]]:
    for path in (ROOT / "web").glob("*.py"):
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        named = [(c.func.id, c.args) for c in calls if isinstance(c.func, ast.Name)]
        said = {a[0].value for f, a in named if f == "say" and a and isinstance(a[0], ast.Constant)}
        yield said, {a[2].value for f, a in named if f == "count" and len(a) > 2 and isinstance(a[2], ast.Constant)}


def catalogue() -> tuple[set[str], set[str]]:
    found = [*templates(), *code()]
    said, counted = set().union(*(s for s, _ in found)), set().union(*(c for _, c in found))
    for rules in RULESETS.values():
        said |= {rules.source, *(text for line in rules.card for text in line)}
        said |= {rules.title, *(rule.line for rule in rules.house_rules)}
        said |= {rule.name.replace("_", " ") for rule in rules.house_rules}
    said |= set(mathematics())
    return said | {strength for strength in STRENGTHS.values() if strength}, counted


def mathematics() -> Iterator[str]:
    for chapter in (*chapters(), against([0]), against([9] * 99)):
        yield from (chapter.title, chapter.plot, *(figure.label for figure in chapter.figures))
        yield from (told.text for told in chapter.paragraphs if not told.one)


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language):
    said, counted = catalogue()
    there = languages()[language]
    assert sorted(said - set(there.texts)) == []
    assert sorted(counted - set(there.forms)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_the_same_places_for_values(language):
    spoken_there = languages()[language]
    for entry in read_entries(FOLDER / f"{language}.po"):
        places = set(PLACE.findall(entry.one + entry.many))
        assert all(set(PLACE.findall(said)) <= places for said in entry.said), entry.one
        assert entry.context or entry.many or set(PLACE.findall(entry.said[0])) == places, entry.one
        assert not entry.many or len(entry.said) == len({spoken_there.plural(n) for n in range(200)}), entry.one


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_stands_there_once_and_is_said(language):
    entries = list(read_entries(FOLDER / f"{language}.po"))
    keys = Counter((entry.context, entry.one) for entry in entries)
    assert [key for key, times in keys.items() if times > 1] == []
    assert [entry.one for entry in entries if not all(entry.said)] == []


@pytest.mark.parametrize("number", ["²", "--5", "9" * 5000], ids=["superscript", "two signs", "endless"])
def test_what_stands_where_a_number_would_is_said_as_it_is(number):
    """Names and reasons are people's own, and may stand in any place of a sentence."""
    with speaking("de"):
        said = echo(f"The camera works, but has dropped {number} frames.")
    assert said.startswith("Die Kamera läuft")
    assert number in said


def test_numbers_and_plurals():
    with speaking("en"):
        assert [count(n, "{n} run", "{n} runs") for n in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]
        assert [ordinal(n) for n in (1, 2, 3, 4, 11, 13, 21)] == ["1st", "2nd", "3rd", "4th", "11th", "13th", "21st"]
        assert listed(["Ada", "Ben", "Cy"]) == "Ada, Ben and Cy"
        assert either([2, 3, 4]) == "2, 3 or 4"
        assert say("Undo") == "Undo"
    with speaking("de"):
        assert [count(n, "{n} run", "{n} runs") for n in (0, 1, 2)] == ["0 Läufe", "1 Lauf", "2 Läufe"]
        assert ordinal(2) == "2."
        assert decimal(1.5, 1) == "1,5"
        assert listed(["Ada", "Ben", "Cy"]) == "Ada, Ben und Cy"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Right: 3 for 3 runs, and 4 for place 1.", "Richtig: 3 für 3 Läufe und 4 für Platz 1."),
        ("Right: 1 for 1 run, and 2 for place 3.", "Richtig: 1 für 1 Lauf und 2 für Platz 3."),
        ("Ann wins with 15.", "Ann gewinnt mit 15."),
        (
            "Ann and Bob tie at 11: another round decides.",
            "Ann und Bob liegen mit 11 gleichauf: eine weitere Runde entscheidet.",
        ),
        ("Supper.", "Supper."),
    ],
)
def test_sentences_of_the_rules_are_said_too(english, german):
    with speaking("de"):
        assert echo(english) == german


def test_the_browser_says_which_language_and_a_choice_is_kept(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 3, at=2.0))
    browser = home.browser()
    page = browser.get("/", headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert '<html lang="de">' in page.text
    assert "1 Lauf" in page.text
    assert page.headers["Content-Language"] == "de"
    assert '<html lang="en">' in browser.get("/", headers={"Accept-Language": "fr"}).text
    assert "Spielstand" in browser.get("/?lang=de").text
    assert '<html lang="de">' in browser.get("/history").text
    assert browser.get("/api/state").json["headline"].startswith("Round 1: 1 run."), "programs always read English"
    stream = browser.get("/events?page=board", buffered=False)
    assert "1 Lauf" in next(chunk for chunk in stream.response if b"data:" in chunk).decode()
    stream.close()


@cache
def english(language: str) -> list[str]:
    """What stands in a catalogue, read once for the files of all who speak to pages."""
    entries = [entry for entry in read_entries(FOLDER / f"{language}.po") if entry.context != "ordinal"]
    return [text for entry in entries for text in (entry.one, entry.many) if text]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", list(speakers()), ids=lambda path: str(path.relative_to(ROOT)))
def test_whatever_may_reach_a_page_is_said_in_every_language(language, path):
    """Every sentence in the code of those who speak to pages is known, or is a part of one that is."""
    catalogue = english(language)
    with speaking(language):
        unsaid = [
            text
            for text, pattern in sentences(path)
            if not (known(text) or known(f"{text[:1].upper()}{text[1:]}."))
            and not any(text.strip() in one or pattern.search(one) for one in catalogue)
        ]
    assert unsaid == []


def test_a_new_sentence_would_be_found(tmp_path):
    (tmp_path / "game.py").write_text(
        'def f(n):\n    """Return it."""\n    LOG.info("not for people")\n    return f"The moon has {n} corners."\n'
    )
    assert [text for text, _ in sentences(tmp_path / "game.py")] == ["The moon has 3 corners."]
    with speaking("de"):
        assert known("The moon has 3 corners.") is None


@pytest.mark.parametrize("tile", ["8", "orange 7"])
def test_a_sentence_is_found_with_either_article(tile):
    """English says "an 8"; another language has one text for it and for "a 7", and journals of before hold "a 8"."""
    with speaking("de"):
        due = known(f"Lay a {tile} in row 1 column 2.")
        assert due is not None
        assert due.startswith("Lege")
        assert known(f"Lay an {tile} in row 1 column 2.") == due


def test_a_refused_press_is_answered_in_the_pages_language(tmp_path):
    home = house(tmp_path, pin="2468")
    browser = home.browser()
    browser.get("/?lang=de")
    assert post(browser, "/act/next").json["error"].startswith("Das darf nur der Tisch:")
    assert post(browser, "/pin", pin="1111").json["error"] == "Das ist nicht die PIN des Tisches."
    post(browser, "/pin", pin="2468")
    assert post(browser, "/act/next").json["sentence"] == "Noch keine Partie begonnen."
    assert "Eine Partie dieses Namens" in browser.get("/history/m9").text


TINY = """
msgid ""
msgstr ""
"X-Language-Name: Nederlands\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"X-Decimal: ,\\n"

msgid "History"
msgstr "Geschiedenis"

msgid "{n} run"
msgid_plural "{n} runs"
msgstr[0] "{n} reeks"
msgstr[1] "{n} reeksen"

msgctxt "heard"
msgid "Playing to {target}."
msgstr "Tot {target}."

msgctxt "ordinal"
msgid "{n}th"
msgstr "{n}e"
"""


def test_a_third_language_is_one_file(tmp_path, monkeypatch):
    """Nothing but a new file beside the others: it is offered, spoken, and falls back to English where it is silent."""
    shutil.copytree(FOLDER, tmp_path / "languages")
    (tmp_path / "languages" / "nl.po").write_text(TINY)
    monkeypatch.setattr("web.speech.FOLDER", tmp_path / "languages")
    languages.cache_clear()
    try:
        home = house(tmp_path)
        home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 3, at=2.0))
        browser = home.browser()
        page = browser.get("/", headers={"Accept-Language": "nl"}).text
        assert '<html lang="nl">' in page
        assert ">Geschiedenis</a>" in page
        assert "1 reeks" in page
        assert ">Table</a>" in page, "what the file lacks is said in English"
        assert 'hreflang="nl">Nederlands</a>' in browser.get("/?lang=en").text
        with speaking("nl"):
            assert (ordinal(2), decimal(1.5, 1), echo("Playing to 10.")) == ("2e", "1,5", "Tot 10.")
    finally:
        languages.cache_clear()


POLISH = """
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "{n} point"
msgid_plural "{n} points"
msgstr[0] "{n} punkt"
msgstr[1] "{n} punkty"
msgstr[2] "{n} "
"punktów"
"""


def test_a_language_with_three_forms_counts_by_its_own_rule(tmp_path, monkeypatch):
    (tmp_path / "pl.po").write_text(POLISH)
    monkeypatch.setattr("web.speech.FOLDER", tmp_path)
    languages.cache_clear()
    try:
        with speaking("pl"):
            said = [count(n, "{n} point", "{n} points") for n in (1, 2, 5, 12, 22, -1)]
            assert said == ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "-1 punkt"]
            assert echo("3 points") == "3 punkty"
    finally:
        languages.cache_clear()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('msgid "a"\nmsgstr "b" c\n', "this is no line of a PO file .* at xx.po line 2"),
        ('"a"\n', "this is no line of a PO file .* at xx.po line 1"),
        ('msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n=;"\n', "Plural-Forms does not hold .* at xx.po"),
    ],
)
def test_a_file_that_does_not_hold_is_named(tmp_path, text, sentence):
    (tmp_path / "xx.po").write_text(text)
    with pytest.raises(BadCatalogue, match=sentence):
        read_language(tmp_path / "xx.po")
