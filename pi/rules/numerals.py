"""Whole numbers that people write."""

from __future__ import annotations


def is_whole(text: str, *, most: int) -> bool:
    """Tell whether a text is 1 to `most` figures from 0 to 9, and so a number to `int` without fail.

    >>> [is_whole(text, most=3) for text in ("42", "4321", "-1", "", "\u00b2")]
    [True, False, False, False, False]
    """
    return text.isascii() and text.isdigit() and len(text) <= most
