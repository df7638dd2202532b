"""A demo of its own and Debian's Chromium, for tests that look at the pages as people do."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHROMIUM, PATIENCE_S, ROOT

SIZES = {"landscape": (1280, 800), "portrait": (800, 1280), "phone": (390, 844)}
PATIENCE_MS = 1000 * PATIENCE_S
"""How long a page may take to show what happened: the machine may be busy."""
LOST = re.compile(
    r"net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED|ABORTED|TIMED_OUT|FAILED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|"
    r"CONTENT_LENGTH_MISMATCH|SOCKET_NOT_CONNECTED|TIMED_OUT|ABORTED|NETWORK_CHANGED|INTERNET_DISCONNECTED|"
    r"NETWORK_IO_SUSPENDED|ADDRESS_UNREACHABLE)\b"
)
"""What Chromium says of a server that went away (before, while and after it took the request, or within the answer),
and of a machine whose own network changed. What a page then shows is tested; that Chromium complains is no fault."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[str]:
    """Start `feltside demo` with two people at the pads and return its address."""
    state = tmp_path
    command = [sys.executable, "-m", "pi", "demo", "--port", "0", "--players", "2", "--humans", "1,2"]
    command += ["--seed", "7", "--state", str(state)]
    with (
        (state / "demo.err").open("wb") as errors,
        subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        ) as process,
    ):
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        try:
            assert address, f"the demo said {line!r}: {(state / 'demo.err').read_text()}"
            yield address[0].rstrip("/")
        finally:
            # Not by Ctrl-C's signal: what a shell starts in the background ignores it, and so does all that it starts.
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise


@dataclass
class Chromium:
    """A running browser; every page collects what its console complains about."""

    browser: Any
    folder: Path
    """Outside git."""
    complaints: list[str]

    def open(self, address: str, size: str, **how: Any) -> Any:
        """Open a page in a window of its own, dark unless asked otherwise; closed after the test."""
        page = self.page(size, **how)
        page.goto(address)
        return page

    def page(self, size: str, *, scheme: str = "dark", **how: Any) -> Any:
        """Return an empty page in a window of its own."""
        width, height = SIZES[size]
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **how)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def shoot(self, page: Any, name: str) -> None:
        """Check that nothing is cut off at the right, and keep a screenshot."""
        self.keep(page, name, full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} is {wide} px too wide"

    def keep(self, part: Any, name: str, **how: Any) -> None:
        """Keep a screenshot of a page, or of a part of one; in CI nobody would look at it, and each takes a while."""
        if not os.environ.get("CI"):
            part.screenshot(path=self.folder / f"{name}.png", **how)

    def _console(self, message: Any) -> None:
        # Before the first camera picture the live picture is a 404, and a server that ends loses its clients: the
        # page itself expects both.
        expected = "live.jpg" in str(message.location) or LOST.search(message.text)
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(f"{message.text} {message.location}")


def stop_clock(page: Any) -> None:
    """Stop a page's clock (installed before it was opened), so that nothing depends on how fast this machine is.

    From now on its time goes on by `page.clock.run_for` and `fast_forward` alone; the server's and the browser's own
    go on.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def seen(page: Any, seq: int) -> None:
    """Wait until a page shows a match as it stood at a seq of the journal."""
    page.wait_for_function("(seq) => document.getElementById('view').dataset.seen === String(seq)", arg=seq)


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    """Start Debian's Chromium once for all tests of a run; skips where there is none."""
    if CHROMIUM is None and os.environ.get("CI"):
        pytest.fail(
            "no Chromium here, and CI must not skip the pages (expected Debian's chromium-headless-shell or chromium)"
        )
    if CHROMIUM is None:
        pytest.skip("no Chromium here (expected Debian's chromium-headless-shell or chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    sync_api.expect.set_options(timeout=PATIENCE_MS)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture
def chromium(engine: Any) -> Iterator[Chromium]:
    """Give a test the browser; afterwards its windows are closed, and no page may have complained."""
    folder = ROOT / "artefacts" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    found = Chromium(engine, folder, [])
    yield found
    for context in engine.contexts:
        context.close()
    assert found.complaints == []
