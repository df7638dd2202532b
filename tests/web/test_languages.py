"""Every sentence of the pages is in the catalogue of every language, with the same places for values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

import web.languages
from pi.opponents.strengths import STRENGTHS
from pi.rules import commands as ask
from pi.rules.games import RULESETS
from tests.builders import ONE_RUN, lock, start, tray
from tests.conftest import ROOT
from tests.web.builders import house, post
from web.speech import PLACE, count, decimal, echo, either, languages, listed, ordinal, say, speaking

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
    return said | {strength for strength in STRENGTHS.values() if strength}, counted


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language):
    said, counted = catalogue()
    known = languages()[language]
    assert sorted(said - set(known.texts)) == []
    assert sorted(counted - set(known.forms)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_the_same_places_for_values(language):
    known = languages()[language]
    for english, said in [*known.texts.items(), *known.heard.items()]:
        assert set(PLACE.findall(said)) <= set(PLACE.findall(english)), english
    for english, said in known.texts.items():
        assert set(PLACE.findall(said)) == set(PLACE.findall(english)), english
    for many, forms in known.forms.items():
        assert len(forms) == len({known.plural(n) for n in range(200)})
        assert all(set(PLACE.findall(form)) <= set(PLACE.findall(many)) for form in forms)


def test_numbers_and_plurals():
    assert [count(n, "{n} run", "{n} runs") for n in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 13, 21)] == ["1st", "2nd", "3rd", "4th", "11th", "13th", "21st"]
    assert listed(["Ada", "Ben", "Cy"]) == "Ada, Ben and Cy"
    assert either([2, 3, 4]) == "2, 3 or 4"
    with speaking("de"):
        assert [count(n, "{n} run", "{n} runs") for n in (0, 1, 2)] == ["0 Läufe", "1 Lauf", "2 Läufe"]
        assert ordinal(2) == "2."
        assert decimal(1.5, 1) == "1,5"
        assert listed(["Ada", "Ben", "Cy"]) == "Ada, Ben und Cy"
    assert say("Undo") == "Undo"


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


def sentences(path: str) -> Iterator[str]:
    """Yield the sentences of a file's refusals, a number in each place for a value."""
    for call in ast.walk(ast.parse((ROOT / path).read_text())):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refused"):
            continue
        match call.args[1:]:
            case [ast.Constant(value=str(text))]:
                yield text
            case [ast.JoinedStr(values=parts)]:
                yield "".join(str(p.value) if isinstance(p, ast.Constant) else "3" for p in parts)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", ["pi/rules/match.py", "pi/rules/games/scramble.py"])
def test_refusals_are_said_in_every_language(language, path):
    found = [text for text in sentences(path) if " house rule " not in text and "There is no game" not in text]
    assert len(found) >= 10
    with speaking(language):
        assert [text for text in found if echo(text) == text] == []


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
from web.speech import Language

LANGUAGE = Language(
    code="nl", name="Nederlands", texts={"History": "Geschiedenis"}, forms={"{n} runs": ("{n} reeks", "{n} reeksen")},
    ordinal=lambda number: f"{number}e", point=",", heard={"Playing to {target}.": "Tot {target}."})
"""


def test_a_third_language_is_one_file(tmp_path, monkeypatch):
    """Nothing but a new file beside the others: it is offered, spoken, and falls back to English where it is silent."""
    (tmp_path / "languages").mkdir()
    (tmp_path / "languages" / "nl.py").write_text(TINY)
    monkeypatch.setattr("web.languages.__path__", [*web.languages.__path__, str(tmp_path / "languages")])
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
