"""What keeps people out of a page: barriers that axe-core finds, and text that runs out at the side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import axe_playwright_python

if TYPE_CHECKING:
    from playwright.sync_api import Page

_AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
_OPTIONS = {"resultTypes": ["violations"]}
"""What is well is only counted: to describe every mark of a drawing takes longer than to look at it."""
_ONE_OF_EACH_LOOK = Path(__file__).with_name("one_of_each_look.js").read_text(encoding="utf-8")


def barriers(page: Page) -> list[str]:
    """Each barrier with the element that is one. Of texts that look alike, the contrast of the first is measured."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    assert page.evaluate(_ONE_OF_EACH_LOOK) > 0
    result = page.evaluate("(options) => axe.run(document, options)", _OPTIONS)
    assert len(result["passes"]) > 10  # it did look
    return [f"{each['id']}: {node['html'][:160]}" for each in result["violations"] for node in each["nodes"]]


def sideways(page: Page) -> bool:
    """Whether the page has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
