"""Payloads as text in the database, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from textassay.errors import StoreError


def encoded(payload: Mapping[str, Any]) -> str:
    r"""The payload as JSON that every database and every file can hold.

    Half a surrogate pair and the NUL character, which a browser can send but UTF-8 or PostgreSQL cannot hold, become
    the replacement character.

    >>> encoded({"comment": "schön", "half": "\ud83d"})
    '{"comment":"schön","half":"�"}'

    Raises:
        StoreError: it holds something that is not JSON.
    """
    try:
        text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise StoreError(f"the answer is not plain JSON ({error}); nothing was stored") from None
    # JSON writes NUL as an escape, so it has to be looked for before; the second look is needed for few texts only.
    if "\\u0000" in text or not _is_unicode(text):
        text = json.dumps(_cleaned(payload), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text


def decoded(text: str) -> dict[str, Any]:
    """The payload of a stored text."""
    payload: dict[str, Any] = json.loads(text)
    return payload


def clean_text(text: str) -> str:
    """The text with what UTF-8 or PostgreSQL cannot hold turned into the replacement character."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {_cleaned(key): _cleaned(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(part) for part in value]
    return value
