"""Frozen dataclasses to JSON values and back, strictly: what does not fit is named, nothing is guessed."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pi.rules.errors import BadMessage

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """Return `value` as JSON values: dataclasses as objects, tuples as lists, enums by value."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    return value


def from_json(kind: type[T], data: Any, *, where: str = "") -> T:
    """Return the dataclass `kind` that `data` describes; fields with a default may be missing.

    Raises BadMessage naming the path (`where` is its start) for a wrong type, a missing or an unknown field.
    """
    if not isinstance(data, dict):
        raise BadMessage(f"{_short(data)} is not an object (expected {kind.__name__}), at {where or '/'}")
    hints = _hints(kind)  # type: ignore[arg-type]
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise BadMessage(f"unknown field {name!r} (expected {', '.join(known) or 'none'}), at {where or '/'}")
    values = {}
    for name, field in known.items():
        if name in data:
            values[name] = _value(hints[name], data[name], f"{where}/{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise BadMessage(f"field {name!r} is missing (expected by {kind.__name__}), at {where or '/'}")
    return kind(**values)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    # Kept: asking anew made a tray of 40 tiles take 10 ms to read.
    return get_type_hints(kind)


def _value(kind: Any, data: Any, where: str) -> Any:
    kind = getattr(kind, "__supertype__", kind)  # NewType
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(args, data, where)
    if origin is tuple:
        return _tuple(args, data, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind, data, where)
    if is_dataclass(kind) and isinstance(kind, type):
        return from_json(kind, data, where=where)
    return _plain(kind, data, where)


def _either(args: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and NoneType in args:
        return None
    problems = []
    for option in (a for a in args if a is not NoneType):
        try:
            return _value(option, data, where)
        except BadMessage as no:
            problems.append(no)
    raise problems[0] if problems else BadMessage(f"{_short(data)} does not fit, at {where}")


def _tuple(args: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, (list, tuple)):
        raise BadMessage(f"{_short(data)} is not a list, at {where}")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_value(args[0], item, f"{where}/{i}") for i, item in enumerate(data))
    if len(args) != len(data):
        raise BadMessage(f"a list of {len(data)} (expected {len(args)} items), at {where}")
    return tuple(_value(a, item, f"{where}/{i}") for i, (a, item) in enumerate(zip(args, data, strict=True)))


def _enum(kind: type[Enum], data: Any, where: str) -> Enum:
    try:
        return kind(data)
    except ValueError:
        options = ", ".join(str(member.value) for member in kind)
        raise BadMessage(f"{_short(data)} is not one of {options}, at {where}") from None


def _plain(kind: Any, data: Any, where: str) -> Any:
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if kind in (bool, int, float, str) and type(data) is kind:
        return data
    name = getattr(kind, "__name__", str(kind))
    raise BadMessage(f"{_short(data)} is not of the kind {name}, at {where}")


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 40 else text[:37] + "..."
