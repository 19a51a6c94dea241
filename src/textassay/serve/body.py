"""What browsers send and get as JSON: the edge, so everything is checked here."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator
from starlette.requests import Request

LARGEST_BODY = 256 * 1024

Moment = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(2200, 1, 1, tzinfo=UTC))]
"""By a clock that may be wrong, but not so wrong that it cannot be stored."""


class AnswerBody(BaseModel):
    """An answer to a page."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

    answer_id: UUID
    """Made in the browser; sending it again changes nothing."""
    page: str = Field(min_length=1, max_length=200)
    """Key of the page that is answered."""
    payload: dict[str, JsonValue]
    """The answer, in the form that the page's task asks for."""
    started_at: Moment | None = None
    """When the page was shown."""
    answered_at: Moment
    """When it was answered."""
    rt_ms: float | None = Field(default=None, ge=0, le=1e10)
    """Milliseconds between the two, on the browser's monotonic clock."""
    client: dict[str, JsonValue] = Field(default={}, max_length=40)
    """What the browser says of itself: size of the window, how often it was hidden …"""

    @field_validator("payload", "client")
    @classmethod
    def _plain(cls, value: dict[str, Any]) -> dict[str, Any]:
        # JSON as browsers write it has neither NaN nor endless numbers; parsers let both pass.
        try:
            json.dumps(value, allow_nan=False)
        except (RecursionError, TypeError) as error:
            raise ValueError(str(error)) from None
        return value


class Stored(BaseModel):
    """The answer is on disk."""

    next: str
    """Address of the page that follows."""


class FieldErrors(BaseModel):
    """The answer does not fit; nothing was stored."""

    errors: dict[str, str]
    """Message by field; under an empty name one about the whole answer."""


class Refusal(BaseModel):
    """The request cannot be handled."""

    detail: str
    """Why."""


class Health(BaseModel):
    """The server is there."""

    status: str
    """Always `ok`."""


def read_answer(raw: bytes) -> AnswerBody:
    """The answer in the body of a request.

    Raises:
        ValidationError: it is none.
    """
    try:
        return AnswerBody.model_validate_json(raw)
    except ValidationError:
        whole = _without_halves(raw)
        if whole == raw:
            raise
        return AnswerBody.model_validate_json(whole)


def _without_halves(raw: bytes) -> bytes:
    r"""JSON in which halves of surrogate pairs have become the replacement character.

    A browser sends such a half where a limit of length has cut an emoji in two; the rest of the answer is fine.
    """
    if b"\\ud" not in raw.lower():
        return raw
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
    except (ValueError, RecursionError):
        return raw
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


async def limited_body(request: Request, largest: int = LARGEST_BODY) -> bytes | None:
    """The body of a request, or nothing where it is too large; no more than that much is read."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > largest:
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > largest:
            return None
        parts.append(part)
    return b"".join(parts)
