"""The public view as it changes, from the table's own pages (`GET /events`): the same bytes that anybody gets.

That is all this process ever learns of a match: it opens no journal, and no secret can come its way.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from pi.errors import FeltsideError

SILENCE_S = 5.0
"""The pages give a sign of life every second."""
LONGEST_LINE = 4 << 20


class PagesAway(FeltsideError, ConnectionError):
    """Raised when the table's pages do not answer."""


def views(pages: str, *, silence_s: float = SILENCE_S) -> Iterator[dict[str, Any] | None]:
    """Yield the public view now and whenever it changes, and None for a sign of life in between.

    pages: http://host:port. Raises PagesAway when the stream ends, falls silent or is not one of ours.
    """
    host = urlsplit(pages).netloc
    try:
        with closing(http.client.HTTPConnection(host, timeout=silence_s)) as line:
            line.request("GET", "/events", headers={"Accept": "text/event-stream"})
            answer = line.getresponse()
            if answer.status != 200:
                raise PagesAway(f"the pages answered {answer.status} (expected 200), at {pages}")
            yield from _told(answer, pages)
    except (OSError, http.client.HTTPException) as no:
        if isinstance(no, PagesAway):
            raise
        raise PagesAway(f"the pages do not answer ({no or type(no).__name__}), at {pages}") from None
    raise PagesAway(f"the pages hung up, at {pages}")


def _told(answer: http.client.HTTPResponse, pages: str) -> Iterator[dict[str, Any] | None]:
    named = False
    while line := answer.readline(LONGEST_LINE):
        if line.startswith(b"event:"):
            named = True
        elif line.startswith(b"data:"):
            yield None if named else _view(line[5:], pages)
        elif not line.strip():
            named = False


def _view(text: bytes, pages: str) -> dict[str, Any]:
    try:
        view = json.loads(text)
    except ValueError:
        raise PagesAway(f"the pages said what is no view, at {pages}") from None
    if not isinstance(view, dict):
        raise PagesAway(f"the pages said what is no view, at {pages}")
    return view
