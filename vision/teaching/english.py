"""English of the sentences that tell what pieces show."""

from __future__ import annotations


def one(name: str) -> str:
    """Return what a piece shows with its article, as it is spoken.

    >>> one("7"), one("8"), one("#")
    ('a 7', 'an 8', 'a #')
    """
    return f"{'an' if name[:1] in tuple('8aeiou') else 'a'} {name}"
