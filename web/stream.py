"""Server-sent events: whole views, one after another, each with the journal's seq as its id.

Each stream holds a worker thread, so they are counted, and the last workers are kept for pages and presses.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from web.desk import Desk, Sight

BEAT_S = 1.0
"""A sign of life this often: a tablet that misses two of them says that its view may be old."""
RETRY_MS = 1000
"""How soon a browser that lost the stream comes back."""


def utc_ms() -> int:
    """Return the server's time of day, in ms since 1970."""
    return time.time_ns() // 1_000_000


def events(
    desk: Desk,
    render: Callable[[Sight], str],
    *,
    watching: bool = False,
    beat_s: float = BEAT_S,
    now_ms: Callable[[], int] = utc_ms,
) -> Iterator[bytes]:
    """Yield the current view at once, then again whenever it changes, and beats in between; endless.

    render: sight -> one line of JSON. A view that reads the same as the last one is not sent again.
    watching: render at every beat, too, for a page that shows more than the sight.
    """
    yield f"retry: {RETRY_MS}\n\n".encode()
    seen, last = -1, ""
    while True:
        sight = desk.wait(seen, timeout_s=beat_s)
        text = render(sight) if watching or sight.version != seen else last
        seen = sight.version
        if text == last:
            # A named event, because scripts do not see comments and could not tell silence from death.
            # The time goes with it, so that a tablet's clock needs not be right.
            yield f': ping\nevent: beat\ndata: {{"now": {now_ms()}}}\n\n'.encode()
            continue
        last = text
        yield f"id: {sight.seq}\ndata: {text}\n\n".encode()


class Turnstile:
    """Lets a fixed number of streams in."""

    def __init__(self, most: int) -> None:
        """Take the largest number of streams at the same moment."""
        self.most = most
        self._free = threading.BoundedSemaphore(most)

    def enter(self) -> bool:
        """Take a place; False when all are taken."""
        return self._free.acquire(blocking=False)

    def guard(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Return the chunks of somebody who has entered; the place is free again when they are closed."""
        return _Guarded(chunks, self._free)


class _Guarded(Iterator[bytes]):
    # A class and not a generator: a generator that was never started would not run its `finally`.
    def __init__(self, chunks: Iterator[bytes], free: threading.BoundedSemaphore) -> None:
        self._chunks, self._free, self._open = chunks, free, True

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._free.release()
