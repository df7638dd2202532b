"""What the tests of the pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from web.speech import speaking


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Let each test begin in English: a request in another language leaves it behind in the thread that made it."""
    with speaking("en"):
        yield
