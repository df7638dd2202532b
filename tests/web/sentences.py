"""Every sentence that can reach a page, collected from the source: templates, our own texts, and what others finish.

A sentence of the rules is a string in their code. Each file that can speak to a page is read here, and everything in
it that is written in words counts, but for docstrings, what goes into a log or a help text, and what is listed below
as never seen on a page. So a new refusal cannot be forgotten: it is found because it is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

SPEAKERS = (
    "pi/rules/*.py",
    "pi/rules/games/*.py",
    "pi/rules/quests/*.py",
    "pi/referee.py",
    "pi/sense.py",
    "pi/teaching.py",
    "pi/lesson.py",
    "pi/watch_words.py",
    "pi/watching.py",
    "pi/panel.py",
    "pi/faults.py",
    "pi/spare.py",
    "pi/camera_light.py",
    "pi/vitals.py",
    "pi/upkeep.py",
    "pi/journal.py",
    "pi/journal_check.py",
    "pi/journal_file.py",
    "pi/odds/mathematics.py",
    "pi/doors/doctor.py",
    "pi/doors/steward.py",
    "pi/doors/update.py",
    "vision/teaching/lessons.py",
    "vision/teach.py",
    "vision/teaching/doubts.py",
    "vision/teaching/teach_look.py",
    "vision/teaching/teach_check.py",
    "vision/teaching/teach_odd.py",
    "vision/teaching/teach_order.py",
    "web/*.py",
)
"""Files whose sentences can reach a page."""
SILENT = {
    "pi/rules/codec.py": "what a program hears whose request is malformed",
    "pi/rules/commands.py": "what a program hears whose request is malformed",
    "pi/rules/events.py": "a damaged or newer journal, told by the journal's own words",
    "pi/rules/runs.py": "boards that no match can have",
    "pi/rules/transcript.py": "a match as text, for the command line",
    "web/bench.py": "a benchmark",
    "web/metrics.py": "figures for programs",
    "web/serve.py": "the command line and the log",
    "web/catalogue.py": "for whoever writes a language's file",
    "web/qr.py": "a drawing",
    "web/drawing.py": "a drawing",
    "web/felt.py": "what a program hears whose form is malformed",
    "web/corners.py": "what a program hears whose form is malformed",
    "web/access.py": "headers; its refusals are in the catalogue of refusals below",
}
"""Files among them that say nothing to people at the table, and why."""
NEVER_SEEN = re.compile(
    r"SELECT|PRAGMA|BEGIN |INSERT|CREATE TABLE|^<|viewBox|%[sd.(]|^python -m|^%|^/proc|^\(\?|~=|"
    r"^pip install|^Press every|^The bound |"  # `feltside doctor --bench`
    r"^there are no tiles|is not a tile \(|^the deal is|of the deal is|^no attempt was|"
    r"^there is no grid|^a hint needs|is not a number of a grid|lies 3 times \(expected at most|"  # `feltside quest`
    r"^row 3 of picture 3$|"  # part of two that are there
    r"^no chapter|^there is no (?:chapter|history)|^RULES\.md|^folder of|^address to|^port to|TOML"
)
"""Not words: SQL, drawings, patterns, and what goes into a log."""
UNSAID = frozenset({"add_argument", "ArgumentParser", "debug", "info", "warning", "error", "exception", "compile"})
"""Calls whose texts are for the command line, the log, or no people at all."""
LIST = re.compile(r"3(?:(?:, | and | or )3)+")
LED_IN = re.compile(r"^3 (?=[A-Z])")
"""A sentence that is put before this one."""
WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z(]|[A-Za-z]{2,}, [A-Za-z]")


def speakers() -> Iterator[Path]:
    """Yield the files that may speak to a page."""
    for pattern in SPEAKERS:
        found = sorted(ROOT.glob(pattern))
        assert found, f"{pattern} is no file any more"
        yield from (path for path in found if str(path.relative_to(ROOT)) not in SILENT)


def sentences(path: Path) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield everything in a file that is written in words: with '3' in each place for a value, and as a pattern."""
    tree = ast.parse(path.read_text())
    passed_over = set(_passed_over(tree))
    for node in ast.walk(tree):
        if node in passed_over:
            continue
        match node:
            case ast.Constant(value=str(text)):
                parts = [text]
            case ast.JoinedStr(values=values):
                parts = [str(value.value) if isinstance(value, ast.Constant) else "" for value in values]
            case _:
                continue
        text = LED_IN.sub("", LIST.sub("3", "".join(part or "3" for part in parts)))
        if WORDS.search(text) and not NEVER_SEEN.search(text):
            yield text, re.compile(".+".join(map(re.escape, text.split("3"))), re.IGNORECASE)


def _passed_over(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield docstrings, the parts of formatted strings, annotations, and what is said to nobody at the table."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield text
            case ast.JoinedStr(values=parts):
                yield from (part for part in parts if isinstance(part, ast.Constant))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in UNSAID:
                yield from ast.walk(node)
            case ast.FormattedValue(format_spec=ast.JoinedStr() as spec):
                yield from ast.walk(spec)
            case ast.Assert(msg=ast.AST() as text):
                yield from ast.walk(text)
