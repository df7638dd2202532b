"""A language of the pages is one file: `web/languages/<code>.po`, in the format of GNU gettext that translators know.

    msgid "{name} wins"            a text of the pages, with places for values
    msgstr "{name} gewinnt"

    msgid "{n} run"                a counted one, with as many forms as the heading's Plural-Forms says
    msgid_plural "{n} runs"
    msgstr[0] "{n} Lauf"
    msgstr[1] "{n} Läufe"

    msgctxt "heard"                a sentence or a part of one that the rules or the table finish in English;
    msgid "{name} wins with {score}."     its values are found in it again
    msgstr "{name} gewinnt mit {score}."

    msgctxt "ordinal"              a place in the queue: 2nd
    msgid "{n}th"
    msgstr "{n}."

The heading (the text with the empty msgid) names the language (`X-Language-Name`) and what stands in numbers
(`X-Decimal`, `X-Thousands`). A new language is begun by copying another's file; what it lacks is said in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import c2py
from pathlib import Path

from pi.errors import FeltsideError

PLACE = re.compile(r"\{(\w+)\}")
"""Where a value goes in a text."""
ONE_WORD = frozenset(
    ("n", "number", "row", "column", "place", "digit", "symbol", "seat", "space")
    + ("pin", "ms", "most", "least", "size", "total", "percent", "bonus")
)
"""Places in finished sentences that hold one word, mostly a number; others hold as much as there is."""
ARTICLE = re.compile(r"\b[aA] $")
"""Before a value: "an" where that is an eight, or orange."""
NAMES = frozenset(("name", "names", "other", "others"))
"""Places that hold people, who never reach from one sentence into the next."""
HEARD, ORDINAL = "heard", "ordinal"
_LINE = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])?\s*("(?:[^"\\]|\\.)*")')


class BadCatalogue(FeltsideError, ValueError):
    """Raised when a language's file does not hold."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One way of saying something in English, and how another language says it."""

    mark: str
    """The longest of its own words: a sentence without them is not tried at all."""
    pattern: re.Pattern[str]
    """Finds the values in the English sentence."""
    forms: tuple[str, ...]
    """One text, or one for each plural form; the number is the place `{n}`, or one where there is none."""


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
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """English plural text ('{n} runs') -> all forms of this language, in the order of `plural`."""
    heard: tuple[Heard, ...] = ()
    """Sentences that others finish, those with the most words of their own first."""
    ordinals: tuple[str, ...] = ()
    """'{n}.', or one for each plural form; empty: as in English."""
    point: str = "."
    """Between the whole and the broken part of a number."""
    thousands: str = ","
    """Between groups of three figures."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a PO file, as it stands there."""

    context: str
    one: str
    many: str
    """Empty where nothing is counted."""
    said: tuple[str, ...]


def read_language(path: Path) -> Language:
    """Return the language of a PO file; its code is the file's name. Raises BadCatalogue, OSError."""
    entries = list(read_entries(path))
    heading = next((e.said[0] for e in entries if not (e.one or e.context)), "")
    facts = dict(line.split(": ", 1) for line in heading.splitlines() if ": " in line)
    said = [entry for entry in entries if entry.one and all(entry.said)]
    counted = {e.many: e.said for e in said if e.many and not e.context}
    return Language(
        path.stem,
        facts.get("X-Language-Name", path.stem),
        texts={e.one: e.said[0] for e in said if not (e.many or e.context)},
        plural=_plural(facts.get("Plural-Forms", "nplurals=2; plural=(n != 1);"), path),
        forms=counted,
        heard=_heard(said),
        ordinals=next((e.said for e in said if e.context == ORDINAL), ()),
        point=facts.get("X-Decimal", "."),
        thousands=facts.get("X-Thousands", ","),
    )


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a PO file in order; raises BadCatalogue, which names the line, and OSError."""
    parts: dict[str, str] = {}
    at = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found = _LINE.fullmatch(text)
        if not found or not (found[1] or at):
            raise BadCatalogue(f'this is no line of a PO file (expected: msgid "..."), at {path.name} line {number}')
        if found[1] == "msgctxt" or (found[1] == "msgid" and at != "msgctxt"):
            yield from _entry(parts)
            parts = {}
        at = found[1] or at
        parts[at] = parts.get(at, "") + json.loads(found[2])
    yield from _entry(parts)


def _entry(parts: Mapping[str, str]) -> Iterator[Entry]:
    if "msgid" in parts:
        said = tuple(text for key, text in sorted(parts.items()) if key.startswith("msgstr"))
        yield Entry(parts.get("msgctxt", ""), parts["msgid"], parts.get("msgid_plural", ""), said or ("",))


def _plural(rule: str, path: Path) -> Callable[[int], int]:
    expression = re.search(r"plural=([^;]+)", rule)
    try:
        found = c2py(expression[1] if expression else rule)
    except ValueError as no:
        raise BadCatalogue(f"Plural-Forms does not hold ({no}), at {path.name}") from None
    return lambda number: found(abs(number))


def _heard(entries: Sequence[Entry]) -> tuple[Heard, ...]:
    found = []
    for entry in entries:
        if entry.context == HEARD or (entry.many and not entry.context):
            english = [entry.one, entry.many] if entry.many else [entry.one]
            found += [(_own(text), Heard(_mark(text), _pattern(text), entry.said)) for text in english]
    return tuple(heard for _, heard in sorted(found, key=lambda pair: -pair[0]))


def _own(text: str) -> int:
    return len(PLACE.sub("", text))


def _mark(text: str) -> str:
    *before, last = PLACE.split(text)[::2]
    return max((*(part.rstrip() if ARTICLE.search(part) else part for part in before), last), key=len)


def _pattern(text: str) -> re.Pattern[str]:
    parts = PLACE.split(text)
    return re.compile("".join(_group(part) if n % 2 else _literal(part) for n, part in enumerate(parts)))


def _literal(part: str) -> str:
    """Return the pattern of what stands around values."""
    return re.escape(part[:-1]) + "n? " if ARTICLE.search(part) else re.escape(part)


def _group(name: str) -> str:
    what = "[^ ]+" if name in ONE_WORD else r"(?:(?![.:] ).)+?" if name in NAMES else ".+?"
    return f"(?P<{name}>{what})"
