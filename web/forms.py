"""What every form reader needs: fields checked one by one, and one sentence when a field is not of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pi.errors import FeltsideError

Form = Mapping[str, str]
Request = dict[str, Any]
"""A command as the table's door takes it."""
MOST_TEXT = 120
"""Letters of a reason."""


class BadInput(FeltsideError, ValueError):
    """Raised when a form field is missing or not of its kind; the text names the field."""


def number(form: Form, name: str) -> int:
    """Return a whole number from a form."""
    text = form.get(name, "").strip()
    try:
        found = int(text)
    except ValueError:
        raise BadInput(f"{text[:20]!r} is not a whole number (expected one), in the field {name!r}") from None
    if not -(2**31) < found < 2**31:
        raise BadInput(f"{text[:20]} is too large a number, in the field {name!r}")
    return found


def short_text(form: Form, name: str) -> str:
    """Return one line of text from a form; empty when the field is missing."""
    text = form.get(name, "").strip()
    if len(text) > MOST_TEXT or not text.isprintable():
        raise BadInput(f"the field {name!r} takes up to {MOST_TEXT} printable letters")
    return text
