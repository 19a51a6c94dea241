"""What keeps people out of a page: barriers that axe-core finds, and text that runs out at the side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

_OPTIONS = {"resultTypes": ["violations"]}
"""What is well is only counted: to describe every mark of a drawing takes longer than to look at it."""


def barriers(page: Page) -> list[str]:
    """Each barrier with the element that is one."""
    result = Axe().run(page, options=_OPTIONS).response
    assert len(result["passes"]) > 10  # it did look
    return [f"{each['id']}: {node['html'][:160]}" for each in result["violations"] for node in each["nodes"]]


def sideways(page: Page) -> bool:
    """Whether the page has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
