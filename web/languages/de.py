"""German."""

from __future__ import annotations

from web.speech import Language

LANGUAGE = Language("de", "Deutsch", point=",", ordinal=lambda number: f"{number}.")
