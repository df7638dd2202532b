"""Fields of the lines that `feltside judge` reads: taken strictly, refused in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pi.errors import FeltsideError

Line = dict[str, Any]
"""One JSON object of a file of lines."""
_REQUIRED = object()


class Unlawful(FeltsideError, ValueError):
    """Raised when a line describes what cannot be; its text is the reason, readable aloud."""


def closed(pairs: list[tuple[str, Any]]) -> Line:
    """Return the object; raises Unlawful for a field named twice, of which JSON would drop one silently."""
    found: Line = {}
    for name, value in pairs:
        if name in found:
            raise Unlawful(f"The field {name!r} is named twice.")
        found[name] = value
    return found


def whole_object(data: Any) -> Line:
    """Return a line that is an object; raises Unlawful."""
    if not isinstance(data, dict):
        raise Unlawful(f"A line is an object (got {short(data)}).")
    return data


def known_fields(line: Line, names: Iterable[str]) -> None:
    """Refuse fields nobody asked for: a misspelt switch would otherwise change nothing, silently."""
    expected = list(names)
    for name in line:
        if name not in expected:
            raise Unlawful(f"The field {name!r} is unknown (expected {', '.join(expected)}).")


def field(line: Line, name: str) -> Any:
    """Return a field that must be there."""
    if name not in line:
        raise Unlawful(f"The field {name!r} is missing.")
    return line[name]


def switch(line: Line, name: str) -> bool:
    """Return a switch; False where the line does not mention it."""
    value = line.get(name, False)
    if not isinstance(value, bool):
        raise Unlawful(f"{name} is true or false (got {short(value)}).")
    return value


def whole(value: Any, what: str, *, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number within its bounds; true, 3.0 and "3" are none."""
    if type(value) is not int:
        raise Unlawful(f"{what} is a whole number (got {short(value)}).")
    if least is not None and value < least:
        raise Unlawful(f"{what} is at least {least} (got {short(value)}).")
    if most is not None and value > most:
        raise Unlawful(f"{what} is at most {most} (got {short(value)}).")
    return value


def listed(value: Any, what: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise Unlawful(f"{what} is a list (got {short(value)}).")
    return value


def lawful(problem: str | None) -> None:
    """Raise Unlawful with the problem, if there is one."""
    if problem is not None:
        raise Unlawful(problem)


def short(value: Any) -> str:
    """Return a value as it may stand in a sentence."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits has no text
        return "something very large"
    return text if len(text) <= 40 else text[:37] + "..."
