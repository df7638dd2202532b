"""What language the pages speak: one catalogue a language, English being the keys.

Templates and sentences are written in English with places for values: `say("{name} wins", name=...)`,
`count(3, "{n} run", "{n} runs")`. A language is one file in `web/languages/` that maps those texts to its
own; what it lacks is said in English. The rules speak finished English sentences; `echo` finds the text
they were made from and says that.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

PLACE = re.compile(r"\{(\w+)\}")
"""Where a value goes in a text."""


def english_ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th ... 11th, 12th, 13th ... 21st."""
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the pages."""

    code: str
    """As in the HTML attribute `lang`: 'en', 'de'."""
    name: str
    """In the language itself."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """English text -> this language's, with the same places for values."""
    plural: Callable[[int], int] = lambda number: 0 if abs(number) == 1 else 1
    """number -> which of the forms is said."""
    forms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """English plural text ('{n} runs') -> all forms of this language, in the order of `plural`."""
    ordinal: Callable[[int], str] = english_ordinal
    point: str = "."
    """Between the whole and the broken part of a number."""
    heard: Mapping[str, str] = field(default_factory=dict)
    """Sentences of the rules, with places for values -> this language's."""


ENGLISH = Language("en", "English")
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> dict[str, Language]:
    """Return every language there is, by code, English first."""
    folder = import_module("web.languages")
    modules = (import_module(f"web.languages.{found.name}") for found in pkgutil.iter_modules(folder.__path__))
    return {"en": ENGLISH} | {module.LANGUAGE.code: module.LANGUAGE for module in modules}


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
    return spoken().ordinal(number)


def decimal(number: float, digits: int) -> str:
    """Return a number with so many digits after the point."""
    return f"{number:.{digits}f}".replace(".", spoken().point)


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
    """Return a finished English sentence of the rules in the language that is spoken; as it is when unknown."""
    language = spoken()
    if language.code == "en" or not sentence:
        return sentence
    if sentence in language.heard:
        return language.heard[sentence]
    for pattern, said in _patterns(language.code):
        if found := pattern.fullmatch(sentence):
            return _filled(said, {name: _part(value) for name, value in found.groupdict().items()})
    return sentence


def _part(value: str) -> str:
    """Say what stood inside a sentence: '3 runs', 'Ada and Ben'."""
    language = spoken()
    if counted := re.fullmatch(r"(-?\d+) (\w+)", value):
        for many, forms in language.forms.items():
            noun = many.removeprefix("{n} ")
            if noun != many and counted[2] in (noun, noun.removesuffix("s")):
                return _filled(forms[language.plural(int(counted[1]))], {"n": counted[1]})
    if " and " in value:
        return listed(value.replace(" and ", ", ").split(", "))
    return value


@cache
def _patterns(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for english, said in languages()[code].heard.items():
        parts = PLACE.split(english)
        pattern = "".join(f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
        found.append((re.compile(pattern), said))
    return tuple(found)


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)
