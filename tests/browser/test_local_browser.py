"""The driver of the local browser, with a real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import BrowserError
from textassay.local_browser.devtools import LocalBrowser

HTML = """<!doctype html><title>A page</title><style>body { margin: 0; height: 3000px; }</style>
<img src="http://pictures.example/x.png" alt=""><details><summary>More</summary>folded</details>"""


def test_it_opens_pages_reads_them_and_takes_pictures_within_limits(chromium_path: str, tmp_path: Path) -> None:
    page = tmp_path / "page with a space.html"
    page.write_text(HTML, encoding="utf-8")
    with LocalBrowser(seconds=60, program=chromium_path) as browser:
        browser.open(page.as_uri(), width=640, height=300)
        assert browser.evaluate("document.title") == "A page"
        assert browser.evaluate("new Promise((done) => setTimeout(() => done([innerWidth, innerHeight]), 1))") == [
            640,
            300,
        ]
        whole = browser.picture(most_height=5000, most_bytes=1_000_000)
        cut = browser.picture(most_height=700, most_bytes=1)  # no quality is that low
        assert (whole.width, whole.height, cut.height) == (640, 3000, 700)
        assert len(cut.content) < len(whole.content)
        assert (
            browser.evaluate("fetch('http://127.0.0.1:9/').then(() => 'there', () => 'nobody there')") == "nobody there"
        )
        with pytest.raises(BrowserError, match="the page failed in the browser"):
            browser.evaluate("nothing.at.all")
        with pytest.raises(BrowserError, match=r"cannot open the page .*NAME_NOT_RESOLVED"):
            browser.open("http://localhost.example/")
