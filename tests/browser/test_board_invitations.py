"""Invitations taken back on the board, and reasons in a language that is written from right to left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NARROW = {"width": 360, "height": 640}


@pytest.mark.console_errors("404")  # the link that leads nowhere any more
def test_invitation_is_taken_back_by_keyboard(
    serve: Callable[..., Any], new_context: Callable[..., BrowserContext], hands: Any
) -> None:
    served = serve()
    board = new_context(viewport=NARROW).new_page()
    board.goto(served.server.links.board)
    board.goto(f"{served.server.links.base}/board/links")
    hands.page = board
    hands.tab_to(board.get_by_label("Names or codes"))
    board.keyboard.type("Ada\nGrace")
    hands.tab_to(board.get_by_role("button", name="Create links"))
    board.keyboard.press("Enter")
    take_back = board.get_by_role("button", name="Cancel the invitation of Grace")
    expect(take_back).to_be_visible()
    assert barriers(board) == []
    link = board.locator("#person-2").inner_text()
    hands.tab_to(take_back)
    board.keyboard.press("Enter")
    expect(board.get_by_role("rowheader", name="Grace")).to_have_count(0)
    expect(board.get_by_role("rowheader", name="Ada")).to_be_visible()
    board.goto(link)
    expect(board.get_by_role("heading", name="Page not found")).to_be_visible()


def test_reasons_in_arabic(serve: Callable[..., Any], page: Page) -> None:
    served = serve(lambda data: data.update(language="ar", title="دراسة"))
    hasty = served.join()
    for each in hasty.pages:
        hasty.send(each.key, hasty.fitting(each), rt_ms=200.0)
    page.goto(served.server.links.board)
    reason = page.locator("td.verdict li")
    expect(reason).to_contain_text("محاولات دون 1.0 ث: 6 من 6")
    # The rule's name stands at the right, where the line begins.
    name, line = reason.locator("code").bounding_box(), reason.bounding_box()
    assert name is not None
    assert line is not None
    assert name["x"] + name["width"] > line["x"] + 0.9 * line["width"]
    assert barriers(page) == []
