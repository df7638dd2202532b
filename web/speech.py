"""What language the pages speak: one catalogue a language, English being the keys.

Templates and sentences are written in English with places for values: `say("{name} wins", name=...)`,
`count(3, "{n} run", "{n} runs")`. A language is one file in `web/languages/` (see `web.catalogue`) that maps those
texts to its own; what it lacks is said in English. The rules and the table speak finished English sentences; `echo`
finds the text they were made from and says that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from web.catalogue import PLACE, Language, read_language

FOLDER = Path(__file__).parent / "languages"
"""Where the languages' files lie."""
JOINTS = re.compile(r"(, or |, | and in | and | or |; )")
"""What stands between the parts of a list inside a finished sentence."""
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z0-9])")
"""Between two sentences that were said together."""
NUMBER = re.compile(r"-?[0-9]{1,9}")
"""A value of which there may be one or several; people may have written anything there."""
ENGLISH = Language("en", "English")
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def english_ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th ... 11th, 12th, 13th ... 21st."""
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


@cache
def languages() -> dict[str, Language]:
    """Return every language there is, by code, English first."""
    return {"en": ENGLISH} | {file.stem: read_language(file) for file in sorted(FOLDER.glob("*.po"))}


def spoken() -> Language:
    """Return the language that is spoken now."""
    return _SPOKEN.get()


def speak(code: str) -> None:
    """Speak a language from now on, in this thread; an unknown one is English."""
    _SPOKEN.set(languages().get(code, ENGLISH))


@contextmanager
def speaking(code: str) -> Iterator[Language]:
    """Speak a language inside; an unknown one is English."""
    token = _SPOKEN.set(languages().get(code, ENGLISH))
    try:
        yield _SPOKEN.get()
    finally:
        _SPOKEN.reset(token)


def say(text: str, /, **values: Any) -> str:
    """Return a text in the language that is spoken, with its values."""
    return _filled(spoken().texts.get(text, text), values)


def count(number: int, one: str, many: str, /, **values: Any) -> str:
    """Return a counted thing in the right form; `{n}` is the number."""
    language = spoken()
    forms = language.forms.get(many) or (one, many)
    return _filled(forms[min(language.plural(number), len(forms) - 1)], {"n": number} | values)


def ordinal(number: int) -> str:
    """Return a place: '2nd', '2.'."""
    language = spoken()
    forms = language.ordinals
    if not forms:
        return english_ordinal(number)
    return _filled(forms[min(language.plural(number), len(forms) - 1)], {"n": number})


def decimal(number: float, digits: int) -> str:
    """Return a number with so many digits after the point."""
    return f"{number:.{digits}f}".replace(".", spoken().point)


def whole(number: float) -> str:
    """Return a number rounded to a whole one, its figures in groups of three."""
    return f"{number:,.0f}".replace(",", spoken().thousands)


def listed(names: Sequence[str]) -> str:
    """Return names as a person lists them: 'Ada', 'Ada and Ben', 'Ada, Ben and Cy'."""
    if len(names) < 2:
        return "".join(names)
    return say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def either(numbers: Sequence[Any]) -> str:
    """Return alternatives as a person says them: '3', '3 or 4', '2, 3 or 4'."""
    texts = [str(number) for number in numbers]
    if len(texts) < 2:
        return "".join(texts)
    return say("{numbers} or {last}", numbers=", ".join(texts[:-1]), last=texts[-1])


def echo(sentence: str) -> str:
    """Return a finished English sentence in the language that is spoken; as it is when it is unknown."""
    return known(sentence) or sentence


def known(sentence: str) -> str | None:
    """Return a finished English sentence in the language that is spoken; None when that language lacks it."""
    language = spoken()
    if language.code == "en" or not sentence or sentence.isdecimal():
        return sentence
    return _known(language.code, sentence)


@lru_cache(maxsize=4096)
def _known(code: str, sentence: str) -> str | None:
    with speaking(code) as language:
        if sentence in language.texts:
            return language.texts[sentence]
        parts = SENTENCES.split(sentence)
        if len(parts) > 1 and (said := _all(parts, " ")):
            return said
        found = _matched(language, sentence)
        if found is None and sentence.endswith("."):  # errors are written small and without a stop
            found = _matched(language, sentence[:1].lower() + sentence[1:-1])
            found = found and f"{found[:1].upper()}{found[1:]}."
        if found is None and ": " in sentence:
            return _all(sentence.split(": ", 1), ": ")
        return found


def _all(parts: Sequence[str], joint: str) -> str | None:
    """Say parts that were put together; None as soon as one is unknown."""
    said = []
    for part in parts:
        if (found := known(part)) is None:
            return None
        said.append(found)
    return joint.join(said)


def _matched(language: Language, sentence: str) -> str | None:
    if sentence in language.texts:
        return language.texts[sentence]
    for heard in language.heard:
        if heard.mark in sentence and (found := heard.pattern.fullmatch(sentence)):
            values = {name: _part(value) for name, value in found.groupdict().items()}
            number = values.get("n", "1")
            which = language.plural(int(number)) if NUMBER.fullmatch(number) else 1
            return _filled(heard.forms[min(which, len(heard.forms) - 1)], values)
    return None


def _part(value: str) -> str:
    """Say what stood inside a sentence: '3 runs', 'Ada and Ben', 'row 1 place 2, row 3 place 4', 'red 7'."""
    if (found := known(value)) is not None:
        return found
    pieces = JOINTS.split(value)
    return "".join(say(piece) if n % 2 else _named(piece) for n, piece in enumerate(pieces))


def _named(value: str) -> str:
    """Say one thing of a list; of a tile its colour and its symbol."""
    colour, _, symbol = value.partition(" ")
    if colour in spoken().texts and symbol and " " not in symbol:
        return f"{say(colour)} {echo(symbol)}"
    return echo(value)


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)
