"""Documents lead where they say: every relative link's file is there, and has the heading that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"#{1,6} +(.+)")


def documents() -> list[Path]:
    folders = (ROOT / top for top in ("pi", "vision", "web", "tests", "systemd"))
    return [*ROOT.glob("*.md"), *(path for folder in folders for path in sorted(folder.rglob("*.md")))]


def anchors(document: str) -> set[str]:
    """As those who show Markdown make them: small letters, digits, dashes for blanks, nothing else."""
    headings = (HEADING.fullmatch(line) for line in document.splitlines())
    return {re.sub(r"[^\w\- ]", "", h[1].strip().lower()).replace(" ", "-") for h in headings if h is not None}


def links(document: str) -> Iterator[tuple[str, str]]:
    for target in LINK.findall(re.sub(r"```.*?```", "", document, flags=re.DOTALL)):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            yield path, anchor


def dead(path: Path) -> list[str]:
    out = []
    for file, anchor in links(path.read_text(encoding="utf-8")):
        there = path.parent / file if file else path
        known = there.exists() and (not anchor or anchor in anchors(there.read_text(encoding="utf-8")))
        out += [] if known else [f"{path.relative_to(ROOT)}: {file}#{anchor}"]
    return out


def test_every_link_between_documents_leads_to_a_file_and_a_heading():
    found = documents()
    assert len(found) > 5
    assert [lost for path in found for lost in dead(path)] == []


def test_a_link_to_a_heading_that_is_gone_is_found():
    assert anchors("# A lamp's image\n\n## Felts with a print, printed backs\n") == {
        "a-lamps-image",
        "felts-with-a-print-printed-backs",
    }
    assert list(links("[there](A.md#b) [web](https://example.org) [here](#c)")) == [("A.md", "b"), ("", "c")]
