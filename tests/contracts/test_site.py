"""The documentation builds into a site that needs no other host, shows what forges show, and has no dead links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lxml.html
import pytest
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
ALIKE = ("h1", "h2", "h3", "li", "table", "td", "pre", "img", "p")
"""What a page has as often in the site as on a forge; Python-Markdown and CommonMark differ over lists and fences."""
FETCHED = "//script/@src | //link[@rel != 'canonical']/@href | //img/@src | //iframe/@src | //source/@src | //*/@srcset"


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site in a folder that has docs/ and zensical.toml."""
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", env={"NO_COLOR": "1", "PATH": ""}, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "docs")
    shutil.copy(ROOT / "zensical.toml", folder)
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def pages_of(navigation: Any) -> Iterator[str]:
    """The files that a navigation names."""
    if isinstance(navigation, str):
        yield navigation
    else:
        for part in navigation.values() if isinstance(navigation, dict) else navigation:
            yield from pages_of(part)


def test_navigation_leads_to_every_page_once() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(pages_of(settings["project"]["nav"])) == sorted(f"{page}.md" for page in PAGES)


def test_no_page_fetches_anything_from_another_host(site: Path) -> None:
    asked = {
        address
        for page in site.rglob("*.html")
        for address in lxml.html.parse(str(page)).xpath(FETCHED)
        if re.match(r"(?:https?:)?//", address)
    }
    assert asked == set()
    styles = " ".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"@import|url\(\s*['\"]?(?:https?:)?//", styles) == []


@pytest.mark.parametrize("page", PAGES)
def test_page_has_the_same_parts_as_on_a_forge(site: Path, page: str) -> None:
    forge = lxml.html.fromstring(
        MarkdownIt("commonmark").enable("table").render((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    )
    built = lxml.html.parse(str(site / f"{page}.html")).find(".//article")
    counts = [{tag: len(tree.findall(f".//{tag}")) for tag in ALIKE} for tree in (forge, built)]
    assert counts[0] == counts[1]


def test_search_works_where_pages_are_opened_as_files(site: Path, page: Page) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto((site / "power.html").as_uri())
    page.get_by_role("button", name="Search").first.click()
    page.keyboard.type("krippendorff")
    page.get_by_role("option", name="krippendorff_alpha").first.wait_for()
    assert page.get_by_placeholder("Search").input_value() == "krippendorff"
    page.get_by_role("option", name="krippendorff_alpha").first.click()
    page.wait_for_url("**/reference/statistics.html*krippendorff_alpha")
    assert [address for address in fetched if not address.startswith("file:")] == []


def test_broken_links_and_anchors_fail_the_build(tmp_path: Path) -> None:
    settings = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    (tmp_path / "zensical.toml").write_text(re.sub(r"(?ms)^nav = \[$.*?^\]$", "", settings), encoding="utf-8")
    (tmp_path / "docs" / "scripts").mkdir(parents=True)
    (tmp_path / "docs" / "scripts" / "iframe-worker.js").touch()
    page = tmp_path / "docs" / "index.md"
    page.write_text("# Head\n\n[right](index.md#head)\n", encoding="utf-8")
    assert build(tmp_path).returncode == 0
    page.write_text("# Head\n\n[gone](nowhere.md), [gone](index.md#nowhere)\n", encoding="utf-8")
    done = build(tmp_path)
    assert done.returncode != 0
    for message in ("page does not exist", "anchor does not exist", "2 issues found"):
        assert message in done.stdout + done.stderr
