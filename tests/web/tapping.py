"""A person who taps at random: reads the page's forms as a browser without script would, and sends one."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from flask.testing import FlaskClient


@dataclass
class Form:
    """A form of the page."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    """Radio groups and selects: what may be chosen."""
    typed: list[str] = field(default_factory=list)
    """Fields that somebody must type into."""
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def ask(self) -> str:
        """What it asks for."""
        return self.action.rpartition("/")[2]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(found["action"])
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "button":
            self._open.buttons.append((found.get("name", ""), found.get("value", "")))
        elif tag == "select":
            self._select = found["name"]
        elif tag == "option":
            self._open.choices.setdefault(self._select, []).append(found.get("value", ""))
        elif tag == "input":
            self._input(self._open, found)

    def _input(self, form: Form, found: dict[str, str]) -> None:
        kind = found.get("type", "text")
        if kind == "hidden":
            form.fields[found["name"]] = found.get("value", "")
        elif kind == "radio":
            form.choices.setdefault(found["name"], []).append(found["value"])
        elif kind != "checkbox":
            form.typed.append(found["name"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None


def forms_of(html: str) -> list[Form]:
    """Return the forms of the game's own part of a page."""
    _, _, rest = html.partition('id="play"')
    part, _, _ = rest.partition("</section>\n<section")
    reader = _Reader()
    reader.feed(part or rest)
    return reader.forms


def tap(browser: FlaskClient, form: Form, chance: random.Random, **more: str) -> Any:
    """Send a form with one of its buttons pressed and one of each of its choices made."""
    data = dict(form.fields) | {name: chance.choice(values) for name, values in form.choices.items()}
    name, value = chance.choice(form.buttons)
    if name:
        data[name] = value
    return browser.post(form.action, data=data | more, headers={"Accept": "application/json"})
