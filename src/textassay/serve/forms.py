"""Forms that a browser sends without a script."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request

from textassay.serve.bodies import limited_body

_MOST_FIELDS = 100


async def form_fields(request: Request) -> dict[str, str] | None:
    """The fields of a form, the first of each name; None if there are too many or they are too large."""
    raw = await limited_body(request)
    if raw is None:
        return None
    try:
        fields = parse_qs(raw.decode("utf-8", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return None
    return {name: values[0] for name, values in fields.items()}
