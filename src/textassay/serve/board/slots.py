"""The board's page of slots, where a slot can be released."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.errors import StoreError
from textassay.serve.board.overview import SlotState
from textassay.serve.board.pages import ListPage, board_page
from textassay.serve.forms import form_fields
from textassay.serve.site import Site

_SLOTS_A_PAGE = 200


class ReleasedSlot(BaseModel):
    """The participant whose slot is released."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    code: str
    """As in the list of participants."""
    part: str = "1"
    """Page of the list of slots to return to."""


async def slots(request: Request, site: Site) -> Response:
    """The page of slots."""
    states = await site.store.asynchronously(_slots, site)
    part = ListPage.asked(request.query_params.get("part", "1"), len(states), _SLOTS_A_PAGE)
    return board_page(site, "board_slots.html", "slots", slots=part.of(states), part=part.number, parts=part.total)


async def release(request: Request, site: Site) -> Response:
    """Release the slot of a participant in progress, who may still come back and continue.

    Raises:
        HTTPException: 404 if there is no such participant.
    """
    fields = await form_fields(request) or {}
    wanted = ReleasedSlot(code=fields.get("code", ""), part=fields.get("part", "1"))
    try:
        await site.store.asynchronously(site.store.release, wanted.code, site.clock())
    except StoreError:
        raise HTTPException(404) from None
    part = wanted.part if wanted.part.isascii() and wanted.part.isdigit() else "1"
    return RedirectResponse(f"/board/slots?part={part}", 303)


def _slots(site: Site) -> list[SlotState]:
    with site.board.moment(site.clock()) as seen:
        return site.board.slots(seen)
